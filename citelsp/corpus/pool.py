"""The first stage: which works could be meant at a place, found by several wordings and along reference lists."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from citelsp.corpus.engine import TextField
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Query, added
from citelsp.corpus.store import Row
from citelsp.corpus.words import title_key
from citelsp.corpus.work import is_after

_LONGEST = 40  # stems of one wording; the rarest count
_EACH, _VOTED = 250, 250
_NEIGHBOURS, _FEW = 100, 20
_UNKNOWN_DATE = 9999
KEPT, _SLACK = 300, 50


@dataclass(frozen=True, slots=True)
class Barrier:
    """The date-and-source rule: nothing later than the manuscript, never the manuscript, nothing excluded."""

    date: str = ""
    own_title: str = ""  # as a title key
    excluded: frozenset[str] = frozenset()  # ids, and title keys

    def admits(self, row: Row) -> bool:
        work = row.work
        if work.id in self.excluded or (self.date and is_after(work.published, self.date)):
            return False
        key = title_key(work.title)
        return key != self.own_title and key not in self.excluded

    @property
    def year(self) -> int:
        return int(self.date[:4]) if self.date[:4].isdigit() else _UNKNOWN_DATE


@dataclass(slots=True)
class Pool:
    """Admitted works with what the first stage learnt of them."""

    rows: list[Row] = field(default_factory=list)
    plain: Mapping[int, float] = field(default_factory=dict)  # BM25 by title and sentence
    fused: Mapping[int, float] = field(default_factory=dict)  # reciprocal ranks in all lists, added up
    votes: tuple[Mapping[int, float], ...] = ()  # how strongly neighbours cite a work, by several wordings
    cited: Mapping[int, int] = field(default_factory=dict)  # works that cite it, up to the manuscript's year


def gather(corpus: Corpus, query: Query, barrier: Barrier, kept: int = KEPT) -> Pool:
    """The pool of a query: the best of every wording and what the nearest works cite, fused, at most `kept`."""
    engine = corpus.engine

    def best(name: TextField, weights: Mapping[str, float], limit: int) -> list[tuple[int, float]]:
        return engine.search(name, _rarest(weights, lambda it: engine.rarity(name, it)), limit)

    plain = dict(best("text", query.plain, _EACH))
    sentence = added([(query.view("sentence"), 1.0), (query.view("near"), 1.0)])
    lists = [
        list(plain.items()),
        best("text", query.weighted, _EACH),
        best("title", query.weighted, _EACH),
        best("title", sentence, _EACH),
        best("text", sentence, _EACH),
    ]
    ballots = _ballots(corpus, best, query, barrier)
    orders = [[n for n, _ in hits] for hits in lists]
    orders += [sorted(votes, key=lambda it: -votes[it])[:_VOTED] for votes in ballots]
    fused = reciprocal_ranks(orders)
    nearest = sorted(fused, key=lambda it: -fused[it])
    rows = [it for it in corpus.rows(nearest[: kept + _SLACK]) if barrier.admits(it)][:kept]
    cited = corpus.store.cited_counts([it.n for it in rows], barrier.year)
    return Pool(rows, plain, fused, ballots, cited)


def reciprocal_ranks(orders: Iterable[Sequence[int]], k: int = 60) -> dict[int, float]:
    """Reciprocal rank fusion: for each number the sum of 1 / (k + rank) over the orders that hold it."""
    fused: dict[int, float] = {}
    for order in orders:
        for rank, n in enumerate(order, 1):
            fused[n] = fused.get(n, 0.0) + 1 / (k + rank)
    return fused


_Search = Callable[[TextField, Mapping[str, float], int], list[tuple[int, float]]]


def _ballots(corpus: Corpus, best: _Search, query: Query, barrier: Barrier) -> tuple[dict[int, float], ...]:
    wide = best("citing", query.plain, 2 * _NEIGHBOURS)
    local = best("citing", query.view("window"), 2 * _FEW)
    said = best("citing", query.view("sentence"), 2 * _NEIGHBOURS)
    rows = corpus.store.rows([n for n, _ in (*wide, *local, *said)])
    admitted = {n: row for n, row in rows.items() if barrier.admits(row)}
    return (
        _votes(wide, admitted, _FEW),
        _votes(wide, admitted, _NEIGHBOURS),
        _votes(local, admitted, _FEW),
        _votes(said, admitted, _NEIGHBOURS),
    )


def _votes(neighbours: list[tuple[int, float]], admitted: Mapping[int, Row], count: int) -> dict[int, float]:
    """For each work that the nearest admitted ones cite, their similarities added up, relative to the nearest."""
    near = [(admitted[n], score) for n, score in neighbours if n in admitted][:count]
    votes: dict[int, float] = {}
    for row, score in near:
        share = score / near[0][1]
        for n in row.cites:
            votes[n] = votes.get(n, 0.0) + share
    return votes


def _rarest(weights: Mapping[str, float], rarity: Callable[[str], float]) -> Mapping[str, float]:
    """The stems that decide a wording, by weight and rarity."""
    if len(weights) <= _LONGEST:
        return weights
    kept = sorted(weights, key=lambda it: -weights[it] * rarity(it))[:_LONGEST]
    return {it: weights[it] for it in kept}
