"""The documents of a workspace at one moment: which belong together, what they cite and which entries they can cite.

A Project is frozen.  It is built from `Files`, the only way to the disk, and holds everything that was read: the same
documents give the same answers.  Parsed sources are shared between snapshots as long as their documents are unchanged.
"""

import os
from bisect import bisect_right
from collections import ChainMap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from citelsp import links, roots
from citelsp.bibliography import nearest
from citelsp.bibliography.entry import Entry, fingerprint
from citelsp.settings import Settings
from citelsp.syntax.bibtex import BibEntries
from citelsp.syntax.bibtex_blocks import BibNode
from citelsp.syntax.nodes import Citation, Entries, EntryNode, Link, Placeholder, Syntax
from citelsp.text import Document, Language, Span

_MAX_SOURCES = 2000


@dataclass(frozen=True, eq=False)
class Source:
    """A document with its syntax.  Sources are equal only to themselves, so facts can be kept per source."""

    document: Document
    syntax: Syntax
    open: bool = False  # held by the editor
    writable: bool = True  # by us: not a file without write permission, nor one outside the workspace

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of all entries in their order; "" where an entry has none."""
        entries = self.syntax.entries
        return tuple([entries.node(it).key for it in range(len(entries))]) if entries else ()

    @cached_property
    def keys_by_length(self) -> nearest.ByLength:
        return nearest.by_length(self.keys)

    @cached_property
    def similar(self) -> dict[str, list[str]]:
        """Keys and those of `keys` that look like them, as far as somebody asked; kept while no key changes."""
        return self.syntax.entries.similar if isinstance(self.syntax.entries, BibEntries) else {}

    @cached_property
    def aliases(self) -> Mapping[str, int]:
        """Further keys of entries (biblatex `ids`), with the index of their entry."""
        entries = self.syntax.entries
        if not isinstance(entries, BibEntries):
            return {}
        return {key: index for index, keys in entries.told(_aliases) for key in keys}


def _aliases(node: BibNode) -> tuple[str, ...]:
    source = node.source
    if not any(it in source for it in ("ids", "IDS", "Ids")):
        return ()
    return tuple(key for it in node.raw("ids").split(",") if (key := it.strip()))


def _fingerprint(node: BibNode) -> str:
    """ "" where an entry may inherit from another."""
    source = node.source.lower()
    return "" if "crossref" in source or "xdata" in source else fingerprint(Entry(node))


class Files(Protocol):
    """How a project reaches documents: the editor's buffers first, then the disk, re-statted on use."""

    def read(self, path: str, language: Language | None = None) -> Source | None:
        """None where there is no such file, or it is too large or not text.

        `language` is for files whose ending does not say it.  Two paths of one file give one source, under one path.
        """
        ...

    def outline(self, path: str) -> Syntax | None:
        """The links of a manuscript and whether it is a root; cheaper than `read` where the file was not read yet."""
        ...

    def glob(self, pattern: str) -> Sequence[str]: ...  # sorted, bounded
    def manuscripts(self) -> Sequence[str]: ...  # the LaTeX and Markdown files of the workspace folders, bounded
    def mentions(self, path: str) -> Sequence[str]: ...  # manuscripts and metadata files whose links may mean `path`
    def exists(self, path: str) -> bool: ...
    def same(self, path: str, other: str) -> bool: ...  # one file, by name or by link
    def recall(self, question: tuple[str, ...], about: object, ask: Callable[[], bool]) -> bool:
        """`ask()`, or what it said before, where `about` is the same object and no file came or went since."""
        ...

    def directories(self, variable: str, base: str) -> Sequence[str]: ...  # of TEXINPUTS or BIBINPUTS, absolute
    def folders(self) -> Sequence[str]: ...  # of the workspace
    def problems(self) -> Sequence[str]: ...  # what bounds kept from being seen, for people


@dataclass(frozen=True, slots=True)
class Place:
    """An entry at its place."""

    source: Source
    index: int
    project: "Project | None" = field(default=None, repr=False, compare=False)

    @property
    def node(self) -> EntryNode:
        return self._entries.node(self.index)

    @property
    def start(self) -> int:
        return self._entries.start(self.index)

    @property
    def span(self) -> Span:
        """Of the whole entry, in its document."""
        return Span(self.start, self.start + len(self.node.source))

    @property
    def key_span(self) -> Span:
        return self.node.key_span.moved(self.start)

    @property
    def entry(self) -> Entry:
        """With the @string macros of its own file, then of the other bibliographies, and parents from all of them."""
        if self.project is None:
            return Entry(self.node, self.source.syntax.strings)
        return Entry(self.node, self.project.strings(self.source), self.project.parent)

    @property
    def content(self) -> str:
        """The fingerprint of what the entry says; kept across edits where nothing but itself has a say in it."""
        entries, project = self._entries, self.project
        if isinstance(entries, BibEntries) and project is not None and not project.strings(self.source):
            for _, known in entries.told(_fingerprint, (self.index,)):
                return known
        return fingerprint(self.entry)

    @property
    def _entries(self) -> Entries:
        if self.source.syntax.entries is None:
            raise LookupError(f"{self.source.document.path} holds no entries")
        return self.source.syntax.entries


