"""The works that the dialog for citations has shown, which an editor names by the name that it was told."""

from collections.abc import Iterable, Sequence

from citelsp.base.footprint import MB, Shelf
from citelsp.features.values import name_of
from citelsp.knowledge import Candidate

_REMEMBERED = 2000  # works
_MOST = 8 * MB  # that they take, with their abstracts


class ShownWorks:
    """By name, the latest last; and what was looked up, by the words that meant it."""

    def __init__(self) -> None:
        self._works: dict[str, Candidate] = {}
        self._looked_up: dict[str, Sequence[Candidate]] = {}
        self._names = Shelf[str](_MOST, _REMEMBERED)
        self._words = Shelf[str](_MOST, _REMEMBERED)

    def show(self, works: Iterable[Candidate]) -> None:
        """Remember works that are shown; the oldest ones are forgotten for them."""
        for candidate in works:
            name = name_of(candidate.record)
            self._works[name] = candidate
            for forgotten in self._names.put(name, candidate):
                del self._works[forgotten]

    def named(self, names: Iterable[str]) -> list[Candidate] | None:
        """The works, each once, in their order; None if one of them was not shown, or is forgotten."""
        works = []
        for name in dict.fromkeys(names):
            if name not in self._works:
                return None
            works.append(self._works[name])
        return works

    def learn(self, words: str, works: Sequence[Candidate]) -> None:
        """Remember which works these words meant."""
        self._looked_up[words] = works
        for forgotten in self._words.put(words, words, works):
            del self._looked_up[forgotten]

    def looked_up(self, words: str) -> Sequence[Candidate]:
        return self._looked_up.get(words, ())
