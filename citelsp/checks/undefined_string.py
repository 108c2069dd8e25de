"""A macro that no @string defines above its place: BibTeX and biber read from the top, and leave it out.

BibTeX's styles define macros of their own; the names that the styles of TeX Live define are never reported for BibTeX.
"""

import re
from collections.abc import Container, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import NamedTuple

from citelsp.base.text import Edit, Span
from citelsp.bibliography import shipped_lists
from citelsp.bibliography.string_macros import MONTHS
from citelsp.checks.complaints import reader_of
from citelsp.checks.finding import Check, Finding, Fix, Related, Severity, limit_findings
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import macros_in
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.nodes import Reader
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

CODE = "undefined-string"
# A value, or a part of one, that stands without braces and quotes, and is no month and no number.
_USE = re.compile(rf"[=#]\s*+(?!(?i:{'|'.join(MONTHS)})\s*+[,}}#)])[^\s\"#,={{}}()%@\d][^\s\"#,={{}}()%@]*+\s*+[,}}#)]")
_MONTHS = frozenset("january february march april june july august september sept october november december".split())
# Fields that BibTeX's standard styles print, for a manuscript whose style is not known.
_OF_STANDARD_STYLES = frozenset(
    """address author booktitle chapter crossref edition editor howpublished institution journal key month note number
    organization pages publisher school series title type volume year""".split()
)
_CONSEQUENCE = {
    "biber": "biber leaves it out",
    "bibtex": "BibTeX leaves it out",
    "typst": "Typst refuses the whole file",
    "": "BibTeX and biber leave it out",
}


class Use(NamedTuple):
    field: str
    name: str
    span: Span  # from the entry's start


def check(project: Project, _: Knowledge) -> list[Finding]:
    """Report macros that no @string defines, or that one defines too late.

    Nothing if a bibliography was not read, and nothing for pandoc.
    """
    is_cut_by_limit = project.bounded
    if is_cut_by_limit or any(it.link.kind == "bibliography" for it in project.unresolved):
        return []  # what was not read may define the macro
    findings: list[Finding] = []
    defined_before: set[str] = set()  # the macros of the files that are read before this one
    for source in project.defining:
        entries = source.syntax.entries
        if isinstance(entries, BibEntries):
            reader = reader_of(project, source)
            if reader == "typst":
                defined_before.clear()  # each file stands for itself
            if reader != "pandoc":  # of which _CONSEQUENCE names no harm
                findings += limit_findings(_find_in_source(project, source, entries, reader, defined_before))
            defined_before.update(source.syntax.strings)
    return findings


def _find_in_source(
    project: Project, source: Source, entries: BibEntries, reader: Reader, above: Container[str]
) -> Iterator[Finding]:
    """Report macros that are used but not defined above; `above` are those of the files that are read before this one.

    For BibTeX only in fields that the style in use prints, and not those that styles define themselves; the latter also
    if the reader is not known, as it may be BibTeX.  For Typst a macro may also be defined below, and what is wrong
    with a @preamble is left to `refused_by_typst`.  `reader`: the program that reads the bibliography.
    """
    definitions = dict(_find_definitions(entries)) if source.syntax.strings else {}  # name → where it begins
    fields = _OF_STANDARD_STYLES
    if project.bibtex_style:
        _, style = project.bibtex_style  # its name, and what it does
        fields = style.fields
    for node, start, used in chain(of_blocks(entries), _find_uses(project, source, entries)):
        if reader == "typst" and node.kind == "preamble":
            continue
        for use in used:
            name = use.name.lower()
            definition = definitions.get(name)
            is_in_place = definition is not None and (reader == "typst" or definition < start)
            is_defined = is_in_place or name in above
            is_read = reader != "bibtex" or not node.key or use.field in fields  # blocks have no key: all is read
            if is_defined or not is_read or _is_of_a_style(name, reader):
                continue
            in_document = use._replace(span=use.span.moved(start))
            if definition is None:
                yield _make_finding(project, source, node.key, in_document, reader)
            else:
                yield _report_too_early(source, node.key, in_document, definition, reader)


def _find_uses(project: Project, source: Source, entries: BibEntries) -> Iterator[tuple[BibNode, int, tuple[Use, ...]]]:
    """Yield the entries that findings are about and that use macros, each with its start and these."""
    for index, used in entries.each_value(uses, project.list_parsed(source)):
        yield entries.node(index), entries.start(index), used


