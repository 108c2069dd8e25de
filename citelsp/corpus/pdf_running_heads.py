"""What is printed around the text of pages, and is no part of it: running heads and feet, page and line numbers."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from citelsp.corpus.pdf_lines import Line, cut_marked, usual_size

_NUMBER = re.compile(r"\d{1,4}")
_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+|$)")
_LABEL = re.compile(r"[\[(]?\d{1,4}[\].)]+")
_PAGE_NUMBER = re.compile(r"\W*(?:\d{1,4}|[ivxl]{1,6}|\d{1,4} (?:of|/) \d{1,4})\W*", re.IGNORECASE)
_IDENTIFIER = re.compile(r"\b10\.\d{4,9}/|\d{4}\.\d{4,5}")
_PICTOGRAMS = re.compile(r"[\s\u2190-\u21ff\u2300-\u27bf]+")  # what marks where a printed page is cut
_HEADING = 1.2  # of the usual size of letters: no running head is so large
_NUMBERED = 6  # lines with a number beside them, from which on these are the numbers of the lines


def drop_all(pages: Sequence[Sequence[Line]]) -> Iterator[list[Line]]:
    """Yield of each page the lines of its text; `pages` as pdf_lines.read gives them."""
    heads_and_feet = _find_running_heads(pages)
    for lines in drop_line_numbers(pages) if _is_numbered(pages) else pages:
        rest = [it for it in lines if _mark(it) not in heads_and_feet and not _PICTOGRAMS.fullmatch(it.text)]
        yield _drop_page_number(rest)


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
