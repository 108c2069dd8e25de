r"""BibTeX and biblatex files: entries with exact spans, fields read when asked, edits that touch only their entries.

Follows BibTeX's own reading: everything between entries is comment, braces count even after a backslash.  As in biber,
`%` lines between entries and @comment hold no entry, and comments between fields no brace; the entries that BibTeX
finds there all the same are `commented`.  An entry that is never closed ends before the next line that starts one, so
that the entries after it survive.  Reading never fails and takes time proportional to the text.
"""

import string
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import compress, count
from typing import Any, TypeVar

from citelsp.base import bounds, effort
from citelsp.base.text import Document, Span
from citelsp.syntax.bibtex.blocks import IGNORE, BibNode, Reader, Track
from citelsp.syntax.nodes import Suppression, Syntax

T = TypeVar("T")
Fact = Callable[[BibNode], T]  # of one entry

_UNASKED = object()  # stands for the value of a fact that an entry was not asked yet
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def fold_key(key: str) -> str:
    """The key with the letters A to Z made small: keys that this makes equal are one key to BibTeX."""
    return key.lower() if key.isascii() else key.translate(_SMALL)


class Keys:
    """Which entries have which key, or with `fold` which folded key."""

    def __init__(self, nodes: Sequence[BibNode], *, fold: bool = False) -> None:
        self._nodes = nodes
        self._fold = fold

    def find(self, key: str) -> Sequence[int]:
        """Indices of the entries with this key, in order."""
        key = fold_key(key) if self._fold else key
        first = self.first.get(key)
        if first is None:
            return ()
        return self.repeated.get(key) or (first,)

    @cached_property
    def first(self) -> dict[str, int]:
        """Key → index of its first entry."""
        keys = self._written(0, None)
        return {keys[index]: index for index in range(len(keys) - 1, -1, -1)}

    @cached_property
    def repeated(self) -> dict[str, tuple[int, ...]]:
        """Key → indices of its entries, for the keys of more than one entry."""
        if len(self.first) == len(self._nodes):
            return {}
        indices_by_key: dict[str, list[int]] = {}
        for index, key in enumerate(self._written(0, None)):
            indices_by_key.setdefault(key, []).append(index)
        return {key: tuple(indices) for key, indices in indices_by_key.items() if len(indices) > 1}

    def adopt(self, old: "Keys", low: int, high: int) -> None:
        """Take over from `old` which entry is the first of each key; only entries from `low` to before `high` differ.

        Nothing is taken over if `old` was never asked, if the number of entries changed, or if a key stood twice, as
        `first` does not tell which entry is the next with a key: then it is computed anew when it is asked for.
        """
        old_first: dict[str, int] | None = old.__dict__.get("first")  # if it was computed
        if old_first is None:
            return
        no_key_twice = len(old_first) == len(old._nodes)
        if not no_key_twice or len(self._nodes) != len(old._nodes):
            return
        old_keys = old._written(low, high)
        new_keys = self._written(low, high)
        first = old_first
        if old_keys != new_keys:
            first = old_first.copy()
            for key in old_keys:
                del first[key]
            for index, key in enumerate(new_keys, start=low):
                first[key] = min(index, first.get(key, index))  # another entry may have had the new key before
        self.__dict__["first"] = first  # where a cached property stores its value

    def _written(self, low: int, high: int | None) -> list[str]:
        """The keys, folded if need be, of the entries from `low` to `high`; without `high` to the last."""
        keys = [node.key for node in self._nodes[low:high]]
        if not self._fold or not keys:
            return keys
        # One lower() of all keys at once costs a fraction of one for each.  No key has a line break in it.
        joined = "\n".join(keys)
        return joined.lower().split("\n") if joined.isascii() else [fold_key(key) for key in keys]


