// What a user sees, with keys and pictures: the demonstration's manuscript in a browser.
import fs from "node:fs";
import path from "node:path";
import { open } from "./code_server.mjs";

const folder = process.env.CITELSP_WORKSPACE;
const { browser, page } = await open();
let failed = 0;

const press = (keys) => page.keyboard.press(keys);
const text = async () => (await page.locator(".editor-instance .view-lines").first().innerText()).replace(/\u00a0/g, " ");
const picture = (name) => page.screenshot({ path: path.join(process.env.CITELSP_SHOTS, `${name}.png`) });
const suggestion = (words) => page.locator(".suggest-widget.visible .monaco-list-row", { hasText: words }).first();

async function step(name, act) {
  try {
    await act();
    console.log("ok  ", name);
  } catch (problem) {
    failed++;
    console.log("FAIL", name, problem.message.split("\n").slice(0, 4).join(" | "));
    await picture(`FAIL ${name}`);
    await press("Escape");
  }
}

async function quick(keys, words, rows = ".quick-input-list .monaco-list-row") {
  await press(keys);
  await page.locator(".quick-input-widget input").waitFor({ state: "visible" });
  await page.keyboard.insertText(words);
  if (rows) await page.locator(rows).first().waitFor();
  await page.waitForTimeout(400);
  await press("Enter");
  await page.waitForTimeout(300);
}

const openFile = async (name) => {
  await quick("Control+p", name);
  await page.locator(".tab.active", { hasText: name }).waitFor();
};
async function goTo(where) {
  const [row, column = "1"] = where.split(":");
  for (let i = 0; i < 5; i++) {
    await page.locator(".editor-instance .view-lines").first().click({ position: { x: 300, y: 5 } });
    await quick("Control+g", where, "");
    const shown = page.locator(".statusbar-item", { hasText: `Ln ${row}, Col ${column}` });
    if (await shown.first().waitFor({ timeout: 2000 }).then(() => true, () => false)) return;
    await press("Escape");
  }
  throw new Error(`the cursor does not go to ${where}`);
}

async function until(probe, what) {
  for (let i = 0; i < 150; i++) {
    if (await probe()) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`waited in vain for ${what}`);
}

async function suggest(words) {
  for (let i = 0; i < 10; i++) {
    await press("Control+Space");
    try {
      await suggestion(words).waitFor({ timeout: 3000 });
      return;
    } catch {
      await press("Escape");
    }
  }
  throw new Error(`${words} was not offered`);
}

const line = (words) => fs.readFileSync(path.join(folder, "main.tex"), "utf8").split("\n").findIndex((it) => it.includes(words)) + 1;
const column = (words) => fs.readFileSync(path.join(folder, "main.tex"), "utf8").split("\n")[line(words) - 1].indexOf(words) + words.length + 1;
const at = (words) => goTo(`${line(words)}:${column(words)}`);

await step("the workbench opens", () => page.locator(".explorer-folders-view .monaco-list-row", { hasText: "main.tex" }).waitFor());
await step("a manuscript opens", async () => {
  await openFile("main.tex");
  await press("Control+b");
});
await step("works with evidence at a placeholder", async () => {
  await at("<reciprocal rank");
  await suggest("Reciprocal");
  if (!(await page.locator(".suggest-details-container .markdown-docs, .suggest-details .docs").first().isVisible())) await press("Control+Space");
  await page.locator(".suggest-details blockquote").first().waitFor();
  await page.waitForTimeout(500);
  await picture("at-work");
});
await step("accepting writes the key and the entry", async () => {
  await press("Enter");
  await until(async () => /\\cite\{cormack2009\w*\}\./.test(await text()), "the key");
  await quick("F1", "File: Save All");
  await until(() => /@\w+\{cormack2009/.test(fs.readFileSync(path.join(folder, "references.bib"), "utf8")), "the entry");
});
await step("keys while typing", async () => {
  await goTo(`${line("older measurements")}:1`);
  await press("Enter");
  await press("ArrowUp");
  await page.keyboard.type("See \\parencite{tran", { delay: 40 });
  await suggestion("vaswani2017attention").waitFor();
  await picture("completion");
  await press("Escape");
  await press("Control+Backspace");
  await goTo(`${line("older measurements")}:1`);
  await press("Control+Shift+k");
  await press("Control+s");
});
await step("a finding and its fixes", async () => {
  await at("parencite{devlin2019bert, liu");
  await page.locator(".squiggly-warning, .squiggly-error").first().waitFor();
  await press("Control+.");
  await page.locator(".action-widget .monaco-list-row.action").first().waitFor();
  await page.waitForTimeout(400);
  await picture("fix");
  await press("Escape");
});
await step("the problems panel", async () => {
  await press("Control+Shift+m");
  await page.locator(".markers-panel .monaco-list-row", { hasText: "liu2019roberta" }).first().waitFor();
  await picture("problems");
  await press("Control+Shift+m");
});
await step("a hover", async () => {
  await at("parencite{vaswani2017att");
  await press("Control+k");
  await press("Control+i");
  await page.locator(".monaco-hover", { hasText: "Attention" }).first().waitFor();
  await picture("hover");
  await press("Escape");
});
await step("the references and the status item", async () => {
  await quick("F1", "References: Focus on References View");
  await page.locator(".pane-body .monaco-list-row", { hasText: "Vaswani" }).first().waitFor();
  await page.locator(".statusbar-item", { hasText: "cited" }).first().waitFor();
  await page.waitForTimeout(400);
  await picture("references");
});
await browser.close();
process.exit(failed ? 1 : 0);
