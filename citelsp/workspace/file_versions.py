"""Whether files are as they were: what was made of them is given again for so long, by the name that each goes by.

Looked at on each use: Neovim on Linux watches no files, and nobody else tells of a change.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from citelsp.workspace.disk import Stamp

B = TypeVar("B")
T = TypeVar("T")

_MOST_ANSWERS = 4  # each may hold all documents of a project


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was answered, and what that rests on."""

    value: Any
    basis: Any
    seen: dict[str, Stamp | None]  # every file that had a say in it, those that were not there too


class Stamps:
    """The stamps of files, and answers that rest on them."""

    def __init__(self, look: Callable[[str], Stamp | None]) -> None:
        self._look = look
        self._seen: dict[str, Stamp | None] = {}
        self._answers: dict[str, _Answer] = {}
        self._first_name: dict[tuple[int, int], str] = {}
        self._opened: dict[tuple[int, int], str] = {}

    def stamp_of(self, path: str) -> Stamp | None:
        """Return the stamp of a file; None if there is no regular file.

        It is noted for the question that is being asked (`answer`), which rests on it.
        """
        stamp = self._look(path)
        self._seen.setdefault(path, stamp)  # of a file that changes meanwhile the first, so that it is looked at again
        return stamp

    def answer(
        self,
        question: str,
        basis: B,
        ask: Callable[[], T],
        carry: Callable[[T, B, B], T | None],
        trusted: Callable[[str], bool],
    ) -> T:
        """Return what `ask()` answers, or its answer from before if every file that it looked at is as it was.

        The answer is cached under `question`.  A file's stamp is its time, size and inode; None if there is no file.
        `basis` is what the answer rests on besides files.  If only this has changed, `carry(answer, old_basis, basis)`
        makes the new answer from the old one; if it gives None, as it cannot, `ask()` is called.  An answer is cached
        only if `trusted(path)` is true, of all files looked at, that they cannot change without a new stamp.
        """
        value: T | None = None
        seen: dict[str, Stamp | None] = {}
        # Taken out, it comes behind the others if it is put in again: the first one was asked for longest ago.
        cached = self._answers.pop(question, None)
        if cached and all(self._look(path) == stamp for path, stamp in cached.seen.items()):
            seen = cached.seen  # `carry` looks at no file: what it makes rests on the same ones
            value = cached.value if cached.basis == basis else carry(cached.value, cached.basis, basis)
        if value is None:
            self._seen = {}  # `ask` looks at files by `stamp_of`, which fills it
            value = ask()
            seen = self._seen
            self._seen = {}
        if all(map(trusted, seen)):
            self._answers[question] = _Answer(value, basis, seen)
        while len(self._answers) > _MOST_ANSWERS:
            oldest = next(iter(self._answers))
            del self._answers[oldest]
        return value

    def forget(self) -> None:
        """Something else changed that answers rest on, such as what a folder holds."""
        self._answers.clear()

    def rename(self, opened: Iterable[str]) -> None:
        """Forget the names of files, as files came or went; `opened` are the paths of the documents in the editor."""
        self.forget()
        self._first_name.clear()
        self._opened = {}
        for path in opened:
            stamp = self._look(path)
            if stamp and stamp.inode:
                self._opened[_file_of(stamp)] = path

    def name_of(self, path: str, stamp: Stamp) -> str:
        """Return the path under which this file is known, as several may lead to it by links.

        That is the path in the editor, else the one by which the file was first read.
        """
        # Some file systems on Windows number no files; then each name counts as a file of its own.
        if stamp.inode == 0:
            return path
        file = _file_of(stamp)
        opened = self._opened.get(file)
        if opened:
            return opened
        first = self._first_name.setdefault(file, path)
        if first == path:
            return path
        first_stamp = self.stamp_of(first)
        is_still_there = first_stamp is not None and _file_of(first_stamp) == file
        if is_still_there:
            return first
        self._first_name[file] = path
        return path

    def same(self, path: str, other: str) -> bool:
        """True for two names of one file."""
        stamp = self.stamp_of(path)
        other_stamp = self.stamp_of(other)
        if stamp is None or other_stamp is None or stamp.inode == 0:
            return False
        return _file_of(stamp) == _file_of(other_stamp)


def _file_of(stamp: Stamp) -> tuple[int, int]:
    """Return what tells a file from every other one, whatever its names are."""
    return stamp.device, stamp.inode
