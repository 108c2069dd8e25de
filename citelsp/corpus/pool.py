"""The first stage: which works could be meant at a place, found by several wordings and along reference lists."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from citelsp.corpus import compounds, graph
from citelsp.corpus.catalogue import Catalogue, Hits, Statistics, Wording
from citelsp.corpus.graph import Votes
from citelsp.corpus.place_query import Query, sum_weighted
from citelsp.corpus.store import Citing, Sketch
from citelsp.corpus.words import key_number, stems, title_key
from citelsp.corpus.work import is_after
from citelsp.workspace.question import Question

ADMITTED = 180  # works that are compared in full
_SPARE = 30  # so many more are looked at at once, as some are not admitted
_SPARE_BEFORE_BALLOTS = 220  # and so many before the last ballots: of the ten shown first 0.1 is not among them
# A twentieth less of the processor's time than with all, for R@10 50.5 instead of 50.6 on citerag.
_MOST_STEMS = 24  # of one wording; the rarest count
_OF_WORDING, _OF_BALLOT = 300, 300  # works of each that are fused
# What a rank counts in fusion, for wordings and for ballots.
_WORDING_WEIGHTS = {
    "plain": 0.6, "wide": 1.05, "title": 0.55, "title_near": 1.05, "intro": 1.0, "passage": 1.0,
}  # fmt: skip
_BALLOT_WEIGHTS = {"context": 0.5, "sentence": 0.35, "clause": 0.4, "beside": 1.2, "bibliography": 1.6}
_NEAR = ("context", "sentence", "clause")  # so much of the text is compared with works that cite others
_TITLE_OF_ONE = 5  # stems, from which on a title is that of one work
_QUORUM = 0.25  # share of the citing works nearest to a place: where fewer may vote, all ballots but one count less
_RECENT = 3  # years
_NO_YEAR = 9999  # of a manuscript without a date: every work is earlier
COLLECTION = 2_500  # works: a corpus of fewer is a collection on one subject

_YEAR = re.compile(r"[0-9]{4}")

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

    date: str = ""  # "YYYY" or "YYYY-MM"; "" if it is unknown
    numbers: frozenset[int] = frozenset()
    titles: frozenset[int] = frozenset()  # numbers of title keys
    manuscript: str = ""  # stems of its title, if these are enough to know it again within a longer one

    def admits(self, work: Sketch | Citing) -> bool:
        return self.lets(work.n, work.title_key, work.published)

    def repeats(self, work: Sketch) -> bool:
        """Whether a title holds the manuscript's, as records do that add the venue or the authors."""
        return bool(self.manuscript) and self.manuscript in work.title_stems

    def lets(self, n: int, title_key: int, published: str) -> bool:
        """Whether the rule admits a work, given its number, the number of its title key and its date."""
        if n in self.numbers or title_key in self.titles:
            return False
        # Compared as texts first, which decides most and is quicker.
        is_later = bool(self.date) and published > self.date and is_after(published, self.date)
        return not is_later

    @property
    def year(self) -> int:
        return int(self.date[:4]) if self.date else _NO_YEAR

    @property
    def recent(self) -> int:
        """The year since which a citation is a recent one."""
        return 0 if self.year == _NO_YEAR else self.year - _RECENT


@dataclass(frozen=True, slots=True)
class Pool:
    """Admitted works with what the first stage learnt of them, by number."""

    works: Sequence[Sketch] = ()  # by reciprocal rank fusion, best first
    plain: Mapping[int, float] = field(default_factory=dict)  # BM25 by sentence and manuscript title, best first
    wide: Mapping[int, float] = field(default_factory=dict)  # BM25 by everything around the place, by distance
    fused: Mapping[int, float] = field(default_factory=dict)  # reciprocal ranks in all lists, added up
    votes: Mapping[str, Mapping[int, float]] = field(default_factory=dict)  # how strongly near works cite it: graph
    cited: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # works citing it, and how many of them recent
    coverage: float = 1.0  # how probably the corpus has the work meant: `estimate_coverage`


def barrier(catalogue: Catalogue, date: str, manuscript: str, exclude: Collection[str]) -> Barrier:
    """The rule for a manuscript with a date and title; `exclude` holds ids or titles, and each is looked for as both.

    A date that does not begin with a year keeps nothing out.
    """
    if not _YEAR.match(date):
        date = ""
    keys = filter(None, map(title_key, (manuscript, *exclude)))
    numbers = catalogue.numbers(list(exclude)) if exclude else {}
    # Within a longer title only a long one is known again: a short one may be a part of another work's.
    own = stems(manuscript)
    own_title = " ".join(own) if len(own) >= _TITLE_OF_ONE else ""
    return Barrier(date, frozenset(numbers.values()), frozenset(map(key_number, keys)), own_title)


def is_collection(catalogue: Catalogue) -> bool:
    """Whether a corpus is small enough to be on the manuscript's own subject, whose title then tells little apart."""
    return catalogue.size < COLLECTION


