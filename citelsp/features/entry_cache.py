"""Facts about entries, kept as long as an entry's text is unchanged: a node is the same object until then."""

from collections.abc import Callable
from typing import TypeVar

from citelsp.base.footprint import remember_by_object
from citelsp.bibliography.entry import Entry, read_alone
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.nodes import EntryNode
from citelsp.workspace.project import Place

T = TypeVar("T")


def per_node(make: Callable[[EntryNode], T]) -> Callable[[EntryNode], T]:
    """`make`, called once a BibTeX node; other nodes are small and few."""
    known: Callable[[BibNode], T] = remember_by_object()(make)
    return lambda node: known(node) if isinstance(node, BibNode) else make(node)


def per_entry(make: Callable[[Entry], T]) -> Callable[[Place], T]:
    """`make`, called once for an entry that says everything itself, anew if macros or parents may have changed."""
    of_node = per_node(lambda node: make(Entry(node)))

    def remembered(place: Place) -> T:
        return of_node(place.node) if _is_self_contained(place) else make(place.entry)

    return remembered


def _is_self_contained(place: Place) -> bool:
    project = place.project
    node = place.node
    if project is None or project.strings(place.source):
        return False
    return isinstance(node, BibNode) and read_alone(node) is not None
