"""Entries of all bibliographies found by words of their key, authors, title and year."""

from collections.abc import Iterable
from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.library.libraries import Library
from citelsp.bibliography.library.segment import LibraryQuery
from citelsp.features.document_symbols import described
from citelsp.syntax.nodes import EntryNode

_LIMIT = 100


@dataclass(frozen=True, slots=True)
class WorkspaceEntry:
    """An entry in the document at `path`; `span` is of its key."""

    path: str
    key: str
    span: Span
    detail: str


def find(libraries: Iterable[tuple[str, Library]], words: str, limit: int = _LIMIT) -> list[WorkspaceEntry]:
    """The best matches over all libraries, given with their paths; at most `limit`, the first entries for no words."""
    query = LibraryQuery(typed=words)
    ranked = [(score, path, it, node) for path, it in libraries for score, node in it.search(query, limit)]
    ranked.sort(key=lambda it: -it[0])
    found = (_found(path, library, node) for _, path, library, node in ranked[:limit])
    return [it for it in found if it is not None]


def _found(path: str, library: Library, node: EntryNode) -> WorkspaceEntry | None:
    index = next((it for it in library.entries.by_key(node.key) if library.entries.node(it) is node), None)
    if index is None:
        return None
    span = node.key_span.moved(library.entries.start(index))
    return WorkspaceEntry(path, node.key, span, described(Entry(node, library.strings)))
