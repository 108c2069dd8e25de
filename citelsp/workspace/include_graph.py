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
    implicit_bibliographies,
    jekyll,
    link_paths,
    missing_bibliographies,
    roots,
    styles,
    unincluded_chapters,
)
from citelsp.workspace.disk import is_inside
from citelsp.workspace.link_resolution import FileMacros, Resolved, resolve, written_by
from citelsp.workspace.project import Manuscript, Project, Unresolved
from citelsp.workspace.roots import Files
from citelsp.workspace.source import Source

_UNREADABLE = re.compile(r"version https://git-lfs\.github\.com/spec/")  # what git-lfs left in the place of a file
_CROWDED = "{} belongs with more documents than citelsp reads, so it read only some of them."
_REDUCED: Mapping[Reduced, str] = {
    "time": f"takes more than {bounds.READING:g} seconds to read",
    "files": f"names more than {bounds.FOUND:,} files",
    "keys": f"cites more than {bounds.KEYS:,} keys",
    "commands": f"has more than {bounds.COMMANDS} commands of its own, or one of more than {bounds.LETTERS} letters",
}


def build(files: Files, path: str, settings: Settings) -> Project:
    """The project of the document at `path`: the roots that include it, their parts, their bibliographies.

    If nothing includes it, the document is its own root; a part without one is taken for a part of the main
    documents nearest above it.  Cite commands that one part defines are known in all.
    """
    project = _built(files, path, settings)
    # A command defined in one part is used in others, which may have been read before it was known.
    defined = dict.fromkeys(name for part in project.parts for name in part.syntax.cite_commands)
    if defined and files.learn(defined):
        project = _built(files, path, settings)
    library = files.borrowed()
    if library and borrowing.wants(project):
        syntax = replace(settings.syntax, bibliographies=(library,))
        with_library = _built(files, path, replace(settings, syntax=syntax))
        project = borrowing.lent(with_library, project, library)
    problems = project.problems
    style_problem = styles.too_long(project, files)
    if style_problem:
        problems = (*problems, style_problem)
    return replace(
        project,
        problems=problems,
        bibtex_style=bibtex_style.in_use(project, files),
        on_site=not project.manuscript and jekyll.prints(files, path),
    )


def _built(files: Files, path: str, settings: Settings) -> Project:
    """The project as far as links and settings make it, before what its parts define is known everywhere."""
    start = files.read(path)
    # Under the name by which the file is known: the editor may have opened it by a link.
    path = start.document.path if start else path
    common = _common(files, path, settings)
    everywhere = [source.document.path for source in common.sources]
    from_roots = _readings(files, path, settings, anywhere=path in everywhere)
    adopted = _adopted(files, path, from_roots.readings)
    readings = adopted.readings or from_roots.readings
    is_bounded = from_roots.bounded or adopted.bounded or any(reading.bounded for reading in readings)

    sources: dict[str, Source] = {}
    declared: dict[str, None] = {}  # bibliographies, in order and each once
    for reading in readings:
        sources |= reading.sources
        declared |= dict.fromkeys(reading.bibliographies)
    sources |= {source.document.path: source for source in common.sources}
    # The main documents first, then the parts in the order of the text.
    roots_of_readings = [reading.manuscript[0] for reading in readings if reading.manuscript]
    manuscript = dict.fromkeys(roots_of_readings)
    for reading in readings:
        manuscript |= dict.fromkeys(reading.manuscript)
    problems = [*files.problems(), *common.problems, *_reduced(sources)]
    if is_bounded:
        problems.append(_CROWDED.format(path))
    return Project(
        sources=sources,
        settings=settings,
        manuscript=tuple(manuscript),
        bibliographies=tuple(dict.fromkeys((*declared, *everywhere))),
        unresolved=_unresolved(readings),
        problems=tuple(problems),
        shared=frozenset(everywhere) | roots.shared(files, declared, manuscript, settings),
        rooted=any(_is_main(sources[part], has_bibliography=bool(declared)) for part in manuscript),
        bounded=is_bounded or common.cut or any(reading.cut for reading in readings),
        subject=path,
        guessed=bool(adopted.readings),
        unnamed=frozenset(unnamed for reading in readings for unnamed in reading.unnamed),
        lists=tuple(one_list for reading in readings for one_list in reading.lists(everywhere)),
        manuscripts=tuple(reading.as_manuscript(everywhere) for reading in readings),
        strays=unincluded_chapters.find_chapters(files, settings, roots_of_readings, sources) if declared else (),
        compiled=tuple(dict.fromkeys(pair for reading in readings for pair in reading.compiled.items())),
    )


