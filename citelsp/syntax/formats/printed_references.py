"""Reference lists as they are printed: pasted text, a PDF's list, a section of a Markdown document.

Items have labels ("[12]", "12.", "[Knu84]"), list signs, or stand in paragraphs or lines of their own.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from citelsp.base import bounds, effort
from citelsp.base.text import Document, Span
from citelsp.syntax.formats.items import Placed, ReferenceItem, collected
from citelsp.syntax.nodes import Entries, Syntax

_NAMES = "|".join(
    (
        r"references(?: and notes)?|reference list|bibliography|literature(?: cited)?|works cited|cited works|sources",
        r"literatur(?:verzeichnis|angaben)?|quellen(?:verzeichnis)?|bibliographie|références(?: bibliographiques)?",
        r"bibliografía|referencias(?: bibliográficas)?|bibliografia|riferimenti|参考文献",
    )
)
_HEADING = re.compile(
    rf"^[ \t]*(?:\#{{1,6}}[ \t]+|\*\*|__)?(?:\d+\.?[ \t]+)?(?:{_NAMES})[ \t]*+:?(?:\*\*|__)?[ \t]*+\#*+"
    r"(?:\{[^{}\n]{0,200}\})?[ \t\r]*+$",  # `{.unnumbered}`
    re.IGNORECASE | re.MULTILINE,
)
_ORG_HEADING = re.compile(
    rf"^\*{{1,8}}[ \t]+(?:{_NAMES})[ \t]*+(?::[\w@:]{{1,80}}:)?[ \t\r]*+$", re.IGNORECASE | re.MULTILINE
)
_ORG_NEXT = re.compile(r"^(?:\*+[ \t]+\S|#\+)", re.MULTILINE)
_NEXT = re.compile(
    r"^[ \t]*(?:\#{1,6}[ \t]+\S|(?:(?:[A-Z]|\d+)\.?[ \t]+)?"
    r"(?:appendix|appendices|supplementary materials?|anhang|annexe)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_LABELLED = re.compile(r"^[ \t]{0,8}[\[［](?P<label>[^\[\]\n［］^]{1,40})[\]］]:?[ \t]*(?=\S)", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]{0,8}\(?(?P<label>\d{1,4})[.)][ \t]+(?=\S)", re.MULTILINE)
_LISTED = re.compile(r"^[ \t]{0,3}[-*+•–][ \t]+(?P<label>)(?=\S)", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*+:{3,}+[^\n]*+\n?+", re.MULTILINE)  # of a div, as Quarto's own `::: {#refs}`
_FOOTNOTE = re.compile(r"^ {0,3}\[\^(?P<label>[^\]\n]{1,60})\]:[ \t]+(?=\S)", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t\r]*\n[\s]*")
_CONTINUED = re.compile(r"\n[ \t\r]*(?:\n|$)(?![ \t]{2,}\S)")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_IDENTIFIER = re.compile(r"10\.\d{4,9}/|arxiv", re.IGNORECASE)
# A line that begins with a family name and initials, or initials and a name, behind one that ended.
_BEGINS = re.compile(
    r"^(?:[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?,? (?:[A-Z]\.|[A-Z]{1,3}\b|[A-Z][a-z]+)|(?:[A-Z]\. ?)+[A-Z][a-z]"
    r"|[一-鿿]{2,4}[,，.])"
)
_ENDED = re.compile(r"[.\d)/\]]\s*$")
_FEWEST = 2  # items with a year or an identifier that make a list
_LONGEST = 2500  # characters of an item
_MOST = 5000  # items


def parse(document: Document, old: Entries | None = None) -> Syntax:
    """A document that is a list, or ends in one."""
    items = list(in_text(document.text))
    dated = any(_looks_dated(it.item.source) for it in items)
    return Syntax(entries=collected(items, old) if dated or _HEADING.search(document.text) else None)


def is_list(text: str) -> bool:
    """True if the text has items with years or identifiers: a beginning may do."""
    return sum(_looks_dated(it.item.source) for it in in_text(text)) >= _FEWEST


def _looks_dated(text: str) -> bool:
    return bool(_YEAR.search(text) or _IDENTIFIER.search(text))


def in_text(text: str) -> Iterator[Placed]:
    sections = list(_sections(text))
    yield from _items(text, sections[-1] if sections else Span(0, len(text)))


def in_markdown(text: str) -> Iterator[Placed]:
    """The lists under headings that name them, and the footnotes that look like references."""
    for section in _sections(text):
        items = list(_items(text, section))
        # What nothing dates or identifies is advice where to look, not a list of works.
        if any(_looks_dated(it.item.source) for it in items):
            yield from items
    for match in effort.iterate(_FOOTNOTE.finditer(text)):
        longest = match.end() + _LONGEST
        end = _CONTINUED.search(text, match.end(), longest)
        stop = min(end.start() if end else len(text), longest)
        written = text[match.end() : stop]
        if _IDENTIFIER.search(written) or re.search(r"\((?:1[5-9]|20)\d\d[a-z]?\)", written):
            yield _item(text, match["label"], Span(*match.span("label")), Span(match.end(), stop), match.start())


def in_org(text: str) -> Iterator[Placed]:
    """The lists under headings that name them."""
    for section in _sections(text, _ORG_HEADING, _ORG_NEXT):
        items = list(_items(text, section))
        if any(_looks_dated(it.item.source) for it in items):
            yield from items


def _sections(text: str, heading: re.Pattern[str] = _HEADING, other: re.Pattern[str] = _NEXT) -> Iterator[Span]:
    """What follows each heading that names a list, up to the next heading of any kind."""
    headings = list(effort.iterate(heading.finditer(text)))
    for following, found in effort.iterate(enumerate(headings, start=1)):
        stop = headings[following].start() if following < len(headings) else len(text)
        end = other.search(text, found.end(), stop)
        yield Span(found.end(), end.start() if end else stop)


def _items(text: str, section: Span) -> Iterator[Placed]:
    for number, (label, span, start) in enumerate(_parts(text, section), start=1):
        if number > _MOST or bounds.are_crowded(number, start):
            return
        body = _stripped(text, span)
        if body.end - body.start > _LONGEST or len(_FENCE.sub("", body.within(text))) < 12:
            continue
        key = label.within(text).strip() or str(number)
        yield _item(text, key, label, body, start)


def _item(text: str, key: str, label: Span, body: Span, start: int) -> Placed:
    source = text[start : body.end]
    place = label.moved(-start) if label.within(text).strip() else Span(body.start - start, body.start - start)
    return Placed(start, ReferenceItem(key, place, source, body.moved(-start), "reference"))


def _parts(text: str, section: Span) -> Iterator[tuple[Span, Span, int]]:
    """Label, text and start of each item."""
    for pattern in (_LABELLED, _NUMBERED, _LISTED):
        marks = list(pattern.finditer(text, *section))
        # One or two marks may be numbers at the beginning of lines, such as a volume.
        if len(marks) > 2 or (marks and not text[section.start : marks[0].start()].strip()):
            ends = [*(it.start() for it in marks[1:]), section.end]
            for found, end in zip(marks, ends, strict=True):
                yield Span(*found.span("label")), Span(found.end(), end), found.start()
            return
    starts = _paragraphs(text, section) or _line_starts(text, section)
    for start, end in pairwise([*starts, section.end]):
        yield Span(start, start), Span(start, end), start


def _paragraphs(text: str, section: Span) -> list[int]:
    """Where the items begin that blank lines part; none if there are no such lines."""
    first = _stripped(text, section).start
    gaps = [it.end() for it in _BLANK.finditer(text, first, section.end) if it.end() < section.end]
    return [first, *gaps] if gaps else []


def _line_starts(text: str, section: Span) -> list[int]:
    """Where items begin in a list that has neither labels nor blank lines.

    If each line has a year or an identifier, each is an item.  Else an item begins on the first line, and on each that
    begins with a person's name behind a line that ended.
    """
    every = list[int]()
    by_people = list[int]()
    before = ""
    all_dated = True
    offset = section.start
    for line in text[section.start : section.end].splitlines(keepends=True):
        words = line.strip()
        if words:
            start = offset + len(line) - len(line.lstrip())
            every.append(start)
            all_dated = all_dated and _looks_dated(words)
            if not by_people or (_ENDED.search(before) and _BEGINS.match(words)):
                by_people.append(start)
            before = words
        offset += len(line)
    return every if all_dated else by_people


def _stripped(text: str, span: Span) -> Span:
    written = span.within(text)
    start = span.start + len(written) - len(written.lstrip())
    return Span(start, max(start, span.start + len(written.rstrip())))
