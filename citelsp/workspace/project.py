"""The documents of a workspace at one moment: which belong together, what they cite and which entries they can cite.

A Project is frozen.  `include_graph.build` reads it; it holds everything that was read: the same documents give the
same answers.  Parsed sources are shared between snapshots as long as their documents are unchanged.
"""

import re
from bisect import bisect_right
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

from citelsp.base.settings import Settings
from citelsp.base.text import Document, Span, begins_line, blank_before
from citelsp.bibliography import similar_keys
from citelsp.bibliography.bst import Bst
from citelsp.bibliography.entry import Entry, fingerprint, read_alone
from citelsp.bibliography.library.libraries import Libraries, Library
from citelsp.syntax import languages
from citelsp.syntax.bibtex.blocks import BibNode, Track
from citelsp.syntax.bibtex.further_keys import aliases_of, may_hold_aliases
from citelsp.syntax.bibtex.parsing import BibEntries, folded
from citelsp.syntax.languages.language import Language
from citelsp.syntax.languages.latex import command_definitions
from citelsp.syntax.languages.markdown import myst
from citelsp.syntax.nodes import Citation, Entries, EntryNode, Link, Placeholder, Reader, Syntax, reader_of

_REST_OF_LINE = re.compile(r"[ \t]*+,?+[ \t]*+(?:\r?\n|\Z)(?:[ \t]*+\r?\n)*")


