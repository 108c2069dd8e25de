"""Words with the entries that hold them, in three flat sequences, and sets of entries as integers."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

_LAST = "\U0010ffff"
_FEW = 1000  # above, a byte for each entry is faster than a bit
_MANY = 200
_DIGITS = bytes.maketrans(b"\x00\x01", b"01")


@dataclass(frozen=True)
class Postings:
    """`words` in order; the entries of `words[i]` are `ids[starts[i]:starts[i + 1]]`.  Both may repeat."""

    words: Sequence[str]
    starts: Sequence[int]
    ids: Sequence[int]

    def exactly(self, word: str) -> Sequence[int]:
        first = bisect_left(self.words, word)
        if first == len(self.words) or self.words[first] != word:
            return ()
        return self.ids[self.starts[first] : self.starts[bisect_right(self.words, word, first)]]

    def beginning(self, prefix: str) -> Sequence[int]:
        """The entries of all words that begin so."""
        first = bisect_left(self.words, prefix)
        if first == len(self.words) or not self.words[first].startswith(prefix):
            return ()
        return self.ids[self.starts[first] : self.starts[bisect_left(self.words, prefix + _LAST, first)]]

    def containing(self, part: str) -> Iterator[Sequence[int]]:
        """The entries of the first words that hold `part` anywhere."""
        at = 0
        for _ in range(_MANY):
            at = self._joined.find(part, at)
            if at < 0:
                return
            start, end = self._joined.rfind("\n", 0, at) + 1, self._joined.find("\n", at)
            yield self.exactly(self._joined[start:end])
            at = end

    @cached_property
    def _joined(self) -> str:
        return "\n".join([*self.words, ""])


def gather(found: Mapping[str, Sequence[Sequence[int]]]) -> Postings:
    """From the lists of entries in which each word was found."""
    words = sorted(found)
    starts, ids = [0], list[int]()
    for word in words:
        for some in found[word]:
            ids += some
        starts.append(len(ids))
    return Postings(words, array("I", starts), array("I", ids))


def gather_pairs(words: Sequence[str], ids: Sequence[int]) -> Postings:
    """The same for words that seldom repeat, without a list for each: `words[i]` is in `ids[i]`."""
    order = sorted(range(len(words)), key=words.__getitem__)
    return Postings([words[at] for at in order], range(len(words) + 1), array("I", [ids[at] for at in order]))


def bits(ids: Sequence[int], size: int) -> int:
    """The set of these entries among `size`."""
    if len(ids) <= _FEW:
        packed = bytearray(size // 8 + 1)
        for it in ids:
            packed[it >> 3] |= 1 << (it & 7)
        return int.from_bytes(packed, "little")
    flags = bytearray(size)
    for it in ids:
        flags[it] = 1
    flags.reverse()
    return int(flags.translate(_DIGITS), 2)


def members(entries: int) -> list[int]:
    """The entries of a set, ascending."""
    found = []
    while entries:
        lowest = entries & -entries
        found.append(lowest.bit_length() - 1)
        entries ^= lowest
    return found


def lowest(entries: int, count: int) -> int:
    """The first `count` entries of a set."""
    rest = entries
    for _ in range(count):
        rest &= rest - 1
    return entries ^ rest


def best(candidates: int, planes: Iterable[int], count: int) -> int:
    """The `count` candidates that come first when those in an earlier plane go before those that are not."""
    chosen = 0
    for plane in planes:
        inside = candidates & plane
        size = inside.bit_count()
        if size >= count:
            candidates = inside
        else:
            chosen |= inside
            count -= size
            candidates ^= inside
    return chosen | lowest(candidates, min(count, candidates.bit_count()))


def add(counts: list[int], entries: int) -> None:
    """One more for each of these entries; `counts` holds binary digits, the lowest first, and does not overflow."""
    for place, digit in enumerate(counts):
        counts[place], entries = digit ^ entries, digit & entries
    for place in range(len(counts)):
        counts[place] |= entries


def scores(chosen: Sequence[int], planes: Sequence[int], size: int) -> list[int]:
    """Per entry the number whose binary digits, the first plane highest, say in which planes it is."""
    length = size // 8 + 1
    rows = [plane.to_bytes(length, "little") for plane in planes]
    found = []
    for entry in chosen:
        byte, shift, score = entry >> 3, entry & 7, 0
        for row in rows:
            score = score << 1 | row[byte] >> shift & 1
        found.append(score)
    return found
