// Insert Citation… with keys only: two works from two origins, a locator, the form; then all of it undone.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { drive, goBehind, until } from "./code_server.mjs";

const folder = process.env.CITELSP_WORKSPACE;
const { browser, page, send, host } = await drive(folder);
const press = (keys) => page.keyboard.press(keys);
const type = (words) => page.keyboard.type(words, { delay: 30 });
const row = (words) => page.locator(".quick-input-widget .monaco-list-row", { hasText: words }).first();
const seen = (locator) => locator.waitFor({ state: "visible" });
const picture = (name) => page.screenshot({ path: path.join(process.env.CITELSP_SHOTS, `dialog-${name}.png`) });
const onDisk = (name) => fs.readFileSync(path.join(folder, name), "utf8");
const text = () => host((vscode) => vscode.window.activeTextEditor?.document.getText() ?? "");
const running = () => host((vscode) => vscode.extensions.getExtension("citelsp.citelsp").exports?.client?.isRunning() ?? false);
const SENTENCE = "Writers know that a claim needs a source";
const before = { manuscript: onDisk("main.tex"), entries: onDisk("references.bib") };

const at = (words) => goBehind({ page, host }, words, "InCenter");

/** Clears the words and types others; what is picked stays. */
async function search(words) {
  await page.locator(".quick-input-widget input[type=text]").first().focus();
  await seen(page.locator(".quick-input-widget input[type=text]:focus").first());
  await press("Control+A");
  await type(words);
}

/** Picks the row that is marked, from the list, as Down leads there. */
async function pick(words) {
  const list = ".quick-input-widget .monaco-list-row";
  await seen(page.locator(`${list}.focused`, { hasText: words }).first());
  await press("ArrowDown");
  await press("ArrowUp");
  await seen(page.locator(`${list}.focused`, { hasText: words }).first());
  await press("Space");
  await seen(page.locator(`${list}[aria-checked=true]`, { hasText: words }).first());
}

const steps = {
  async "a manuscript opens and the server runs"() {
    await at(SENTENCE);
    await until(running, "the server");
  },
  async "the dialog opens from the palette with what fits the sentence"() {
    await press("F1");
    await seen(page.locator(".quick-input-widget input").first());
    await type("citelsp: Insert Citation");
    await seen(row("Insert Citation"));
    await press("Enter");
    // Only these rows have boxes. The palette names the command too, and gives the editor its keys back as it closes.
    await seen(page.locator(".quick-input-widget .monaco-list-row[aria-checked=false]").first());
  },
  async "works of the corpus and of Zotero are picked, each by its words"() {
    await search("reciprocal rank");
    await seen(row("Reciprocal Rank Fusion"));
    await picture("corpus");
    await pick("Reciprocal Rank Fusion");
    await search("long short");
    await seen(row("Long Short-Term Memory"));
    await seen(row("Zotero"));
    await picture("zotero");
    await pick("Long Short-Term Memory");
    await press("Enter");
  },
  async "what will be written is shown, with the locator as it is typed"() {
    await seen(row("Beside the sentence"));
    await seen(page.locator(".quick-input-widget input[type=text]:focus").first());
    await type("p. 4");
    await seen(row("\\parencite[p.~4]{cormack2009reciprocal,hochreiterLongShortTermMemory1997}"));
    const adds = "Adds cormack2009reciprocal, hochreiterLongShortTermMemory1997 to references.bib";
    await seen(page.locator(".quick-input-titlebar", { hasText: adds }).first());
    await press("ArrowDown");
    await picture("form");
    await press("Enter");
  },
  async "citation and entries are written"() {
    const cited = `${SENTENCE} \\textcite[p.~4]{cormack2009reciprocal,hochreiterLongShortTermMemory1997}`;
    await until(async () => (await text()).includes(cited), "the citation");
    const keys = ["cormack2009reciprocal", "hochreiterLongShortTermMemory1997"];
    await until(() => keys.every((key) => onDisk("references.bib").split(`{${key},`).length === 2), "the entries on disk");
    assert(onDisk("references.bib").startsWith(before.entries.trimEnd()));
    await picture("written");
  },
  async "one undo takes both back"() {
    await at("\\maketitle");
    await press("Control+Z");
    await until(async () => (await text()) === before.manuscript, "the manuscript as it was");
    await until(() => onDisk("references.bib") === before.entries, "the entries as they were");
  },
};

let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  try {
    await step();
    console.log("ok  ", name);
  } catch (problem) {
    failed++;
    console.log("FAIL", name, problem.message.split("\n").slice(0, 6).join(" | "));
    await picture(`FAIL ${name.slice(0, 40)}`);
    break;
  }
}
await send("/end", () => null);
await browser.close();
process.exit(failed ? 1 : 0);
