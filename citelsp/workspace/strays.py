"""Chapters that nothing leads to, beside a main document of LaTeX or below it: what they cite is not unused.

They may be included by a macro, or for some time not at all.
"""

import os
from collections.abc import Collection, Iterator, Sequence

from citelsp.base.settings import Settings
from citelsp.base.text import is_package
from citelsp.syntax import languages
from citelsp.workspace import roots
from citelsp.workspace.roots import Files

_MOST = 30  # that are read, at each change of a document


def cited(files: Files, settings: Settings, main: Sequence[str], read: Collection[str]) -> frozenset[str] | None:
    """The keys that the chapters cite whose nearest main documents are among `main`; None if these are too many."""
    found: list[str] = []
    folders = dict.fromkeys(os.path.dirname(it) for it in main if languages.of_path(it).search == "kpathsea")
    for path in _candidates(files, tuple(folders), read):
        found.append(path)
        if len(found) > _MOST:
            return None
    strays = (it for it in found if _is_stray(files, settings, main, it))
    sources = filter(None, map(files.read, strays))
    return frozenset(citation.key for it in sources for citation in it.syntax.citations)


def _candidates(files: Files, folders: Sequence[str], read: Collection[str]) -> Iterator[str]:
    for path in files.manuscripts() if folders else ():
        if path in read or languages.of_path(path).search != "kpathsea" or is_package(path):
            continue
        outline = files.outline(path) if any(roots.inside(path, it) for it in folders) else None
        if outline is not None and not outline.is_root:
            yield path


def _is_stray(files: Files, settings: Settings, main: Sequence[str], path: str) -> bool:
    if (root := roots.named(files, path)) is not None:
        return root in main
    return roots.tops(files, path, settings)[0] == [path] and not set(roots.neighbours(files, path)[0]).isdisjoint(main)
