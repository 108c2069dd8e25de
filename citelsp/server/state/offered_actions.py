"""Code actions between the offer and the request for their edits."""

from citelsp.features.code_actions import CodeAction
from citelsp.server.wire.places import Moment

_REMEMBERED = 200


class Offered:
    """The actions offered last, until their edits are asked for."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Moment, CodeAction]] = {}
        self._next = 0

    def keep(self, at: Moment, action: CodeAction) -> int:
        self._next += 1
        self._known[self._next] = at, action
        while len(self._known) > _REMEMBERED:
            del self._known[next(iter(self._known))]
        return self._next

    def of(self, number: object) -> tuple[Moment, CodeAction] | None:
        return self._known.get(number) if isinstance(number, int) else None
