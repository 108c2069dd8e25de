"""What is said of single entries, and which entries have something in common; kept up to date across edits."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from citelsp.syntax.bibtex_blocks import BibNode

T = TypeVar("T")
Fact = Callable[[BibNode], T]


@dataclass(frozen=True, slots=True)
class Shared:
    """Entries by the values that a fact gives of them."""

    first: dict[int, BibNode] = field(default_factory=dict)
    several: dict[int, tuple[BibNode, ...]] = field(default_factory=dict)  # values of more than one entry

    def changed(self, fact: Fact[Iterable[int]], gone: Sequence[BibNode], new: Iterable[BibNode]) -> "Shared":
        """What is shared with some entries gone and others new; this value stays as it is."""
        first, several = self.first.copy(), self.several.copy()
        # Value by value, not node by node: of thousands of copies of one entry all would be copied for each of them.
        lost: dict[int, dict[BibNode, None]] = {}
        for node in gone:
            for value in fact(node):
                lost.setdefault(value, {})[node] = None
        for value, nodes in lost.items():
            rest = tuple(it for it in several.pop(value, (first[value],)) if it not in nodes)
            if rest:
                first[value] = rest[0]
            else:
                del first[value]
            if len(rest) > 1:
                several[value] = rest
        added: dict[int, dict[BibNode, None]] = {}
        for node in new:
            for value in fact(node):
                if first.setdefault(value, node) is not node:
                    added.setdefault(value, {})[node] = None
        for value, nodes in added.items():
            several[value] = (*several.get(value, (first[value],)), *nodes)
        return Shared(first, several)

    def with_other(self, other: "Shared") -> Iterator[tuple[BibNode, BibNode]]:
        """Pairs of an entry here and one of another file that have a value in common."""
        small, large = (self, other) if len(self.first) <= len(other.first) else (other, self)
        for value in small.first.keys() & large.first.keys():
            yield self.first[value], other.first[value]
