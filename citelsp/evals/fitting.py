"""Fitting the corpus's ranking: listwise softmax over pools, weights held to their signs, then calibration.

    python -m citelsp.evals.fitting CORPUS GOLD QUERIES... --name "what it was fitted on" --out weights.json

QUERIES are batch query lines; GOLD lines hold {"id", "gold": [ids], "cluster"}, where a cluster is the source paper.
Give the same contexts at several lengths, so that weights serve short ones too, and some without their titles, as a
manuscript may not say its own.  With `--predictions FILE` the answers
to all queries are written, each by weights that saw nothing of its source paper.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from citelsp.corpus import features, pool, ranking
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Kind, Query, marked
from citelsp.corpus.ranking import Weights
from citelsp.evals.questions import objects

FOLDS = 10
_COLUMNS = (*features.NAMES, *map("*".join, features.PAIRS))
_FALLING = {"age", "cited"}  # features that may only lower a score; all others may only raise it
_ASSURING = ("fused/most",)  # features of the first candidate that tell how far its log odds can be trusted
_ASSURED = [features.NAMES.index(it) for it in _ASSURING]
_RIDGE = 1e-3
_ROUNDS = 400
_RATE = 0.05
_TINY = 1e-300
_LEAST_SPREAD = 1e-6
_NEAREST, _SAMPLED = 80, 3  # weights are fitted on so many first works of a pool, and on every third after them
_FIRST_STAGE = 1000
_WITHHELD = 0.005  # of the right first candidates may be called nothing that fits


@dataclass(frozen=True, slots=True)
class Example:
    """A query's pool: numbers of its works, their features, and which are right."""

    id: str
    kind: Kind
    set: str
    cluster: str
    numbers: Sequence[int]
    rows: Any  # numpy array, works by features, float32
    right: Any  # numpy array of bool

    rest: Sequence[int] = ()  # numbers of the next works of the first stage

    @property
    def fold(self) -> int:
        return crc32(self.cluster.encode()) % FOLDS


Judged = tuple[Example, Weights]


def examples(corpus: Corpus, queries: Path, gold: Path, kept: int = pool.KEPT) -> Iterator[Example]:
    """The pools of all queries in a file, computed one by one."""
    answers = {it["id"]: it for it in objects(gold)}
    for asked in objects(queries):
        yield example(corpus, asked, answers[asked["id"]], queries.stem, kept)


def example(
    corpus: Corpus, asked: Mapping[str, Any], answer: Mapping[str, Any], form: str, kept: int = pool.KEPT
) -> Example:
    """The pool of one query; `form` tells queries of one set apart."""
    import numpy as np

    place = marked(asked["text"], title=asked.get("title") or "", date=asked.get("date") or "")
    query = Query(place)
    rule = pool.barrier(corpus, place.date, place.title, asked.get("exclude") or ())
    found = pool.gather(corpus, query, rule, kept)
    rows = np.array(features.rows(corpus.engine, query, found, rule.year), dtype=np.float32)
    numbers = [it.n for it in found.works]
    right = np.isin(numbers, list(corpus.store.numbers(answer["gold"]).values()))
    rest = pool.beyond(corpus, query, found, rule, _FIRST_STAGE - len(numbers))
    kind: Kind = "collection" if pool.is_collection(corpus) else query.kind
    rows, set_ = rows.reshape(-1, len(features.NAMES)), f"{form}:{asked.get('set', '')}"
    return Example(asked["id"], kind, set_, answer["cluster"], numbers, rows, right, rest)


def fit_kinds(given: Sequence[Example]) -> tuple[dict[Kind, Weights], list[Judged]]:
    """Weights for every kind of query that there are examples of, and every example with weights fitted without it.

    Probabilities are fitted on what weights say of source papers that they have not seen.
    """
    unseen = [
        (it, weights[it.kind])
        for fold in range(FOLDS)
        for weights in (_by_kind([it for it in given if it.fold != fold]),)
        for it in given
        if it.fold == fold
    ]
    fitted = {
        kind: weights.with_line(*line([it for it in unseen if it[0].kind == kind]))
        for kind, weights in _by_kind(given).items()
    }
    lines = {
        (fold, kind): line([it for it in unseen if it[0].fold != fold and it[0].kind == kind])
        for fold in range(FOLDS)
        for kind in fitted
    }
    return fitted, [(it, weights.with_line(*lines[it.fold, it.kind])) for it, weights in unseen]


