"""Metrics of ranked answers (CiteRAG's definitions), and how sure a mean of them is.

A ranking is a sequence of ids, best first; gold is the set of right ids.  All values lie between 0 and 1, but
for entropy, and PACA of several right works.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

Ranking = Sequence[Hashable]
Gold = Collection[Hashable]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        return self.low > 0 or self.high < 0


def recall(ranking: Ranking, gold: Gold, k: int) -> float:
    """|first k ∩ gold| / |gold|; 0 if nothing is gold."""
    return len(set(ranking[:k]) & set(gold)) / len(set(gold)) if gold else 0.0


def hit(ranking: Ranking, gold: Gold, k: int) -> float:
    return float(any(it in gold for it in ranking[:k]))


def reciprocal_rank(ranking: Ranking, gold: Gold, k: int) -> float:
    """1 / rank of the first gold id, 0 beyond k."""
    return next((1 / rank for rank, it in enumerate(ranking[:k], 1) if it in gold), 0.0)


def ndcg(ranking: Ranking, relevance: Mapping[Hashable, float], k: int) -> float:
    """DCG / ideal DCG with gain (2^rel − 1) / log2(rank + 1)."""
    gained = _dcg([relevance.get(it, 0.0) for it in ranking[:k]])
    ideal = _dcg(sorted(relevance.values(), reverse=True)[:k])
    return gained / ideal if ideal else 0.0


def _dcg(relevances: Sequence[float]) -> float:
    return sum((2**it - 1) / math.log2(rank + 1) for rank, it in enumerate(relevances, 1))


def paca(ranking: Ranking, gold: Gold, k: int) -> float:
    """Σ over the gold ids in the first k of 1 − (rank − 1) / k.  Its mean counts every marker, misses as 0."""
    return sum(1 - (rank - 1) / k for rank, it in enumerate(ranking[:k], 1) if it in gold)


def entropy(categories: Sequence[Hashable]) -> float:
    """Diversity of a predicted list, in bits: −Σ p log2 p over the shares of its research categories."""
    total = len(categories)
    return -sum(n / total * math.log2(n / total) for n in Counter(categories).values()) if total else 0.0


def hallucination_rate(predicted: Sequence[Hashable], exists: Callable[[Hashable], bool]) -> float:
    """The share of predictions that cannot be verified to exist."""
    return sum(not exists(it) for it in predicted) / len(predicted) if predicted else 0.0


def calibration_error(probabilities: Sequence[float], right: Sequence[bool], bins: int = 10) -> float:
    """Expected calibration error over equal bins of probability."""
    grouped = group_by_bin(probabilities, right, bins).values()
    gaps = (abs(sum(p for p, _ in answers) - sum(c for _, c in answers)) for answers in grouped)
    return sum(gaps) / len(right) if right else 0.0


def discrimination(probabilities: Sequence[float], right: Sequence[bool]) -> float:
    """Return the area under the ROC curve: how often a right answer has more probability than a wrong one.

    It is a share of all pairs of a right and a wrong answer, in which ties count half; 0 if there is no pair.
    """
    by_probability = sorted(zip(probabilities, right, strict=True))
    right_answers = sum(right)
    wrong_below = 0.0  # wrong answers of less probability, so far
    pairs_won = 0.0
    for _, tied in groupby(by_probability, key=itemgetter(0)):
        are_right = [is_right for _, is_right in tied]
        right_here = sum(are_right)
        wrong_here = len(are_right) - right_here
        pairs_won += right_here * (wrong_below + wrong_here / 2)
        wrong_below += wrong_here
    return pairs_won / (right_answers * wrong_below) if right_answers and wrong_below else 0.0


def error_by_chance(probabilities: Sequence[float], *, rounds: int = 1000, seed: int = 0) -> Interval:
    """The calibration error that so many honest answers have: each is right with the very probability stated."""
    drawn = random.Random(seed)  # noqa: S311 - not for secrets
    errors = sorted(
        calibration_error(probabilities, [drawn.random() < it for it in probabilities]) for _ in range(rounds)
    )
    return Interval(sum(errors) / rounds, errors[int(0.025 * rounds)], errors[int(0.975 * rounds) - 1])


def group_by_bin(
    probabilities: Sequence[float], right: Sequence[bool], bins: int = 10
) -> dict[int, list[tuple[float, bool]]]:
    """Answers by the bin of their probability."""
    found: dict[int, list[tuple[float, bool]]] = {}
    for probability, correct in zip(probabilities, right, strict=True):
        found.setdefault(min(bins - 1, int(probability * bins)), []).append((probability, correct))
    return found


def estimate_mean(
    values: Sequence[float], clusters: Sequence[Hashable], *, rounds: int = 1000, seed: int = 0
) -> Interval:
    """Return the mean of values with its 95 % interval, by the bootstrap over whole clusters.

    Each value has its cluster at the same position: questions from one paper are not independent, so they are drawn
    together.  As many clusters as there are are drawn `rounds` times, and may be drawn more than once; the interval
    leaves out the lowest and the highest 2.5 % of the means.  `seed` makes each call draw the same.
    """
    if len(set(values)) < 2:  # every sample would have the same mean
        mean = values[0] if values else 0.0
        return Interval(mean, mean, mean)
    sum_and_count: dict[Hashable, tuple[float, int]] = {}  # by cluster
    for value, cluster in zip(values, clusters, strict=True):
        total, count = sum_and_count.get(cluster, (0.0, 0))
        sum_and_count[cluster] = (total + value, count + 1)
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    groups = list(sum_and_count.values())
    means = []
    for _ in range(rounds):
        sample = chance.choices(groups, k=len(groups))
        means.append(sum(total for total, _ in sample) / sum(count for _, count in sample))
    means.sort()
    return Interval(sum(values) / len(values), means[int(0.025 * rounds)], means[int(0.975 * rounds) - 1])


def wilson(count: int, total: int) -> Interval:
    """A share and its 95 % interval by Wilson, which holds for rare events too, if they are independent."""
    if not total:
        return Interval(0.0, 0.0, 1.0)
    share = count / total
    z = 1.96
    middle = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + (z / (2 * total)) ** 2)
    scale = 1 + z * z / total
    return Interval(share, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def paired_difference(
    ours: Sequence[float], theirs: Sequence[float], clusters: Sequence[Hashable], *, rounds: int = 1000, seed: int = 0
) -> Interval:
    """The mean of ours minus theirs, query by query, and its interval."""
    differences = [it - other for it, other in zip(ours, theirs, strict=True)]
    return estimate_mean(differences, clusters, rounds=rounds, seed=seed)
