"""A segment as columns of numbers and words, from which it is made again without reading any entry."""

from array import array
from collections.abc import Sequence
from typing import Any

from citelsp.base.parse_cache import Columns
from citelsp.bibliography.completion_search.postings import Postings
from citelsp.bibliography.completion_search.ranked_search import Segment
from citelsp.syntax.nodes import EntryNode

_COLUMNS_OF_POSTINGS = 3


def columns(segment: Segment) -> Columns:
    """The years, then words, starts and entries of each of its four postings."""
    all_columns: list[Sequence[Any]] = [array("B", segment.years)]
    for postings in (segment.families, segment.named, segment.other, segment.keys):
        all_columns += [postings.words, array("I", postings.starts), array("I", postings.ids)]
    return all_columns


def restore(nodes: Sequence[EntryNode], all_columns: Columns) -> Segment | None:
    """The segment of the entries that the columns were made of; None if there are more or fewer."""
    years, *of_postings = all_columns
    if len(years) != len(nodes):
        return None
    starts = range(0, len(of_postings), _COLUMNS_OF_POSTINGS)
    families, named, other, keys = (Postings(*of_postings[start : start + _COLUMNS_OF_POSTINGS]) for start in starts)
    return Segment(nodes, families, named, other, keys, bytes(years))
