"""Whether anything that was found fits a place: the only module that says so, and why not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citelsp.knowledge import Candidate, Suggestion

FITS = 0.18  # probability of the first work below which nothing is said to fit
_LOOKED_AT = 3  # works of which one must meet what is asked if probabilities do not decide
_MOST_TOGETHER = 3  # works that are offered to be cited at once


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a decision rests on beside the candidates."""

    nothing: str  # why there is no candidate, if there is none
    least: float = FITS
    meets: Callable[[Candidate], bool] | None = None  # whether a work holds enough of what is asked
    calibrated: bool = True  # whether probabilities alone decide, if there are any
    asked: str = "this sentence"
    improbable: str = "nothing fits, as the nearest work is improbable"


def decide(candidates: Sequence[Candidate], grounds: Grounds, *, most: int = _MOST_TOGETHER) -> Suggestion:
    """The suggestion of ranked works, best first; it abstains if none of them fits, and says why.

    At most `most` of the first are to be cited together.
    """
    reason = _doubt(candidates, grounds)
    together = 1
    if not reason:
        chances = [candidate.probability or 0.0 for candidate in candidates]
        together = min(most, _count_fitting_together(chances, grounds.least))
    return Suggestion(tuple(candidates), abstained=bool(reason), reason=reason, together=together)


def suggest_chosen(
    candidates: Sequence[Candidate], refusal: str, remark: str, *, further: bool, together: int = 1
) -> Suggestion:
    """The suggestion of a search that chose by itself; it abstains if the search refused, or has no candidate.

    `refusal`: why nothing fits, "" if it chose; `remark`: what else the author should know, behind it.  `further`: more
    may fit, so the search can go on.  `together`: so many of the first were chosen to be cited at once.
    """
    return Suggestion(
        tuple(candidates),
        abstained=bool(refusal) or not candidates,
        reason="; ".join(filter(None, (refusal, remark))),
        further=further,
        together=1 if refusal else together,
    )


def _doubt(candidates: Sequence[Candidate], grounds: Grounds) -> str:
    """Return why nothing is said to fit, in words for people; "" if something does.

    The first candidate fits if its probability is `grounds.least` or more.  If probabilities are not calibrated, or
    there are none, it is enough that one of the first _LOOKED_AT candidates has enough of the words asked for
    (`grounds.meets`; None if that cannot be told).
    """
    if not candidates:
        return grounds.nothing
    probability = candidates[0].probability
    if probability is not None and probability >= grounds.least:
        return ""
    if probability is not None and grounds.calibrated:
        return grounds.improbable
    # Without probabilities that mean something the words decide; if these cannot be judged, nothing speaks against it.
    if grounds.meets is None or any(map(grounds.meets, candidates[:_LOOKED_AT])):
        return ""
    if probability is None:
        return f"no work found shares enough words with {grounds.asked}"
    return grounds.improbable


def _count_fitting_together(chances: Sequence[float], least: float) -> int:
    """Return how many of the first works may be cited together; 1 at least, as the caller knows that the first fits.

    `chances` are the probabilities of the works, best first; `least` is what the first one needs to fit.  Each next
    work is judged as the first would be if those before it, which are cited then, were not there.
    """
    remaining = 1.0  # the probability that it is none of the works before
    for count, chance in enumerate(chances):
        # Among the works that remain, the next must be as likely as a first would have to be.
        if chance < least * remaining or remaining <= 0:
            return max(1, count)
        remaining -= chance
    return max(1, len(chances))
