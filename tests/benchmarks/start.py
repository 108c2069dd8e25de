"""How much CPU citelsp uses before it does anything, beside Python itself in the same run.

    python tests/benchmarks/start.py [--times 7] [--json]

The best of several runs counts: what a busy machine adds is no cost of citelsp.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from stdio import CAPABILITIES, Server
from workspaces import write

_ENTRIES = 13
_CITELSP = (sys.executable, "-m", "citelsp")


def measure(times: int) -> dict[str, float]:
    """Seconds of CPU."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cited = ",".join(it.key for it in write(folder, _ENTRIES))
        (folder / "one.tex").write_text(f"\\cite{{{cited}}}\n\\bibliography{{refs}}\n", encoding="utf-8")
        return {
            "python": _best(times, lambda: _run(folder, (sys.executable, "-c", "pass"))),
            "version": _best(times, lambda: _run(folder, (*_CITELSP, "--version"))),
            "check": _best(times, lambda: _run(folder, (*_CITELSP, "check", "one.tex", "--offline"))),
            "initialize": _best(times, lambda: _initialize(folder)),
        }


def _best(times: int, cost: Callable[[], float]) -> float:
    cost()  # compiles what was never imported
    return min(cost() for _ in range(times))


def _run(folder: Path, command: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _initialize(folder: Path) -> float:
    """To the answer."""
    uri = folder.as_uri()
    with Server((*_CITELSP, "serve"), folder, environment(folder)) as server:
        server.request("initialize", {"processId": None, "rootUri": uri, "capabilities": CAPABILITIES})
        return server.cpu() / 1000


def environment(folder: Path) -> dict[str, str]:
    """Nothing of the user's own, and compiled modules as an installation has them."""
    here = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return here | {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config")}


_LABELS = {
    "python": "`python -c pass`",
    "version": "`citelsp --version`",
    "check": f"`citelsp check one.tex --offline`, {_ENTRIES} entries",
    "initialize": "`citelsp serve`, to the answer of `initialize`",
}


def table(best: dict[str, float]) -> str:
    lines = ["| start | s of CPU | times Python's own |", "|---|--:|--:|"]
    lines += [f"| {label} | {best[it]:.3f} | {best[it] / best['python']:.0f} |" for it, label in _LABELS.items()]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    best = measure(options.times)
    sys.stdout.write((json.dumps(best) if options.json else table(best)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
