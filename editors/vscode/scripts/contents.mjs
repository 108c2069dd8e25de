// What the package holds beside the code: the server's wheel, built from this checkout, from which the extension
// installs it, the demonstration, and the README without its pictures, which VS Code would look for at a public address.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..", "..");
const dist = path.resolve(import.meta.dirname, "..", "dist");
fs.mkdirSync(dist, { recursive: true });
const readme = fs.readFileSync(path.join(dist, "..", "README.md"), "utf8");
fs.writeFileSync(path.join(dist, "README.md"), readme.replace(/^!\[.*\n\n/gm, ""));

fs.rmSync(path.join(dist, "demo"), { recursive: true, force: true });
fs.cpSync(path.join(root, "fixtures", "demo"), path.join(dist, "demo"), { recursive: true });

const made = process.env.CITELSP_WHEEL; // by a release, of which this then is the same
if (made) {
  fs.readdirSync(dist).filter((it) => it.endsWith(".whl")).forEach((it) => fs.rmSync(path.join(dist, it)));
  fs.copyFileSync(made, path.join(dist, path.basename(made)));
  process.exit(0);
}

const python = ["python3", "python", "py"].find((it) => spawnSync(it, ["-c", "import venv"]).status === 0);
if (!python) {
  console.error("there is no Python, which builds the server's wheel");
  process.exit(1);
}
const environment = fs.mkdtempSync(path.join(os.tmpdir(), "citelsp-wheel-"));
const run = (program, ...args) => execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
try {
  run(python, "-m", "venv", environment);
  const pip = path.join(environment, ...(process.platform === "win32" ? ["Scripts", "pip.exe"] : ["bin", "pip"]));
  fs.readdirSync(dist).filter((it) => it.endsWith(".whl")).forEach((it) => fs.rmSync(path.join(dist, it)));
  run(pip, "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", dist, root);
} finally {
  fs.rmSync(environment, { recursive: true });
}
