"""A segment as columns of numbers and words, from which it is made again without reading any entry."""

from array import array
from collections.abc import Sequence
from typing import Any

from citelsp.base.parse_cache import Columns
from citelsp.bibliography.library.postings import Postings
from citelsp.bibliography.library.segment import Segment
from citelsp.syntax.nodes import EntryNode

_OF_POSTINGS = 3


def columns(segment: Segment) -> Columns:
    found: list[Sequence[Any]] = [array("B", segment.years)]
    for postings in (segment.families, segment.named, segment.other, segment.keys):
        found += [postings.words, array("I", postings.starts), array("I", postings.ids)]
    return found


def restored(nodes: Sequence[EntryNode], found: Columns) -> Segment | None:
    """The segment of the entries that the columns were made of; None if there are more or fewer."""
    years, *rest = found
    if len(years) != len(nodes):
        return None
    families, named, other, keys = (
        Postings(*rest[index : index + _OF_POSTINGS]) for index in range(0, len(rest), _OF_POSTINGS)
    )
    return Segment(nodes, families, named, other, keys, bytes(years))