@dataclass(frozen=True, slots=True)
class Shared:
    """Entries by the values that a fact gives of them."""

    first: dict[int, BibNode] = field(default_factory=dict)
    several: dict[int, tuple[BibNode, ...]] = field(default_factory=dict)  # values of more than one entry

    def changed(
        self,
        fact: Fact[Iterable[int]],
        gone: Sequence[BibNode],
        new: Iterable[BibNode],
        place: Callable[[BibNode], int] | None = None,
    ) -> "Shared":
        """Return which entries share a value once those in `gone` are away and those in `new` are there.

        `fact` is a function that gives the values of an entry, such as hashes of its title.  `first` has the first
        entry for each value, `several` all entries for a value of more than one, in order: that of `place` in the file,
        without which the new ones come behind the others.  This object stays as it is.
        """
        after = Shared(self.first.copy(), self.several.copy())
        after._remove(fact, gone)
        after._add(fact, new, place)
        return after

    def _remove(self, fact: Fact[Iterable[int]], gone: Sequence[BibNode]) -> None:
        """Take these entries out of a copy; each of them is in it with all its values."""
        # Value by value, not node by node: of thousands of copies of one entry all would be copied for each of them.
        losing: dict[int, dict[BibNode, None]] = {}  # by value, the entries that no longer have it
        for node in gone:
            for value in fact(node):
                losing.setdefault(value, {})[node] = None
        for value, nodes in losing.items():
            remaining = tuple(node for node in self.several.pop(value, (self.first[value],)) if node not in nodes)
            if remaining:
                self.first[value] = remaining[0]
            else:
                del self.first[value]
            if len(remaining) > 1:
                self.several[value] = remaining

    def _add(self, fact: Fact[Iterable[int]], new: Iterable[BibNode], place: Callable[[BibNode], int] | None) -> None:
        """Put these entries into a copy, in the order of `place`, or if that is None behind the others."""
        gaining: dict[int, dict[BibNode, None]] = {}  # by value, the entries that have it besides another
        for node in new:
            for value in fact(node):
                if self.first.setdefault(value, node) is not node:
                    gaining.setdefault(value, {})[node] = None
        for value, nodes in gaining.items():
            sharing = (*self.several.get(value, (self.first[value],)), *nodes)
            self.several[value] = tuple(sorted(sharing, key=place)) if place else sharing
            self.first[value] = self.several[value][0]

    def pair_first_with(self, other: "Shared") -> Iterator[tuple[BibNode, BibNode]]:
        """For each value that both files have, the first entry here that has it and the first there, in no order."""
        small, large = (self, other) if len(self.first) <= len(other.first) else (other, self)
        for value in small.first.keys() & large.first.keys():
            yield self.first[value], other.first[value]


