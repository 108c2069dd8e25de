"""How the code reads, as a test: functions, errors, state.

How long a file is and how much of it are comments is for readers to judge: CONTRIBUTING says what good code has.
"""

import ast
import re
from pathlib import Path

import pytest

from syntax_trees import nodes, statements, tree_of

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "citelsp"
SOURCES = sorted(PACKAGE.rglob("*.py"))
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
GUARD = "server/jobs.py"  # the one place that may catch everything: background work must not end the server
SPLITTER, DECISION = "citelsp/syntax/prose.py", "citelsp/decision.py"
PREDICTION = "citelsp/evals/prediction.py"  # of the systems that are evaluated
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
STATELESS = "a module holds no state; hand it in, or keep it in an object that the server or the command owns"
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
        functions_are_short_and_take_few_parameters(path)
        errors_are_caught_narrowly(path)
        module_holds_no_state_that_changes(path)
        module_says_what_it_is_for(path)


def test_no_group_is_repeated_possessively():
    """Python before 3.11.5 matches `(...)*+` wrongly where the group matches in part."""
    found = [name_of(it) for it in SOURCES if re.search(r"\)[*+?]\+", it.read_text(encoding="utf-8"))]
    assert not found, f"{', '.join(found)}: write (?>(...)*) or repeat without the second +"


def test_sentences_end_in_one_module():
    """A pattern of closing marks followed by a space is a splitter of sentences; there is one, in syntax."""
    splitter = re.compile(r"\[\.!\?[^\]]*\](?:[^\n]{0,30})\\s")
    found = [name_of(it) for it in SOURCES if splitter.search(it.read_text(encoding="utf-8"))]
    others = [it for it in found if it != SPLITTER]
    assert not others, f"{', '.join(others)}: use the splitter of sentences of {SPLITTER}"


def test_whether_anything_fits_is_said_in_one_module():
    """Nobody else sets that a suggestion abstains; the evaluation makes predictions of its own."""
    setting = re.compile(r"\babstained=")
    found = [name_of(it) for it in SOURCES if setting.search(it.read_text(encoding="utf-8"))]
    others = [it for it in found if it not in (DECISION, PREDICTION)]
    assert not others, f"{', '.join(others)}: leave it to {DECISION} to say that nothing fits"


def functions_are_short_and_take_few_parameters(path):
    for it in functions(path):
        assert length(it) <= 60, (
            f"{place(path, it)}: {it.name} has {length(it)} lines, and 60 at most are read at once: "
            "make functions of the steps that have a name"
        )
        names = [arg.arg for arg in (*it.args.posonlyargs, *it.args.args, *it.args.kwonlyargs)]
        own = [name for name in names if name not in ("self", "cls")]
        assert len(own) <= 6 or only_assigns(it), (
            f"{place(path, it)}: {it.name} takes {len(own)} parameters, and 6 at most: "
            "those that always come together are a value (a frozen dataclass)"
        )


def errors_are_caught_narrowly(path):
    for it in statements(path):
        if isinstance(it, ast.ExceptHandler):
            caught = {name.id for name in ast.walk(it.type) if isinstance(name, ast.Name)} if it.type else {"all"}
            broad = caught & {"all", "Exception", "BaseException"}
            assert not broad or path == PACKAGE / GUARD, (
                f"{place(path, it)} catches {', '.join(broad)}: name the errors that can happen and be answered here"
            )
            assert not all(isinstance(inner, ast.Pass) for inner in it.body), (
                f"{place(path, it)} passes an error over: use contextlib.suppress with the errors' names, or answer it"
            )


def module_holds_no_state_that_changes(path):
    body = tree_of(path).body
    held = {target.id for node in body for target in assigned(node) if is_mutable(node.value)}
    for it in nodes(path):
        assert not isinstance(it, ast.Global), f"{place(path, it)} changes a module's variable: {STATELESS}"
        if isinstance(it, ast.Call) and isinstance(it.func, ast.Attribute) and isinstance(it.func.value, ast.Name):
            changed = it.func.value.id in held and it.func.attr in CHANGING
            assert not changed, f"{place(path, it)} changes {it.func.value.id}: {STATELESS}"
        if isinstance(it, ast.Subscript) and isinstance(it.ctx, ast.Store | ast.Del) and isinstance(it.value, ast.Name):
            assert it.value.id not in held, f"{place(path, it)} changes {it.value.id}: {STATELESS}"


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
    assert not tree.body or ast.get_docstring(tree), (
        f"{name_of(path)} has no docstring: say in a line what the module is for"
    )
    if path.name == "__init__.py" and path.parent != PACKAGE:
        public = [it.name for it in tree.body if isinstance(it, FUNCTIONS) and not it.name.startswith("_")]
        assert len(public) <= 3, (
            f"{name_of(path)} has {len(public)} public functions: a package's __init__ holds its docstring "
            "and three at most; move the others to modules of their own"
        )
