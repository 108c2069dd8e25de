"""What is wrong with single values, and to whom it matters: facts of one entry each, and the findings made of them."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from citelsp.base.text import Edit, Span
from citelsp.checks.finding import Finding, Fix, Safety, Severity, bounded
from citelsp.checks.missing_field import dialect_of
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import stripped
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
    biber: str = ""  # what biber does then; "" if it does not mind
    bibtex: str = ""
    edits: tuple[tuple[Span, str], ...] = ()
    title: str = ""  # of the edits as a fix
    safety: Safety = "review"
    severity: Severity = "usual"
    anyhow: str = ""  # what follows whoever reads it

    def consequence(self, reader: Reader) -> str:
        """What follows from the fault for this reader; if none is known, for both, or "" unless both mind."""
        if self.anyhow:
            return self.anyhow
        if reader == "biber":
            return self.biber
        if reader == "bibtex":
            return self.bibtex
        if reader or not (self.biber and self.bibtex):
            return ""
        return self.biber if self.biber == self.bibtex else f"{self.biber}, {self.bibtex}"


def reader_of(project: Project, source: Source) -> Reader:
    """As `Project.reader`; of a bibliography by itself, biber if its fields are biblatex's."""
    if project.reader or project.parts:
        return project.reader
    return "biber" if dialect_of(project, source) == "biblatex" else ""


Fact = Callable[[BibNode], tuple[Complaint, ...]]


def findings(project: Project, code: str, fact: Fact) -> list[Finding]:
    found: list[Finding] = []
    for source in project.defining:
        entries, reader = source.syntax.entries, reader_of(project, source)
        if isinstance(entries, BibEntries):
            found += bounded(_of_source(source, project.judged(source), entries, (code, fact, reader)))
    return found


def _of_source(
    source: Source, judged: Collection[int], entries: BibEntries, asked: tuple[str, Fact, Reader]
) -> Iterator[Finding]:
    (code, fact, reader), path = asked, source.document.path
    for index, complaints in entries.each_value(fact, judged):
        node, start = entries.node(index), entries.start(index)
        written = node.source
        for complaint in complaints if node.key and node.closed else ():
            if consequence := complaint.consequence(reader):
                message = f"{complaint.fault}: {consequence}."
                fix = Fix(complaint.title, complaint.safety, _edits(path, complaint, start))
                cited, span = complaint.span.within(written), complaint.span.moved(start)
                fixes = (fix,) if complaint.title else ()
                yield Finding(
                    code,
                    path,
                    span,
                    message,
                    node.key,
                    complaint.field,
                    cited,
                    fixes=fixes,
                    severity=complaint.severity,
                )


def _edits(path: str, complaint: Complaint, start: int) -> tuple[Edit, ...]:
    return tuple(Edit(path, span.moved(start), text) for span, text in complaint.edits)


def fields_of(node: BibNode, names: Collection[str]) -> Iterator[tuple[Field, str, int]]:
    """As `plain`, the fields of these names."""
    return (it for it in plain(node, node.source) if it[0].name in names)


def plain(node: BibNode, source: str) -> Iterator[tuple[Field, str, int]]:
    """The fields of one braced or quoted part, each with its value and the place where that begins."""
    for field in node.fields():
        written = field.value_span.within(source)
        value = stripped(written)
        if written[:1] in ("{", '"') and value is not written:
            yield field, value, field.value_span.start + 1


def hide_match(found: re.Match[str]) -> str:
    """NUL for each character, so that what stands behind keeps its place."""
    return "\0" * len(found[0])
