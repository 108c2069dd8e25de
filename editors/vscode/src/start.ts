import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { findServer } from "./find";
import { say } from "./messages";

const UNFINISHED = 2; // what a command of the server ends with that could not do all of its work

const MARK = ".citelsp-demo"; // of a demonstration that is opened for the first time

/** Opens the demonstration that the extension carries, in a copy that the author may write in. */
export async function openDemo(context: vscode.ExtensionContext): Promise<void> {
  const copy = path.join(context.globalStorageUri.fsPath, "demo");
  await fs.cp(path.join(context.extensionPath, "dist", "demo"), copy, { recursive: true, force: false });
  await fs.writeFile(path.join(copy, MARK), "");
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(copy), { forceNewWindow: true });
}

/** Opens the manuscript of the demonstration in the window that was opened for it. */
export async function openDemoManuscript(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const mark = folder && path.join(folder.uri.fsPath, MARK);
  if (mark && (await fs.access(mark).then(() => true, () => false))) {
    await fs.rm(mark);
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, "main.tex"));
  }
}

/** Adds a folder of PDFs to the corpus, in a terminal that says how far it is. */
export async function addPapers(context: vscode.ExtensionContext): Promise<void> {
  const program = await findServer(context);
  if (!program) {
    throw new Error("install the server first");
  }
  const [folder] = (await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, openLabel: "Add Papers" })) ?? [];
  if (folder) {
    const execution = new vscode.ProcessExecution(program, ["corpus", "add", folder.fsPath]);
    const task = new vscode.Task({ type: "process" }, vscode.TaskScope.Global, "Add papers to the corpus", "citelsp", execution);
    const running = await vscode.tasks.executeTask(task);
    const ended = vscode.tasks.onDidEndTaskProcess((it) => {
      if (it.execution === running) {
        ended.dispose();
        void (it.exitCode === UNFINISHED && say("Papers were added; some files could not be read (see the terminal)."));
      }
    });
  }
}
