"""An entry without a field that its type needs."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from citelsp.base.footprint import MB, remember
from citelsp.base.text import Span, is_package
from citelsp.bibliography import datamodel, repair_field
from citelsp.bibliography.bst import OF_PROGRAMS, Bst
from citelsp.bibliography.datamodel import Dialect
from citelsp.bibliography.file_style import dialect_in
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.checks import verdicts
from citelsp.checks.finding import Check, Finding, Fix, limit_findings
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries, Fact
from citelsp.syntax.nodes import Reader, Sign
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "missing-field"
_Groups = tuple[
    tuple[str, ...], ...
]  # of fields, of which an entry needs one each: `(("author", "editor"), ("year",))`
_Fact = Fact[_Groups]  # which groups an entry has no field of
_OF_MISC = (("author", "key"), ("year", "date"))  # what some styles want of an @misc
_NO_STYLE = Bst()
# Types of which biblatex's data model wants no author, though its manual does.
_NEED_NO_AUTHOR = frozenset({"manual", "misc", "online", "electronic", "www", "software"})
# The name of a field that begins a line, and is not empty.
_FILLED_ON_A_LINE = re.compile(r"\n[ \t]*+([A-Za-z][\w-]*+)[ \t]*+=[ \t{\"]*+[^\s{}\",]")
# Fields in whose place people write another, which BibTeX does not read.
_WRITTEN_INSTEAD = {"journal": "journaltitle", "year": "date", "school": "institution", "institution": "school"}


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    found: list[Finding] = []
    for source in project.defining:
        if isinstance(source.syntax.entries, BibEntries):
            found += limit_findings(_find_in_source(project, source, source.syntax.entries))
    return _add_fixes(project, knowledge, found)


def _add_fixes(project: Project, knowledge: Knowledge, findings: Sequence[Finding]) -> list[Finding]:
    """Add fixes to findings of works whose records are known, and findings of @misc that these records can complete.

    A fix adds the fields that the record has.
    """
    if not knowledge.verdicts:
        return list(findings)
    fixes: dict[tuple[str, Span], tuple[Fix, ...]] = {}  # by path, and place of the entry's key
    of_misc: list[Finding] = []  # of @misc without author or year, which need neither by themselves
    incomplete = {(finding.path, finding.span) for finding in findings}  # entries that lack a field of their type
    for place, verdict in verdicts.find_judged(project, knowledge):
        # The record of a conflict, or beside a work that was not found, may be of another work.
        if not verdict.record or verdict.kind in ("conflict", "not-found"):
            continue
        key_place = (place.source.document.path, place.key_span)
        if key_place in incomplete:
            fixes[key_place] = _make_fixes(project, place, verdict.record)
        else:
            of_misc += _find_incomplete_misc(project, place, verdict.record)
    with_fixes = [replace(finding, fixes=fixes.get((finding.path, finding.span), ())) for finding in findings]
    return [*with_fixes, *of_misc]


def _find_incomplete_misc(project: Project, place: Place, record: Record) -> Iterator[Finding]:
    """Report an @misc without author or year, its own or inherited, which no style in use minds, if `record` has it.

    Nothing if a program other than BibTeX reads the file, as what it needs was looked at already.
    """
    node = place.node
    of_its_own = _find_missing(node, _OF_MISC) if isinstance(node, BibNode) and node.kind == "misc" else ()
    missing = [names for names in of_its_own if not any(map(place.entry.text, names))]
    facts = _choose_facts(project, place.source)  # functions that say which fields an entry lacks for its readers
    if not missing or _find_missing_csl in facts or _find_missing_biblatex in facts:
        return
    first_group = missing[0]  # if author and year are missing, only the author is named; the fix adds both
    for fix in _make_fixes(project, place, record):  # one at most
        message = f"@misc needs {_enumerate_fields(first_group)}."
        path = place.source.document.path
        yield Finding(CODE, path, place.key_span, message, key=node.key, field=first_group[0], fixes=(fix,))


def _make_fixes(project: Project, place: Place, record: Record) -> tuple[Fix, ...]:
    """The fix that adds what the record has; none if the titles differ, as it may be of another work.

    A title that lacks a subtitle or remarks is "looser", and counts as the same.
    """
    if not place.source.writable or titles.compare(place.entry.title, record.title) not in ("same", "looser"):
        return ()
    dialect = dialect_of(project, place.source)
    edits = repair_field.complete_entry(place.source.document, place.start, place.entry, record, dialect)
    return (Fix("Complete this entry", "review", edits),) if edits else ()


def dialect_of(project: Project, source: Source) -> Dialect:
    """Return the dialect of a bibliography by the setting, else the manuscript's commands, else its own fields."""
    chosen = choose_dialect(project)
    if chosen:
        return chosen
    if "biblatex" in _read_signs(project, packages=True):  # a package or class of the project loads it
        return "biblatex"
    return dialect_in(source.document.text) or "bibtex"


