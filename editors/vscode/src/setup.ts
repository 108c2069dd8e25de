import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { createInterface } from "node:readline";
import { type Machine, folders, program } from "./places.ts";

const PYTHONS = [["python3"], ["python"], ["py", "-3"], ["python3.14"], ["python3.13"], ["python3.12"], ["python3.11"]];
const RECENT = "import sys; sys.exit(sys.version_info < (3, 11))";
const NO_PYTHON = "The citelsp server needs Python 3.11 or newer, which was not found. Install it (or uv), then try again.";
const NO_ENVIRONMENT = "Python could not make an environment for the server. On Debian or Ubuntu, install python3-venv, then try again.";
const NOT_FETCHED = "What the citelsp server needs could not be downloaded. Check your connection, then try again.";
const NOT_INSTALLED = "The citelsp server could not be installed.";
const NOT_STARTED = "The citelsp server was installed, but it does not start.";

/** What is done if the command fails: another step, or the author reads a sentence. */
interface Step {
  says: string;
  command: string[];
  failed: Step | string;
}

export interface Hearing {
  stop: AbortSignal;
  progress: (says: string) => void;
  line: (written: string) => void;
}

interface Running {
  cwd: string;
  env: NodeJS.ProcessEnv;
  hearing: Hearing;
}

/** Installs a wheel of the server into an environment of its own.  Fails with a sentence.
 *
 * Its dependencies come from the wheels beside it, if they fit this machine, else from the user's package index.  The
 * server itself does not: its name is given to no index, as anybody could register it there.
 */
export async function setUp(wheel: string, environment: string, machine: Machine, hearing: Hearing): Promise<void> {
  const cwd = path.dirname(environment); // never the workspace, whose files Python and uv would read
  await fs.mkdir(cwd, { recursive: true });
  const search = [machine.environment["PATH"], ...folders(machine)].filter(Boolean).join(path.delimiter);
  const running = { cwd, env: { ...machine.environment, PATH: search }, hearing };
  for (const step of await steps(wheel, environment, machine, running)) {
    await take(step, running);
  }
}

async function take({ says, command, failed }: Step, running: Running): Promise<void> {
  running.hearing.progress(says);
  if (await runs(command, running)) {
    return;
  }
  if (typeof failed === "string") {
    throw new Error(failed);
  }
  await take(failed, running);
}

async function steps(wheel: string, environment: string, machine: Machine, running: Running): Promise<Step[]> {
  const python = path.join(environment, program(machine, "python"));
  const server = path.join(environment, program(machine, "citelsp"));
  const { make, install, again } = (await runs(["uv", "--version"], running))
    ? withUv(environment, python)
    : withPip(environment, python, await recentPython(running));
  const needs = `${wheel}[model]`; // with the package that asks language models
  const fetch = { says: "downloading what the server needs, which takes a minute or two…", command: [...install, needs], failed: NOT_FETCHED };
  const wheels = path.join(path.dirname(wheel), "wheels");
  const carried = { says: "installing what the server needs…", command: [...install, "--no-index", "--find-links", wheels, needs], failed: fetch };
  return [
    { says: "making an environment…", command: make, failed: NO_ENVIRONMENT },
    existsSync(wheels) ? carried : fetch,
    { says: "installing…", command: [...install, "--no-deps", "--no-index", again, wheel], failed: NOT_INSTALLED },
    { says: "starting…", command: [server, "--version"], failed: NOT_STARTED },
  ];
}

/** `again`: the option that installs another build of the same version. */
interface Commands {
  make: string[];
  install: string[];
  again: string;
}

function withUv(environment: string, python: string): Commands {
  const make = ["uv", "venv", "--allow-existing", "--python", ">=3.11", environment];
  return { make, install: ["uv", "pip", "install", "--python", python], again: "--reinstall" };
}

function withPip(environment: string, python: string, found: string[]): Commands {
  const install = [python, "-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check"];
  return { make: [...found, "-I", "-m", "venv", environment], install, again: "--force-reinstall" };
}

async function recentPython(running: Running): Promise<string[]> {
  for (const found of PYTHONS) {
    if (await runs([...found, "-I", "-c", RECENT], running)) {
      return found;
    }
  }
  throw new Error(NO_PYTHON);
}

/** True if the command ends well; what it writes, and why it does not end well, is heard. */
function runs([name = "", ...args]: string[], { cwd, env, hearing }: Running): Promise<boolean> {
  hearing.line(`> ${[name, ...args].join(" ")}`);
  return new Promise((resolve) => {
    const child = spawn(name, args, { cwd, env, signal: hearing.stop });
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on("line", hearing.line);
    }
    child.on("error", (problem) => (hearing.line(problem.message), resolve(false)));
    child.on("close", (code) => resolve(code === 0));
  });
}
