"""How sure a model says that it is of its choice, as a probability: as often as such choices were right.

Calibrated on the recorded answers in fixtures/models of a strong model at places with known works, by
tests/lab/certainties.py.  `citelsp eval model` counts how often each word of yours is right.
"""

from collections.abc import Mapping

MEANT: Mapping[str, float] = {"clear": 0.9, "likely": 0.65, "guess": 0.3}  # as prompts/system.md and choose.md say
CHANCES: Mapping[str, float] = {"clear": 0.93, "likely": 0.6, "guess": 0.37}
FITS = 0.5  # probability below which a model's choice is not taken: a wrong citation is worse than none
_SAME = {"certain": "clear", "sure": "clear", "high": "clear", "medium": "likely", "low": "guess", "unsure": "guess"}


def read_word(answer: object) -> str:
    """Return the word of MEANT that a model's own word stands for; "" if none."""
    plain = answer.strip().casefold() if isinstance(answer, str) else ""
    known = _SAME.get(plain, plain)
    return known if known in MEANT else ""


def read_chance(answer: object) -> float | None:
    """Return the probability that a model's word stands for; None if it said none."""
    return CHANCES.get(read_word(answer))


def is_doubtful(answer: object) -> bool:
    """Whether a model itself holds its choice for improbable."""
    return (found := read_chance(answer)) is not None and found < FITS
