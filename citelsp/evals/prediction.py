"""Predicting citations from the corpus, at a position or for a whole reference list, and scoring what was predicted.

A prediction is one JSON line: {"id", "abstained", "candidates": [{"id", "title", "probability"}]}, best first.
"""

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citelsp.corpus import fitted_weights, search_place
from citelsp.corpus.index import Corpus
from citelsp.corpus.pool import Stage, reciprocal_ranks
from citelsp.evals import metrics
from citelsp.evals.metrics import Interval
from citelsp.evals.questions import EvaluationFileError, LabelledPlace
from citelsp.syntax import prose
from citelsp.workspace.question import Question

LISTED = 100
CUTS = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class PredictedWork:
    """One candidate."""

    id: str
    title: str
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Prediction:
    id: str
    offers: tuple[PredictedWork, ...] = ()
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with its prediction: for each candidate the right work that it is, or nothing."""

    question: LabelledPlace
    prediction: Prediction
    matched: tuple[int | None, ...]

    @property
    def works(self) -> range:
        return range(len(self.question.gold))

    @property
    def first_is_right(self) -> bool:
        return bool(self.matched) and self.matched[0] is not None


def predict(corpus: Corpus, question: LabelledPlace, listed: int = LISTED, stage: Stage = Stage.PRIORS) -> Prediction:
    """The works for a question, from the corpus alone, by a search that goes as far as a stage."""
    if question.text:
        ranked = search_place.rank(corpus.catalogue(), question.asked, exclude=question.exclude, stage=stage)
        return make_prediction(corpus, question.id, ranked, listed)
    return _predict_list(corpus, question, listed, stage)


def make_prediction(corpus: Corpus, id_: str, ranked: search_place.Ranked, listed: int = LISTED) -> Prediction:
    """The first works of a ranking as a prediction, which abstains if none is probable enough."""
    works = ranked.pool.works
    order = ranked.order[:listed]
    ids = corpus.store.ids([works[index].n for index in order])
    offers = []
    for work_id, index in zip(ids, order, strict=True):
        offers.append(PredictedWork(work_id, works[index].title, ranked.probabilities[index]))
    fits = bool(offers) and (offers[0].probability or 0.0) >= fitted_weights.nothing_fits()
    return Prediction(id_, tuple(offers), abstained=not fits)


def _predict_list(corpus: Corpus, question: LabelledPlace, listed: int, stage: Stage) -> Prediction:
    """Return the `listed` works that fit a question for a whole reference list best.

    All of the abstract, and each of its sentences, is searched for by itself, and the rankings are fused by reciprocal
    rank; without an abstract the title is searched for.  It abstains only if nothing is found, as fused ranks do not
    tell how probable a work is.  `stage`: how far each search goes.
    """
    wordings = [question.title]
    if question.abstract:
        wordings = [question.abstract, *(it.within(question.abstract) for it in prose.sentences(question.abstract))]
    orders: list[tuple[list[int], float]] = []  # each with its weight: all count the same
    titles: dict[int, str] = {}
    for wording in dict.fromkeys(wordings):
        place = Question(wording, title=question.title, date=question.date)
        ranking = search_place.rank(corpus.catalogue(), place, exclude=question.exclude, stage=stage)
        works = [ranking.pool.works[index] for index in ranking.order[:listed]]
        orders.append(([work.n for work in works], 1.0))
        titles |= {work.n: work.title for work in works}
    fused = reciprocal_ranks(orders)
    best = sorted(fused, key=lambda number: -fused[number])[:listed]
    names = corpus.store.ids(best)
    offers = tuple(PredictedWork(name, titles[number]) for name, number in zip(names, best, strict=True))
    return Prediction(question.id, offers, abstained=not offers)


def judge(questions: Sequence[LabelledPlace], predictions: Mapping[str, Prediction]) -> list[Judged]:
    """A question without a prediction has an empty one."""
    return [_judge(it, predictions.get(it.id, Prediction(it.id))) for it in questions]


def _judge(question: LabelledPlace, prediction: Prediction) -> Judged:
    """Each right work counts once, for the first candidate that is it."""
    matches: list[int | None] = []
    for offer in prediction.offers:
        right_works = (index for index, gold in enumerate(question.gold) if gold.named(offer.id, offer.title))
        matches.append(next((index for index in right_works if index not in matches), None))
    return Judged(question, prediction, tuple(matches))


def values(judged: Judged) -> dict[str, float]:
    """Return every metric of one question, by its name, such as “R@10”: recall among the first ten candidates."""
    right_works = judged.works  # numbered from 0
    relevance: dict[Hashable, float] = dict.fromkeys(right_works, 1.0)
    # A candidate that is a right work stands for its number; each of the others for a negative number of its own.
    ranking = [(-rank if work is None else work) for rank, work in enumerate(judged.matched, 1)]
    return {
        **{f"R@{k}": metrics.recall(ranking, right_works, k) for k in CUTS},
        **{f"Hit@{k}": metrics.hit(ranking, right_works, k) for k in (1, 10)},
        "MRR@10": metrics.reciprocal_rank(ranking, right_works, 10),
        **{f"NDCG@{k}": metrics.ndcg(ranking, relevance, k) for k in (10, 20)},
        "PACA@20": metrics.paca(ranking, right_works, 20),
    }


def means(answers: Sequence[Judged]) -> dict[str, Interval]:
    """Every metric with its interval, source papers resampled."""
    clusters = [it.question.cluster for it in answers]
    rows = [values(it) for it in answers]
    return {name: metrics.estimate_mean([it[name] for it in rows], clusters) for name in (rows[0] if rows else ())}


def differences(ours: Sequence[Judged], theirs: Sequence[Judged]) -> dict[str, Interval]:
    """Every metric's mean difference of two systems on the same questions, paired, with its interval."""
    clusters = [it.question.cluster for it in ours]
    first = [values(it) for it in ours]
    second = [values(it) for it in theirs]
    return {
        name: metrics.paired_difference([it[name] for it in first], [it[name] for it in second], clusters)
        for name in (first[0] if first else ())
    }


