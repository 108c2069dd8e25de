"""The second stage: a weighted sum of features, and how probable it makes each work."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any

from citelsp.corpus.features import NAMES
from citelsp.corpus.pool import Stage
from citelsp.corpus.query import Kind

_TIMES = "*"
_PRIORS = {"recent", "age"}  # features that look at no word of the place
LINE = ("slope", "offset", "none", "unmet", "works", "fewer")  # fields of Weights that hold numbers

FEWEST = 5000  # works of the smallest corpora that probabilities were fitted in; in smaller ones they are a guess


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted ranking: what features and products of two weigh; the line from log odds to calibrated log odds.

    The odds are those of a work against all others and against none of them, which has a score too.
    """

    weights: tuple[float, ...]  # in the order of features.NAMES
    pairs: tuple[tuple[int, int, float], ...] = ()  # places of two features in NAMES, and what their product weighs
    slope: float = 1.0
    offset: float = 0.0
    assuring: tuple[tuple[int, float], ...] = ()  # places of features in NAMES, what each of the first work adds
    none: float = -math.inf  # the score of what is no work here
    unmet: float = 0.0  # what each e-fold adds of features.unmet_sentence
    works: int = 0  # in the corpus that the line was fitted in
    fewer: float = 0.0  # what each e-fold fewer works than those add

    def score(self, row: Sequence[float]) -> float:
        together = [row[one] * row[other] * weight for one, other, weight in self.pairs]
        return math.fsum(map(mul, self.weights, row)) + math.fsum(together)

    def by_name(self) -> dict[str, float]:
        """The weights that are not zero, as `named` takes them."""
        alone = {name: it for name, it in zip(NAMES, self.weights, strict=True) if it}
        return alone | {f"{NAMES[one]}{_TIMES}{NAMES[other]}": it for one, other, it in self.pairs}

    def with_line(self, assuring: Mapping[str, float], **line: Any) -> "Weights":  # noqa: ANN401
        """The same ranking calibrated: `assuring` by names of features, `line` by names of LINE."""
        places = tuple((NAMES.index(name), weight) for name, weight in assuring.items())
        return replace(self, assuring=places, **line)

    def probabilities(
        self, scores: Sequence[float], rows: Sequence[Sequence[float]], works: int, unmet: float = 0.0
    ) -> list[float]:
        """That each work is the one meant: the softmax of the scores, calibrated by what is known of the first.

        In a corpus of so many works; `unmet` is features.unmet_sentence of the first work.
        """
        if not scores:
            return []
        top = max(scores)
        first = rows[scores.index(top)]
        offset = self.offset + self.unmet * unmet + math.fsum(first[it] * weight for it, weight in self.assuring)
        # With fewer works around it the first one leads by less evidence, and as often nothing fits.
        if works < self.works:
            offset += self.fewer * math.log(self.works / works)
        raised = [math.exp(it - top) for it in scores]
        total = sum(raised) + math.exp(self.none - top)
        return [self._calibrated(it / total, offset) for it in raised]

    def _calibrated(self, share: float, offset: float) -> float:
        share = min(1 - 1e-9, max(1e-9, share))
        return 1 / (1 + math.exp(-(self.slope * math.log(share / (1 - share)) + offset)))


@lru_cache(maxsize=8)
def fitted(kind: Kind) -> Weights:
    """The weights that come with the package, for one kind of query; `fitted_on` in their file names their data."""
    raw = _file()[kind]
    return named(raw["weights"]).with_line(raw.get("assuring", {}), **{it: raw[it] for it in LINE if it in raw})


def named(weights: Mapping[str, float]) -> Weights:
    """Weights given by names of features, or by two names with an asterisk between them; others are zero."""
    alone = tuple(weights.get(it, 0.0) for it in NAMES)
    products = ((name.partition(_TIMES), it) for name, it in weights.items() if _TIMES in name)
    return Weights(alone, tuple((NAMES.index(one), NAMES.index(other), it) for (one, _, other), it in products))


@lru_cache(maxsize=8)
def until(stage: Stage, kind: Kind) -> Weights:
    """The weights that are used at a stage: before any are fitted, the reciprocal ranks alone."""
    if stage < Stage.WEIGHTS:
        return named({"fused": 1.0})
    if stage >= Stage.PRIORS:
        return fitted(kind)
    last = fitted(kind).by_name()
    return named({name: it for name, it in last.items() if _PRIORS.isdisjoint(name.split(_TIMES))})


def fitted_on() -> str:
    """The data that the weights were fitted on, in words."""
    return "; ".join(dict.fromkeys(it["fitted_on"] for it in _file().values() if isinstance(it, dict)))


def nothing_fits() -> float:
    """The probability of a first candidate below which nothing is said to fit; fitted with the weights."""
    return float(_file()["nothing_fits"])


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return raw
