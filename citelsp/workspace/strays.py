"""Chapters that nothing leads to, beside a main document of LaTeX or below it: what they cite is not unused.

They may be included by a macro, or for some time not at all.
"""

import os
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from citelsp.base.settings import Settings
from citelsp.base.text import is_package
from citelsp.syntax import languages
from citelsp.workspace import roots
from citelsp.workspace.project import Source
from citelsp.workspace.roots import Files

_MOST = 30  # that are looked at, at each change of a document


def below(files: Files, settings: Settings, main: Sequence[str], read: Collection[str]) -> tuple[Source, ...] | None:
    """Such chapters of these main documents, of which `read` is what they lead to; None if there may be too many."""
    folders = dict.fromkeys(os.path.dirname(it) for it in main if languages.of_path(it).search == "kpathsea")
    candidates = list(islice(_parts(files, tuple(folders), read), _MOST + 1))
    if len(candidates) > _MOST:
        return None
    strays = (it for it in candidates if _is_stray(files, settings, main, it))
    return tuple(filter(None, map(files.read, strays)))


def _parts(files: Files, folders: Sequence[str], read: Collection[str]) -> Iterator[str]:
    for path in files.manuscripts() if folders else ():
        if path in read or languages.of_path(path).search != "kpathsea" or is_package(path):
            continue
        outline = files.outline(path) if any(roots.inside(path, it) for it in folders) else None
        if outline is not None and not outline.is_root:
            yield path


def _is_stray(files: Files, settings: Settings, main: Sequence[str], path: str) -> bool:
    if (root := roots.named(files, path)) is not None:
        return root in main
    return roots.tops(files, path, settings)[0] == [path]
