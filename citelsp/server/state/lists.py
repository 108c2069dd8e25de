"""The lists that authors are offered, each made anew once anything that it is made of has changed; and open corpora."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import ref

from citelsp.base.footprint import MB, Shelf
from citelsp.base.settings import Settings
from citelsp.knowledge import Answers, Lists, Suggestion
from citelsp.workspace.project import Project
from citelsp.workspace.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from citelsp.corpus.index import Corpus
    from citelsp.workspace.source import Source

T = TypeVar("T")
_REMEMBERED = 300  # lists
_MOST = 4 * MB  # that they take, with the abstracts of their works
_NO_CORPUS = -1  # as a generation


@dataclass(frozen=True, slots=True)
class Basis:
    """What the list of a question is made of: its bibliographies, the corpus, what came from outside."""

    entries: tuple["ref[Source]", ...]
    corpus: int  # its generation, which changes with its contents
    answers: Answers

    @classmethod
    def of_project(cls, project: Project, corpus: "Corpus | None", answers: Answers) -> "Basis":
        generation = corpus.generation if corpus else _NO_CORPUS
        return cls(tuple(map(ref, project.defining)), generation, answers)


class Listed:
    """The lists made last, by question."""

    def __init__(self) -> None:
        self.shown: Lists = {}  # never changed, only replaced: answers in other threads hold it
        self.asked: dict[str, tuple[Question, Settings]] = {}  # what each is the list of; they name the corpus
        self._bases: dict[str, Basis] = {}
        self._shelf = Shelf[str](_MOST, _REMEMBERED)

    def known(self, question: str, basis: Basis) -> Suggestion | None:
        """Return the list of a question if it was made of this `basis`; None if not, or if there is none."""
        return self.shown.get(question) if self._bases.get(question) == basis else None

    def keep(self, question: Question, settings: Settings, basis: Basis, suggestion: Suggestion) -> None:
        """Remember a list as the latest, with what it is made of; the oldest ones are forgotten for it."""
        # A copy: answers in other threads go on reading the one that they hold.
        shown = {**self.shown, question.key: suggestion}
        self._bases[question.key] = basis
        self.asked[question.key] = (question, settings)
        # `put` returns the keys for which there is no room any more, never this one.
        for oldest in self._shelf.put(question.key, question, suggestion):
            del shown[oldest]
            del self._bases[oldest]
            del self.asked[oldest]
        self.shown = shown


class Corpora:
    """The corpora that were opened, by directory; used by the worker thread alone, but for `problems`."""

    def __init__(self) -> None:
        self._open: dict[Path, Corpus] = {}
        self._asked: tuple[Settings, Path] | None = None  # where the corpus of the settings asked last is
        self._reported: set[str] = set()
        self._damaged: dict[Path, int] = {}  # by the inode of the directory: one that was made anew is asked again
        self.problems: list[str] = []  # for the author, until told

    def corpus_of(self, settings: Settings) -> "Corpus | None":
        """The user's corpus; None if there is none, or none that can be read, which is added to `problems`."""
        from citelsp.corpus.index import default_path

        # Remembered, as every list asks.
        if not self._asked or self._asked[0] is not settings:
            self._asked = settings, default_path(settings)
        _, directory = self._asked
        return self._open_corpus(directory)

    def use(self, settings: Settings, ask: "Callable[[Corpus | None], T]") -> T:
        """Return what `ask` answers of the user's corpus; a damaged one is left out, and `ask` then asked with None."""
        from citelsp.corpus.store import CorpusError

        corpus = self.corpus_of(settings)
        try:
            return ask(corpus)
        except CorpusError as error:
            self.leave_out(settings, error)
            return ask(None)

    def leave_out(self, settings: Settings, error: Exception) -> None:
        """Ask the user's corpus no more until it is made anew, and have the author told why."""
        from citelsp.corpus.index import default_path

        directory = default_path(settings)
        corpus = self._open.pop(directory, None)
        if corpus:
            corpus.close()
        self._damaged[directory] = _inode(directory)
        self._report(f"The corpus is left out: {error}")

    def _open_corpus(self, directory: Path) -> "Corpus | None":
        """Return the corpus in this directory, opened at the first call; None if it is missing, damaged or unreadable.

        One that broke before (`leave_out` noted it in `_damaged` and told the author) is passed over silently; if one
        cannot be opened, the author is told here.
        """
        from citelsp.corpus.index import Corpus
        from citelsp.corpus.store import CorpusError

        # A corpus that was made anew has another inode, and is tried again.
        is_damaged = directory in self._damaged and self._damaged[directory] == _inode(directory)
        if not is_damaged and directory not in self._open and directory.is_dir():
            try:
                self._open[directory] = Corpus(directory)
            except CorpusError as error:
                self._report(f"The corpus is left out: {error}")
        return self._open.get(directory)

    def _report(self, problem: str) -> None:
        # Every list asks for the corpus; the author should read once what is wrong with it.
        if problem not in self._reported:
            self._reported.add(problem)
            self.problems.append(problem)


def _inode(corpus: Path) -> int:
    """The inode of a corpus's word index; 0 if there is none."""
    from citelsp.corpus.index import words_directory

    try:
        return words_directory(corpus).stat().st_ino
    except OSError:
        return 0
