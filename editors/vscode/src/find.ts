import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";

const WINDOWS = process.platform === "win32";
const NAME = WINDOWS ? "citelsp.exe" : "citelsp";
const SCRIPTS = WINDOWS ? "Scripts" : "bin";

/** The server's program: the one set, the workspace's, the one on PATH, the extension's own. */
export async function findServer(context: vscode.ExtensionContext): Promise<string | undefined> {
  const set = vscode.workspace.getConfiguration("citelsp.server").get("path", "");
  if (set) {
    return set;
  }
  const folders = [...workspaceEnvironments(), ...(process.env["PATH"] ?? "").split(path.delimiter)];
  for (const folder of [...folders.filter(Boolean), path.join(ownEnvironment(context), SCRIPTS)]) {
    const program = path.join(folder, NAME);
    if (await runs(program)) {
      return program;
    }
  }
  return undefined;
}

export function ownEnvironment(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, "server");
}

export function programIn(environment: string, name: string): string {
  return path.join(environment, SCRIPTS, WINDOWS ? `${name}.exe` : name);
}

/** What a workspace brings runs only where the user trusts it. */
function workspaceEnvironments(): string[] {
  const roots = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return roots.flatMap((it) => [".venv", "venv"].map((name) => path.join(it.uri.fsPath, name, SCRIPTS)));
}

async function runs(program: string): Promise<boolean> {
  try {
    await fs.access(program, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
