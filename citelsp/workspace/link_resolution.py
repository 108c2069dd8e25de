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
from citelsp.workspace.globs import Listing
from citelsp.workspace.roots import Files
from citelsp.workspace.source import Source

FileMacros = Mapping[str, Sequence[str]]  # of one document: names, and what each may stand for


class Resolved(NamedTuple):
    """The documents that a link means; `tried` are the paths at which none was found, the likeliest first."""

    sources: Sequence[Source] = ()
    tried: Sequence[str] = ()
    cut: bool = False  # a bound left some out
    guessed: bool = False  # found from a directory that the link need not count from


def resolve(
    files: Files, link: Link, source: Source, root: str, macros: Callable[[], Sequence[FileMacros]]
) -> Resolved:
    """Find the documents that a link of `source` means: one, or several by a pattern.

    Tried are, in this order: the file under every name and from every directory that the link may mean; for
    bibliographies what kpathsea finds besides, and the files that match a pattern; last the file from a directory
    above, or from that of a template, which is a guess.  `root` is the main document's path; `macros()` are those that
    may stand in the link.
    """
    # A bibliography on the web is its copy on this machine, if somebody had it fetched; nothing else is tried.
    if link.kind == "bibliography" and link_paths.is_remote(link):
        fetched = files.fetched(link.target.strip())
        copy = files.read(fetched) if fetched else None
        return Resolved([copy] if copy else [])

    is_tex = source.language.search == "kpathsea"
    language_unless_known = languages.BIBTEX if link.kind == "bibliography" else source.language
    links = list(_spell_out(link, macros())) if is_tex and link_paths.has_macros(link) else [link]
    bases = _list_bases(files, link, source, root)
    jobname = link_paths.stem(root)

    def candidates(directories: Sequence[str]) -> Iterator[str]:
        for spelled in links:
            yield from link_paths.candidates(spelled, source.language, jobname, directories)

    tried: list[str] = []
    for candidate in candidates(bases):
        document = files.read(candidate, language_unless_known)
        if document:
            return Resolved([document])
        tried.append(candidate)
    if link.kind == "bibliography":
        # kpathsea finds `Refs.bib` for `refs`, on Linux too, and what comes with TeX only after the author's own.
        by_kpathsea = _paths_of_kpathsea(files, link, tried) if is_tex else ()
        document = next(filter(None, map(files.read, by_kpathsea)), None)
        if document:
            return Resolved([document])
        patterns = [it for spelled in links for it in link_paths.patterns(spelled, source.language, jobname, bases)]
        matching = _list_matches(files, patterns)
        # What a bound left out may be meant: then nothing is guessed either, and `cut` says so.
        if matching.paths or matching.cut:
            documents = filter(None, (files.read(path, language_unless_known) for path in matching.paths))
            return Resolved(list(documents), tried, bool(matching.cut))
    # TeX may be run in any folder above: what is found from there is a guess, which makes nothing undefined.
    further = _places_above_root(files, bases, root)
    if link.handed_on:
        of_templates = roots.folders_of_templates(files, dict.fromkeys((root, source.document.path)))
        further += [folder for folder in of_templates if folder not in bases]
    guesses = (files.read(candidate, language_unless_known) for candidate in candidates(further))
    guess = next(filter(None, guesses), None)
    not_all_searched = len(bases) >= bounds.SEARCHED  # `files.directories` names no more than so many
    return Resolved([guess] if guess else [], tried, cut=not_all_searched, guessed=guess is not None)


def _list_matches(files: Files, patterns: Iterable[str]) -> Listing:
    """List the files that match any of the patterns, each once; `cut` says what a bound left out of one, else ""."""
    paths: dict[str, None] = {}
    cut = ""
    for pattern in patterns:
        listing = files.glob(pattern)
        paths |= dict.fromkeys(listing.paths)
        cut = cut or listing.cut
    return Listing(list(paths), cut)


def written_by(files: Files, link: Link, root: str, sources: Iterable[Source]) -> Source | None:
    """Return the document among `sources` that writes, as LaTeX runs, the bibliography that a link names.

    None if none does, or if the file is there already and is not to be overwritten.
    """
    jobname = link_paths.stem(root)
    directory = os.path.dirname(root)
    names = link_paths.names(link.kind, link_paths.expand(link.target, jobname) or "", languages.PLAIN)
    for source in sources:
        written = source.syntax.written
        if written is None:
            continue
        written_names = {link_paths.expand(name, jobname) for name in written.names}
        if written_names.isdisjoint(names):
            continue
        if written.overwrites or not any(files.exists(os.path.join(directory, name)) for name in names):
            return source
    return None


def _spell_out(link: Link, macros: Sequence[FileMacros]) -> Iterator[Link]:
    """Yield the link with its macros replaced, in every way that their definitions allow."""
    for target, base in product(spellings(link.target, macros), spellings(link.base, macros)):
        yield replace(link, target=target, base=base)


def _paths_of_kpathsea(files: Files, link: Link, tried: Iterable[str]) -> Iterator[str]:
    """Yield the files that kpathsea finds besides: of the same names in another letter case, then those of TeX.

    `tried` are the paths at which no file was found.  Those of TeX come only if the link names no directory.
    """
    directories = set(map(os.path.dirname, tried))
    names = dict.fromkeys(map(os.path.basename, tried))
    for name in names:
        for library in files.libraries(name):
            if os.path.dirname(library) in directories:
                yield library
    names_directory = bool(os.path.dirname(link.target))
    if not names_directory:
        yield from filter(None, map(files.distributed, names))


def _list_bases(files: Files, link: Link, source: Source, root: str) -> list[str]:
    """Return the directories that a link of `source` may count from, the likeliest first.

    TeX counts from where it is run: beside the main document, `root`, or in a workspace folder above.  It also has its
    search path, TEXINPUTS or BIBINPUTS.  Quarto, R Markdown and Typst count from the document itself, so in all other
    languages its folder comes first; pandoc, which counts from where it is run, is mostly run there.
    """
    own_directory = os.path.dirname(source.document.path)
    root_directory = os.path.dirname(root)
    if source.language.search == "kpathsea":
        variable = "BIBINPUTS" if link.kind == "bibliography" else "TEXINPUTS"
        bases = [root_directory, own_directory, *files.directories(variable, root_directory)]
    else:
        bases = [own_directory, root_directory]
    above_likeliest = [folder for folder in files.folders() if is_inside(bases[0], folder)]
    return list(dict.fromkeys([*bases, *above_likeliest]))


def _places_above_root(files: Files, bases: Sequence[str], root: str) -> list[str]:
    """Return the folders above the root in which TeX or pandoc may be run too: of the workspace, without `bases`."""
    folders = files.folders()
    above = [directory for directory in roots.folders_above(root) if directory not in bases]
    return [directory for directory in above if any(is_inside(directory, folder) for folder in folders)]