def choose_dialect(project: Project) -> Dialect | None:
    """Return the dialect of the setting, or that of the manuscript's own commands; None if neither says one."""
    setting = project.settings.writing.dialect
    if setting != "auto":
        return setting
    signs = _read_signs(project, packages=False)
    if "biblatex" in signs:
        return "biblatex"
    return "bibtex" if "style" in signs else None


def _read_signs(project: Project, *, packages: bool) -> set[Sign]:
    return _signs_in(project.deciding, packages=packages)


def _signs_in(parts: Iterable[Source], *, packages: bool) -> set[Sign]:
    """What these documents say of who reads bibliographies; those of the packages among them, or of the others."""
    signs: set[Sign] = set()
    for part in parts:
        if is_package(part.document.path) == packages:
            signs |= part.syntax.signs
    return signs


def _find_in_source(project: Project, source: Source, entries: BibEntries) -> Iterator[Finding]:
    """Report each field that an entry of the file lacks, once even if several manuscripts want it.

    What it needs says a function for each style or dialect (`fact`), of the entries (`judged`) that are read by that.
    An entry with a parent (`crossref`) may inherit every field but its title, so only that is reported as missing.
    """
    reported: set[tuple[int, str]] = set()  # index of the entry, and what the field means
    for fact, judged in _choose_questions(project, source):
        for index, missing in entries.each_value(fact, judged):
            node = entries.node(index)
            parent = node.raw("crossref").strip()
            inherits = bool(parent) and project.parent(parent) is not None
            for names in missing:
                first_name = names[0]
                what_is_missing = index, datamodel.common_name(first_name)
                is_inherited = inherits and first_name != "title"
                if is_inherited or what_is_missing in reported:
                    continue
                reported.add(what_is_missing)
                yield Finding(
                    CODE,
                    source.document.path,
                    node.key_span.moved(entries.start(index)),
                    f"@{node.kind} needs {_enumerate_fields(names)}{_say_what_is_not_read(node, names)}.",
                    key=node.key,
                    field=first_name,
                )


def _choose_questions(project: Project, source: Source) -> list[tuple[_Fact, Collection[int]]]:
    """Return which facts to ask of which entries, the latter as indices.

    A fact is a function that says which groups of fields an entry lacks; each style or dialect has its own.  If
    manuscripts with different facts share the file, each is asked only of the entries that its manuscripts cite.
    """
    facts = _choose_facts(project, source)
    judged = project.judged(source)
    if len(facts) == 1:
        return [(fact, judged) for fact in facts]
    questions: list[tuple[_Fact, Collection[int]]] = []
    for fact, documents in facts.items():
        if any(document.syntax.cites_all for document in documents):
            questions.append((fact, list(judged)))
            continue
        keys = {citation.key for document in documents for citation in document.syntax.citations}
        cited: set[int] = set()
        for key in keys:  # also in other letter case, or as an alias
            cited.update(place.index for place in project.find(key) if place.source is source)
        questions.append((fact, [index for index in judged if index in cited]))
    return questions


def _choose_facts(project: Project, source: Source) -> dict[_Fact, list[Source]]:
    """Return by fact the documents whose cited entries it judges; a fact without documents judges all entries.

    A fact is a function that says which fields an entry lacks, by the rules of one style or dialect.  One judges all
    entries if a setting decides, or if no manuscript reads the file.
    """
    manuscripts = project.rooted_manuscripts(source.document.path)
    if project.settings.writing.dialect == "auto" and manuscripts:
        facts: dict[_Fact, list[Source]] = {}
        for reader, parts in manuscripts:
            facts.setdefault(_choose_fact(project, source, reader, parts), []).extend(parts)
        return facts
    if project.reader in ("pandoc", "typst"):  # these need the same of either dialect, whatever the setting says
        return {_find_missing_csl: []}
    if dialect_of(project, source) == "biblatex":
        return {_find_missing_biblatex: []}
    is_chosen = choose_dialect(project) == "bibtex"  # by a setting or a manuscript; else by the file's own fields
    return {_choose_by_style(project) if is_chosen else _find_missing_bibtex: []}


