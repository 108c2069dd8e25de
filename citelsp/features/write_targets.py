"""Which .bib a new entry goes to."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from citelsp.features import exports
from citelsp.features.values import Refused, file_name
from citelsp.workspace.disk import is_inside
from citelsp.workspace.project import Project
from citelsp.workspace.roots import NOWHERE
from citelsp.workspace.source import Source

_SETTING = "the write_to setting"
_NEW_NAMES = ("references.bib", "bibliography.bib", "citations.bib", "new-references.bib")
# A name in plain words, without macros, that is no file of another format with .bib behind it.
_PLAIN_NAME = re.compile(r"[\w./ +-]+(?<!\.json)(?<!\.yaml)(?<!\.yml)(?<!\.ris)\.bib")


@dataclass(frozen=True, slots=True)
class WriteTarget:
    """`declared` is False if the manuscript has still to name the file; `why` says why this one was chosen."""

    path: str
    exists: bool
    declared: bool
    why: str

    @property
    def undeclared(self) -> bool:
        """A new file under a name of our own."""
        return not self.exists and not self.declared and self.why != _SETTING


def find(project: Project, path: str, exists: Callable[[str], bool] = os.path.exists) -> WriteTarget | Refused:
    """Choose the file for new entries; refused if there is none, or if a new one would have no folder to lie in.

    It is the file of the `write_to` setting if that can be used; else the document itself if it is a bibliography;
    else, of those that the manuscript declares, are writable and exported by no program, the one with most of the cited
    works, of equals the last, as files of macros are declared first; else a new file, under a declared name if all that
    are declared are missing.

    A file that exists but is not declared is never touched, unless it is the only one beside a Markdown manuscript and
    its keys are offered there.  `exists` says whether a file is there.
    """
    target = _choose_target(project, path, exists)
    if target is None:
        return Refused("No bibliography can be written, and all names for a new one are taken.")
    if is_inside(target.path, NOWHERE) and not target.exists:
        return Refused("Save this document first: its .bib is created beside it.")
    return target


def doubtful(project: Project, path: str) -> tuple[str, str] | None:
    """The bibliography that would be written to, if it may be an export, and the new one that could be instead.

    None if it does not look like one, if the setting names it, if it is not there yet, or if all names for a new one
    are taken.
    """
    target = _choose_target(project, path, os.path.exists)
    source = project.sources.get(target.path) if target else None
    if target is None or source is None or target.why == _SETTING or not exports.may_be_better_bibtex(source):
        return None
    other = _choose_new(project, path, os.path.exists, "it may be exported by Better BibTeX")
    return (target.path, other.path) if other else None


def _choose_target(project: Project, path: str, exists: Callable[[str], bool]) -> WriteTarget | None:
    """Choose as `find` says; None if a new file is needed and all names for it are taken."""
    if project.settings.writing.write_to:
        chosen = _choose_by_setting(project, path, exists)
        if chosen:
            return chosen
    if _is_bibliography(project.sources.get(path)):
        return WriteTarget(path, exists=True, declared=True, why="the current bibliography")
    # Those in a format that citelsp writes, the last one declared first.
    written = [it for it in reversed(project.bibliographies) if _is_bibliography(project.sources.get(it))]
    against = {declared: _say_why_not_ours(project.sources[declared]) for declared in written}
    ours = [declared for declared, reason in against.items() if not reason]
    if not ours:
        refused = "; ".join(f"{file_name(declared)} {reason}" for declared, reason in against.items())
        return _choose_new(project, path, exists, refused)
    fullest = _find_most_cited(project, ours)
    if fullest in project.unnamed:  # that no document declares: the only one beside a Markdown manuscript
        why = "the bibliography beside the manuscript"
    elif fullest == ours[0]:
        why = "the last bibliography declared"
    else:
        why = "the bibliography of most works cited"
    return WriteTarget(fullest, exists=True, declared=True, why=why)


def _find_most_cited(project: Project, paths: Sequence[str]) -> str:
    """The bibliography with most of the cited works, of equals the first of these."""
    if len(paths) == 1:
        return paths[0]
    return max(paths, key=lambda it: len(project.cited_entries.get(it, ())))


def root_of(project: Project, path: str) -> str:
    """The first root of the manuscript, else its first document; the document itself if it belongs to none."""
    for manuscript_path in project.manuscript:
        source = project.sources.get(manuscript_path)
        if source and source.syntax.is_root:
            return manuscript_path
    return project.manuscript[0] if project.manuscript else path


def _choose_by_setting(project: Project, path: str, exists: Callable[[str], bool]) -> WriteTarget | None:
    """Return the file of the `write_to` setting, which may lie outside the workspace; None if it cannot be used.

    A relative path counts from the root's folder.  A file that cannot be written is not used, nor is one that exists
    but does not belong to the project, since it may be anything.
    """
    written = Path(project.settings.writing.write_to)
    written = written.expanduser() if written.parts[:1] == ("~",) else written
    target = os.path.normpath(PurePath(root_of(project, path)).parent / written)
    sources = [source for known, source in project.sources.items() if os.path.normpath(known) == target]
    if sources:
        source = sources[0]
        # Files outside the workspace count as read-only; the author named this one, so only the system's word counts.
        if not source.writable and not os.access(target, os.W_OK):
            return None
        declared = source.document.path in project.bibliographies
        return WriteTarget(source.document.path, exists=True, declared=declared, why=_SETTING)
    if exists(target):
        return None
    return WriteTarget(target, exists=False, declared=_named_but_missing(project, target), why=_SETTING)


def _is_bibliography(source: Source | None) -> bool:
    """True for a document in a format of bibliographies that citelsp writes."""
    return source is not None and source.language.written


def _say_why_not_ours(source: Source) -> str:
    """Why a bibliography is not written to, to stand behind its name; "" if it may be."""
    if not source.writable:
        return "is read-only"
    exporter = exports.exporter(source)
    return f"is exported by {exporter}" if exporter else ""


def _choose_new(project: Project, path: str, exists: Callable[[str], bool], refused: str) -> WriteTarget | None:
    """Choose a file that is not there yet: one that the manuscript declares, else one of _NEW_NAMES beside the root.

    `refused`: why the declared ones that exist are not written to; "" if there are none in a format that citelsp
    writes.  If there are some, a declared name that is missing is not used: the program that exports them, or whoever
    keeps them from being changed, may still put a file there.  None if all names are taken.  Of one of _NEW_NAMES
    `why` is `refused`, or that the manuscript declares no bibliography, or none that can be written.
    """
    folder = PurePath(root_of(project, path)).parent
    if not refused:
        for missing in _list_missing(project):
            if not exists(missing):
                return WriteTarget(
                    missing, exists=False, declared=True, why="declared by the manuscript, does not exist yet"
                )
    why = refused or "the manuscript declares no bibliography"
    if not refused and _declares_any(project):
        why += " that can be written"
    for name in _NEW_NAMES:
        candidate = os.path.normpath(folder / name)
        if candidate not in project.sources and not exists(candidate):
            return WriteTarget(candidate, exists=False, declared=False, why=why)
    return None


def _declares_any(project: Project) -> bool:
    """True also for one that is not there, and for one in a format that citelsp only reads."""
    return bool(project.bibliographies) or any(it.link.kind == "bibliography" for it in project.unresolved)


def _named_but_missing(project: Project, path: str) -> bool:
    return path in set(_list_missing(project))


def _list_missing(project: Project) -> Iterator[str]:
    """Bibliographies that a root names in plain words, by a relative path, but that are not there."""
    for unresolved in project.unresolved:
        if unresolved.link.kind == "bibliography" and unresolved.why == "missing":
            name = unresolved.link.target.removesuffix(".bib") + ".bib"
            if _PLAIN_NAME.fullmatch(name) and not name.startswith("/"):
                yield os.path.normpath(PurePath(unresolved.base) / name)
