"""The rows of a paper as one reads them: column by column, without running heads, page and line numbers."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from citelsp.bibliography.printed_signs import ITALIC, ROMAN
from citelsp.corpus.pdf_lines import Line

_NUMBER = re.compile(r"\d{1,4}")
_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+|$)")
_LABEL = re.compile(r"[\[(]?\d{1,4}[\].)]+")
_PAGE_NUMBER = re.compile(r"\W*(?:\d{1,4}|[ivxl]{1,6}|\d{1,4} (?:of|/) \d{1,4})\W*", re.IGNORECASE)
_IDENTIFIER = re.compile(r"\b10\.\d{4,9}/|\d{4}\.\d{4,5}")
_PICTOGRAMS = re.compile(r"[\s\u2190-\u21ff\u2300-\u27bf]+")  # what marks where a printed page is cut
_HEADING = 1.2  # of the usual size of letters: no running head is so large
_NUMBERED = 6  # lines with a number beside them, from which on these are the numbers of the lines
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
    heads_and_feet = _find_running_heads(pages)
    rows: list[Row] = []
    gutter: float | None = None
    for lines in drop_line_numbers(pages) if _is_numbered(pages) else pages:
        rest = [it for it in lines if _mark(it) not in heads_and_feet and not _PICTOGRAMS.fullmatch(it.text)]
        rest = _drop_page_number(rest)
        gutter = _gutter(rest, gutter)
        rows.extend(_order_rows(rest, gutter))
    return rows


def _mark(line: Line) -> tuple[str, int]:
    """What a line has in common with those at its place on other pages: its text, whatever its numbers.

    Running heads name one identifier throughout; the ends of two references differ in their digits alone.
    """
    text = line.text.casefold()
    return text if _IDENTIFIER.search(text) else re.sub(r"\d+", "#", text), round(line.base / 3)


def _find_running_heads(pages: Sequence[Sequence[Line]]) -> frozenset[tuple[str, int]]:
    """Return the marks of the running heads and feet of a paper's pages.

    The mark of a line is its text, with a sign for each number, and its height on the page.  A head or foot is one of
    the first or last lines of a page, and stands at the same height of another page, with other numbers at most; or it
    is the first line, and repeats a heading.
    """
    seen = Counter[tuple[str, int]]()  # pages that have a mark at their head or foot
    repeated = set[tuple[str, int]]()  # marks of first lines that repeat a heading
    headings = _find_headings(pages)
    for lines in pages:
        bases = sorted(it.base for it in lines)
        if not bases:
            continue
        # Heads and feet: the three lines at either end of the page.
        low = bases[min(2, len(bases) - 1)]
        high = bases[-min(3, len(bases))]
        usual = usual_size(lines)
        # Several lists of references may each have their heading at the top of a page.
        small = [it for it in lines if it.size < _HEADING * usual]
        edge = {_mark(it) for it in small if it.base <= low or it.base >= high}
        seen.update(edge)
        # A place may be rounded up on one page and down on another: so each mark counts at the next place, too.
        seen.update((text, place + 1) for text, place in edge)
        repeated.update(_mark(it) for it in small if it.base == bases[-1] and it.text.casefold() in headings)
    # Numbers of pages have no letters: `_drop_page_number` is for these.
    on_several = (mark for mark, count in seen.items() if count > 1 and any(map(str.isalpha, mark[0])))
    return frozenset(on_several) | repeated


def usual_size(lines: Iterable[Line | Row]) -> float:
    """The size of most letters, of one line at least."""
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0]


def _find_headings(pages: Sequence[Sequence[Line]]) -> frozenset[str]:
    """The texts in large letters, without regard to their case."""
    lines = [line for page in pages for line in page]
    if not lines:
        return frozenset()
    usual = usual_size(lines)
    return frozenset(line.text.casefold() for line in lines if line.size >= _HEADING * usual)


def _is_numbered(pages: Sequence[Sequence[Line]]) -> bool:
    """True for a paper that counts its lines: by numbers that stand apart, or at most lines of half of the pages, as
    those of a list of references do not."""
    if _find_line_numbers(pages, joined=False):
        return True
    numbered = _find_line_numbers(pages, joined=True)
    counted = sum(2 * sum(id(line) in numbered for line in lines) > len(lines) for lines in pages)
    return counted >= 2 and 2 * counted >= len(pages)


def _find_line_numbers(pages: Sequence[Sequence[Line]], *, joined: bool) -> frozenset[int]:
    """Return the ids of the lines that are numbers of lines, as manuscripts for review have them.

    Such numbers stand below one another, at one left or right edge, and rise down the page, by 1 or by up to 5 if not
    every line has one.  On all pages together an edge must show `_NUMBERED` such steps.  Each number is a `Line` by
    itself; with `joined` also a `Line` counts that begins with the number of its own.
    """
    rises = Counter[tuple[str, int]]()  # steps by edge, of all pages
    columns = list[tuple[tuple[str, int], list[Line]]]()
    for lines in pages:
        for edge, numbers in _align_numbers(lines, joined=joined):
            values = [_leading_number(line) for line in numbers]
            rising = sum(0 < later - earlier <= 5 for earlier, later in pairwise(values))
            if rising >= 0.8 * (len(values) - 1):  # nearly all: a number of something else may stand between
                rises[edge] += rising
                columns.append((edge, numbers))
    return frozenset(id(line) for edge, numbers in columns if rises[edge] >= _NUMBERED for line in numbers)


def _align_numbers(lines: Sequence[Line], *, joined: bool) -> Iterator[tuple[tuple[str, int], list[Line]]]:
    """Yield the numbers of a page that stand below one another, from its head on, by the edge at which they stand.

    The edge is ("left" or "right", place), the place in steps of two points; a number comes by both of its edges.
    Numbers are lines by themselves; with `joined` also lines that begin with a number.
    """
    by_edge: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        is_alone = _NUMBER.fullmatch(line.text) is not None
        right = line.right if is_alone else line.number_right
        if right is not None and (is_alone or joined) and _LINE_NUMBER.match(line.text):
            by_edge.setdefault(("right", round(right / 2)), []).append(line)
            by_edge.setdefault(("left", round(line.left / 2)), []).append(line)
    for (name, place), numbers in by_edge.items():
        near = by_edge.get((name, place + 1), [])  # what rounding parted
        yield (name, place), sorted(numbers + near, key=lambda it: -it.base)


def _leading_number(line: Line) -> int:
    match = _LINE_NUMBER.match(line.text)
    return int(match[1]) if match else 0


def drop_line_numbers(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The lines of the pages of a paper with numbered lines without these, also where a number stands so near that it
    was read as a part of its line."""
    numbers = _find_line_numbers(pages, joined=True)
    return [list(_without_numbers(lines, numbers)) for lines in pages]


