"""How sure a model says that it is of its choice, as a probability: what its instructions say that the words mean.

Nothing here is fitted: no answers of a model at places with known works were recorded.  The nearest record is of a
strong model that had no word for its doubt: right in 38 of 40 choices if it could search at will, and in 6 of at most
18 if the right work was missing at 12 of 20 places.  `citelsp eval model` counts how often each word of yours is right.
"""

from collections.abc import Mapping

CHANCES: Mapping[str, float] = {"clear": 0.9, "likely": 0.65, "guess": 0.3}  # as prompts/system.md and pick.md say
FITS = 0.5  # probability below which a model's choice is not taken: a wrong citation is worse than none
_SAME = {"certain": "clear", "sure": "clear", "high": "clear", "medium": "likely", "low": "guess", "unsure": "guess"}


def chance(word: object) -> float | None:
    """The probability that a model's word stands for; None if it said none."""
    plain = word.strip().casefold() if isinstance(word, str) else ""
    return CHANCES.get(_SAME.get(plain, plain))
