"""Names say what is named, as CONTRIBUTING's glossary has the words."""

import ast
import re
from pathlib import Path

from syntax_trees import nodes

PACKAGE = Path(__file__).parent.parent / "citelsp"
SOURCES = sorted(PACKAGE.rglob("*.py"))
VAGUE = {"told", "said", "kept", "held", "met", "given", "wanted"}


def name_of(path):
    return path.relative_to(PACKAGE).as_posix()


def words(name):
    return set(name.lower().strip("_").split("_"))


def bound(path):
    """Every name that a module gives to something, with its line."""
    for it in nodes(path):
        if isinstance(it, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield it.name, it.lineno
        elif isinstance(it, ast.arg):
            yield it.arg, it.lineno
        elif isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store):
            yield it.id, it.lineno
        elif isinstance(it, ast.Attribute) and isinstance(it.ctx, ast.Store):
            yield it.attr, it.lineno


def one_line_scopes(path):
    """The names within comprehensions and lambdas that fit one line."""
    kinds = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda
    for scope in nodes(path):
        if isinstance(scope, kinds) and scope.lineno == scope.end_lineno:
            yield from (id(it) for it in ast.walk(scope))


def vague(path):
    """The words that name nothing; `given` is the part of a person's name in a module that knows the family's too."""
    return VAGUE - {"given"} if re.search(r"\bfamily\b", path.read_text(encoding="utf-8")) else VAGUE


def test_names_say_what_is_named():
    vague_words = {path: vague(path) for path in SOURCES}
    found = [
        f"{name_of(path)}:{line} {name}"
        for path in SOURCES
        for name, line in bound(path)
        if words(name) & vague_words[path]
    ]
    assert not found, f"{', '.join(found)}: name a value by what it is (CONTRIBUTING, Words: “Not names”)"


def test_it_stays_within_a_line():
    found = [f"{name_of(path)}:{line}" for path in SOURCES for line in long_scopes(path)]
    assert not found, f"{', '.join(found)}: `it` is for comprehensions and lambdas that fit one line; give it a name"


def long_scopes(path):
    """The lines that bind `it` for longer than a line."""
    bindings = [it for it in nodes(path) if getattr(it, "id", getattr(it, "arg", "")) == "it"]
    stores = [it for it in bindings if isinstance(it, ast.arg) or isinstance(it.ctx, ast.Store)]
    short = set(one_line_scopes(path)) if stores else set()
    return [it.lineno for it in stores if id(it) not in short]
