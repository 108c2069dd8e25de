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
    found: list[Finding] = []
    if project.reader in ("bibtex", "biber"):
        heirs = _heirs(project) if project.reader == "bibtex" else {}
        for source in project.defining:
            of_source = (_finding(project, heirs, *it) for it in _pointers_of(project, source))
            found += bounded(it for it in of_source if it)
    return found


def _pointers_of(project: Project, source: Source) -> Iterator[tuple[Place, Pointer]]:
    if isinstance(source.syntax.entries, BibEntries):
        for index, pointers in source.syntax.entries.each_value(_pointers, project.judged(source)):
            yield from ((Place(source, index, project), it) for it in pointers)


def _pointers(node: BibNode) -> tuple[Pointer, ...]:
    source = node.source
    lowered = source.lower()
    if not any(it in lowered for it in _FIELDS):
        return ()
    found: list[Pointer] = []
    for field in node.fields():
        written = field.value_span.within(source)
        if written[:1] not in ("{", '"') or field.name not in _FIELDS:
            continue
        inner = Span(field.value_span.start + 1, field.value_span.end - 1)
        if field.name in _LISTS:
            items = [Span(*it.span()) for it in _ITEM.finditer(source, *inner)]
        else:
            value = inner.within(source)
            start = inner.start + len(value) - len(value.lstrip())
            items = [Span(start, start + len(value.strip()))]
        found += [Pointer(field.name, it.within(source), it) for it in items if it.start < it.end]
    return tuple(found)


def _finding(project: Project, heirs: Mapping[str, Place], place: Place, pointer: Pointer) -> Finding | None:
    path, span, key = place.source.document.path, pointer.span.moved(place.start), place.node.key
    bibtex = project.reader == "bibtex"
    if bibtex and pointer.field != "crossref":
        return None
    parent = project.find_first(pointer.key)
    if bibtex and parent and project.canonical(parent.node.key) != project.canonical(pointer.key):
        parent = None  # BibTeX knows no further keys
    if parent is None:
        what = "BibTeX reports an error and inherits nothing" if bibtex else "biber ignores it"
        message = f"No entry has the key “{pointer.key}”: {what}."
        # BibTeX ends with an error all the same; to biber nothing is lost that an entry has of its own.
        spared = pointer.field == "crossref" and not bibtex and bool(place.node.raw("booktitle"))
        severity: Severity = "warning" if spared or pointer.field in ("xref", "related") else "usual"
        return Finding(CODE, path, span, message, key, pointer.field, pointer.key, severity=severity)
    if bibtex and _is_passed(project, parent, place, heirs):
        message = f"“{pointer.key}” must come after this entry, because BibTeX reads the file from top to bottom."
        related = (Related(parent.source.document.path, parent.key_span, "the entry that it names"),)
        return Finding(CODE, path, span, message, key, pointer.field, pointer.key, related=related)
    return None


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


def _stands_before(project: Project, one: Place, other: Place) -> bool:
    if one.source is other.source:
        return one.index < other.index
    order = [it.document.path for it in project.defining]
    return order.index(one.source.document.path) < order.index(other.source.document.path)


CHECK = Check(
    CODE,
    "error",
    "A `crossref`, `xref`, `xdata`, `related` or `entryset` field names a key that no entry has. With BibTeX, "
    "the parent may also be in the wrong place.",
    check,
    needs="project",
    facts=lambda *_: [_pointers],
)
