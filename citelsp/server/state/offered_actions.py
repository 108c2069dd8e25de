"""Code actions between the offer and the request for their edits."""

from collections.abc import Mapping
from dataclasses import dataclass

from citelsp.features.code_actions import CodeAction
from citelsp.knowledge import Lists
from citelsp.server.state.projects import Moment

_REMEMBERED = 200  # actions


@dataclass(frozen=True, slots=True)
class OfferedAction:
    """An action, and of the moment of its offer what its edits need; the texts of then would be as many as keys."""

    action: CodeAction
    uri: str  # of the document
    versions: Mapping[str, int]
    lists: Lists


class Offered:
    """The actions offered last, until their edits are asked for."""

    def __init__(self) -> None:
        self._known: dict[int, OfferedAction] = {}
        self._next = 0

    def keep(self, moment: Moment, action: CodeAction) -> int:
        """Remember an action as the latest; the number by which it is known."""
        self._next += 1
        self._known[self._next] = OfferedAction(
            action, moment.places.uri(moment.path), moment.places.versions, moment.lists
        )
        while len(self._known) > _REMEMBERED:
            oldest = next(iter(self._known))
            del self._known[oldest]
        return self._next

    def action_of(self, number: object) -> OfferedAction | None:
        return self._known.get(number) if isinstance(number, int) else None
