"""Which keys without an entry are not reported as undefined, and why: what could define them was not read."""

import re
from collections.abc import Iterator
from typing import NamedTuple

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
    """Note which keys were not checked and why, and which compiled lists were read in the place of bibliographies.

    A note that counts keys has `{keys}` for them, which becomes “one key” or “3 keys” (`Note.sentence`).
    """
    return [*_note_typst(project), *_note_undeclared(project), *_note_open(project), *_note_compiled(project)]


def _note_compiled(project: Project) -> Iterator[Note]:
    """The compiled lists that were read instead of what they were made from."""
    lists = dict.fromkeys(path for _, path in project.compiled)
    for path in lists:
        names = ", ".join(name for name, it in project.compiled if it == path)
        yield Note(path, f"read in the place of {names}, which could not be read")


def _note_typst(project: Project) -> Iterator[Note]:
    """Note how many citations in Markdown are written as in Typst, `#cite(<key>)`, which are none there."""
    for source in project.parts:
        # Each of one key.
        citations = _IN_TYPST.findall(source.document.text) if source.language.search == "pandoc" else []
        if citations:
            yield Note(source.document.path, "{keys} cited by #cite, which is not Markdown but Typst", len(citations))


def _note_undeclared(project: Project) -> list[Note]:
    """Return a note if the manuscript cites, names no bibliography, and none was guessed for it; else [].

    If it does name one, which nothing could be read of (a file in YAML or JSON without a list), the note says that.
    If only roles or brackets look like citations, which may mean something else, it says how many were not checked.
    """
    if _find_lists(project) or _names_any(project):
        return []
    if project.bibliographies and project.cited:
        return [Note(project.bibliographies[0], "it has no entries, so no citation was checked")]
    for source, _ in project.citations():
        manuscript = source.language.manuscript  # how manuscripts are written in this language; None: it has none
        surely_cites = manuscript is not None and manuscript.certain  # as `\cite` does, and `[@key]` need not
        if manuscript and surely_cites:
            ways = manuscript.declared_by
            return [Note(source.document.path, f"no bibliography is declared ({ways}), so no citation was checked")]
    keys = _list_cited(project)
    if keys:
        why = "no bibliography is declared, so citelsp did not check {keys} in roles or brackets"
        return [Note(project.manuscript[0], why, len(keys))]
    return []


def _note_open(project: Project) -> list[Note]:
    """Note how many keys without an entry are not reported, because something that could define them was not read.

    [] if they are reported, if all have entries, and if no bibliography is named or read (see `_note_undeclared`).
    """
    if project.closed or project.closed_by_library or not (_find_lists(project) or _names_any(project)):
        return []
    unknown = sum(not project.defines(it) for it in _list_cited(project))
    if not unknown:
        return []
    unread = _find_unread(project)
    return [Note(unread.path, f"{unread.why}, so citelsp did not report {{keys}} without an entry", unknown)]


class _Unread(NamedTuple):
    path: str  # of the document in which the reason stands
    why: str


def _find_unread(project: Project) -> _Unread:
    """Say why keys without an entry may be defined all the same: what was not read, and in which document that shows.

    The first reason that holds is given; those that help an author most come first.
    """
    if project.unresolved:
        # A bibliography that should be there comes before all else that was not found.
        first = min(project.unresolved, key=lambda unresolved: not is_amiss(project, unresolved))
        # What a package or class refers to is shown in the document that was asked about; so is all that a manuscript
        # refers to which is only guessed.
        is_elsewhere = first.path not in project.manuscript or project.guessed
        path = project.subject if is_elsewhere else first.path
        return _Unread(path, _WHY[first.why].format(name=_show_name(project, first)))
    if project.unnamed:
        why = "no bibliography is declared, and there may be others than the one beside it"
        return _Unread(project.manuscript[0], why)
    if project.cut:
        return _Unread(project.cut, "it has more entries than citelsp reads")
    # `include_graph` begins its sentences so about bibliographies of the settings that are missing or not read.
    names_unread = any(problem.startswith("The settings name the bibliography") for problem in project.problems)
    if names_unread:
        return _Unread(project.subject, "a bibliography that the settings name was not read")
    if project.bounded:
        return _Unread(project.subject, "more documents are included than citelsp reads")
    for source in project.parts:
        if source.syntax.reduced:
            return _Unread(source.document.path, "not all of it was read")
        if source.syntax.opaque:
            why = "citations or file names are built with macros"
            if project.reader == "typst":
                why = "labels or file names are computed"
            return _Unread(source.document.path, why)
    if project.guessed:
        return _Unread(project.subject, "no document includes it")
    return _Unread(project.subject, "no main document was found")


def _show_name(project: Project, unresolved: Unresolved) -> str:
    """The name of a bibliography that was not found, with its ending; of other things what is written there."""
    is_bibliography = unresolved.link.kind == "bibliography" and unresolved.path in project.sources
    if is_bibliography and unresolved.why != "unclear":
        return name_file(project, unresolved)
    return unresolved.link.target


def _find_lists(project: Project) -> list[Source]:
    """Return the sources that define entries; not Markdown that merely cites works by their identifiers."""
    return [it for it in project.defining if it.syntax.is_root or it.language.search != "pandoc"]


def _names_any(project: Project) -> bool:
    return any(it.link.kind == "bibliography" for it in project.unresolved)


def _list_cited(project: Project) -> frozenset[str]:
    """The keys that are cited.

    Of Markdown that names no bibliography those in brackets without an entry, as its other at signs may mean anything.
    """
    names_bibliography = (_find_lists(project) or _names_any(project)) and not project.unnamed
    if names_bibliography:
        return project.cited
    keys = {it.key for source, it in project.citations() if borrowing.is_surely_citation(source, it)}
    return frozenset(key for key in keys if not project.defines(key))
