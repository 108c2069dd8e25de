"""Questions to services, as values."""

from dataclasses import dataclass, field
from typing import Literal

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.names import Name

Kind = Literal["doi", "arxiv", "pmid", "isbn", "exists", "title", "people"]


@dataclass(frozen=True, slots=True)
class Question:
    """What one service is asked.  `exists`: whether doi.org knows this DOI.

    `title`: for this title; `people`: for works of those years that these people wrote, whatever their titles.
    """

    service: str
    kind: Kind
    value: str  # an arXiv id may name a version
    authors: tuple[Name, ...] = ()  # of a search: the first three
    year: int | None = None
    instead: tuple[str, ...] = field(default=(), compare=False)  # services that may as well be asked, if free earlier

    @property
    def is_search(self) -> bool:
        return self.kind in ("title", "people")


def search(service: str, entry: Entry, instead: tuple[str, ...] = ()) -> Question:
    return Question(service, "title", entry.title, entry.authors[:3], entry.year, instead)
