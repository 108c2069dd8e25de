// A person writes sentences with citations by keys alone, saves, and takes everything back by Ctrl+Z.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { drive, goBehind, until } from "./code_server.mjs";

const LONG = 120; // seconds, for a machine that does much else
const folder = process.env.CITELSP_WORKSPACE;
const sentences = JSON.parse(process.env.CITELSP_SENTENCES);
const delay = Number(process.env.CITELSP_PAUSE);
const { browser, page, send, host } = await drive(folder);
const press = (keys) => page.keyboard.press(keys);
const type = (words) => page.keyboard.type(words, { delay });
const onDisk = (name) => fs.readFileSync(path.join(folder, name), "utf8");
const text = () => host((vscode) => vscode.window.activeTextEditor?.document.getText() ?? "");
const version = () => host((vscode) => vscode.window.activeTextEditor?.document.version ?? 0);
const running = () => host((vscode) => vscode.extensions.getExtension("citelsp.citelsp").exports?.client?.isRunning() ?? false);
const rows = () => page.locator(".suggest-widget.visible .monaco-list-row").evaluateAll((found) =>
  found.map((it) => ({ words: it.getAttribute("aria-label") ?? "", focused: it.classList.contains("focused") })),
);
/** A row that shows the words, which are a title or its beginning as the list has room for it. */
const shows = (row, words) => row.includes(words) || (row.indexOf("…") > 7 && words.startsWith(row.slice(0, row.indexOf("…"))));
const before = Object.fromEntries(["main.tex", "references.bib"].map((name) => [name, onDisk(name)]));
let reopened = 0;

/** Waits until the list has a row of these words, asking for the list as a person does if there is none. */
async function listed(words) {
  const has = async () => (await rows()).some((it) => shows(it.words, words));
  const end = Date.now() + 1000 * LONG;
  while (Date.now() < end) {
    if (await until(has, words, 15).catch(() => false)) return;
    reopened++;
    await press("Control+Space");
  }
  throw new Error(`${words} was never in the list: ${JSON.stringify(await rows())}`);
}

/** Goes down to the row and accepts it; what is typed next comes at once. */
async function accept(words) {
  await listed(words);
  for (let left = 60; left; left--) {
    const focused = (await rows()).find((it) => it.focused)?.words ?? "";
    if (shows(focused, words)) return press("Enter");
    await press("ArrowDown");
    await until(async () => ((await rows()).find((it) => it.focused)?.words ?? "") !== focused, "the next row", LONG);
  }
  throw new Error(`${words} could not be reached`);
}

const at = (words) => goBehind({ page, host }, words, "AtTop");

const steps = {
  async "a manuscript opens and the server runs"() {
    await at("\\section{Method}");
    await until(running, "the server", LONG);
    await press("Enter");
    await until(async () => (await text()) !== before["main.tex"], "a line");
  },
  async "sentences are written"() {
    for (const [number, { before, words, title, between, key }] of sentences.entries()) {
      await type(`${before}\\cite<${words}`);
      if (process.env.CITELSP_ONLINE) await accept("Search online for");
      await accept(title);
      await type(between + key);
      await accept(key);
      await type(`}.${number + 1 < sentences.length ? "\n" : ""}`);
    }
  },
  async "every entry is on the disk"() {
    await until(() => before["references.bib"].length < onDisk("references.bib").length, "an entry", LONG);
    await press("Control+s");
    await until(async () => onDisk("main.tex") === (await text()), "the manuscript on the disk", LONG);
    const keys = [...onDisk("main.tex").matchAll(/claims \\cite\{([\w:-]+)\}/g)].map((it) => it[1]);
    assert.strictEqual(keys.length, sentences.length);
    await until(() => keys.every((key) => onDisk("references.bib").includes(`{${key},`)), "the entries", LONG);
    fs.mkdirSync(path.join(folder, "written"));
    for (const name of Object.keys(before)) fs.copyFileSync(path.join(folder, name), path.join(folder, "written", name));
  },
  async "everything is taken back"() {
    for (let left = 2000; left && (await text()) !== before["main.tex"]; left--) {
      const now = await version();
      await press("Control+z");
      await until(async () => (await version()) !== now, "a step back", LONG);
    }
    await until(() => onDisk("references.bib") === before["references.bib"], "the entries as they were", LONG);
    await press("Control+s");
    await until(() => onDisk("main.tex") === before["main.tex"], "the manuscript as it was", LONG);
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
    await page.screenshot({ path: path.join(process.env.CITELSP_SHOTS, `person-FAIL ${name}.png`) });
    break;
  }
}
console.log(`     the list was asked for ${reopened} times`);
await send("/end", () => null);
await browser.close();
process.exit(failed ? 1 : 0);
