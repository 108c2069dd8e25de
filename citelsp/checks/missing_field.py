"""An entry without a field that its type needs."""

import re
from collections.abc import Iterator

from citelsp.base.footprint import MB, remembered
from citelsp.base.text import is_package
from citelsp.bibliography import datamodel
from citelsp.bibliography.datamodel import Dialect
from citelsp.bibliography.style import dialect_in
from citelsp.checks.finding import Check, Finding, bounded
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries, Fact
from citelsp.syntax.nodes import Sign
from citelsp.workspace.project import Project, Source

CODE = "missing-field"
_FILLED = re.compile(r"\n[ \t]*+([A-Za-z][\w-]*+)[ \t]*+=[ \t{\"]*+[^\s{}\",]").findall


def check(project: Project, _: Knowledge) -> list[Finding]:
    found: list[Finding] = []
    for source in project.defining:
        if isinstance(source.syntax.entries, BibEntries):
            found += bounded(_of_source(project, source, source.syntax.entries))
    return found


def dialect_of(project: Project, source: Source) -> Dialect:
    """The setting, else what the manuscript's commands say, else the file's own fields, else BibTeX."""
    if chosen := chosen_dialect(project):
        return chosen
    loaded = "biblatex" in _signs(project, packages=True)
    return "biblatex" if loaded else dialect_in(source.document.text) or "bibtex"


def chosen_dialect(project: Project) -> Dialect | None:
    """What the setting or the manuscript's own commands say."""
    setting = project.settings.writing.dialect
    if setting != "auto":
        return setting
    signs = _signs(project, packages=False)
    if "biblatex" in signs:
        return "biblatex"
    return "bibtex" if "style" in signs else None


def _signs(project: Project, *, packages: bool) -> set[Sign]:
    parts = (it for it in project.parts if is_package(it.document.path) == packages)
    return {sign for it in parts for sign in it.syntax.signs}


def _of_source(project: Project, source: Source, entries: BibEntries) -> Iterator[Finding]:
    for index, missing in entries.each_value(_fact(project, source), project.judged(source)):
        node = entries.node(index)
        inherits = project.parent(node.raw("crossref").strip()) is not None if _has_parent(node) else False
        for names in missing:
            if inherits and names[0] != "title":
                continue
            yield Finding(
                CODE,
                source.document.path,
                node.key_span.moved(entries.start(index)),
                f"@{node.kind} needs {_any_of(names)}{_unread(node, names)}.",
                "information",
                key=node.key,
                field=names[0],
            )


def _fact(project: Project, source: Source) -> Fact[tuple[tuple[str, ...], ...]]:
    if dialect_of(project, source) == "biblatex":
        return _missing_biblatex
    return _unread_by_bibtex if chosen_dialect(project) == "bibtex" else _missing_bibtex


def _unread(node: BibNode, names: tuple[str, ...]) -> str:
    """What the entry has instead."""
    other = {"journal": "journaltitle", "year": "date", "school": "institution", "institution": "school"}.get(names[0])
    return f": BibTeX does not read {other}" if other and other not in names and node.raw(other).strip() else ""


def _has_parent(node: BibNode) -> bool:
    return bool(node.raw("crossref").strip())


def _any_of(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _missing_bibtex(node: BibNode) -> tuple[tuple[str, ...], ...]:
    return _missing(node, "bibtex")


def _unread_by_bibtex(node: BibNode) -> tuple[tuple[str, ...], ...]:
    return _missing(node, "bibtex", alone=True)


def _missing_biblatex(node: BibNode) -> tuple[tuple[str, ...], ...]:
    return _missing(node, "biblatex")


def _missing(node: BibNode, dialect: Dialect, *, alone: bool = False) -> tuple[tuple[str, ...], ...]:
    """`alone`: nothing but BibTeX reads the file."""
    needed = _needed(node.kind, dialect, alone)
    if not needed or not node.closed:
        return ()
    on_lines = set(map(str.lower, _FILLED(node.source)))
    if not any(map(on_lines.isdisjoint, needed)):
        return ()
    values = node.values()
    if "xdata" in values:
        return ()
    filled = {name for name, value in values.items() if value.strip('{}" ')}
    return tuple(names for names in needed if filled.isdisjoint(names))


@remembered(MB)
def _needed(kind: str, dialect: Dialect, alone: bool) -> tuple[tuple[str, ...], ...]:
    needed = datamodel.required(kind, dialect)
    return tuple(map(datamodel.read_by_bibtex, needed)) if alone else needed


CHECK = Check(
    CODE, "information", "An entry lacks a field that its type requires.", check, facts=lambda *of: [_fact(*of)]
)
