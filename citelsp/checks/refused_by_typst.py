r"""What makes Typst refuse a whole .bib file, although BibTeX and biber read it.

Unless there is a `date`, a `year` must begin with one to four digits, and behind the name of a `month` only a day may
stand; a `$` must be closed, except in addresses; entries and other blocks stand in braces; and a @preamble is one text
in quotes.  All entries count, cited or not.
"""

import re
from collections.abc import Collection, Iterator
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
# Behind `\` may be an accent, which Typst puts on a digit; a named command is none of a year to it.
_YEAR = re.compile(r"[+-]?\s*[0-9]{1,4}(?![0-9])|\\(?![A-Za-z]{2})")
# `May-June`, `Spring Summer`, `Dec 2019`: behind the name and hyphens or spaces Typst wants a day.  `--` is a dash.
_NO_DAY = re.compile(r"[A-Za-z]*(?>(?:\s|(?<!-)-(?!-))+)(?!0*+(?:[1-9]|[12][0-9]|3[01])(?![0-9]))")
_OTHER_DATES = frozenset({"date", "crossref", "xdata"})  # fields with a date, or with a parent that may have one
_NOT_PLAIN = frozenset("$#")  # signs of formulas and of joined texts
_BRACE = re.compile(r"[{}]")
# Fields of which Typst takes every sign as it stands.
_NOT_PARSED = frozenset("file doi uri eprint verba verbb verbc pdf url urlraw".split())
_HEAD = re.compile(r"@[ \t]*\w+")
_OPENS_IN_BRACES = re.compile(r"@\w+\s*\{")
_TEXT_IN_QUOTES = re.compile(r'@\w+\s*\{\s*"(?>(?:[^"\\]|\\.)*)"\s*\}', re.DOTALL)
_QUOTE = re.compile(r'(?>(?:[^"\\]|\\.)*)"', re.DOTALL)
_ENDS_ENTRY = re.compile(r"\s*(?:,\s*)?\}")
# What Typst reads at once: an escaped sign, an accent with its letter, a command, a formula.  In a formula `\$` is its
# end; the name of a command goes on over `$`, as in `\LaTeX$x$`.
_COMMAND_OR_FORMULA = re.compile(
    r"""\\(?:[{}\\#&%$_:]|-|["´`'^~=.]\s*[^{]?|[bcdHkruv]\s+[^{]|\S[^\s@{}"#'(),=%\\~]*)|(?P<opening>\$)[^$]*(?P<closing>\$?)"""
)


class Refusal(NamedTuple):
    """A place in an entry that Typst cannot read.  Spans count from the entry's start."""

    span: Span
    fault: str
    field: str = ""
    consequence: str = "Typst refuses the whole file"
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
                f"{refusal.fault}: {refusal.consequence}.",
                key=node.key,
                field=refusal.field or None,
                fixes=fixes,
            )


def _find_in_blocks(source: Source, entries: BibEntries) -> Iterator[Finding]:
    """Yield a finding for each @string, @comment and @preamble that Typst cannot read; none for one without an end."""
    blocks = entries.specials
    for node, start in zip(blocks.nodes, blocks.starts, strict=True):
        head = _HEAD.match(node.source)
        fault = _find_block_fault(node.kind, node.source) if node.closed else ""
        if head and fault:
            span = Span(start, start + head.end())
            yield Finding(CODE, source.document.path, span, f"{fault}: Typst refuses the whole file.")


def _find_block_fault(kind: str, written: str) -> str:
    """Say what Typst cannot read in a block of this kind; "" if it can."""
    if kind not in ("string", "comment", "preamble"):
        return ""
    if written[1:2].isspace():
        return "There is a space behind the @"
    if not _OPENS_IN_BRACES.match(written):
        return f"The @{kind} is not in braces"
    if kind == "preamble" and not _TEXT_IN_QUOTES.match(written):
        return "The @preamble is not one text in quotes"
    return ""


