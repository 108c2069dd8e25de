"""Accused pairs of real entries as people judged them, kept in a file beside the data.

A line holds one field of one accused pair, tab-separated: identifier, the two hands in order of the alphabet, field,
judgement.  `mistake`: one of the two entries is wrong there.  `false`: both are right.  `unclear`: cannot be told.
Anything else, as the `?` with which --show writes the line, has not been read.  Lines without a tab, and those that
begin with #, are for the reader.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from citelsp.evals.metrics import wilson
from citelsp.evals.page import Table

_WORDS = ("false", "mistake", "unclear")

Key = tuple[str, str, str, str]  # identifier, hand, hand, field: whichever of the two is the record


def key(identifier: str, hands: tuple[str, str], field: str) -> Key:
    one, other = sorted(hands)
    return identifier, one, other, field


def line(name: Key, judgement: str = "?") -> str:
    return "\t".join((*name, judgement))


def read(path: Path) -> dict[Key, str]:
    """Raises OSError if there is no such file, ValueError for a line that is neither."""
    found: dict[Key, str] = {}
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        cells = text.split("\t")
        if len(cells) == 1 or text.startswith("#"):
            continue
        if len(cells) != 5:
            raise ValueError(f"{path}, line {number}: five cells are needed, not {len(cells)}")
        if cells[4] in _WORDS:
            found[cells[0], cells[1], cells[2], cells[3]] = cells[4]
    return found


def rates(accused: Mapping[str, Iterable[Key]], judged: Mapping[Key, str], pairs: int) -> Table:
    """How often both entries were right, of all pairs; what is unclear or unread counts in the last column alone."""
    rows = []
    for field, keys in accused.items():
        count = Counter(judged.get(it, "unread") for it in keys)
        doubtful = count["false"] + count["unclear"] + count["unread"]
        known = sum(count[it] for it in _WORDS)
        counted = (str(known), *(str(count[it]) for it in _WORDS))
        rows.append((field, str(count.total()), *counted, _rate(count["false"], pairs), _rate(doubtful, pairs)))
    head = ("field", "accused", "read", *_WORDS, "false, of all pairs", "if what is unclear or unread is false, too")
    return Table(head, tuple(rows))


def _rate(count: int, pairs: int) -> str:
    rate = wilson(count, pairs)
    return f"{100 * rate.mean:.2f} % ({100 * rate.low:.2f}–{100 * rate.high:.2f})"
