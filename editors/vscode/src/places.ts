import * as path from "node:path";

/** What the places of programs depend on. */
export interface Machine {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  home: string;
}

/** A program inside a Python environment, from its folder. */
export function program({ platform }: Machine, name: string): string {
  return platform === "win32" ? path.win32.join("Scripts", `${name}.exe`) : path.posix.join("bin", name);
}

/** Folders of the user's own programs, which an editor that was not started by a shell need not have on its PATH.
 *
 * That is where pipx, uv and Homebrew put programs.
 */
export function folders({ platform, environment, home }: Machine): string[] {
  const { join, isAbsolute } = platform === "win32" ? path.win32 : path.posix;
  const { PIPX_BIN_DIR, UV_TOOL_BIN_DIR, XDG_BIN_HOME, XDG_DATA_HOME } = environment;
  const chosen = [PIPX_BIN_DIR, UV_TOOL_BIN_DIR, XDG_BIN_HOME, XDG_DATA_HOME && join(XDG_DATA_HOME, "..", "bin")];
  const usual = [join(home, ".local", "bin"), ...(platform === "darwin" ? ["/opt/homebrew/bin", "/usr/local/bin"] : [])];
  return [...chosen, ...usual].filter((it): it is string => it !== undefined && isAbsolute(it));
}

/** Where the server may be, the first that exists counts: on PATH, in the user's folders, where editors/install puts it. */
export function programs(machine: Machine): string[] {
  const { platform, environment, home } = machine;
  const { join, isAbsolute, delimiter } = platform === "win32" ? path.win32 : path.posix;
  const onPath = (environment["PATH"] ?? environment["Path"] ?? "").split(delimiter).filter(isAbsolute);
  const data = environment["XDG_DATA_HOME"] || join(home, ".local", "share");
  const name = platform === "win32" ? "citelsp.exe" : "citelsp";
  const installed = join(data, "citelsp", "server", program(machine, "citelsp"));
  return [...[...onPath, ...folders(machine)].map((it) => join(it, name)), installed];
}
