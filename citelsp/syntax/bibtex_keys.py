"""Which entries of a .bib file have which key."""

import string
from collections.abc import Sequence
from functools import cached_property

from citelsp.syntax.bibtex_blocks import BibNode

_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def folded(key: str) -> str:
    """The key with the letters A to Z made small: keys that this makes equal are one key to BibTeX."""
    return key.lower() if key.isascii() else key.translate(_SMALL)


class Keys:
    """The entries by their keys, or with `fold` by their folded keys."""

    def __init__(self, nodes: Sequence[BibNode], *, fold: bool = False) -> None:
        self._nodes = nodes
        self._fold = fold

    def find(self, key: str) -> Sequence[int]:
        """Indices of the entries with this key, in order."""
        key = folded(key) if self._fold else key
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
        """The keys of more than one entry."""
        if len(self.first) == len(self._nodes):
            return {}
        found: dict[str, list[int]] = {}
        for index, key in enumerate(self._written(0, None)):
            found.setdefault(key, []).append(index)
        return {key: tuple(indices) for key, indices in found.items() if len(indices) > 1}

    def adopt(self, old: "Keys", low: int, high: int) -> None:
        """Take over what is known of `old`, if as many entries changed (`low` to `high`) and no key stood twice."""
        known: dict[str, int] | None = old.__dict__.get("first")
        if known is None or len(known) != len(old._nodes) or len(self._nodes) != len(old._nodes):
            return
        gone, new = old._written(low, high), self._written(low, high)
        if gone != new:
            known = known.copy()
            for key in gone:
                del known[key]
            for index, key in enumerate(new, start=low):
                known[key] = min(index, known.get(key, index))
        self.__dict__["first"] = known

    def _written(self, low: int, high: int | None) -> list[str]:
        keys = [it.key for it in self._nodes[low:high]]
        if not self._fold:
            return keys
        # One lower() of all keys at once costs a fraction of one for each.
        joined = "\n".join(keys)  # in which no key has a line break
        return joined.lower().split("\n") if joined.isascii() and keys else [*map(folded, keys)]
