"""A range of pages that ends before it begins: `150--12`.

A shorter second number is an abbreviation (`150--2` ends at 152), and behind a number of many digits (`104501--1`) it
is no page but a part of an article's number.  In `10,382--10,393` a comma parts thousands.
"""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.checks.complaints import Complaint, fields_of, findings
from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace.project import Project

CODE = "reversed-pages"
# `150--12`, `S15–S3`: numbers with one letter before both; neither a part of `10.1000/150-12` nor of `10,382`
_RANGE = re.compile(
    r"(?<![\w.:/-])(?!(?<=\d,)\d{3}(?!\d))(?P<letter>[A-Za-z]?)(?P<first>\d{1,9})\s*(?P<dash>-{1,3}|–|—)\s*(?P=letter)(?P<last>\d{1,9})(?![\w.:/-]|,\d{3}(?!\d))"
)
_PAGES_VALUE = re.compile(r"pages(?<!\wpages)\s*+=\s*+[{\"]([^{}\"]*+)[}\"]")  # in an entry in lower case
_YEAR_AND_MONTH = re.compile(r"[\s{]*(?:19|20)\d\d-{2,3}(?:0[1-9]|1[0-2])[\s}]*")  # as Google Scholar has of preprints
_TOO_MANY_FEWER = 3  # a second number with as many digits fewer is no abbreviation of one with all digits


def check(project: Project, _: Knowledge) -> list[Finding]:
    return findings(project, CODE, _complain_of_pages)


def _complain_of_pages(node: BibNode) -> tuple[Complaint, ...]:
    """Complain of each range of pages of an entry that ends before it begins."""
    lowered = node.source.lower()
    if "pages" not in lowered:
        return ()
    # A quick look, which most entries pass: the first field of pages, without braces in it, has no such range.  Of a
    # repeated field the first counts.
    pages = _PAGES_VALUE.search(lowered, node.key_span.end)
    if pages and not any(_is_reversed(match["first"], match["last"]) for match in _RANGE.finditer(pages[1])):
        return ()
    complaints: list[Complaint] = []
    for field, value, value_start in fields_of(node, {"pages"}):
        complaints += _complain_of_value(field.name, value, value_start)
    return tuple(complaints)


def _complain_of_value(field: str, value: str, value_start: int) -> Iterator[Complaint]:
    """Complain of each range that ends before it begins: `231--229`; not of `231-9`, which is short for 231–239.

    The fix swaps the two if they have as many digits; else nobody knows which one is wrong, and there is none.  Of a
    year and its month it is said that they are no pages.
    """
    for pages in _RANGE.finditer(value):
        letter, first, dash, last = pages.group("letter", "first", "dash", "last")
        fewer_digits = len(first) - len(last)
        if not _is_reversed(first, last):
            continue
        # No range is `104501--1`, page 1 of an article with this number, and `54-3` may be page 3 of chapter 54.
        if fewer_digits >= _TOO_MANY_FEWER or (fewer_digits > 0 and dash == "-"):
            continue
        span = Span(*pages.span()).moved(value_start)
        fault = f"“{pages[0]}” ends before it begins"
        advice = "look the pages up"
        if _YEAR_AND_MONTH.fullmatch(value):
            fault = f"“{pages[0]}” is a year and a month"
            advice = "no pages, so leave it out"
        if fewer_digits:
            yield Complaint(field, span, fault, for_any_reader=advice)
        else:
            better = f"{letter}{last}{dash}{letter}{first}"
            edits = ((span, better),)
            yield Complaint(field, span, fault, for_any_reader=advice, edits=edits, title=f"Write {better}")


def _is_reversed(first: str, last: str) -> bool:
    """True if the second number is smaller, also if it stands for as many last digits of the first: `150--2`."""
    completed = first[: max(len(first) - len(last), 0)] + last
    return int(last) < int(first) and int(completed) < int(first)


CHECK = Check(
    CODE,
    "warning",
    "A range of pages ends before it begins.",
    check,
    needs="project",
    facts=lambda *_: [_complain_of_pages],
)