def _by_kind(given: Sequence[Example]) -> dict[Kind, Weights]:
    return {kind: fit([it for it in given if it.kind == kind]) for kind in sorted({it.kind for it in given})}


def fit(given: Sequence[Example]) -> Weights:
    """Weights that put right works first, every set counting by the square root of its size; not calibrated.

    What is the same everywhere weighs nothing.
    """
    import numpy as np

    usable = [it for it in given if it.right.any()]
    told = [_telling(it) for it in usable]
    stacked = _with_products(np.concatenate([it.rows[part] for it, part in zip(usable, told, strict=True)]))
    right = np.concatenate([it.right[part] for it, part in zip(usable, told, strict=True)])
    sizes = [int(it.sum()) for it in told]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(usable)), sizes)
    counts = Counter(it.set for it in usable)
    share = np.array([counts[it.set] ** -0.5 for it in usable])
    share /= share.sum()
    spread = stacked.std(axis=0)
    scale = spread + _LEAST_SPREAD
    scaled = stacked / scale
    sign = np.array([-1.0 if it in _FALLING else 1.0 for it in _COLUMNS]) * (spread > _LEAST_SPREAD)

    def gradient(weight: Any) -> Any:  # noqa: ANN401 - numpy arrays
        scores = (scaled @ weight.astype(np.float32)).astype(np.float64)
        raised = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        hit = raised * right
        won = np.add.reduceat(hit, starts) + _TINY
        surplus = raised / np.add.reduceat(raised, starts)[owner] - hit / won[owner]
        return scaled.T @ (surplus * share[owner]).astype(np.float32) + 2 * _RIDGE * weight

    weight = _descend(gradient, sign) / scale
    return ranking.named({name: float(it) for name, it in zip(_COLUMNS, weight, strict=True) if it})


def _with_products(rows: Any) -> Any:  # noqa: ANN401 - numpy arrays
    """Rows of features with the products of all pairs behind them, as _COLUMNS names them."""
    import numpy as np

    one, other = [[features.NAMES.index(it) for it in side] for side in zip(*features.PAIRS, strict=True)]
    return np.concatenate([rows, rows[:, one] * rows[:, other]], axis=1)


def _telling(example: Example) -> Any:  # noqa: ANN401 - a numpy array
    """Which works of a pool are fitted on: the right ones, the nearest, and a sample of the rest."""
    told = example.right.copy()
    told[:_NEAREST] = True
    told[_NEAREST::_SAMPLED] = True
    return told


def _descend(gradient: Any, sign: Any) -> Any:  # noqa: ANN401 - numpy arrays
    """Adam, every step projected back to the weights' signs."""
    import numpy as np

    weight = 0.05 * sign
    mean, square = np.zeros_like(weight), np.zeros_like(weight)
    for step in range(1, _ROUNDS + 1):
        slope = gradient(weight)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        rate = _RATE * (1 - step / (_ROUNDS + 1))
        weight = weight - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        weight = np.where(weight * sign > 0, weight, 0.0)
    return weight


def line(seen: Sequence[Judged]) -> tuple[float, float, dict[str, float]]:
    """Slope, offset and weights of _ASSURING that make the first candidates' log odds honest (Platt)."""
    import numpy as np

    design, hits = [], []
    for it, weights in seen:
        if len(it.numbers):
            scores = scored(weights, it)
            raised = np.exp(scores - scores.max())
            top = min(1 - 1e-9, max(1e-9, float(raised.max() / raised.sum())))
            first = int(scores.argmax())
            design.append([np.log(top / (1 - top)), 1.0, *it.rows[first, _ASSURED]])
            hits.append(float(it.right[first]))
    slope, offset, *assuring = map(float, _logistic(np.array(design), np.array(hits)))
    return slope, offset, dict(zip(_ASSURING, assuring, strict=True))


