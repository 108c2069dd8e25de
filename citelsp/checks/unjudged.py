"""Which keys without an entry are not reported as undefined, and why: what could define them was not read."""

import re
from collections.abc import Iterator

from citelsp.checks.finding import Note
from citelsp.checks.missing_bibliography import is_amiss, name_file
from citelsp.workspace import borrowing
from citelsp.workspace.project import Project, Unresolved
from citelsp.workspace.source import Source

_IN_TYPST = re.compile(r"#cite\(\s*<[^<>\n]+>")
_WHY = {
    "missing": "“{name}” was not found",
    "denied": "“{name}” cannot be opened",
    "binary": "“{name}” is not text",
    "large": "“{name}” is too large to read",
    "foreign": "“{name}” has no keys that citelsp reads (it reads BibTeX, CSL, EndNote's XML, and RIS with IDs)",
    "remote": "“{name}” is not on this machine",
    "unclear": "“{name}” is named by macros or a pattern",
    "distributed": "“{name}” may come with the TeX distribution",
    "elsewhere": "“{name}” may be in another folder",
    "compiled": "“{name}” is not here",
}


def notes(project: Project) -> list[Note]:
    """One for a manuscript: the keys, and the first thing not read; and for what another syntax hides."""
    return [*_of_typst(project), *_undeclared(project), *_open(project), *_compiled(project)]


def _compiled(project: Project) -> Iterator[Note]:
    """The compiled lists that were read instead of what they were made from."""
    lists = dict.fromkeys(path for _, path in project.compiled)
    for path in lists:
        names = ", ".join(name for name, it in project.compiled if it == path)
        yield Note(path, f"read in the place of {names}, which could not be read")


def _of_typst(project: Project) -> Iterator[Note]:
    """Citations as Typst writes them, which are none in Markdown."""
    for source in project.parts:
        if source.language.search == "pandoc" and (found := _IN_TYPST.findall(source.document.text)):
            yield Note(source.document.path, "{keys} cited by #cite, which is not Markdown but Typst", len(found))


def _undeclared(project: Project) -> list[Note]:
    """A manuscript that cites and names no bibliography, and none was guessed."""
    if _lists(project) or _names_any(project):
        return []
    for source, _ in project.citations():
        if (manuscript := source.language.manuscript) and manuscript.certain:
            ways = manuscript.declared_by
            return [Note(source.document.path, f"no bibliography is declared ({ways}), so no citation was checked")]
    if keys := _cited(project):
        why = "no bibliography is declared, so citelsp did not check {keys} in roles or brackets"
        return [Note(project.manuscript[0], why, len(keys))]
    return []


def _open(project: Project) -> list[Note]:
    """Keys that no entry has, if something that could define them was not read."""
    if project.closed or project.closed_by_library or not (_lists(project) or _names_any(project)):
        return []
    if unknown := sum(not project.defines(it) for it in _cited(project)):
        path, why = _opening(project)
        return [Note(path, f"{why}, so citelsp did not report {{keys}} without an entry", unknown)]
    return []


def _opening(project: Project) -> tuple[str, str]:
    """The document in which the reason stands, and the reason."""
    if project.unresolved:
        first = min(project.unresolved, key=lambda it: not is_amiss(project, it))
        own = first.path not in project.manuscript or project.guessed
        return project.subject if own else first.path, _WHY[first.why].format(name=_shown(project, first))
    if project.unnamed:
        return project.manuscript[0], "no bibliography is declared, and there may be others than the one beside it"
    if project.cut:
        return project.cut, "it has more entries than citelsp reads"
    if any(it.startswith("The settings name the bibliography") for it in project.problems):
        return project.subject, "a bibliography that the settings name was not read"
    if project.bounded:
        return project.subject, "more documents are included than citelsp reads"
    if opaque := next((it.document.path for it in project.parts if it.syntax.opaque), ""):
        return opaque, "citations or file names are built with macros"
    return project.subject, "no main document was found"


def _shown(project: Project, unresolved: Unresolved) -> str:
    is_file = (
        unresolved.link.kind == "bibliography" and unresolved.why != "unclear" and unresolved.path in project.sources
    )
    return name_file(project, unresolved) if is_file else unresolved.link.target


def _lists(project: Project) -> list[Source]:
    """The bibliographies, and what a document holds of one; works that it cites by their identifiers are none."""
    return [it for it in project.defining if it.syntax.is_root or it.language.search != "pandoc"]


def _names_any(project: Project) -> bool:
    return any(it.link.kind == "bibliography" for it in project.unresolved)


def _cited(project: Project) -> frozenset[str]:
    """The keys; of Markdown that names no bibliography those in brackets, as its other at signs may mean anything."""
    if (_lists(project) or _names_any(project)) and not project.unnamed:
        return project.cited
    plain = {it.key for source, it in project.citations() if borrowing.is_surely_citation(source, it)}
    return frozenset(it for it in plain if not project.defines(it))
