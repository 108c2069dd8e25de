"""Entries of all bibliographies found by words of their key, authors, title and year; macros by name and value.

A word such as `@article` or `@string` asks for that kind alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from citelsp.base.text import Span
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.library.libraries import Library
from citelsp.bibliography.library.segment import LibraryQuery
from citelsp.features.document_symbols import described, macros
from citelsp.syntax.nodes import EntryNode

_LIMIT = 100
_WIDER = 20  # times as many entries are looked at if only those of a kind are wanted


@dataclass(frozen=True, slots=True)
class WorkspaceSymbol:
    """An entry or macro in the document at `path`; `span` is of its key or name."""

    path: str
    key: str
    span: Span
    detail: str
    kind: Literal["entry", "macro"] = "entry"


def find(libraries: Iterable[tuple[str, Library]], words: str, limit: int = _LIMIT) -> list[WorkspaceSymbol]:
    """The best matches over all libraries, given with their paths; at most `limit`, the first entries for no words."""
    libraries = list(libraries)
    kinds = {it[1:].lower() for it in words.split() if it.startswith("@")}
    typed = " ".join(it for it in words.split() if not it.startswith("@"))
    entries = list(_entries(libraries, typed, kinds - {"string"}, limit)) if kinds != {"string"} else []
    named = list(_macros(libraries, typed)) if typed or kinds else []
    return [*entries, *(named if not kinds or "string" in kinds else ())][:limit]


def _entries(
    libraries: Iterable[tuple[str, Library]], typed: str, kinds: set[str], limit: int
) -> Iterator[WorkspaceSymbol]:
    query = LibraryQuery(typed=typed)
    most = limit * (_WIDER if kinds else 1)
    ranked = [(score, path, it, node) for path, it in libraries for score, node in it.search(query, most)]
    ranked.sort(key=lambda it: -it[0])
    of_kind = [it for it in ranked if not kinds or it[3].kind in kinds]
    yield from filter(None, (_entry(path, library, node) for _, path, library, node in of_kind[:limit]))


def _entry(path: str, library: Library, node: EntryNode) -> WorkspaceSymbol | None:
    index = next((it for it in library.entries.by_key(node.key) if library.entries.node(it) is node), None)
    if index is None:
        return None
    span = node.key_span.moved(library.entries.start(index))
    return WorkspaceSymbol(path, node.key, span, described(Entry(node, library.strings)))


def _macros(libraries: Iterable[tuple[str, Library]], typed: str) -> Iterator[WorkspaceSymbol]:
    words = typed.lower().split()
    for path, library in libraries:
        for macro in macros(library.entries):
            if all(word in f"{macro.name} {macro.detail}".lower() for word in words):
                yield WorkspaceSymbol(path, macro.name, macro.selection, macro.detail, "macro")
