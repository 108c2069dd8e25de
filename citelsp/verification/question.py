"""Questions to services, as values."""

from dataclasses import dataclass, field
from typing import Literal

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.names import Name
from citelsp.sources import registry

Kind = Literal["doi", "arxiv", "pmid", "isbn", "exists", "title", "people"]


@dataclass(frozen=True, slots=True)
class Question:
    """What one service is asked.  `exists`: whether doi.org knows this DOI.

    `title`: for this title; `people`: for works of those years that these people wrote, whatever their titles.
    """

    service: str
    kind: Kind
    value: str  # an arXiv id may name a version
    authors: tuple[Name, ...] = ()  # of a search: the first ones, and the year, if the service searches by them
    year: int | None = None
    instead: tuple[str, ...] = field(default=(), compare=False)  # services that may as well be asked, if free earlier

    @property
    def is_search(self) -> bool:
        return self.kind in ("title", "people")


def search(service: str, entry: Entry, instead: tuple[str, ...] = ()) -> Question:
    return _searching(service, entry.title, entry.authors, entry.year, instead)


def handed(question: Question, service: str) -> Question:
    """The same search at another service."""
    return _searching(service, question.value, question.authors, question.year)


def _searching(
    service: str, title: str, authors: tuple[Name, ...], year: int | None, instead: tuple[str, ...] = ()
) -> Question:
    """Equal for two entries if the service is told the same of both."""
    people = registry.SERVICES[service].people
    return Question(service, "title", title, authors[:people], year if people else None, instead)
