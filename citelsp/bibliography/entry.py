"""An entry as a reader understands it: macros resolved, TeX decoded, names parsed, parents inherited."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b

from citelsp.base import bounds
from citelsp.base.text import Span
from citelsp.bibliography import identifiers, journal_macros, names, reference_reading
from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.reference_reading import Reading
from citelsp.bibliography.string_macros import MONTHS, are_macros_defined, resolve_value
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.syntax.bibtex import granular_xdata
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.formats.items import ReferenceItem
from citelsp.syntax.nodes import EntryNode, Field

_SHORT = 20_000  # characters

_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d|21\d\d)(?!\d)")
_PENDING = (
    "in press", "inpress", "forthcoming", "to appear", "submitted", "in preparation", "under review", "in review",
    "unpublished",
)  # fmt: skip
_PENDING_NOTE = re.compile(rf"\b(?:{'|'.join(_PENDING)})\b", re.IGNORECASE)
_DATE = re.compile(r"\s*(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")
_AND = re.compile(r"(?<!\s)\s+and\s+")
_NUMBER_OF_MONTH = re.compile(r"\d{1,2}")
# More than anybody nests; parents that name each other would otherwise be followed for ever.
_DEPTH = 4  # of inheritance
_PARENTS = 8  # in one xdata list
_OWN = frozenset(
    """ids crossref xref xdata entryset label options related sortkey shorthand doi url eprint archiveprefix
    primaryclass eprinttype pmid pmcid pages abstract note keywords file annote shorttitle
    """.split()
)
_OF_ONE_BOOK = frozenset({"inbook", "bookinbook", "suppbook"})  # parts of a book by its own author
_IN_BOOK = _OF_ONE_BOOK | {"inproceedings", "conference", "incollection", "suppcollection", "inreference"}
_HAVE_AUTHORS = (_IN_BOOK - _OF_ONE_BOOK) | {"article"}  # of their own: editors are the volume's
_FROM_BOOK = {"booktitle": "title", "booksubtitle": "subtitle", "booktitleaddon": "titleaddon", "bookauthor": "author"}
_FROM_PERIODICAL = {"journaltitle": "title", "journalsubtitle": "subtitle"}
# biblatex manual, appendix B: a book's own title and author are its chapters' booktitle and bookauthor.
_NOT_FROM_BOOK = frozenset({"title", "subtitle", "titleaddon", "author"})
_VENUES = ("journal", "journaltitle", "booktitle", "howpublished", "institution", "school", "organization", "publisher")
_JOURNALS = ("journal", "journaltitle")
_HASHED = ("volume", "number", "issue", "pages", "publisher", "edition", "series", "type")


@dataclass(frozen=True)
class Entry:
    """Decoded, read-only view of one entry.  Everything is computed at first use."""

    node: EntryNode
    strings: Mapping[str, str] = field(default_factory=dict)
    parent: "Callable[[str], EntryNode | None] | None" = None  # by key, for crossref and xdata
    depth: int = field(default=_DEPTH, compare=False)  # of the parents above it that are asked; less for a parent
    left_out: frozenset[str] = frozenset()  # fields of its own that say nothing
    stated: tuple[tuple[str, str], ...] = ()  # fields of a printed reference that a record showed how to read
    # Of a parent all above the same entry, which several may lead to: each is looked at once, not once for each way.
    family: "dict[tuple[str, int], Entry] | None" = field(default=None, compare=False, repr=False)

    @property
    def key(self) -> str:
        return self.node.key

    @property
    def kind(self) -> str:
        return self.printed.kind if self.printed else self.node.kind

    @cached_property
    def printed(self) -> Reading | None:
        """What was read of a reference as it is printed, if the entry is one: its fields are not the author's own."""
        if not isinstance(self.node, ReferenceItem):
            return None
        return reference_reading.read_item(self.node)

    @property
    def unsure(self) -> frozenset[str]:
        """The fields that were not read for certain: whether a work has them is never answered by no.

        "doi" and "arxiv" are among them in plain text, as that may come from a page: there `_` is a line, and a long
        word is broken with a hyphen.
        """
        if self.printed is None:
            return frozenset()
        is_plain_text = isinstance(self.node, ReferenceItem) and self.node.kind == "reference"
        return self.printed.unsure | {"doi", "arxiv"} if is_plain_text else self.printed.unsure

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields where they stand; spans count from the entry's start."""
        if self.printed and isinstance(self.node, ReferenceItem):
            return tuple(_printed_field(self.node, name, value) for name, value in self.printed.fields.items())
        return tuple(self.node.fields())

    @cached_property
    def own(self) -> dict[str, str]:
        """The fields of the entry itself, macros resolved and parts joined, still TeX."""
        if isinstance(self.node, BibNode):
            values = self.node.values().items()
            return {name: resolve_value(value, self.strings) for name, value in values if name not in self.left_out}
        if self.printed:
            return {**self.printed.fields, **dict(self.stated)}
        return {it.name: self.node.raw(it.name) for it in self.fields}

    def value(self, name: str) -> str:
        """A field's value as TeX, inherited from crossref if neither the entry nor its xdata has it; "" if absent."""
        return self._resolve_xdata(name) or self._from_crossref(name)

    def text(self, name: str) -> str:
        """A field's value as Unicode, TeX and braces removed, spaces collapsed; "" if absent."""
        value = self.value(name)
        if name in _JOURNALS:
            value = journal_macros.written_out(value)
        return decode(value) if value else ""

    @property
    def values(self) -> dict[str, str]:
        """All fields that have a value, inherited ones too, still TeX."""
        above = self._names_above()
        renamed = [name for name, source in (_FROM_BOOK | _FROM_PERIODICAL).items() if source in above]
        names = dict.fromkeys((*self.own, *above, *renamed))
        return {name: value for name in names if (value := self.value(name))}

    def _names_above(self) -> list[str]:
        above = (*self._xdata, self._crossref) if self._crossref else self._xdata
        return [name for it in above for name in (*it.own, *it._names_above())]

    @cached_property
    def title(self) -> str:
        """The title with its subtitle; of what is longer than any title, the beginning."""
        return titles.join_titles(self.text("title"), self.text("subtitle"))[: bounds.VALUE]

    @cached_property
    def _author_list(self) -> tuple[tuple[Name, ...], bool]:
        return names.parse(self.byline)

    @property
    def byline(self) -> str:
        """The authors as TeX, else the editors, but of articles and works in books, which have authors of their own."""
        return self.value("author") or ("" if self.kind in _HAVE_AUTHORS else self.value("editor"))

    @property
    def authors(self) -> tuple[Name, ...]:
        """Whom the byline names."""
        return self._author_list[0]

    @property
    def authors_truncated(self) -> bool:
        """`and others`."""
        return self._author_list[1]

    @cached_property
    def year(self) -> int | None:
        """The year in `year`, else in `date` (its beginning, if it is a range) or `eventdate`; None without."""
        for name in ("year", "date", "eventdate"):
            match = _YEAR.search(self.value(name))
            if match:
                return int(match[1])
        return None

    @property
    def is_pending(self) -> bool:
        """True if the entry says that it is unpublished: in press, submitted, to appear."""
        fields = ("note", "year", "date", "pubstate", "volume", "pages", "journal")
        lowered = self.node.source.lower()
        return any(it in lowered for it in _PENDING) and any(_PENDING_NOTE.search(self.text(it)) for it in fields)

    @cached_property
    def month(self) -> int | None:
        match = _DATE.match(self.value("date"))
        if match:
            return int(match[2]) if match[2] else None
        written = self.text("month").lower()
        return int(written) if _NUMBER_OF_MONTH.fullmatch(written) else MONTHS.get(written[:3])

    @property
    def venue(self) -> str:
        """The first that is there of _VENUES, from `journal` to `publisher`; cut as titles are."""
        return next((text for name in _VENUES if (text := self.text(name))), "")[: bounds.VALUE]

    @cached_property
    def identifiers(self) -> Identifiers:
        """What doi, eprint, url, isbn, note … say, normalised; not inherited: a volume's DOI is not the paper's."""
        found = identifiers.from_fields(self.own)
        if self.key.upper().startswith("DBLP:") and not found.dblp:
            found = found.filled_from(Identifiers(dblp=self.key[5:]))
        return found

    def _resolve_xdata(self, name: str) -> str:
        """Return a field of the entry with what its xdata set: for biber these replace its own, a later one an earlier.

        Further keys (`ids`) are the entry's own.
        """
        if not self._xdata or name in ("ids", "xdata"):
            return self._states(name)
        if name not in self._resolved:
            of_xdata = (it._resolve_xdata(name) for it in reversed(self._xdata))
            self._resolved[name] = next(filter(None, of_xdata), "") or self._states(name)
        return self._resolved[name]

    def _from_crossref(self, name: str) -> str:
        if not self._crossref:
            return ""
        handed = (self._crossref._hands_down(source) for source in _list_sources(self.kind, name))
        return next(filter(None, handed), "")

    def _states(self, name: str) -> str:
        """A field of the entry itself, which may be a parent, with what it has by granular xdata in its place.

        Of a parent each is resolved when asked for, from what is read once for all entries that inherit from it.
        """
        if self.depth == _DEPTH or not isinstance(self.node, BibNode):
            value = self.own.get(name, "")
        else:
            written = self.node.inherited.get(name)
            value = resolve_value(written, self.strings) if written else ""
        if "xdata=" not in value or self.parent is None or not self.depth:
            return value
        return " and ".join(map(self._resolve_item, _AND.split(value)))

    def _resolve_item(self, written: str) -> str:
        """Return the value for which `xdata=key-field-2` stands; what is written if it is none, or names nothing."""
        reference = granular_xdata.read(written)
        data = self._parent_entry(reference.key) if reference else None
        if not reference or not data:
            return written
        value = data._resolve_xdata(reference.field)
        items = _AND.split(value) if reference.number else [value]
        return next(iter(items[max(reference.number - 1, 0) :]), "") or written

    def _hands_down(self, name: str) -> str:
        if name not in self._handed:
            self._handed[name] = self._resolve_xdata(name) or self._from_crossref(name)
        return self._handed[name]

    @cached_property
    def _handed(self) -> dict[str, str]:
        """What was handed down before."""
        return {}

    @cached_property
    def _resolved(self) -> dict[str, str]:
        """What `_resolve_xdata` has returned, by field."""
        return {}

    @cached_property
    def _xdata(self) -> "tuple[Entry, ...]":
        """The entries named in xdata: found once for all that is inherited from them."""
        if self.parent is None or not self.depth:
            return ()
        keys = self._states("xdata").split(",", _PARENTS)[:_PARENTS]
        return tuple(filter(None, map(self._parent_entry, keys)))

    @cached_property
    def _crossref(self) -> "Entry | None":
        """The entry named in crossref, by the entry itself or by its xdata: found once for all that is inherited."""
        return self._parent_entry(self._resolve_xdata("crossref")) if self.parent and self.depth else None

    def _parent_entry(self, key: str) -> "Entry | None":
        place = key.strip(), self.depth - 1
        if place not in self._relatives:
            node = self.parent(place[0]) if self.parent and place[0] else None
            if not node or node is self.node:
                return None
            self._relatives[place] = Entry(node, self.strings, self.parent, place[1], family=self._relatives)
        return self._relatives[place]

    @cached_property
    def _relatives(self) -> "dict[tuple[str, int], Entry]":
        return {} if self.family is None else self.family


