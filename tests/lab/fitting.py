"""Fitting the corpus's ranking: listwise softmax over pools, weights held to their signs, then calibration.

    python tests/lab fitting CORPUS GOLD QUERIES... --name "what it was fitted on" --out weights.json

QUERIES are batch query lines; GOLD lines hold {"id", "gold": [ids], "cluster"}, where a cluster is the source paper.
Give the same contexts at several lengths, so that weights serve short ones too, with and without what the manuscript
cites elsewhere, and some without their titles, as a manuscript may not say its own.  With `--predictions FILE` the
answers to all queries are written, each by weights that saw nothing of its source paper.  With
`--samples 5000 20000 80000` probabilities are made honest in corpora of fewer works too, by what is found in samples of
the corpus.
"""

import argparse
import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any
from zlib import crc32

from citelsp.corpus import fitted_weights, pool, work_features
from citelsp.corpus.fitted_weights import Weights
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Kind, Query
from citelsp.corpus.store import Row
from citelsp.evals.questions import objects
from citelsp.workspace.question import read_marked

FOLDS = 10
_COLUMNS = (*work_features.NAMES, *map("*".join, work_features.PAIRS))
FALLING = {"age", "cited"}  # features that may only lower a score; all others may only raise it
_ASSURING = ("fused/most",)  # features of the first candidate that tell how far its log odds can be trusted
_ASSURED = [work_features.NAMES.index(it) for it in _ASSURING]
_RIDGE = 1e-3
_ROUNDS = 200
_RATE = 0.05
_TINY = 1e-300
_LEAST_SPREAD = 1e-6
_NEAREST, _SAMPLED = 80, 3  # weights are fitted on so many first works of a pool, and on every third after them
_FIRST_STAGE = 1000
_AT_ONCE = 400
_NOTHING: Mapping[str, float] = MappingProxyType({})
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

    works: int = 0  # in the corpus
    unmet: Sequence[float] = ()  # of each work, as of features.unmet_sentence; nothing if it does not count
    rest: Sequence[int] = ()  # numbers of the next works of the first stage

    @property
    def fold(self) -> int:
        # By source paper, as places of one paper are alike; by a hash, so that added papers move no other.
        return crc32(self.cluster.encode()) % FOLDS


Judged = tuple[Example, Weights]


def examples(corpus: Corpus, queries: Path, gold: Path, pooled: int = pool.ADMITTED) -> Iterator[Example]:
    """The pools of all queries in a file, computed one by one."""
    answers = {it["id"]: it for it in objects(gold)}
    for asked in objects(queries):
        yield example(corpus, asked, answers[asked["id"]], queries.stem, pooled)


def example(
    corpus: Corpus, asked: Mapping[str, Any], answer: Mapping[str, Any], form: str, pooled: int = pool.ADMITTED
) -> Example:
    """The pool of one query; `form` tells queries of one set apart."""
    import numpy as np

    known = {name: asked.get(name) or "" for name in ("title", "date")}
    question = read_marked(asked["text"], **known, cites=asked.get("cites") or ())
    query = Query(question)
    catalogue = corpus.catalogue()
    rule = pool.barrier(catalogue, question.date, question.title, asked.get("exclude") or ())
    found = pool.gather(catalogue, query, rule, pooled)
    rows = np.array(work_features.rows(catalogue, query, found, rule.year), dtype=np.float32)
    numbers = [it.n for it in found.works]
    right = np.isin(numbers, list(corpus.store.numbers(answer["gold"]).values()))
    small, works = pool.is_collection(catalogue), catalogue.size
    kind: Kind = "collection" if small else query.kind
    unmet = [work_features.unmet_sentence(catalogue, query, it) for it in found.works] if small else ()
    rest = () if small else pool.find_next_best(catalogue, query, found, rule, _FIRST_STAGE - len(numbers))
    rows, set_ = rows.reshape(-1, len(work_features.NAMES)), f"{form}:{asked.get('set', '')}"
    return Example(asked["id"], kind, set_, answer["cluster"], numbers, rows, right, works, unmet, rest)


