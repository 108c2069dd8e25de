"""Reference lists as they are printed: pasted text, a PDF's list, a section of a Markdown document.

Items have labels ("[12]", "12.", "[Knu84]"), list signs, or stand in paragraphs or lines of their own.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise

from citelsp.base import bounds, effort
from citelsp.base.text import Document, Span
from citelsp.syntax.formats.items import Placed, ReferenceItem, collect
from citelsp.syntax.nodes import Entries, Syntax

_NAMES = "|".join(
    (
        r"references(?: and notes)?|reference list|bibliography|literature(?: cited)?|works cited|cited works|sources",
        r"literatur(?:verzeichnis|angaben)?|quellen(?:verzeichnis)?|bibliographie|références(?: bibliographiques)?",
        r"bibliografía|referencias(?: bibliográficas)?|bibliografia|riferimenti|参考文献",
    )
)
# `## References`, `**Bibliography**`, or `7. Literature cited:`.
_HEADING = re.compile(
    rf"^[ \t]*(?:\#{{1,6}}[ \t]+|\*\*|__)?(?:\d+\.?[ \t]+)?(?:{_NAMES})[ \t]*+:?(?:\*\*|__)?[ \t]*+\#*+"
    r"(?:\{[^{}\n]{0,200}\})?[ \t\r]*+$",  # `{.unnumbered}`
    re.IGNORECASE | re.MULTILINE,
)
# `* References :noexport:`.
_ORG_HEADING = re.compile(
    rf"^\*{{1,8}}[ \t]+(?:{_NAMES})[ \t]*+(?::[\w@:]{{1,80}}:)?[ \t\r]*+$", re.IGNORECASE | re.MULTILINE
)
_NEXT_ORG_HEADING = re.compile(r"^(?:\*+[ \t]+\S|#\+)", re.MULTILINE)
# Any heading of Markdown, or `A. Appendix` without a sign before it.
_NEXT_HEADING = re.compile(
    r"^[ \t]*(?:\#{1,6}[ \t]+\S|(?:(?:[A-Z]|\d+)\.?[ \t]+)?"
    r"(?:appendix|appendices|supplementary materials?|anhang|annexe)\b)",
    re.IGNORECASE | re.MULTILINE,
)
# `[12] ` or `[Knu84] `.
_LABELLED = re.compile(r"^[ \t]{0,8}[\[［](?P<label>[^\[\]\n［］^]{1,40})[\]］]:?[ \t]*(?=\S)", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]{0,8}\(?(?P<label>\d{1,4})[.)][ \t]+(?=\S)", re.MULTILINE)  # `12. ` or `(12) `
_LISTED = re.compile(r"^[ \t]{0,3}[-*+•–][ \t]+(?P<label>)(?=\S)", re.MULTILINE)  # `- `; the label is empty
_DIV_FENCE = re.compile(r"^[ \t]*+:{3,}+[^\n]*+\n?+", re.MULTILINE)  # of a div, as Quarto's own `::: {#refs}`
# `[^1]: `, as pandoc reads it: the space may be missing, and the text may begin on the next line.
_FOOTNOTE = re.compile(r"^ {0,3}\[\^(?P<label>[^\]\n]{1,60})\]:[ \t]*+(?>(?:\r?\n[ \t]++)?)(?=\S)", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t\r]*\n[\s]*")
_FOOTNOTE_MARK = re.compile(r"\[\^[^\]\n]{1,60}\]:")
# Where a footnote ends: before the next one, or at a blank line that no indented line follows.
_FOOTNOTE_END = re.compile(rf"\n(?= {{0,3}}{_FOOTNOTE_MARK.pattern})|\n[ \t\r]*(?:\n|$)(?![ \t]{{2,}}\S)")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_YEAR_IN_PARENTHESES = re.compile(r"\((?:1[5-9]|20)\d\d[a-z]?\)")
_IDENTIFIER = re.compile(r"10\.\d{4,9}/|arxiv", re.IGNORECASE)
# A line that begins with a family name and initials, or initials and a name, behind one that ended.
_BEGINS = re.compile(
    r"^(?:[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?,? (?:[A-Z]\.|[A-Z]{1,3}\b|[A-Z][a-z]+)|(?:[A-Z]\. ?)+[A-Z][a-z]"
    r"|[一-鿿]{2,4}[,，.])"
)
_ENDED = re.compile(r"[.\d)/\]]\s*$")  # a line that ends a reference: `…, 1984.`, `pp. 1-9`
_FEWEST_DATED = 2  # items with a year or an identifier that make a list
_SHORTEST_ITEM = 12  # characters
_LONGEST_ITEM = 2500
_MOST_ITEMS = 5000


def parse(document: Document, old: Entries | None = None) -> Syntax:
    """The entries of a document that is a list, or ends in one."""
    items = list(in_text(document.text))
    is_dated = any(_looks_dated(placed.item.source) for placed in items)
    return Syntax(entries=collect(items, old) if is_dated or _HEADING.search(document.text) else None)


def is_list(text: str) -> bool:
    """True if the text has items with years or identifiers: a beginning may do."""
    return sum(_looks_dated(placed.item.source) for placed in in_text(text)) >= _FEWEST_DATED


def _looks_dated(text: str) -> bool:
    return bool(_YEAR.search(text) or _IDENTIFIER.search(text))


def in_text(text: str) -> Iterator[Placed]:
    """The items under the last heading that names a list; without such a heading those of the whole text."""
    sections = list(_sections(text, _HEADING, _NEXT_HEADING))
    yield from _items(text, sections[-1] if sections else Span(0, len(text)))


def in_markdown(text: str) -> Iterator[Placed]:
    """The lists under headings that name them, and the footnotes that look like references, in a list or elsewhere.

    A footnote looks like one if it has an identifier or a year.  If it stands in no list, the year must be in
    parentheses, as a remark may name one.  Of a footnote that is too long, the beginning is taken.
    """
    sections = list(_sections(text, _HEADING, _NEXT_HEADING))
    section_starts = [section.start for section in sections]
    for section in sections:  # the footnotes in them follow below
        yield from _keep_dated(item for item in _items(text, section) if not is_footnote(item.item.source))
    for match in effort.iterate(_FOOTNOTE.finditer(text)):
        farthest = match.end() + _LONGEST_ITEM
        footnote_end = _FOOTNOTE_END.search(text, match.end(), farthest)
        body = Span(match.end(), min(footnote_end.start() if footnote_end else len(text), farthest))
        written = body.within(text)
        before = bisect_right(section_starts, match.start())  # how many lists begin before it
        is_in_list = before > 0 and match.start() < sections[before - 1].end
        year = _YEAR if is_in_list else _YEAR_IN_PARENTHESES
        if _IDENTIFIER.search(written) or year.search(written):
            yield _item(text, match["label"], Span(*match.span("label")), body, match.start())


def in_org(text: str) -> Iterator[Placed]:
    """The lists under headings that name them."""
    for section in _sections(text, _ORG_HEADING, _NEXT_ORG_HEADING):
        yield from _keep_dated(_items(text, section))


def is_footnote(item: str) -> bool:
    """True for an item of Markdown that stands in a footnote, which may be a remark that names a year."""
    return _FOOTNOTE_MARK.match(item.lstrip()) is not None


def _keep_dated(items: Iterable[Placed]) -> list[Placed]:
    """The items of a list, if something dates or identifies one: otherwise it is advice where to look."""
    placed = list(items)
    return placed if any(_looks_dated(it.item.source) for it in placed) else []


def _sections(text: str, heading: re.Pattern[str], next_heading: re.Pattern[str]) -> Iterator[Span]:
    """Yield what follows each `heading`, which names a list, up to the next one or to a heading of any kind."""
    headings = list(effort.iterate(heading.finditer(text)))
    for number, match in effort.iterate(enumerate(headings, start=1)):
        stop = headings[number].start() if number < len(headings) else len(text)
        end = next_heading.search(text, match.end(), stop)
        yield Span(match.end(), end.start() if end else stop)


def _items(text: str, section: Span) -> Iterator[Placed]:
    """Yield the references of a list, which ends early if there are more, or denser ones, than any list has.

    What is too short or too long for a reference is passed over, but counted.  The key is the label, or if there is
    none the number in the list.
    """
    for number, (label, span, start) in enumerate(_split_items(text, section), start=1):
        if number > _MOST_ITEMS or bounds.are_crowded(number, start):
            return
        body = _stripped(text, span)
        is_too_long = body.end - body.start > _LONGEST_ITEM
        # The `:::` that closes a list's div belongs to its last item, or is one by itself.
        is_too_short = len(_DIV_FENCE.sub("", body.within(text))) < _SHORTEST_ITEM
        if is_too_long or is_too_short:
            continue
        key = label.within(text).strip() or str(number)
        yield _item(text, key, label, body, start)


def _item(text: str, key: str, label: Span, body: Span, start: int) -> Placed:
    """The reference that begins at `start` with its label, if it has one; the key stands there, or before the text."""
    source = text[start : body.end]
    has_label = bool(label.within(text).strip())
    key_span = label.moved(-start) if has_label else Span(body.start - start, body.start - start)
    return Placed(start, ReferenceItem(key, key_span, source, body.moved(-start), "reference"))


def _split_items(text: str, section: Span) -> Iterator[tuple[Span, Span, int]]:
    """Yield for each item of a list where its label and its text stand, and where it begins.

    If the list has labels in brackets, items begin with them; else with numbers; else with list signs; else behind
    blank lines; else on lines of their own.  What stands before the first label, number or sign is left out.  The span
    of the label is empty if there is none.
    """
    for pattern in (_LABELLED, _NUMBERED, _LISTED):
        marks = list(pattern.finditer(text, *section))
        begins_with_mark = bool(marks) and not text[section.start : marks[0].start()].strip()
        # One or two marks may be numbers at the beginning of lines, such as a volume.
        if len(marks) > 2 or begins_with_mark:
            ends = [*(mark.start() for mark in marks[1:]), section.end]
            for mark, end in zip(marks, ends, strict=True):
                yield Span(*mark.span("label")), Span(mark.end(), end), mark.start()
            return
    starts = _paragraphs(text, section) or _line_starts(text, section)
    for start, end in pairwise([*starts, section.end]):
        yield Span(start, start), Span(start, end), start


def _paragraphs(text: str, section: Span) -> list[int]:
    """List the offsets where items begin behind blank lines; empty if there are no such lines."""
    first = _stripped(text, section).start
    later = [gap.end() for gap in _BLANK.finditer(text, first, section.end) if gap.end() < section.end]
    return [first, *later] if later else []


def _line_starts(text: str, section: Span) -> list[int]:
    """List the offsets where items begin in a list that has neither labels nor blank lines.

    If each line has a year or an identifier, each is an item.  Else an item begins on the first line, and on each that
    begins with a person's name behind a line that ended.
    """
    line_starts: list[int] = []
    starts_by_people: list[int] = []
    line_before = ""
    each_dated = True
    offset = section.start
    for line in section.within(text).splitlines(keepends=True):
        words = line.strip()
        if words:
            start = offset + len(line) - len(line.lstrip())
            line_starts.append(start)
            each_dated = each_dated and _looks_dated(words)
            begins_item = _ENDED.search(line_before) and _BEGINS.match(words)
            if not starts_by_people or begins_item:
                starts_by_people.append(start)
            line_before = words
        offset += len(line)
    return line_starts if each_dated else starts_by_people


def _stripped(text: str, span: Span) -> Span:
    """The span without white space at its ends."""
    written = span.within(text)
    start = span.start + len(written) - len(written.lstrip())
    return Span(start, max(start, span.start + len(written.rstrip())))
