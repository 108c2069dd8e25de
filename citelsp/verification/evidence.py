"""What was answered about one entry, as values: records bound to it, where its identifiers lead, who was asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import PREPRINT_DOIS, normal_arxiv
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison.all_fields import Comparison
from citelsp.knowledge import PREPRINT_SERVERS, Lookup, Ruling, Traced
from citelsp.verification.publications import Publication
from citelsp.verification.question import Kind, Question

Binding = Literal["same", "reworded", "other people", "other"]
ARXIV_DOI = "10.48550/arxiv."


@dataclass(frozen=True, slots=True)
class Bound:
    """A record that is the entry's work."""

    record: Record
    comparison: Comparison
    binding: Binding  # "reworded" or "other people": nearly the work, if no source has it as it is cited
    by: Kind  # the entry's identifier that leads to it, else "title"
    cited_as: str = ""  # the entry's kind; `software` too for what a group brings out
    cited_in: bool = False  # the entry says where the work was published, if only by pages in a volume
    publication: Publication = "cited"  # which one of the work it describes
    rule: str = ""  # by which it is the entry's work
    unsure: frozenset[str] = frozenset()  # fields that were not read for certain, of an entry that is printed

    @property
    def is_elsewhere(self) -> bool:
        """Of another publication of the work than the cited one."""
        return self.publication in ("another", "reprint")

    @property
    def tells_where(self) -> bool:
        """Whether what it says of time and place can contradict the entry."""
        return self.publication in ("cited", "unsure")

    @property
    def is_of_the_preprint(self) -> bool:
        """A server's own record, which says little of the publication that is cited."""
        return self.record.source in PREPRINT_SERVERS and self.cited_in

    @property
    def is_preprint(self) -> bool:
        """A publisher's DOI tells of a publication, whatever an aggregator makes of it."""
        known = self.record.identifiers
        if known.doi and not known.doi.startswith(PREPRINT_DOIS):
            return False
        if venues.is_preprint_server(self.record.venue) or self.record.type == "preprint":
            return True
        return bool(known.arxiv) and not self.record.venue and not self.record.type


@dataclass(frozen=True, slots=True)
class Other:
    """A record that came back and is not the entry's work."""

    record: Record
    nearness: float  # 0 to 1.7
    rule: str  # by which it is another


@dataclass(frozen=True, slots=True)
class Answer:
    """What one service said, its records already compared with the entry."""

    lookup: Lookup
    bound: tuple[Bound, ...] = ()
    others: tuple[Other, ...] = ()
    traced: Traced | None = None
    excuse: str = ""  # the rule by which an identifier that leads to another work is not held against the entry


Answers = Mapping[Question, Answer]


@dataclass(frozen=True, slots=True)
class Weighed:
    """All answers to one entry, sorted by what they mean."""

    bound: tuple[Bound, ...] = ()
    traced: tuple[Traced, ...] = ()
    others: tuple[Other, ...] = ()  # works of a like title or of the same people that are not this one, nearest first
    excused: tuple[Ruling, ...] = ()  # identifiers that lead to another work, and why that is no mistake
    answered: tuple[str, ...] = ()  # services that said found or absent
    unavailable: tuple[tuple[str, str], ...] = ()  # (service, why)
    searched: tuple[str, ...] = ()  # services whose title search was answered

    @property
    def near(self) -> tuple[Record, ...]:
        return tuple(it.record for it in self.others)


def names_itself(entry: Entry) -> bool:
    """True if an entry says which work it means and nothing else, as a citation by identifier does."""
    known = entry.identifiers
    return not entry.title and not entry.authors and bool(known.doi or known.arxiv or known.pmid or known.isbn)


def find_own_identifier(entry: Entry, question: Question) -> Kind | None:
    """Return which of the entry's own identifiers a question asks about, an arXiv id also by its DOI; None if none."""
    known = entry.identifiers
    if question.is_control:
        return None
    if question.kind == "doi" and known.arxiv and question.value == ARXIV_DOI + known.arxiv:
        return "arxiv"
    value = normal_arxiv(question.value) if question.kind == "arxiv" else question.value
    return question.kind if value and value == getattr(known, question.kind, "") else None


def identifiers_of(entry: Entry) -> tuple[str, ...]:
    """Return the identifiers by which services can be asked for the entry's work; "" for those that it lacks."""
    own = entry.identifiers
    return own.doi, own.arxiv, own.pmid, own.isbn
