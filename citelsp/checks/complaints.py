"""What is wrong with single values, and to whom it matters: facts of one entry each, and the findings made of them."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from citelsp.base.text import Edit, Span
from citelsp.checks.finding import Finding, Fix, Safety, Severity, limit_findings
from citelsp.checks.missing_field import dialect_of
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import strip_delimiters
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.nodes import Field, Reader
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something in one value.  Spans count from the entry's start."""

    field: str
    span: Span
    fault: str
    biber: str = ""  # what biber does then; "" if it does not mind, and then nothing is reported to who uses it
    bibtex: str = ""  # the same of BibTeX
    edits: tuple[tuple[Span, str], ...] = ()
    title: str = ""  # of the edits as a fix
    safety: Safety = "review"
    severity: Severity = "usual"
    for_any_reader: str = ""  # said instead of these two, whichever program reads it: what follows, or what to do
    milder: bool = False  # a warning, unless biber reads the bibliography

    def severity_for(self, reader: Reader) -> Severity:
        return "warning" if self.milder and reader != "biber" else self.severity

    def consequence(self, reader: Reader) -> str:
        """Say what the reader, the program that reads the bibliography, makes of the fault; "" if it does not mind.

        What follows whoever reads it (`for_any_reader`) comes first; pandoc and Typst mind nothing else.  If the reader
        is not known (""), what biber and BibTeX make of it; "" unless both mind, as it may be the one that does not.
        """
        if self.for_any_reader:
            return self.for_any_reader
        if reader == "biber":
            return self.biber
        if reader == "bibtex":
            return self.bibtex
        if reader or not (self.biber and self.bibtex):
            return ""
        if self.biber == self.bibtex:
            return self.biber
        # LaTeX cannot do both: say behind which of the two it does what.
        if self.biber.startswith("LaTeX") and self.bibtex.startswith("LaTeX"):
            return f"after biber {self.biber}, after BibTeX {self.bibtex}"
        return f"{self.biber}, {self.bibtex}"


def reader_of(project: Project, source: Source) -> Reader:
    """Return `Project.reader`; for a bibliography without a manuscript biber, if its fields are biblatex's."""
    if project.reader or project.parts:
        return project.reader
    return "biber" if dialect_of(project, source) == "biblatex" else ""


# A pure function of one entry: each entry keeps its answer across edits of others (`BibEntries.values_of`).
Fact = Callable[[BibNode], tuple[Complaint, ...]]


def findings(project: Project, code: str, fact: Fact) -> list[Finding]:
    """Report what `fact` complains of in the entries that are judged, if the program that reads them minds."""
    found: list[Finding] = []
    for source in project.defining:
        entries = source.syntax.entries
        if isinstance(entries, BibEntries):
            asked = _Asked(code, fact, reader_of(project, source))
            found += limit_findings(_find_in_source(source, project.judged(source), entries, asked))
    return found


class _Asked(NamedTuple):
    """What a check asks of entries, and for whom."""

    code: str
    fact: Fact
    reader: Reader


def _find_in_source(source: Source, judged: Collection[int], entries: BibEntries, asked: _Asked) -> Iterator[Finding]:
    """Yield the findings of one bibliography; entries without a key or an end are left to `malformed_entry`."""
    path = source.document.path
    for index, complaints in entries.each_value(asked.fact, judged):
        node = entries.node(index)
        if not (node.key and node.closed):
            continue
        for complaint in complaints:
            consequence = complaint.consequence(asked.reader)
            if consequence:
                yield _make_finding(asked, path, node, entries.start(index), complaint, consequence)


def _make_finding(
    asked: _Asked, path: str, node: BibNode, start: int, complaint: Complaint, consequence: str
) -> Finding:
    """Make the finding of a complaint about the entry `node`, which starts at offset `start` of the document.

    `consequence` says what the program that reads the bibliography does then.  `asked` has the finding's code and that
    program.
    """
    fixes: tuple[Fix, ...] = ()
    if complaint.title:  # of its edits; without one there is no fix
        edits = tuple(Edit(path, span.moved(start), text) for span, text in complaint.edits)
        fixes = (Fix(complaint.title, complaint.safety, edits),)
    return Finding(
        asked.code,
        path,
        complaint.span.moved(start),
        f"{complaint.fault}: {consequence}.",
        key=node.key,
        field=complaint.field,
        cited=complaint.span.within(node.source),
        fixes=fixes,
        severity=complaint.severity_for(asked.reader),
    )


def is_left_out(project: Project, finding: Finding) -> bool:
    """True if the style of BibTeX in use prints the field that a finding is about of no entry with its key.

    A type that the style does not know it prints as its default.  False if neither is known, or no entry has the key.
    """
    if project.bibtex_style is None:
        return False
    _, style = project.bibtex_style
    kinds = [place.node.kind for place in project.find(finding.key or "")]
    treatments = [style.of(kind) or style.of(style.default) for kind in kinds]
    return bool(treatments) and all(it is not None and finding.field not in it.fields for it in treatments)


class FieldValue(NamedTuple):
    """A field with its value, without the braces or quotes around it."""

    field: Field
    value: str
    start: int  # of the value, from the entry's start


def fields_of(node: BibNode, names: Collection[str]) -> Iterator[FieldValue]:
    """Yield the fields of these names whose value is one text (see `plain`)."""
    return (it for it in plain(node, node.source) if it.field.name in names)


def plain(node: BibNode, source: str) -> Iterator[FieldValue]:
    """Yield the fields whose value is one text in braces or quotes: no macro, and no parts joined by #."""
    for field in node.fields():
        written = field.value_span.within(source)
        value = strip_delimiters(written)
        if written[:1] in ("{", '"') and value is not written:
            yield FieldValue(field, value, field.value_span.start + 1)


def hide_match(found: re.Match[str]) -> str:
    """Return NUL for each character that matched, so that what stands behind keeps its offset."""
    return "\0" * len(found[0])
