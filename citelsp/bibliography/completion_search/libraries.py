"""Libraries: built once, updated at edits, searched at keystrokes."""

import gc
import json
from array import array
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import compress, count
from operator import is_not

from citelsp.base import parse_cache
from citelsp.base.footprint import MB, Shelf
from citelsp.base.parse_cache import ParseCache
from citelsp.bibliography.completion_search import item_detail, ranked_search, segment_columns
from citelsp.bibliography.completion_search.item_detail import Shown
from citelsp.bibliography.completion_search.ranked_search import LibraryQuery, Segment
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.nodes import Entries, EntryNode

_MOST_SHOWN = 2000  # entries of which it is remembered what a list shows
_MOST_LIBRARIES = 32
_MOST_BYTES = 400 * MB  # of all libraries
_BYTES_PER_ENTRY = 1500  # of a library, with what it shares with its document
_MOST_EDITED = 200  # entries; beyond so many everything is read again


@dataclass(frozen=True)
class Library:
    """The entries of one bibliography at one moment, searchable."""

    entries: Entries
    strings: Mapping[str, str]
    nodes: Sequence[EntryNode]  # in the document's order
    _places: "array[int]"  # of each node in `_read`, or -1 - its place in `_edited`
    _read: Segment
    _live: int  # those of `_read` that are still there
    _edited: Segment
    _fresh: Sequence[int] = ()  # places in `nodes` of those of `_edited`
    _shown: dict[EntryNode, Shown] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.nodes)

    def search(self, query: LibraryQuery, limit: int) -> list[tuple[int, EntryNode]]:
        """Return at most `limit` entries, best first, each with a score that compares across libraries."""
        scored = self._read.search(query, self._live, limit)
        if self._edited.nodes:
            all_edited = (1 << len(self._edited.nodes)) - 1
            scored += self._edited.search(query, all_edited, limit)
            scored.sort(key=lambda pair: -pair[0])
        return scored[:limit]

    def mistyped(self, query: LibraryQuery, limit: int) -> list[tuple[float, EntryNode]]:
        """Find the entries whose keys are like one typed with errors, to be offered if `search` finds nothing."""
        if not query.fuzzy:
            return []
        key = query.key()
        scored = self._read.mistyped(key, self._live) + self._edited.mistyped(key, live=-1)  # all
        return sorted(scored, key=lambda pair: -pair[0])[:limit]

    def count(self, word: str) -> int:
        """Count the entries that hold a folded word, about; what was edited since may be counted twice."""
        return self._read.count(word) + self._edited.count(word)

    def find(self, key: str) -> EntryNode | None:
        """Find the first entry with exactly this key, or else with this alias; None if there is none."""
        with_key = self.entries.by_key(key)
        if with_key:
            return self.entries.node(with_key[0])
        in_any_case = [*self._read.of_key(key, self._live), *self._edited.of_key(key)]
        return next((node for node in in_any_case if key in self.shown(node).aliases), None)

    def shown(self, node: EntryNode) -> Shown:
        """Return what a list shows of one of the entries; remembered, as the next keystroke asks again."""
        if node not in self._shown:
            if len(self._shown) >= _MOST_SHOWN:
                self._shown.clear()
            self._shown[node] = item_detail.shown_entry(node, self.strings)
        return self._shown[node]


class Libraries:
    """The newest library of each bibliography.  The only state of completion that outlives a request.

    Large ones that are read anew are taken from a cache if there is one, and put there.
    """

    def __init__(self, cache: ParseCache | None = None) -> None:
        self._newest: dict[str, Library] = {}
        self._shelf = Shelf[str](_MOST_BYTES, _MOST_LIBRARIES)
        self._cache = cache

    def library_of(self, path: str, entries: Entries, strings: Mapping[str, str]) -> Library:
        """Return the library of the bibliography at `path` as it is now: the newest, updated or built if need be."""
        old = self._newest.get(path)
        return self._keep(path, update(old, entries, strings) if old else self.read(entries, strings))

    def offer(self, path: str, library: Library) -> None:
        """Take one that was read elsewhere, perhaps some edits ago, unless there is one."""
        if path not in self._newest:
            self._keep(path, library)

    def _keep(self, path: str, library: Library) -> Library:
        """Take this for the newest library of a bibliography; those not used for longest go if all take too much."""
        self._newest[path] = library
        for dropped in self._shelf.note(path, _BYTES_PER_ENTRY * len(library)):
            del self._newest[dropped]
        return library

    def read(self, entries: Entries, strings: Mapping[str, str]) -> Library:
        """Return the library, by which entries are searched, of a bibliography: from the cache, or built and put there.

        Only for large .bib files, whose entries are cached, too, the cache has a library, by its text and the @string
        macros.  May be called in any thread.
        """
        # `text_name` is "" if what is read of the text is not to be cached, as after an edit.
        if self._cache is None or not isinstance(entries, BibEntries) or not entries.text_name:
            return build(entries, strings)
        content = json.dumps([entries.text_name, *sorted(strings.items())])
        name = parse_cache.name_of("library", content.encode())
        cached = self._cache.get(name)
        if cached:
            nodes = _nodes(entries)
            restored = segment_columns.restore(nodes, cached)  # None if that is of more or fewer entries
            if restored:
                return _with_all(entries, strings, nodes, restored)
        library = build(entries, strings)
        self._cache.put(name, segment_columns.columns(library._read))
        return library


