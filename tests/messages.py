"""Every sentence in the code that a person can read.  `python tests/messages.py` prints them, with their places.

A sentence is a string of two words or more that is no docstring: what findings, fixes, progress, notices, errors and
help say. What is put in at run time is shown as {…}.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from syntax_trees import tree_of

PACKAGE = Path(__file__).parent.parent / "citelsp"
PROSE = re.compile(r"(?:^|[\s(“])[A-Za-z][a-z]*[’']?[a-z]*,? [a-z]+\b")
UNREAD = ("evals/", "cli/mcp")  # tables of figures, for the makers; what a program reads


@dataclass(frozen=True, slots=True)
class Message:
    place: str  # file and line
    text: str


def messages() -> Iterator[Message]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(UNREAD):
            yield from (Message(f"{name}:{line}", text) for line, text in sentences(tree_of(path)))


def sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The strings of a module that are prose, by their lines."""
    nodes = list(ast.walk(tree))
    passed = {id(it) for node in nodes for it in not_shown(node)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in passed:
            text = shown(node)
            if PROSE.search(text):
                yield node.lineno, text


def not_shown(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings; the parts of a string with holes, which is shown as a whole; patterns; lists of words."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from (it for it in node.values if isinstance(it, ast.Constant))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if ast.unparse(node.func.value) == "re":
            yield from ast.walk(node)
        elif node.func.attr == "split":
            yield node.func.value


def shown(node: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(it.value if isinstance(it, ast.Constant) else "{…}" for it in node.values)


if __name__ == "__main__":
    for it in messages():
        print(f"{it.place}: {it.text}")  # noqa: T201