def gather(
    catalogue: Catalogue,
    query: Query,
    rule: Barrier,
    limit: int = ADMITTED,
    near: Callable[[], Sequence[int]] = tuple,
    stage: Stage = Stage.PRIORS,
) -> Pool:
    """Return the pool of a query: at most `limit` works that `rule` admits, the best of several rankings fused.

    The rankings are the hits of each wording, that is of stems of the question in one field of works; ballots, in which
    works that are near to the question vote for what they cite (`graph`); and one by vectors, which `near` gives: it is
    called after the search, as that of a server brings its answer along.  `stage`: how far to go; measurements leave
    out the later ones.  A server is asked twice: for the search, and for the two ballots that need its hits.
    """
    wordings = _make_wordings(query, stage, is_small=is_collection(catalogue))
    with_compounds = {name: compounds.add_joined(catalogue, query, it) for name, it in wordings.items()}
    decisive = {name: _add_decisive_stems(catalogue, it) for name, it in with_compounds.items()}
    hits = catalogue.search(decisive, query.stems, query.question.cites)
    orders = [_make_order(hits[name], weight) for name, weight in _WORDING_WEIGHTS.items() if name in hits]

    def guess_pool(ballots: Sequence[Order]) -> list[int]:
        return _sort_by_value(_fuse([*orders, *ballots], near))[: limit + _SPARE_BEFORE_BALLOTS]

    votes: dict[str, Votes] = {it: {} for it in graph.BALLOTS}
    coverage = 1.0
    if stage >= Stage.GRAPH:
        works_by_title = catalogue.titled(query.question.cites)
        coverage = estimate_coverage(catalogue, query.question, works_by_title)
        cited = list(dict.fromkeys(n for numbers in works_by_title for n in numbers))
        cast, by_votes = _hold_ballots(catalogue, rule, hits, cited, guess_pool)
        votes |= cast
        orders += by_votes
    fused = _fuse(orders, near)
    works = _take_admitted(catalogue, rule, _sort_by_value(fused), limit)
    return Pool(
        works,
        plain=dict(hits["plain"]),
        wide=dict(hits.get("wide", ())),  # not searched before Stage.VARIANTS
        fused=fused,
        votes=votes,
        cited=catalogue.cited_counts([it.n for it in works], rule.recent, rule.year),
        coverage=coverage,
    )


def _hold_ballots(
    catalogue: Catalogue,
    rule: Barrier,
    hits: Mapping[str, Hits],
    cited: Sequence[int],
    guess_pool: Callable[[Sequence[Order]], list[int]],
) -> tuple[dict[str, Votes], list[Order]]:
    """Hold the ballots of `graph`; return the votes of each, and its works as an order to be fused.

    `hits` are those of the wordings by name: the ballots “context”, “sentence” and “clause” need nothing else.  Of
    “beside” and “bibliography” the catalogue is asked who cites their seeds, works that stand for the place: those that
    match it best, and those that the manuscript cites, `cited`, the nearest to the place first.  If it cites none,
    “bibliography” is not held.  `guess_pool` says, by orders as far as they are known, which works may be in the pool.
    """
    citing_hits = {name: hits[name] for name in _NEAR}
    votes, share_of_voters = graph.nearest(catalogue, citing_hits, rule.admits)
    # If most citing works are later than the manuscript, the few that may vote would crowd out what the words found:
    # below a quorum of voters the ballots count less.  “bibliography” is trusted by how much the manuscript cites.
    trust = dict.fromkeys(graph.VOTERS, min(1.0, share_of_voters / _QUORUM))
    trust["bibliography"] = graph.trust(cited)

    def make_orders(cast: Mapping[str, Votes]) -> list[Order]:
        return [(_sort_by_value(it)[:_OF_BALLOT], trust[name] * _BALLOT_WEIGHTS[name]) for name, it in cast.items()]

    seeds = graph.seeds(hits["wide"], cited)

    # A server sends with these two ballots what it knows of the works that may be in the pool.
    def likely() -> list[int]:
        expected = votes | graph.estimate_ballots(catalogue, citing_hits, seeds, rule.admits)
        return guess_pool(make_orders(expected))

    votes |= graph.cast_ballots(catalogue, seeds, rule.admits, (rule.recent, rule.year), likely)
    return votes, make_orders(votes)


def estimate_coverage(catalogue: Catalogue, question: Question, works_by_title: Sequence[Sequence[int]]) -> float:
    """Estimate how probably a corpus has the work that is meant, by what it has of those that the manuscript cites.

    `works_by_title`: for each of `question.cites` the works of the corpus with that title.  It is the share of titles
    that are there, as if one more were cited and there; so that it is 1 if nothing is cited yet.  It is also 1 if the
    author left words, as these tell whether the work is there, and in a collection, whose weights were fitted on places
    whose work is often missing.
    """
    if question.hint.strip() or is_collection(catalogue):
        return 1.0
    there = sum(bool(numbers) for numbers in works_by_title)
    return (there + 1) / (len(works_by_title) + 1)


def _make_order(hits: Hits, weight: float) -> Order:
    return [n for n, _ in hits], weight