def confidences(answers: Sequence[Judged]) -> tuple[list[float], list[bool]]:
    """Return the probabilities of first candidates, and at the same positions whether each candidate is right.

    Answers that abstain, or have no probability, are left out.
    """
    chances: list[float] = []
    are_right: list[bool] = []
    for answer in answers:
        offers = answer.prediction.offers
        if answer.prediction.abstained or not offers or offers[0].probability is None:
            continue
        chances.append(float(offers[0].probability))
        are_right.append(answer.first_is_right)
    return chances, are_right


def hallucinated_share(answers: Sequence[Judged], exists: Callable[[PredictedWork], bool]) -> float:
    """The share of all candidates that cannot be found."""
    return metrics.hallucination_rate([offer for it in answers for offer in it.prediction.offers], exists)  # type: ignore[arg-type]


def diversity(answers: Sequence[Judged], category: Mapping[str, str], k: int = 20) -> float:
    """The mean entropy of the research categories of the first k candidates, in bits, over works that have one."""
    lists = [[category[o.id] for o in it.prediction.offers[:k] if o.id in category] for it in answers]
    return sum(map(metrics.entropy, lists)) / len(lists) if lists else 0.0


def read(path: Path) -> dict[str, Prediction]:
    """Predictions by question.  EvaluationFileError if a line is none."""
    try:
        return {it.id: it for it in map(_read_line, filter(bytes.strip, path.read_bytes().split(b"\n")))}
    except OSError as problem:
        raise EvaluationFileError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise EvaluationFileError(f"{path}: not predictions: {problem}") from problem


def _read_line(line: bytes) -> Prediction:
    raw: Mapping[str, Any] = json.loads(line)
    offers = (
        PredictedWork(raw_work.get("id") or "", raw_work.get("title") or "", raw_work.get("probability"))
        for raw_work in raw["candidates"]
    )
    return Prediction(str(raw["id"]), tuple(offers), bool(raw.get("abstained")))


def lines(predictions: Iterable[Prediction]) -> Iterator[str]:
    """Predictions as JSON lines, which `read` reads."""
    for prediction in predictions:
        candidates = [
            {"id": o.id, "title": o.title} | ({} if o.probability is None else {"probability": round(o.probability, 4)})
            for o in prediction.offers
        ]
        line = {"id": prediction.id, "abstained": prediction.abstained, "candidates": candidates}
        yield json.dumps(line, ensure_ascii=False) + "\n"
