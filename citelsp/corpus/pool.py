"""The first stage: which works could be meant at a place, found by several wordings and along reference lists."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest

from citelsp.corpus import graph
from citelsp.corpus.engine import TextField
from citelsp.corpus.graph import Votes
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Query, added
from citelsp.corpus.store import Citing, Sketch
from citelsp.corpus.words import key_number, title_key
from citelsp.corpus.work import is_after

KEPT = 220  # works that are compared in full
_SLACK = 30  # so many more are looked at, as some are not admitted
_LONGEST = 30  # stems of one wording; the rarest count
_EACH, _VOTED = 300, 300
_VOTE = {"context": 0.8, "window": 0.35, "sentence": 0.35, "beside": 0.8}  # a rank among the found counting 1
_RECENT = 3  # years
_NO_YEAR = 9999
_COLLECTION = 20_000  # works


@dataclass(frozen=True, slots=True)
class Barrier:
    """The date-and-source rule: nothing later than the manuscript, never the manuscript, nothing excluded."""

    date: str = ""  # "YYYY" or "YYYY-MM"
    numbers: frozenset[int] = frozenset()
    titles: frozenset[int] = frozenset()  # numbers of title keys

    def admits(self, work: Sketch | Citing) -> bool:
        return self.lets(work.n, work.title_key, work.published)

    def lets(self, n: int, title_key: int, published: str) -> bool:
        if n in self.numbers or title_key in self.titles:
            return False
        return not (self.date and is_after(published, self.date))

    @property
    def year(self) -> int:
        return int(self.date[:4]) if self.date[:4].isdigit() else _NO_YEAR


@dataclass(frozen=True, slots=True)
class Pool:
    """Admitted works with what the first stage learnt of them, by number."""

    works: Sequence[Sketch] = ()  # by reciprocal rank fusion, best first
    plain: Mapping[int, float] = field(default_factory=dict)  # BM25 by sentence and manuscript title
    wide: Mapping[int, float] = field(default_factory=dict)  # BM25 by everything around the place, by distance
    fused: Mapping[int, float] = field(default_factory=dict)  # reciprocal ranks in all lists, added up
    votes: Mapping[str, Mapping[int, float]] = field(default_factory=dict)  # how strongly near works cite it: graph
    cited: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # works citing it, and how many of them recent


def barrier(corpus: Corpus, date: str, manuscript: str, exclude: Collection[str]) -> Barrier:
    """The rule for a manuscript with a date and title; `exclude` holds ids or titles."""
    keys = filter(None, map(title_key, (manuscript, *exclude)))
    numbers = corpus.store.numbers(list(exclude)) if exclude else {}
    return Barrier(date, frozenset(numbers.values()), frozenset(map(key_number, keys)))


def is_collection(corpus: Corpus) -> bool:
    """Whether a corpus is small enough to be on the manuscript's own subject, whose title then tells little apart."""
    return corpus.engine.size < _COLLECTION


def gather(
    corpus: Corpus, query: Query, rule: Barrier, kept: int = KEPT, near: Callable[[Votes], Sequence[int]] = lambda _: ()
) -> Pool:
    """The pool of a query: the best of every wording and what the nearest works cite, fused, at most `kept`.

    `near` adds a ranking of another kind, given what words and citations found.
    """
    engine = corpus.engine

    def best(name: TextField, weights: Mapping[str, float], limit: int) -> list[tuple[int, float]]:
        return engine.search(name, _decisive(weights, lambda it: engine.rarity(name, it)), limit)

    sentence = added([(query.view("manuscript"), 0.5), (query.view("sentence"), 1.0), (query.view("near"), 1.0)])
    plain = best("text", query.said if is_collection(corpus) else query.plain, _EACH)
    wide = best("text", query.weighted, _EACH)
    lists = [
        (plain, 1.0),
        (wide, 0.7),
        (best("title", query.weighted, _EACH), 1.0),
        (best("title", sentence, _EACH), 0.7),
        (best("intro", query.weighted, _EACH), 1.0),
        (best("passage", query.weighted, _EACH), 1.0),
    ]
    wordings = {
        "context": best("citing", query.weighted, graph.looked_at("context")),
        "window": best("citing", query.view("window"), graph.looked_at("window")),
        "sentence": best("citing", query.view("sentence"), graph.looked_at("sentence")),
    }
    ballots = graph.ballots(corpus.store, wordings, wide, rule.admits, rule.year)
    orders = [([n for n, _ in hits], weight) for hits, weight in lists]
    orders += [(nlargest(_VOTED, votes, key=votes.__getitem__), _VOTE[name]) for name, votes in ballots.items()]
    fused = reciprocal_ranks(orders)
    if further := near(fused):
        fused = reciprocal_ranks([*orders, (further, 1.0)])
    nearest = nlargest(kept + _SLACK, fused, key=fused.__getitem__)
    known = corpus.store.sketches(nearest)
    works = [known[it] for it in nearest if it in known and rule.admits(known[it])][:kept]
    since = 0 if rule.year == _NO_YEAR else rule.year - _RECENT
    cited = corpus.store.cited_counts([it.n for it in works], since, rule.year)
    return Pool(works, dict(plain), dict(wide), fused, ballots, cited)


def beyond(corpus: Corpus, found: Pool, rule: Barrier, limit: int) -> list[int]:
    """Numbers of the next best works of the first stage after those compared in full, at most so many."""
    compared = {it.n for it in found.works}
    nearest = nlargest(limit + len(compared), found.fused, key=found.fused.__getitem__)
    rest = [it for it in nearest if it not in compared]
    let = {n for n, key, published in corpus.store.dated(rest) if rule.lets(n, key, published)}
    return [it for it in rest if it in let][:limit]


def reciprocal_ranks(orders: Iterable[tuple[Sequence[int], float]], k: int = 60) -> dict[int, float]:
    """Reciprocal rank fusion: for each number the sum of weight / (k + rank) over the weighted orders that hold it."""
    fused: dict[int, float] = {}
    for order, weight in orders:
        for rank, n in enumerate(order, k + 1):
            fused[n] = fused.get(n, 0.0) + weight / rank
    return fused


def _decisive(weights: Mapping[str, float], rarity: Callable[[str], float]) -> Mapping[str, float]:
    """The stems that decide a wording, by weight and rarity."""
    if len(weights) <= _LONGEST:
        return weights
    kept = sorted(weights, key=lambda it: -weights[it] * rarity(it))[:_LONGEST]
    return {it: weights[it] for it in kept}
