"""The rows of a paper as one reads them: column by column, without running heads, page and line numbers."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from citelsp.corpus.pdf_lines import Line

_NUMBER = re.compile(r"\d{1,4}")
_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+|$)")
_PAGE_NUMBER = re.compile(r"\W*(?:\d{1,4}|[ivxl]{1,6}|\d{1,4} (?:of|/) \d{1,4})\W*", re.IGNORECASE)
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
    furniture = _furniture(pages)
    rows: list[Row] = []
    gutter: float | None = None
    is_numbered = any(map(_numbers_of_lines, pages))
    for lines in pages:
        rest = [it for it in lines if _mark(it) not in furniture and not _PICTOGRAMS.fullmatch(it.text)]
        rest = _drop_page_number(drop_line_numbers(rest) if is_numbered else rest)
        gutter = _gutter(rest, gutter)
        rows.extend(_order_rows(rest, gutter))
    return rows


def _mark(line: Line) -> tuple[str, int]:
    return re.sub(r"\d+", "#", line.text.casefold()), round(line.base / 3)


def _furniture(pages: Sequence[Sequence[Line]]) -> frozenset[tuple[str, int]]:
    """What stands at the same place of several pages, but for its numbers."""
    seen = Counter[tuple[str, int]]()
    for lines in pages:
        bases = sorted(it.base for it in lines)
        if not bases:
            continue
        # Heads and feet: what has hardly any line above or below it.
        low = bases[min(2, len(bases) - 1)]
        high = bases[-min(3, len(bases))]
        usual = median(it.size for it in lines)
        # Several lists of references may each have their heading at the top of a page.
        small = [it for it in lines if it.size < _HEADING * usual]
        edge = {_mark(it) for it in small if it.base <= low or it.base >= high}
        seen.update(edge)
        seen.update((text, place + 1) for text, place in edge)
    return frozenset(mark for mark, count in seen.items() if count > 1 and any(map(str.isalpha, mark[0])))


def _numbers_of_lines(lines: Sequence[Line]) -> list[Line]:
    """The numbers that rise in a column at the edge of the text."""
    by_edge: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        if _NUMBER.fullmatch(line.text):
            by_edge.setdefault(("right", round(line.right / 2)), []).append(line)
            by_edge.setdefault(("left", round(line.left / 2)), []).append(line)
    found: dict[int, Line] = {}
    for (name, place), numbers in by_edge.items():
        aligned = sorted(numbers + by_edge.get((name, place + 1), []), key=lambda it: -it.base)
        if _are_rising([int(it.text) for it in aligned]):
            found |= {id(it): it for it in aligned}
    return list(found.values())


def _are_rising(values: Sequence[int]) -> bool:
    rises = sum(0 < later - earlier <= 5 for earlier, later in pairwise(values))
    return rises >= _NUMBERED and rises >= 0.8 * (len(values) - 1)


def drop_line_numbers(lines: Sequence[Line]) -> list[Line]:
    """The lines of a paper with numbered lines without these, also where a number stands so near that it was read as a
    part of its line."""
    numbers = {id(line) for line in _numbers_of_lines(lines)}
    remaining = [line for line in lines if id(line) not in numbers]
    # The left edge at which most numbers stand, to two points.
    begin_with_number = [line for line in lines if id(line) in numbers or _LINE_NUMBER.match(line.text)]
    places = Counter(round(line.left / 2) for line in begin_with_number)
    place = max(places, key=lambda it: places[it], default=0)
    column = [line for line in lines if abs(line.left / 2 - place) < 1.5]
    column.sort(key=lambda line: -line.base)
    matches = [(line, _LINE_NUMBER.match(line.text)) for line in column]
    numbered = [(line, match) for line, match in matches if match]
    if not _are_rising([int(match[1]) for _, match in numbered]):
        return remaining
    cut = {id(line): line.text[match.end() :] for line, match in numbered if match.end() < len(line.text)}
    return [_replace_text(line, cut[id(line)]) if id(line) in cut else line for line in remaining]


def _replace_text(line: Line, text: str) -> Line:
    width = (line.right - line.left) / max(1, len(line.text))
    return replace(line, text=text, plain=text, marked=text, left=line.right - width * len(text))


def _drop_page_number(lines: Sequence[Line]) -> list[Line]:
    if len(lines) < 2:
        return list(lines)
    ends = {min(it.base for it in lines), max(it.base for it in lines)}
    return [it for it in lines if it.base not in ends or not _PAGE_NUMBER.fullmatch(it.text)]


def _order_rows(lines: Sequence[Line], gutter: float | None) -> Iterator[Row]:
    """The rows of a page: what spans the columns parts what stands above it from what stands below."""
    if gutter is None:
        yield from _column(lines, 0)
        return
    band: list[Line] = []
    right = sorted((it for it in lines if it.left >= gutter - 3), key=lambda it: it.base)
    for line in sorted(lines, key=lambda it: -it.base):
        if line.left < gutter - 3 and line.right > gutter + 3 and not _has_beside(right, line):
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
    """Where a page of two columns is parted; as the last one was if it has many lines on both sides of a wide table,
    or few, or few on one side, and none is in the way."""
    long = [it for it in lines if len(it.text) > 12]
    found = _parting(long) if len(long) >= 2 * _COLUMN else None
    if found is not None or last is None:
        return found
    if min(_count_sides(long, last)) >= 2 * _COLUMN:
        return last
    has_two = any(it.right <= last + 1 for it in long) and any(it.left >= last - 1 for it in long)
    is_free = not any(it.left < last - 1 and it.right > last + 1 for it in long)
    return last if is_free and (has_two or len(long) < 2 * _COLUMN) else None


def _parting(long: Sequence[Line]) -> float | None:
    """What the fewest of these lines cross, if enough stand on both sides of it."""
    low = min(it.left for it in long)
    high = max(it.right for it in long)
    best: tuple[int, float] | None = None
    for step in range(35, 66):
        x = low + (high - low) * step / 100
        crossing = sum(it.left < x - 1 and it.right > x + 1 for it in long)
        if best is None or crossing < best[0] or (crossing == best[0] and abs(step - 50) < abs(best[1] - 50)):
            best = (crossing, float(step))
    if best is None or best[0] > 0.35 * len(long):
        return None
    x = low + (high - low) * best[1] / 100
    return x if min(_count_sides(long, x)) >= _COLUMN else None


def _count_sides(lines: Sequence[Line], x: float) -> tuple[int, int]:
    """How many of these lines end before it, and how many begin behind it."""
    return sum(it.right <= x + 1 for it in lines), sum(it.left >= x - 1 for it in lines)


def _column(lines: Sequence[Line], column: int) -> Iterator[Row]:
    """The rows of one column, fragments of one row joined."""
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
