"""How much speaks for each work at a place, from what was read: features, their weights, a calibrated probability.

What is unknown never counts: a work without a text gets the mean of those that have one.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citelsp.agent.environment import Desk, Environment
from citelsp.agent.quotes import Rarity
from citelsp.bibliography.fold import fold
from citelsp.corpus.fitted_weights import scale_odds
from citelsp.corpus.words import stems
from citelsp.knowledge import Candidate

NAMES = ("prior", "cover_clause", "cover_manuscript", "pairs", "cited_by_near", "found", "author")
_OF_TEXT = slice(1, 4)  # of NAMES, the features that only a text can show
_BY_LENGTH = NAMES.index("cover_manuscript")  # which grows with a text's length
_LEAST_CHANCE = 0.002  # probability of a work that the corpus says nothing of
_HIGHEST_CHANCE = 0.999  # the largest probability that counts


@dataclass(frozen=True, slots=True)
class Weights:
    values: Sequence[float]  # in the order of NAMES
    slope: float  # from log odds among the works weighed to calibrated log odds
    offset: float


# Fitted listwise beside the prior, signs held, on 1,554 contexts with known works.
# Their slope is less than the likeliest (0.69), so that of what is called four in five at most one in ten is wrong.
FITTED = Weights((1.0, 0.64, 1.36, 0.35, 0.44, 19.3, 0.44), 0.65, -0.80)
# Where no manuscript is known what is read counts less: a question's words tell less. Calibrated on 527 questions.
QUESTION = Weights((1.0, 0.40, 0.95, 0.26, 0.63, 14.5, 0.28), 0.75, -0.46)


def weigh_works(
    environment: Environment, desk: Desk, priors: Mapping[str, float | None], links: Mapping[str, int]
) -> dict[str, float]:
    """Compute by handle the probability that each work is the one meant: a softmax of weighted features, calibrated.

    `priors`: the handles of the works to weigh, with the probability that the corpus gave each, None if it did not find
    it; `links`: by handle, how many of the works whose references were followed cite it.  Calibrated means that of
    works with a probability of 0.8 four in five were meant where the weights were fitted.  `desk` has the works by
    handle, with what was read of them.
    """
    rows = make_feature_rows(environment, desk, priors, links)
    weights = FITTED if environment.question.title else QUESTION  # without a title no manuscript is known
    scores = [sum(map(float.__mul__, weights.values, row)) for row in rows]
    if not scores:
        return {}
    exponentials = [math.exp(it - max(scores)) for it in scores]  # less the largest, so that none overflows
    total = sum(exponentials)
    chances = {}
    for handle, exponential in zip(priors, exponentials, strict=True):
        if_there = _calibrate(exponential / total, weights)  # if the corpus has the work meant
        # As in the list that an editor gets at once: a corpus that has little of what is cited may lack the work meant.
        # `scale_odds` multiplies the odds of a probability.
        chances[handle] = scale_odds(if_there, _find_coverage(environment, desk.works[handle]))
    return chances


def _find_coverage(environment: Environment, work: Candidate) -> float:
    """Return the coverage of the corpus on this machine for a work of it, above 0; 1 for what others have."""
    return environment.coverage if work.record.source == "corpus" else 1.0


def covered_share(environment: Environment, work: Candidate) -> float:
    """Measure which share of the hint's or the sentence's rarity title, abstract and authors hold: the larger one."""
    record = work.record
    query = environment.query
    rarity = environment.rarity
    families = " ".join(it.family for it in record.authors)
    present = stems(f"{record.title} {record.abstract} {families}")
    hint = dict.fromkeys(stems(environment.question.hint))
    return max(_measure_share(hint, present, rarity), _measure_share(query.view("sentence"), present, rarity))


def _calibrate(share: float, weights: Weights) -> float:
    share = min(1 - 1e-6, max(1e-6, share))
    return 1 / (1 + math.exp(-(weights.slope * math.log(share / (1 - share)) + weights.offset)))


def make_feature_rows(
    environment: Environment, desk: Desk, priors: Mapping[str, float | None], links: Mapping[str, int]
) -> list[list[float]]:
    """Make one row of numbers for each work of `priors`, which say how well it fits the place; in the order of NAMES.

    `priors`: by handle, the probability that the corpus gave each work, None if it did not find it; `links`: how many
    of the works whose references were followed cite it.  A work without a text gets no lower numbers for that reason.
    """
    query = environment.query
    rarity = environment.rarity
    clause = query.view("clause")
    manuscript = query.view("manuscript")
    rows = []
    for handle, prior in priors.items():
        record = desk.works[handle].record
        quotes = [passage.quote for passage in desk.texts.get(handle, ())]
        present = stems(". ".join((record.title, record.abstract, *quotes)))
        # A work that the corpus did not find gets the least chance; 0 and 1 have no finite log odds.
        # The weights were fitted beside probabilities as they are in a corpus that has the work meant.
        if_there = scale_odds(prior, 1 / _find_coverage(environment, desk.works[handle])) if prior else _LEAST_CHANCE
        chance = min(_HIGHEST_CHANCE, max(_LEAST_CHANCE, if_there))
        shared_bigrams = query.close_bigrams & set(pairwise(present))
        named_people = sum(fold(name.family) in query.names for name in record.authors[:2])
        rows.append(
            [
                math.log(chance / (1 - chance)),
                _measure_share(clause, present, rarity),  # of the words right before the place
                _measure_share(manuscript, present, rarity),  # of the words of the manuscript's title
                math.log1p(len(shared_bigrams)),
                math.log1p(links.get(handle, 0)),
                desk.seen.get(handle, 0.0),  # how often and how far up searches had it
                float(named_people),  # of its first two authors
            ]
        )
    silent = [not desk.works[handle].record.abstract and not desk.texts.get(handle) for handle in priors]
    return _even_out_texts(rows, silent)


def _even_out_texts(rows: list[list[float]], silent: Sequence[bool]) -> list[list[float]]:
    """Change the rows so that a missing text does not count against a work; return them.

    In the features that only a text can show (_OF_TEXT), works without a text get at least the mean of the others.  The
    feature that grows with a text's length (_BY_LENGTH) becomes the mean for all works with a text, so that a longer
    text is no advantage.  `silent` says of each row whether its work has no text.
    """
    with_text = [row for row, is_silent in zip(rows, silent, strict=True) if not is_silent]
    if not with_text:
        return rows
    for column in range(len(NAMES))[_OF_TEXT]:
        mean = sum(row[column] for row in with_text) / len(with_text)
        for row, is_silent in zip(rows, silent, strict=True):
            if is_silent:
                row[column] = max(row[column], mean)
            elif column == _BY_LENGTH:
                row[column] = mean
    return rows


def _measure_share(sought: Collection[str], present: Sequence[str], rarity: Rarity) -> float:
    """Measure the share of a question's rarity that a text's stems hold: 0 to 1."""
    known = set(present)
    total = sum(rarity(it) for it in sought)
    return sum(rarity(it) for it in sought if it in known) / total if total else 0.0
