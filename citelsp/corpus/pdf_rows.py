"""The rows of a paper as one reads them: column by column, without running heads, page and line numbers."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from citelsp.corpus import pdf_running_heads
from citelsp.corpus.pdf_lines import Line

_COLUMN = 5  # lines that make a column
_BESIDE = 20  # lines of another column that are looked at beside one


@dataclass(frozen=True, slots=True)
class Row:
    """One printed row of a column; the column by its page and its place on it, from 0."""

    page: int
    column: int
    text: str
    size: float
    bold: bool
    left: float
    right: float
    base: float
    at: float  # the left edge of its column
    end: float  # the right edge of its column
    marked: str = ""  # the text with signs around what is in italics


def read(pages: Sequence[Sequence[Line]]) -> list[Row]:
    """All rows in reading order; `pages` as pdf_lines.read gives them."""
    rows: list[Row] = []
    gutter: float | None = None
    for lines in pdf_running_heads.drop_all(pages):
        gutter = _gutter(lines, gutter)
        rows.extend(_order_rows(lines, gutter))
    return rows


def _order_rows(lines: Sequence[Line], gutter: float | None) -> Iterator[Row]:
    """Yield the rows of a page in the order of reading; `gutter` is where two columns are parted, None if it has one.

    A line across both columns, as a heading is, comes behind both columns above it, and before those below it.  Within
    3 points of the gutter a line counts as ending there.
    """
    if gutter is None:
        yield from _column(lines, 0)
        return
    band: list[Line] = []  # the lines between two that go across
    right = sorted((it for it in lines if it.left >= gutter - 3), key=lambda it: it.base)
    for line in sorted(lines, key=lambda it: -it.base):
        # A line of the left column may be too long: then one of the right column stands beside it.
        goes_across = line.left < gutter - 3 and line.right > gutter + 3 and not _has_beside(right, line)
        if goes_across:
            yield from _columns(band, gutter)
            band = []
            yield from _column([line], 0)
        else:
            band.append(line)
    yield from _columns(band, gutter)


def _has_beside(right: Sequence[Line], line: Line) -> bool:
    """True if a row of the right column, sorted by base, stands beside a line: that one is only too long for its own,
    as an address that cannot be broken is."""
    height = 0.7 * line.size
    first = bisect_left(right, line.base - height, key=lambda it: it.base)
    near = right[first : first + _BESIDE]
    return any(it.left > line.right and it.base <= line.base + height for it in near)


def _columns(lines: Sequence[Line], gutter: float) -> Iterator[Row]:
    yield from _column([it for it in lines if it.left < gutter - 3], 0)
    yield from _column([it for it in lines if it.left >= gutter - 3], 1)


def _gutter(lines: Sequence[Line], last: float | None) -> float | None:
    """Return where a page of two columns is parted, None if it has one column; `last` is what the page before has.

    If the page does not show it by itself, it is parted as the one before: if it has many lines on both sides of that
    place, or if no line crosses it and the page has lines on both sides, or hardly any.  A line may reach beyond the
    place by a point.  `_COLUMN` lines are the fewest that make a column.
    """
    long = [it for it in lines if len(it.text) > 12]  # characters: page numbers and labels say nothing of columns
    shown = _parting(long) if len(long) >= 2 * _COLUMN else None
    if shown is not None or last is None:
        return shown
    if min(_count_sides(long, last)) >= 2 * _COLUMN:
        return last
    has_two = any(it.right <= last + 1 for it in long) and any(it.left >= last - 1 for it in long)
    is_free = not any(it.left < last - 1 and it.right > last + 1 for it in long)
    return last if is_free and (has_two or len(long) < 2 * _COLUMN) else None


def _parting(long: Sequence[Line]) -> float | None:
    """Return the place near the middle that parts these lines, one or more, into two columns; None if they are one.

    It is the place that the fewest lines cross, if enough stand on both sides.  If many cross every place, the foot of
    the page alone may be parted, as if references in two columns follow text in one.
    """
    low = min(it.left for it in long)
    high = max(it.right for it in long)
    places = [low + (high - low) * percent / 100 for percent in range(35, 66)]  # of the width
    middle = (low + high) / 2
    # If several are crossed by as few lines, the one nearest to the middle.
    best = min(places, key=lambda x: (_count_crossing(long, x), abs(x - middle)))
    if _count_crossing(long, best) <= 0.35 * len(long):
        return best if min(_count_sides(long, best)) >= _COLUMN else None
    # Of a part of the page more lines are asked for on either side: a few may stand so by chance.
    from_foot = sorted(long, key=lambda it: it.base)
    feet = {x: _lines_below_crossing(from_foot, x) for x in places}
    best = max(places, key=lambda x: (min(_count_sides(feet[x], x)), -abs(x - middle)))
    return best if min(_count_sides(feet[best], best)) >= 2 * _COLUMN else None


def _count_crossing(lines: Sequence[Line], x: float) -> int:
    return sum(it.left < x - 1 and it.right > x + 1 for it in lines)


def _lines_below_crossing(from_foot: Sequence[Line], x: float) -> Sequence[Line]:
    """The lines at the foot of a page of which none crosses this place."""
    for index, line in enumerate(from_foot):
        if line.left < x - 1 and line.right > x + 1:
            return from_foot[:index]
    return from_foot


def _count_sides(lines: Sequence[Line], x: float) -> tuple[int, int]:
    """How many of these lines end before it, and how many begin behind it."""
    return sum(it.right <= x + 1 for it in lines), sum(it.left >= x - 1 for it in lines)


def _column(lines: Sequence[Line], column: int) -> Iterator[Row]:
    """Yield the rows of column number `column`, from above; lines that stand beside one another make one row.

    A row has the size and base of its longest line.  Its `at` and `end` are the left and right edge of the column.
    """
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda it: -it.base):
        if rows and _is_beside(rows[-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    if not rows:
        return
    at, end = _edges(rows)
    for parts in rows:
        parts.sort(key=lambda it: it.left)
        main = max(parts, key=lambda it: len(it.text))
        yield Row(
            page=main.page,
            column=column,
            text=_join_parts(parts, [it.text for it in parts]),
            marked=_join_parts(parts, [it.marked or it.text for it in parts]),
            size=main.size,
            bold=all(it.bold for it in parts),
            left=parts[0].left,
            right=max(it.right for it in parts),
            base=main.base,
            at=at,
            end=end,
        )


def _is_beside(row: Sequence[Line], line: Line) -> bool:
    near = abs(row[0].base - line.base) <= 0.45 * max(line.size, row[0].size)
    return near and all(line.left >= it.right - 2 or line.right <= it.left + 2 for it in row)


def _edges(rows: Sequence[Sequence[Line]]) -> tuple[float, float]:
    lefts = Counter(round(min(it.left for it in parts)) for parts in rows)
    rights = [max(it.right for it in parts) for parts in rows]
    usual = [left for left, count in lefts.items() if count >= max(1, 0.04 * len(rows))]
    return float(min(usual or lefts)), max(rights, default=0.0)


def _join_parts(parts: Sequence[Line], texts: Sequence[str]) -> str:
    text = ""
    last = None
    for part, own in zip(parts, texts, strict=True):
        gap = part.left - last.right if last else 0.0
        text += (" " if last and gap > 0.12 * part.size else "") + own
        last = part
    return " ".join(text.split())


def leading(rows: Iterable[Row]) -> float:
    """The usual distance of two rows of one column."""
    steps = [
        a.base - b.base
        for a, b in pairwise(rows)
        if (a.page, a.column) == (b.page, b.column) and 0 < a.base - b.base < 60
    ]
    return median(steps) if steps else 12.0