def threshold(unseen: Sequence[Judged]) -> float:
    """The probability, in hundredths, below which at most so few of the right first candidates lie."""
    chances = []
    for it, weights in unseen:
        scores = scored(weights, it)
        if len(scores) and it.right[int(scores.argmax())]:
            chances.append(max(_probabilities(weights, it, scores)))
    chances.sort()
    return int(100 * chances[int(_WITHHELD * len(chances))]) / 100


def _probabilities(weights: Weights, example: Example, scores: Any) -> list[float]:  # noqa: ANN401 - a numpy array
    return weights.probabilities([float(it) for it in scores], example.rows)


def _logistic(design: Any, hits: Any) -> Any:  # noqa: ANN401 - numpy arrays
    """Logistic regression by Newton's method."""
    import numpy as np

    line = np.zeros(design.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-design @ line))
        curvature = design.T @ (design * (chance * (1 - chance))[:, None]) + 1e-6 * np.eye(len(line))
        line = line - np.linalg.solve(curvature, design.T @ (chance - hits))
    return line


def scored(weights: Weights, example: Example) -> Any:  # noqa: ANN401 - a numpy array
    import numpy as np

    scores = example.rows @ np.array(weights.weights, dtype=np.float32)
    for one, other, weight in weights.pairs:
        scores += np.float32(weight) * example.rows[:, one] * example.rows[:, other]
    return scores


def prediction(corpus: Corpus, example: Example, weights: Weights, listed: int = 100) -> dict[str, Any]:
    """One line of a predictions file."""
    scores = scored(weights, example)
    order = sorted(range(len(scores)), key=lambda it: -scores[it])
    chances = _probabilities(weights, example, scores)
    ids = corpus.store.ids([example.numbers[it] for it in order])
    titles = [it.work.title for it in corpus.rows([example.numbers[it] for it in order[:listed]])]
    candidates = [
        {"id": id_, "title": title, "probability": round(chances[it], 4)}
        for id_, title, it in zip(ids, titles, order, strict=False)
    ]
    first_stage = ids + corpus.store.ids(example.rest)
    return {"id": example.id, "abstained": not candidates, "candidates": candidates, "pool": first_stage}


def save(fitted: Mapping[Kind, Weights], nothing_fits: float, name: str, path: Path) -> None:
    """Write weights as `ranking.fitted` reads them, zeros left out; kinds that were not fitted stay in the file."""
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    raw["nothing_fits"] = nothing_fits
    for kind, weights in fitted.items():
        raw[kind] = {
            "fitted_on": name,
            "weights": {name: float(f"{value:.4g}") for name, value in weights.by_name().items()},
            "slope": round(weights.slope, 4),
            "offset": round(weights.offset, 4),
            "assuring": {features.NAMES[it]: round(value, 4) for it, value in weights.assuring},
        }
    path.write_text(json.dumps(raw, indent=1) + "\n", encoding="utf-8")


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(it, ensure_ascii=False) + "\n" for it in rows)


def arguments(description: str | None) -> argparse.ArgumentParser:
    """What every fitting is told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("queries", type=Path, nargs="+")
    parser.add_argument("--name", required=True)
    parser.add_argument("--out", type=Path, required=True)
    return parser


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--predictions", type=Path)
    asked = parser.parse_args()
    with Corpus(asked.corpus) as corpus:
        given = [it for path in asked.queries for it in examples(corpus, path, asked.gold)]
        fitted, unseen = fit_kinds(given)
        if asked.predictions:
            _write(asked.predictions, (prediction(corpus, it, weights) for it, weights in unseen))
        save(fitted, threshold(unseen), asked.name, asked.out)


if __name__ == "__main__":
    main()