def _printed_field(item: ReferenceItem, name: str, value: str) -> Field:
    """The field at the first place where its value stands as it was read, else at the whole reference."""
    offset = item.source.find(value, item.body.start) if value else -1
    span = Span(offset, offset + len(value)) if offset >= 0 else item.body
    return Field(name, Span(span.start, span.start), span, span)


def _list_sources(kind: str, name: str) -> tuple[str, ...]:
    """Return the parent's fields that give a child's one, the first before the others; empty if none does.

    This is biblatex's inheritance, which holds BibTeX's: by that a `booktitle` comes from the parent's own.
    """
    if name in _OWN:
        return ()
    if kind in _IN_BOOK:
        if name in _NOT_FROM_BOOK:
            return ("author",) if name == "author" and kind in _OF_ONE_BOOK else ()
        return ("booktitle", "title") if name == "booktitle" else (_FROM_BOOK.get(name, name),)
    if kind in ("article", "suppperiodical"):
        return (_FROM_PERIODICAL.get(name, name),) if name not in _NOT_FROM_BOOK else ()
    return (name,)


def as_read(entry: Entry) -> Entry:
    """The entry without the fields that name a macro which nobody defines: BibTeX and biber leave it out."""
    if not isinstance(entry.node, BibNode):
        return entry
    undefined = (name for name, value in entry.node.values().items() if not are_macros_defined(value, entry.strings))
    left_out = frozenset(undefined)
    return replace(entry, left_out=left_out) if left_out else entry


