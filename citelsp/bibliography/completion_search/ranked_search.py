"""Entries that match what was typed, the best first: a fixed run of entries with its words, a segment."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial, reduce
from operator import and_, or_

from citelsp.bibliography import similar_keys
from citelsp.bibliography.completion_search import folded_words
from citelsp.bibliography.completion_search.postings import (
    Postings,
    add,
    best,
    bits,
    gather,
    gather_pairs,
    members,
    scores,
)
from citelsp.syntax.nodes import EntryNode

_ENOUGH_EXACT = 5  # fewer exact answers than these: misspellings and parts of words are tried
_MOST_CACHED = 256  # sets of entries
_MOST_CONTEXT_WORDS = 12  # of the sentence, three points each at most
_CONTEXT_DIGITS = 5  # binary ones of a sum of points
_SHORTEST_WITH_TYPO = 4  # letters of a word in which errors are looked for
_YEAR_ZERO = 1900
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_LETTERS_OR_DIGITS = re.compile(r"[^\W\d_]+|\d+")
_IGNORED = frozenset({"and", "et", "al"})  # between names as they are spoken

_Lists = defaultdict[str, list[Sequence[int]]]
_Question = tuple[str, str | range]


@dataclass(frozen=True, slots=True)
class LibraryQuery:
    """What is searched for: words as typed, and what breaks ties."""

    typed: str = ""
    sentence: tuple[str, ...] = ()  # folded words around the cursor
    cited: frozenset[str] = frozenset()  # keys already cited nearby
    fuzzy: bool = True

    def key(self) -> str:
        """Return the beginning of a key that was typed; "" if there are several words or none."""
        typed = self.typed.strip().lower()
        return "" if len(typed.split()) != 1 else typed

    def words(self) -> list[str]:
        """Return the words that were typed, each once; words that join names count only if there are no others."""
        all_words = list(dict.fromkeys(folded_words.words(self.typed)))
        return [word for word in all_words if word not in _IGNORED] or all_words


@dataclass(frozen=True)
class Segment:
    """Entries with their words.  Sets of entries are integers: bit i is `nodes[i]`."""

    nodes: Sequence[EntryNode]
    families: Postings  # of first authors
    named: Postings  # people, titles, years
    other: Postings  # venues, parts of keys
    keys: Postings  # whole keys and aliases, in lower case
    years: bytes  # since 1900
    _cache: dict[_Question, int] = field(default_factory=dict, repr=False)

    def search(self, query: LibraryQuery, live: int, limit: int) -> list[tuple[int, EntryNode]]:
        """Find at most `limit` of the live entries that match, best first, with a score that compares across segments.

        `live` is the set of the entries that still stand in the file.  The best are those in the first set of `planes`,
        among these those in the second, and so on; at last the newest.
        """
        words = query.words()
        tiers = self._tiers(words, query) if words or query.key() else [live]  # nothing typed: all match
        candidates = reduce(or_, tiers) & live
        cited = self._of_keys(query.cited)
        # How well an entry matches counts first, then in which fields, then whether it is cited nearby, then how many
        # words it shares with the sentence.
        planes = [*tiers, *self._matched(words), cited, *self._related(query.sentence)]
        chosen = members(best(candidates, [*planes, *self._years], limit))
        ranked: list[tuple[int, int]] = []
        for score, index in zip(scores(chosen, planes, len(self.nodes)), chosen, strict=True):
            score_with_year = score << 8 | self.years[index]  # a year takes eight bits
            ranked.append((-score_with_year, index))
        ranked.sort()  # the highest score first, and entries of one score in the order of the file
        return [(-negative_score, self.nodes[index]) for negative_score, index in ranked]

    def mistyped(self, key: str, live: int) -> list[tuple[float, EntryNode]]:
        """Return the live entries whose keys begin like this one, the likest first and with the highest score."""
        near = [(-unlike, self.keys.ids[place]) for unlike, place in similar_keys.begun_like(key, self.keys.words)]
        return [(score, self.nodes[index]) for score, index in near if live >> index & 1]

    def count(self, word: str) -> int:
        """Count the entries that hold a folded word; one that holds it in two ways counts twice."""
        return len(self.named.exactly(word)) + len(self.other.exactly(word))

    def of_key(self, key: str, live: int = -1) -> list[EntryNode]:
        """Return the live entries with this key or alias in whatever case; by default all are live."""
        indices = self.keys.entries_of(self.keys.exactly(key.lower()))
        return [self.nodes[index] for index in indices if live >> index & 1]

    def _tiers(self, words: Sequence[str], query: LibraryQuery) -> list[int]:
        """Return sets of entries in the order of how well these match; an entry in none of them does not match.

        They match by the whole key, by the key's beginning, by every word; if these are few, and the query is `fuzzy`,
        also by misspelt words and parts of words.
        """
        key = query.key()
        exact = self._of_keys([key]) if key else 0
        beginning = self._set("keys", key) if key else 0
        matches = self._matches(words)
        with_every_word = _all(matches)
        # Errors are looked for last: with exact answers at hand those near by would only push them down.
        are_few = (beginning | with_every_word).bit_count() < _ENOUGH_EXACT
        close = self._close(words, matches) if are_few and query.fuzzy and words else [0, 0]
        return [exact, beginning, with_every_word, *close]

    def _matches(self, words: Sequence[str]) -> list[int]:
        """Return for each word the entries that have it; a single letter is first of all the beginning of a name."""
        is_single_letter = len(words) == 1 and len(words[0]) == 1
        by_family = self._set("families", words[0]) if is_single_letter else 0
        if by_family:
            return [by_family]
        return [self._set("named", word) | self._set("other", word) for word in words]

    def _matched(self, words: Sequence[str]) -> list[int]:
        """Return three sets of entries, by which those that match are ranked.

        They have every word of two letters or more in people, title or year, or its beginning; every word there,
        complete; the beginning of the first author's family name.
        """
        named = _all([self._set("named", word) for word in words if len(word) > 1])
        whole = _all([self._set("named", word, whole=True) for word in words])
        return [named, whole, reduce(or_, (self._set("families", word) for word in words), 0)]

    def _close(self, words: Sequence[str], matches: Sequence[int]) -> list[int]:
        """Return two sets: entries with every word, perhaps misspelt or within a longer one; entries with most words.

        `matches` are the sets of entries with each word as it is typed.  At most one of the two sets has entries.
        """
        near = list(matches)
        for index, word in enumerate(words):
            near[index] = near[index] or self._cached(("misspelt", word), partial(self._misspelt, word))
        if not _all(near):
            for index, word in enumerate(words):
                near[index] = near[index] or self._cached(("inside", word), partial(self._with_part, word))
        every = _all(near)
        if every or len(words) == 1:
            return [every, 0]
        counts = [0] * len(words).bit_length()  # how many words each entry has: a set for each binary digit
        for entries in near:
            add(counts, entries)
        two_thirds = -(-2 * len(words) // 3)  # rounded up
        return [0, _at_least(counts, max(1, two_thirds))]

    def _misspelt(self, word: str) -> int:
        """Return the entries that have the word, or one that begins so, with one typing error in name, title or year.

        None match a word that is too short.  A word of letters and digits, as `smith2020`, is two in the index: entries
        are returned that have all its parts, without errors, in any field.
        """
        parts = _LETTERS_OR_DIGITS.findall(word)
        if len(parts) > 1:
            return _all([self._set("named", part) | self._set("other", part) for part in parts])
        if len(word) < _SHORTEST_WITH_TYPO:
            return 0
        ids: set[int] = set()
        for variant in _variants(word):
            ids.update(self.named.entries_of(self.named.beginning(variant)))
        return bits(list(ids), len(self.nodes))

    def _with_part(self, word: str) -> int:
        """Return the entries in which the word is a part of another one."""
        if len(word) < _SHORTEST_WITH_TYPO:
            return 0
        ids: list[int] = []
        for postings in (self.named, self.other, self.keys):
            for entries in postings.containing(word):
                ids += entries
        return bits(ids, len(self.nodes))

    def _related(self, sentence: Sequence[str]) -> list[int]:
        """Count how much of the sentence each entry shares; rare words give more points.

        The points come as sets of entries, one for each binary digit of their number, the highest first: with 5 points
        an entry is in the third set from the end and in the last one.
        """
        size = len(self.nodes)
        counted = [(len(self.named.exactly(word)), word) for word in set(sentence)]
        rarest_first = sorted((count, word) for count, word in counted if count)
        digits = [0] * _CONTEXT_DIGITS
        for count, word in rarest_first[:_MOST_CONTEXT_WORDS]:
            # A word that every fourth entry holds says nothing of which one is meant, nor do the words behind it, which
            # are more frequent; of 40 entries or fewer, every word counts.
            if count * 4 > size > 40:
                break
            entries = self._set("named", word, whole=True)
            # Up to three points: rare words tell more, as in any ranking by inverse frequency, but in whole bits.
            points = 1
            if count * 50 < size:
                points += 1
            if count * 500 < size:
                points += 1
            for _ in range(points):
                add(digits, entries)
        return digits[::-1]

    @cached_property
    def _years(self) -> list[int]:
        """The years since 1900 as sets of entries, one for each of eight binary digits, the highest first."""
        if not self.nodes:
            return []
        sets: list[int] = []
        for place in range(7, -1, -1):
            # For each byte that a year may be the sign 1 or 0, so that all years become one number written in binary.
            digit = bytes(ord("1") if year >> place & 1 else ord("0") for year in range(256))
            sets.append(int(self.years.translate(digit)[::-1] or b"0", 2))
        return sets

    def _of_keys(self, keys: Iterable[str]) -> int:
        """Return the entries with one of these keys or aliases, in whatever case."""
        indices: list[int] = []
        for key in keys:
            indices += self.keys.entries_of(self.keys.exactly(key.lower()))
        return bits(indices, len(self.nodes))

    def _set(self, column: str, word: str, whole: bool = False) -> int:
        """Return the entries that have the word, or if not `whole` one that begins so, in the Postings named `column`.

        Kept for the next keystroke: after it there are often the same words that begin so.
        """
        postings: Postings = getattr(self, column)
        places = postings.exactly(word) if whole else postings.beginning(word)
        if not places:
            return 0
        return self._cached((column, places), lambda: bits(postings.entries_of(places), len(self.nodes)))

    def _cached(self, question: _Question, answer: Callable[[], int]) -> int:
        """Return the answer to a question, asked for only if it is not cached; if too many are, all are forgotten."""
        if question not in self._cache:
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            self._cache[question] = answer()
        return self._cache[question]


def build(nodes: Sequence[EntryNode], strings: Mapping[str, str], parent: Callable[[str], EntryNode | None]) -> Segment:
    """Build the segment of these entries, an index to search them: for each word the entries that have it, as indices.

    `named` has the words of people, titles and years, `other` those of venues and keys, `families` those of the first
    authors' family names.  `strings` are the @string macros; `parent` finds the entry that crossref or xdata names by
    its key.
    """
    values = folded_words.read(nodes, strings, parent)
    named = _Lists(list)
    families = _Lists(list)
    other = _Lists(list)
    _list_by_words(values.names, named)
    _list_by_words(values.years, named)
    _list_by_words(values.venues, other)
    for name, places in values.first.items():
        for word in folded_words.words(folded_words.family(name)):
            families[word].append(places)
    _list_rows_by_words(folded_words.fold_texts(values.titles), named)
    _list_rows_by_words(folded_words.key_words([node.key for node in nodes]), other)
    keys = [node.key.lower() for node in nodes]
    places_of_keys = list(range(len(nodes)))
    for alias, place in values.aliases:
        keys.append(alias.lower())
        places_of_keys.append(place)
    return Segment(
        nodes,
        families=gather(families),
        named=gather(named),
        other=gather(other),
        keys=gather_pairs(keys, places_of_keys),
        years=_pack_years(values.years, len(nodes)),
    )


def _pack_years(years: Mapping[str, Sequence[int]], size: int) -> bytes:
    """Return a byte for each of `size` entries: its year counted from _YEAR_ZERO, 0 for an earlier one or none.

    One later than 2155 counts as that, as a byte holds no more.
    `years` are the dates as they are written, each with the entries that have it, as indices.
    """
    packed = bytearray(size)
    for value, places in years.items():
        year = max(0, min(255, folded_words.year(value) - _YEAR_ZERO))
        for place in places:
            packed[place] = year
    return bytes(packed)


def _list_by_words(values: Mapping[str, Sequence[int]], lists: _Lists) -> None:
    """Add to `lists` the entries of each value under each of its words."""
    for row, ids in zip(folded_words.fold_texts(list(values)), values.values(), strict=True):
        for word in row.split():
            lists[word].append(ids)


def _list_rows_by_words(rows: Iterable[str], lists: _Lists) -> None:
    """Add to `lists` the entry of each row under each of its words; the rows are those of the entries, one each."""
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        for word in row.split():
            by_word[word].append(index)
    for word, ids in by_word.items():
        lists[word].append(ids)


def _all(sets: Sequence[int]) -> int:
    return reduce(and_, sets) if sets else 0


def _at_least(counts: Sequence[int], least: int) -> int:
    """Return the entries counted `least` times or more; `counts` has a set for each binary digit, lowest first."""
    more = 0
    equal = -1
    for place in range(len(counts) - 1, -1, -1):
        if least >> place & 1:
            equal &= counts[place]
        else:
            more |= equal & counts[place]
    return more | equal


def _variants(word: str) -> Iterator[str]:
    """Yield all words one typing error away: a letter missing, added or changed, or two neighbours swapped.

    Letters are those of the index, `a` to `z` and digits; some words come twice.
    """
    for index in range(len(word) + 1):
        head = word[:index]
        tail = word[index:]
        for letter in _LETTERS:
            yield head + letter + tail
        if not tail:
            continue
        yield head + tail[1:]
        for letter in _LETTERS:
            if letter != tail[0]:
                yield head + letter + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
