"""What the nearness of titles adds to the weights of an entry: small trees, as plain numbers in a file.

A tree asks at each node whether one feature is at most a threshold, and ends in what it adds to the log odds.  Trees
see what weights cannot: that nearness tells more if few words are shared, and little if the author is named.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("near_trees.json")


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


def sum_trees(row: Sequence[float]) -> float:
    """What all trees add for an entry with these features: entries.FEATURES, then its nearness to each of VIEWS."""
    return sum([it.value(row) for it in trees()])


def slope() -> float:
    """What a unit of what words and trees say adds to the log odds of an entry, or of none, for its probability.

    Trees draw scores further apart than entries were found right.
    """
    return float(_read_file()["slope"])


@cache
def trees() -> tuple[Tree, ...]:
    return tuple(Tree(*(tuple(it[name]) for name in Tree.__slots__)) for it in _read_file()["trees"])


@cache
def _read_file() -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return raw
