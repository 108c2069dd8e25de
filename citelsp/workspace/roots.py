"""From a document up to the main ones: who names it, directly or through others.

The way up cannot know from which directory a main file will be compiled, so it offers more than is true;
`include_graph.build` keeps the roots that really lead to the document.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import PurePath
from typing import Literal, NamedTuple, Protocol

from citelsp.base import bounds
from citelsp.base.settings import Settings
from citelsp.base.text import Span, is_package
from citelsp.syntax import languages
from citelsp.syntax.languages.language import Language
from citelsp.syntax.nodes import Link, Syntax
from citelsp.workspace import link_paths
from citelsp.workspace.disk import is_inside
from citelsp.workspace.globs import Listing
from citelsp.workspace.source import Source

NOWHERE = "untitled:"  # the directory of documents that have no file yet and belong to no folder
# Settings of Quarto, Sphinx, Jupyter Book and MyST: they may name bibliographies for what lies beside them and below.
METADATA = ("_quarto.yml", "_quarto.yaml", "_metadata.yml", "_metadata.yaml", "conf.py", "_config.yml", "myst.yml")
_BOOK = "_bookdown.yml"
_MAX_HEIGHT = 8  # directories looked at above a document
_MOST_PARTS = 30  # among which a template is looked for


Unread = Literal["", "large", "denied", "binary"]


class Files(Protocol):
    """How a project reaches documents: the editor's buffers first, then the disk, re-statted on use."""

    def read(self, path: str, language: Language | None = None) -> Source | None:
        """The document at a path; None if there is no such file, or it cannot be opened, is too large or not text.

        `language` is for files whose ending does not say it.  Two paths of one file give one source, under one path.
        """
        ...

    def outline(self, path: str) -> Syntax | None:
        """Return the links of a manuscript and whether it is a root; cheaper than `read` if it was not read yet."""
        ...

    def glob(self, pattern: str) -> Listing: ...  # sorted, bounded
    def bibliographies(self, directory: str) -> Sequence[str]: ...  # the .bib files in it
    def libraries(self, name: str) -> Sequence[str]: ...  # .bib files of the workspace with this name, in any case
    def distributed(self, name: str) -> str | None: ...  # the .bib file of this name that comes with TeX
    def distributed_style(self, name: str) -> str | None: ...  # the .bst file of this name that comes with TeX
    def unread(self, path: str) -> Unread: ...  # why the last `read` of a file gave None, "" if there was none
    def manuscripts(self) -> Sequence[str]: ...  # the LaTeX and Markdown files of the workspace folders, bounded
    def mains(self, directory: str) -> Sequence[str]: ...  # the main documents in it whose language has chapters
    def cells(self, path: str) -> Sequence[str]: ...  # that the editor shows of the notebook that a path belongs to
    def packages(self) -> AbstractSet[str]: ...  # names of the .sty and .cls files among them, in lower case
    def learn(self, cite_commands: Iterable[str]) -> bool: ...  # of the author's own; True where one was new
    def mentions(self, path: str) -> Sequence[str]: ...  # manuscripts and metadata files whose links may mean `path`
    def exists(self, path: str) -> bool: ...
    def same(self, path: str, other: str) -> bool: ...  # one file, by name or by link
    def recall(self, question: tuple[str, ...], about: object, ask: Callable[[], bool]) -> bool:
        """`ask()`, or what it said before, if `about` is the same object and no file came or went since."""
        ...

    def directories(self, variable: str, base: str) -> Sequence[str]: ...  # of TEXINPUTS or BIBINPUTS, absolute
    def folders(self) -> Sequence[str]: ...  # of the workspace
    def fetched(self, address: str) -> str: ...  # the file with the bibliography at an address; "" if it is not here
    def borrowed(self) -> str: ...  # the bibliography that is lent to manuscripts without one; "" if none is
    def problems(self) -> Sequence[str]: ...  # what bounds kept from being seen, for people


class Roots(NamedTuple):
    paths: list[str]
    bounded: bool  # a bound cut them short


def find_tops(files: Files, path: str, settings: Settings) -> Roots:
    """Find the documents at the top: their links may lead to `path`, if only through others, and nobody names them.

    If nobody names `path`, it is the only one.
    """
    seen = {path}
    queue = [path]
    unnamed: list[str] = []
    for current in queue:  # which grows meanwhile by the documents that name `current`
        namers = _namers(files, current)
        # A bibliography that the settings give to all manuscripts counts as named by each of them.
        if current == path and _is_everywhere(files, path, settings):
            namers += [manuscript for manuscript in files.manuscripts() if manuscript not in namers]
        queue += [namer for namer in namers if namer not in seen]
        seen.update(namers)
        if not namers:
            unnamed.append(current)
        if len(seen) > bounds.NAMERS:
            break
    # Documents include each other in a circle, so that all are named, or the bound came before the top.  The main ones
    # are those that say so of themselves; if none does, all manuscripts that were met count.
    if not unnamed:
        parts = [member for member in queue if languages.language_of_path(member).manuscript]
        unnamed = [part for part in parts if _says_it_is_root(files, part)] or parts or [path]
        unnamed.sort(key=lambda member: len(PurePath(member).parts))  # the highest folder first
    is_bounded = len(seen) > bounds.NAMERS or len(unnamed) > bounds.ROOTS
    return Roots(unnamed[: bounds.ROOTS], is_bounded)


