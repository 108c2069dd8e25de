"""Which one-word changes of some modules no test notices: `python tests/mutation.py citelsp/checks [MORE…]`.

In a copy of the tree, whose folder is printed: `mutmut show NAME` there shows a change.  The tests are those of the
folder of the same name and those that import one of the modules (`tests/module_map.py`); of these mutmut runs, for each
change, the ones that reach the function it is in.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import module_map

ROOT = module_map.ROOT
# mutmut runs the tests of each change in a fork of a process that has run them all.
FORGET = """

def pytest_sessionstart():
    import sys

    for name in [it for it in sys.modules if it.startswith("citelsp")]:
        for it in list(vars(sys.modules[name]).values()):
            if hasattr(it, "cache_clear"):
                it.cache_clear()
"""
NOTICED = (1, 3, 36, 24, 152, 255, -24)  # exit codes of mutmut: failed, or out of time


def tests_of(modules):
    """Folders and files of tests, none within another."""
    found = {it for path in modules for it in module_map.table()[module_map.name_of(path)][0]}
    folders = {it.relative_to(ROOT / "citelsp").parts[0] for it in modules}
    named = {f"tests/{it}" for it in folders if (ROOT / "tests" / it).is_dir()}
    return sorted(named | {f"tests/{it}" for it in found if f"tests/{it.partition('/')[0]}" not in named})


def copied(place, modules, tests):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place / name)
    with (place / "tests" / "conftest.py").open("a", encoding="utf-8") as conftest:
        conftest.write(FORGET)
    text = (place / "pyproject.toml").read_text(encoding="utf-8")
    mutated = [it.relative_to(ROOT).as_posix() for it in modules]
    text = re.sub(r"(?m)^only_mutate = .*$", f"only_mutate = {json.dumps(mutated)}", text)
    text = re.sub(r"(?m)^(pytest_add_cli_args_test_selection) = .*$", rf"\1 = {json.dumps(tests)}", text)
    (place / "pyproject.toml").write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="modules, or folders of modules")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--tests", nargs="+", help="instead of those that are found")
    options = parser.parse_args()
    found = (it for path in options.paths for it in (path.rglob("*.py") if path.is_dir() else [path]))
    modules = sorted(it.resolve() for it in found if it.name != "__init__.py")
    place = Path(tempfile.mkdtemp(prefix="mutation-"))
    copied(place, modules, options.tests or tests_of(modules))
    print(place, flush=True)  # noqa: T201
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(options.processes)]
    subprocess.run(command, cwd=place, check=False)
    report(place)


def report(place):
    """The score of each module and of all, and the names of the changes that no test noticed."""
    total = Counter()
    for path in sorted((place / "mutants").rglob("*.meta")):
        codes = json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
        made = {name: code for name, code in codes.items() if code is not None}
        alive = [name for name, code in made.items() if code not in NOTICED]
        if made:
            total += Counter(made=len(made), noticed=len(made) - len(alive))
            print(*alive, sep="\n")  # noqa: T201
            name = path.relative_to(place / "mutants").with_suffix("")
            print(f"{name}: {1 - len(alive) / len(made):.1%} of {len(made)}", flush=True)  # noqa: T201
    print(f"{total['noticed']} of {total['made']}: {total['noticed'] / max(1, total['made']):.1%}")  # noqa: T201


if __name__ == "__main__":
    main()
