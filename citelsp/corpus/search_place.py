"""Suggestions for a place in a manuscript, from the corpus: no network and no model but those of helpers."""

import asyncio
import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Protocol

from citelsp.corpus import citation_words, dense, fitted_weights, passages, pool, trees, work_features
from citelsp.corpus.catalogue import Catalogue, Statistics
from citelsp.corpus.dense import Vector
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.pool import Barrier, Stage
from citelsp.corpus.ranking_endpoints import Helpers
from citelsp.corpus.words import stems
from citelsp.decision import Grounds, decide
from citelsp.knowledge import Candidate, Suggestion
from citelsp.workspace.question import Question, read_marked

_FIRST_STAGE = 1000  # ids in the answer to a batch's query
HEAD = 40  # works whose nearness counts
TREES = Path(__file__).with_name("near_trees.json")  # `python tests/lab corpus_nearness` writes it
_NEARER = 0.4  # what a unit of a model's nearness adds to a score if trees do not hold
_BESIDE = 0.95  # what the score itself still counts then
_SPREAD = 0.02  # by which nearness differs at least, so that chance is not stretched to a difference
_RERANKED = 50  # works that a reranker reads
_DOUBT = 3.0  # what each e-fold that a work holds too little of the hint costs its probability, in e-folds


class Near(Protocol):
    """What lies near the vector of a question."""

    @property
    def weight(self) -> float | None:
        """What a unit of nearness, beside the others of the head, adds to a score; None if `TREES` say."""

    def works(self) -> Sequence[int]:
        """Numbers of the nearest works, best first; asked for once words were searched."""

    def nearness(self, works: Sequence[int]) -> Sequence[float | None]:
        """How near each of some works lies, as far as that is known."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """All works of the pool, best first, with the calibrated probability of each."""

    query: Query
    pool: pool.Pool
    rule: Barrier
    order: Sequence[int] = ()  # positions in pool.works
    probabilities: Sequence[float] = ()  # by position in pool.works


@dataclass(frozen=True, slots=True)
class Scored:
    """All works of the pool, and how much speaks for each."""

    pool: pool.Pool
    weights: fitted_weights.Weights
    rows: Sequence[Sequence[float]] = ()
    scores: Sequence[float] = ()
    # Whether the trees that weigh nearness were fitted on places like this: not if the author says in words what is
    # meant, nor in a small collection.
    trees_hold: bool = True


def suggest(
    corpus: Corpus,
    question: Question,
    *,
    k: int = 10,
    date: str | None = None,
    exclude: Collection[str] = (),
    vector: Vector | None = None,
) -> Suggestion:
    """Return at most `k` works for a question, best first, each with a passage as evidence.

    `date` is the manuscript's, and goes before the one that the question has; nothing published later is suggested,
    nor is the manuscript itself, nor what `exclude` has, ids or titles.  `vector` is the question's by an embedding
    model; without one, the vector counts that the corpus's own citations teach, if they do.  The suggestion abstains if
    no work is probable enough.
    """
    began = time.perf_counter()
    catalogue = corpus.catalogue()
    ranked = rank(catalogue, question, date=date, exclude=exclude, near=_make_near(corpus, question, vector))
    return suggestion(catalogue, ranked, k, began)


def found(
    corpus: Corpus, question: Question, *, k: int, exclude: Collection[str], vector: Vector | None
) -> tuple[Candidate, ...]:
    """The works of `suggest` alone, without passages."""
    catalogue = corpus.catalogue()
    ranked = rank(catalogue, question, exclude=exclude, near=_make_near(corpus, question, vector))
    return tuple(_take_best(catalogue, ranked, k).values())


def _take_best(catalogue: Catalogue, ranked: Ranked, k: int) -> dict[int, Candidate]:
    """The first works by number, best first."""
    chances = {ranked.pool.works[it].n: ranked.probabilities[it] for it in ranked.order[:k]}
    return {it.n: Candidate(it.work.record(), chances[it.n], ("corpus",)) for it in catalogue.rows(list(chances))}


async def suggest_with_helpers(
    corpus: Corpus, question: Question, helpers: Helpers, *, k: int = 10, exclude: Collection[str] = ()
) -> Suggestion:
    """The suggestion with the endpoints that answer; `usage` counts the requests that left this machine."""
    began = time.perf_counter()
    catalogue = corpus.catalogue()
    ranked, requests = await rank_helped(corpus, catalogue, question, helpers, exclude)
    found = await asyncio.to_thread(suggestion, catalogue, ranked, k, began)
    return replace(found, usage={**found.usage, "requests": requests})


async def answer(
    corpus: Corpus,
    asked: Mapping[str, Any],
    *,
    k: int = 10,
    helpers: Helpers = Helpers(),  # noqa: B008  a frozen value
) -> tuple[Suggestion, list[str]]:
    r"""Return the suggestion for one question of a batch, and the ids of at most 1,000 works, best first.

    `asked` is {"id", "title", "text" with `\cite<>` in it, "date", "exclude", "cites"}; each may be missing.  The last
    two are lists, of which each item is taken as text.  The ids are those of the works compared in full, and behind
    them those that only the first stage ranked.  `helpers`: models that compare meanings, if there are any.
    """
    began = time.perf_counter()
    question = read_marked(
        asked.get("text") or "",
        title=asked.get("title") or "",
        date=asked.get("date") or "",
        cites=tuple(map(str, asked.get("cites") or ())),
    )
    exclude = [*map(str, asked.get("exclude") or ())]
    catalogue = corpus.catalogue()
    ranked, requests = await rank_helped(corpus, catalogue, question, helpers, exclude)
    numbers = [ranked.pool.works[it].n for it in ranked.order]
    # Whoever asks a batch is promised a thousand ids: these works are not compared in full.
    numbers += pool.find_next_best(catalogue, ranked.query, ranked.pool, ranked.rule, _FIRST_STAGE - len(numbers))
    offered = suggestion(catalogue, ranked, k, began)
    return replace(offered, usage={**offered.usage, "requests": requests}), catalogue.ids(numbers)


async def rank_helped(
    corpus: Corpus, catalogue: Catalogue, question: Question, helpers: Helpers, exclude: Collection[str]
) -> tuple[Ranked, int]:
    """Rank the works with what the endpoints of `helpers` say, and count the requests that left this machine.

    The vector of an embedding model counts in the ranking; a reranker then orders the first works anew.  An endpoint
    that is not set up, or does not answer, changes nothing.  `exclude`: ids or titles of works not to be found.
    """
    query = Query(question)
    vector = await helpers.vector(corpus, query.meant)
    ranked = await asyncio.to_thread(
        rank, catalogue, question, exclude=exclude, near=_make_near(corpus, question, vector)
    )
    # Only the first fifty are sent, as a reranker reads each text; the others stay behind them in their order.
    index_of = {ranked.pool.works[index].n: index for index in ranked.order[:_RERANKED]}  # by number of a work
    rows = await asyncio.to_thread(catalogue.rows, list(index_of)) if helpers.reranker else []
    # It reads the manuscript's title with the sentence, while vectors are compared with the sentence alone (`meant`).
    scores = await helpers.scores(query.wording, [dense.text(it.work) for it in rows])
    requests = helpers.requests(vector, scores)
    if scores is None:
        return ranked, requests
    score_of = dict(zip((index_of[it.n] for it in rows), scores, strict=True))
    reranked = sorted(score_of, key=lambda index: -score_of[index])
    others = [index for index in ranked.order if index not in score_of]
    return _reorder(ranked, [*reranked, *others]), requests


def rank(
    catalogue: Catalogue,
    question: Question,
    *,
    date: str | None = None,
    exclude: Collection[str] = (),
    near: Near | None = None,
    stage: Stage = Stage.PRIORS,
) -> Ranked:
    """Rank every work of the pool by how much speaks for it; `near` adds its nearness to a vector.

    The pool are the works that a first search brings; a rule keeps out later works, the manuscript, and what `exclude`
    has, ids or titles.  `date` is the manuscript's, and goes before the one that the question has.  The probabilities
    are calibrated for the last stage only; measurements of another `stage` do not need them.  There are no works if
    neither the question nor the title has a word to search for.
    """
    query = Query(question if stage >= Stage.TITLE else replace(question, title=""))
    if not query.plain:
        return Ranked(query, pool.Pool(), Barrier())
    rule = pool.barrier(catalogue, date or question.date, question.title, exclude)
    scored = score(catalogue, query, rule, near=near, stage=stage)
    scores = add_nearness(scored, near) if near else scored.scores
    works = scored.pool.works
    weights = scored.weights
    # By scores, not by probabilities: these are lowered for works with few of the words in `\cite<words>`, which says
    # that they may not be meant, but not that another one is.
    order = sorted(range(len(scores)), key=lambda it: -scores[it])
    # How far the first work falls short of the sentence's words; not worked out if these weights do not count it.
    unmet = work_features.unmet_sentence(catalogue, query, works[order[0]]) if order and weights.unmet else 0.0
    chances = weights.probabilities(scores, scored.rows, catalogue.size, unmet)
    # They hold if the corpus has the work; one near 1 is lowered little, as it says by itself that the work is there.
    chances = [fitted_weights.scale_odds(chance, scored.pool.coverage) for chance in chances]
    return Ranked(query, scored.pool, rule, order, _lower_by_doubt(catalogue, query, scored.pool, chances))


def score(
    catalogue: Catalogue, query: Query, rule: Barrier, *, near: Near | None = None, stage: Stage = Stage.PRIORS
) -> Scored:
    """How much speaks for every work that could be meant at a place; what is near is among them, if not the nearer."""
    found = pool.gather(catalogue, query, rule, near=near.works if near else tuple, stage=stage)
    is_collection = pool.is_collection(catalogue)
    weights = fitted_weights.weights_at(stage, "collection" if is_collection else query.kind)
    rows = work_features.rows(catalogue, query, found, rule.year)
    trees_hold = not is_collection and not query.question.hint.strip()
    return Scored(found, weights, rows, [weights.score(it) for it in rows], trees_hold)


def _make_near(corpus: Corpus, question: Question, vector: Vector | None) -> Near | None:
    """By the model that made a vector; without one by what the corpus's own citations taught, if that helps."""
    if vector:
        return dense.Nearest(corpus, vector)
    learnt = citation_words.find_direction(corpus, Query(question))
    return dense.Nearest(corpus, *learnt) if learnt else None


