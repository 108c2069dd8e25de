"""The blocks of a .bib file as columns of numbers and words, from which they are made again without reading."""

from array import array
from itertools import repeat

from citelsp.base.parse_cache import Columns
from citelsp.syntax.bibtex.blocks import BibNode, Track
from citelsp.syntax.bibtex.parsing import BibEntries

_COLUMNS_OF_A_TRACK = 7


def columns(entries: BibEntries) -> Columns:
    """Write entries as columns, as `bibtex.parse` gave them, before any edit; that they are `cut` is not written."""
    return [column for track in entries.tracks for column in _columns(track)]


def restore(text: str, all_columns: Columns) -> BibEntries:
    """The entries of the text that the columns were made of, as if none had been cut off."""
    starts = range(0, len(all_columns), _COLUMNS_OF_A_TRACK)
    return BibEntries(*(_track(text, all_columns[start : start + _COLUMNS_OF_A_TRACK]) for start in starts))


def _columns(track: Track) -> Columns:
    """Write a track as _COLUMNS_OF_A_TRACK lists; `_track` makes it again of them and the text.

    They hold, for each block, its start, length, reach, key start and the number of its kind; then words, first the
    kinds in the order of their numbers, then the key of each block; then the indices of the watched blocks.
    """
    nodes = track.nodes
    kinds: dict[str, int] = {}
    for node in nodes:
        kinds.setdefault(node.kind, len(kinds))
    return [
        array("Q", track.starts),
        array("Q", [node.length for node in nodes]),
        array("Q", [node.reach for node in nodes]),
        array("Q", [node.key_start for node in nodes]),
        array("Q", [kinds[node.kind] for node in nodes]),
        [*kinds, *(node.key for node in nodes)],
        array("Q", track.watched),
    ]


def _track(text: str, track_columns: Columns) -> Track:
    """Make the track again whose `_columns` these are."""
    starts, lengths, reaches, key_starts, kind_numbers, words, watched = map(list, track_columns)
    kind_count = len(words) - len(starts)
    kinds = words[:kind_count]
    keys = words[kind_count:]
    kinds_of_nodes = map(kinds.__getitem__, kind_numbers)
    nodes = map(BibNode, repeat(text), starts, lengths, reaches, kinds_of_nodes, keys, key_starts)
    return Track(list(nodes), starts, watched)
