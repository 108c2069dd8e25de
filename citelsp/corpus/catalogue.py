"""What ranking needs of a corpus, whichever engine it is in: the embedded index or a server.

A catalogue answers one question.  Its numbers stand for works as long as the question lasts.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from citelsp.corpus.store import Citing, Row, Sketch
from citelsp.corpus.word_index import TextField

Hits = Sequence[tuple[int, float]]  # numbers of works with their scores, best first


class Wording(NamedTuple):
    """One search: weighted stems in a field, and how many works are looked at."""

    field: TextField
    weights: Mapping[str, float]
    limit: int


class Seeds(NamedTuple):
    """Works by how strongly each stands for a place, and how many of the works that cite them are looked for."""

    strengths: Mapping[int, float]
    limit: int


class CoCitations(NamedTuple):
    """Who cites the seeds of a ballot."""

    shares: Mapping[int, float]  # what each cited seed gives to every work that cites it, by the seed's number
    citers: Hits  # the works that get most from all the seeds that they cite, best first


def share_strength(strength: float, citers: int) -> float:
    """What a seed of this strength gives to each of its citers: less, the more they are; few of them count alike."""
    return strength / math.sqrt(3 + citers)


class Statistics(Protocol):
    """How rare words are in a corpus."""

    def rarity(self, field: TextField, stem: str, /) -> float:
        """Inverse document frequency of a stem, as BM25 counts it."""


class Catalogue(Statistics, Protocol):
    """A corpus as one question sees it."""

    @property
    def size(self) -> int:
        """How many works there are."""

    def may_hold(self, field: TextField, stem: str, /) -> bool:
        """Whether a work may hold a stem: false only if none is known to.  Asks nobody."""

    def numbers(self, ids: Sequence[str], /) -> dict[str, int]:
        """Numbers of the ids that may name works."""

    def titled(self, titles: Sequence[str], /) -> list[Sequence[int]]:
        """For each title the numbers of the works that have it; of titles that `search` was asked for."""

    def ids(self, numbers: Sequence[int], /) -> list[str]:
        """The ids of works that were found, in the order of their numbers."""

    def search(
        self, wordings: Mapping[str, Wording], stems: Collection[str], titles: Sequence[str] = ()
    ) -> Mapping[str, Hits]:
        """The hits of each wording, and works of some titles for `titled`, all in one round trip.

        The rarity of these stems is known after the next one.
        """

    def citing(self, numbers: Sequence[int], /) -> Mapping[int, Citing]:
        """Reference lists of works that were found in the field `citing`, or by `beside`."""

    def co_citations(
        self, ballots: Mapping[str, Seeds], since: int, until: int, likely: Callable[[], Sequence[int]]
    ) -> Mapping[str, CoCitations]:
        """Who cites the seeds of each ballot.

        A seed gives its strength over the square root of three more than its citations, until a year.  `likely` gives
        works whose sketches, and citations since a year too, will be asked for: a server sends them in the same round
        trip.
        """

    def sketches(self, numbers: Sequence[int], /) -> Mapping[int, Sketch]:
        """Works by number; what is not there, or what a server has not sent, is left out."""

    def cited_counts(self, numbers: Sequence[int], since: int, until: int, /) -> dict[int, tuple[int, int]]:
        """How many works published until a year cite each of these, and how many of them since another year.

        Uncited works are left out.
        """

    def dated(self, numbers: Sequence[int], /) -> Iterable[tuple[int, int, str]]:
        """(number, number of the title key, date of publication) of works, in no order."""

    def rows(self, numbers: Sequence[int], /) -> list[Row]:
        """Works in this order; numbers of no work are left out."""

    def fulltext(self, numbers: Sequence[int], /) -> Mapping[int, str]:
        """The full texts that there are."""
