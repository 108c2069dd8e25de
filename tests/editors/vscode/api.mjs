// Runs suite.cjs inside the extension host and ends with its exit status.
import path from "node:path";
import { open } from "./code_server.mjs";

const host = new URL(process.env.CITELSP_URL).host;
const remote = (file) => `vscode-remote://${host}${encodeURI(file)}`;
const payload = [
  ["extensionDevelopmentPath", remote(process.env.CITELSP_EXTENSION)],
  ["extensionTestsPath", remote(path.join(import.meta.dirname, "suite.cjs"))],
  ["skipWelcome", "true"],
];
let finish;
const finished = new Promise((resolve) => (finish = resolve));

const { browser, page } = await open(`&payload=${encodeURIComponent(JSON.stringify(payload))}`, async (page) => {
  await page.exposeFunction("codeAutomationExit", (code) => finish(code));
  await page.exposeFunction("codeAutomationLog", (_, words) => {
    const said = words.map(String).join(" ");
    if (/^\[test\]|Error/.test(said)) console.log(said);
  });
  // A released build runs tests only where its page says so: it does from here on.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const meta = document.getElementById("vscode-workbench-web-configuration");
      if (!meta) return;
      observer.disconnect();
      const settings = JSON.parse(meta.getAttribute("data-settings"));
      settings.developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
      meta.setAttribute("data-settings", JSON.stringify(settings));
    }).observe(document, { childList: true, subtree: true });
  });
});
const late = new Promise((resolve) => setTimeout(resolve, 150_000, "too late"));
const code = await Promise.race([finished, late]);
if (code !== 0) await page.screenshot({ path: path.join(process.env.CITELSP_SHOTS, "api.png") });
await browser.close();
console.log("exit", code);
process.exit(code === 0 ? 0 : 1);
