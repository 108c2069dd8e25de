// What the suites inside VS Code's extension host share: the workspace, and what an author does in it.
const vscode = require("vscode");

const run = vscode.commands.executeCommand;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const root = () => vscode.workspace.workspaceFolders[0].uri;
const file = (name) => vscode.Uri.joinPath(root(), name);
const open = async (name) => (await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file(name)))).document;
const label = (item) => (typeof item.label === "string" ? item.label : item.label.label);

async function until(probe, what, ms = 60_000) {
  for (const end = Date.now() + ms; Date.now() < end; await pause(50)) {
    const found = await probe();
    if (found) return found;
  }
  throw new Error(`waited in vain for ${what}`);
}

async function put(document, text, replaced) {
  const edit = new vscode.WorkspaceEdit();
  const at = replaced ?? new vscode.Range(document.lineCount - 3, 0, document.lineCount - 3, 0);
  edit.replace(document.uri, at, text);
  await vscode.workspace.applyEdit(edit);
}

const place = (document, words) => document.positionAt(document.getText().indexOf(words) + words.length);
const complete = (document, words) => run("vscode.executeCompletionItemProvider", document.uri, place(document, words), undefined, 5);
const findings = (document) => vscode.languages.getDiagnostics(document.uri).filter((it) => it.source === "citelsp");

async function accept(document, item) {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, item.range.replacing ?? item.range, item.insertText);
  await vscode.workspace.applyEdit(edit);
  if (item.command) await run(item.command.command, ...item.command.arguments);
}

/** Applies the fix of what stands there whose title holds these words, also one that is shown before it is applied. */
async function applyFix(document, range, words) {
  const actions = await run("vscode.executeCodeActionProvider", document.uri, range, undefined, 20);
  const fix = actions.find((it) => it.title.includes(words));
  if (!fix) throw new Error(actions.map((it) => it.title).join("; "));
  if (fix.edit) await vscode.workspace.applyEdit(fix.edit);
  if (fix.command) {
    await run(fix.command.command, ...fix.command.arguments);
    await run("citelsp.acceptFix");
  }
}

/** Runs what `tests` holds in its order, up to the first failure. */
async function runAll(tests) {
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      console.log(`[test] ok   ${name}`);
    } catch (problem) {
      console.log(`[test] FAIL ${name}: ${problem.stack}`);
      throw problem;
    }
  }
}

module.exports = { run, pause, file, open, label, until, put, place, complete, findings, accept, applyFix, runAll };