def _says_it_is_root(files: Files, path: str) -> bool:
    outline = files.outline(path)
    return outline is not None and outline.is_root


def find_shared(
    files: Files, bibliographies: Iterable[str], manuscript: Iterable[str], settings: Settings
) -> frozenset[str]:
    """Return those of the `bibliographies` that are shared: a document outside this manuscript may cite from them.

    That is, such a document may name them, or they lie outside the workspace folders, where nobody looks for who names
    them; without workspace folders only the former counts.  METADATA names on behalf of all documents for which it
    holds, a preamble on behalf of all that include it.  `manuscript` are the paths of the documents.  Bibliographies
    that settings give to all files are for the caller to add.
    """
    own = set(manuscript)
    folders = files.folders()

    @cache
    def is_own(namer: str) -> bool:
        """True if only documents of this manuscript name what `namer` names."""
        if os.path.basename(namer) in METADATA:
            return own.issuperset(_documents_of_metadata(files, namer))
        return namer in own and own.issuperset(find_tops(files, namer, settings).paths)

    def is_shared(bibliography: str) -> bool:
        if folders and not any(is_inside(bibliography, folder) for folder in folders):
            return True
        namers = files.mentions(bibliography)
        return any(not is_own(namer) and _may_name(files, namer, bibliography) for namer in namers)

    return frozenset(filter(is_shared, bibliographies))


def find_named_main(files: Files, path: str) -> str | None:
    r"""Return the main document that a part itself names: `% !TeX root = main.tex`, `\documentclass[main]{subfiles}`.

    None if it names none, or one that is not there.
    """
    outline = files.outline(path)
    if outline is None or not outline.root:
        return None
    link = Link("part", outline.root, Span(0, 0))  # as if the part linked to it
    language = languages.language_of_path(path)
    folder = os.path.dirname(path)
    for candidate in link_paths.candidates(link, language, "", [folder]):
        source = files.read(candidate)
        if source:
            return source.document.path
    return None


def neighbours(files: Files, path: str) -> Roots:
    """Return the main documents in the nearest directory that holds any, beside a document or above it.

    Those of other languages than the document's do not count.
    """
    language = languages.language_of_path(path)
    for directory in folders_above(path):
        mains = [main for main in files.mains(directory) if languages.language_of_path(main) == language]
        if mains:
            return Roots(list(mains[: bounds.ROOTS]), len(mains) > bounds.ROOTS)
    return Roots([], bounded=False)


def has_chapters(language: Language) -> bool:
    """True for LaTeX, Typst and Org, whose main documents include their chapters by name.

    Markdown's are put together by other programs, so that a chapter lacks nothing if no document names it.
    """
    return language.search in ("kpathsea", "document")


def may_be_chapter(source: Source) -> bool:
    """True for a document that a main document might include; no package.

    In Typst and Org a letter, which names no bibliography, looks like a chapter: there only a document may be one that
    cites, or in which its author is about to.
    """
    if not has_chapters(source.language) or is_package(source.document.path):
        return False
    syntax = source.syntax
    cites_or_will = bool(syntax.citations or syntax.placeholders or syntax.arguments)
    return source.language.search == "kpathsea" or cites_or_will


def is_main(files: Files, path: str) -> bool:
    r"""True for a main document with chapters: in LaTeX it has a `\documentclass`, else it names a bibliography."""
    outline = files.outline(path) if has_chapters(languages.language_of_path(path)) else None
    if outline is None or not outline.is_root:
        return False
    # An outline takes the \documentclass of an example for the document's own: only reading all of it tells.
    source = files.read(path)
    return source is not None and source.syntax.is_root


def is_named(files: Files, bibliography: str) -> bool:
    """True if any document leads to it."""
    return any(_may_name(files, namer, bibliography) for namer in files.mentions(bibliography))


def is_named_by_settings(files: Files, bibliography: str) -> bool:
    """True if settings lead to it: of Quarto, Sphinx or MyST, which are no manuscripts."""
    namers = [it for it in files.mentions(bibliography) if languages.language_of_path(it).manuscript is None]
    return any(_may_name(files, namer, bibliography) for namer in namers)


def cells_among(paths: Iterable[str], path: str) -> list[str]:
    """Return the paths of the cells of a notebook; `path` is the notebook's, or that of one of its cells."""
    start, ending, _ = path.partition(".ipynb")
    return [it for it in paths if it.startswith(f"{start}.ipynb#")] if ending else []


def folders_of_templates(files: Files, paths: Iterable[str]) -> list[str]:
    """Return the folders of the parts that these documents lead to: one may be a template, which counts paths from it.

    Of many parts some are left out.
    """
    waiting = list(paths)
    parts: dict[str, None] = {}
    while waiting and len(parts) < _MOST_PARTS:
        path = waiting.pop(0)
        outline = files.outline(path)
        for link in outline.links if outline else ():
            candidates = link_paths.candidates(link, languages.language_of_path(path), "", list(folders_above(path)))
            part = _find_first(files, candidates) if link.kind == "part" else None
            if part and part not in parts:
                parts[part] = None
                waiting.append(part)
    return list(dict.fromkeys(map(os.path.dirname, parts)))


