"""The lists that authors are offered; each is made anew as soon as anything that it is made of has changed."""

from dataclasses import dataclass
from weakref import ref

from citelsp.base.footprint import MB, Shelf
from citelsp.knowledge import Answers, Lists, Suggestion
from citelsp.workspace.project import Project, Source

_REMEMBERED, _MOST = 300, 4 * MB  # lists; with their abstracts


@dataclass(frozen=True, slots=True)
class Basis:
    """What the list of a question is made of: its bibliographies, the corpus, what came from outside."""

    entries: tuple["ref[Source]", ...]
    corpus: int  # its generation, -1 if there is none
    answers: Answers

    @classmethod
    def of(cls, project: Project, corpus: int, answers: Answers) -> "Basis":
        return cls(tuple(map(ref, project.defining)), corpus, answers)


class Listed:
    """The lists made last, by question."""

    def __init__(self) -> None:
        self.shown: Lists = {}  # never changed, only replaced: answers in other threads hold it
        self._bases: dict[str, Basis] = {}
        self._shelf = Shelf[str](_MOST, _REMEMBERED)

    def known(self, question: str, basis: Basis) -> Suggestion | None:
        """The list, if it is still made of the same."""
        return self.shown.get(question) if self._bases.get(question) == basis else None

    def keep(self, question: str, basis: Basis, suggestion: Suggestion) -> None:
        # A copy: answers in other threads go on reading the one that they hold.
        shown = {**self.shown, question: suggestion}
        self._bases[question] = basis
        for oldest in self._shelf.put(question, suggestion):
            del shown[oldest], self._bases[oldest]
        self.shown = shown