def list_refusals(node: BibNode) -> tuple[Refusal, ...]:
    """List what Typst cannot read in an entry: its head first, then its values in their order.

    Nothing behind a quote that ends the entry for Typst.
    """
    fields = node.fields()
    last = {field.name: field for field in fields}  # of a repeated field Typst reads the last value
    read_parts = _list_date_parts(last)
    refusals = list(_refuse_head(node))
    for field in fields:
        written = field.value_span.within(node.source)
        quote = _find_inner_quote(written)
        if quote is not None:
            at = field.value_span.start + quote
            ends_entry = _ENDS_ENTRY.match(written, quote + 1) is not None
            refusals.append(_refuse_inner_quote(field.name, at, ends_entry=ends_entry))
            if ends_entry:
                break
        if field.name not in _NOT_PARSED:
            refusals += _refuse_open_formula(field.name, written, field.value_span.start)
        if field.name in read_parts and field is last[field.name]:
            refusals += _refuse_date_part(field.name, written, field.value_span)
    return tuple(refusals)


def _list_date_parts(names: Collection[str]) -> tuple[str, ...]:
    """List which of `year` and `month` Typst reads in an entry with fields of these names.

    None if it has a date, or may inherit one; without a year no month; and of a month beside a `day` any name will do.
    """
    if "year" not in names or not _OTHER_DATES.isdisjoint(names):
        return ()
    return ("year",) if "day" in names else ("year", "month")


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


def _find_inner_quote(written: str) -> int | None:
    """Return the offset of the first quote within a value in quotes, `"a {"}b{"}"`; None without.

    There Typst ends the value, though the quote is in braces.
    """
    is_one_text = written.startswith('"') and "#" not in written
    quote = _QUOTE.match(written, 1, len(written) - 1) if is_one_text else None
    return quote.end() - 1 if quote else None


def _refuse_inner_quote(field: str, at: int, *, ends_entry: bool) -> Refusal:
    """Say that a quote ends its value; `ends_entry`: also its entry, as a brace is next, so that the file is read."""
    span = Span(at, at + 1)
    if ends_entry:
        fault = "This quote ends the value and the entry (put the value in braces)"
        return Refusal(span, fault, field, "Typst leaves out the rest")
    return Refusal(span, "This quote ends the value in quotes (put it in braces)", field)


def _refuse_open_formula(field: str, written: str, start: int) -> Iterator[Refusal]:
    r"""Yield the `$` of a value, which begins at `start`, that nothing closes; `\$` opens nothing."""
    if "$" not in written:
        return
    for match in _COMMAND_OR_FORMULA.finditer(written):
        if match["opening"] and not match["closing"]:
            span = Span(*match.span("opening")).moved(start)
            fault = r"Nothing closes this $ (write \$ for a dollar)"
            yield Refusal(span, fault, field, edits=((span, r"\$"),), title=r"Write \$")


def _refuse_date_part(field: str, written: str, span: Span) -> Iterator[Refusal]:
    """Yield the value of a year or month field if Typst takes it for none.

    Only plain text in braces or quotes is looked at: what a macro, a formula or joined texts (`#`) come to is not
    known.
    """
    is_plain_text = written[:1] in ("{", '"') and _NOT_PLAIN.isdisjoint(written)
    if not is_plain_text:
        return
    shown = written[1:-1].strip()
    value = _BRACE.sub("", written[1:-1]).lstrip()
    if field == "month":
        name = value.rstrip()
        # First without the space at its end: behind that Typst wants a day, too, but it can be removed.
        if _NO_DAY.match(name):
            yield Refusal(span, f"“{shown}” is not a month", field)
        elif _NO_DAY.match(value):
            yield Refusal(
                span, "A space ends the month", field, edits=((span, f"{{{name}}}"),), title="Remove the space"
            )
    elif not _YEAR.match(value):
        fault = f"“{shown}” does not begin with the digits of a year" if value else "The year is empty"
        yield Refusal(span, fault, field)


CHECK = Check(
    CODE,
    "error",
    "Typst reads nothing of a .bib file, because of a year in words, a `$` that nothing closes, or parentheses.",
    check,
    needs="project",
    facts=lambda project, _: [list_refusals] if project.reader == "typst" else [],
    of_parsed=True,
)
