"""The first stage: which works could be meant at a place, found by several wordings and along reference lists."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from citelsp.corpus import graph
from citelsp.corpus.engine import Engine, TextField
from citelsp.corpus.graph import Hits, Votes
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Query, added
from citelsp.corpus.store import Citing, Sketch, Store
from citelsp.corpus.words import key_number, stems, title_key
from citelsp.corpus.work import is_after

ADMITTED = 180  # works that are compared in full
_SLACK = 30  # so many more are looked at at once, as some are not admitted
# A twentieth less of the processor's time than with all, for R@10 50.5 instead of 50.6 on citerag.
_LONGEST = 24  # stems of one wording; the rarest count
_EACH, _VOTED = 300, 300
_PLAIN, _WIDE, _TITLE, _TITLE_NEAR, _INTRO, _PASSAGE = 0.6, 1.05, 0.55, 1.05, 1.0, 1.0  # what a rank counts: wordings
_VOTE = {"context": 0.5, "sentence": 0.35, "clause": 0.4, "beside": 1.2}  # and ballots
_TITLE_OF_ONE = 5  # stems, from which on a title is that of one work
_QUORUM = 0.25  # share of the citing works nearest to a place: where fewer may vote, all ballots count less
_RECENT = 3  # years
_NO_YEAR = 9999
_COLLECTION = 2_500  # works


class Stage(IntEnum):
    """How far a search goes, each stage with all before it.  The last is what everybody gets; others are measured."""

    SENTENCE = 1  # its words, in titles and abstracts
    TITLE = 2  # the manuscript's, beside them
    VARIANTS = 3  # every wording, in every field, fused
    GRAPH = 4  # what near works cite, fused with them
    WEIGHTS = 5  # fitted weights for all that speaks for a work, less its priors
    PRIORS = 6  # how often it is cited of late, and its age


@dataclass(frozen=True, slots=True)
class Barrier:
    """The date-and-source rule: nothing later than the manuscript, never the manuscript, nothing excluded."""

    date: str = ""  # "YYYY" or "YYYY-MM"
    numbers: frozenset[int] = frozenset()
    titles: frozenset[int] = frozenset()  # numbers of title keys
    manuscript: str = ""  # stems of its title, if these are enough to know it again within a longer one

    def admits(self, work: Sketch | Citing) -> bool:
        return self.lets(work.n, work.title_key, work.published)

    def repeats(self, work: Sketch) -> bool:
        """Whether a title holds the manuscript's, as records do that add the venue or the authors."""
        return bool(self.manuscript) and self.manuscript in work.title_stems

    def lets(self, n: int, title_key: int, published: str) -> bool:
        if n in self.numbers or title_key in self.titles:
            return False
        return not (published > self.date and self.date and is_after(published, self.date))

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
    own = stems(manuscript)
    own_title = " ".join(own) if len(own) >= _TITLE_OF_ONE else ""
    return Barrier(date, frozenset(numbers.values()), frozenset(map(key_number, keys)), own_title)


def is_collection(corpus: Corpus) -> bool:
    """Whether a corpus is small enough to be on the manuscript's own subject, whose title then tells little apart."""
    return corpus.engine.size < _COLLECTION


def gather(
    corpus: Corpus,
    query: Query,
    rule: Barrier,
    limit: int = ADMITTED,
    near: Callable[[Votes], Sequence[int]] = lambda _: (),
    stage: Stage = Stage.PRIORS,
) -> Pool:
    """The pool of a query: the best of every wording and what the nearest works cite, fused, at most `kept`.

    `near` adds a ranking of another kind, given what words and citations found.
    """
    # In a collection on one subject the manuscript's title matches everything: there the sentence comes first.
    varied, engine, store = stage >= Stage.VARIANTS, corpus.engine, corpus.store
    plain = _best(engine, "text", query.sentence_first if varied and is_collection(corpus) else query.plain)
    wide = _best(engine, "text", query.weighted) if varied else []
    lists = [(plain, _PLAIN), (wide, _WIDE), *(_variants(engine, query) if varied else ())]
    nobody: tuple[dict[str, Votes], float] = {it: {} for it in graph.VOTERS}, 0.0
    ballots, share = _ballots(engine, store, query, wide, rule) if stage >= Stage.GRAPH else nobody
    # Where most citing works are later than the manuscript, the few that may vote crowd out what the words found.
    trust = min(1.0, share / _QUORUM)
    orders = [([n for n, _ in hits], weight) for hits, weight in lists]
    orders += [(_largest(votes)[:_VOTED], trust * _VOTE[name]) for name, votes in ballots.items()]
    fused = reciprocal_ranks(orders)
    if further := near(fused):
        fused = reciprocal_ranks([*orders, (further, 1.0)])
    works = _admitted(store, rule, _largest(fused), limit)
    since = 0 if rule.year == _NO_YEAR else rule.year - _RECENT
    cited = store.cited_counts([it.n for it in works], since, rule.year)
    return Pool(works, dict(plain), dict(wide), fused, ballots, cited)