def _without_numbers(lines: Sequence[Line], numbers: frozenset[int]) -> Iterator[Line]:
    for line in lines:
        if id(line) not in numbers:
            yield line
        elif not _NUMBER.fullmatch(line.text):
            yield _cut_number(line)


def _cut_number(line: Line) -> Line:
    match = _LINE_NUMBER.match(line.text)
    if match is None or line.behind_number is None:
        return line
    text = line.text[match.end() :]
    marked = cut_marked(line.marked or line.text, match.end())
    return replace(line, text=text, plain=text, marked=marked, left=line.behind_number)


def cut_marked(marked: str, start: int) -> str:
    """Return what follows the first `start` characters of a text; the signs around italics are not counted.

    If the cut falls within italics, the rest begins with their sign.  "" if the text is no longer than that.
    """
    seen = 0
    is_open = False
    for index, character in enumerate(marked):
        if character in (ITALIC, ROMAN):
            is_open = character == ITALIC
        elif seen == start:
            return (ITALIC if is_open else "") + marked[index:]
        else:
            seen += 1
    return ""


def _drop_page_number(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a page without the page number at its head or foot; a line that is alone stays."""
    if len(lines) < 2:
        return list(lines)
    ends = {min(it.base for it in lines), max(it.base for it in lines)}

    def is_page_number(line: Line) -> bool:
        if line.base not in ends or not _PAGE_NUMBER.fullmatch(line.text):
            return False
        # The label of a reference, `8.` or `[8]`, which was read apart from its first row.
        is_label = _LABEL.fullmatch(line.text) is not None
        return not (is_label and any(it.base == line.base and it.left > line.right for it in lines))

    return [it for it in lines if not is_page_number(it)]


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
