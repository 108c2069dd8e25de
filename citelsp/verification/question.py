"""Questions to services, as values."""

from dataclasses import dataclass, field
from typing import Literal

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.names import Name
from citelsp.sources import service_specs

Kind = Literal["doi", "arxiv", "pmid", "isbn", "exists", "agency", "title", "people", "journal", "articles", "place"]


@dataclass(frozen=True, slots=True)
class Question:
    """What one service is asked.  `exists`: whether doi.org knows this DOI; `agency`: who registers those of a prefix.

    `title`: for this title; `people`: for works of those years that these people wrote, whatever their titles;
    `journal`: for journals of this name; `articles`: for this title, or what its first author wrote, in one journal;
    `place`: for what its first author wrote at this place in print, whatever its title.
    """

    service: str
    kind: Kind
    value: str  # an arXiv id may name a version
    authors: tuple[Name, ...] = ()  # of a search: the first ones, and the year, if the service searches by them
    year: int | None = None
    within: tuple[str, ...] = ()  # the journal, by its ISSNs or its ids at OpenAlex
    place: tuple[str, ...] = ()  # of a search by place: volume and first page in the journal that `value` names
    is_control: bool = False  # asked for something that the service has, to see whether its silence can be believed
    instead: tuple[str, ...] = field(default=(), compare=False)  # services that may as well be asked, if free earlier

    @property
    def is_search(self) -> bool:
        return self.kind in ("title", "people", "journal", "articles", "place")


def search(service: str, entry: Entry, instead: tuple[str, ...] = ()) -> Question:
    return _searching(service, entry.title, entry.authors, entry.year, instead)


def articles(service: str, entry: Entry, within: tuple[str, ...]) -> Question:
    """Return the search for an entry's work among the articles of one journal, about the entry's year."""
    return Question(service, "articles", entry.title, entry.authors[:1], entry.year, within)


def hand_over(question: Question, service: str) -> Question:
    """Return the same search at another service."""
    return _searching(service, question.value, question.authors, question.year)


def _searching(
    service: str, title: str, authors: tuple[Name, ...], year: int | None, instead: tuple[str, ...] = ()
) -> Question:
    """Equal for two entries if the service is told the same of both."""
    people = service_specs.find_spec(service).people
    return Question(service, "title", title, authors[:people], year if people else None, instead=instead)