class BibEntries:
    """The entries of a .bib file; implements nodes.Entries."""

    def __init__(self, entries: Track, specials: Track, commented: Track, strays: Track, *, cut: bool = False) -> None:
        """Make the entries of a file of its blocks, by kind; a track is blocks in their order with their places.

        `specials` are @string, @preamble, @comment and suppression comments.  A fact is a pure function of one entry;
        its answers are stored here.
        """
        self.cut = cut  # more follow, which a bound left unread
        self.track = entries
        self.specials = specials
        self.commented = commented  # entries in comments, which BibTeX reads
        self.strays = strays  # each @ that begins no block; in comments too
        self.keys = Keys(entries.nodes)
        self.folded_keys = Keys(entries.nodes, fold=True)
        self._facts: dict[Fact[Any], list[Any]] = {}
        self._asked_of_all: dict[Fact[Any], list[int]] = {}  # indices of the entries of which it says something
        self._shared: dict[Fact[Iterable[int]], Shared] = {}
        self.text_name = ""  # under which what is read of the whole text may be cached; edits leave none
        self.similar: dict[
            str, list[str]
        ] = {}  # by an undefined key those of entries like it; kept until a key changes

    @property
    def tracks(self) -> tuple[Track, Track, Track, Track]:
        return self.track, self.specials, self.commented, self.strays

    def __len__(self) -> int:
        return len(self.track.nodes)

    def __iter__(self) -> Iterator[BibNode]:
        return iter(self.track.nodes)

    def node(self, index: int) -> BibNode:
        return self.track.nodes[index]

    def start(self, index: int) -> int:
        return self.track.starts[index]

    def is_crowded(self, length: int) -> bool:
        """True if these are more blocks than are read of a text of this length.

        If more follow unread, the text counts only up to the last that was read.
        """
        if self.cut:
            length = max((track.end(len(track.starts) - 1) for track in self.tracks if track.starts), default=0)
        return bounds.are_crowded(sum(len(track.starts) for track in self.tracks), length)

    @cached_property
    def first_unclosed(self) -> int | None:
        """Where the first block starts that is never closed, an entry or another such as @string; None if all are."""
        starts = []
        for track in (self.track, self.specials):
            unclosed = (index for index in track.watched if track.nodes[index].kind != IGNORE)
            starts += [track.starts[index] for index in unclosed]
        return min(starts, default=None)

    def by_key(self, key: str) -> Sequence[int]:
        return self.keys.find(key)

    def by_folded_key(self, key: str) -> Sequence[int]:
        """Indices of the entries whose keys are this one to BibTeX, which takes no heed of letter case."""
        return self.folded_keys.find(key)

    def entry_at(self, offset: int) -> int | None:
        index = bisect_right(self.track.starts, offset) - 1
        return index if index >= 0 and offset <= self.track.end(index) else None

    def values_of(self, fact: Fact[T], among: Collection[int] | None = None) -> list[tuple[int, T]]:
        """Return index and value of each entry of which `fact` says something; of those in `among` only, if given.

        A fact is a pure function of one entry, at the top of its module: it is asked once an entry, its answers stay.
        A false value, such as "" or an empty tuple, says nothing.  Entries come in the order of `among`, or if these
        are all, in that of the file.
        """
        values = self._answers_of(fact)
        if among is not None and len(among) < len(self):
            return [(index, value) for index in effort.iterate(among) if (value := self._ask(fact, values, index))]
        saying = self._asked_of_all.get(fact)
        if saying is None:
            for index in effort.iterate(range(len(self))):
                self._ask(fact, values, index)
            saying = self._asked_of_all[fact] = list(compress(count(), values))
        return [(index, values[index]) for index in saying]

    def value(self, fact: Fact[T], index: int) -> T | None:
        """Return what `fact` says of one entry; None if nothing."""
        return self._ask(fact, self._answers_of(fact), index)

    def each_value(self, fact: Fact[T], among: Collection[int]) -> Iterator[tuple[int, T]]:
        """Yield what `values_of` returns, but ask an entry only when the caller gets to it, who may stop early."""
        if fact in self._asked_of_all:
            yield from self.values_of(fact, among)
            return
        values = self._answers_of(fact)
        for index in effort.iterate(among):
            value = self._ask(fact, values, index)
            if value:
                yield index, value
        if len(among) == len(self):
            self.values_of(fact)  # all were asked, so the next time it is at hand

    def known(self, fact: Fact[T]) -> bool:
        """True if all entries were asked."""
        return fact in self._asked_of_all

    def presume(self, fact: Fact[T]) -> None:
        """Take it as known from elsewhere that the fact says nothing of any entry."""
        self._facts[fact] = [None] * len(self)
        self._asked_of_all[fact] = []

    def shared(self, fact: Fact[Iterable[int]], among: Collection[int] | None = None) -> Shared:
        """Find which entries have values in common, of all or of those with the indices `among`; kept across edits."""
        if among is not None and len(among) < len(self):
            some_values = {self.node(index): value for index, value in self.values_of(fact, among)}
            return Shared().changed(some_values.__getitem__, gone=(), new=some_values)
        shared = self._shared.get(fact)
        if shared is None:
            values = {self.track.nodes[index]: value for index, value in self.values_of(fact)}
            shared = self._shared[fact] = Shared().changed(values.__getitem__, gone=(), new=values)
        return shared

    def _answers_of(self, fact: Fact[Any]) -> list[Any]:
        """Return what `fact` has answered so far, by the entries' indices; _UNASKED for each that was not asked."""
        answers = self._facts.get(fact)
        if answers is None:
            answers = self._facts.setdefault(fact, [_UNASKED] * len(self))
        return answers

    def _ask(self, fact: Fact[T], values: list[Any], index: int) -> T | None:
        """Return what `fact` says of one entry; it is asked only if `values`, its answers so far, do not have it."""
        if values[index] is _UNASKED:
            values[index] = fact(self.track.nodes[index]) or None
        value: T | None = values[index]
        return value

    def adopt_facts(self, old: "BibEntries", low: int, high: int) -> None:
        """Take over what is known of `old`, whose entries from `low` to before `high` were replaced.

        `high` counts in `old`, which may have had more or fewer entries.
        """
        self._adopt_answers(old, low, high)
        gone = old.track.nodes[low:high]
        new = self.track.nodes[low : high + len(self) - len(old)]
        # Needed only if a new entry shares a value with another one, which is seldom.
        indices = cache(lambda: {node: index for index, node in enumerate(self.track.nodes)})
        for grouping, shared in list(old._shared.items()):
            self._shared[grouping] = shared.changed(grouping, gone, new, place=lambda node: indices()[node])

    def _adopt_answers(self, old: "BibEntries", low: int, high: int) -> None:
        """Take over what facts say of single entries, as `adopt_facts` does."""
        shift = len(self) - len(old)
        new = self.track.nodes[low : high + shift]
        # A copy, as the thread of a check may ask the old entries for a further fact meanwhile.
        for fact, old_values in list(old._facts.items()):
            saying = old._asked_of_all.get(fact)
            # A fact that all entries were asked is asked of the new ones at once, so that `saying`, the entries of
            # which it says something, stays complete.  What says nothing, such as "", is stored as None.
            new_values = [_UNASKED if saying is None else fact(node) or None for node in new]
            self._facts[fact] = old_values[:low] + new_values + old_values[high:]
            if saying is None:
                continue
            before = saying[: bisect_left(saying, low)]
            after = saying[bisect_left(saying, high) :]
            between = [low + index for index, value in enumerate(new_values) if value]
            # Most edits leave the number of entries as it is; then no index has to be counted anew.
            shifted = [index + shift for index in after] if shift else after
            self._asked_of_all[fact] = before + between + shifted

    def adopt_keys(self, old: "BibEntries", low: int, high: int) -> None:
        """Take over what is known of the keys of `old`, from which this differs in its entries `low` to `high`."""
        self.keys.adopt(old.keys, low, high)
        self.folded_keys.adopt(old.folded_keys, low, high)
        # One more key may be the nearest to any other, so similar keys survive only an edit that leaves all keys alone.
        if len(self) == len(old):
            gone = [node.key for node in old.track.nodes[low:high]]
            new = [node.key for node in self.track.nodes[low:high]]
            if gone == new:
                self.similar = old.similar