@dataclass(frozen=True, eq=False)
class Source:
    """A document with its syntax.  Sources are equal only to themselves, so facts can be kept per source."""

    document: Document
    syntax: Syntax
    open: bool = False  # held by the editor
    writable: bool = True  # by us: not a file without write permission, outside the workspace, or that a program makes
    encoding: str = "utf-8"  # of the file; of what the editor holds it is not known

    def __post_init__(self) -> None:
        if self.language.derived:
            object.__setattr__(self, "writable", False)

    @cached_property
    def language(self) -> Language:
        return languages.language_of(self.document)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of all entries in their order; "" if an entry has none."""
        entries = self.syntax.entries
        return tuple([entries.node(it).key for it in range(len(entries))]) if entries else ()

    @cached_property
    def with_own_files(self) -> "Source":
        """The same document with the entries of the .bib files that it writes; no key is undefined if it has others."""
        syntax, written = self.syntax, self.syntax.written
        if written is None or syntax.entries is not None:
            own = replace(syntax, opaque=True)
        else:
            own = replace(syntax, entries=written.entries, strings=written.strings)
        return Source(self.document, own, self.open, self.writable)

    @cached_property
    def with_roles_alone(self) -> "Source":
        return replace(self, syntax=myst.roles_alone(self.syntax))

    @cached_property
    def keys_by_length(self) -> similar_keys.ByLength:
        return similar_keys.group_by_length(self.keys)

    @cached_property
    def similar(self) -> dict[str, list[str]]:
        """Keys and those of `keys` that look like them, as far as somebody asked; kept while no key changes."""
        return self.syntax.entries.similar if isinstance(self.syntax.entries, BibEntries) else {}

    @cached_property
    def file_macros(self) -> Mapping[str, Sequence[str]]:
        return command_definitions.of_files(self.document.text)

    @cached_property
    def commented(self) -> "Source | None":
        """The entries in comments, which BibTeX reads, as a source of their own."""
        entries = self.syntax.entries
        if not isinstance(entries, BibEntries) or not entries.commented.nodes:
            return None
        found = BibEntries(entries.commented, Track(), Track(), Track())
        return Source(self.document, Syntax(entries=found, strings=self.syntax.strings), self.open, self.writable)

    @cached_property
    def aliases(self) -> Mapping[str, int]:
        """Further keys of entries (biblatex `ids`), with the index of their entry."""
        entries = self.syntax.entries
        if not isinstance(entries, BibEntries):
            return {}
        # Few bibliographies have aliases: one search of the text spares asking each of 50,000 entries.
        if not entries.known(aliases_of) and not may_hold_aliases(self.document.text):
            entries.presume(aliases_of)
        return {key: index for index, keys in entries.values_of(aliases_of) for key in keys}


def _fingerprint(node: BibNode) -> str:
    """ "" if an entry may inherit from another."""
    entry = read_alone(node)
    return fingerprint(entry) if entry else ""


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
        """The span of the whole entry, in its document."""
        return Span(self.start, self.start + len(self.node.source))

    @property
    def removal(self) -> Span:
        """What goes with the entry: its indentation, the rest of its last line, the blank lines after it."""
        text, span = self.source.document.text, self.span
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
        """The entry with @string macros of its own file, then of other bibliographies, and parents from all of them."""
        node, project = self.node, self.project
        strings = project.strings(self.source) if project else self.source.syntax.strings
        if isinstance(node, BibNode) and not strings and (entry := read_alone(node)):
            return entry
        return Entry(node, strings, project.parent if project else None)

    @property
    def content(self) -> str:
        """The fingerprint of what the entry says; kept across edits if nothing but itself has a say in it."""
        entries, project = self._entries, self.project
        if isinstance(entries, BibEntries) and project is not None and not project.strings(self.source):
            for _, known in entries.values_of(_fingerprint, (self.index,)):
                return known
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
    strays: tuple[Source, ...] | None = ()  # chapters that nothing includes; None: perhaps too many
    compiled: tuple[tuple[str, str], ...] = ()  # names of bibliographies, and the compiled list read in their place
    lists: tuple[frozenset[str], ...] = ()  # of each root, what holds entries; empty: one root leads to all
    manuscripts: tuple[Manuscript, ...] = ()
    bibtex_style: tuple[str, Bst] | None = None  # the one in use, with its name; None: not known, or not what it does

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
            for source, index in self._live(key):
                found.setdefault(source.document.path, set()).add(index)
        return {path: dict.fromkeys(sorted(indices)).keys() for path, indices in found.items()}

    @property
    def contents(self) -> Iterator[tuple[Place, str]]:
        """The entries that findings are about, each with its fingerprint; kept across edits if it is its own."""
        return ((Place(source, index, self), content) for source, index, content in self._contents)

    @cached_property
    def _contents(self) -> tuple[tuple[Source, int, str], ...]:
        """What is kept names no Place, which would hold the project in a circle, and its documents in memory."""
        judged = ((source, index) for source in self.defining for index in self.judged(source))
        return tuple((source, index, Place(source, index, self).content) for source, index in judged)

    def entries(self) -> Iterator[Place]:
        """Every entry: of the bibliographies, then those written in the manuscript."""
        every = ((source, len(source.syntax.entries or ())) for source in self.defining)
        return (Place(source, index, self) for source, many in every for index in range(many))

    def source(self, path: str) -> Source | None:
        """A document of the project, or one of its strays."""
        return self.sources.get(path) or next((it for it in self.strays or () if it.document.path == path), None)

    def find(self, key: str) -> list[Place]:
        """The entries that a citation of this key means: those with the key, or else with this alias (biblatex `ids`).

        BibTeX takes no heed of letter case and reads what stands in comments too; it may be the reader if that is
        not known, so what it alone would find is found last.
        """
        return [Place(source, index, self) for source, index in self._entries_of_key(key)]

    def find_first(self, key: str) -> Place | None:
        """The first that `find` finds, at no more cost for thousands of entries of one key."""
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
        found = found or [(it, it.aliases[key]) for it in self.defining if key in it.aliases]
        return found or (_find_key(self.defining, key, fold=True) if not self.reader else [])

    def _commented(self, key: str) -> list[tuple[Source, int]]:
        return _find_key(self.commented, key, fold=True)

    def defines(self, key: str) -> bool:
        """True if an entry has this key or alias."""
        return bool(self._entries_of_key(key))

    def indices(self, source: Source, key: str) -> Sequence[int]:
        """The indices of the entries of this source that have the key."""
        return [index for _, index in _find_key([source], key, fold=self.reader == "bibtex")]

    def canonical(self, key: str) -> str:
        """Equal for keys that are one to the reader of the bibliographies; if it is unknown, that find one entry."""
        if self.reader:
            return folded(key) if self.reader == "bibtex" else key
        found = next((it.node.key for it in self.find(key)), key)
        return found if folded(found) == folded(key) else key

    def cites(self, key: str) -> bool:
        return self.canonical(key) in self.cited_once

    @cached_property
    def cited_once(self) -> frozenset[str]:
        """The canonical keys that are cited."""
        return frozenset(map(self.canonical, self.cited))

    def citations(self) -> Iterator[tuple[Source, Citation]]:
        for source in self.parts:
            for citation in source.syntax.citations:
                if not self.labels or not self._is_label(citation.key):
                    yield source, citation

    def citation_at(self, path: str, offset: int) -> Citation | None:
        """The citation whose key the offset stands in or touches."""
        citations = self.sources[path].syntax.citations if path in self.sources else ()
        index = bisect_right(citations, offset, key=lambda it: it.span.start) - 1
        if index < 0 or not citations[index].span.touches(offset) or self._is_label(citations[index].key):
            return None
        return citations[index]

    def _is_label(self, key: str) -> bool:
        """Behind a glossary's term a colon begins its form: `@api:long`."""
        return key in self.labels or (":" in key and key.rpartition(":")[0] in self.labels and not self.defines(key))

    @cached_property
    def labels(self) -> frozenset[str]:
        """What the parts label and no entry defines: an at sign before it cites nothing."""
        found = frozenset[str]().union(*(it.syntax.labels for it in self.parts))
        return frozenset(it for it in found if not self.defines(it))

    def placeholder_at(self, path: str, offset: int) -> Placeholder | None:
        near = self.sources[path].syntax.placeholders_near(Span(offset, offset)) if path in self.sources else ()
        return next((it for it in near if it.span.touches(offset)), None)

    @cached_property
    def parts(self) -> tuple[Source, ...]:
        """The documents of the manuscript."""
        return tuple(self.sources[it] for it in self.manuscript)

    @cached_property
    def deciding(self) -> tuple[Source, ...]:
        """The parts that tell who reads the bibliographies: not one that no main document leads to."""
        return tuple(it for it in self.parts if not (self.guessed and it.document.path == self.subject))

    @cached_property
    def cited(self) -> frozenset[str]:
        return frozenset(citation.key for _, citation in self.citations())

    @cached_property
    def reader(self) -> Reader:
        """Who reads the bibliographies; "" if that is not known."""
        return self._reader_of(self.deciding)

    def rooted_manuscripts(self, path: str) -> list[tuple[Reader, tuple[Source, ...]]]:
        """Of each main document that reads a bibliography: who reads it there, and the parts that tell so.

        Of none that is a main document, of all that name it.
        """
        reading = [it for it in self.manuscripts if it.reads(path)]
        found = [[self.sources[part] for part in it.parts if self.sources[part] in self.deciding] for it in reading]
        rooted = [it for it in found if any(map(_is_root, it))]
        return [(self._reader_of(it), tuple(it)) for it in rooted or found]

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
        # Each of these leaves a place where the entry may be: no key is called undefined on such grounds.
        if self.unresolved or self.bounded or self.guessed or self.unnamed or not self.rooted or not self.defining:
            return False
        return not (self.cut or any(it.syntax.opaque for it in self.parts))

    @cached_property
    def cut(self) -> str:
        """The path of a document with more entries than are read; "" if there is none."""
        defining = ((it.document.path, it.syntax.entries) for it in self.defining)
        return next((path for path, entries in defining if entries is not None and entries.cut), "")

    def strings(self, source: Source) -> Mapping[str, str]:
        """The @string macros that entries of this source may use."""
        others = [it.syntax.strings for it in self.defining if it is not source and it.syntax.strings]
        return ChainMap(source.syntax.strings, *others) if others else source.syntax.strings

    def are_read_together(self, one: str, other: str) -> bool:
        """False for two bibliographies of which every manuscript has one at most: `long.bib` and `short.bib`."""
        return not self.lists or any(one in it and other in it for it in self.lists)

    def parent(self, key: str) -> EntryNode | None:
        """The first entry with this key, as crossref and xdata look it up."""
        place = self.find_first(key)
        return place.node if place else None

    @cached_property
    def commented(self) -> tuple[Source, ...]:
        """The entries in comments, which BibTeX reads if it may be the reader."""
        return tuple(filter(None, (it.commented for it in self.defining))) if self.reader in ("bibtex", "") else ()

    def libraries(self, known: Libraries) -> list[tuple[str, Library]]:
        """The search index of everything that holds entries, by path."""
        lists = ((it.document.path, it.syntax.entries, self.strings(it)) for it in self.defining)
        return [
            (path, known.library_of(path, entries, macros)) for path, entries, macros in lists if entries is not None
        ]

    @cached_property
    def defining(self) -> tuple[Source, ...]:
        """The sources that hold entries, bibliographies first."""
        paths = dict.fromkeys((*self.bibliographies, *self.manuscript))
        return tuple(it for it in map(self.sources.__getitem__, paths) if it.syntax.entries is not None)


def _is_root(source: Source) -> bool:
    return source.syntax.is_root or source.language.search in ("pandoc", "document")


def _find_key(sources: Iterable[Source], key: str, *, fold: bool) -> list[tuple[Source, int]]:
    found: list[tuple[Source, int]] = []
    for source in sources:
        entries = source.syntax.entries
        if fold and isinstance(entries, BibEntries):
            found += [(source, index) for index in entries.by_folded_key(key)]
        elif entries is not None:
            found += [(source, index) for index in entries.by_key(key)]
    return found
