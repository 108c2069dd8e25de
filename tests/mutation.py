"""Which one-word changes of modules no test notices: `python tests/mutation.py citelsp/checks [MORE…] --sample 150`.

mutmut makes the changes, in a copy of the tree.  The tests are those of the folder of the same name and those that
import one of the modules (`tests/module_map.py`); of these run, for each change, the ones that reach the function that
it is in, each time in a fork of one process (`tests/support/mutants.py`).  `--then tests/checks tests/features` tries
what those do not notice with further tests, as other rooms may be the only ones to see what a module does.
"""

import argparse
import ast
import difflib
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from functools import lru_cache
from pathlib import Path

from mutmut.mutation.file_mutation import mutate_file_contents

import module_map

ROOT = module_map.ROOT
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def tests_of(modules):
    """Folders and files of tests, none within another."""
    found = {it for path in modules for it in module_map.table()[module_map.name_of(path)][0]}
    folders = {it.relative_to(ROOT / "citelsp").parts[0] for it in modules}
    named = {f"tests/{it}" for it in folders if (ROOT / "tests" / it).is_dir()}
    return sorted(named | {f"tests/{it}" for it in found if f"tests/{it.partition('/')[0]}" not in named})


def copy_tree(place):
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)


def write_changes(place, path):
    """A module that holds all changes of it, of which one at a time is in force; their names."""
    written = place / path.relative_to(ROOT)
    changed = mutate_file_contents(str(written), written.read_text(encoding="utf-8"))
    written.write_text(changed.code, encoding="utf-8")
    return [f"{module_map.name_of(path)}.{it}" for it in changed.mutant_names]


def run(place, names, options, tests):
    """Name → noticed, of each change of these."""
    (place / "changes.json").write_text(json.dumps(names), encoding="utf-8")
    paths = os.pathsep.join(str(place / it) for it in (".", "tests", "tests/support"))
    command = [sys.executable, "-m", "pytest", "-p", "mutants", "-p", "no:cacheprovider", "--numprocesses=0"]
    command += [f"--mutant-processes={options.processes}", *tests]
    with (place / "log.txt").open("w", encoding="utf-8") as log:
        subprocess.run(command, cwd=place, env=os.environ | {"PYTHONPATH": paths}, stdout=log, stderr=log, check=False)
    written = [json.loads(it) for it in (place / "noticed.jsonl").read_text(encoding="utf-8").splitlines()]
    print(f"{len(written)} tried; {sum(it[2] for it in written)} noticed as a test took too long")  # noqa: T201
    return {name: noticed for name, noticed, _ in written}


@lru_cache
def functions_of(path):
    """The lines of each function of a module with all its changes, by name."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    return {it.name: lines[it.lineno : it.end_lineno] for it in ast.walk(ast.parse(text)) if isinstance(it, FUNCTIONS)}


def show(place, name):
    """The lines that a change takes out and puts in."""
    module, _, changed = name.rpartition(".")
    functions = functions_of((place / module.replace(".", "/")).with_suffix(".py"))
    before, after = functions[changed.partition("__mutmut_")[0] + "__mutmut_orig"], functions[changed]
    return [
        it
        for it in difflib.unified_diff(before, after, n=0, lineterm="")
        if it[:3] not in ("---", "+++") and it[0] != "@"
    ]


def interval(noticed, made):
    """Of 95 %, after Wilson (1927)."""
    share, z = noticed / made, 1.96
    middle = (share + z * z / (2 * made)) / (1 + z * z / made)
    half = z / (1 + z * z / made) * math.sqrt(share * (1 - share) / made + z * z / (4 * made * made))
    return middle - half, middle + half


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="modules, or folders of modules")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--tests", nargs="+", help="instead of those that are found")
    parser.add_argument("--then", nargs="+", metavar="TESTS", help="with which to try again what those do not notice")
    parser.add_argument("--sample", type=int, metavar="N", help="so many of the changes, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of that draw (1)")
    options = parser.parse_args()
    found = (it for path in options.paths for it in (path.rglob("*.py") if path.is_dir() else [path]))
    modules = sorted(it.resolve() for it in found if it.name != "__init__.py")
    place = Path(tempfile.mkdtemp(prefix="mutation-"))
    print(place, flush=True)  # noqa: T201
    copy_tree(place)
    names = [name for path in modules for name in write_changes(place, path)]
    draw = random.Random(options.seed).sample  # noqa: S311  no secret: the same draw for the same seed
    drawn = draw(names, min(options.sample or len(names), len(names)))
    noticed = run(place, drawn, options, options.tests or tests_of(modules))
    if options.then:
        print(f"{sum(noticed.values())} of {len(noticed)} by the tests of these modules")  # noqa: T201
        noticed |= run(place, [name for name, seen in noticed.items() if not seen], options, options.then)
    report(place, noticed, len(names))


def report(place, noticed, made):
    """The changes that no test noticed, and the score of each module and of all."""
    total = Counter()
    for name, seen in sorted(noticed.items()):
        module = name.rpartition(".")[0]
        total[module, seen] += 1
        if not seen:
            print(name, *show(place, name), sep="\n")  # noqa: T201
    for module in sorted({it for it, _ in total}):
        print(f"{module}: {total[module, True]} of {total[module, True] + total[module, False]}")  # noqa: T201
    count = sum(noticed.values())
    low, high = interval(count, len(noticed))
    drawn = "" if len(noticed) == made else f" of a draw from {made:,}: {low:.1%} to {high:.1%} of all"
    print(f"{count} of {len(noticed)}: {count / len(noticed):.1%}{drawn}")  # noqa: T201


if __name__ == "__main__":
    main()
