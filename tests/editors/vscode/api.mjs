// Runs the suite that CITELSP_SUITE names inside the extension host and ends with its exit status.
import path from "node:path";
import { open } from "./code_server.mjs";

const { browser, page, finished } = await open(process.env.CITELSP_SUITE);
const late = new Promise((resolve) => setTimeout(resolve, 780_000, "too late"));
const code = await Promise.race([finished, late]);
if (code !== 0) await page.screenshot({ path: path.join(process.env.CITELSP_SHOTS, "api.png") });
await browser.close();
console.log("exit", code);
process.exit(code === 0 ? 0 : 1);
