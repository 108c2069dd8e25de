"""One replacement that stands for all that changed between two texts."""

from dataclasses import dataclass

from citelsp.base.text import Span


def difference(before: str, after: str) -> tuple[Span, str]:
    """The smallest span of `before` that was replaced, and by what."""
    start = _common(before, after, min(len(before), len(after)))
    end = _common_end(before, after, min(len(before), len(after)) - start)
    return Span(start, len(before) - end), after[start : len(after) - end]


def _common(one: str, two: str, most: int) -> int:
    """The length of the longest common beginning, at most `most`."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == two[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _common_end(one: str, two: str, most: int) -> int:
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if one[len(one) - middle : len(one) - least] == two[len(two) - middle : len(two) - least]:
            least = middle
        else:
            most = middle - 1
    return least


@dataclass(frozen=True, slots=True)
class Splice:
    """A change of one text into the next, which has `length` characters where the first had the span `replaced`."""

    replaced: Span
    length: int

    @property
    def growth(self) -> int:
        """How many characters longer the next text is; below 0 if it is shorter."""
        return self.length - (self.replaced.end - self.replaced.start)


def join_splices(earlier: Splice | None, later: Splice) -> Splice:
    """One splice from the first of three texts to the third, which covers both; `later` if there is no earlier.

    `earlier` leads from the first text to the second, `later` from the second to the third.
    """
    if earlier is None:
        return later
    # What both touch, as it lies in the second text; before its start all three texts are equal.
    start = min(earlier.replaced.start, later.replaced.start)
    end = max(earlier.replaced.start + earlier.length, later.replaced.end)
    return Splice(Span(start, end - earlier.growth), end - start + later.growth)
