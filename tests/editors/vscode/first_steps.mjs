// From the first manuscript in a clean VS Code to the first suggestion; each thing that a person does is a step.
import path from "node:path";
import { open } from "./code_server.mjs";

const { browser, page } = await open();
const seen = (selector, hasText, timeout = 60_000) => page.locator(selector, { hasText }).first().waitFor({ timeout });
const picture = (name) => page.screenshot({ path: path.join(process.env.CITELSP_SHOTS, `steps-${name}.png`) });
const toast = ".notifications-toasts .notification-list-item";
const { CITELSP_SENTENCE: sentence, CITELSP_TYPED: typed, CITELSP_TITLE: title } = process.env;

async function step(name, act) {
  console.log("step:", name);
  await act();
}

try {
  await seen(".explorer-folders-view .monaco-list-row", "main.tex");
  await step("open the manuscript", () => page.locator(".explorer-folders-view .monaco-list-row", { hasText: "main.tex" }).first().click());
  await seen(toast, "citelsp needs its server");
  await step("click Install", () => page.locator(`${toast} .monaco-button`, { hasText: "Install" }).first().click());
  await seen(".statusbar-item", "cited", 300_000);
  const line = page.locator(".view-line", { hasText: sentence.trim() }).first();
  await line.click(); // where one was writing
  await page.keyboard.press("End");
  await step("write a placeholder", () => page.keyboard.type(typed, { delay: 60 }));
  await seen(".suggest-widget.visible .monaco-list-row", title);
  await picture("suggestion");
} catch (problem) {
  console.log("FAIL", problem.message.split("\n").slice(0, 6).join(" | "));
  await picture("FAIL");
}
await browser.close();