def _take_admitted(catalogue: Catalogue, rule: Barrier, order: Sequence[int], limit: int) -> list[Sketch]:
    """Return the first `limit` works of an order that the rule admits and that do not have the manuscript's title.

    They are read a part at a time, as reading all of a long order would wait for works that nobody needs.  Works that
    the catalogue does not tell of are passed over.
    """
    works: list[Sketch] = []
    start = 0
    while start < len(order) and len(works) < limit:
        part = order[start : start + limit - len(works) + _SPARE]
        sketches = catalogue.sketches(part)
        known = [sketches[n] for n in part if n in sketches]
        works += [work for work in known if rule.admits(work) and not rule.repeats(work)]
        start += len(part)
    return works[:limit]


def _make_wordings(query: Query, stage: Stage, *, is_small: bool) -> dict[str, Wording]:
    """Return what is searched for at a stage, by name.

    These are wordings of the question, each for one field of works (“text” is title and abstract), and from
    `Stage.GRAPH` on three for the field “citing”, the works whose references are known: their hits are to vote.  Each
    also says how many works it may find.  `is_small`: the corpus is a collection on one subject.
    """
    is_varied = stage >= Stage.VARIANTS
    # The plain one has the stems of sentence and manuscript's title, all alike; before `Stage.TITLE` the question comes
    # without a title.  In a collection on one subject the title matches everything: there the sentence counts most,
    # but for the earlier stages, which measure what words by themselves bring.
    plain = query.sentence_first if is_varied and is_small else query.plain
    wordings = {"plain": Wording("text", plain, _OF_WORDING)}
    if is_varied:
        close = sum_weighted(
            [(query.view("manuscript"), 0.5), (query.view("sentence"), 1.0), (query.view("near"), 1.0)]
        )
        wordings |= {
            # The title, and all words around the place, the less the farther they stand from it.
            "wide": Wording("text", query.weighted, _OF_WORDING),
            "title": Wording("title", query.weighted, _OF_WORDING),
            "title_near": Wording("title", close, _OF_WORDING),
            "intro": Wording("intro", query.weighted, _OF_WORDING),
            "passage": Wording("passage", query.weighted, _OF_WORDING),
        }
    if stage >= Stage.GRAPH:
        near = {"context": query.weighted, "sentence": query.view("sentence"), "clause": query.view("clause")}
        wordings |= {name: Wording("citing", it, graph.looked_at(name)) for name, it in near.items()}
    return wordings


def find_next_best(catalogue: Catalogue, query: Query, pool: Pool, rule: Barrier, limit: int) -> list[int]:
    """Return the numbers of at most `limit` works that come next after those of the pool, best first; [] if it is 0.

    What the first search left over comes first, as more than one wording may speak for it; then what a deeper search
    finds: by the rarest and weightiest stems around the place, in titles and abstracts.  The rule (nothing later than
    the manuscript, nothing excluded) admits all that are returned; but whether a longer title holds the manuscript's,
    which keeps a work out of the pool, is not looked at here, as of so many works the titles are not read.
    """
    if limit <= 0:
        return []
    compared = {work.n for work in pool.works}
    left_over = [number for number in _sort_by_value(pool.fused) if number not in compared]
    wording = _add_decisive_stems(catalogue, Wording("text", query.weighted, limit))
    hits = catalogue.search({"deep": wording}, ())["deep"]
    deeper = [number for number, _ in hits if number not in compared]
    next_best = list(dict.fromkeys([*left_over, *deeper]))
    admitted: set[int] = set()
    for number, key, published in catalogue.dated(next_best):
        if rule.lets(number, key, published):
            admitted.add(number)
    return [number for number in next_best if number in admitted][:limit]


def _fuse(orders: Sequence[Order], near: Callable[[], Sequence[int]]) -> dict[int, float]:
    """Reciprocal rank fusion of some orders, and of what is near, if anything is, with weight 1."""
    nearest = near()
    return reciprocal_ranks([*orders, (nearest, 1.0)] if nearest else orders)


def reciprocal_ranks(orders: Iterable[Order], k: int = 60) -> dict[int, float]:
    """Reciprocal rank fusion: for each number the sum of weight / (k + rank) over the weighted orders that hold it."""
    fused: dict[int, float] = defaultdict(float)
    for order, weight in orders:
        for rank, n in enumerate(order, k + 1):
            fused[n] += weight / rank
    return fused


def _sort_by_value(values: Mapping[int, float]) -> list[int]:
    """The keys by their values, the largest first."""
    return sorted(values, key=values.__getitem__, reverse=True)


def _add_decisive_stems(statistics: Statistics, wording: Wording) -> Wording:
    """The wording with the stems that decide it alone: the first by weight times rarity."""
    weights = wording.weights
    if len(weights) <= _MOST_STEMS:
        return wording
    influence = {stem: weight * statistics.rarity(wording.field, stem) for stem, weight in weights.items()}
    decisive = sorted(influence, key=influence.__getitem__, reverse=True)[:_MOST_STEMS]
    return wording._replace(weights={stem: weights[stem] for stem in decisive})
