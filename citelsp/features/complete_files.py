r"""Names of bibliographies and styles where a manuscript declares them: `\addbibresource{`, `bibliography:`, `csl:`."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath

from citelsp.base.text import Span
from citelsp.syntax.languages.language import ManuscriptLanguage
from citelsp.workspace import link_paths
from citelsp.workspace.project import Project

_REST_OF_NAME = re.compile(r"[^\s\"'{}\[\],]*")  # behind the cursor
_MOST = 200  # names


@dataclass(frozen=True, slots=True)
class FileArgument:
    """Where a name is typed: `span` is of the whole name, `patterns` say which files may be meant."""

    span: Span
    base: str  # the directory that names count from
    patterns: tuple[str, ...]
    bare: bool  # BibTeX puts the ending itself
    named: frozenset[str]  # that are declared already


def place(project: Project, path: str, offset: int) -> FileArgument | None:
    """Return the file name that is typed at `offset`, with the patterns of files that it may mean; None if none is.

    The files stand in the folder that is typed, as in `bib/re`, or one folder below; if none is typed yet, they are
    looked for from the folder that names count from (`base`).  Files that the document names elsewhere are told, too
    (`named`), as they need not be offered again; and whether a name is written without its ending (`bare`).
    """
    source = project.sources.get(path)
    if source is None or source.language.manuscript is None:
        return None
    manuscript = source.language.manuscript
    text = source.document.text
    argument = manuscript.naming(text, offset)  # what is typed of a name, and which endings such files have
    if argument is None:
        return None
    rest_of_name = _REST_OF_NAME.match(text, offset)  # matches always, if only nothing: `else` is for the type checker
    span = Span(offset - len(argument.typed), rest_of_name.end() if rest_of_name else offset)
    base = str(PurePath(_choose_base(project, path, manuscript)).parent)
    typed_folder = argument.typed.rpartition("/")[0]
    # Escaped, so that brackets and stars in names of folders mean themselves in the patterns.
    folder = PurePath(link_paths.escaped(base), link_paths.escaped(typed_folder))
    here = [str(folder / f"*.{ending}") for ending in argument.endings]
    below = [str(folder / "*" / f"*.{ending}") for ending in argument.endings]
    elsewhere = [link.target for link in source.syntax.links if not link.span.touches(offset)]
    named = frozenset(_spell_plainly(target, bare=argument.bare) for target in elsewhere)
    return FileArgument(span, base, patterns=(*here, *below), bare=argument.bare, named=named)


def _choose_base(project: Project, path: str, manuscript: ManuscriptLanguage) -> str:
    """The document from whose folder names count: LaTeX's from the root, of another language from the document."""
    if manuscript.search != "kpathsea":
        return path
    roots = [it for it in project.manuscript if project.sources[it].syntax.is_root]
    return path if path in roots or not roots else roots[0]


def complete(at: FileArgument, listed: Callable[[str], Sequence[str]]) -> list[str]:
    """The names that may stand there, the nearest files first; `listed` gives the files that a pattern means."""
    return list(dict.fromkeys(_write_names(at, listed)))[:_MOST]


def _write_names(at: FileArgument, listed: Callable[[str], Sequence[str]]) -> Iterator[str]:
    """Each file's name as it would be written there, without those that are declared already."""
    for pattern in at.patterns:
        for path in sorted(listed(pattern)):
            name = _spell_plainly(os.path.relpath(path, at.base).replace(os.sep, "/"), bare=at.bare)
            if name not in at.named:
                yield name


def _spell_plainly(name: str, *, bare: bool) -> str:
    """A name without `./` before it; if `bare`, without the ending .bib, which BibTeX puts behind it itself."""
    plain = str(PurePosixPath(name))
    return plain.removesuffix(".bib") if bare else plain
