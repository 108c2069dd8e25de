"""Whether anything that was found fits a place: the only module that says so, and why not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citelsp.knowledge import Candidate, Suggestion

FITS = 0.18  # probability of the first work below which nothing is said to fit
_TOP = 3  # works of which one must meet what is asked if probabilities do not decide
_TOGETHER = 3  # works that are offered to be cited at once, at most


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a decision rests on beside the candidates."""

    nothing: str  # why there is no candidate, if there is none
    least: float = FITS
    meets: Callable[[Candidate], bool] | None = None  # whether a work holds enough of what is asked
    calibrated: bool = True  # whether probabilities alone decide, if there are any
    asked: str = "this sentence"
    improbable: str = "nothing fits, as the nearest work is improbable"


def decide(candidates: Sequence[Candidate], grounds: Grounds, *, most: int = _TOGETHER) -> Suggestion:
    """The suggestion of ranked works, best first; it abstains if none of them fits, and says why.

    At most `most` of the first are to be cited together.
    """
    reason = _doubt(candidates, grounds)
    together = 1 if reason else min(most, _joint([it.probability or 0.0 for it in candidates], grounds.least))
    return Suggestion(tuple(candidates), abstained=bool(reason), reason=reason, together=together)


def chosen(
    candidates: Sequence[Candidate], refusal: str, remark: str, *, further: bool, together: int = 1
) -> Suggestion:
    """The suggestion of a search that chose by itself: the first candidates, unless it gave a refusal."""
    return Suggestion(
        tuple(candidates),
        abstained=bool(refusal) or not candidates,
        reason="; ".join(filter(None, (refusal, remark))),
        further=further,
        together=1 if refusal else together,
    )


def _doubt(candidates: Sequence[Candidate], grounds: Grounds) -> str:
    if not candidates:
        return grounds.nothing
    first = candidates[0].probability
    if first is not None and (first >= grounds.least or grounds.calibrated):
        return "" if first >= grounds.least else grounds.improbable
    if grounds.meets is None or any(map(grounds.meets, candidates[:_TOP])):
        return ""
    return f"no work found shares enough words with {grounds.asked}" if first is None else grounds.improbable


def _joint(chances: Sequence[float], least: float) -> int:
    """How many of the first works fit, each given that those before it are cited already and so are out of question."""
    left = 1.0
    for count, chance in enumerate(chances):
        # What the first works left is for all others: the next must be as likely as a first would have to be.
        if chance < least * left or left <= 0:
            return max(1, count)
        left -= chance
    return max(1, len(chances))
