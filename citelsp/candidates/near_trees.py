"""What the nearness of titles adds to the weights of an entry: small trees, as plain numbers in a file.

Trees see what weights cannot: that nearness tells more if few words are shared, and little if the author is named.
"""

from collections.abc import Sequence
from pathlib import Path

from citelsp.corpus import trees

_FILE = Path(__file__).with_name("near_trees.json")


def sum_trees(row: Sequence[float]) -> float:
    """What all trees add for an entry with these features: entries.FEATURES, then its nearness to each of VIEWS."""
    return trees.read(_FILE).sum(row)


def slope() -> float:
    """What a unit of what words and trees say adds to the log odds of an entry, or of none, for its probability."""
    return trees.read(_FILE).slope
