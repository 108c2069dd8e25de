"""Small trees as plain numbers in a file: what they add to a score that weights cannot say.

A tree asks at each node whether one feature is at most a threshold, and ends in what it adds.  They were fitted by
LambdaMART on top of the weighted sum; `python tests/lab` writes their files, and needs no library to be read here.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes in parallel; a child below zero is a leaf, counted from -1 on."""

    features: tuple[int, ...]
    thresholds: tuple[float, ...]
    left: tuple[int, ...]  # if the feature is at most the threshold
    right: tuple[int, ...]
    leaves: tuple[float, ...]

    def value(self, row: Sequence[float]) -> float:
        node = 0
        while node >= 0:
            is_left = row[self.features[node]] <= self.thresholds[node]
            node = self.left[node] if is_left else self.right[node]
        return self.leaves[-1 - node]


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees whose values are added up."""

    trees: tuple[Tree, ...]
    # What a unit of the sum of weights and trees adds to log odds: trees draw scores further apart than works were
    # found right.
    slope: float

    def sum(self, row: Sequence[float]) -> float:
        """Return what all trees add for these features; which ones a row holds, and in which order, their user says."""
        return sum([it.value(row) for it in self.trees])


@lru_cache(maxsize=4)
def read(path: Path) -> Forest:
    """Read the trees of a file that comes with the package."""
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    trees = [Tree(*(tuple(it[name]) for name in Tree.__slots__)) for it in raw["trees"]]
    return Forest(tuple(trees), float(raw["slope"]))
