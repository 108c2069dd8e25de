// A browser on code-server, whose extension host may run a module of ours beside the extension.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const require = createRequire(path.join(process.env.CITELSP_CODE_SERVER, "package.json"));
const { chromium } = require("playwright-core");
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];

/** `finished` is the module's exit status; what it prints with [test] in front is printed here.
 *
 * Without a module, all is as a user has it: where tests run, VS Code shows no toasts.
 */
export async function open(module) {
  const executablePath = process.env.CITELSP_CHROMIUM;
  const browser = await chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
  const page = await browser.newPage({ viewport: { width: 1200, height: 720 } });
  page.setDefaultTimeout(60_000);
  const complaints = [];
  page.on("console", (it) => ["error", "warning"].includes(it.type()) && complaints.push(it.text().slice(0, 400)));
  process.on("exit", (code) => code && console.log(["The editor's own last complaints:", ...complaints.slice(-20)].join("\n  ")));
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));
  await page.exposeFunction("codeAutomationExit", (code) => finish(code));
  await page.exposeFunction("codeAutomationLog", (_, words) => {
    const said = words.map(String).join(" ");
    if (said.startsWith("[test]")) console.log(said);
  });
  const host = new URL(process.env.CITELSP_URL).host;
  const remote = (file) => `vscode-remote://${host}${encodeURI(file)}`;
  const tests = module && JSON.stringify([
    ["extensionDevelopmentPath", remote(process.env.CITELSP_EXTENSION)],
    ["extensionTestsPath", remote(path.join(import.meta.dirname, module))],
    ["skipWelcome", "true"],
  ]);
  if (tests) await page.addInitScript(allowTests);
  const asked = new URLSearchParams({ folder: process.env.CITELSP_WORKSPACE, ...(tests && { payload: tests }) });
  await page.goto(`${process.env.CITELSP_URL}/?${asked}`);
  return { browser, page, finished };
}

/** A page whose extension host runs functions for us (remote.cjs): `host(act, ...args)` answers `act(vscode, ...args)`. */
export async function drive(folder) {
  const opened = await open("remote.cjs");
  const where = path.join(folder, ".port");
  const port = await until(() => fs.existsSync(where) && fs.readFileSync(where, "utf8"), "the extension host", 120);
  const send = async (route, act, ...args) => {
    const body = JSON.stringify([`return (${act})(vscode, ...args)`, ...args]);
    const answer = await fetch(`http://127.0.0.1:${port}${route}`, { method: "POST", body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text);
  };
  return { ...opened, send, host: (act, ...args) => send("/", act, ...args) };
}

/** A released build runs tests only where its page says so: it does from here on. */
function allowTests() {
  new MutationObserver((_, observer) => {
    const meta = document.getElementById("vscode-workbench-web-configuration");
    if (!meta) return;
    observer.disconnect();
    const settings = JSON.parse(meta.getAttribute("data-settings"));
    settings.developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
    meta.setAttribute("data-settings", JSON.stringify(settings));
  }).observe(document, { childList: true, subtree: true });
}

export async function until(probe, what, seconds = 60) {
  let last;
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    last = await probe();
    if (last) return last;
  }
  throw new Error(`waited in vain for ${what}; last seen: ${last}`);
}

/** Puts the cursor behind these words of the manuscript, and the focus into its editor. */
export async function goBehind({ page, host }, words, reveal) {
  const act = async (vscode, words, reveal) => {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "main.tex");
    const editor = await vscode.window.showTextDocument(uri, { preview: false });
    const place = editor.document.positionAt(editor.document.getText().indexOf(words) + words.length);
    editor.selection = new vscode.Selection(place, place);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType[reveal]);
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  };
  await host(act, words, reveal);
  await page.locator(".editor-instance .monaco-editor.focused").first().waitFor();
}