def fit_kinds(
    seen: Sequence[Example], least: Mapping[str, float] = _NOTHING, nones: Sequence[float] = (-math.inf,)
) -> tuple[dict[Kind, Weights], list[Judged]]:
    """Weights for every kind of query that there are examples of, and every example with weights fitted without it.

    Probabilities are fitted on what weights say of source papers that they have not seen; `nones` are the scores of
    what is no work, of which the likeliest is taken.
    """
    unseen = [
        (example, weights[example.kind])
        for fold in range(FOLDS)
        for weights in (_by_kind([it for it in seen if it.fold != fold], least),)
        for example in seen
        if example.fold == fold
    ]
    kinds = _by_kind(seen, least)
    fitted = {kind: calibrated(kinds[kind], [it for it in unseen if it[0].kind == kind], nones) for kind in kinds}
    lines = {
        (fold, kind): calibrated(kinds[kind], [it for it in unseen if it[0].fold != fold and it[0].kind == kind], nones)
        for fold in range(FOLDS)
        for kind in kinds
    }
    return fitted, [(it, _on_line(weights, lines[it.fold, it.kind])) for it, weights in unseen]


def _on_line(weights: Weights, line: Weights) -> Weights:
    """Weights with the calibration of others."""
    return replace(line, weights=weights.weights, pairs=weights.pairs)


def _by_kind(seen: Sequence[Example], least: Mapping[str, float]) -> dict[Kind, Weights]:
    return {kind: fit([it for it in seen if it.kind == kind], least) for kind in sorted({it.kind for it in seen})}


def fit(seen: Sequence[Example], least: Mapping[str, float]) -> Weights:
    """Weights that put right works first, every set counting by the square root of its places; not calibrated.

    A place counts once, in however many forms it is asked.  What is the same everywhere weighs nothing; `least` holds
    what features weigh at least.
    """
    import numpy as np

    usable = [it for it in seen if it.right.any()]
    chosen = [_telling(it) for it in usable]
    stacked = _with_products(np.concatenate([it.rows[part] for it, part in zip(usable, chosen, strict=True)]))
    right = np.concatenate([it.right[part] for it, part in zip(usable, chosen, strict=True)])
    sizes = [int(it.sum()) for it in chosen]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(usable)), sizes)
    sets = [it.set.partition(":")[2] for it in usable]
    asked = Counter(sets)
    places = Counter(set_ for set_, _ in {(set_, it.id) for set_, it in zip(sets, usable, strict=True)})
    # Between examples alike, where the largest set decides, and sets alike, where the smallest is fitted by heart.
    share = np.array([math.sqrt(places[it]) / asked[it] for it in sets])
    share /= share.sum()
    # A feature that is the same in all examples would get any weight: it gets none.
    spread = stacked.std(axis=0)
    scale = spread + _LEAST_SPREAD
    scaled = stacked / scale
    sign = np.array([-1.0 if it in FALLING else 1.0 for it in _COLUMNS]) * (spread > _LEAST_SPREAD)

    def gradient(weight: Any) -> Any:
        scores = (scaled @ weight.astype(np.float32)).astype(np.float64)
        # The largest score of a pool taken off first, as exp overflows beyond 709.
        raised = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        hit = raised * right
        won = np.add.reduceat(hit, starts) + _TINY
        surplus = raised / np.add.reduceat(raised, starts)[owner] - hit / won[owner]
        return scaled.T @ (surplus * share[owner]).astype(np.float32) + 2 * _RIDGE * weight

    bound = scale * np.array([least.get(it, 0.0) for it in _COLUMNS])
    weight = _descend(gradient, sign, bound) / scale
    return fitted_weights.weights_by_name({name: float(it) for name, it in zip(_COLUMNS, weight, strict=True) if it})


def _with_products(rows: Any) -> Any:
    """Rows of features with the products of all pairs behind them, as _COLUMNS names them."""
    import numpy as np

    one, other = [[work_features.NAMES.index(it) for it in side] for side in zip(*work_features.PAIRS, strict=True)]
    return np.concatenate([rows, rows[:, one] * rows[:, other]], axis=1)


