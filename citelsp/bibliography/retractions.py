"""Which notices say that nobody should cite a work any more: a correction, or an expression of concern, does not."""

from collections.abc import Iterable

from citelsp.bibliography.record import Update

_KINDS = frozenset({"retraction", "withdrawal", "removal"})


def is_retraction(notice: Update) -> bool:
    """True if the work of this notice was retracted, withdrawn or removed."""
    return notice.kind in _KINDS


def find_retractions(notices: Iterable[Update]) -> list[Update]:
    """Return those of the notices that retract the work, in their order."""
    return list(filter(is_retraction, notices))
