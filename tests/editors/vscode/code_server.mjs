// What both suites need: a browser on code-server, pages in it, and checks that say what failed.
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.CITELSP_CODE_SERVER, "package.json"));
const { chromium } = require("playwright-core");
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];

export async function open(query = "", prepare = async () => {}) {
  const executablePath = process.env.CITELSP_CHROMIUM;
  const browser = await chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
  const page = await browser.newPage({ viewport: { width: 1200, height: 720 } });
  page.setDefaultTimeout(30_000);
  await prepare(page);
  const folder = encodeURIComponent(process.env.CITELSP_WORKSPACE);
  await page.goto(`${process.env.CITELSP_URL}/?folder=${folder}${query}`);
  return { browser, page };
}
