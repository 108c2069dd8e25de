r"""Names of bibliographies and styles where a manuscript declares them: `\addbibresource{`, `bibliography:`, `csl:`."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from citelsp.base.text import Span
from citelsp.syntax.languages.language import ManuscriptLanguage
from citelsp.workspace import link_paths
from citelsp.workspace.project import Project

_REST = re.compile(r"[^\s\"'{}\[\],]*")  # of a name behind the cursor
_MOST = 200


@dataclass(frozen=True, slots=True)
class FileArgument:
    """Where a name is typed: `span` is of the whole name, `patterns` say which files may be meant."""

    span: Span
    base: str  # the directory that names count from
    patterns: tuple[str, ...]
    bare: bool  # BibTeX puts the ending itself
    named: frozenset[str]  # that are declared already


def place(project: Project, path: str, offset: int) -> FileArgument | None:
    """None if no such name is typed."""
    source = project.sources.get(path)
    if source is None or source.language.manuscript is None:
        return None
    manuscript = source.language.manuscript
    text = source.document.text
    argument = manuscript.naming(text, offset)
    if argument is None:
        return None
    behind = _REST.match(text, offset)
    span = Span(offset - len(argument.typed), behind.end() if behind else offset)
    base = str(PurePath(_document_of_paths(project, path, manuscript)).parent)
    typed_folder = argument.typed.rpartition("/")[0]
    folder = PurePath(link_paths.escaped(base), link_paths.escaped(typed_folder))
    here = [str(folder / f"*.{ending}") for ending in argument.endings]
    below = [str(folder / "*" / f"*.{ending}") for ending in argument.endings]
    named = frozenset(it.target for it in source.syntax.links if not it.span.touches(offset))
    return FileArgument(span, base, (*here, *below), argument.bare, named)


def _document_of_paths(project: Project, path: str, manuscript: ManuscriptLanguage) -> str:
    """The document from whose folder names count: LaTeX's from the root, of another language from the document."""
    if manuscript.search != "kpathsea":
        return path
    roots = [it for it in project.manuscript if project.sources[it].syntax.is_root]
    return path if path in roots or not roots else roots[0]


def complete(at: FileArgument, listed: Callable[[str], Sequence[str]]) -> list[str]:
    """The names that may stand there, the nearest files first; `listed` gives the files that a pattern means."""
    return list(dict.fromkeys(_names(at, listed)))[:_MOST]


def _names(at: FileArgument, listed: Callable[[str], Sequence[str]]) -> Iterator[str]:
    for pattern in at.patterns:
        for path in sorted(listed(pattern)):
            name = os.path.relpath(path, at.base).replace(os.sep, "/")
            name = name.removesuffix(".bib") if at.bare else name
            if name not in at.named:
                yield name
