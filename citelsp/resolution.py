"""From a link to the documents that it means: paths tried in turn, patterns, macros, what comes with TeX."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from citelsp import links, roots
from citelsp.project import Source
from citelsp.roots import Files
from citelsp.syntax.definitions import spellings
from citelsp.syntax.nodes import Link

if TYPE_CHECKING:
    from citelsp.text import Language


class Resolved(NamedTuple):
    """The documents, or the paths that were tried in vain, the likeliest first; `cut` where a bound left some out."""

    sources: Sequence[Source] = ()
    tried: Sequence[str] = ()
    cut: bool = False


def resolve(files: Files, link: Link, source: Source, root: str, texts: Callable[[], Sequence[str]]) -> Resolved:
    """The documents a link of `source` means: one, or with a pattern several.  Macros are those that `texts` define."""
    language = source.document.language
    hint: Language = "bibtex" if link.kind == "bibliography" else language
    bases, jobname, tried = _bases(files, link, source, root), links.stem(root), list[str]()
    meant = list(_spelled(link, texts())) if language == "latex" and links.has_macros(link) else [link]
    for candidate in (path for it in meant for path in links.candidates(it, language, jobname, bases)):
        if found := files.read(candidate, hint):
            return Resolved([found])
        tried.append(candidate)
    if link.kind != "bibliography":
        return Resolved(tried=tried)
    if language == "latex" and (found := next(filter(None, map(files.read, _as_kpathsea(files, link, tried))), None)):
        return Resolved([found])
    listed = [files.glob(pattern) for it in meant for pattern in links.patterns(it, language, jobname, bases)]
    paths = dict.fromkeys(path for it in listed for path in it.paths)
    return Resolved(list(filter(None, (files.read(it, hint) for it in paths))), tried, any(it.cut for it in listed))


def written_by(files: Files, link: Link, root: str, sources: Iterable[Source]) -> Source | None:
    """The document that writes a bibliography as LaTeX runs: if it is not there yet, or is to be overwritten."""
    jobname, start = links.stem(root), os.path.dirname(root)
    meant = links.names(link.kind, links.expanded(link.target, jobname) or "", "latex")
    for source in sources:
        if (written := source.syntax.written) is not None:
            made = {links.expanded(it, jobname) for it in written.names}.intersection(meant)
            if made and (written.overwrites or not any(files.exists(os.path.join(start, it)) for it in meant)):
                return source
    return None


def _spelled(link: Link, texts: Sequence[str]) -> Iterator[Link]:
    for target, base in product(spellings(link.target, texts), spellings(link.base, texts)):
        yield replace(link, target=target, base=base)


def _as_kpathsea(files: Files, link: Link, tried: Iterable[str]) -> Iterator[str]:
    """The same names in another letter case, then those of the TeX distribution."""
    directories, names = set(map(os.path.dirname, tried)), dict.fromkeys(map(os.path.basename, tried))
    for name in names:
        yield from (it for it in files.libraries(name) if os.path.dirname(it) in directories)
    if not os.path.dirname(link.target):
        yield from filter(None, map(files.distributed, names))


def _bases(files: Files, link: Link, source: Source, root: str) -> list[str]:
    """The directories that a link may count from: the root's and the document's own, then the search path.

    TeX and pandoc count from where they are run, which may be any directory above in the workspace; Quarto and R
    Markdown from the document.
    """
    here, start = os.path.dirname(source.document.path), os.path.dirname(root)
    if source.document.language == "latex":
        variable = "BIBINPUTS" if link.kind == "bibliography" else "TEXINPUTS"
        first = [start, here, *files.directories(variable, start)]
    else:
        first = [here, start]
    above = (it for it in roots.above(root) if any(roots.inside(it, folder) for folder in files.folders()))
    return list(dict.fromkeys((*first, *above)))
