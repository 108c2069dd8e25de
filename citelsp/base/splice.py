"""One replacement that stands for all that changed between two texts."""

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


def join_replacements(touched: tuple[int, int, int] | None, span: Span, inserted: int) -> tuple[int, int, int]:
    """One replacement that covers an earlier one and a later one; `span` counts in the text between them.

    `touched` and the result: where the replacement begins and ends in the text before, and how many characters stand
    there after it.  `touched` is None if there was none.
    """
    if touched is None:
        return span.start, span.end, inserted
    start, end, length = touched
    grown = length - (end - start)
    low = min(start, span.start)
    high = max(start + length, span.end)
    return low, max(end, span.end - grown), high - low + inserted - (span.end - span.start)
