// A report as a page, in a browser of three widths, by day and by night: nothing is asked of anybody, nothing runs.
import assert from "node:assert";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(process.env.CITELSP_CODE_SERVER, "package.json"));
const { chromium } = require("playwright-core");
const [file, shots] = process.argv.slice(2);
const address = pathToFileURL(file).href;

const browser = await chromium.launch({
  executablePath: process.env.CITELSP_CHROMIUM,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
for (const width of [360, 800, 1400]) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const complaints = [];
    page.on("console", (it) => complaints.push(`console: ${it.text()}`));
    page.on("pageerror", (it) => complaints.push(`error: ${it}`));
    page.on("dialog", (it) => complaints.push(`dialog: ${it.message()}`) && it.dismiss());
    page.on("request", (it) => it.url() !== address && complaints.push(`request: ${it.url()}`));
    await page.goto(address, { waitUntil: "load" });
    await page.evaluate(() => document.querySelectorAll("details").forEach((it) => (it.open = true)));
    await page.screenshot({ path: path.join(shots, `report-${width}-${colorScheme}.png`), fullPage: true });
    assert.deepEqual(complaints, [], `${width} ${colorScheme}`);
    const wide = await page.evaluate(() => {
      const room = document.documentElement.clientWidth;
      const beyond = [...document.querySelectorAll("body *")].filter((it) => it.getBoundingClientRect().right > room + 1);
      return beyond.map((it) => `${it.tagName} ${it.textContent.slice(0, 60)}`);
    });
    assert.deepEqual(wide, [], `stands out at ${width}`);
    const made = await page.evaluate(() => document.querySelectorAll("script, img, iframe, object, form").length);
    assert.equal(made, 0, "a title has become a part of the page");
    const shown = () => page.locator("article:visible").count();
    const before = await shown();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    assert.equal(await shown(), before - 1, "a filter does not work by keyboard");
    await page.close();
  }
}
await browser.close();
