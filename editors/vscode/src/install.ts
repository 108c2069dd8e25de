import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import * as vscode from "vscode";
import { ownEnvironment, programIn } from "./find";

const PYTHONS = [["python3"], ["python"], ["py", "-3"]];
const RECENT = "import sys; sys.exit(sys.version_info < (3, 11))";

type Step = [message: string, command: string[]];

/** Makes an environment of the extension's own with the server in it; returns the server's program. */
export async function install(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<string | undefined> {
  const environment = ownEnvironment(context);
  await fs.mkdir(context.globalStorageUri.fsPath, { recursive: true });
  const title = "Installing the citelsp server";
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      for (const [message, command] of await steps(environment, stop.signal)) {
        progress.report({ message });
        await run(command, stop.signal, (line) => log.info(line));
      }
      return programIn(environment, "citelsp");
    } catch (problem) {
      if (!token.isCancellationRequested) {
        void vscode.window.showErrorMessage(`citelsp could not be installed: ${(problem as Error).message}`);
      }
      return undefined;
    }
  });
}

async function steps(environment: string, stop: AbortSignal): Promise<Step[]> {
  const wanted = vscode.workspace.getConfiguration("citelsp.server").get("package", "") || "citelsp";
  const python = programIn(environment, "python");
  if (await works(["uv", "--version"], stop)) {
    return [
      ["making an environment with uv", ["uv", "venv", "--allow-existing", "--python", ">=3.11", environment]],
      [`fetching ${wanted}`, ["uv", "pip", "install", "--upgrade", "--python", python, wanted]],
    ];
  }
  for (const found of PYTHONS) {
    if (await works([...found, "-c", RECENT], stop)) {
      return [
        ["making an environment", [...found, "-m", "venv", environment]],
        [`fetching ${wanted}`, [python, "-m", "pip", "install", "--upgrade", "--disable-pip-version-check", wanted]],
      ];
    }
  }
  throw new Error("neither uv nor Python 3.11 or newer was found");
}

async function works(command: string[], stop: AbortSignal): Promise<boolean> {
  try {
    await run(command, stop, () => undefined);
    return true;
  } catch {
    return false;
  }
}

function run([program = "", ...args]: string[], signal: AbortSignal, heard: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { signal });
    let last = "";
    const hear = (data: Buffer) => {
      for (const line of data.toString().split(/\r?\n/).filter(Boolean)) {
        last = line;
        heard(line);
      }
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(last || `${program} ended with ${code}`))));
  });
}
