"""Chapters that nothing leads to, beside a main document or below it: what they cite is not unused.

They may be included by a macro, or for some time not at all.  As chapters count Markdown and main documents, too, that
cite by keys which are here and lead to no bibliography: pandoc may be given it by an option, and that of a draft is not
named yet, or is not where the draft says.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, islice

from citelsp.base.settings import Settings
from citelsp.base.text import is_package
from citelsp.syntax import languages
from citelsp.syntax.nodes import Syntax
from citelsp.workspace import roots
from citelsp.workspace.disk import is_inside
from citelsp.workspace.project import Project
from citelsp.workspace.roots import Files
from citelsp.workspace.source import Source

_MOST_CANDIDATES = 30  # whose place among main documents is looked up, at each change of a document
_MOST_MAINS = 10  # of a folder, that are read to see whether they have a bibliography
_MOST_LOOKED_AT = 100  # documents in which citations are looked for


def find_chapters(
    files: Files,
    settings: Settings,
    main: Sequence[str],
    read: Mapping[str, Source],
    has_bibliography: Callable[[str], bool],
) -> tuple[Source, ...] | None:
    """Find the chapters of these main documents that none of them includes; None if there may be too many.

    `main` are paths; `read` are the documents that they lead to, by path; `has_bibliography(path)` is True if the
    document there leads to one that can be read.  A chapter belongs to the nearest main documents that have one, beside
    it or above.  Too many are also more than `_MOST_LOOKED_AT` documents that may be chapters; of other main documents
    as many are looked at.
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
        if not _may_cite(files, path, read, with_settings):
            continue
        candidates.append(path)
        if len(candidates) > _MOST_CANDIDATES:
            return None
    # On the way up from a chapter these main documents come before any other.

    @cache
    def has_own_main(folder: str) -> bool:
        return _have_chapters(files, other_mains.get(folder, ()), has_bibliography)

    near = [path for path in candidates if _is_near(path, folders, has_own_main)]
    chapters = [path for path in near if _is_unincluded(files, settings, main, path)]
    # Other main documents that cite what is here, and have no bibliography of their own that can be read.
    others = islice(chain.from_iterable(other_mains.values()), _MOST_LOOKED_AT)
    citing = [path for path in others if _cites_from(files.read(path), read)]
    chapters += [path for path in citing if not has_bibliography(path)]
    return tuple(filter(None, map(files.read, chapters)))


def join_strays(project: Project) -> Project:
    """Return the project with its strays (unincluded chapters) as parts, for edits that change keys wherever cited.

    Those are left out that name a bibliography, which was not found: their keys may be of that one.
    """
    strays = [it for it in project.strays or () if not _names_bibliography(it.syntax)]
    new = {it.document.path: it for it in strays if it.document.path not in project.sources}
    if not new:
        return project
    return replace(project, sources={**project.sources, **new}, manuscript=(*project.manuscript, *new))


def _other_documents(
    files: Files, folders: Sequence[str], language_names: Collection[str], read: Collection[str]
) -> Iterator[tuple[str, bool]]:
    """Yield what else of these languages lies in the folders or below, with True if it seems to be a main document.

    That is, not the documents `read` already, and no packages, which are no chapters.  Wherever they lie, main
    documents count too that name a bibliography of the same name as one that is read: they may mean that one.
    """
    if not folders:
        return
    bibliographies = [path for path in read if languages.language_of_path(path).by_ending]
    naming = {namer for path in bibliographies for namer in files.mentions(path)}
    for path in files.manuscripts():
        if path in read or languages.language_of_path(path).name not in language_names or is_package(path):
            continue
        is_near = any(is_inside(path, folder) for folder in folders)
        outline = files.outline(path) if is_near or path in naming else None
        if outline is not None and (is_near or outline.is_root):
            yield path, outline.is_root


def _names_bibliography(syntax: Syntax) -> bool:
    return any(link.kind == "bibliography" for link in syntax.links)


def _cites_from(source: Source | None, read: Mapping[str, Source]) -> bool:
    """True for a document that cites by a key of an entry in one of the documents `read`."""
    if source is None:
        return False
    lists = [it.syntax.entries for it in read.values() if it.syntax.entries is not None]
    keys = {citation.key for citation in source.syntax.citations}
    return any(entries.by_key(key) for key in keys for entries in lists)


def _have_chapters(files: Files, paths: Sequence[str], has_bibliography: Callable[[str], bool]) -> bool:
    """True if one of these documents is a main one with a bibliography, from which chapters beside it or below cite.

    Of more than `_MOST_MAINS`, as a folder of drawings has, it need not have one: each would be read with its parts.
    """
    mains = (path for path in paths if roots.is_main(files, path))
    return any(len(paths) > _MOST_MAINS or has_bibliography(path) for path in mains)


def _may_cite(files: Files, path: str, read: Mapping[str, Source], with_settings: dict[str, bool]) -> bool:
    """True for LaTeX, Typst and Org; for Markdown that cites from what was `read`, if no settings name a bibliography.

    `with_settings` remembers by folder whether there are such settings, which are looked for in all folders above.
    """
    if roots.has_chapters(languages.language_of_path(path)):
        return True
    source = files.read(path)
    if not _cites_from(source, read):
        return False
    folder = os.path.dirname(path)
    if folder not in with_settings:
        settings = filter(None, map(files.outline, roots.metadata_around(path)))
        with_settings[folder] = any(map(_names_bibliography, settings))
    return not with_settings[folder]


def _is_near(path: str, folders: Collection[str], has_own_main: Callable[[str], bool]) -> bool:
    """True if on the way up from `path` one of the folders is met before one that has a main document of its own."""
    for folder in roots.folders_above(path):
        if folder in folders:
            return True
        if has_own_main(folder):
            return False
    return False


def _is_unincluded(files: Files, settings: Settings, main: Sequence[str], path: str) -> bool:
    """True if a chapter names one of these main documents itself; if it names none, if no main document leads to it."""
    root = roots.find_named_main(files, path)
    if root is not None:
        return root in main
    tops = map(files.outline, roots.find_tops(files, path, settings).paths)
    return not any(outline and outline.is_root for outline in tops)