def order(corpus: Corpus, question: Question, exclude: Collection[str], most: int) -> list[int]:
    """The numbers of the works that could be meant at a place, best first."""
    ranked = rank(corpus.catalogue(), question, exclude=exclude)
    return [ranked.pool.works[it].n for it in ranked.order[:most]]


def add_nearness(scored: Scored, near: Near) -> list[float]:
    """Return the scores with what nearness adds to the first works, HEAD of them; all others stay behind these.

    If fewer than two of these have a vector, the scores stay as they are.
    """
    order = sorted(range(len(scored.scores)), key=lambda index: -scored.scores[index])
    head = order[:HEAD]
    deviations = compute_deviations(near.nearness([scored.pool.works[index].n for index in head]))
    if not deviations:
        return list(scored.scores)
    if near.weight is None and scored.trees_hold:
        raised = _raise_by_trees(scored, head, deviations)
    else:
        # Vectors of a corpus's own citations come with the weight that was measured for them; a model's have none.
        weight = _NEARER if near.weight is None else near.weight
        raised = [_BESIDE * score for score in scored.scores]
        for index, deviation in zip(head, deviations, strict=True):
            raised[index] += weight * deviation
    least = min(raised[index] for index in head)
    for index in order[HEAD:]:
        raised[index] = min(raised[index], least)
    return raised


