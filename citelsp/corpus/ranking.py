"""The second stage: a weighted sum of features, and how probable it makes each work."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any

from citelsp.corpus.features import NAMES
from citelsp.corpus.pool import Stage
from citelsp.corpus.query import Kind

_PRIORS = {"recent", "age"}  # features that look at no word of the place


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted ranking: features in the order of features.NAMES; how log odds become calibrated log odds."""

    weights: tuple[float, ...]
    slope: float = 1.0
    offset: float = 0.0

    def score(self, row: Sequence[float]) -> float:
        return math.fsum(map(mul, self.weights, row))

    def probabilities(self, scores: Sequence[float]) -> list[float]:
        """That each work is the one meant: the softmax of the scores, calibrated."""
        if not scores:
            return []
        top = max(scores)
        raised = [math.exp(it - top) for it in scores]
        total = sum(raised)
        return [self._calibrated(it / total) for it in raised]

    def _calibrated(self, share: float) -> float:
        share = min(1 - 1e-9, max(1e-9, share))
        return 1 / (1 + math.exp(-(self.slope * math.log(share / (1 - share)) + self.offset)))


@lru_cache(maxsize=8)
def fitted(kind: Kind) -> Weights:
    """The weights that come with the package, for one kind of query; `fitted_on` in their file names their data."""
    raw = _file()[kind]
    return Weights(tuple(raw["weights"].get(it, 0.0) for it in NAMES), raw["slope"], raw["offset"])


@lru_cache(maxsize=8)
def until(stage: Stage, kind: Kind) -> Weights:
    """The weights that are used at a stage: before any are fitted, the reciprocal ranks alone."""
    if stage < Stage.WEIGHTS:
        return Weights(tuple(float(it == "fused") for it in NAMES))
    last = fitted(kind)
    if stage >= Stage.PRIORS:
        return last
    kept = (0.0 if name in _PRIORS else it for name, it in zip(NAMES, last.weights, strict=True))
    return replace(last, weights=tuple(kept))


def fitted_on() -> str:
    """The data that the weights were fitted on, in words."""
    return str(_file()["fitted_on"])


def nothing_fits() -> float:
    """The probability of a first candidate below which nothing is said to fit; fitted with the weights."""
    return float(_file()["nothing_fits"])


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return raw
