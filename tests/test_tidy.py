"""How the code reads, as a test: sizes, parameters, comments, errors, state."""

import ast
import re
from pathlib import Path
from statistics import median

import pytest

from syntax_trees import nodes, statements, tree_of

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "citelsp"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
GUARD = "server/jobs.py"  # the one place that may catch everything: background work must not end the server
MUTABLE_CALLS = {
    "dict",
    "list",
    "set",
    "defaultdict",
    "OrderedDict",
    "deque",
    "WeakKeyDictionary",
    "WeakValueDictionary",
}
CHANGING = {"append", "extend", "insert", "add", "update", "setdefault", "pop", "popitem", "clear", "remove", "discard"}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def place(path, node):
    return f"{name_of(path)}:{node.lineno}"


def functions(path):
    return [it for it in statements(path) if isinstance(it, FUNCTIONS)]


def length(node):
    """Lines of a function without its docstring."""
    docstring = ast.get_docstring(node, clean=False)
    return node.end_lineno - node.lineno + 1 - (docstring.count("\n") + 1 if docstring else 0)


def only_assigns(function):
    """True for the constructor of a value, which takes what a dataclass would."""
    return function.name == "__init__" and all(isinstance(it, ast.Assign | ast.AnnAssign) for it in function.body)


@pytest.mark.parametrize("folder", sorted({it.parent for it in SOURCES}), ids=name_of)
def test_the_modules_read_well(folder):
    for path in folder.glob("*.py"):
        file_is_short(path)
        functions_are_short_and_take_few_parameters(path)
        errors_are_caught_narrowly(path)
        module_holds_no_state_that_changes(path)
        module_says_what_it_is_for(path)


def test_no_group_is_repeated_possessively():
    """Python before 3.11.5 matches `(...)*+` wrongly where the group matches in part."""
    found = [name_of(it) for it in SOURCES if re.search(r"\)[*+?]\+", it.read_text(encoding="utf-8"))]
    assert not found


def test_sentences_end_in_one_module():
    """A pattern of closing marks followed by a space is a splitter of sentences; there is one, in syntax."""
    splitter = re.compile(r"\[\.!\?[^\]]*\](?:[^\n]{0,30})\\s")
    found = [name_of(it) for it in SOURCES if splitter.search(it.read_text(encoding="utf-8"))]
    assert found == ["citelsp/syntax/prose.py"]


def test_whether_anything_fits_is_said_in_one_module():
    """Nobody else sets that a suggestion abstains; the evaluation makes predictions of its own."""
    setting = re.compile(r"\babstained=")
    found = [name_of(it) for it in SOURCES if setting.search(it.read_text(encoding="utf-8"))]
    assert [it for it in found if not it.startswith("citelsp/evals/")] == ["citelsp/decision.py"]


def test_the_tests_are_short():
    for path in TESTS:
        file_is_short(path)


def file_is_short(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= 400, f"{name_of(path)} has {lines} lines"


def functions_are_short_and_take_few_parameters(path):
    for it in functions(path):
        assert length(it) <= 60, f"{it.name} in {name_of(path)} has {length(it)} lines"
        names = [arg.arg for arg in (*it.args.posonlyargs, *it.args.args, *it.args.kwonlyargs)]
        own = [name for name in names if name not in ("self", "cls")]
        assert len(own) <= 6 or only_assigns(it), f"{it.name} in {name_of(path)} takes {len(own)} parameters"


def test_medians():
    assert median(len(it.read_text(encoding="utf-8").splitlines()) for it in SOURCES) <= 150
    assert median(length(it) for path in SOURCES for it in functions(path)) <= 10
    tests = [it for path in TESTS for it in functions(path) if it.name.startswith("test_")]
    assert median(map(length, tests)) <= 12


def test_comments_are_few():
    lines = [line.lstrip() for path in SOURCES for line in path.read_text(encoding="utf-8").splitlines()]
    assert sum(it.startswith("#") for it in lines) / len(lines) <= 0.05


def errors_are_caught_narrowly(path):
    for it in statements(path):
        if isinstance(it, ast.ExceptHandler):
            caught = {name.id for name in ast.walk(it.type) if isinstance(name, ast.Name)} if it.type else {"all"}
            broad = caught & {"all", "Exception", "BaseException"}
            lets_go = isinstance(it.body[-1], ast.Raise) and it.body[-1].exc is None
            assert not broad or lets_go or path == PACKAGE / GUARD, f"{place(path, it)} catches {broad}"
            assert not all(isinstance(inner, ast.Pass) for inner in it.body), f"{place(path, it)} passes an error over"


def module_holds_no_state_that_changes(path):
    body = tree_of(path).body
    held = {target.id for node in body for target in assigned(node) if is_mutable(node.value)}
    for it in nodes(path):
        assert not isinstance(it, ast.Global), f"{place(path, it)} changes a module's variable"
        if isinstance(it, ast.Call) and isinstance(it.func, ast.Attribute) and isinstance(it.func.value, ast.Name):
            changed = it.func.value.id in held and it.func.attr in CHANGING
            assert not changed, f"{place(path, it)} changes {it.func.value.id}"
        if isinstance(it, ast.Subscript) and isinstance(it.ctx, ast.Store | ast.Del) and isinstance(it.value, ast.Name):
            assert it.value.id not in held, f"{place(path, it)} changes {it.value.id}"


def assigned(node):
    """The plain names that a statement of a module gives a value."""
    if isinstance(node, ast.Assign):
        return [it for it in node.targets if isinstance(it, ast.Name)]
    return [node.target] if isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name) else []


def is_mutable(value):
    if isinstance(value, ast.Call):
        called = value.func.value if isinstance(value.func, ast.Subscript) else value.func
        return isinstance(called, ast.Name) and called.id in MUTABLE_CALLS
    return isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp)


def module_says_what_it_is_for(path):
    tree = tree_of(path)
    assert not tree.body or ast.get_docstring(tree), f"{name_of(path)}: a module's docstring gives its contract"
    if path.name == "__init__.py" and path.parent != PACKAGE:
        public = [it.name for it in tree.body if isinstance(it, FUNCTIONS) and not it.name.startswith("_")]
        assert len(public) <= 3, (
            f"{name_of(path)}: a package holds its docstring and, where natural, its public function"
        )
