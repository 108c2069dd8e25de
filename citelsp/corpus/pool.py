"""The first stage: which works could be meant at a place, found by several wordings and along reference lists."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from citelsp.corpus import graph
from citelsp.corpus.catalogue import Catalogue, Statistics, Wording
from citelsp.corpus.graph import Votes
from citelsp.corpus.query import Query, added
from citelsp.corpus.store import Citing, Sketch
from citelsp.corpus.words import key_number, stems, title_key
from citelsp.corpus.work import is_after

ADMITTED = 180  # works that are compared in full
_SLACK = 30  # so many more are looked at at once, as some are not admitted
_UNSEEN = 220  # and so many of those that a server sends before the last ballot: of the ten shown first it lacks 0.1
# A twentieth less of the processor's time than with all, for R@10 50.5 instead of 50.6 on citerag.
_LONGEST = 24  # stems of one wording; the rarest count
_EACH, _VOTED = 300, 300
_COUNTS = {  # what a rank counts: wordings
    "plain": 0.6, "wide": 1.05, "title": 0.55, "title_near": 1.05, "intro": 1.0, "passage": 1.0,
}  # fmt: skip
_NEAR = ("context", "sentence", "clause")  # so much of the text is compared with works that cite others
_VOTE = {"context": 0.5, "sentence": 0.35, "clause": 0.4, "beside": 1.2, "bibliography": 1.6}  # and ballots
_TITLE_OF_ONE = 5  # stems, from which on a title is that of one work
_QUORUM = 0.25  # share of the citing works nearest to a place: where fewer may vote, all ballots count less
_RECENT = 3  # years
_NO_YEAR = 9999
_COLLECTION = 2_500  # works

Order = tuple[Sequence[int], float]  # numbers, best first, and what a rank counts


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

    @property
    def recent(self) -> int:
        """The year since which a citation is a recent one."""
        return 0 if self.year == _NO_YEAR else self.year - _RECENT


@dataclass(frozen=True, slots=True)
class Pool:
    """Admitted works with what the first stage learnt of them, by number."""

    works: Sequence[Sketch] = ()  # by reciprocal rank fusion, best first
    plain: Mapping[int, float] = field(default_factory=dict)  # BM25 by sentence and manuscript title
    wide: Mapping[int, float] = field(default_factory=dict)  # BM25 by everything around the place, by distance
    fused: Mapping[int, float] = field(default_factory=dict)  # reciprocal ranks in all lists, added up
    votes: Mapping[str, Mapping[int, float]] = field(default_factory=dict)  # how strongly near works cite it: graph
    cited: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # works citing it, and how many of them recent


def barrier(catalogue: Catalogue, date: str, manuscript: str, exclude: Collection[str]) -> Barrier:
    """The rule for a manuscript with a date and title; `exclude` holds ids or titles."""
    keys = filter(None, map(title_key, (manuscript, *exclude)))
    numbers = catalogue.numbers(list(exclude)) if exclude else {}
    own = stems(manuscript)
    own_title = " ".join(own) if len(own) >= _TITLE_OF_ONE else ""
    return Barrier(date, frozenset(numbers.values()), frozenset(map(key_number, keys)), own_title)


def is_collection(catalogue: Catalogue) -> bool:
    """Whether a corpus is small enough to be on the manuscript's own subject, whose title then tells little apart."""
    return catalogue.size < _COLLECTION


def gather(
    catalogue: Catalogue,
    query: Query,
    rule: Barrier,
    limit: int = ADMITTED,
    near: Callable[[], Sequence[int]] = tuple,
    stage: Stage = Stage.PRIORS,
) -> Pool:
    """The pool of a query: the best of every wording and what the nearest works cite, fused, at most `limit`.

    `near` adds a ranking of another kind, asked for once words were searched: a server is asked for it with these.
    """
    wordings = _wordings(query, stage, small=is_collection(catalogue))
    decisive = {name: _decisive(catalogue, it) for name, it in wordings.items()}
    hits = catalogue.search(decisive, query.stems, query.question.cites)
    orders: list[Order] = [([n for n, _ in hits[name]], weight) for name, weight in _COUNTS.items() if name in hits]
    ballots: dict[str, Votes] = {it: {} for it in graph.BALLOTS}
    if stage >= Stage.GRAPH:
        near_text = {name: hits[name] for name in _NEAR}
        votes, share = graph.nearest(catalogue, near_text, rule.admits)
        # If most citing works are later than the manuscript, the few that may vote crowd out what the words found.
        cited = catalogue.titled(query.question.cites)
        trust = dict.fromkeys(graph.VOTERS, min(1.0, share / _QUORUM)) | {"bibliography": graph.trust(cited)}

        def with_votes(ballots: Mapping[str, Votes]) -> list[Order]:
            return [*orders, *((_largest(it)[:_VOTED], trust[name] * _VOTE[name]) for name, it in ballots.items())]

        def likely() -> list[int]:
            expected = votes | graph.expected(catalogue, near_text, seeds, rule.admits)
            return _largest(_fused(with_votes(expected), near))[: limit + _UNSEEN]

        seeds = graph.seeds(hits["wide"], cited)
        votes |= graph.cast_ballots(catalogue, seeds, rule.admits, (rule.recent, rule.year), likely)
        orders = with_votes(votes)
        ballots |= votes
    fused = _fused(orders, near)
    works = _admitted(catalogue, rule, _largest(fused), limit)
    counted = catalogue.cited_counts([it.n for it in works], rule.recent, rule.year)
    return Pool(works, dict(hits["plain"]), dict(hits.get("wide", ())), fused, ballots, counted)