def _is_main(source: Source, *, has_bibliography: bool) -> bool:
    """Whether a document can stand alone; what pandoc or Typst reads needs no more than a bibliography for that."""
    return source.syntax.is_root or (has_bibliography and source.language.search in ("pandoc", "document"))


def _reduced(sources: Mapping[str, Source]) -> Iterator[str]:
    for path, source in sources.items():
        if source.syntax.reduced:
            yield f"{path} {_REDUCED[source.syntax.reduced]}, so citelsp knows only its keys."
        elif (entries := source.syntax.entries) is not None and entries.cut:
            first = f"so citelsp knows only its first {len(entries):,} entries"
            yield f"{path} has more entries and macros than citelsp reads, {first}."


def _unresolved(readings: Sequence["_GraphReading"]) -> tuple[Unresolved, ...]:
    """What leads nowhere from one root and somewhere from another is not missing."""
    declared = {it for reading in readings for it in reading.declared}
    found = dict.fromkeys(item for it in readings for item in it.unresolved)
    return tuple(replace(it, why="elsewhere") if (it.path, it.link) in declared else it for it in found)


@dataclass
class _GraphReading:
    """What was met on the way down from one root."""

    sources: dict[str, Source] = field(default_factory=dict)
    manuscript: list[str] = field(default_factory=list)
    bibliographies: list[str] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    declared: set[tuple[str, Link]] = field(default_factory=set)  # document and link of the bibliographies found
    later: list[tuple[Source, Link]] = field(default_factory=list)  # by macros that may be defined further down
    looked: set[str] = field(default_factory=set)  # directories around which metadata was looked for
    unnamed: list[str] = field(default_factory=list)
    labelled: dict[str, tuple[Source, Link]] = field(default_factory=dict)  # by biblatex's label of a bibliography
    common: set[str] = field(default_factory=set)  # bibliographies of the whole document
    sections: dict[tuple[str, int], list[str]] = field(default_factory=dict)  # those of one section, by its place
    bounded: bool = False
    cut: bool = False  # a pattern was not looked up to its end
    compiled: dict[str, str] = field(default_factory=dict)  # by bibliography: the list read for it

    def lists(self, everywhere: Sequence[str]) -> Iterator[frozenset[str]]:
        """What holds entries, with the bibliographies that every manuscript has: of the whole, then of its sections."""
        apart = {path for found in self.sections.values() for path in found} - self.common
        holding = (key for key, it in self.sources.items() if it.syntax.entries is not None and key not in apart)
        yield frozenset((*everywhere, *holding))
        yield from (frozenset((*everywhere, *found)) for found in self.sections.values())

    def as_manuscript(self, everywhere: Sequence[str]) -> Manuscript:
        holding = (key for key, it in self.sources.items() if it.syntax.entries is not None)
        return Manuscript(tuple(self.manuscript), frozenset((*everywhere, *holding)))

    def macros(self) -> list[FileMacros]:
        """What may stand in the names of files."""
        return [it.file_macros for it in self.sources.values() if it.language.search == "kpathsea"]


class _GraphReadings(NamedTuple):
    readings: list[_GraphReading]
    bounded: bool  # a bound left some out


def _readings(files: Files, path: str, settings: Settings, *, anywhere: bool) -> _GraphReadings:
    """One for each root that leads to the document, or to any if `anywhere`."""
    tops, bounded = roots.tops(files, path, settings)
    may_guess = not settings.syntax.bibliographies

    @cache  # once a folder: among 180 notes each guess anew took 165 ms of a keystroke
    def find_meant(folder: str) -> Sequence[str]:
        return implicit_bibliographies.find_meant(files, folder)

    if may_guess and tops == [path] and languages.language_of_path(path).by_ending:
        tops = implicit_bibliographies.guests(files, path, find_meant) or tops
    main = roots.named(files, path)
    # A notebook by its first cell that the editor has: the file itself may be older.
    tops = list(dict.fromkeys(next(iter(files.cells(top)), top) for top in tops))
    readings: list[_GraphReading] = []
    for top in tops:
        if any(top in reading.sources for reading in readings):
            continue
        parts = files.cells(top)
        # The document names its main document itself: that need not include it.
        reading = _follow(files, top, path, *parts) if top == main else _follow(files, top, *parts)
        if may_guess:
            _guess(files, top, reading, find_meant)
        if anywhere or path in reading.sources:
            readings.append(reading)
    return _GraphReadings(readings or [_follow(files, path)], bounded)


