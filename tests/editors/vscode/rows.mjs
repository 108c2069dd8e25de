// What can be read of a row without opening its panel, in lists as wide as they are by default.
import assert from "node:assert";
import path from "node:path";
import { drive, goBehind, until } from "./code_server.mjs";

const LEAST = 30; // letters of a title
const opened = await drive(process.env.CITELSP_WORKSPACE);
const { browser, page, host } = opened;

/** Of each row that is drawn: its title, how many letters of it are seen, what stands beside it and if that is cut. */
const rows = () =>
  page.evaluate(() =>
    [...document.querySelectorAll(".suggest-widget.visible .monaco-list-row")].map((row) => {
      const [name, left, beside] = [".label-name", ".left", ".details-label"].map((it) => row.querySelector(it));
      const [drawn, room] = [name.getBoundingClientRect(), left.getBoundingClientRect()];
      const title = name.textContent;
      const seen = Math.floor((title.length * (Math.min(drawn.right, room.right) - drawn.left)) / drawn.width);
      return { title, seen, beside: beside.textContent, cut: beside.scrollWidth > Math.ceil(beside.getBoundingClientRect().width) };
    }),
  );

async function listed(words, name) {
  await goBehind(opened, words, "AtTop");
  await page.keyboard.press("Control+Space");
  const found = await until(async () => {
    const seen = await rows();
    return seen.length >= 10 && seen;
  }, `a list behind ${words}`);
  console.log(found.map((it) => `${it.title} | ${it.beside} | ${it.seen}${it.cut ? " CUT" : ""}`).join("\n"));
  await page.waitForTimeout(500);
  await page.screenshot({ path: path.join(process.env.CITELSP_SHOTS, `${name}.png`), clip: { x: 0, y: 60, width: 1200, height: 330 } });
  await page.keyboard.press("Escape");
  return found;
}

await host((vscode) => vscode.commands.executeCommand("workbench.action.closeSidebar").then(() => null));
const works = (await listed("<causal inference", "rows")).slice(0, 10);
for (const { title, seen, beside, cut } of works) {
  assert(!cut, `${beside} is cut`);
  assert(seen === title.length, `${title} is cut`);
  assert(!title.includes("…") || seen >= LEAST - 1, `${seen} letters of ${title}`);
}
const told = works.map((it) => `${it.title} ${it.beside}`);
assert.equal(new Set(works.map((it) => it.title)).size, works.length, told.join("\n"));
await browser.close();
process.exit(0);