def _admitted(store: Store, rule: Barrier, order: Sequence[int], limit: int) -> list[Sketch]:
    """The first works of an order that the rule admits, at most `kept`."""
    works: list[Sketch] = []
    start = 0
    while start < len(order) and len(works) < limit:
        part = order[start : start + limit - len(works) + _SLACK]
        known = store.sketches(part)
        works += [known[it] for it in part if it in known and rule.admits(known[it]) and not rule.repeats(known[it])]
        start += len(part)
    return works[:limit]


def _best(engine: Engine, name: TextField, weights: Mapping[str, float], limit: int = _EACH) -> list[tuple[int, float]]:
    return engine.search(name, _decisive(engine, name, weights), limit)


def _variants(engine: Engine, query: Query) -> list[tuple[Hits, float]]:
    """What other wordings find in other fields, with the weight of each."""
    sentence = added([(query.view("manuscript"), 0.5), (query.view("sentence"), 1.0), (query.view("near"), 1.0)])
    return [
        (_best(engine, "title", query.weighted), _TITLE),
        (_best(engine, "title", sentence), _TITLE_NEAR),
        (_best(engine, "intro", query.weighted), _INTRO),
        (_best(engine, "passage", query.weighted), _PASSAGE),
    ]


def _ballots(engine: Engine, store: Store, query: Query, wide: Hits, rule: Barrier) -> tuple[dict[str, Votes], float]:
    wordings = {"context": query.weighted, **{it: query.view(it) for it in ("sentence", "clause")}}
    nearest = {name: _best(engine, "citing", words, graph.looked_at(name)) for name, words in wordings.items()}
    return graph.ballots(store, nearest, wide, rule.admits, rule.year)


def beyond(corpus: Corpus, query: Query, found: Pool, rule: Barrier, limit: int) -> list[int]:
    """Numbers of the next best works of the first stage after those compared in full, at most so many.

    What the first search left over comes first, as more than one wording may speak for it; then what a deeper search
    finds.
    """
    compared = {it.n for it in found.works}
    left = [it for it in _largest(found.fused) if it not in compared]
    deep = [n for n, _ in _best(corpus.engine, "text", query.weighted, limit) if n not in compared] if limit > 0 else []
    rest = list(dict.fromkeys([*left, *deep]))
    let = {n for n, key, published in corpus.store.dated(rest) if rule.lets(n, key, published)}
    return [it for it in rest if it in let][:limit]


def reciprocal_ranks(orders: Iterable[tuple[Sequence[int], float]], k: int = 60) -> dict[int, float]:
    """Reciprocal rank fusion: for each number the sum of weight / (k + rank) over the weighted orders that hold it."""
    fused: dict[int, float] = defaultdict(float)
    for order, weight in orders:
        for rank, n in enumerate(order, k + 1):
            fused[n] += weight / rank
    return fused


def _largest(values: Mapping[int, float]) -> list[int]:
    """The keys by their values, the largest first."""
    return sorted(values, key=values.__getitem__, reverse=True)


def _decisive(engine: Engine, name: TextField, weights: Mapping[str, float]) -> Mapping[str, float]:
    """The stems that decide a wording in a field, by weight and rarity."""
    if len(weights) <= _LONGEST:
        return weights
    decisive = {stem: weight * engine.rarity(name, stem) for stem, weight in weights.items()}
    strongest = sorted(decisive, key=decisive.__getitem__, reverse=True)[:_LONGEST]
    return {it: weights[it] for it in strongest}
