// What one sees who has the extension and opens a manuscript for the first time, with keys and the mouse only.
import path from "node:path";
import { open } from "./code_server.mjs";

const { browser, page } = await open();
const seen = (selector, hasText, timeout = 60_000) => page.locator(selector, { hasText }).first().waitFor({ timeout });
const gone = (selector, hasText) => page.locator(selector, { hasText }).first().waitFor({ state: "hidden" });
const picture = (name) => page.screenshot({ path: path.join(process.env.CITELSP_SHOTS, `newcomer-${name}.png`) });
const toast = ".notifications-toasts .notification-list-item";
const click = (selector, hasText) => page.locator(selector, { hasText }).first().click();

const steps = {
  async "opens a manuscript"() {
    await seen(".explorer-folders-view .monaco-list-row", "main.tex");
    await click(".explorer-folders-view .monaco-list-row", "main.tex");
    await seen(".view-line", "maketitle");
  },
  async "shows the references"() {
    await page.locator(".activitybar .action-item [aria-label^='References']").first().click();
  },
};
const missing = {
  async "is told that the server is missing, and where to get it"() {
    await seen(toast, "citelsp needs its server");
    await seen(".statusbar-item", "Install citelsp");
    await seen(".pane-body .monaco-button", "Install the Server");
    await picture("missing");
  },
  async "installs it by a click"() {
    const button = page.locator(`${toast} .monaco-button`, { hasText: "Install" }).first();
    const clicked = await button.click({ timeout: 5000 }).then(() => true, () => false);
    if (!clicked) await click(".pane-body .monaco-button", "Install the Server"); // a toast goes by itself
  },
};
const installing = {
  async "sees what is done"() {
    await seen(toast, "downloading what the server needs");
    await picture("installing");
  },
};
const failing = {
  async "reads in a sentence what is wrong, and the log"() {
    await seen(toast, "The citelsp server needs Python 3.11 or newer, which was not found.");
    await picture("failed");
    await click(`${toast} .monaco-button`, "Show the Log");
    await seen(".part.panel", "Output"); // empty here: code-server as the tests install it writes no logs
    await picture("log");
  },
};
const running = {
  async "has the server"() {
    await seen(".pane-body .monaco-list-row", "Vaswani", 300_000);
    await seen(".statusbar-item", "cited");
    await gone(".statusbar-item", "Install citelsp");
    await gone(toast, "citelsp");
    await picture(`running-${process.env.CITELSP_NEWCOMER}`);
  },
};
const courses = {
  click: { ...steps, ...missing, ...installing, ...running },
  found: { ...steps, ...running },
  "no python": { ...steps, ...missing, ...failing },
};

let failed = 0;
for (const [name, step] of Object.entries(courses[process.env.CITELSP_NEWCOMER])) {
  try {
    await step();
    console.log("ok  ", name);
  } catch (problem) {
    failed++;
    console.log("FAIL", name, problem.message.split("\n").slice(0, 6).join(" | "));
    await picture(`FAIL ${name}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
