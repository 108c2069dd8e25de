"""One word for one thing, as CONTRIBUTING's glossary has them: names, classes, modules, and how docstrings speak."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from syntax_trees import nodes, tree_of

PACKAGE = Path(__file__).parent.parent / "citelsp"
SOURCES = sorted(PACKAGE.rglob("*.py"))
VAGUE = {"told", "said", "kept", "held", "met", "given", "wanted"}
GIVEN_NAMES = {  # where `given` is the part of a person's name
    "bibliography/authors.py",
    "bibliography/bylines.py",
    "bibliography/names.py",
    "corpus/work.py",
    "sources/clean.py",
    "sources/datacite.py",
    "syntax/csl.py",
}
SHARED_CLASSES = {  # one name for two things that never meet in a module
    "Answer": "of a tool to the agent; of a service to verification",
    "Limits": "of a run; of a host",
    "Question": "of the author at a place; of verification to a service",
    "Refused": "by an endpoint; by a feature",
    "Reply": "of a model; of a service",
    "Run": "of the agent; of an evaluation",
    "Weights": "of the corpus's ranking; of the agent's",
}
SHARED_MODULES = {
    "__init__": "every package",
    "ask": "agent: a model; verification: services",
    "cache": "`citelsp cache` and the cache itself",
    "completion": "`citelsp completion` is the shell's; the server's is the editor's",
    "declaring": "a bibliography, in each language",
    "files": "of a workspace; that each language names",
    "overview": "the feature and its request",
    "question": "of the author; of verification",
    "repair": "of JSON; of an entry",
    "suggest": "`citelsp suggest`; the list of a placeholder",
    "text": "documents; the report for people",
    "weighing": "of works by the agent; of records by verification",
}


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


def test_names_say_what_is_named():
    vague = [(path, name, line) for path in SOURCES for name, line in bound(path) if words(name) & VAGUE]
    people = {
        (path, name) for path, name, _ in vague if name_of(path) in GIVEN_NAMES and words(name) & VAGUE == {"given"}
    }
    assert not [f"{name_of(path)}:{line} {name}" for path, name, line in vague if (path, name) not in people]


def test_it_stays_within_a_line():
    assert not [f"{name_of(path)}:{line}" for path in SOURCES for line in long_scopes(path)]


def long_scopes(path):
    """The lines that bind `it` for longer than a line."""
    bindings = [it for it in nodes(path) if getattr(it, "id", getattr(it, "arg", "")) == "it"]
    stores = [it for it in bindings if isinstance(it, ast.arg) or isinstance(it.ctx, ast.Store)]
    short = set(one_line_scopes(path)) if stores else set()
    return [it.lineno for it in stores if id(it) not in short]


def test_each_class_has_a_name_of_its_own():
    places = defaultdict(list)
    for path in SOURCES:
        for it in tree_of(path).body:
            if isinstance(it, ast.ClassDef):
                places[it.name].append(name_of(path))
    assert {name for name, of in places.items() if len(of) > 1} == SHARED_CLASSES.keys()


def test_each_module_has_a_name_of_its_own():
    places = defaultdict(list)
    for path in SOURCES:
        places[path.stem].append(name_of(path))
    assert {name for name, of in places.items() if len(of) > 1} == SHARED_MODULES.keys()


def test_docstrings_say_if(capsys):
    """“where” is for places; conditions are “if”."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    found = [it for path in SOURCES for it in nodes(path) if isinstance(it, kinds)]
    text = [word.lower() for it in found for word in re.findall(r"[A-Za-z']+", ast.get_docstring(it) or "")]
    where, conditions = (1000 * text.count(it) / len(text) for it in ("where", "if"))
    with capsys.disabled():
        print(f"\nof 1,000 words in docstrings {where:.1f} are “where”, {conditions:.1f} are “if”")  # noqa: T201
    assert where <= 3
    assert conditions >= 3
