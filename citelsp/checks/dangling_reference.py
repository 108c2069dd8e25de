"""A crossref, xref, xdata, related or entryset field that names no entry, or one that BibTeX has passed already.

A value in another field that stands for one of an `@xdata` entry, `xdata=key-field`, may name no entry too.

BibTeX knows crossref alone, and reads a bibliography once: an entry that is not cited must stand behind the first one
that inherits from it.  biber looks everywhere, and ignores what names nothing.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from citelsp.base.text import Span
from citelsp.checks.finding import Check, Finding, Related, Severity, limit_findings
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex import granular_xdata
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import split_value
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "dangling-reference"
_FIELDS_OF_LISTS = frozenset({"xdata", "entryset", "related"})
_POINTING_FIELDS = ("crossref", "xref", *sorted(_FIELDS_OF_LISTS))
_KEY_IN_LIST = re.compile(r"[^\s,](?:[^,]*[^\s,])?")


class Pointer(NamedTuple):
    field: str
    key: str
    span: Span  # from the entry's start
    is_granular: bool = False  # `xdata=key-field` in place of a value, where `field` is "xdata"


def check(project: Project, _: Knowledge) -> list[Finding]:
    """Report fields that name no entry, with BibTeX also those that name one too early; nothing for other programs.

    Nothing either if not all was read, or if no manuscript says which files are read together: another may have the
    entry.
    """
    has_unread = project.bounded or any(it.link.kind == "bibliography" for it in project.unresolved)
    if has_unread or not project.parts or project.reader not in ("bibtex", "biber"):
        return []
    heirs = _find_first_heirs(project) if project.reader == "bibtex" else {}
    findings: list[Finding] = []
    for source in project.defining:
        of_source = (_find_fault(project, heirs, place, pointer) for place, pointer in _list_pointers(project, source))
        findings += limit_findings(finding for finding in of_source if finding)
    return findings


def _list_pointers(project: Project, source: Source) -> Iterator[tuple[Place, Pointer]]:
    """Yield each entry that findings are about with each key that its fields of _POINTING_FIELDS name."""
    if isinstance(source.syntax.entries, BibEntries):
        for index, pointers in source.syntax.entries.each_value(_read_pointers, project.judged(source)):
            for pointer in pointers:
                yield Place(source, index, project), pointer


def _read_pointers(node: BibNode) -> tuple[Pointer, ...]:
    """Read the keys that an entry's fields such as crossref name; those of _FIELDS_OF_LISTS may name several.

    Behind them come those of granular xdata.  Spans count from the entry's start.  A value that begins with a macro, or
    is joined of parts by `#`, names none, nor does an entry without an end, which is left to `malformed_entry`: its
    last value may be cut within a key.
    """
    source = node.source
    lowered = source.lower()
    # A quick look, which most entries pass: no such field.
    if not node.closed or not any(name in lowered for name in _POINTING_FIELDS):
        return ()
    pointers: list[Pointer] = []
    for field in node.fields():
        written = field.value_span.within(source)
        is_one_text = written[:1] in ("{", '"') and len(split_value(written)) == 1
        if not is_one_text or field.name not in _POINTING_FIELDS:
            continue
        inner = Span(field.value_span.start + 1, field.value_span.end - 1)
        if field.name in _FIELDS_OF_LISTS:  # parted by commas; in `crossref` a comma belongs to the key
            spans = [Span(*item.span()) for item in _KEY_IN_LIST.finditer(source, *inner)]
        else:
            value = inner.within(source)
            start = inner.start + len(value) - len(value.lstrip())
            spans = [Span(start, start + len(value.strip()))]
        pointers += [Pointer(field.name, span.within(source), span) for span in spans if span.start < span.end]
    granular = granular_xdata.find_key_spans(source)
    pointers += [Pointer("xdata", span.within(source), span, is_granular=True) for span in granular]
    return tuple(pointers)


def _find_fault(project: Project, heirs: Mapping[str, Place], place: Place, pointer: Pointer) -> Finding | None:
    """Report a key that a field of the entry at `place` names, if no entry has it, or if BibTeX passes that one by.

    None if the entry is there (to BibTeX in time), or if the program (`project.reader`) does not know the field.
    `heirs` has, by the parent's key as BibTeX compares keys, the first cited entry that inherits from each parent: a
    parent that nothing cites must stand behind it.  `pointer`: the field, and the key that it names.
    """
    parent = project.find_first(pointer.key)
    if project.reader == "biber":
        return _report_dangling(project, place, pointer) if parent is None else None
    if pointer.field != "crossref":  # BibTeX knows no other
        return None
    # Of an entry with further keys (`ids`) BibTeX knows one.
    if parent is None or project.canonical(parent.node.key) != project.canonical(pointer.key):
        return _report_dangling(project, place, pointer)
    return _report_too_early(place, pointer, parent) if _comes_too_early(project, parent, place, heirs) else None


def _report_dangling(project: Project, place: Place, pointer: Pointer) -> Finding:
    """Report a field that names no entry: an error, or a warning if the entry's own reference loses nothing by that.

    `place` is where the entry stands, `pointer` the field and the key that it names.
    """
    is_bibtex = project.reader == "bibtex"
    consequence = "BibTeX reports an error and inherits nothing" if is_bibtex else "biber ignores it"
    if pointer.is_granular:  # text is printed as it is, a name or an item of a list is left out
        consequence = "biber prints this value as it is, or leaves it out"
    severity: Severity = "usual"
    if pointer.field in ("xref", "related"):  # by which nothing is inherited
        severity = "warning"
    elif pointer.field == "crossref" and not is_bibtex and place.node.raw("booktitle"):
        # BibTeX ends with an error all the same; to biber nothing is lost that an entry has of its own, as the title of
        # its book, which is what a child has from its parent.
        severity = "warning"
    return Finding(
        CODE,
        place.source.document.path,
        pointer.span.moved(place.start),
        f"No entry has the key “{pointer.key}”: {consequence}.",
        key=place.node.key,
        field=pointer.field,
        cited=pointer.key,
        severity=severity,
    )


def _report_too_early(place: Place, pointer: Pointer, parent: Place) -> Finding:
    return Finding(
        CODE,
        place.source.document.path,
        pointer.span.moved(place.start),
        f"“{pointer.key}” must come after this entry, because BibTeX reads the file from top to bottom.",
        key=place.node.key,
        field=pointer.field,
        cited=pointer.key,
        related=(Related(parent.source.document.path, parent.key_span, "the entry that it names"),),
    )


def _comes_too_early(project: Project, parent: Place, child: Place, heirs: Mapping[str, Place]) -> bool:
    """True if the parent stands before BibTeX knows that it is needed, so that BibTeX does not read it.

    BibTeX reads an entry if it is cited, or if a cited child stood above it.  `heirs` has the first cited child of each
    parent, by canonical key; if several entries have the parent's key, one that stands late enough will do.
    """
    if project.cites_all or project.cites(parent.node.key):
        return False
    # If no cited entry inherits from the parent, the child, which is not cited itself, stands in for the first one.
    first_heir = heirs.get(project.canonical(parent.node.key), child)
    for each_parent in project.find(parent.node.key):
        # For a child that is not cited its own place is enough: what is wrong for the first heir is reported there.
        is_before_child = _stands_before(project, each_parent, child)
        if not is_before_child or not _stands_before(project, each_parent, first_heir):
            return False
    return True


def _find_first_heirs(project: Project) -> dict[str, Place]:
    """Return by the canonical key of a parent the first cited entry that inherits from it by `crossref`."""
    heirs: dict[str, Place] = {}
    for source in project.defining:
        for place, pointer in _list_pointers(project, source):
            if pointer.field == "crossref" and project.cites(place.node.key):
                heirs.setdefault(project.canonical(pointer.key), place)
    return heirs


def _stands_before(project: Project, first: Place, second: Place) -> bool:
    if first.source is second.source:
        return first.index < second.index
    order = [it.document.path for it in project.defining]
    return order.index(first.source.document.path) < order.index(second.source.document.path)


CHECK = Check(
    CODE,
    "error",
    "A `crossref`, `xref`, `xdata`, `related` or `entryset` names a key that no entry has. "
    "With BibTeX, the parent may also be in the wrong place.",
    check,
    needs="project",
    facts=lambda *_: [_read_pointers],
)
