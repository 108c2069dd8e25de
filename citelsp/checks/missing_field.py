"""An entry without a field that its type needs."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from citelsp.base.footprint import MB, remembered
from citelsp.base.text import Span, is_package
from citelsp.bibliography import datamodel, repair, titles
from citelsp.bibliography.bst import OF_PROGRAMS, Bst
from citelsp.bibliography.datamodel import Dialect
from citelsp.bibliography.record import Record
from citelsp.bibliography.style import dialect_in
from citelsp.checks import verdicts
from citelsp.checks.finding import Check, Finding, Fix, bounded
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries, Fact
from citelsp.syntax.nodes import Reader, Sign
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "missing-field"
_Fact = Fact[tuple[tuple[str, ...], ...]]
_MISC = (("author", "key"), ("year", "date"))
_NO_STYLE = Bst()
_NEED_NOBODY = frozenset({"manual", "misc", "online", "electronic", "www", "software"})
_FILLED = re.compile(r"\n[ \t]*+([A-Za-z][\w-]*+)[ \t]*+=[ \t{\"]*+[^\s{}\",]").findall


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    found: list[Finding] = []
    for source in project.defining:
        if isinstance(source.syntax.entries, BibEntries):
            found += bounded(_of_source(project, source, source.syntax.entries))
    return _completed(project, knowledge, found)


def _completed(project: Project, knowledge: Knowledge, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, with a fix where the work is known, and those of entries that say less than its record."""
    if not knowledge.verdicts:
        return list(findings)
    fixes: dict[tuple[str, Span], tuple[Fix, ...]] = {}
    thin: list[Finding] = []
    incomplete = {(it.path, it.span) for it in findings}
    for place, verdict in verdicts.judged(project, knowledge):
        if not verdict.record or verdict.kind in ("conflict", "not-found"):
            continue
        key_place = (place.source.document.path, place.key_span)
        if key_place in incomplete:
            fixes[key_place] = _fixes(project, place, verdict.record)
        else:
            thin += _thin(project, place, verdict.record)
    return [*(replace(it, fixes=fixes.get((it.path, it.span), ())) for it in findings), *thin]


def _thin(project: Project, place: Place, record: Record) -> Iterator[Finding]:
    """What no style in use warns of is told where it can be filled in."""
    node = place.node
    missing = _missing(node, _MISC) if isinstance(node, BibNode) and node.kind == "misc" else ()
    if not missing or {_missing_csl, _missing_biblatex}.intersection(_facts(project, place.source)):
        return
    for fix in _fixes(project, place, record):
        message = f"@misc needs {_any_of(missing[0])}."
        yield Finding(CODE, place.source.document.path, place.key_span, message, node.key, missing[0][0], fixes=(fix,))


def _fixes(project: Project, place: Place, record: Record) -> tuple[Fix, ...]:
    if not place.source.writable or titles.compare(place.entry.title, record.title) not in ("same", "looser"):
        return ()
    dialect = dialect_of(project, place.source)
    edits = repair.completed(place.source.document, place.start, place.entry, record, dialect)
    return (Fix("Complete this entry", "review", edits),) if edits else ()


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
    return _signs_in(project.deciding, packages=packages)


def _signs_in(parts: Iterable[Source], *, packages: bool) -> set[Sign]:
    asked = (it for it in parts if is_package(it.document.path) == packages)
    return {sign for it in asked for sign in it.syntax.signs}


def _of_source(project: Project, source: Source, entries: BibEntries) -> Iterator[Finding]:
    seen: set[tuple[int, str]] = set()
    for fact, judged in _questions(project, source, entries):
        for index, missing in entries.each_value(fact, judged):
            node = entries.node(index)
            inherits = project.parent(node.raw("crossref").strip()) is not None if _has_parent(node) else False
            for names in missing:
                meant = index, datamodel.meaning(names[0])
                if (inherits and names[0] != "title") or meant in seen:
                    continue
                seen.add(meant)
                yield Finding(
                    CODE,
                    source.document.path,
                    node.key_span.moved(entries.start(index)),
                    f"@{node.kind} needs {_any_of(names)}{_unread(node, names)}.",
                    key=node.key,
                    field=names[0],
                )


def _questions(project: Project, source: Source, entries: BibEntries) -> list[tuple[_Fact, Collection[int]]]:
    """What to ask of which entries: where manuscripts differ, each asks of the entries that it cites."""
    facts = _facts(project, source)
    judged = project.judged(source)
    if len(facts) == 1:
        return [(fact, judged) for fact in facts]
    questions: list[tuple[_Fact, Collection[int]]] = []
    for fact, documents in facts.items():
        if any(it.syntax.cites_all for it in documents):
            questions.append((fact, list(judged)))
            continue
        cited: set[int] = set()
        for document in documents:
            for citation in document.syntax.citations:
                cited.update(entries.by_key(citation.key))
        questions.append((fact, [index for index in judged if index in cited]))
    return questions