def _telling(example: Example) -> Any:
    """Which works of a pool are fitted on: the right ones, the nearest, and a sample of the rest."""
    chosen = example.right.copy()
    chosen[:_NEAREST] = True
    chosen[_NEAREST::_SAMPLED] = True
    return chosen


def _descend(gradient: Any, sign: Any, least: Any) -> Any:
    """Adam, every step projected back to the weights' signs and least amounts."""
    import numpy as np

    weight = 0.05 * sign
    mean, square = np.zeros_like(weight), np.zeros_like(weight)
    for step in range(1, _ROUNDS + 1):
        slope = gradient(weight)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        # Falling to zero: at a steady rate Adam circles around the end.
        rate = _RATE * (1 - step / (_ROUNDS + 1))
        weight = weight - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        weight = sign * np.maximum(weight * sign, least)
    return weight


def calibrated(weights: Weights, seen: Sequence[Judged], nones: Sequence[float]) -> Weights:
    """Weights with the line that makes the log odds of first candidates honest (Platt), by what others said unseen."""
    return max((_line(weights, seen, it) for it in nones), key=itemgetter(0))[1]


def _line(weights: Weights, seen: Sequence[Judged], none: float) -> tuple[float, Weights]:
    """The likelihood of what was seen, and the line."""
    import numpy as np

    design, hits = [], []
    for example, by_others in seen:
        if len(example.numbers):
            scores = scored(by_others, example)
            raised = np.exp(scores - scores.max())
            first = int(scores.argmax())
            share = float(raised.max() / (raised.sum() + np.exp(none - scores.max())))
            top = min(1 - 1e-9, max(1e-9, share))
            unmet = example.unmet[first] if example.unmet else 0.0
            design.append([np.log(top / (1 - top)), 1.0, unmet, *example.rows[first, _ASSURED]])
            hits.append(float(example.right[first]))
    known, right = np.array(design), np.array(hits)
    found = _logistic(known, right)
    slope, offset, unmet, *assuring = map(float, found)
    by_name = dict(zip(_ASSURING, assuring, strict=True))
    likely = -np.logaddexp(0, -(2 * right - 1) * (known @ found)).sum()
    return float(likely), weights.with_line(by_name, slope=slope, offset=offset, none=none, unmet=unmet)


def threshold(unseen: Sequence[Judged]) -> float:
    """The probability, in hundredths, below which at most so few of the right first candidates lie."""
    chances = []
    for example, weights in unseen:
        scores = scored(weights, example)
        if len(scores) and example.right[int(scores.argmax())]:
            chances.append(max(probabilities(weights, example, scores)))
    chances.sort()
    return int(100 * chances[int(_WITHHELD * len(chances))]) / 100


def probabilities(weights: Weights, example: Example, scores: Any) -> list[float]:
    unmet = example.unmet[int(scores.argmax())] if example.unmet else 0.0
    return weights.probabilities([float(it) for it in scores], example.rows, example.works, unmet)


def with_sizes(fitted: Mapping[Kind, Weights], seen: Iterable[Judged], works: int) -> dict[Kind, Weights]:
    """Weights fitted in a corpus of so many works that know what fewer mean, by what was seen in samples of it."""
    import numpy as np

    known: dict[Kind, list[tuple[float, float, bool]]] = {it: [] for it in fitted}
    for example, weights in seen:
        if len(example.numbers):
            scores = scored(weights, example)
            chance = max(probabilities(weights, example, scores))
            odds = math.log(chance / (1 - chance))
            known[example.kind].append(
                (math.log(works / example.works), odds, bool(example.right[int(scores.argmax())]))
            )
    columns = {kind: np.array(it, dtype=float).T for kind, it in known.items() if it}
    fewer = {kind: float(_logistic(it[:1].T, it[2], it[1])[0]) for kind, it in columns.items()}
    return {kind: replace(it, works=works, fewer=fewer.get(kind, 0.0)) for kind, it in fitted.items()}


