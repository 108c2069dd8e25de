r"""Fitting the trees that weigh, for the works of a corpus, how near their titles lie to a sentence.

    python tests/lab corpus_nearness CORPUS GOLD QUERIES... --model all-MiniLM-L6-v2 --name "what it was fitted on"
        --out near_trees.json

CORPUS, GOLD and QUERIES are those of `lab fitting`; --model is a name or folder as of `embeddings.model`.  The first
works of each question by weights alone are compared with its sentence by the model.  Weights are fitted five times,
each time without a fifth of the source papers, and trees on top of them likewise: they rank what neither has seen.
Trees are held to the signs that weights have, so that what is unknown of a work never speaks for it.  Printed is, for
each set, how often a right work is first and among ten, with intervals by source paper, and how likely first works are
said to be beside how often they are right.  The trees that are written are fitted on all questions.

Needs what `tests/lab/requirements.txt` names beside the project's own packages.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from citelsp.base.settings import Embeddings
from citelsp.corpus import fitted_weights, search_place, work_features
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.evals.metrics import estimate_mean
from citelsp.evals.questions import objects
from citelsp.meaning.local_model import LocalModel
from citelsp.workspace.question import read_marked
from lab import fitting, nearness

FOLDS = 5
_TITLES_AT_ONCE = 512
_SIGNS = [*(-1 if it in fitting.FALLING else 1 for it in work_features.NAMES), 1, 1]


@dataclass(frozen=True, slots=True)
class Compared:
    """A question's pool, with what weights say that did not see its source paper, and how near its first works lie."""

    example: fitting.Example
    scores: Any  # numpy array, of all works
    head: Any  # numpy array: positions of the first works
    features: Any  # numpy array: of each work of the head what a tree looks at

    @property
    def fold(self) -> int:
        return find_fold(self.example)


def find_fold(example: fitting.Example) -> int:
    return crc32(example.cluster.encode()) % FOLDS


def compare(corpus: Corpus, asked: Sequence[tuple[fitting.Example, str]], model: LocalModel) -> list[Compared]:
    """Compare the first works of each question with what it means; `asked` are pools, and what their question means."""
    import numpy as np

    weights = _fit_weights([example for example, _ in asked])
    scores = [fitting.scored(weights[find_fold(it), it.kind], it).astype(float) for it, _ in asked]
    heads = [np.argsort(-it, kind="stable")[: search_place.HEAD] for it in scores]
    numbers = sorted({example.numbers[at] for (example, _), head in zip(asked, heads, strict=True) for at in head})
    vectors = _embed_titles(corpus, numbers, model)
    meant = {text: model.queries([text])[0] for text in sorted({text for _, text in asked})}
    compared = []
    for (example, text), its_scores, head in zip(asked, scores, heads, strict=True):
        near = [float(vectors[example.numbers[at]] @ meant[text]) for at in head]
        deviations = search_place.compute_deviations(near) or [0.0] * len(head)
        below = its_scores[head] - its_scores.max()
        features = np.column_stack([example.rows[head], below, deviations]).astype(np.float32)
        compared.append(Compared(example, its_scores, head, features))
    return compared


def _fit_weights(seen: Sequence[fitting.Example]) -> dict[tuple[int, str], fitted_weights.Weights]:
    """Weights by the fifth of source papers that they did not see, and by kind of question."""
    kinds = sorted({it.kind for it in seen})
    return {
        (fold, kind): fitting.fit([it for it in seen if find_fold(it) != fold and it.kind == kind], {})
        for fold in range(FOLDS)
        for kind in kinds
    }


def _embed_titles(corpus: Corpus, numbers: Sequence[int], model: LocalModel) -> Mapping[int, Any]:
    vectors: dict[int, Any] = {}
    for start in range(0, len(numbers), _TITLES_AT_ONCE):
        rows = corpus.rows(numbers[start : start + _TITLES_AT_ONCE])
        made = model.works([it.work.title for it in rows])
        vectors |= {row.n: vector for row, vector in zip(rows, made, strict=True)}
    return vectors


def fit(seen: Sequence[Compared]) -> Any:
    """Trees on top of what weights say, by LambdaMART; sets count as in `fitting.fit`."""
    import lightgbm
    import numpy as np

    set_of = [it.example.set.partition(":")[2] for it in seen]
    asked = Counter(set_of)
    places = Counter(set_ for set_, _ in {(set_, it.example.id) for set_, it in zip(set_of, seen, strict=True)})
    share = {it: math.sqrt(places[it]) / asked[it] for it in asked}
    mean = sum(share[it] for it in set_of) / len(set_of)
    usable = [
        (it, share[set_] / mean) for it, set_ in zip(seen, set_of, strict=True) if it.example.right[it.head].any()
    ]
    data = lightgbm.Dataset(
        np.concatenate([it.features for it, _ in usable]),
        np.concatenate([it.example.right[it.head] for it, _ in usable]).astype(int),
        group=[len(it.head) for it, _ in usable],
        init_score=np.concatenate([it.scores[it.head] for it, _ in usable]),
        weight=np.concatenate([np.full(len(it.head), weight) for it, weight in usable]),
    )
    return lightgbm.train({**nearness.FIT, "monotone_constraints": _SIGNS}, data, nearness.TREES)