def _facts(project: Project, source: Source) -> dict[_Fact, list[Source]]:
    """How entries of this file are judged, each with the parts of the manuscripts that want it so."""
    found: dict[_Fact, list[Source]] = {}
    manuscripts = project.rooted_manuscripts(source.document.path)
    if project.settings.writing.dialect == "auto" and manuscripts:
        for reader, parts in manuscripts:
            found.setdefault(_fact(project, source, reader, parts), []).extend(parts)
        return found
    if project.reader in ("pandoc", "typst"):
        return {_missing_csl: []}
    if dialect_of(project, source) == "biblatex":
        return {_missing_biblatex: []}
    return {_in_style(project) if chosen_dialect(project) == "bibtex" else _missing_bibtex: []}


def _fact(project: Project, source: Source, reader: Reader, parts: Sequence[Source]) -> _Fact:
    if reader in ("pandoc", "typst"):
        return _missing_csl
    own = _signs_in(parts, packages=False)
    if "biblatex" in own:
        return _missing_biblatex
    if "style" in own:
        return _in_style(project)
    loaded = "biblatex" in _signs_in(parts, packages=True)
    return _missing_biblatex if loaded or dialect_in(source.document.text) == "biblatex" else _missing_bibtex


def _unread(node: BibNode, names: tuple[str, ...]) -> str:
    """What the entry has instead."""
    other = {"journal": "journaltitle", "year": "date", "school": "institution", "institution": "school"}.get(names[0])
    return f": BibTeX does not read {other}" if other and other not in names and node.raw(other).strip() else ""


def _has_parent(node: BibNode) -> bool:
    return bool(node.raw("crossref").strip())


def _any_of(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _missing_bibtex(node: BibNode) -> tuple[tuple[str, ...], ...]:
    return _missing(node, datamodel.required(node.kind, "bibtex"))


def _missing_biblatex(node: BibNode) -> tuple[tuple[str, ...], ...]:
    return _missing(node, _needed_by_biblatex(node.kind))


def _missing_csl(node: BibNode) -> tuple[tuple[str, ...], ...]:
    return _missing(node, datamodel.required(node.kind, "csl"))


def _in_style(project: Project) -> _Fact:
    """Nothing but BibTeX reads the file."""
    return _unread_by_bibtex(project.bibtex_style[1] if project.bibtex_style else _NO_STYLE)


@lru_cache(maxsize=8)
def _unread_by_bibtex(style: Bst) -> _Fact:
    """BibTeX's manual requires nothing of an @misc, but some styles warn of what they cannot sort or date.

    They do so of all types that they print as @misc, as they do not know them.  Some want a volume beside a number.
    """
    needed_by_misc = tuple(names for names in map(datamodel.read_by_bibtex, _MISC) if names[0] in style.misc_needs)
    types = frozenset[str]()  # that are not printed as @misc, if the style prints unknown ones so
    if style.default == "misc" and style.types:
        types = OF_PROGRAMS.union(style.types)

    def missing(node: BibNode) -> tuple[tuple[str, ...], ...]:
        is_misc = node.kind == "misc" or (types and node.kind not in types)
        needed = needed_by_misc if is_misc else _needed_by_bibtex(node.kind)
        treatment = style.of(node.kind)
        if treatment and treatment.beside_number and _has_number(node):
            needed = (*needed, treatment.beside_number)
        return _missing(node, needed)

    return missing


def _has_number(node: BibNode) -> bool:
    return "number" in node.source.lower() and bool(node.raw("number").strip('{}" '))


def _missing(node: BibNode, needed: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Of the groups of fields of which an entry needs one each, those of which it has none: `(("author", "editor"),)`.

    None of an entry that cannot be read to its end.
    """
    if not needed or not node.closed:
        return ()
    # A quick look, which most entries pass.
    on_lines = set(map(str.lower, _FILLED(node.source)))
    if not any(on_lines.isdisjoint(names) for names in needed):
        return ()
    values = node.values()
    if "xdata" in values:
        return ()
    filled = {name for name, value in values.items() if value.strip('{}" ')}
    missing = tuple(names for names in needed if filled.isdisjoint(names))
    # Of an entry that cannot be read, what is missing may stand behind the fault.
    if missing and any(it.serious for it in node.problems()):
        return ()
    return missing


@remembered(MB)
def _needed_by_bibtex(kind: str) -> tuple[tuple[str, ...], ...]:
    return tuple(map(datamodel.read_by_bibtex, datamodel.required(kind, "bibtex")))


@remembered(MB)
def _needed_by_biblatex(kind: str) -> tuple[tuple[str, ...], ...]:
    """biblatex's manual asks for an author of these types, too; its data model, by which biber warns, does not."""
    needed = datamodel.required(kind, "biblatex")
    return tuple(it for it in needed if it[0] != "author") if kind in _NEED_NOBODY else needed


CHECK = Check(
    CODE, "information", "An entry lacks a field that its type requires.", check, facts=lambda *of: [*_facts(*of)]
)
