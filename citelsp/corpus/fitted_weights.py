"""What each feature of a work weighs, as fitted (`weights.json`): their sum, and how probable it makes the work."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any

from citelsp.corpus.place_query import Kind
from citelsp.corpus.pool import Stage
from citelsp.corpus.work_features import NAMES

_TIMES = "*"
_PRIORS = {"recent", "age"}  # features that look at no word of the place
LINE = ("slope", "offset", "none", "unmet", "works", "fewer")  # fields of Weights that hold numbers
FEWEST = 5000  # works of the smallest corpora that probabilities were fitted in; in smaller ones they are a guess


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted ranking: what features and products of two weigh; the line from log odds to calibrated log odds.

    The odds are those of a work against all others and against none of them, which has a score too.
    """

    weights: tuple[float, ...]  # in the order of NAMES
    pairs: tuple[tuple[int, int, float], ...] = ()  # places of two features in NAMES, and what their product weighs
    slope: float = 1.0
    offset: float = 0.0
    assuring: tuple[tuple[int, float], ...] = ()  # places of features in NAMES, what each of the first work adds
    none: float = -math.inf  # the score of what is no work here
    unmet: float = 0.0  # what each e-fold adds of unmet_sentence
    works: int = 0  # in the corpus that the line was fitted in
    fewer: float = 0.0  # what each e-fold fewer works than those add

    def score(self, row: Sequence[float]) -> float:
        """The weighted sum of a row of features, and of the products of pairs of them."""
        products = [row[one] * row[other] * weight for one, other, weight in self.pairs]
        return math.fsum(map(mul, self.weights, row)) + math.fsum(products)

    def by_name(self) -> dict[str, float]:
        """The weights that are not zero, as `weights_by_name` takes them."""
        alone = {name: it for name, it in zip(NAMES, self.weights, strict=True) if it}
        return alone | {f"{NAMES[one]}{_TIMES}{NAMES[other]}": it for one, other, it in self.pairs}

    def with_line(self, assuring: Mapping[str, float], **line: Any) -> "Weights":  # noqa: ANN401
        """The same ranking calibrated: `assuring` by names of features, `line` by names of LINE."""
        places = tuple((NAMES.index(name), weight) for name, weight in assuring.items())
        return replace(self, assuring=places, **line)

    def probabilities(
        self, scores: Sequence[float], rows: Sequence[Sequence[float]], works: int, unmet: float = 0.0
    ) -> list[float]:
        """Return for each score the probability that its work is the one meant.

        It is the softmax of the scores and of `none`, the score of no work at all, calibrated by a fitted line; what is
        known of the first work shifts that line.  `rows` are the features behind the scores, in the same order; `works`
        says how many the corpus has; `unmet` is how far the work with the largest score falls short of the sentence's
        words, 0 if it has enough of them.
        """
        if not scores:
            return []
        top = max(scores)
        first = rows[scores.index(top)]
        # `assuring`: by which features of the first work one may be surer of it, and what each adds.
        offset = self.offset + self.unmet * unmet + math.fsum(first[it] * weight for it, weight in self.assuring)
        # With fewer works around it the first one leads by less evidence, and as often nothing fits.
        if works < self.works:
            offset += self.fewer * math.log(self.works / works)
        # The softmax: the largest score is taken off, as exponentials of large numbers overflow.
        exponentials = [math.exp(it - top) for it in scores]
        total = sum(exponentials) + math.exp(self.none - top)
        return [self._calibrate(it / total, offset) for it in exponentials]

    def _calibrate(self, share: float, offset: float) -> float:
        """The probability on the fitted line: slope times the share's log odds, and an offset."""
        share = min(1 - 1e-9, max(1e-9, share))
        log_odds = self.slope * math.log(share / (1 - share)) + offset
        return 1 / (1 + math.exp(-log_odds))


def scale_odds(chance: float, factor: float) -> float:
    """The probability whose odds are `factor` times those of `chance`; `factor` is above 0."""
    return chance * factor / (1 - chance + chance * factor)


@lru_cache(maxsize=8)
def fitted_weights(kind: Kind) -> Weights:
    """The weights that come with the package, for one kind of query; `fitted_on` in their file names their data."""
    raw = _read_file()[kind]
    line = {name: raw[name] for name in LINE if name in raw}
    return weights_by_name(raw["weights"]).with_line(raw.get("assuring", {}), **line)


def weights_by_name(weights: Mapping[str, float]) -> Weights:
    """Weights given by names of features, or by two names with an asterisk between them; others are zero."""
    alone = tuple(weights.get(it, 0.0) for it in NAMES)
    products = ((name.partition(_TIMES), it) for name, it in weights.items() if _TIMES in name)
    return Weights(alone, tuple((NAMES.index(one), NAMES.index(other), it) for (one, _, other), it in products))


@lru_cache(maxsize=8)
def weights_at(stage: Stage, kind: Kind) -> Weights:
    """The weights that are used at a stage: before any are fitted, the reciprocal ranks alone."""
    if stage < Stage.WEIGHTS:
        return weights_by_name({"fused": 1.0})
    if stage >= Stage.PRIORS:
        return fitted_weights(kind)
    last = fitted_weights(kind).by_name()
    return weights_by_name({name: it for name, it in last.items() if _PRIORS.isdisjoint(name.split(_TIMES))})


def fitted_on() -> str:
    """The data that the weights were fitted on, in words."""
    return "; ".join(dict.fromkeys(it["fitted_on"] for it in _read_file().values() if isinstance(it, dict)))


def nothing_fits() -> float:
    """The probability of a first candidate below which nothing is said to fit; fitted with the weights."""
    return float(_read_file()["nothing_fits"])


@lru_cache(maxsize=1)
def _read_file() -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return raw
