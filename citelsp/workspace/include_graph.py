"""From a document to its project: up to the roots that lead to it, and down to everything that they lead to."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from citelsp.base import bounds
from citelsp.base.settings import Settings
from citelsp.base.text import Span, is_package
from citelsp.syntax import languages
from citelsp.syntax.bibtex.templates import is_template
from citelsp.syntax.nodes import Link, Reduced
from citelsp.workspace import (
    bibtex_style,
    borrowing,
    csl_styles,
    implicit_bibliographies,
    jekyll,
    link_paths,
    missing_bibliographies,
    roots,
    unincluded_chapters,
    unnamed_bibliographies,
)
from citelsp.workspace.disk import is_inside
from citelsp.workspace.link_resolution import FileMacros, Resolved, resolve, written_by
from citelsp.workspace.project import Manuscript, Project, Unresolved
from citelsp.workspace.roots import Files
from citelsp.workspace.source import Source

_LEFT_BY_LFS = re.compile(r"version https://git-lfs\.github\.com/spec/")  # in the place of a file that was not fetched
_CROWDED = "{} belongs with more documents than citelsp reads, so it read only some of them."
_REDUCED: Mapping[Reduced, str] = {
    "time": f"takes more than {bounds.READING:g} seconds to read",
    "files": f"names more than {bounds.FOUND:,} files",
    "keys": f"cites more than {bounds.KEYS:,} keys",
    "commands": f"has more than {bounds.COMMANDS} commands of its own, or one of more than {bounds.LETTERS} letters",
}


def build(files: Files, path: str, settings: Settings) -> Project:
    """Build the project of the document at `path`: the roots that include it, their parts, their bibliographies.

    If nothing includes it, the document is its own root; but one of LaTeX, Typst or Org that may be a chapter is then
    taken for a part of the main documents nearest above it, if these have bibliographies.  Cite commands that one part
    defines are known in all.
    """
    project = _build_once(files, path, settings)
    # A command defined in one part is used in others, which may have been read before it was known: these are read anew
    # if `learn` finds that one is new.
    defined_commands = dict.fromkeys(name for part in project.parts for name in part.syntax.cite_commands)
    if defined_commands and files.learn(defined_commands):
        project = _build_once(files, path, settings)
    # A manuscript that names no bibliography may cite from the author's own library, a copy of Zotero's, which is lent
    # to it: read as if the settings named it, but marked as a guess.
    library = files.borrowed()
    if library and borrowing.wants(project):
        syntax = replace(settings.syntax, bibliographies=(library,))
        with_library = _build_once(files, path, replace(settings, syntax=syntax))
        project = borrowing.lend_library(with_library, project, library)
    style_problem = csl_styles.too_long(project, files)
    is_unnamed = not project.manuscript  # a bibliography that no document leads to
    return replace(
        project,
        problems=(*project.problems, style_problem) if style_problem else project.problems,
        bibtex_style=bibtex_style.find_in_use(project, files),
        on_site=is_unnamed and jekyll.prints(files, path),
        guessed_reader=unnamed_bibliographies.guess_reader(files, path) if is_unnamed else "",
    )


def _build_once(files: Files, path: str, settings: Settings) -> Project:
    """Build the project from links and settings, with the cite commands that are known so far.

    A "reading" below is everything that links lead to from one root.
    """
    start = files.read(path)
    # The editor may have opened the file by a link: its path is the one under which it is known.
    path = start.document.path if start else path
    common = _bibliographies_of_settings(files, path, settings)
    common_paths = [source.document.path for source in common.sources]
    # A bibliography that the settings give to all manuscripts belongs to all roots, though none leads to it.
    from_roots = _read_from_roots(files, path, settings, every_root=path in common_paths)
    # A part to which no main document leads is read as if those nearest above included it.
    adopted = _read_from_adopting_mains(files, path, from_roots.readings)
    readings = adopted.readings or from_roots.readings
    is_bounded = from_roots.bounded or adopted.bounded or any(reading.bounded for reading in readings)
    sources, declared, mains, manuscript = _join_readings(readings)
    sources |= {source.document.path: source for source in common.sources}
    problems = [*files.problems(), *common.problems, *_tell_reduced(sources)]
    if is_bounded:
        problems.append(_CROWDED.format(path))
    # Chapters that nothing includes may cite what else would be reported as unused: entries of a declared bibliography.
    strays: tuple[Source, ...] | None = ()
    if declared:
        strays = unincluded_chapters.find_chapters(files, settings, mains, sources, _make_bibliography_test(files))
    return Project(
        sources=sources,
        settings=settings,
        manuscript=manuscript,
        bibliographies=tuple(dict.fromkeys((*declared, *common_paths))),
        unresolved=_unite_unresolved(readings),
        problems=tuple(problems),
        shared=frozenset(common_paths) | roots.find_shared(files, declared, manuscript, settings),
        rooted=any(_is_main(sources[part], has_bibliography=bool(declared)) for part in manuscript),
        bounded=is_bounded or common.cut or any(reading.cut for reading in readings),
        subject=path,
        guessed=bool(adopted.readings),
        unnamed=frozenset(unnamed for reading in readings for unnamed in reading.unnamed),
        lists=tuple(one_list for reading in readings for one_list in reading.lists(common_paths)),
        manuscripts=tuple(reading.as_manuscript(common_paths) for reading in readings),
        strays=strays,
        compiled=tuple(dict.fromkeys(pair for reading in readings for pair in reading.compiled.items())),
    )


def _make_bibliography_test(files: Files) -> Callable[[str], bool]:
    """Return a function that is True for a document which leads to a bibliography that can be read."""

    @cache
    def has_bibliography(path: str) -> bool:
        reading = _read_from_root(files, path)
        return bool(reading.bibliographies) or any(it.syntax.entries is not None for it in reading.sources.values())

    return has_bibliography


class _Joined(NamedTuple):
    """What several readings met, each thing once."""

    sources: dict[str, Source]  # by path
    declared: tuple[str, ...]  # bibliographies, in the order in which they are named
    mains: list[str]  # the first document of each reading
    manuscript: tuple[str, ...]  # these, then the other parts in the order of the text


def _join_readings(readings: Sequence["_GraphReading"]) -> _Joined:
    """Join what was met on the way down from each root; one that is a bibliography has no documents of a manuscript."""
    sources: dict[str, Source] = {}
    declared: dict[str, None] = {}
    mains = [reading.manuscript[0] for reading in readings if reading.manuscript]
    manuscript = dict.fromkeys(mains)
    for reading in readings:
        sources |= reading.sources
        declared |= dict.fromkeys(reading.bibliographies)
        manuscript |= dict.fromkeys(reading.manuscript)
    return _Joined(sources, tuple(declared), mains, tuple(manuscript))


def _is_main(source: Source, *, has_bibliography: bool) -> bool:
    """True if a document can stand alone; Markdown, Typst and Org need no more than a bibliography for that."""
    may_stand_alone = source.language.search in ("pandoc", "document")
    return source.syntax.is_root or (has_bibliography and may_stand_alone)


def _tell_reduced(sources: Mapping[str, Source]) -> Iterator[str]:
    """Yield a sentence for each document of which not all was read."""
    for path, source in sources.items():
        entries = source.syntax.entries
        if source.syntax.reduced:
            yield f"{path} {_REDUCED[source.syntax.reduced]}, so citelsp knows only its keys."
        elif entries is not None and entries.cut:
            first = f"so citelsp knows only its first {len(entries):,} entries"
            yield f"{path} has more entries and macros than citelsp reads, {first}."


def _unite_unresolved(readings: Sequence["_GraphReading"]) -> tuple[Unresolved, ...]:
    """Return the links that lead nowhere, each once; one that leads somewhere from another root is "elsewhere"."""
    leading_somewhere: set[tuple[str, Link]] = set()
    unresolved: dict[Unresolved, None] = {}
    for reading in readings:
        leading_somewhere |= reading.declared
        unresolved |= dict.fromkeys(reading.unresolved)
    return tuple(
        replace(item, why="elsewhere") if (item.path, item.link) in leading_somewhere else item for item in unresolved
    )


@dataclass
class _GraphReading:
    """What was met on the way down from one root."""

    sources: dict[str, Source] = field(default_factory=dict)
    manuscript: list[str] = field(default_factory=list)  # paths of the root and its parts
    bibliographies: list[str] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    declared: set[tuple[str, Link]] = field(default_factory=set)  # document and link of the bibliographies found
    later: list[tuple[Source, Link]] = field(default_factory=list)  # by macros that may be defined further down
    looked: set[str] = field(default_factory=set)  # directories around which metadata was looked for
    unnamed: list[str] = field(default_factory=list)  # bibliographies that no document names, meant by a guess
    labelled: dict[str, tuple[Source, Link]] = field(default_factory=dict)  # by biblatex's label of a bibliography
    common: set[str] = field(default_factory=set)  # bibliographies of the whole document
    sections: dict[tuple[str, int], list[str]] = field(default_factory=dict)  # those of one section, by its place
    bounded: bool = False  # there were more documents than are read
    cut: bool = False  # a pattern was not looked up to its end
    compiled: dict[str, str] = field(default_factory=dict)  # by bibliography: the list read for it

    def lists(self, everywhere: Sequence[str]) -> Iterator[frozenset[str]]:
        """Yield the bibliographies that are printed as one list: first those of the whole, then those of each section.

        `everywhere` are the bibliographies that every manuscript has, by the settings.
        """
        of_sections = {path for paths in self.sections.values() for path in paths}
        of_sections_alone = of_sections - self.common
        yield frozenset((*everywhere, *(path for path in self._with_entries() if path not in of_sections_alone)))
        for paths in self.sections.values():
            yield frozenset((*everywhere, *paths))

    def _with_entries(self) -> list[str]:
        """Return the paths of the documents that hold entries."""
        return [path for path, source in self.sources.items() if source.syntax.entries is not None]

    def as_manuscript(self, everywhere: Sequence[str]) -> Manuscript:
        return Manuscript(tuple(self.manuscript), frozenset((*everywhere, *self._with_entries())))

    def macros(self) -> list[FileMacros]:
        """Return the macros of each document that may stand in the names of files."""
        return [source.file_macros for source in self.sources.values() if source.language.search == "kpathsea"]


class _GraphReadings(NamedTuple):
    readings: list[_GraphReading]
    bounded: bool  # a bound left some out


def _read_from_roots(files: Files, path: str, settings: Settings, *, every_root: bool) -> _GraphReadings:
    """Read from each root that leads to the document at `path`; if none does, from the document itself.

    With `every_root`, roots count that only may lead to it.  Markdown that names no bibliography gets those that it is
    meant to have by a guess, unless the settings name any.
    """
    tops, bounded = roots.find_tops(files, path, settings)
    may_guess = not settings.syntax.bibliographies

    @cache  # once a folder: among 180 notes each guess anew took 165 ms of a keystroke
    def find_meant(folder: str) -> Sequence[str]:
        return implicit_bibliographies.find_meant(files, folder)

    # If no link leads to a bibliography, documents may be meant to have it, by their folder.
    # `by_ending`: a bibliography whatever stands in it, as a .bib is.
    is_lone_bibliography = tops == [path] and languages.language_of_path(path).by_ending
    if may_guess and is_lone_bibliography:
        tops = implicit_bibliographies.find_guests(files, path, find_meant) or tops
    main = roots.find_named_main(files, path)
    # An open notebook is read by its cells, of which the first stands for it: the file itself may be older.
    tops = list(dict.fromkeys(next(iter(files.cells(top)), top) for top in tops))
    readings: list[_GraphReading] = []
    for top in tops:
        if any(top in reading.sources for reading in readings):
            continue
        parts = files.cells(top)
        # The document names its main document itself: that need not include it.
        reading = _read_from_root(files, top, path, *parts) if top == main else _read_from_root(files, top, *parts)
        if may_guess:
            _add_guessed_bibliographies(files, top, reading, find_meant)
        if every_root or path in reading.sources:
            readings.append(reading)
    return _GraphReadings(readings or [_read_from_root(files, path)], bounded)


def _add_guessed_bibliographies(
    files: Files, root: str, reading: _GraphReading, find_meant: Callable[[str], Sequence[str]]
) -> None:
    """Add to `reading` the bibliographies that Markdown which names none is meant to have, by a guess.

    `find_meant(folder)` guesses them for the documents of a folder.
    """
    # Nor is anything guessed for what names a file that is not there: its bibliography may be that one.
    is_markdown = languages.language_of_path(root).search == "pandoc"
    if not is_markdown or reading.bibliographies or reading.unresolved:
        return
    # No guess if a part names its bibliographies itself, or is LaTeX, which may name them.
    if any(source.syntax.is_root or source.language.search == "kpathsea" for source in reading.sources.values()):
        return
    bibliographies = list(filter(None, map(files.read, find_meant(os.path.dirname(root)))))
    reading.unnamed = [source.document.path for source in bibliographies]
    reading.bibliographies += reading.unnamed
    reading.sources |= {source.document.path: source for source in bibliographies}


def _read_from_adopting_mains(files: Files, path: str, readings: list[_GraphReading]) -> _GraphReadings:
    """Read from the main documents nearest above a part to which none of them leads, as if they included it.

    Only main documents with bibliographies count.  Empty if `readings`, made from the roots that do lead to the part,
    hold a main document or a bibliography already, or if the document cannot be a part, as a package cannot.
    """
    nothing = _GraphReadings([], bounded=False)
    source = files.read(path)
    if source is None or not roots.may_be_chapter(source):
        return nothing
    for reading in readings:
        if reading.bibliographies or any(source.syntax.is_root for source in reading.sources.values()):
            return nothing
    mains, bounded = roots.neighbours(files, path)
    adopting = [_read_from_root(files, main, path) for main in mains]
    return _GraphReadings([reading for reading in adopting if reading.bibliographies], bounded)


def _read_from_root(files: Files, root: str, *more: str) -> _GraphReading:
    """Read everything that links lead to from a root, and from `more` parts of it (paths), in the order of the text.

    Each file is read once, even if it includes itself.  Links with macros or labels that may be defined further on
    (`later`) are followed when nothing else is left.  Bibliographies lead no further.  Too many files end the reading
    early (`bounded`).
    """
    reading = _GraphReading()
    to_read = list(filter(None, map(files.read, (*reversed(more), root))))  # a stack: the next one last
    while (to_read or reading.later) and not reading.bounded:
        if not to_read:
            to_read += reversed(_follow_later_links(files, root, reading))
            continue
        source = to_read.pop()
        path = source.document.path
        if path in reading.sources:
            continue
        reading.sources[path] = source
        # What links lead to is a part or metadata; a YAML or JSON file that is looked at by itself may be a list.
        is_bibliography = source.language.by_ending or (path == root and _is_list(source))
        if is_bibliography:
            reading.bibliographies.append(path)
            continue
        if not roots.is_metadata(path):
            reading.manuscript.append(path)
        to_read += reversed(_follow_links(files, source, root, reading))
        reading.bounded = len(reading.sources) > bounds.SOURCES
    _read_as_sphinx(reading)  # whose Markdown cites by roles alone
    return reading


def _read_as_sphinx(reading: _GraphReading) -> None:
    """Leave only roles of the documents that belong to Sphinx: those beside its settings and below."""
    folders = [os.path.dirname(path) for path, source in reading.sources.items() if "roles" in source.syntax.signs]
    if not folders:
        return
    for path in reading.manuscript:
        source = reading.sources[path]
        if source.language.search == "pandoc" and any(is_inside(path, folder) for folder in folders):
            reading.sources[path] = source.with_roles_alone


def _is_list(source: Source) -> bool:
    """True for a bibliography in another format than BibTeX."""
    return source.language.bibliography is not None and source.syntax.entries is not None


def _follow_links(files: Files, source: Source, root: str, reading: _GraphReading) -> list[Source]:
    """Return the parts and metadata that a document leads to, to be read next.

    The bibliographies that it names are noted in `reading`, and links that cannot be followed before all is read in
    `reading.later`.
    """
    onward: list[Source] = []
    for link in source.syntax.links:
        # Nearly all packages come with TeX: only those of the author's own can hold links and cite commands.
        if link.kind == "package" and link.target.rpartition("/")[2].lower() not in files.packages():
            continue
        # LaTeX may write the bibliography itself, from a `filecontents` environment: its entries stand in the document.
        writer = written_by(files, link, root, reading.sources.values()) if link.kind == "bibliography" else None
        if writer:
            reading.sources[writer.document.path] = writer.with_own_files
            continue
        resolved = resolve(files, link, source, root, reading.macros)
        if link.label:
            reading.labelled.setdefault(link.label, (source, link))
        # The macro, or the label, may be defined in a part that is read later.
        if not resolved.sources and (link_paths.has_macros(link) or _may_be_label(source, link)):
            reading.later.append((source, link))
        else:
            onward += _note_link(files, link, source, root, reading, resolved)
        if len(reading.sources) > bounds.SOURCES:
            break
    # A document for pandoc may have metadata in files beside it or above, which no link names.
    directory = os.path.dirname(source.document.path)
    if source.language.search == "pandoc" and directory not in reading.looked:
        reading.looked.add(directory)
        around = [*roots.metadata_around(source.document.path), *roots.book_parts(files, root)]
        onward += filter(None, map(files.read, around))
    return onward


def _follow_later_links(files: Files, root: str, reading: _GraphReading) -> list[Source]:
    """Return the parts that the links in `reading.later` lead to, now that all macros and labels are known.

    A label is another name of a bibliography, by which biblatex's sections may name it (`\\addbibresource[label=l]`).
    `reading.later` is emptied.
    """
    later = reading.later
    reading.later = []
    # All are resolved before any is noted: what is noted must not decide what another one means.
    resolved: list[Resolved] = []
    for source, link in later:
        labelling, labelled = source, link
        if _may_be_label(source, link):
            labelling, labelled = reading.labelled.get(link.target, (source, link))
        resolved.append(resolve(files, labelled, labelling, root, reading.macros))
    onward: list[Source] = []
    for (source, link), documents in zip(later, resolved, strict=True):
        onward += _note_link(files, link, source, root, reading, documents)
    return onward


def _may_be_label(source: Source, link: Link) -> bool:
    """True for a bibliography of one section, which may be named by its label."""
    return link.kind == "bibliography" and link_paths.section_of(source.document.text, link) is not None


def _note_link(
    files: Files, link: Link, source: Source, root: str, reading: _GraphReading, resolved: Resolved
) -> Sequence[Source]:
    """Note in `reading` what a link was resolved to; return the parts and metadata to read next.

    For a bibliography nothing is returned: it is noted in `reading` alone, as it leads no further.
    """
    reading.cut |= resolved.cut
    if link.kind == "bibliography":
        _note_bibliographies(files, link, source, root, reading, resolved)
        return []
    # What may be missing without harm: a package, a drawing, a file that comes with TeX, what stands in a condition.
    may_be_missed = link.kind == "package" or link_paths.harmless(link) or _is_optional(link, source)
    # A guess is followed, as it is likely; but another file may be meant, so the link counts as unresolved too: then no
    # key is called undefined.
    is_certain = bool(resolved.sources) and not resolved.guessed
    if not is_certain and not may_be_missed:
        reading.unresolved.append(Unresolved(source.document.path, link))
    return resolved.sources


def _note_bibliographies(
    files: Files, link: Link, source: Source, root: str, reading: _GraphReading, resolved: Resolved
) -> None:
    """Note in `reading` the bibliographies that a link of `source` means, or why there is none."""
    path = source.document.path
    readable = [bibliography for bibliography in resolved.sources if not _is_foreign(bibliography)]
    paths = [bibliography.document.path for bibliography in readable]
    reading.sources |= {bibliography.document.path: bibliography for bibliography in resolved.sources}
    reading.bibliographies += paths
    # In biblatex's `refsection` a bibliography holds for that section alone, with chapterbib for its chapter, else for
    # the whole document.
    section = link_paths.section_of(source.document.text, link)
    if section is None and path != root and _prints_by_chapter(reading):
        section = 0
    if section is None:
        reading.common.update(paths)
    else:
        reading.sections.setdefault((path, section), []).extend(paths)

    has_foreign = len(readable) < len(resolved.sources)  # a bibliography whose keys cannot be known
    if has_foreign:
        reading.unresolved.append(Unresolved(path, link, "foreign"))
    elif resolved.guessed:  # another file may be meant, so that no key may be called undefined
        reading.unresolved.append(Unresolved(path, link, "elsewhere"))
    elif readable:
        reading.declared.add((path, link))
    # What TeX brings along without a single entry is not missed.
    elif not missing_bibliographies.holds_macros_alone(link):
        _note_missing(files, link, source, root, reading, resolved)


def _prints_by_chapter(reading: _GraphReading) -> bool:
    r"""True if a document read so far loads chapterbib: each part that has a \bibliography prints a list of its own."""
    for source in reading.sources.values():
        if any(link.kind == "package" and link.target == "chapterbib.sty" for link in source.syntax.links):
            return True
    return False


def _note_missing(
    files: Files, link: Link, source: Source, root: str, reading: _GraphReading, resolved: Resolved
) -> None:
    """Note in `reading` that a link leads to no bibliography, and why; if a compiled list (.bbl) is there, note that.

    With every reason but one the link stays unresolved.  It is "compiled" if the manuscript came without any .bib: then
    the list alone stands for it.  Beside other .bib files, than which it may be older, the list is read too, but the
    link stays unresolved.  `explain` tells the reasons, `Unresolved` what they mean.
    """
    missing = missing_bibliographies.explain(files, link, source, root, resolved.tried)
    if resolved.cut and missing.why == "missing":  # it may be among what a bound left out
        missing = replace(missing, why="elsewhere")
    # Asked in any case, as it adds the compiled list, whose entries may be cited, to `reading`.
    has_compiled = source.language.search == "kpathsea" and _has_compiled(files, missing, root, reading)
    if missing.why != "compiled":
        reading.unresolved.append(missing)
    elif not has_compiled:  # the compiled list is there, but cannot be read
        reading.unresolved.append(replace(missing, why="elsewhere"))


def _has_compiled(files: Files, missing: Unresolved, root: str, reading: _GraphReading) -> bool:
    """True if there is a compiled list (.bbl), which TeX reads in the place of the bibliography that is `missing`.

    The list is added to `reading`.
    """
    compiled = files.read(link_paths.compiled(root))
    if compiled is None or compiled.syntax.entries is None:
        return False
    path = compiled.document.path
    reading.sources.setdefault(path, compiled)
    if path not in reading.bibliographies:
        reading.bibliographies.append(path)
        reading.common.add(path)
    reading.compiled[missing.link.target] = path
    return True


def _is_foreign(source: Source) -> bool:
    """True for a bibliography whose keys cannot be known.

    Either its entries have no keys and their reader makes some up, or it is a template that a program fills in, or its
    format is not read, or it stands for a file that was not fetched (by Git LFS).
    """
    text = source.document.text
    bibliography = source.language.bibliography
    if bibliography and bibliography.keyless and "" in source.keys:
        return True
    if is_template(text):
        return True
    if source.syntax.entries or not text.strip():  # an empty file has no entries, in whatever format
        return False
    # To BibTeX any text without entries is a comment; of a file in another format none was understood.
    is_bibtex = source.document.path.lower().endswith((".bib", ".bibtex", ".biblatex"))
    return not is_bibtex or _LEFT_BY_LFS.match(text) is not None


def _is_optional(link: Link, source: Source) -> bool:
    """True for what packages and classes input, which is their own affair."""
    return link.kind == "part" and is_package(source.document.path)


class _CommonBibliographies(NamedTuple):
    """The bibliographies that the settings give every manuscript."""

    sources: list[Source]
    problems: list[str]  # a sentence for each that is not there, or that is not read
    cut: bool  # some were left out, by a bound or as they cannot be read


def _list_candidates(files: Files, written: str, bases: Sequence[str]) -> tuple[list[str], bool]:
    """List the paths that a bibliography's name in the settings may mean, whether there is a file or not.

    Then those of the files that match it as a pattern; True if a bound left some of these out.
    """
    link = Link("bibliography", written, Span(0, 0))  # as if a document linked to it
    paths = list(link_paths.candidates(link, languages.BIBTEX, "", bases))
    is_cut = False
    for pattern in link_paths.patterns(link, languages.BIBTEX, "", bases):
        listing = files.glob(pattern)
        paths += listing.paths
        is_cut |= bool(listing.cut)
    return paths, is_cut


def _bibliographies_of_settings(files: Files, path: str, settings: Settings) -> _CommonBibliographies:
    """Read the bibliographies that the settings name, for the document at `path`.

    Their names count from the workspace folders that hold the document, or else from its own folder; all files count
    that a name may mean.  `problems` of the result has a sentence for each that is missing or cannot be read.
    """
    bases = [folder for folder in files.folders() if is_inside(path, folder)] or [os.path.dirname(path)]
    readable: dict[str, Source] = {}
    problems: list[str] = []
    is_cut = False
    for written in settings.syntax.bibliographies:
        paths, is_listing_cut = _list_candidates(files, written, bases)
        sources = list(filter(None, (files.read(candidate, languages.BIBTEX) for candidate in paths)))
        foreign = list(filter(_is_foreign, sources))
        readable |= {source.document.path: source for source in sources if source not in foreign}
        if is_listing_cut or foreign:
            is_cut = True
        if foreign:
            problems.append(
                f"The settings name the bibliography {written}, which is in a format that citelsp does not read."
            )
        is_unreadable = any(map(files.unread, paths))  # though it is there; `files.problems` says why
        if is_unreadable:
            is_cut = True
            problems.append(f"The settings name the bibliography {written}, which could not be read.")
        elif not sources and not is_listing_cut:
            problems.append(f"The settings name the bibliography {written}, which does not exist.")
    return _CommonBibliographies(list(readable.values()), problems, is_cut)