def _admitted(catalogue: Catalogue, rule: Barrier, order: Sequence[int], limit: int) -> list[Sketch]:
    """The first works of an order that the rule admits, at most `limit`."""
    works: list[Sketch] = []
    start = 0
    while start < len(order) and len(works) < limit:
        part = order[start : start + limit - len(works) + _SLACK]
        known = catalogue.sketches(part)
        works += [known[it] for it in part if it in known and rule.admits(known[it]) and not rule.repeats(known[it])]
        start += len(part)
    return works[:limit]


def _wordings(query: Query, stage: Stage, *, small: bool) -> dict[str, Wording]:
    """What is searched for at a stage, by name: wordings in several fields, and the text in works that cite others."""
    # In a collection on one subject the manuscript's title matches everything: there the sentence comes first.
    varied = stage >= Stage.VARIANTS
    found = {"plain": Wording("text", query.sentence_first if varied and small else query.plain, _EACH)}
    if varied:
        sentence = added([(query.view("manuscript"), 0.5), (query.view("sentence"), 1.0), (query.view("near"), 1.0)])
        found |= {
            "wide": Wording("text", query.weighted, _EACH),
            "title": Wording("title", query.weighted, _EACH),
            "title_near": Wording("title", sentence, _EACH),
            "intro": Wording("intro", query.weighted, _EACH),
            "passage": Wording("passage", query.weighted, _EACH),
        }
    if stage >= Stage.GRAPH:
        near = {"context": query.weighted, **{it: query.view(it) for it in _NEAR[1:]}}
        found |= {name: Wording("citing", it, graph.looked_at(name)) for name, it in near.items()}
    return found


def find_next_best(catalogue: Catalogue, query: Query, found: Pool, rule: Barrier, limit: int) -> list[int]:
    """Numbers of the next best works of the first stage after those compared in full, at most so many.

    What the first search left over comes first, as more than one wording may speak for it; then what a deeper search
    finds.
    """
    compared = {it.n for it in found.works}
    left = [it for it in _largest(found.fused) if it not in compared]
    deeper = {"deep": _decisive(catalogue, Wording("text", query.weighted, limit))} if limit > 0 else {}
    deep = [n for hits in catalogue.search(deeper, ()).values() for n, _ in hits if n not in compared]
    rest = list(dict.fromkeys([*left, *deep]))
    let = {n for n, key, published in catalogue.dated(rest) if rule.lets(n, key, published)}
    return [it for it in rest if it in let][:limit]


def _fused(orders: Sequence[Order], near: Callable[[], Sequence[int]]) -> dict[int, float]:
    fused = reciprocal_ranks(orders)
    further = near()
    return reciprocal_ranks([*orders, (further, 1.0)]) if further else fused


def reciprocal_ranks(orders: Iterable[Order], k: int = 60) -> dict[int, float]:
    """Reciprocal rank fusion: for each number the sum of weight / (k + rank) over the weighted orders that hold it."""
    fused: dict[int, float] = defaultdict(float)
    for order, weight in orders:
        for rank, n in enumerate(order, k + 1):
            fused[n] += weight / rank
    return fused


def _largest(values: Mapping[int, float]) -> list[int]:
    """The keys by their values, the largest first."""
    return sorted(values, key=values.__getitem__, reverse=True)


def _decisive(statistics: Statistics, wording: Wording) -> Wording:
    """The wording with the stems that decide it, by weight and rarity."""
    weights = wording.weights
    if len(weights) <= _LONGEST:
        return wording
    decisive = {stem: weight * statistics.rarity(wording.field, stem) for stem, weight in weights.items()}
    strongest = sorted(decisive, key=decisive.__getitem__, reverse=True)[:_LONGEST]
    return wording._replace(weights={it: weights[it] for it in strongest})