def build(entries: Entries, strings: Mapping[str, str]) -> Library:
    """Read all entries: about 10 µs of CPU each."""
    nodes = _nodes(entries)
    with _uncollected():
        read = ranked_search.build(nodes, strings, lambda key: _parent(entries, key))
    return _with_all(entries, strings, nodes, read)


def _with_all(entries: Entries, strings: Mapping[str, str], nodes: Sequence[EntryNode], read: Segment) -> Library:
    count = len(nodes)
    return Library(entries, strings, nodes, array("q", range(count)), read, (1 << count) - 1, _nothing())


def update(old: Library, entries: Entries, strings: Mapping[str, str]) -> Library:
    """Return the library, by which entries are searched, after an edit; only entries that are new objects are read.

    It is as if built anew, but that a child entry that did not change itself keeps what it had from the parent that its
    crossref names.  `old`: the library before it; `strings`: the @string macros.
    """
    if entries is old.entries and _same(strings, old.strings):
        return old
    nodes = _nodes(entries)
    # Unchanged entries are the same objects, so what an edit touched lies between two runs of them.
    same_before = _count_same(old.nodes, nodes)
    shorter = min(len(old.nodes), len(nodes))
    same_behind = min(_count_same(old.nodes[::-1], nodes[::-1]), shorter - same_before)
    window = slice(same_before, len(old.nodes) - same_behind)
    added = len(nodes) - same_behind - same_before
    # The small segment, of all edited entries, is built anew at each edit; with too many of them all is built anew.
    if not _same(strings, old.strings) or len(old._edited.nodes) + added > _MOST_EDITED:
        return build(entries, strings)
    return _edited(old, entries, nodes, window, added)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Suspend cyclic garbage collection, which otherwise walks over the growing lists again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _edited(old: Library, entries: Entries, nodes: Sequence[EntryNode], window: slice, added: int) -> Library:
    """Return the old library with its entries in `window` replaced by so many `added` ones at the same place.

    `entries` and `nodes` are all that are there now.  A library has two search indexes.  The large segment, `_read`,
    stays: its entries that are gone are only taken out of `live`, the set of those that count, in which bit i stands
    for entry i.  The small one, `_edited`, is built anew.  `places` says of each entry where it is: 0, 1, … is its
    place in the large segment, -1, -2, … that in the small one.
    """
    live = old._live
    for place in old._places[window]:
        if place >= 0:  # in the large segment
            live &= ~(1 << place)
    places = old._places[:]
    places[window] = array("q", [-1] * added)
    shift = added - (window.stop - window.start)
    before = [index for index in old._fresh if index < window.start]
    new = range(window.start, window.start + added)
    behind = [index + shift for index in old._fresh if index >= window.stop]
    fresh = [*before, *new, *behind]  # the entries of the small segment, by their index among all
    for place, index in enumerate(fresh):
        places[index] = -1 - place
    fresh_segment = ranked_search.build(
        [nodes[index] for index in fresh], old.strings, lambda key: _parent(entries, key)
    )
    return Library(
        entries,
        old.strings,
        nodes,
        _places=places,
        _read=old._read,
        _live=live,
        _edited=fresh_segment,
        _fresh=fresh,
        _shown=old._shown,
    )


def _same(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """True if two maps of macros are equal; chained ones are compared map by map, at no cost for the same objects."""
    return one is other or _maps(one) == _maps(other)


def _maps(strings: Mapping[str, str]) -> list[Mapping[str, str]]:
    return list(strings.maps) if isinstance(strings, ChainMap) else [strings]


def _nothing() -> Segment:
    return ranked_search.build((), {}, lambda _: None)


def _nodes(entries: Entries) -> list[EntryNode]:
    if isinstance(entries, Iterable):
        return list(entries)
    return list(map(entries.node, range(len(entries))))


def _parent(entries: Entries, key: str) -> EntryNode | None:
    return next((entries.node(index) for index in entries.by_key(key)), None)


def _count_same(one: Sequence[EntryNode], other: Sequence[EntryNode]) -> int:
    """Count the nodes at the beginning that are the same objects."""
    differing = compress(count(), map(is_not, one, other))  # places, found without a loop of Python
    return next(differing, min(len(one), len(other)))
