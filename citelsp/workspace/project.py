"""The documents of a workspace at one moment: which belong together, what they cite and which entries they can cite.

A Project is frozen.  `include_graph.build` reads it; it holds everything that was read: the same documents give the
same answers.  Parsed sources are shared between snapshots as long as their documents are unchanged.
"""

import re
from bisect import bisect_right
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from citelsp.base.settings import Settings
from citelsp.base.text import Span, begins_line, blank_before
from citelsp.bibliography.bst import Bst
from citelsp.bibliography.completion_search.libraries import Libraries, Library
from citelsp.bibliography.entry import Entry, fingerprint, read_alone
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries, fold_key
from citelsp.syntax.bibtex.templates import is_template
from citelsp.syntax.nodes import Citation, Entries, EntryNode, Link, Placeholder, Reader, reader_of
from citelsp.workspace.source import Source

_COMMA_BEHIND = re.compile(r"\s*,")
_REST_OF_LINE = re.compile(r"[ \t]*+,?+[ \t]*+(?:\r?\n|\Z)(?:[ \t]*+\r?\n)*")


def _fingerprint(node: BibNode) -> str:
    """ "" if an entry may inherit from another."""
    entry = read_alone(node)
    return fingerprint(entry) if entry else ""


def _add_comma(text: str, span: Span) -> Span:
    """Return the span of an entry with the comma behind it, else with the one before it; as it is without either."""
    behind = _COMMA_BEHIND.match(text, span.end)
    if behind:
        return Span(span.start, behind.end())
    before = text[: span.start].rstrip()
    return Span(len(before) - 1, span.end) if before.endswith(",") else span


@dataclass(frozen=True, slots=True)
class Place:
    """An entry where it stands: in a source, by its index there."""

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
        """Return the span of the whole entry, in its document."""
        return Span(self.start, self.start + len(self.node.source))

    @property
    def removal(self) -> Span:
        """Return the span to remove with the entry: also its indentation, the rest of its last line, blank lines.

        If more text stands behind the entry on its last line, the entry alone; if some stands before it, the entry
        with the blanks before it.  Of entries parted by commas the one behind it, or else before it, goes with it.
        """
        text = self.source.document.text
        format_ = self.source.language.bibliography
        span = _add_comma(text, self.span) if format_ and format_.parted_by_commas else self.span
        rest = _REST_OF_LINE.match(text, span.end)
        if rest is None:
            return span
        start = blank_before(text, span.start)
        return Span(start, rest.end()) if begins_line(text, start) else Span(start, span.end)

    @property
    def key_span(self) -> Span:
        return self.node.key_span.moved(self.start)

    @property
    def entry(self) -> Entry:
        """Return the entry, with @string macros of its file and then of others, and parents (crossref) from all."""
        node = self.node
        project = self.project
        strings = project.strings(self.source) if project else self.source.syntax.strings
        if isinstance(node, BibNode) and not strings and (entry := read_alone(node)):
            return entry
        return Entry(node, strings, project.parent if project else None)

    @property
    def content(self) -> str:
        """Return the fingerprint of what the entry says; kept across edits if no macro or other entry is part of it."""
        entries = self._entries
        project = self.project
        if isinstance(entries, BibEntries) and project is not None and not project.strings(self.source):
            return entries.value(_fingerprint, self.index) or fingerprint(self.entry)
        return fingerprint(self.entry)

    @property
    def _entries(self) -> Entries:
        if self.source.syntax.entries is None:
            raise LookupError(f"{self.source.document.path} holds no entries")
        return self.source.syntax.entries


