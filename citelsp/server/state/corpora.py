"""The corpora that the server has open."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citelsp.corpus.index import Corpus


class Corpora:
    """The corpora that were opened, by directory; used by the worker thread alone, but for `problems`."""

    def __init__(self) -> None:
        self._open: dict[Path, Corpus] = {}
        self._reported: set[str] = set()
        self.problems: list[str] = []  # for the author, until told

    def at(self, directory: Path) -> "Corpus | None":
        """The corpus in a directory; None if there is none, or none that can be read."""
        from citelsp.corpus.index import Corpus
        from citelsp.corpus.store import CorpusError

        if directory not in self._open and directory.is_dir():
            try:
                self._open[directory] = Corpus(directory)
            except CorpusError as error:
                problem = f"The corpus is left out: {error}"
                # Every list asks for the corpus; the author should read once what is wrong with it.
                if problem not in self._reported:
                    self._reported.add(problem)
                    self.problems.append(problem)
        return self._open.get(directory)