def add(model: Any, it: Compared) -> Any:
    """The scores with what trees add; works behind the head stay behind it, as in `search_place.add_nearness`."""
    import numpy as np

    raised = it.scores.copy()
    raised[it.head] += model.predict(it.features)
    behind = np.setdiff1d(np.arange(len(raised)), it.head)
    raised[behind] = np.minimum(raised[behind], raised[it.head].min())
    return raised


def report(seen: Sequence[Compared], after: Sequence[Any]) -> str:
    """How often a right work is first, and among ten, of each set: by weights, then by weights and trees."""
    lines = []
    for name in sorted({it.example.set for it in seen}):
        some = [at for at, it in enumerate(seen) if it.example.set == name]
        clusters = [seen[at].example.cluster for at in some]
        lines.append(f"{name}: {len(some)} questions of {len(set(clusters))} sources")
        for most, where in ((1, "first"), (10, "among ten")):
            old = [_is_among(most, seen[at].scores, seen[at].example.right) for at in some]
            new = [_is_among(most, after[at], seen[at].example.right) for at in some]
            gain = estimate_mean([its_new - its_old for its_old, its_new in zip(old, new, strict=True)], clusters)
            shares = f"{sum(old) / len(some):.1%}, then {sum(new) / len(some):.1%}"
            lines.append(f"  {where}: {shares}: {gain.mean:+.1%} ({gain.low:+.1%} to {gain.high:+.1%})")
    return "\n".join(lines)


def _is_among(most: int, scores: Any, right: Any) -> float:
    """1.0 if a right work is among the first `most`."""
    return float(right.any() and (scores > scores[right].max()).sum() < most)


def calibrate(seen: Sequence[Compared], scores: Sequence[Any]) -> float:
    """The slope of scores by which first works are right as often as is said, on the lines of the weights that ship."""
    return min((it / 100 for it in range(50, 125, 5)), key=lambda it: _surprise(*said_and_right(seen, scores, it)))


def said_and_right(seen: Sequence[Compared], scores: Sequence[Any], slope: float) -> tuple[Any, Any]:
    """How likely the first work of each question is said to be, and 1.0 if it is right, as numpy arrays."""
    import numpy as np

    said, right = [], []
    for it, its_scores in zip(seen, scores, strict=True):
        weights = fitted_weights.fitted_weights(it.example.kind)
        said.append(max(fitting.probabilities(weights, it.example, slope * its_scores)))
        right.append(float(it.example.right[int(its_scores.argmax())]))
    return np.array(said), np.array(right)


def _surprise(said: Any, right: Any) -> float:
    import numpy as np

    of_what_was = np.where(right > 0, said, 1 - said)
    return float(-np.log(np.maximum(of_what_was, 1e-6)).mean())


def _read(corpus: Corpus, queries: Sequence[Path], gold: Path) -> list[tuple[fitting.Example, str]]:
    """The pool of each question that finds any work, and what the question means."""
    found = []
    for path in queries:
        for asked, example in zip(objects(path), fitting.examples(corpus, path, gold), strict=True):
            question = read_marked(asked["text"], title=asked.get("title") or "")
            if len(example.numbers):
                found.append((example, Query(question).meant))
    return found


def main() -> None:
    parser = fitting.arguments(__doc__)
    parser.add_argument("--model", required=True)
    options = parser.parse_args()
    with Corpus(options.corpus) as corpus:
        asked = _read(corpus, options.queries, options.gold)
        seen = compare(corpus, asked, LocalModel(Embeddings(model=options.model)))
    without = [fit([it for it in seen if it.fold != fold]) for fold in range(FOLDS)]
    scores = [add(without[it.fold], it) for it in seen]
    slope = calibrate(seen, scores)
    said, right = said_and_right(seen, scores, slope)
    print(report(seen, scores))
    print(
        f"by a slope of {slope:g} first works are said to be right in {said.mean():.1%}, and are in {right.mean():.1%}"
    )
    whole = {"fitted_on": options.name, "slope": slope, "trees": nearness.plain(fit(seen))}
    options.out.write_text(json.dumps(whole) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
