"""Which tests are about which module: `python tests/module_map.py [PART OF A NAME]` prints them.

A test is about a module that it imports; a module that none imports is tested through those that do import it, which
are named behind an arrow.
"""

import ast
import sys
from collections import defaultdict
from pathlib import Path

from syntax_trees import statements

ROOT = Path(__file__).parent.parent


def imports(path, modules):
    """The modules of the package that a file imports, anywhere in it."""
    for node in statements(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{it.name}" for it in node.names]
            yield from sorted({it if it in modules else node.module for it in names} & modules)
        elif isinstance(node, ast.Import):
            yield from sorted({it.name for it in node.names} & modules)


def name_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def table():
    """Module → its tests, and if it has none the modules through which it is tested; packages are left out."""
    paths = {name_of(it): it for it in sorted((ROOT / "citelsp").rglob("*.py"))}
    tests, importers = defaultdict(dict), defaultdict(dict)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for module in imports(path, set(paths)):
            tests[module][path.relative_to(ROOT / "tests").as_posix()] = None
    for name, path in paths.items():
        for module in imports(path, set(paths)):
            importers[module][name] = None
    listed = [name for name, path in paths.items() if path.stem != "__init__"]
    return {it: (list(tests[it]), [] if tests[it] else list(importers[it])) for it in listed}


if __name__ == "__main__":
    part = sys.argv[1] if sys.argv[1:] else ""
    for module, (own, through) in table().items():
        if part in module:
            sys.stdout.write(f"{module}: {', '.join(own) or '→ ' + ', '.join(through)}\n")