def is_metadata(path: str) -> bool:
    bibliography = languages.language_of_path(path).bibliography
    return bibliography is not None and bibliography.declare_beside is not None


def metadata_around(path: str) -> list[str]:
    """Return where Quarto looks for metadata of a document: beside it and above, the nearest last so that it wins."""
    directories = list(folders_above(path))
    return [os.path.join(directory, name) for directory in reversed(directories) for name in METADATA]


def book_parts(files: Files, path: str) -> list[str]:
    """Return the chapters that bookdown appends to `index.Rmd`: its neighbours in R Markdown without a leading `_`."""
    directory, name = os.path.split(path)
    if name.lower() != "index.rmd" or files.read(os.path.join(directory, _BOOK)) is None:
        return []
    chapters = files.glob(os.path.join(link_paths.escaped(directory), "*.[Rr]md"))
    return [it for it in chapters.paths if it != path and not os.path.basename(it).startswith("_")]


def folders_above(path: str) -> Iterator[str]:
    """Yield the directories that hold a path, nearest first."""
    directory = os.path.dirname(path)
    for _ in range(_MAX_HEIGHT):
        yield directory
        parent = os.path.dirname(directory)
        if parent == directory or directory == NOWHERE:
            return
        directory = parent


def _namers(files: Files, path: str) -> list[str]:
    r"""Return the documents that lead to `path`: by a link, as the main document that it names, or as its book.

    A file of METADATA counts as named by the documents for which it holds, since what leads to these
    leads to it.
    """
    namers = [other for other in files.mentions(path) if other != path and _may_name(files, other, path)]
    main = find_named_main(files, path)
    if main and main not in (path, *namers):
        namers.append(main)
    if os.path.basename(path) in METADATA:
        namers += _documents_of_metadata(files, path)
    elif path.lower().endswith(".rmd"):
        index = os.path.join(os.path.dirname(path), "index.Rmd")
        if index != path and path in book_parts(files, index):
            namers.append(index)
    return namers


def _documents_of_metadata(files: Files, metadata: str) -> Iterator[str]:
    """Yield the documents for which a file of METADATA holds: Markdown and notebooks in its directory or below."""
    directory = os.path.dirname(metadata)
    for path in files.manuscripts():
        if languages.language_of_path(path).search == "pandoc" and is_inside(path, directory):
            yield path


def _may_name(files: Files, namer: str, path: str) -> bool:
    """True if a link of `namer` may mean `path`, whatever directory above it the reading starts from."""
    outline = files.outline(namer)
    if outline is None:
        return False
    return files.recall((namer, path), outline, lambda: _may_lead_to(files, outline, namer, path))


def _may_lead_to(files: Files, outline: Syntax, namer: str, path: str) -> bool:
    """True if a link in the `outline` of `namer` may lead to `path`, from whichever directory the link may count."""
    language = languages.language_of_path(namer)
    jobname = link_paths.stem(namer) if outline.is_root else "*"  # of a part: that of whatever document includes it
    bases = list(folders_above(namer))
    if language.search == "kpathsea":
        for variable in ("TEXINPUTS", "BIBINPUTS"):
            bases += files.directories(variable, os.path.dirname(namer))
    for link in outline.links:
        if not link_paths.may_mean(link, namer, path):
            continue
        # A macro may be defined anywhere: True for now, as `include_graph` reads the definitions and follows the link.
        if link_paths.has_macros(link):
            if link_paths.may_be_named(link, jobname, path):
                return True
            continue
        first = _find_first(files, link_paths.candidates(link, language, jobname, bases))
        if first is None and link.handed_on:
            of_templates = folders_of_templates(files, [namer])
            first = _find_first(files, link_paths.candidates(link, language, jobname, of_templates))
        if first is not None and files.same(first, path):
            return True
        patterns = link_paths.patterns(link, language, jobname, bases)
        if any(link_paths.matches(path, pattern) for pattern in patterns):
            return True
    return False


def _find_first(files: Files, candidates: Iterable[str]) -> str | None:
    """Return the first file that exists, which of several is the one that programs read; None if none does."""
    return next(filter(files.exists, candidates), None)


def _is_everywhere(files: Files, path: str, settings: Settings) -> bool:
    """True if the settings let every manuscript cite from this bibliography."""
    bases = files.folders() or ("",)  # without folders only an absolute name tells it
    for written in settings.syntax.bibliographies:
        link = Link("bibliography", written, Span(0, 0))  # as if each manuscript linked to it
        candidates = link_paths.candidates(link, languages.BIBTEX, "", bases)
        if any(files.same(candidate, path) for candidate in candidates):
            return True
        patterns = link_paths.patterns(link, languages.BIBTEX, "", bases)
        if any(link_paths.matches(path, pattern) for pattern in patterns):
            return True
    return False
