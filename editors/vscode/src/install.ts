import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { installedVersion, machine, ownEnvironment, ownProgram, versionFile } from "./find";
import { setUp } from "./setup";

const NO_WHEEL = "This build of the extension does not carry the server: `npm run package` in editors/vscode makes one that does.";

/** Installs the server that the extension carries into the extension's own storage; returns its program. */
export async function install(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<string | undefined> {
  const title = "Installing the citelsp server";
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const hearing = {
      stop: stop.signal,
      progress: (message: string) => progress.report({ message }),
      line: (written: string) => log.info(written),
    };
    try {
      await fs.rm(versionFile(context), { force: true });
      await setUp(await carried(context), ownEnvironment(context), machine, hearing);
      await fs.writeFile(versionFile(context), version(context));
      return ownProgram(context);
    } catch (problem) {
      if (!token.isCancellationRequested) {
        void sayFailed(log, (problem as Error).message);
      }
      return undefined;
    }
  });
}

/** True for a server that an older version of this extension installed. */
export async function isOutdated(context: vscode.ExtensionContext, program: string): Promise<boolean> {
  return program === ownProgram(context) && (await installedVersion(context)) !== version(context);
}

async function carried(context: vscode.ExtensionContext): Promise<string> {
  const folder = path.join(context.extensionPath, "dist");
  const wheel = (await fs.readdir(folder)).find((it) => it.endsWith(".whl"));
  if (!wheel) {
    throw new Error(NO_WHEEL);
  }
  return path.join(folder, wheel);
}

async function sayFailed(log: vscode.LogOutputChannel, why: string): Promise<void> {
  const answer = await vscode.window.showErrorMessage(why, "Try Again", "Show the Log");
  if (answer === "Try Again") {
    await vscode.commands.executeCommand("citelsp.install");
  } else if (answer) {
    log.show();
  }
}

function version(context: vscode.ExtensionContext): string {
  return String(context.extension.packageJSON.version);
}