def _guess(files: Files, root: str, reading: _GraphReading, find_meant: Callable[[str], Sequence[str]]) -> None:
    """Add the bibliographies that Markdown without any seems to be meant to have."""
    if languages.language_of_path(root).search != "pandoc" or reading.bibliographies or reading.unresolved:
        return
    if any(source.syntax.is_root or source.language.search == "kpathsea" for source in reading.sources.values()):
        return
    bibliographies = list(filter(None, map(files.read, find_meant(os.path.dirname(root)))))
    reading.unnamed = [source.document.path for source in bibliographies]
    reading.bibliographies += reading.unnamed
    reading.sources |= {source.document.path: source for source in bibliographies}


def _adopted(files: Files, path: str, readings: list[_GraphReading]) -> _GraphReadings:
    """What a part belongs to that no main document leads to: those nearest above it, if they have bibliographies."""
    none = _GraphReadings([], bounded=False)
    if languages.language_of_path(path).search != "kpathsea" or is_package(path):
        return none
    for reading in readings:
        if reading.bibliographies or any(source.syntax.is_root for source in reading.sources.values()):
            return none
    mains, bounded = roots.neighbours(files, path)
    adopting = [_follow(files, main, path) for main in mains]
    return _GraphReadings([reading for reading in adopting if reading.bibliographies], bounded)


def _follow(files: Files, root: str, *more: str) -> _GraphReading:
    """Everything that links lead to from a root, and from `more` parts of it, in the order of the text.

    A file that includes itself is read once.
    """
    reading = _GraphReading()
    stack = list(filter(None, map(files.read, (*reversed(more), root))))
    while (stack or reading.later) and not reading.bounded:
        if not stack:
            stack += reversed(_late(files, root, reading))
            continue
        source = stack.pop()
        if source.document.path in reading.sources:
            continue
        reading.sources[source.document.path] = source
        if source.language.by_ending or (source.document.path == root and _is_list(source)):
            reading.bibliographies.append(source.document.path)
            continue
        if not roots.is_metadata(source.document.path):
            reading.manuscript.append(source.document.path)
        stack += reversed(_follow_links(files, source, root, reading))
        reading.bounded = len(reading.sources) > bounds.SOURCES
    _read_as_sphinx(reading)
    return reading


def _read_as_sphinx(reading: _GraphReading) -> None:
    """Leave only roles of the documents that belong to Sphinx."""
    below = [os.path.dirname(path) for path, it in reading.sources.items() if "roles" in it.syntax.signs]
    for path in reading.manuscript if below else ():
        source = reading.sources[path]
        if source.language.search == "pandoc" and any(is_inside(path, it) for it in below):
            reading.sources[path] = source.with_roles_alone


def _is_list(source: Source) -> bool:
    """True for a bibliography in another format than BibTeX."""
    return source.language.bibliography is not None and source.syntax.entries is not None


def _follow_links(files: Files, source: Source, root: str, reading: _GraphReading) -> list[Source]:
    """The parts and metadata that a document leads to; bibliographies are noted in the reading."""
    onward: list[Source] = []
    for link in source.syntax.links:
        # Nearly all packages come with TeX: only those of the author's own can hold links and cite commands.
        if link.kind == "package" and link.target.rpartition("/")[2].lower() not in files.packages():
            continue
        if link.kind == "bibliography":
            writer = written_by(files, link, root, reading.sources.values())
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
    directory = os.path.dirname(source.document.path)
    if source.language.search == "pandoc" and directory not in reading.looked:
        reading.looked.add(directory)
        around = [*roots.metadata_around(source.document.path), *roots.book_parts(files, root)]
        onward += filter(None, map(files.read, around))
    return onward


def _late(files: Files, root: str, reading: _GraphReading) -> list[Source]:
    """The parts that links lead to whose macros or labels were not defined in what was read before them."""
    later = reading.later
    reading.later = []
    # All are resolved before any is noted: what is noted must not decide what another one means.
    resolved: list[Resolved] = []
    for source, link in later:
        namer = source
        labelled = link
        if _may_be_label(source, link):
            namer, labelled = reading.labelled.get(link.target, (source, link))
        resolved.append(resolve(files, labelled, namer, root, reading.macros))
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
    """Write into `reading` what came of a link; return the parts and metadata to follow from there.

    Bibliographies lead nowhere: they go into `reading` alone.
    """
    reading.cut |= resolved.cut
    if link.kind == "bibliography":
        _declare(files, link, source, root, reading, resolved)
        return []
    may_be_missed = link.kind == "package" or link_paths.harmless(link) or _is_optional(link, source)
    # A guess is followed, as it is likely; but another file may be meant, so that no key may be called undefined.
    is_certain = bool(resolved.sources) and not resolved.guessed
    if not is_certain and not may_be_missed:
        reading.unresolved.append(Unresolved(source.document.path, link))
    return resolved.sources