def of_blocks(entries: BibEntries) -> Iterator[tuple[BibNode, int, tuple[Use, ...]]]:
    """Yield the macros that @string and @preamble use, with each such block and its start."""
    for node, start in zip(entries.specials.nodes, entries.specials.starts, strict=True):
        if node.kind == "string" and node.closed:
            yield node, start, uses(node)
        elif node.kind == "preamble" and node.closed:
            yield node, start, _find_macros("", node.source, Span(node.key_start, node.length - 1))


def _find_definitions(entries: BibEntries) -> Iterator[tuple[str, int]]:
    """Yield each macro with the offset of its @string; the first definition comes last, so that `dict` keeps it."""
    blocks = entries.specials
    for node, start in reversed([*zip(blocks.nodes, blocks.starts, strict=True)]):
        if node.kind == "string":
            yield from ((name, start) for name in node.values())


def _make_finding(project: Project, source: Source, key: str, use: Use, reader: Reader) -> Finding:
    """Report a macro that nothing defines; the span of `use` counts in the document.

    `key` is that of the entry, "" in an @string or @preamble.  If no manuscript is known it is only information, as
    another file may be read before this one.  `reader`: the program that reads the bibliography, "" if it is not known.
    """
    path = source.document.path
    if not project.parts:
        message = f"No @string in this file defines “{use.name}”: it may need braces."
        return replace(_report_use(path, key, use, message), severity="information")
    name = use.name.lower()
    fixes: tuple[Fix, ...] = ()
    if use.field == "month" and name in _MONTHS:
        short = name[:3]  # `june` is no macro, `jun` is
        fixes = (Fix(f"Write {short}", "safe", (Edit(path, use.span, short),)),)
    consequence = _CONSEQUENCE.get(reader, "")
    if reader == "typst" and not key:
        consequence = "Typst refuses the whole file once an entry uses this @string"
    message = f"No @string defines “{use.name}”: {consequence}."
    return replace(_report_use(path, key, use, message), fixes=fixes, severity=_choose_severity(reader))


def _report_too_early(source: Source, key: str, use: Use, definition: int, reader: Reader) -> Finding:
    """Report a macro that is defined only below its use, where its `definition` begins.

    `key`: of the entry, "" in an @string; `reader`: the program that reads the bibliography.
    """
    path = source.document.path
    related = (Related(path, Span(definition, definition + len("@string")), "its definition"),)
    message = f"“{use.name}” is defined below: {_CONSEQUENCE.get(reader, '')}."
    return replace(_report_use(path, key, use, message), related=related, severity=_choose_severity(reader))


def _choose_severity(reader: Reader) -> Severity:
    return "warning" if reader == "bibtex" else "usual"  # BibTeX itself warns of it, and goes on


def _report_use(path: str, key: str, use: Use, message: str) -> Finding:
    """Report at a macro what is wrong with it; its span counts in the document at `path`.

    `key`: of the entry, "" in an @string or @preamble.
    """
    return Finding(CODE, path, use.span, message, key=key or None, field=use.field, cited=use.name)


def uses(node: BibNode) -> tuple[Use, ...]:
    """The macros that an entry or @string uses, months left out."""
    source = node.source
    if not _USE.search(source):
        return ()
    all_uses: list[Use] = []
    for field in node.fields():
        all_uses += _find_macros(field.name, source, field.value_span)
    return tuple(all_uses)


def _find_macros(field: str, source: str, value: Span) -> tuple[Use, ...]:
    """The macros in one value, months left out."""
    every = [Use(field, span.within(source), span) for span in macros_in(source, value)]
    return tuple(use for use in every if use.name.lower() not in MONTHS)


def _is_of_a_style(name: str, reader: Reader) -> bool:
    return reader not in ("biber", "typst") and name in _list_macros_of_styles()


@cache
def _list_macros_of_styles() -> frozenset[str]:
    return frozenset(shipped_lists.read("macros.txt").split())


CHECK = Check(
    CODE,
    "error",
    "A value without braces is a macro that no `@string` above it defines.",
    check,
    needs="project",
    facts=lambda *_: [uses],
    of_parsed=True,
)
