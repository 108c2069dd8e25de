"""Python files as trees, parsed once, for tests of how they read and what they import."""

import ast
from functools import cache

PARTS = ("body", "orelse", "finalbody", "handlers", "cases")


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path):
    """Every node, as `ast.walk` finds them."""
    return tuple(ast.walk(tree_of(path)))


@cache
def statements(path):
    """Every statement, except clause and case, however deep; no expression, of which there are ten times as many."""
    found = list(tree_of(path).body)
    for it in found:
        for part in PARTS:
            found += getattr(it, part, ())
    return found