def _declare(files: Files, link: Link, source: Source, root: str, reading: _GraphReading, resolved: Resolved) -> None:
    """Note the bibliographies that a link means, or why there is none."""
    path = source.document.path
    readable = [bibliography for bibliography in resolved.sources if not _is_foreign(bibliography)]
    paths = [bibliography.document.path for bibliography in readable]
    reading.sources |= {bibliography.document.path: bibliography for bibliography in resolved.sources}
    reading.bibliographies += paths
    section = link_paths.section_of(source.document.text, link)
    if section is None:
        reading.common.update(paths)
    else:
        reading.sections.setdefault((path, section), []).extend(paths)

    if len(readable) < len(resolved.sources):
        reading.unresolved.append(Unresolved(path, link, "foreign"))
    elif resolved.guessed:
        reading.unresolved.append(Unresolved(path, link, "elsewhere"))
    elif readable:
        reading.declared.add((path, link))
    elif not missing_bibliographies.holds_macros_alone(link):
        lost = missing_bibliographies.explained(files, link, source, root, resolved.tried)
        if resolved.cut and lost.why == "missing":
            lost = replace(lost, why="elsewhere")
        has_compiled = source.language.search == "kpathsea" and _has_compiled(files, lost, root, reading)
        if lost.why != "compiled":
            reading.unresolved.append(lost)
        elif not has_compiled:
            reading.unresolved.append(replace(lost, why="elsewhere"))


def _has_compiled(files: Files, lost: Unresolved, root: str, reading: _GraphReading) -> bool:
    """True if the compiled list was read in the place of a bibliography, as TeX reads it."""
    compiled = files.read(link_paths.compiled(root))
    if compiled is None or compiled.syntax.entries is None:
        return False
    path = compiled.document.path
    reading.sources.setdefault(path, compiled)
    if path not in reading.bibliographies:
        reading.bibliographies.append(path)
        reading.common.add(path)
    reading.compiled[lost.link.target] = path
    return True


def _is_foreign(source: Source) -> bool:
    """True for a bibliography in a format that is not read, with keys that its reader makes up, that a program still
    has to fill in, or that stands for a file which was not fetched.
    """
    text = source.document.text
    bibliography = source.language.bibliography
    if bibliography and bibliography.keyless and "" in source.keys:
        return True
    if is_template(text):
        return True
    if source.syntax.entries or not text.strip():
        return False
    return not source.document.path.lower().endswith((".bib", ".bibtex", ".biblatex")) or bool(_UNREADABLE.match(text))


def _is_optional(link: Link, source: Source) -> bool:
    """True for what packages and classes input, which is their own affair."""
    return link.kind == "part" and is_package(source.document.path)


class _CommonBibliographies(NamedTuple):
    """The bibliographies that the settings give every manuscript."""

    sources: list[Source]
    problems: list[str]  # a sentence for each that is not there
    cut: bool  # a bound left some out


def _common(files: Files, path: str, settings: Settings) -> _CommonBibliographies:
    bases = [folder for folder in files.folders() if is_inside(path, folder)] or [os.path.dirname(path)]
    readable: dict[str, Source] = {}
    problems: list[str] = []
    is_cut = False
    for written in settings.syntax.bibliographies:
        link = Link("bibliography", written, Span(0, 0))
        listings = [files.glob(pattern) for pattern in link_paths.patterns(link, languages.BIBTEX, "", bases)]
        paths = list(link_paths.candidates(link, languages.BIBTEX, "", bases))
        for listing in listings:
            paths += listing.paths
        is_listing_cut = any(listing.cut for listing in listings)
        has_foreign = False
        sources = list(filter(None, (files.read(candidate, languages.BIBTEX) for candidate in paths)))
        for source in sources:
            if _is_foreign(source):
                has_foreign = True
            else:
                readable[source.document.path] = source
        is_cut = is_cut or is_listing_cut or has_foreign
        if has_foreign:
            problems.append(
                f"The settings name the bibliography {written}, which is in a format that citelsp does not read."
            )
        if not sources and not is_listing_cut:
            problems.append(f"The settings name the bibliography {written}, which does not exist.")
    return _CommonBibliographies(list(readable.values()), problems, is_cut)
