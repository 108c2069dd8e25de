"""From a document to its project: up to the roots that lead to it, and down to everything that they lead to."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from citelsp import links, roots, unnamed
from citelsp.project import Project, Source
from citelsp.roots import Files
from citelsp.settings import Settings
from citelsp.syntax.nodes import Link
from citelsp.text import Language, Span, is_package, language_of

_MAX_SOURCES = 2000


def build(files: Files, path: str, settings: Settings) -> Project:
    """The project of the document at `path`: the roots that include it, their parts, their bibliographies.

    Where nothing includes it, the document is its own root; a part without one is taken for a part of the main
    documents nearest above it.  Cite commands that one part defines are known in all.
    """
    project = _built(files, path, settings)
    defined = dict.fromkeys(name for it in project.parts for name in it.syntax.cite_commands)
    return _built(files, path, settings) if defined and files.learn(defined) else project


def _built(files: Files, path: str, settings: Settings) -> Project:
    held = files.read(path)
    path = held.document.path if held else path
    common, missing, cut = _common(files, path, settings)
    everywhere = [it.document.path for it in common]
    readings, bounded = _readings(files, path, settings, anywhere=path in everywhere)
    adopted = _adopted(files, path, readings)
    readings = adopted or readings
    sources = {key: source for it in readings for key, source in it.sources.items()}
    declared = dict.fromkeys(key for it in readings for key in it.bibliographies)
    first = [it.manuscript[0] for it in readings if it.manuscript]
    manuscript = tuple(dict.fromkeys((*first, *(key for it in readings for key in it.manuscript))))
    sources |= {it.document.path: it for it in common}
    return Project(
        sources=sources,
        settings=settings,
        manuscript=manuscript,
        bibliographies=tuple(dict.fromkeys((*declared, *everywhere))),
        unresolved=tuple(dict.fromkeys(item for it in readings for item in it.unresolved)),
        problems=(*files.problems(), *missing),
        shared=frozenset(everywhere) | roots.shared(files, declared, manuscript),
        rooted=any(
            sources[it].syntax.is_root or (declared and sources[it].document.language == "markdown")
            for it in manuscript
        ),
        bounded=bounded or cut or any(it.bounded or it.cut for it in readings),
        subject=path,
        guessed=bool(adopted),
        unnamed=frozenset(key for it in readings for key in it.unnamed),
    )


@dataclass
class _Reading:
    """What was met on the way down from one root."""

    sources: dict[str, Source] = field(default_factory=dict)
    manuscript: list[str] = field(default_factory=list)
    bibliographies: list[str] = field(default_factory=list)
    unresolved: list[tuple[str, Span]] = field(default_factory=list)
    looked: set[str] = field(default_factory=set)  # directories around which metadata was looked for
    unnamed: list[str] = field(default_factory=list)
    bounded: bool = False
    cut: bool = False  # a pattern was not looked up to its end


def _readings(files: Files, path: str, settings: Settings, *, anywhere: bool) -> tuple[list[_Reading], bool]:
    """One for each root that leads to the document, or to any where `anywhere`; and whether a bound left some out."""
    tops, bounded = roots.tops(files, path, settings)
    guesses, meant = not settings.syntax.bibliographies, cache(lambda folder: unnamed.of(files, folder))
    if guesses and tops == [path] and language_of(path) == "bibtex":
        tops = unnamed.guests(files, path, meant) or tops
    named = roots.named(files, path)
    readings: list[_Reading] = []
    for top in tops:
        if not any(top in it.sources for it in readings):
            reading = _follow(files, top, *[path] * (top == named))
            if guesses:
                _guess(files, top, reading, meant)
            if anywhere or path in reading.sources:
                readings.append(reading)
    return readings or [_follow(files, path)], bounded


def _guess(files: Files, root: str, reading: _Reading, meant: Callable[[str], Sequence[str]]) -> None:
    """Adds the bibliographies that Markdown without any seems to be meant to have."""
    holds = any(it.syntax.entries is not None or it.document.language == "latex" for it in reading.sources.values())
    if language_of(root) == "markdown" and not (holds or reading.bibliographies or reading.unresolved):
        found = list(filter(None, map(files.read, meant(os.path.dirname(root)))))
        reading.unnamed = [it.document.path for it in found]
        reading.bibliographies += reading.unnamed
        reading.sources |= {it.document.path: it for it in found}


def _adopted(files: Files, path: str, readings: list[_Reading]) -> list[_Reading]:
    """What a part belongs to that no main document leads to: those nearest above it, where they have bibliographies."""
    if language_of(path) != "latex" or is_package(path) or any(it.bibliographies for it in readings):
        return []
    if any(source.syntax.is_root for it in readings for source in it.sources.values()):
        return []
    return [it for root in roots.neighbours(files, path) if (it := _follow(files, root, path)).bibliographies]


def _follow(files: Files, root: str, *more: str) -> _Reading:
    """Everything that links lead to from a root, and from `more` parts of it, in the order of the text.

    A file that includes itself is read once.
    """
    reading = _Reading()
    stack = list(filter(None, map(files.read, (*reversed(more), root))))
    while stack and not reading.bounded:
        source = stack.pop()
        if source.document.path in reading.sources:
            continue
        reading.sources[source.document.path] = source
        if source.document.language == "bibtex":
            reading.bibliographies.append(source.document.path)
            continue
        if not roots.is_metadata(source.document.path):
            reading.manuscript.append(source.document.path)
        stack += reversed(_next(files, source, root, reading))
        reading.bounded = len(reading.sources) > _MAX_SOURCES
    return reading


def _next(files: Files, source: Source, root: str, reading: _Reading) -> list[Source]:
    """The parts and metadata that a document leads to; bibliographies are noted in the reading."""
    onward = []
    for link in source.syntax.links:
        if link.kind == "package" and link.target.rpartition("/")[2].lower() not in files.packages():
            continue
        found = _resolve(files, link, source, root, reading)
        if link.kind == "bibliography":
            reading.sources |= {it.document.path: it for it in found}
            reading.bibliographies += [it.document.path for it in found]
            if len(reading.sources) > _MAX_SOURCES:
                break
        else:
            onward += found
        if not found and link.kind != "package" and not (links.harmless(link) or _is_optional(link, source)):
            reading.unresolved.append((source.document.path, link.span))
    directory = os.path.dirname(source.document.path)
    if source.document.language == "markdown" and directory not in reading.looked:
        reading.looked.add(directory)
        around = [*roots.metadata_around(source.document.path), *roots.book_parts(files, root)]
        onward += filter(None, (files.read(it) for it in around))
    return onward


def _is_optional(link: Link, source: Source) -> bool:
    """True for what packages and classes input, which is their own affair."""
    return link.kind == "part" and is_package(source.document.path)


def _resolve(files: Files, link: Link, source: Source, root: str, reading: _Reading) -> list[Source]:
    """The documents a link means: one, or with a glob several; where a bound left some out, the reading is `cut`."""
    language = source.document.language
    hint: Language = "bibtex" if link.kind == "bibliography" else language
    bases, jobname = _bases(files, link, source, root), links.stem(root)
    for candidate in links.candidates(link, language, jobname, bases):
        if found := files.read(candidate, hint):
            return [found]
    if link.kind != "bibliography":
        return []
    listed = [files.glob(it) for it in links.patterns(link, language, jobname, bases)]
    reading.cut |= any(it.cut for it in listed)
    paths = dict.fromkeys(path for it in listed for path in it.paths)
    return list(filter(None, (files.read(it, hint) for it in paths)))


def _bases(files: Files, link: Link, source: Source, root: str) -> list[str]:
    """The directories that a link may count from: the root's and the document's own, then the search path.

    TeX counts from where it is run, pandoc too, which may be the folder; Quarto and R Markdown from the document.
    """
    here, start = os.path.dirname(source.document.path), os.path.dirname(root)
    if source.document.language == "latex":
        variable = "BIBINPUTS" if link.kind == "bibliography" else "TEXINPUTS"
        above = (it for it in files.folders() if roots.inside(start, it))
        return list(dict.fromkeys((start, here, *files.directories(variable, start), *above)))
    return list(dict.fromkeys((here, start, *(it for it in files.folders() if roots.inside(here, it)))))


def _common(files: Files, path: str, settings: Settings) -> tuple[list[Source], list[str], bool]:
    """The bibliographies that the settings give every manuscript, a sentence for each that is not there, and whether a
    bound left some out.
    """
    bases = [it for it in files.folders() if roots.inside(path, it)] or [os.path.dirname(path)]
    found: dict[str, Source] = {}
    missing, cut = [], False
    for written in settings.syntax.bibliographies:
        link = Link("bibliography", written, Span(0, 0))
        listed = [files.glob(it) for it in links.patterns(link, "bibtex", "", bases)]
        places = [*links.candidates(link, "bibtex", "", bases), *(path for it in listed for path in it.paths)]
        sources = list(filter(None, (files.read(it, "bibtex") for it in places)))
        found |= {it.document.path: it for it in sources}
        cut |= any(it.cut for it in listed)
        if not sources and not any(it.cut for it in listed):
            missing.append(f"The settings name the bibliography {written}, which is not there.")
    return list(found.values()), missing, cut
