"""Words with the entries that hold them, in three flat sequences, and sets of entries as integers."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

_LAST = "\U0010ffff"
_FEW = 1000  # entries; of more, a set is made faster by a byte for each than by a bit
_MOST_WORDS = 200  # that hold a part
_DIGITS = bytes.maketrans(b"\x00\x01", b"01")
_NOT_EMPTY = re.compile(rb"[^\0]")  # a byte of a set that is not empty
_PLACES = tuple(tuple(place for place in range(8) if byte >> place & 1) for byte in range(256))
_DIGIT_AT = tuple(bytes(48 + (byte >> place & 1) for byte in range(256)) for place in range(8))  # ASCII 0 or 1


@dataclass(frozen=True)
class Postings:
    """`words` in order; the entries of `words[i]` are `ids[starts[i]:starts[i + 1]]`.  Both may repeat."""

    words: Sequence[str]
    starts: Sequence[int]
    ids: Sequence[int]

    def exactly(self, word: str) -> range:
        """Return where in `ids` the entries of a word are."""
        first = bisect_left(self.words, word)
        if first == len(self.words) or self.words[first] != word:
            return range(0)
        return range(self.starts[first], self.starts[bisect_right(self.words, word, first)])

    def beginning(self, prefix: str) -> range:
        """Return where in `ids` the entries of all words are that begin with `prefix`."""
        first = bisect_left(self.words, prefix)
        if first == len(self.words) or not self.words[first].startswith(prefix):
            return range(0)
        return range(self.starts[first], self.starts[bisect_left(self.words, prefix + _LAST, first)])

    def entries_of(self, places: range) -> Sequence[int]:
        return self.ids[places.start : places.stop]

    def containing(self, part: str) -> Iterator[Sequence[int]]:
        """Yield the entries of the first _MOST_WORDS words that hold `part` anywhere."""
        position = 0
        for _ in range(_MOST_WORDS):
            position = self._joined.find(part, position)
            if position < 0:
                return
            start = self._joined.rfind("\n", 0, position) + 1
            end = self._joined.find("\n", position)
            yield self.entries_of(self.exactly(self._joined[start:end]))
            position = end

    @cached_property
    def _joined(self) -> str:
        return "\n".join([*self.words, ""])


def gather(found: Mapping[str, Sequence[Sequence[int]]]) -> Postings:
    """Make postings of the lists of entries in which each word was found."""
    words = sorted(found)
    starts = [0]
    ids = list[int]()
    for word in words:
        for some in found[word]:
            ids += some
        starts.append(len(ids))
    return Postings(words, array("I", starts), array("I", ids))


def gather_pairs(words: Sequence[str], ids: Sequence[int]) -> Postings:
    """Make postings of words that seldom repeat, without a list for each: `words[i]` is in `ids[i]`."""
    order = sorted(range(len(words)), key=words.__getitem__)
    return Postings(
        [words[index] for index in order], range(len(words) + 1), array("I", [ids[index] for index in order])
    )


def bits(ids: Sequence[int], size: int) -> int:
    """Return a set of entries, of which there are `size` in all, as an integer in which bit i stands for entry i.

    `ids` are its entries in any order; one may be there twice.
    """
    # Through bytes it takes linear time; setting bits of a long integer one by one would copy it each time.  For few
    # entries it is faster to set a bit each, for many to set a byte each.
    if len(ids) <= _FEW:
        packed = bytearray(size // 8 + 1)
        for number in ids:
            packed[number >> 3] |= 1 << (number & 7)
        return int.from_bytes(packed, "little")
    # A byte for each entry, then read as one number written in binary, whose first digit is the last entry's.
    flags = bytearray(size)
    for number in ids:
        flags[number] = 1
    flags.reverse()
    return int(flags.translate(_DIGITS), 2)


def members(entries: int) -> list[int]:
    """List the entries of a set, ascending."""
    packed = _packed(entries, entries.bit_length())
    return [it.start() << 3 | place for it in _NOT_EMPTY.finditer(packed) for place in _PLACES[packed[it.start()]]]


def lowest(entries: int, count: int) -> int:
    """Return the set of the first `count` entries of a set, all if it has no more."""
    if entries.bit_count() <= count:
        return entries
    size = count
    while (low := entries & (1 << size) - 1).bit_count() < count:
        size *= 2
    return sum(1 << it for it in members(low)[:count])


def best(candidates: int, planes: Iterable[int], count: int) -> int:
    """Choose the `count` best candidates: who is in the first plane goes before all others, then the second decides, …

    Candidates, planes and the result are sets of entries, as integers in which bit i stands for entry i.  Of equal ones
    those with the lower number are chosen, which stand first in the file.
    """
    chosen = 0
    for plane in planes:
        inside = candidates & plane
        if not inside:
            continue
        size = inside.bit_count()
        if size >= count:
            # Only these are left to choose from, by the planes that follow.
            candidates = inside
        else:
            # All of these, and so many fewer of the others.
            chosen |= inside
            count -= size
            candidates ^= inside
    return chosen | lowest(candidates, count)


def add(counts: list[int], entries: int) -> None:
    """Count one more for each of these entries; a count that would overflow stays at its largest.

    `counts` has for each binary digit, the lowest first, the set of the entries in whose count it is 1.
    """
    for place, digit in enumerate(counts):
        counts[place], entries = digit ^ entries, digit & entries
    for place in range(len(counts)):
        counts[place] |= entries


def scores(chosen: Sequence[int], planes: Sequence[int], size: int) -> list[int]:
    """Return for each chosen entry a number whose binary digits, the first plane's highest, say in which planes it is.

    A plane is a set of entries as one integer, with the bit of every entry in it; `size` is the number of all entries.
    With the planes `0b01` and `0b10` the score of entry 0 is 0b10, that of entry 1 is 0b01.  Without planes all are 0.
    """
    if not chosen or not planes:
        return [0] * len(chosen)
    # By bytes, each with the bits of eight entries: taking bits out of long integers one by one would cost time in
    # proportion to their length.
    byte_of_entry = itemgetter(*(entry >> 3 for entry in chosen), 0)  # with a second one it always gives a tuple
    in_none = (0,) * (len(chosen) + 1)
    rows = [byte_of_entry(_packed(plane, size)) if plane else in_none for plane in planes]
    columns = zip(*rows, strict=True)  # for each entry its byte in every plane
    numbers: list[int] = []
    for entry, column in zip(chosen, columns, strict=False):
        digits = bytes(column).translate(_DIGIT_AT[entry & 7])  # of each byte the entry's own bit, as ASCII
        numbers.append(int(digits, 2))
    return numbers


def _packed(entries: int, size: int) -> bytes:
    return entries.to_bytes(size // 8 + 1, "little")
