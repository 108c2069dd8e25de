"""Chapters that nothing leads to, beside a main document of LaTeX or below it: what they cite is not unused.

They may be included by a macro, or for some time not at all.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from citelsp.base.settings import Settings
from citelsp.base.text import is_package
from citelsp.syntax import languages
from citelsp.workspace import roots
from citelsp.workspace.disk import is_inside
from citelsp.workspace.project import Project
from citelsp.workspace.roots import Files
from citelsp.workspace.source import Source

_MOST = 30  # that are looked at, at each change of a document


def find_chapters(
    files: Files, settings: Settings, main: Sequence[str], read: Collection[str]
) -> tuple[Source, ...] | None:
    """The chapters of these main documents that none of them includes; None if there may be too many.

    `read` are the documents that the main ones lead to.  A chapter belongs to the nearest main documents, beside it or
    above.
    """
    of_latex = [path for path in main if languages.language_of_path(path).search == "kpathsea"]
    folders = dict.fromkeys(map(os.path.dirname, of_latex))
    candidates: list[str] = []
    others: dict[str, list[str]] = {}  # by folder: what may be main documents
    for path, is_root in _parts(files, tuple(folders), read):
        if is_root:
            others.setdefault(os.path.dirname(path), []).append(path)
        else:
            candidates.append(path)
        if len(candidates) > _MOST:
            return None
    near = [path for path in candidates if _is_near(files, path, folders, others)]
    strays = [path for path in near if _is_stray(files, settings, main, path)]
    return tuple(filter(None, map(files.read, strays)))


def joined(project: Project) -> Project:
    """The project with its strays as parts, for what changes keys wherever they are cited."""
    found = {it.document.path: it for it in project.strays or () if it.document.path not in project.sources}
    if not found:
        return project
    return replace(project, sources={**project.sources, **found}, manuscript=(*project.manuscript, *found))


def _parts(files: Files, folders: Sequence[str], read: Collection[str]) -> Iterator[tuple[str, bool]]:
    """What else lies in the folders, and whether it seems to be a main document."""
    for path in files.manuscripts() if folders else ():
        if path in read or languages.language_of_path(path).search != "kpathsea" or is_package(path):
            continue
        outline = files.outline(path) if any(is_inside(path, it) for it in folders) else None
        if outline is not None:
            yield path, outline.is_root


def _is_near(files: Files, path: str, folders: Collection[str], others: Mapping[str, Sequence[str]]) -> bool:
    for folder in roots.folders_above(path):
        if folder in folders:
            return True
        if any(roots.is_main(files, it) for it in others.get(folder, ())):
            return False
    return False


def _is_stray(files: Files, settings: Settings, main: Sequence[str], path: str) -> bool:
    root = roots.named(files, path)
    if root is not None:
        return root in main
    tops = map(files.outline, roots.tops(files, path, settings)[0])
    return not any(it and it.is_root for it in tops)