@dataclass(frozen=True)
class Project:
    """All manuscripts that one document belongs to, with their bibliographies.

    The project of a bibliography holds every manuscript that names it.
    """

    sources: Mapping[str, Source]
    settings: Settings
    manuscript: tuple[str, ...] = ()  # paths of the roots and all their parts, roots first
    bibliographies: tuple[str, ...] = ()  # in the order of declaration
    unresolved: tuple[tuple[str, Span], ...] = ()  # document and span of the links that lead nowhere
    problems: tuple[str, ...] = field(default=())
    shared: frozenset[str] = frozenset()  # bibliographies that manuscripts outside this project name too
    rooted: bool = False  # a part says that it is a root
    bounded: bool = False  # a limit kept something from being read
    subject: str = ""  # the document that was asked about

    def judged(self, source: Source) -> Collection[int]:
        r"""Indices of the entries that findings are about, in order.

        All of a bibliography that is open or asked about, of the manuscript's own lists, and where `\nocite{*}` stands;
        of any other, which may be a library of tens of thousands, those that are cited.
        """
        path = source.document.path
        if source.open or path == self.subject or path in self.manuscript or self.cites_all:
            return range(len(source.syntax.entries or ()))
        return self._cited_entries.get(path, ())

    @cached_property
    def _cited_entries(self) -> dict[str, Collection[int]]:
        """Path → indices of the entries that are cited, in order."""
        found: dict[str, set[int]] = {}
        for key in self.cited:
            for place in self.find(key):
                found.setdefault(place.source.document.path, set()).add(place.index)
        return {path: dict.fromkeys(sorted(indices)).keys() for path, indices in found.items()}

    @cached_property
    def contents(self) -> tuple[tuple[Place, str], ...]:
        """The entries that findings are about, each with its fingerprint; kept across edits where it is its own."""
        places = (Place(source, it, self) for source in self.defining for it in self.judged(source))
        return tuple((it, it.content) for it in places)

    def entries(self) -> Iterator[Place]:
        """Every entry: of the bibliographies, then those written in the manuscript."""
        for source in self.defining:
            for index in range(len(source.syntax.entries or ())):
                yield Place(source, index, self)

    def find(self, key: str) -> list[Place]:
        """The entries with exactly this key, or else with this alias (biblatex `ids`)."""
        if key not in self._places:
            self._places[key] = self._look_up(key)
        return self._places[key]

    @cached_property
    def _places(self) -> dict[str, list[Place]]:
        """What `find` found; filled as it is asked."""
        return {}

    def _look_up(self, key: str) -> list[Place]:
        found = [
            Place(source, index, self)
            for source in self.defining
            if source.syntax.entries is not None
            for index in source.syntax.entries.by_key(key)
        ]
        return found or [Place(it, it.aliases[key], self) for it in self.defining if key in it.aliases]

    def defines(self, key: str) -> bool:
        """True where an entry has this key or alias."""
        return bool(self.find(key))

    def citations(self) -> Iterator[tuple[Source, Citation]]:
        for source in self.parts:
            for citation in source.syntax.citations:
                yield source, citation

    def citation_at(self, path: str, offset: int) -> Citation | None:
        """The citation whose key the offset stands in or touches."""
        if path not in self.sources:
            return None
        citations = self.sources[path].syntax.citations
        index = bisect_right(citations, offset, key=lambda it: it.span.start) - 1
        return citations[index] if index >= 0 and citations[index].span.touches(offset) else None

    def placeholder_at(self, path: str, offset: int) -> Placeholder | None:
        if path not in self.sources:
            return None
        return next((it for it in self.sources[path].syntax.placeholders if it.span.touches(offset)), None)

    @cached_property
    def parts(self) -> tuple[Source, ...]:
        """The documents of the manuscript."""
        return tuple(self.sources[it] for it in self.manuscript)

    @cached_property
    def cited(self) -> frozenset[str]:
        return frozenset(citation.key for _, citation in self.citations())

    @property
    def cites_all(self) -> bool:
        return any(it.syntax.cites_all for it in self.parts)

    @property
    def closed(self) -> bool:
        """True where every include and bibliography was read and nothing opaque met: an unknown key is undefined.

        A manuscript without a root or without a bibliography is not closed: something unfound must hold them.
        """
        if self.unresolved or self.bounded or not self.rooted or not self.defining:
            return False
        return not any(it.syntax.opaque for it in self.parts)

    def strings(self, source: Source) -> Mapping[str, str]:
        """The @string macros that entries of this source may use."""
        others = [it.syntax.strings for it in self.defining if it is not source and it.syntax.strings]
        return ChainMap(source.syntax.strings, *others) if others else source.syntax.strings

    def parent(self, key: str) -> EntryNode | None:
        """The first entry with this key, as crossref and xdata look it up."""
        return next((it.node for it in self.find(key)), None)

    @cached_property
    def defining(self) -> tuple[Source, ...]:
        """The sources that hold entries, bibliographies first."""
        paths = dict.fromkeys((*self.bibliographies, *self.manuscript))
        return tuple(it for it in map(self.sources.__getitem__, paths) if it.syntax.entries is not None)


