r"""The documents of the project that an `\input`, a `\bibliography` or a YAML `bibliography:` names."""

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePath

from citelsp.project import Project, Source
from citelsp.syntax.nodes import Link

_ENDINGS = {"part": (".tex", ".ltx", ".md", ".qmd", ".Rmd"), "bibliography": (".bib",), "metadata": (".yml", ".yaml")}


def named(project: Project, source: Source, link: Link) -> list[str]:
    """Paths of the documents that the link leads to, none where it leads out of what was read."""
    wanted = list(_candidates(project, source, link))
    if any(char in link.target for char in "*?["):
        return [path for path in project.sources if any(fnmatchcase(path, pattern) for pattern in wanted)]
    known = {os.path.normpath(path): path for path in project.sources}
    if found := next((known[path] for path in wanted if path in known), None):
        return [found]
    return _by_name(project, link) if link.kind == "bibliography" else []


def _candidates(project: Project, source: Source, link: Link) -> Iterator[str]:
    """The target seen from its own document first, then from every root, as TeX itself looks for it."""
    roots = [path for path in project.manuscript if project.sources[path].syntax.is_root]
    for path in dict.fromkeys([source.document.path, *roots]):
        target = os.path.normpath(PurePath(path).parent / link.base / link.target)
        yield target
        for ending in _ENDINGS[link.kind]:
            yield target + ending


def _by_name(project: Project, link: Link) -> list[str]:
    """A bibliography found through BIBINPUTS or a texmf tree keeps its name."""
    name = PurePath(link.target).name
    return [path for path in project.bibliographies if PurePath(path).name in (name, f"{name}.bib")][:1]
