"""The works that the dialog for citations has shown, which an editor names by the name that it was told."""

from collections.abc import Iterable, Sequence

from citelsp.base.footprint import MB, Shelf
from citelsp.features.values import name_of
from citelsp.knowledge import Candidate

_REMEMBERED, _MOST = 2000, 8 * MB  # works; with their abstracts


class ShownWorks:
    """By name, the latest last; and what was looked up, by the words that meant it."""

    def __init__(self) -> None:
        self._works: dict[str, Candidate] = {}
        self._looked_up: dict[str, Sequence[Candidate]] = {}
        self._shelf, self._asked = Shelf[str](_MOST, _REMEMBERED), Shelf[str](_MOST, _REMEMBERED)

    def show(self, works: Iterable[Candidate]) -> None:
        for candidate in works:
            name = name_of(candidate.record)
            self._works[name] = candidate
            for gone in self._shelf.put(name, candidate):
                del self._works[gone]

    def named(self, names: Iterable[str]) -> list[Candidate] | None:
        """The works, each once, in their order; None if one of them was not shown."""
        found = [self._works.get(it) for it in dict.fromkeys(names)]
        known = [it for it in found if it]
        return known if len(known) == len(found) else None

    def learn(self, words: str, works: Sequence[Candidate]) -> None:
        self._looked_up[words] = works
        for gone in self._asked.put(words, words, works):
            del self._looked_up[gone]

    def looked_up(self, words: str) -> Sequence[Candidate]:
        return self._looked_up.get(words, ())