def build(files: Files, path: str, settings: Settings) -> Project:
    """The project of the document at `path`: the roots that include it, their parts, their bibliographies.

    Where nothing includes it, the document is its own root.
    """
    held = files.read(path)
    path = held.document.path if held else path
    common, missing = _common(files, path, settings)
    everywhere = [it.document.path for it in common]
    readings, bounded = _readings(files, path, settings, anywhere=path in everywhere)
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
        bounded=bounded or any(it.bounded for it in readings),
        subject=path,
    )


@dataclass
class _Reading:
    """What was met on the way down from one root."""

    sources: dict[str, Source] = field(default_factory=dict)
    manuscript: list[str] = field(default_factory=list)
    bibliographies: list[str] = field(default_factory=list)
    unresolved: list[tuple[str, Span]] = field(default_factory=list)
    looked: set[str] = field(default_factory=set)  # directories around which metadata was looked for
    bounded: bool = False


def _readings(files: Files, path: str, settings: Settings, *, anywhere: bool) -> tuple[list[_Reading], bool]:
    """One for each root that leads to the document, or to any where `anywhere`; and whether a bound left some out."""
    tops, bounded = roots.tops(files, path, settings)
    named = roots.named(files, path)
    readings: list[_Reading] = []
    for top in tops:
        if not any(top in it.sources for it in readings):
            reading = _follow(files, top, *[path] * (top == named))
            if anywhere or path in reading.sources:
                readings.append(reading)
    return readings or [_follow(files, path)], bounded


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
        found = _resolve(files, link, source, root)
        if link.kind == "bibliography":
            reading.sources |= {it.document.path: it for it in found}
            reading.bibliographies += [it.document.path for it in found]
        else:
            onward += found
        if not found and not links.harmless(link):
            reading.unresolved.append((source.document.path, link.span))
    directory = os.path.dirname(source.document.path)
    if source.document.language == "markdown" and directory not in reading.looked:
        reading.looked.add(directory)
        around = [*roots.metadata_around(source.document.path), *roots.book_parts(files, root)]
        onward += filter(None, (files.read(it) for it in around))
    return onward


def _resolve(files: Files, link: Link, source: Source, root: str) -> list[Source]:
    """The documents a link means: one, or with a glob several."""
    language = source.document.language
    hint: Language = "bibtex" if link.kind == "bibliography" else language
    bases, jobname = _bases(files, link, source, root), links.stem(root)
    for candidate in links.candidates(link, language, jobname, bases):
        if found := files.read(candidate, hint):
            return [found]
    if link.kind != "bibliography":
        return []
    paths = [it for pattern in links.patterns(link, language, jobname, bases) for it in files.glob(pattern)]
    return list(filter(None, (files.read(it, hint) for it in dict.fromkeys(paths))))


def _bases(files: Files, link: Link, source: Source, root: str) -> list[str]:
    """The directories that a link may count from: the root's and the document's own, then the search path.

    TeX counts from where it is run, pandoc too, Quarto and R Markdown from the document.
    """
    here, start = os.path.dirname(source.document.path), os.path.dirname(root)
    if source.document.language == "latex":
        variable = "BIBINPUTS" if link.kind == "bibliography" else "TEXINPUTS"
        return list(dict.fromkeys((start, here, *files.directories(variable, start))))
    return list(dict.fromkeys((here, start, *(it for it in files.folders() if roots.inside(here, it)))))


def _common(files: Files, path: str, settings: Settings) -> tuple[list[Source], list[str]]:
    """The bibliographies that the settings give every manuscript, and a sentence for each that is not there."""
    bases = [it for it in files.folders() if roots.inside(path, it)] or [os.path.dirname(path)]
    found: dict[str, Source] = {}
    missing = []
    for written in settings.syntax.bibliographies:
        link = Link("bibliography", written, Span(0, 0))
        places = [*links.candidates(link, "bibtex", "", bases)]
        places += [it for pattern in links.patterns(link, "bibtex", "", bases) for it in files.glob(pattern)]
        sources = list(filter(None, (files.read(it, "bibtex") for it in places)))
        found |= {it.document.path: it for it in sources}
        if not sources:
            missing.append(f"The settings name the bibliography {written}, which is not there.")
    return list(found.values()), missing
