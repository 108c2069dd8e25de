"""A crossref, xref, xdata, related or entryset field that names no entry, or one that BibTeX has passed already.

BibTeX knows crossref alone, and reads a bibliography once: an entry that is not cited must stand behind the first one
that inherits from it.  biber looks everywhere, and ignores what names nothing.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from citelsp.base.text import Span
from citelsp.checks.finding import Check, Finding, Related, Severity, bounded
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "dangling-reference"
_LISTS = frozenset({"xdata", "entryset", "related"})
_FIELDS = ("crossref", "xref", *sorted(_LISTS))
_ITEM = re.compile(r"[^\s,](?:[^,]*[^\s,])?")


class Pointer(NamedTuple):
    field: str
    key: str
    span: Span  # from the entry's start


def check(project: Project, _: Knowledge) -> list[Finding]:
    if project.bounded or any(it.link.kind == "bibliography" for it in project.unresolved) or not project.parts:
        return []
    if project.reader not in ("bibtex", "biber"):
        return []
    heirs = _heirs(project) if project.reader == "bibtex" else {}
    found: list[Finding] = []
    for source in project.defining:
        of_source = (_finding(project, heirs, place, pointer) for place, pointer in _pointers_of(project, source))
        found += bounded(it for it in of_source if it)
    return found


def _pointers_of(project: Project, source: Source) -> Iterator[tuple[Place, Pointer]]:
    if isinstance(source.syntax.entries, BibEntries):
        for index, pointers in source.syntax.entries.each_value(_pointers, project.judged(source)):
            yield from ((Place(source, index, project), it) for it in pointers)


def _pointers(node: BibNode) -> tuple[Pointer, ...]:
    """The keys that an entry's fields name, in their order; an `xdata` or `related` field may name several."""
    source = node.source
    lowered = source.lower()
    if not any(it in lowered for it in _FIELDS):
        return ()
    pointers: list[Pointer] = []
    for field in node.fields():
        written = field.value_span.within(source)
        if written[:1] not in ("{", '"') or field.name not in _FIELDS:
            continue
        inner = Span(field.value_span.start + 1, field.value_span.end - 1)
        if field.name in _LISTS:
            spans = [Span(*it.span()) for it in _ITEM.finditer(source, *inner)]
        else:
            value = inner.within(source)
            start = inner.start + len(value) - len(value.lstrip())
            spans = [Span(start, start + len(value.strip()))]
        pointers += [Pointer(field.name, span.within(source), span) for span in spans if span.start < span.end]
    return tuple(pointers)


def _finding(project: Project, heirs: Mapping[str, Place], place: Place, pointer: Pointer) -> Finding | None:
    """None if the entry that is named is there, and is read in time."""
    if project.reader == "bibtex" and pointer.field != "crossref":
        return None
    parent = project.find_first(pointer.key)
    if project.reader == "bibtex":
        # BibTeX knows no further keys.
        if parent is None or project.canonical(parent.node.key) != project.canonical(pointer.key):
            return _dangling(project, place, pointer)
        return _too_early(place, pointer, parent) if _is_passed(project, parent, place, heirs) else None
    return _dangling(project, place, pointer) if parent is None else None


def _dangling(project: Project, place: Place, pointer: Pointer) -> Finding:
    is_bibtex = project.reader == "bibtex"
    consequence = "BibTeX reports an error and inherits nothing" if is_bibtex else "biber ignores it"
    severity: Severity = "usual"
    if pointer.field in ("xref", "related"):
        severity = "warning"
    elif pointer.field == "crossref" and not is_bibtex and place.node.raw("booktitle"):
        # BibTeX ends with an error all the same; to biber nothing is lost that an entry has of its own.
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


def _too_early(place: Place, pointer: Pointer, parent: Place) -> Finding:
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


def _is_passed(project: Project, parent: Place, child: Place, heirs: Mapping[str, Place]) -> bool:
    """Whether nothing has BibTeX read the parent when it comes by: no citation, no child that stands above it.

    Of a parent that stands there several times, BibTeX reads the first one behind such a child.
    """
    if project.cites_all or project.cites(parent.node.key):
        return False
    heir = heirs.get(project.canonical(parent.node.key), child)
    parents = project.find(parent.node.key)
    return all(_stands_before(project, it, child) and _stands_before(project, it, heir) for it in parents)


def _heirs(project: Project) -> dict[str, Place]:
    """The first cited entry that inherits from each key."""
    found: dict[str, Place] = {}
    for source in project.defining:
        for place, pointer in _pointers_of(project, source):
            if pointer.field == "crossref" and project.cites(place.node.key):
                found.setdefault(project.canonical(pointer.key), place)
    return found


def _stands_before(project: Project, first: Place, second: Place) -> bool:
    if first.source is second.source:
        return first.index < second.index
    order = [it.document.path for it in project.defining]
    return order.index(first.source.document.path) < order.index(second.source.document.path)


CHECK = Check(
    CODE,
    "error",
    "A `crossref`, `xref`, `xdata`, `related` or `entryset` field names a key that no entry has. With BibTeX, "
    "the parent may also be in the wrong place.",
    check,
    needs="project",
    facts=lambda *_: [_pointers],
)