def sampled(corpus: Corpus, works: int, queries: Sequence[Path], gold: Path) -> Iterator[Example]:
    """The pools of all queries in a random part of a corpus that holds what is right."""
    right = {n for it in objects(gold) for n in corpus.store.numbers(it["gold"]).values()}
    everything = corpus.store.all_numbers()
    others = random.Random(1).sample(everything, min(works, len(everything)))  # noqa: S311
    numbers = list(dict.fromkeys([*sorted(right), *others]))[:works]
    with TemporaryDirectory() as folder, Corpus(Path(folder), create=True) as part:
        part.add(replace(it.work, references=tuple(corpus.store.ids(it.cites))) for it in rows(corpus, numbers))
        for path in queries:
            yield from examples(part, path, gold)


def rows(corpus: Corpus, numbers: Sequence[int]) -> Iterator[Row]:
    """The works under these numbers, read as they are asked for."""
    for start in range(0, len(numbers), _AT_ONCE):
        yield from corpus.rows(numbers[start : start + _AT_ONCE])


def _logistic(design: Any, hits: Any, known: Any = 0.0) -> Any:
    """Logistic regression by Newton's method; `known` are log odds that are added."""
    import numpy as np

    line = np.zeros(design.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-design @ line - known))
        curvature = design.T @ (design * (chance * (1 - chance))[:, None]) + 1e-6 * np.eye(len(line))
        line = line - np.linalg.solve(curvature, design.T @ (chance - hits))
    return line


def scored(weights: Weights, example: Example) -> Any:
    import numpy as np

    scores = example.rows @ np.array(weights.weights, dtype=np.float32)
    for one, other, weight in weights.pairs:
        scores += np.float32(weight) * example.rows[:, one] * example.rows[:, other]
    return scores


def prediction(corpus: Corpus, example: Example, weights: Weights, listed: int = 100) -> dict[str, Any]:
    """One line of a predictions file."""
    scores = scored(weights, example)
    order = sorted(range(len(scores)), key=lambda it: -scores[it])
    chances = probabilities(weights, example, scores)
    ids = corpus.store.ids([example.numbers[it] for it in order])
    titles = [it.work.title for it in corpus.rows([example.numbers[it] for it in order[:listed]])]
    candidates = [
        {"id": id_, "title": title, "probability": round(chances[place], 4)}
        for id_, title, place in zip(ids, titles, order, strict=False)
    ]
    first_stage = ids + corpus.store.ids(example.rest)
    return {"id": example.id, "abstained": not candidates, "candidates": candidates, "pool": first_stage}


def save(fitted: Mapping[Kind, Weights], nothing_fits: float, name: str, path: Path) -> None:
    """Write weights as `fitted_weights.fitted_weights` reads them, without zeros; kinds not fitted stay in the file."""
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    raw["nothing_fits"] = nothing_fits
    for kind, weights in fitted.items():
        line = {name: round(getattr(weights, name), 4) for name in fitted_weights.LINE}
        raw[kind] = {
            "fitted_on": name,
            "weights": {name: float(f"{value:.4g}") for name, value in weights.by_name().items()},
            **{name: value for name, value in line.items() if math.isfinite(value) and value},
            "assuring": {work_features.NAMES[it]: round(value, 4) for it, value in weights.assuring},
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
    parser.add_argument("--samples", type=int, nargs="*", default=(), metavar="WORKS")
    asked = parser.parse_args()
    with Corpus(asked.corpus) as corpus:
        found = [it for path in asked.queries for it in examples(corpus, path, asked.gold)]
        fitted, unseen = fit_kinds(found)
        by_kind = {(it.fold, it.kind): weights for it, weights in unseen}
        parts = (it for works in asked.samples for it in sampled(corpus, works, asked.queries, asked.gold))
        seen = ((it, by_kind[it.fold, it.kind]) for it in parts if (it.fold, it.kind) in by_kind)
        fitted = with_sizes(fitted, seen, corpus.engine.size)
        if asked.predictions:
            _write(asked.predictions, (prediction(corpus, it, weights) for it, weights in unseen))
        save(fitted, threshold(unseen), asked.name, asked.out)


if __name__ == "__main__":
    main()
