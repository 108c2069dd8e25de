import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Machine, program, programs } from "./places.ts";

export const machine: Machine = { platform: process.platform, environment: process.env, home: os.homedir() };

/** The server's program: the one set, the workspace's, one that the user installed, the extension's own. */
export async function findServer(context: vscode.ExtensionContext): Promise<string | undefined> {
  const set = vscode.workspace.getConfiguration("citelsp.server").get("path", "");
  if (set) {
    return set;
  }
  for (const found of [...workspacePrograms(), ...programs(machine)]) {
    if (await runs(found)) {
      return found;
    }
  }
  return (await installedVersion(context)) && ownProgram(context);
}

/** The version of the extension that installed the server into its storage; undefined if none did, or not to its end. */
export async function installedVersion(context: vscode.ExtensionContext): Promise<string | undefined> {
  return fs.readFile(versionFile(context), "utf8").catch(() => undefined);
}

export function versionFile(context: vscode.ExtensionContext): string {
  return path.join(ownEnvironment(context), "extension-version");
}

export function ownEnvironment(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, "server");
}

export function ownProgram(context: vscode.ExtensionContext): string {
  return path.join(ownEnvironment(context), program(machine, "citelsp"));
}

/** What a workspace brings runs only where the user trusts it. */
function workspacePrograms(): string[] {
  const roots = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return roots.flatMap((it) => [".venv", "venv"].map((name) => path.join(it.uri.fsPath, name, program(machine, "citelsp"))));
}

async function runs(found: string): Promise<boolean> {
  try {
    await fs.access(found, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