def read_alone(node: BibNode) -> Entry | None:
    """The entry that a node is by itself, without macros; None if it may inherit.  Many look at one in a row."""
    read = _read_alone if node.length <= _SHORT else _read_alone.__wrapped__
    return read(node.source, node.reach, node.kind, node.key, node.key_start)


@lru_cache(maxsize=2048)  # short ones
def _read_alone(source: str, reach: int, kind: str, key: str, key_start: int) -> Entry | None:
    """The entry of this text: a node would keep its whole document alive in the cache."""
    # Anywhere in the source, as parsing the fields to know whether it inherits would cost what this saves.
    lowered = source.lower()
    if "crossref" in lowered or "xdata" in lowered:
        return None
    return Entry(BibNode(source, 0, len(source), reach, kind, key, key_start))


def fingerprint(entry: Entry) -> str:
    """Return a hash of what the entry says of its work; moving, reformatting or rekeying the entry does not change it.

    A name counts as its words in any order: that tells one from another without parsing it.
    """
    known = entry.identifiers
    people = [decode(written).replace(",", " ").split() for written in names.split(entry.byline)]
    # Everything that a verdict rests on: what is left out here could change without being verified again.
    parts = [
        entry.kind,
        entry.title,
        *(" ".join(sorted(name_words)) for name_words in people),
        # The year as written, too: words may stand in its place.
        f"{entry.year} {entry.text('year')}{' pending' if entry.is_pending else ''}",
        *(entry.text(name) for name in (*_VENUES, *_HASHED)),
        *(getattr(known, name) for name in known.__slots__),
        entry.text("doi"),
        entry.text("eprint"),
    ]
    return blake2b("\x1f".join(parts).encode(errors="replace"), digest_size=16).hexdigest()