Why = Literal[
    "missing", "denied", "binary", "large", "foreign", "remote", "unclear", "distributed", "elsewhere", "compiled"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A link that leads to nothing that was read.

    Only a bibliography that is "missing", "denied" or "binary" is amiss: "large" and "foreign" ones (of a format that
    is not read) are there, "distributed" ones come with TeX, "unclear" names are made by macros, and "elsewhere" says
    that something else may bring the file or look for it in another place.  Of "compiled" ones the list came along
    that was made from them.
    """

    path: str  # of the document that names it
    link: Link
    why: Why = "missing"
    base: str = ""  # the directory that the paths in it count from first
    near: tuple[str, ...] = ()  # bibliographies that may be meant
    elsewhere: bool = False  # one of its name lies in another folder of the workspace


class Manuscript(NamedTuple):
    """What one root leads to."""

    parts: tuple[str, ...]  # paths, the root first
    holding: frozenset[str]  # what holds entries

    def reads(self, path: str) -> bool:
        return path in self.holding


@dataclass(frozen=True)
class Project:
    """All manuscripts that one document belongs to, with their bibliographies.

    The project of a bibliography holds every manuscript that names it.
    """

    sources: Mapping[str, Source]
    settings: Settings
    manuscript: tuple[str, ...] = ()  # paths of the roots and all their parts, roots first
    bibliographies: tuple[str, ...] = ()  # in the order of declaration
    unresolved: tuple[Unresolved, ...] = ()
    problems: tuple[str, ...] = field(default=())
    shared: frozenset[str] = frozenset()  # bibliographies that manuscripts outside this project name too
    rooted: bool = False  # a part says that it is a root
    bounded: bool = False  # a limit kept something from being read
    subject: str = ""  # the document that was asked about
    guessed: bool = False  # that the subject belongs to these roots is a guess: none of them leads to it
    unnamed: frozenset[str] = frozenset()  # bibliographies that no document names: that they are meant is a guess
    lent: str = ""  # the one of these that is the user's library, as Zotero has it now
    strays: tuple[Source, ...] | None = ()  # chapters that nothing includes; None: perhaps too many
    compiled: tuple[tuple[str, str], ...] = ()  # names of bibliographies, and the compiled list read in their place
    lists: tuple[frozenset[str], ...] = ()  # bibliographies that are printed as one list; empty: all are
    manuscripts: tuple[Manuscript, ...] = ()
    bibtex_style: tuple[str, Bst] | None = None  # the one in use, with its name; None: not known, or not what it does
    on_site: bool = False  # Jekyll prints the bibliography on a site, and no manuscript reads it
    guessed_reader: Reader = ""  # of a bibliography that no manuscript reads: by what else is in its workspace

    def judged(self, source: Source) -> Collection[int]:
        r"""Return the indices, in order, of the entries of this source that findings are about.

        They are all entries of a bibliography that is open or asked about, of the manuscript's own lists, and if
        `\nocite{*}` cites all; of any other, which may be a library of tens of thousands, those that are cited.
        """
        path = source.document.path
        if source.open or path == self.subject or path in self.manuscript or self.cites_all:
            return range(len(source.syntax.entries or ()))
        return self.cited_entries.get(path, ())

    def list_parsed(self, source: Source) -> Collection[int]:
        """Return the indices, in order, of the entries of this source whose syntax matters.

        Typst refuses a whole file for any of them; to other programs the judged ones matter.
        """
        return range(len(source.syntax.entries or ())) if self.reader == "typst" else self.judged(source)

    @cached_property
    def cited_entries(self) -> dict[str, Collection[int]]:
        """Path → indices of the entries that are cited, in order."""
        found: dict[str, set[int]] = {}
        for key in self.cited:
            for source, index in self._live(key):
                found.setdefault(source.document.path, set()).add(index)
        return {path: dict.fromkeys(sorted(indices)).keys() for path, indices in found.items()}

    @property
    def contents(self) -> Iterator[tuple[Place, str]]:
        """Yield the entries that findings are about, each with its fingerprint (`Place.content`)."""
        for source, index, content in self._contents:
            yield Place(source, index, self), content

    @cached_property
    def _contents(self) -> tuple[tuple[Source, int, str], ...]:
        """Return (source, index, fingerprint) for the entries that findings are about.

        No Place is cached here, as it refers to the project: the circle would leave old documents in memory.
        """
        found: list[tuple[Source, int, str]] = []
        for source in self.defining:
            found += [(source, index, Place(source, index, self).content) for index in self.judged(source)]
        return tuple(found)

    def entries(self) -> Iterator[Place]:
        """Yield every entry: those of the bibliographies, then those written in the manuscript."""
        for source in self.defining:
            for index in range(len(source.syntax.entries or ())):
                yield Place(source, index, self)

    def source(self, path: str) -> Source | None:
        """Return a document of the project, or one of its strays (unincluded chapters); None if it is neither."""
        found = self.sources.get(path)
        if found:
            return found
        return next((it for it in self.strays or () if it.document.path == path), None)

    def find(self, key: str) -> list[Place]:
        """Return the entries that a citation of this key means: those with the key, else with this alias (`ids`).

        BibTeX takes no heed of letter case and reads what stands in comments too.  It may be the reader if that is not
        known, so what it alone would find comes last.
        """
        return [Place(source, index, self) for source, index in self._entries_of_key(key)]

    def find_first(self, key: str) -> Place | None:
        """Return the first that `find` finds, at no more cost for thousands of entries of one key; None if none is."""
        return next((Place(source, index, self) for source, index in self._entries_of_key(key)), None)

    def _entries_of_key(self, key: str) -> list[tuple[Source, int]]:
        if key not in self._sought:
            self._sought[key] = self._live(key) or self._commented(key)
        return self._sought[key]

    @cached_property
    def _sought(self) -> dict[str, list[tuple[Source, int]]]:
        return {}

    def _live(self, key: str) -> list[tuple[Source, int]]:
        found = _find_key(self.defining, key, fold=self.reader == "bibtex")
        if found:
            return found
        found = [(it, it.aliases[key]) for it in self.defining if key in it.aliases]
        if found:
            return found
        return [] if self.reader else _find_key(self.defining, key, fold=True)

    def _commented(self, key: str) -> list[tuple[Source, int]]:
        return _find_key(self.commented, key, fold=True)

    def defines(self, key: str) -> bool:
        """True if an entry has this key or alias."""
        return bool(self._entries_of_key(key))

    def indices(self, source: Source, key: str) -> Sequence[int]:
        """Return the indices of the entries of this source that have the key."""
        return [index for _, index in _find_key([source], key, fold=self.reader == "bibtex")]

    def canonical(self, key: str) -> str:
        """Equal for keys that are one to the reader of the bibliographies; if it is unknown, that find one entry."""
        if self.reader:
            return fold_key(key) if self.reader == "bibtex" else key
        place = self.find_first(key)
        return place.node.key if place and fold_key(place.node.key) == fold_key(key) else key

    def cites(self, key: str) -> bool:
        return self.canonical(key) in self.cited_once

    @cached_property
    def cited_once(self) -> frozenset[str]:
        """Return the canonical keys that are cited, each once."""
        return frozenset(map(self.canonical, self.cited))

    def citations(self) -> Iterator[tuple[Source, Citation]]:
        for source in self.parts:
            for citation in source.syntax.citations:
                if not self.labels or not self._is_label(citation.key):
                    yield source, citation

    def citation_at(self, path: str, offset: int) -> Citation | None:
        """Return the citation whose key the offset stands in or touches; None if there is none, or at a label."""
        citations = self.sources[path].syntax.citations if path in self.sources else ()
        index = bisect_right(citations, offset, key=lambda it: it.span.start) - 1
        if index < 0 or not citations[index].span.touches(offset) or self._is_label(citations[index].key):
            return None
        return citations[index]

    def _is_label(self, key: str) -> bool:
        """True if `@key` refers to a label of the manuscript rather than citing; terms of glossaries are labels, too.

        A colon begins a form of a glossary's term, `@api:long`, or ends what a package writes before labels: Typst's
        i-figured numbers a figure `<plan>` for `@fig:plan`, and so tables, listings and equations.
        """
        if key in self.labels:
            return True
        term, colon, _ = key.rpartition(":")
        label = key.partition(":")[2]
        is_made_of_label = term in self.labels or label in self.labels
        return bool(colon) and is_made_of_label and not self.defines(key)

    @cached_property
    def labels(self) -> frozenset[str]:
        """Return the labels in the parts that are no entry's key: an at sign before one cites nothing."""
        found = frozenset[str]().union(*(it.syntax.labels for it in self.parts))
        return frozenset(it for it in found if not self.defines(it))

    def placeholder_at(self, path: str, offset: int) -> Placeholder | None:
        """Return the placeholder that the offset stands in or touches; None if there is none."""
        if path not in self.sources:
            return None
        near = self.sources[path].syntax.placeholders_near(Span(offset, offset))
        return next((it for it in near if it.span.touches(offset)), None)

    @cached_property
    def parts(self) -> tuple[Source, ...]:
        """Return the documents of the manuscript."""
        return tuple(self.sources[it] for it in self.manuscript)

    @cached_property
    def deciding(self) -> tuple[Source, ...]:
        """Return the parts that tell which program reads the bibliographies: those to which a main document leads."""
        return tuple(it for it in self.parts if not (self.guessed and it.document.path == self.subject))

    @cached_property
    def cited(self) -> frozenset[str]:
        return frozenset(citation.key for _, citation in self.citations())

    @cached_property
    def reader(self) -> Reader:
        """Tell which program reads the bibliographies; "" if that is not known.

        Jekyll prints them by CSL, as pandoc does.
        """
        return self._reader_of(self.deciding) or self.guessed_reader

    def rooted_manuscripts(self, path: str) -> list[tuple[Reader, tuple[Source, ...]]]:
        """Return, for each main document with this bibliography, the program that reads it and the parts that say so.

        If no main document has it, return the same for all documents that name it.
        """
        reading = [self._deciding_parts(it) for it in self.manuscripts if it.reads(path)]
        rooted = [parts for parts in reading if any(map(_is_root, parts))]
        return [(self._reader_of(parts), parts) for parts in rooted or reading]

    def _deciding_parts(self, manuscript: Manuscript) -> tuple[Source, ...]:
        parts = (self.sources[path] for path in manuscript.parts)
        return tuple(it for it in parts if it in self.deciding)

    def _reader_of(self, parts: Iterable[Source]) -> Reader:
        written = [(it.syntax, it.language.manuscript.reader) for it in parts if it.language.manuscript]
        return reader_of(written, self.settings.writing.dialect, unsure=bool(self.unresolved))

    @property
    def cites_all(self) -> bool:
        return any(it.syntax.cites_all for it in self.parts)

    @property
    def closed(self) -> bool:
        """True if every include and bibliography was read and nothing opaque met: an unknown key is undefined.

        A manuscript without a root or without a bibliography is not closed: something unfound must hold them.
        """
        return self.rooted and not self.unnamed and self._is_read_whole

    @property
    def closed_by_library(self) -> bool:
        """True if the manuscript cites from the user's library, and nothing else may hold an entry.

        That the library is meant is known by a cited key that it has.
        """
        is_alone = bool(self.lent) and self.unnamed == {self.lent}
        return is_alone and self._is_read_whole and any(map(self.defines, self.cited))

    @property
    def _is_read_whole(self) -> bool:
        # Each of these leaves a place where the entry may be: no key is called undefined on such grounds.
        leaves_a_place = (
            bool(self.unresolved),
            self.bounded,
            self.guessed,
            not self.defining,
        )
        if any(leaves_a_place):
            return False
        return not (self.cut or any(it.syntax.opaque for it in self.parts))

    @cached_property
    def cut(self) -> str:
        """Return the path of a document with more entries than are read; "" if there is none."""
        for source in self.defining:
            if source.syntax.entries is not None and source.syntax.entries.cut:
                return source.document.path
        return ""

    def strings(self, source: Source) -> Mapping[str, str]:
        """Return the @string macros that entries of this source may use: its own, then those of others."""
        own = source.syntax.strings
        others = [it.syntax.strings for it in self.defining if it is not source and it.syntax.strings]
        return ChainMap(own, *others) if others else own

    def are_read_together(self, one: str, other: str) -> bool:
        """False for two bibliographies of which every manuscript has one at most: `long.bib` and `short.bib`."""
        return not self.lists or any(one in it and other in it for it in self.lists)

    def parent(self, key: str) -> EntryNode | None:
        """Return the first entry with this key, as crossref and xdata look it up; None if there is none."""
        place = self.find_first(key)
        return place.node if place else None

    @cached_property
    def commented(self) -> tuple[Source, ...]:
        """Return the entries in comments, which BibTeX reads; empty if it cannot be the reader."""
        if self.reader not in ("bibtex", ""):
            return ()
        return tuple(filter(None, (it.commented for it in self.defining)))

    def libraries(self, known: Libraries) -> list[tuple[str, Library]]:
        """Return (path, search index) for every document that holds entries."""
        found = []
        for source in self.defining:
            entries = source.syntax.entries
            if entries is not None:
                path = source.document.path
                found.append((path, known.library_of(path, entries, self.strings(source))))
        return found

    @cached_property
    def defining(self) -> tuple[Source, ...]:
        """Return the sources that hold entries, bibliographies first; templates are left out."""
        paths = dict.fromkeys((*self.bibliographies, *self.manuscript))
        holding = (it for it in map(self.sources.__getitem__, paths) if it.syntax.entries is not None)
        return tuple(it for it in holding if not is_template(it.document.text))


def _is_root(source: Source) -> bool:
    return source.syntax.is_root or source.language.search in ("pandoc", "document")


def _find_key(sources: Iterable[Source], key: str, *, fold: bool) -> list[tuple[Source, int]]:
    """Find the places of entries with this key; with `fold` letter case doesn't count, but in .bib files alone."""
    places: list[tuple[Source, int]] = []
    for source in sources:
        entries = source.syntax.entries
        if fold and isinstance(entries, BibEntries):
            places += [(source, index) for index in entries.by_folded_key(key)]
        elif entries is not None:
            places += [(source, index) for index in entries.by_key(key)]
    return places
