"""What the text of a paper cites, by the marks that its reference list answers to."""

import re
from collections.abc import Iterable, Iterator

from citelsp.corpus.pdf_references import Found, Item
from citelsp.corpus.pdf_rows import Row

_BRACKETS = re.compile(r"\[([^\[\]]{1,200})\]")
_NUMBERS = re.compile(r"\s*\d{1,4}\s*(?:[,;–—-]\s*\d{1,4}\s*)*")
_RANGE = re.compile(r"(\d{1,4})(?:\s*[–—-]\s*(\d{1,4}))?")
_NAME = r"(?:(?:van|von|de|der|den|da|di|du|la|le|el|al) )*[^\W\d_a-z][\w'’-]+"
_PEOPLE = rf"{_NAME}(?:,? (?:and|&|und|et|y) {_NAME}|,? et al\.?,?|,? (?:and|&) others)?"
_AUTHOR_YEAR = re.compile(rf"({_PEOPLE}),? [(\[]?((?:1[5-9]|20)\d\d[a-z]?)\b((?:, ?(?:(?:1[5-9]|20)\d\d)?[a-z]?\b)*)")
_WIDEST = 40  # references of one range
_MOST = 5000


def read(found: Found) -> list[tuple[str, int]]:
    """Each reference that the text cites, as printed, with its page; in order, at most 5,000."""
    marks: list[tuple[str, int]] = []
    for page, text in _pages(found.body):
        marks.extend((mark, page) for mark in _marks(text, found.items))
        if len(marks) >= _MOST:
            break
    return marks[:_MOST]


def _pages(rows: Iterable[Row]) -> Iterator[tuple[int, str]]:
    """The text of each page on one line, words whole."""
    texts: dict[int, str] = {}
    for row in rows:
        before = texts.get(row.page, "")
        glued = before.endswith("-") and row.text[:1].islower()
        texts[row.page] = f"{before[:-1]}{row.text}" if glued else f"{before} {row.text}"
    yield from texts.items()


def _marks(text: str, items: Iterable[Item]) -> Iterator[str]:
    labels = {it.label for it in items if it.label}
    if not labels:
        yield from _cited_people(text)
    elif all(map(str.isdigit, labels)):
        yield from _cited_numbers(text, max(map(int, labels)))
    else:
        for group in _BRACKETS.findall(text):
            yield from (it for it in map(str.strip, re.split(r"[,;]", group)) if it in labels)


def _cited_numbers(text: str, last: int) -> Iterator[str]:
    """Numbers in brackets; intervals of formulas begin with zero or go far beyond the list."""
    for group in _BRACKETS.findall(text):
        if not _NUMBERS.fullmatch(group):
            continue
        numbers = [
            number for first, end in _RANGE.findall(group) for number in _expand_range(int(first), int(end or first))
        ]
        if numbers and min(numbers) > 0 and max(numbers) <= 2 * last + _WIDEST:
            yield from map(str, numbers)


def _expand_range(first: int, last: int) -> Iterable[int]:
    return range(first, last + 1) if first <= last <= first + _WIDEST else (first, last)


def _cited_people(text: str) -> Iterator[str]:
    for people, year, more in _AUTHOR_YEAR.findall(text):
        who = people.rstrip(",")
        yield f"{who}, {year}"
        for other in filter(None, (it.strip() for it in more.split(","))):
            yield f"{who}, {other if other[0].isdigit() else year[:4] + other}"
