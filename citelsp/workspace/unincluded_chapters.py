"""Chapters that nothing leads to, beside a main document or below it: what they cite is not unused.

They may be included by a macro, or for some time not at all.  In Markdown they are documents that cite in brackets and
name no bibliography, nor do settings for them: pandoc may be given it by an option, or by the preamble of a PDF.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from citelsp.base.settings import Settings
from citelsp.base.text import is_package
from citelsp.syntax import languages
from citelsp.workspace import borrowing, roots
from citelsp.workspace.disk import is_inside
from citelsp.workspace.project import Project
from citelsp.workspace.roots import Files
from citelsp.workspace.source import Source

_MOST_CANDIDATES = 30  # whose place among main documents is looked up, at each change of a document
_MOST_LOOKED_AT = 100  # documents in which citations are looked for


def find_chapters(
    files: Files, settings: Settings, main: Sequence[str], read: Collection[str]
) -> tuple[Source, ...] | None:
    """Find the chapters of these main documents that none of them includes; None if there may be too many.

    `main` are paths; `read` are the paths of the documents that they lead to.  A chapter belongs to the nearest main
    documents, beside it or above.  Too many are also more than `_MOST_LOOKED_AT` documents that may be chapters.
    """
    folders = dict.fromkeys(map(os.path.dirname, main))
    of_mains = {languages.language_of_path(path).name for path in main}
    candidates: list[str] = []
    looked_at = 0
    other_mains: dict[str, list[str]] = {}  # by folder: other documents that may be main, whose chapters are not ours
    with_settings: dict[str, bool] = {}  # by folder: whether settings name a bibliography for its documents
    for path, is_root in _other_documents(files, tuple(folders), of_mains, read):
        if is_root:
            other_mains.setdefault(os.path.dirname(path), []).append(path)
            continue
        looked_at += 1
        if looked_at > _MOST_LOOKED_AT:
            return None
        if not _may_cite(files, path, with_settings):
            continue
        candidates.append(path)
        if len(candidates) > _MOST_CANDIDATES:
            return None
    # On the way up from a chapter these main documents come before any other.
    near = [path for path in candidates if _is_near(files, path, folders, other_mains)]
    chapters = [path for path in near if _is_unincluded(files, settings, main, path)]
    return tuple(filter(None, map(files.read, chapters)))


def join_strays(project: Project) -> Project:
    """Return the project with its strays (unincluded chapters) as parts, for edits that change keys wherever cited."""
    new = {it.document.path: it for it in project.strays or () if it.document.path not in project.sources}
    if not new:
        return project
    return replace(project, sources={**project.sources, **new}, manuscript=(*project.manuscript, *new))


def _other_documents(
    files: Files, folders: Sequence[str], language_names: Collection[str], read: Collection[str]
) -> Iterator[tuple[str, bool]]:
    """Yield what else of these languages lies in the folders or below, with True if it seems to be a main document.

    That is, not the documents `read` already, and no packages, which are no chapters.
    """
    if not folders:
        return
    for path in files.manuscripts():
        if path in read or languages.language_of_path(path).name not in language_names or is_package(path):
            continue
        outline = files.outline(path) if any(is_inside(path, folder) for folder in folders) else None
        if outline is not None:
            yield path, outline.is_root


def _may_cite(files: Files, path: str, with_settings: dict[str, bool]) -> bool:
    """True for LaTeX, Typst and Org; for Markdown that cites in brackets, if no settings name a bibliography for it.

    `with_settings` remembers by folder whether there are such settings, which are looked for in all folders above.
    """
    if roots.has_chapters(languages.language_of_path(path)):
        return True
    source = files.read(path)
    if source is None or not borrowing.may_cite(source):
        return False
    folder = os.path.dirname(path)
    if folder not in with_settings:
        settings = filter(None, map(files.outline, roots.metadata_around(path)))
        with_settings[folder] = any(link.kind == "bibliography" for outline in settings for link in outline.links)
    return not with_settings[folder]


def _is_near(files: Files, path: str, folders: Collection[str], other_mains: Mapping[str, Sequence[str]]) -> bool:
    """True if on the way up from `path` one of the folders is met before another main document."""
    for folder in roots.folders_above(path):
        if folder in folders:
            return True
        if any(roots.is_main(files, other) for other in other_mains.get(folder, ())):
            return False
    return False


def _is_unincluded(files: Files, settings: Settings, main: Sequence[str], path: str) -> bool:
    """True if a chapter names one of these main documents itself; if it names none, if no main document leads to it."""
    root = roots.find_named_main(files, path)
    if root is not None:
        return root in main
    tops = map(files.outline, roots.find_tops(files, path, settings).paths)
    return not any(outline and outline.is_root for outline in tops)
