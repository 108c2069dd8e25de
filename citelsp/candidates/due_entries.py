"""Which entries are due at a place: authors append entries to a bibliography in the order in which they cite them.

Where a bibliography is kept so, the next entry that is not cited yet is often the one that the author wants next.
Where it is sorted, or exported by a program, the order of citing jumps about in it, and nothing is due.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import count, islice, pairwise
from typing import NamedTuple

_CITED_LAST = 2  # citations before a place, behind each of which entries are due
_MOST_DUE = 5  # uncited entries that are due behind, or before, one that is cited
_FADING = 1.5  # power of the distance by which entries further off are less due
_LONGEST_STEP = 3  # entries by which a manuscript goes ahead if it cites in the order of a bibliography
_SHARE_BY_CHANCE = 0.1  # of such steps where the order of a bibliography is another
_STEPS_BEFOREHAND = 5  # steps like those by chance that are counted beside the ones seen, which may be few


class EntryPlace(NamedTuple):
    """Where an entry stands."""

    bibliography: str  # path
    position: int  # of the entry in it, from 0


def find_due(before: Sequence[EntryPlace], behind: Sequence[EntryPlace]) -> Mapping[EntryPlace, float]:
    """Return the uncited entries that are due at a place, each with how much so, from just above 0 to 4.5.

    `before` and `behind` are the entries cited before and behind the place, in the order of the text.  Due are entries
    that stand right behind each of the two cited last, right behind all that are cited so far, right before the one
    cited next, and between that and the one cited last.  Each of these five reasons adds 1 for the nearest uncited
    entry and less for those further off; between two, each counts less the more there are.  The sum is multiplied by
    `measure_order`, so nothing is due without an order.  How long a bibliography is is not known here: what is due may
    lie behind its end.
    """
    order = measure_order([*before, *behind])
    if not order:
        return {}
    cited = frozenset([*before, *behind])
    # The one cited last is often the furthest, too: then it counts for both reasons.
    starts = [*before[-_CITED_LAST:], *_find_furthest(before)]
    reasons = [_count_uncited(entry, cited, direction=1) for entry in starts]
    if behind:
        reasons.append(_count_uncited(behind[0], cited, direction=-1))
    if before and behind:
        reasons.append(_find_between(before[-1], behind[0], cited))
    due: dict[EntryPlace, float] = defaultdict(float)
    for reason in reasons:
        for entry, distance in reason:
            due[entry] += order / distance**_FADING
    return due


def measure_order(cited: Iterable[EntryPlace]) -> float:
    """Measure how far a manuscript cites in the order of its bibliographies: 0 if no more than by chance, up to 0.9.

    A step leads from one work that is cited for the first time to the next, if both are of the same bibliography.  It
    keeps the order if it goes ahead by one to three entries.  What counts is the share of such steps, beyond one in
    ten; of few steps it counts less, and of none 0.
    """
    firsts = list(dict.fromkeys(cited))
    steps = [
        later.position - earlier.position
        for earlier, later in pairwise(firsts)
        if earlier.bibliography == later.bibliography
    ]
    in_order = sum(0 < step <= _LONGEST_STEP for step in steps)
    by_chance = _SHARE_BY_CHANCE * len(steps)
    return max(0.0, in_order - by_chance) / (len(steps) + _STEPS_BEFOREHAND)


def _find_furthest(cited: Iterable[EntryPlace]) -> list[EntryPlace]:
    """Find in each bibliography the last of the entries that are cited."""
    furthest: dict[str, EntryPlace] = {}
    for entry in cited:
        furthest[entry.bibliography] = max(entry, furthest.get(entry.bibliography, entry))
    return list(furthest.values())


def _count_uncited(start: EntryPlace, cited: Set[EntryPlace], *, direction: int) -> list[tuple[EntryPlace, int]]:
    """Return the next uncited entries of a bibliography, _MOST_DUE at most, each with its number counted from `start`.

    `direction` is 1 for those behind `start`, -1 for those before it.
    """
    positions = count(start.position + 1) if direction > 0 else range(start.position - 1, -1, -1)
    entries = (EntryPlace(start.bibliography, position) for position in positions)
    uncited = (entry for entry in entries if entry not in cited)
    return [(entry, number) for number, entry in enumerate(islice(uncited, _MOST_DUE), start=1)]


def _find_between(last: EntryPlace, following: EntryPlace, cited: Set[EntryPlace]) -> list[tuple[EntryPlace, int]]:
    """Return the uncited entries between two of a bibliography, each with how many these are; none if too many."""
    if last.bibliography != following.bibliography:
        return []
    uncited: list[EntryPlace] = []
    for position in range(last.position + 1, following.position):
        entry = EntryPlace(last.bibliography, position)
        if entry not in cited:
            uncited.append(entry)
        if len(uncited) > _MOST_DUE:
            return []
    return [(entry, len(uncited)) for entry in uncited]
