r"""What makes Typst refuse a whole .bib file, although BibTeX and biber read it.

Unless there is a `date`, a `year` must begin with one to four digits, and a `month` is one name or number, behind which
only a day may stand; a `$` must be closed, except in addresses;
entries and other blocks stand in braces; and a @preamble is one text in quotes.  All entries count, cited or not.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from citelsp.base.text import Edit, Span
from citelsp.checks.finding import Check, Finding, Fix, limit_findings
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

CODE = "refused-by-typst"
_YEAR = re.compile(r"[+-]?\s*\d{1,4}(?!\d)")
# `May-June`, `Spring Summer`, `Dec 2019`: behind the name and a hyphen or space Typst wants a day.
_NO_DAY = re.compile(r"[A-Za-z]*-(?![\d-])|[A-Za-z]+\s+[A-Za-z]|[A-Za-z]+[-\s]+(?:\d{3,}|3[2-9]|[4-9]\d)")
_NOT_PARSED = frozenset({"url", "doi", "file", "eprint"})  # fields of which Typst takes every sign as it stands
_OPENS_IN_BRACES = re.compile(r"@[ \t]*\w+\s*\{")
# `@preamble{{…}}` or `@preamble{"…" # "…"}`
_PREAMBLE_OF_PARTS = re.compile(r"^@\w+\s*\{\s*\{|\"\s*#\s*[\"{]")
_QUOTE = re.compile(r'(?>(?:[^"\\]|\\.)*)"', re.DOTALL)
_DOLLAR_OR_ESCAPED = re.compile(r"\$|\\.", re.DOTALL)


class Refusal(NamedTuple):
    """A place in an entry that Typst cannot read.  Spans count from the entry's start."""

    span: Span
    fault: str
    field: str = ""
    edits: tuple[tuple[Span, str], ...] = ()  # that end it; none if the author has to choose
    title: str = ""  # of these edits


def check(project: Project, _: Knowledge) -> list[Finding]:
    if project.reader != "typst":
        return []
    findings: list[Finding] = []
    for source in project.defining:
        entries = source.syntax.entries
        if isinstance(entries, BibEntries):
            findings += limit_findings(chain(_find_in_source(source, entries), _find_in_blocks(source, entries)))
    return findings


def _find_in_source(source: Source, entries: BibEntries) -> Iterator[Finding]:
    """Yield a finding for each refusal; entries without a key or an end are left to `malformed_entry`."""
    path = source.document.path
    for index, refusals in entries.each_value(list_refusals, range(len(entries))):
        node = entries.node(index)
        if not (node.key and node.closed):
            continue
        start = entries.start(index)
        for refusal in refusals:
            fixes: tuple[Fix, ...] = ()
            if refusal.edits:
                edits = tuple(Edit(path, span.moved(start), text) for span, text in refusal.edits)
                fixes = (Fix(refusal.title, "review", edits),)
            yield Finding(
                CODE,
                path,
                refusal.span.moved(start),
                f"{refusal.fault}: Typst refuses the whole file.",
                key=node.key,
                field=refusal.field or None,
                fixes=fixes,
            )


def _find_in_blocks(source: Source, entries: BibEntries) -> Iterator[Finding]:
    """Yield a finding for each @string, @comment and @preamble that Typst cannot read."""
    blocks = entries.specials
    for node, start in zip(blocks.nodes, blocks.starts, strict=True):
        fault = _find_block_fault(node.kind, node.source)
        if fault:
            span = Span(start, start + len(f"@{node.kind}"))
            yield Finding(CODE, source.document.path, span, f"{fault}: Typst refuses the whole file.")


def _find_block_fault(kind: str, written: str) -> str:
    """Say what Typst cannot read in a block of this kind; "" if it can."""
    if kind not in ("string", "comment", "preamble"):
        return ""
    if not _OPENS_IN_BRACES.match(written):
        return f"The @{kind} is not in braces"
    if kind == "preamble" and _PREAMBLE_OF_PARTS.search(written):
        return "The @preamble is not one text in quotes"
    return ""


def list_refusals(node: BibNode) -> tuple[Refusal, ...]:
    """List what Typst cannot read in an entry: its head first, then its values in their order."""
    fields = node.fields()
    names = {field.name for field in fields}
    reads_parts = "year" in names and "date" not in names  # year, month and day, of which only the first must be there
    refusals = list(_refuse_head(node))
    for field in fields:
        written = field.value_span.within(node.source)
        refusals += _refuse_inner_quote(field.name, written, field.value_span.start)
        if field.name not in _NOT_PARSED:
            refusals += _refuse_open_formula(field.name, written, field.value_span.start)
        if field.name in ("year", "month") and reads_parts:
            refusals += _refuse_date_part(field.name, written, field.value_span)
    return tuple(refusals)


def _refuse_head(node: BibNode) -> Iterator[Refusal]:
    """Yield a space behind the `@`, and a parenthesis in the place of the opening brace."""
    if node.source[1:2].isspace():
        kind_start = node.source.lower().find(node.kind)
        space = Span(1, kind_start)
        yield Refusal(
            Span(0, kind_start), "There is a space behind the @", edits=((space, ""),), title="Remove the space"
        )
    opener = node.source.find("(", 0, node.key_span.start)
    if opener < 0:
        return
    opening = Span(opener, opener + 1)
    last = len(node.source) - 1
    edits = ((opening, "{"), (Span(last, last + 1), "}"))
    yield Refusal(opening, "The entry is in parentheses, not in braces", edits=edits, title="Write braces")


def _refuse_inner_quote(field: str, written: str, start: int) -> Iterator[Refusal]:
    """Yield the first quote within a value in quotes, `"a {"}b{"}"`: there Typst ends the value, though in braces."""
    is_one_text = written.startswith('"') and "#" not in written
    quote = _QUOTE.match(written, 1, len(written) - 1) if is_one_text else None
    if quote:
        span = Span(quote.end() - 1, quote.end()).moved(start)
        yield Refusal(span, "This quote ends the value in quotes (put it in braces)", field)


def _refuse_open_formula(field: str, written: str, start: int) -> Iterator[Refusal]:
    r"""Yield the last `$` of a value, which begins at `start`, if nothing closes it; `\$` opens nothing."""
    if "$" not in written:
        return
    dollars = [match.start() for match in _DOLLAR_OR_ESCAPED.finditer(written) if match[0] == "$"]
    is_closed = len(dollars) % 2 == 0
    if is_closed:
        return
    last = start + dollars[-1]
    span = Span(last, last + 1)
    yield Refusal(span, r"Nothing closes this $ (write \$ for a dollar)", field, ((span, r"\$"),), r"Write \$")


def _refuse_date_part(field: str, written: str, span: Span) -> Iterator[Refusal]:
    """Yield the value of a year or month field if Typst takes it for none; macros and formulas are not looked at."""
    value = written.strip('{}" \t\r\n')
    is_text = written[:1] in ("{", '"') and "$" not in written
    if not is_text:
        return
    if field == "month":
        if _NO_DAY.match(value):
            yield Refusal(span, f"“{value}” is not a month", field)
    elif not _YEAR.match(value):
        fault = f"“{value}” does not begin with the digits of a year" if value else "The year is empty"
        yield Refusal(span, fault, field)


CHECK = Check(
    CODE,
    "error",
    "Typst reads nothing of a .bib file, because of a year in words, a `$` that nothing closes, or parentheses.",
    check,
    needs="project",
    facts=lambda *_: [list_refusals],
)