def parse(document: Document) -> Syntax:
    """Read a .bib file; one that takes too long as far as it was read in time."""
    reader = Reader(document.text, 0)
    try:
        reader.read()
    except effort.TooLongError:
        reader.cut = True
    return syntax_of(document.text, BibEntries(*reader.tracks, cut=reader.cut))


def reparse(old: Syntax, document: Document, span: Span, new_text: str) -> Syntax:
    """Return what `parse(document)` gives, where `document` is the old one with `span` replaced by `new_text`.

    Entries that the edit does not touch are the same objects as before.  What a bound left unread stays unread while
    that bound holds.  TooLongError if it takes too long.
    """
    before = old.entries
    if not isinstance(before, BibEntries):  # `old` does not come from `parse`
        return parse(document)
    shift = len(new_text) - (span.end - span.start)
    # Reading begins and stops at these; entries in comments and stray signs are read with what is around them.
    blocks = before.track, before.specials
    start = _restart(blocks, span.start)  # of the first block that the edit may alter
    # In each track the blocks from its `low` to before its `high` are replaced by those that are read now.
    lows = [bisect_left(track.starts, start) for track in before.tracks]
    is_behind_all = all(low == len(track.starts) for low, track in zip(lows, before.tracks, strict=True))
    if before.cut and is_behind_all:  # the edit is in what a bound left unread
        return syntax_of(document.text, before, old.strings)

    # Behind the edit both texts read alike from the beginning of any old block on: there the new reading can stop.
    def resumes(offset: int) -> bool:
        old_offset = offset - shift
        return old_offset >= span.end and any(_stands_at(track.starts, old_offset) for track in blocks)

    reader = Reader(document.text, start)
    resumed = reader.read(resumes)
    # This reading met the bound, or went on into what it had left unread: only reading anew shows what it leaves now.
    if reader.cut or (before.cut and not resumed):
        return parse(document)
    if resumed:
        highs = [bisect_left(track.starts, reader.stopped - shift) for track in before.tracks]
    else:
        highs = [len(track.starts) for track in before.tracks]
    after = _replace_blocks(before, lows, highs, reader, shift)
    # The edit passed the bound, or came below it again.
    if after.is_crowded(len(document.text)) != before.is_crowded(len(document.text) - shift):
        return parse(document)
    low, low_special, *_ = lows
    high, high_special, *_ = highs
    after.adopt_keys(before, low, high)
    after.adopt_facts(before, low, high)
    # @string values are gathered from the whole file, which few keystrokes change.
    _, new_specials, *_ = reader.tracks
    specials_stand = low_special == high_special and not new_specials.nodes
    return syntax_of(document.text, after, old.strings if specials_stand else None)


