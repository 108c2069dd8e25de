"""Questions to services, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from citelsp.knowledge import Lookup

Kind = Literal["doi", "arxiv", "pmid", "isbn", "exists", "title"]


@dataclass(frozen=True, slots=True)
class Question:
    """What one service is asked of one entry.  `exists`: does doi.org know this DOI; `title`: a search by the entry."""

    service: str
    kind: Kind
    value: str


Answers = Mapping[Question, Lookup]