def _choose_fact(project: Project, source: Source, reader: Reader, parts: Sequence[Source]) -> _Fact:
    """Choose the fact, a function that says which fields an entry lacks, for one manuscript, of these parts.

    Its reader (the program that reads the file) decides, then its own commands (\\addbibresource, \\bibliographystyle),
    then packages that it loads, then the fields that the file has.
    """
    if reader in ("pandoc", "typst"):
        return _find_missing_csl
    own_signs = _signs_in(parts, packages=False)
    if "biblatex" in own_signs:
        return _find_missing_biblatex
    if "style" in own_signs:
        return _choose_by_style(project)
    is_loaded = "biblatex" in _signs_in(parts, packages=True)
    is_biblatex = is_loaded or dialect_in(source.document.text) == "biblatex"
    return _find_missing_biblatex if is_biblatex else _find_missing_bibtex


def _say_what_is_not_read(node: BibNode, names: tuple[str, ...]) -> str:
    """Write `: BibTeX does not read journaltitle`, if the entry has that instead of these fields; else ""."""
    other = _WRITTEN_INSTEAD.get(names[0], "")
    has_other = bool(other) and other not in names and bool(node.raw(other).strip())
    return f": BibTeX does not read {other}" if has_other else ""


def _enumerate_fields(names: tuple[str, ...]) -> str:
    """`author, editor or key`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _find_missing_bibtex(node: BibNode) -> _Groups:
    return _find_missing(node, datamodel.required_fields(node.kind, "bibtex"))


def _find_missing_biblatex(node: BibNode) -> _Groups:
    return _find_missing(node, _needed_by_biblatex(node.kind))


def _find_missing_csl(node: BibNode) -> _Groups:
    return _find_missing(node, datamodel.required_fields(node.kind, "csl"))


def _choose_by_style(project: Project) -> _Fact:
    """Return the fact for the BibTeX style in use, if nothing but BibTeX reads the file."""
    return _make_fact_of_style(project.bibtex_style[1] if project.bibtex_style else _NO_STYLE)


@lru_cache(maxsize=8)
def _make_fact_of_style(style: Bst) -> _Fact:
    """Make the function that says which fields BibTeX misses in an entry with this style.

    BibTeX's manual requires nothing of an @misc, but some styles warn if they cannot sort or date it; so they do of
    types that they do not know, if they print these as @misc.  Some want a volume beside a number.  One style has one
    function, as entries keep their answers under the function itself.
    """
    read_of_misc = map(datamodel.read_by_bibtex, _OF_MISC)
    needed_by_misc = tuple(names for names in read_of_misc if names[0] in style.misc_needs)
    prints_unknown_as_misc = style.default == "misc" and bool(style.types)
    known_types = OF_PROGRAMS.union(style.types) if prints_unknown_as_misc else frozenset[str]()

    def find_missing(node: BibNode) -> _Groups:
        is_unknown = prints_unknown_as_misc and node.kind not in known_types
        needed = needed_by_misc if node.kind == "misc" or is_unknown else _needed_by_bibtex(node.kind)
        treatment = style.of(node.kind)
        if treatment and treatment.beside_number and _has_number(node):
            needed = (*needed, treatment.beside_number)
        return _find_missing(node, needed)

    return find_missing


def _has_number(node: BibNode) -> bool:
    return "number" in node.source.lower() and bool(node.raw("number").strip('{}" '))


def _find_missing(node: BibNode, needed: _Groups) -> _Groups:
    """Return the groups of fields of which an entry has none; `needed` are those of which it needs one each.

    () for an entry with a serious fault, as what is missing may stand behind it, and for one that gets fields from
    another one by `xdata`.
    """
    if not needed or not node.closed:
        return ()
    # A quick look, which most entries pass: fields that begin lines and are not empty. Who has one of each group there
    # lacks nothing; of all others the fields are read.
    on_lines = set(map(str.lower, _FILLED_ON_A_LINE.findall(node.source)))
    if not any(on_lines.isdisjoint(names) for names in needed):
        return ()
    values = node.values()
    if "xdata" in values:
        return ()
    filled = {name for name, value in values.items() if value.strip('{}" ')}
    missing = tuple(names for names in needed if filled.isdisjoint(names))
    has_serious_fault = bool(missing) and any(problem.serious for problem in node.problems())
    return () if has_serious_fault else missing


@remember(MB)
def _needed_by_bibtex(kind: str) -> _Groups:
    return tuple(map(datamodel.read_by_bibtex, datamodel.required_fields(kind, "bibtex")))


@remember(MB)
def _needed_by_biblatex(kind: str) -> _Groups:
    """Return the groups of fields that biblatex needs, without authors that only its manual asks for.

    biber warns by the data model, which wants none of some types.
    """
    needed = datamodel.required_fields(kind, "biblatex")
    return tuple(names for names in needed if names[0] != "author") if kind in _NEED_NO_AUTHOR else needed


CHECK = Check(
    CODE,
    "information",
    "An entry lacks a field that its type requires.",
    check,
    facts=lambda *of: [*_choose_facts(*of)],
)
