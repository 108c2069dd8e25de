"""From a link to the documents that it means: paths tried in turn, patterns, macros, what comes with TeX."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from citelsp.base import bounds
from citelsp.syntax import languages
from citelsp.syntax.languages.latex.command_definitions import spellings
from citelsp.syntax.nodes import Link
from citelsp.workspace import link_paths, roots
from citelsp.workspace.disk import is_inside
from citelsp.workspace.roots import Files
from citelsp.workspace.source import Source

FileMacros = Mapping[str, Sequence[str]]  # of one document: names, and what each may stand for


class Resolved(NamedTuple):
    """The documents, or the paths that were tried in vain, the likeliest first."""

    sources: Sequence[Source] = ()
    tried: Sequence[str] = ()
    cut: bool = False  # a bound left some out
    guessed: bool = False  # found from a directory that the link need not count from


def resolve(
    files: Files, link: Link, source: Source, root: str, macros: Callable[[], Sequence[FileMacros]]
) -> Resolved:
    """The documents that a link of `source` means: one, or several by a pattern.  `macros` may stand in it."""
    language, tex = source.language, source.language.search == "kpathsea"
    hint = languages.BIBTEX if link.kind == "bibliography" else language
    jobname, tried = link_paths.stem(root), list[str]()
    if link.kind == "bibliography" and link_paths.is_remote(link):
        own = files.read(path) if (path := files.fetched(link.target.strip())) else None
        return Resolved([own] if own else [])
    meant = list(_spelled(link, macros())) if tex and link_paths.has_macros(link) else [link]
    bases = _bases(files, link, source, root)
    for spelling in meant:
        for candidate in link_paths.candidates(spelling, language, jobname, bases):
            if found := files.read(candidate, hint):
                return Resolved([found])
            tried.append(candidate)
    if link.kind == "bibliography":
        # kpathsea finds `Refs.bib` for `refs`, on Linux too, and what comes with TeX only after the author's own.
        known = _as_kpathsea(files, link, tried) if tex else ()
        if found := next(filter(None, map(files.read, known)), None):
            return Resolved([found])
        listed = [files.glob(pattern) for it in meant for pattern in link_paths.patterns(it, language, jobname, bases)]
        paths = dict.fromkeys(path for it in listed for path in it.paths)
        if paths or any(it.cut for it in listed):
            read = filter(None, (files.read(it, hint) for it in paths))
            return Resolved(list(read), tried, any(it.cut for it in listed))
    # TeX may be run in any folder above: what is found from there is a guess, which makes nothing undefined.
    further = _places_above_root(files, bases, root)
    guesses = (path for it in meant for path in link_paths.candidates(it, language, jobname, further))
    guess = next(filter(None, (files.read(it, hint) for it in guesses)), None)
    return Resolved([guess] if guess else [], tried, len(bases) >= bounds.SEARCHED, guess is not None)


def written_by(files: Files, link: Link, root: str, sources: Iterable[Source]) -> Source | None:
    """The document that writes a bibliography as LaTeX runs: if it is not there yet, or is to be overwritten."""
    jobname, start = link_paths.stem(root), os.path.dirname(root)
    meant = link_paths.names(link.kind, link_paths.expanded(link.target, jobname) or "", languages.PLAIN)
    for source in sources:
        if (written := source.syntax.written) is not None:
            made = {link_paths.expanded(it, jobname) for it in written.names}.intersection(meant)
            if made and (written.overwrites or not any(files.exists(os.path.join(start, it)) for it in meant)):
                return source
    return None


def _spelled(link: Link, macros: Sequence[FileMacros]) -> Iterator[Link]:
    for target, base in product(spellings(link.target, macros), spellings(link.base, macros)):
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

    TeX counts from where it is run, pandoc too, which may be the folder; Quarto and R Markdown from the document.
    """
    here, start = os.path.dirname(source.document.path), os.path.dirname(root)
    if source.language.search == "kpathsea":
        variable = "BIBINPUTS" if link.kind == "bibliography" else "TEXINPUTS"
        above = (it for it in files.folders() if is_inside(start, it))
        return list(dict.fromkeys((start, here, *files.directories(variable, start), *above)))
    return list(dict.fromkeys((here, start, *(it for it in files.folders() if is_inside(here, it)))))


def _places_above_root(files: Files, bases: Sequence[str], root: str) -> list[str]:
    """Where TeX and pandoc may be run too: above the root, inside the workspace."""
    above = (it for it in roots.folders_above(root) if any(is_inside(it, folder) for folder in files.folders()))
    return [it for it in above if it not in bases]