def _replace_blocks(
    before: BibEntries, lows: Sequence[int], highs: Sequence[int], reader: Reader, shift: int
) -> BibEntries:
    """Replace in each track the blocks from its `low` to before its `high` by those of `reader`; move later ones."""
    # Nodes that were just read refer to the new text: undetached, each keystroke would keep another copy of it alive.
    tracks = [
        track.spliced(low, high, new.detached(), shift)
        for track, low, high, new in zip(before.tracks, lows, highs, reader.tracks, strict=True)
    ]
    return BibEntries(*tracks, cut=before.cut)


def _restart(tracks: Sequence[Track], offset: int) -> int:
    """Return the offset from which to read again after a change at `offset`.

    That is the beginning of the first block that the change may alter, or else the end of the last one before it.
    """
    touched = [track.starts[index] for track in tracks if (index := track.first_touched(offset)) < len(track.starts)]
    start = min(touched, default=offset)
    if start < offset:
        return start
    ends = [track.end(index - 1) for track in tracks if (index := bisect_left(track.starts, offset)) > 0]
    return max(ends, default=0)


def _stands_at(starts: Sequence[int], offset: int) -> bool:
    index = bisect_left(starts, offset)
    return index < len(starts) and starts[index] == offset


def syntax_of(text: str, entries: BibEntries, strings: dict[str, str] | None = None) -> Syntax:
    """Make the Syntax of a text with these entries; `strings` are the values of its @string macros, if known."""
    if strings is None:
        strings = {}
        for node in entries.specials.nodes:
            if node.kind == "string":
                strings |= node.values()
    return Syntax(entries=entries, strings=strings, suppressions=tuple(_suppressions(text, entries)))


def _suppressions(text: str, entries: BibEntries) -> Iterator[Suppression]:
    """The comments that silence findings: `% citelsp: ignore[code, code]`."""
    specials = entries.specials
    for node, start in zip(specials.nodes, specials.starts, strict=True):
        if node.kind == IGNORE:
            codes = tuple(code.strip() for code in node.key.split(",") if code.strip())
            span = Span(start, start + node.length)
            yield Suppression(codes, span, _covered(text, entries.track, span))


def _covered(text: str, entries: Track, comment: Span) -> Span:
    """Return what a suppression comment silences: its own line; if it stands alone, the next line instead.

    If an entry begins on that next line, it is silenced too.
    """
    line_start = text.rfind("\n", 0, comment.start) + 1
    stands_alone = not text[line_start : comment.start].strip()
    if not stands_alone:
        return Span(line_start, comment.end)
    end = text.find("\n", comment.end + 1)
    end = len(text) if end < 0 else end
    # An entry is silenced whole, as most of what is found stands in its fields, not on its first line.
    index = bisect_left(entries.starts, comment.end)
    if index < len(entries.starts) and entries.starts[index] <= end:
        end = max(end, entries.end(index))
    return Span(min(comment.end + 1, len(text)), end)
