"""Entries of all bibliographies found by words of their key, authors, title and year; macros by name and value.

A word such as `@article` or `@string` asks for that kind alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from citelsp.base.text import Span
from citelsp.bibliography.completion_search.libraries import Library
from citelsp.bibliography.completion_search.ranked_search import LibraryQuery
from citelsp.bibliography.entry import Entry
from citelsp.features.document_symbols import describe, macros
from citelsp.syntax.nodes import EntryNode

_LIMIT = 100  # symbols
_WIDER = 20  # times as many entries are looked at if only one kind is asked for


@dataclass(frozen=True, slots=True)
class WorkspaceSymbol:
    """An entry or macro in the document at `path`; `span` is of its key or name."""

    path: str
    key: str
    span: Span
    detail: str
    kind: Literal["entry", "macro"] = "entry"


def find(libraries: Iterable[tuple[str, Library]], words: str, limit: int = _LIMIT) -> list[WorkspaceSymbol]:
    """Return at most `limit` entries and macros that match the words best, over all libraries; entries come first.

    `libraries`: each with its path.  `words` may hold kinds, such as `@article`, to which the entries are then limited.
    Macros are found by `@string`, and by words without any kind.  Without words and kinds it is the first entries.
    """
    libraries = list(libraries)
    kinds = {word[1:].lower() for word in words.split() if word.startswith("@")}
    typed = " ".join(word for word in words.split() if not word.startswith("@"))
    symbols: list[WorkspaceSymbol] = []
    if kinds != {"string"}:
        symbols += _find_entries(libraries, typed, kinds - {"string"}, limit)
    wants_macros = "string" in kinds or (typed and not kinds)
    if wants_macros:
        symbols += _find_macros(libraries, typed)
    return symbols[:limit]


def _find_entries(
    libraries: Iterable[tuple[str, Library]], typed: str, kinds: set[str], limit: int
) -> Iterator[WorkspaceSymbol]:
    """Yield at most `limit` entries that match `typed` best over all libraries; only of these `kinds` if any are given.

    `kinds` are types of entries in lower case, such as `article`.
    """
    query = LibraryQuery(typed=typed)
    most = limit * (_WIDER if kinds else 1)  # the search knows no kinds: some of what it finds is dropped below
    ranked: list[tuple[float, str, Library, EntryNode]] = []
    for path, library in libraries:
        for score, node in library.search(query, most):
            ranked.append((score, path, library, node))
    ranked.sort(key=lambda scored: -scored[0])
    of_kind = [(path, library, node) for _, path, library, node in ranked if not kinds or node.kind in kinds]
    for path, library, node in of_kind[:limit]:
        symbol = _make_symbol(path, library, node)
        if symbol:
            yield symbol


def _make_symbol(path: str, library: Library, node: EntryNode) -> WorkspaceSymbol | None:
    """The symbol of an entry; None if the bibliography does not find it by its key."""
    indices = [index for index in library.entries.by_key(node.key) if library.entries.node(index) is node]
    if not indices:
        return None
    span = node.key_span.moved(library.entries.start(indices[0]))
    return WorkspaceSymbol(path, node.key, span, describe(Entry(node, library.strings)))


def _find_macros(libraries: Iterable[tuple[str, Library]], typed: str) -> Iterator[WorkspaceSymbol]:
    words = typed.lower().split()
    for path, library in libraries:
        for macro in macros(library.entries):
            if all(word in f"{macro.name} {macro.detail}".lower() for word in words):
                yield WorkspaceSymbol(path, macro.name, macro.selection, macro.detail, "macro")
