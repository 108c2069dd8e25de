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
    hashes: Mapping[str, int]  # of the texts that its edits count in, by path
    lists: Lists

    def is_outdated(self, now: Moment) -> bool:
        """True if a document that the action edits reads otherwise by now, be it open or a file on disk."""
        return any(_hash_text(now, path) != text_hash for path, text_hash in self.hashes.items())


class Offered:
    """The actions offered last, until their edits are asked for."""

    def __init__(self) -> None:
        self._known: dict[int, OfferedAction] = {}
        self._next = 0

    def keep(self, moment: Moment, action: CodeAction) -> int:
        """Remember an action as the latest; the number by which it is known."""
        self._next += 1
        edited_paths = {edit.path for edit in action.change.edits} if action.change else ()
        hashes = {path: _hash_text(moment, path) for path in edited_paths}
        self._known[self._next] = OfferedAction(action, moment.places.uri(moment.path), hashes, moment.lists)
        while len(self._known) > _REMEMBERED:
            oldest = next(iter(self._known))
            del self._known[oldest]
        return self._next

    def action_of(self, number: object) -> OfferedAction | None:
        return self._known.get(number) if isinstance(number, int) else None


def _hash_text(moment: Moment, path: str) -> int:
    """The hash of a document's text, which Python works out once for each text; that of "" if it is not there."""
    source = moment.project.source(path)
    return hash(source.document.text if source else "")
