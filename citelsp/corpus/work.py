"""A work as the corpus keeps it, and its conversions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from citelsp.base.text import still, whole
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.same_work import group_records
from citelsp.corpus.words import names_one_work, title_key

_ARXIV_MONTH = re.compile(r"^(?:[a-z-]+(?:\.[A-Z]{2})?/)?(\d\d)(0[1-9]|1[0-2])(?:\d{3}|\.\d{4,5})")
_BEFORE_DOI = re.compile(r"^(https?://(dx\.|www\.)?doi\.org/|doi: ?)")
_BEFORE_ARXIV = re.compile(r"^(https?://(www\.)?arxiv\.org/(abs|pdf)/|arxiv: ?)", re.IGNORECASE)
_BEHIND_ARXIV = re.compile(r"(v\d+)?(\.pdf)?$", re.IGNORECASE)  # a version, and what ends the address of a PDF
_DATE = re.compile(r"[0-9]{4}(-(0[1-9]|1[0-2])(-[0-3][0-9])?)?")  # the rest of a moment may follow
_LONGEST_TEXT = 2_000_000  # characters
_LATEST_YEAR = 3000


@dataclass(frozen=True, slots=True)
class Work:
    """One paper.  Empty means unknown, never absent."""

    id: str
    title: str
    abstract: str = ""
    authors: tuple[str, ...] = ()  # "Given Family" or "Family, Given"
    year: int | None = None
    date: str = ""  # "YYYY-MM" or "YYYY-MM-DD" where known better than the year
    venue: str = ""
    doi: str = ""
    arxiv: str = ""
    references: tuple[str, ...] = ()  # ids of cited works
    text: str = ""  # full text, without its reference list
    listed: tuple[str, ...] = ()  # its reference list as printed, to be matched with works
    file: str = ""  # digest of the file it was read from

    @property
    def published(self) -> str:
        """The earliest date known, to the month if possible; "" if unknown."""
        if self.date:
            return self.date
        preprint = arxiv_month(self.arxiv)
        # An id of a later month than the publication belongs to another version of it.
        if preprint and (self.year is None or int(preprint[:4]) <= self.year):
            return preprint
        return str(self.year) if self.year else ""

    @property
    def digest(self) -> bytes:
        """A hash of everything said of the work."""
        fields = (
            self.title, self.abstract, self.authors, self.year, self.date, self.venue,
            self.doi, self.arxiv, self.references, self.text, self.listed,
        )  # fmt: skip
        return blake2b(repr(fields).encode(), digest_size=8).digest()

    def record(self) -> Record:
        """Return the work as a record, such as services give, with “corpus” as its source; without its full text."""
        return Record(
            source="corpus",
            id=self.id,
            title=self.title,
            authors=tuple(map(_read_name, self.authors)),
            years=(self.year,) if self.year else (),
            date=self.published,
            venue=self.venue,
            identifiers=Identifiers(doi=self.doi, arxiv=self.arxiv),
            abstract=self.abstract,
            references=self.references,
        )


def arxiv_month(arxiv: str) -> str:
    """ "YYYY-MM" of an arXiv identifier, "" for anything else."""
    match = _ARXIV_MONTH.match(arxiv)
    if not match:
        return ""
    year = int(match[1])
    return f"{1900 + year if year > 90 else 2000 + year}-{match[2]}"


def is_after(published: str, limit: str) -> bool:
    """True if a date is known to lie after another, compared to the precision that both have."""
    # `2020` and `2020-05` cannot be told apart: nothing that may be earlier is kept out.
    shared = min(len(published), len(limit))
    return published[:shared] > limit[:shared]


def from_entry(entry: Entry) -> Work | str:
    """Return the work that an entry describes, or in words why it describes none: “no title”.

    Its id is made of its DOI, else its arXiv identifier, else its title.
    """
    return from_mapping(
        {
            "title": entry.title,
            "abstract": entry.text("abstract"),
            "authors": [f"{it.family}, {it.given}" if it.given else it.family for it in entry.authors],
            "year": entry.year,
            "venue": entry.venue,
            "doi": entry.identifiers.doi,
            "arxiv": entry.identifiers.arxiv,
        }
    )


def from_mapping(raw: Mapping[str, Any]) -> Work | str:
    """Return the work that a JSON object describes, or in words what is wrong with it: “no title”.

    Other members than these are ignored, and so are values of another type or without sense:
    {"id": "…", "title": "…", "authors": ["Roe, Jane"], "year": 2019 or "2019-05", "doi": "10.… or its address",
    "arxiv": "1905.01234v2", "references": ["ids"], "text": "…"}, also "abstract", "venue", "date", and "listed", the
    references as printed.  A work without an id gets one that is made of its DOI, arXiv identifier (which loses its
    version) or title.  Texts lose half characters, which no database can hold (`whole`), and all but the full text
    what moves a terminal's cursor or turns the direction of writing (`still`).
    """
    title = _read_text(raw.get("title"))
    id_ = _read_text(raw.get("id"))
    if not title:
        return "no title"
    date = _DATE.match(_read_text(raw.get("date")))
    doi = _BEFORE_DOI.sub("", _read_text(raw.get("doi")).lower())
    arxiv = _BEHIND_ARXIV.sub("", _BEFORE_ARXIV.sub("", _read_text(raw.get("arxiv"))))
    text = raw.get("text")
    return Work(
        id=id_ or _make_id(title, doi, arxiv),  # another version is the same work
        title=title,
        abstract=_read_text(raw.get("abstract")),
        authors=_read_texts(raw.get("authors")),
        year=_read_year(raw.get("year")),
        date=date[0] if date else "",
        venue=_read_text(raw.get("venue")),
        doi=doi,
        arxiv=arxiv,
        references=_read_texts(raw.get("references")),
        text=whole(text[:_LONGEST_TEXT]) if isinstance(text, str) else "",
        listed=_read_texts(raw.get("listed")),
    )


def to_mapping(work: Work) -> dict[str, Any]:
    """A JSON object that from_mapping reads back; unknown members are left out, and always `listed` and `file`."""
    members = {
        "id": work.id, "title": work.title, "abstract": work.abstract, "authors": list(work.authors),
        "year": work.year, "date": work.date, "venue": work.venue, "doi": work.doi, "arxiv": work.arxiv,
        "references": list(work.references), "text": work.text,
    }  # fmt: skip
    return {name: value for name, value in members.items() if value}


def are_one_work(one: Record, other: Record) -> bool:
    """True if two records with the same title are of one work.

    A title of one or two words, `Deep Learning`, may be that of several: then identifiers or people have to say so.
    """
    return names_one_work(title_key(one.title)) or len(group_records([one, other])) == 1


def is_known_by_title(work: Work) -> bool:
    """True if nothing but its title names the work."""
    return work.id == _make_id(work.title, "", "")


def _make_id(title: str, doi: str, arxiv: str) -> str:
    if doi or arxiv:
        return f"doi:{doi}" if doi else f"arxiv:{arxiv}"
    return f"title:{blake2b(title.casefold().encode(), digest_size=6).hexdigest()}"


def _read_year(value: object) -> int | None:
    """Return the year that is written as a number, or at the beginning of a text; None if it is none or implausible."""
    year = int(value[:4]) if isinstance(value, str) and value[:4].isdecimal() else value
    return year if type(year) is int and 0 < year < _LATEST_YEAR else None  # `True` is an int, too


def _read_text(value: object) -> str:
    return still(" ".join(whole(value).split())) if isinstance(value, str) else ""


def _read_texts(value: object) -> tuple[str, ...]:
    return tuple(filter(None, map(_read_text, value))) if isinstance(value, (list, tuple)) else ()


def _read_name(written: str) -> Name:
    family, comma, given = written.partition(",")
    if not comma:
        given, _, family = written.rpartition(" ")
    return Name(family.strip(), given.strip())
