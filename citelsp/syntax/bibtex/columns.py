"""The blocks of a .bib file as columns of numbers and words, from which they are made again without reading."""

from array import array
from itertools import repeat

from citelsp.base.parse_cache import Columns
from citelsp.syntax.bibtex.blocks import BibNode, Track
from citelsp.syntax.bibtex.parsing import BibEntries

_OF_A_TRACK = 7


def columns(entries: BibEntries) -> Columns:
    """Of entries as `bibtex.parse` gave them, no edit later."""
    tracks = entries.track, entries.specials, entries.commented, entries.strays
    return [column for track in tracks for column in _columns(track)]


def restored(text: str, found: Columns) -> BibEntries:
    """The entries of the text that the columns were made of."""
    return BibEntries(
        *(_track(text, found[index : index + _OF_A_TRACK]) for index in range(0, len(found), _OF_A_TRACK))
    )


def _columns(track: Track) -> Columns:
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(it.kind for it in track.nodes))}
    return [
        array("Q", track.starts),
        array("Q", [it.length for it in track.nodes]),
        array("Q", [it.reach for it in track.nodes]),
        array("Q", [it.key_start for it in track.nodes]),
        array("Q", [kinds[it.kind] for it in track.nodes]),
        [*kinds, *(it.key for it in track.nodes)],
        array("Q", track.watched),
    ]


def _track(text: str, found: Columns) -> Track:
    starts, lengths, reaches, key_starts, kinds, words, watched = map(list, found)
    names = words[: len(words) - len(starts)]
    keys = words[len(words) - len(starts) :]
    nodes = map(BibNode, repeat(text), starts, lengths, reaches, map(names.__getitem__, kinds), keys, key_starts)
    return Track(list(nodes), starts, watched)