def compute_deviations(nearness: Sequence[float | None]) -> list[float]:
    """Return how far each lies from the mean, in standard deviations; nothing if fewer than two are known.

    Models differ in how near unrelated texts lie, so only such differences can be compared.  What is None, as of a work
    without a vector, lies at the mean.
    """
    measured = [value for value in nearness if value is not None]
    if len(measured) < 2:
        return []
    middle = fmean(measured)
    spread = pstdev(measured, middle) + _SPREAD
    return [0.0 if value is None else (value - middle) / spread for value in nearness]


def _raise_by_trees(scored: Scored, head: Sequence[int], deviations: Sequence[float]) -> list[float]:
    """Return all scores, those of the head with what trees add, on the scale by which probabilities hold.

    A tree looks at the features of a work (work_features.NAMES), at how far its score lies below the best one, and at
    its nearness, which `deviations` has for the works of the head.  So nearness counts more if little else speaks.
    """
    forest = trees.read(TREES)
    best = max(scored.scores)
    raised = list(scored.scores)
    for index, deviation in zip(head, deviations, strict=True):
        raised[index] += forest.sum([*scored.rows[index], scored.scores[index] - best, deviation])
    return [forest.slope * score for score in raised]


def _reorder(ranked: Ranked, order: Sequence[int]) -> Ranked:
    """The works in another order, given by positions; the first gets the largest of all probabilities, and so on."""
    chance_of = dict(zip(order, sorted(ranked.probabilities, reverse=True), strict=True))
    return replace(ranked, order=order, probabilities=[chance_of[index] for index in range(len(order))])


def _lower_by_doubt(statistics: Statistics, query: Query, found: pool.Pool, chances: list[float]) -> list[float]:
    """Probabilities lowered if a work holds few of the rare words that the author left for it."""
    hint = set(stems(query.question.hint))
    doubts = [work_features.unmet(statistics, hint, it) if hint else 0.0 for it in found.works]
    return [chance * math.exp(-_DOUBT * doubt) for chance, doubt in zip(chances, doubts, strict=True)]


def suggestion(catalogue: Catalogue, ranked: Ranked, k: int, began: float) -> Suggestion:
    """Return the first `k` works of a ranking, each with a passage as evidence; it abstains if none fits well enough.

    It abstains if there is no work, or if the first is less probable than `fitted_weights.nothing_fits()`.  It never
    says that several are to be cited together (`most=1`).  `began` is the clock, `time.perf_counter()`, when the
    question came: `usage` tells the seconds since.
    """
    first = _take_best(catalogue, ranked, k)
    text_of = catalogue.fulltext(list(first))

    def rarity(stem: str) -> float:
        return catalogue.rarity("text", stem)

    candidates: list[Candidate] = []
    for n, candidate in first.items():
        quote = passages.best(candidate.record, ranked.query, rarity, text_of.get(n, ""))
        candidates.append(replace(candidate, evidence=(quote,)))
    usage = {"seconds": time.perf_counter() - began}
    grounds = Grounds(
        nothing="no work in the corpus shares a word with this sentence",
        least=fitted_weights.nothing_fits(),
        improbable="nothing in the corpus fits well enough",
    )
    return replace(decide(tuple(candidates), grounds, most=1), usage=usage)
