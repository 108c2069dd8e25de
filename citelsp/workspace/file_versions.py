"""Whether files are as they were: what was made of them is given again for so long, by the name that each goes by.

Looked at on each use: Neovim on Linux watches no files, and nobody else tells of a change.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from citelsp.workspace.disk import Stamp

B = TypeVar("B")
T = TypeVar("T")

_MOST = 4  # answers; each may hold all documents of a project


@dataclass(frozen=True, slots=True)
class _Answer:
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
        """None if there is no regular file."""
        found = self._look(path)
        self._seen.setdefault(path, found)  # of a file that changes meanwhile the first, so that it is looked at again
        return found

    def answer(
        self,
        question: str,
        basis: B,
        ask: Callable[[], T],
        carry: Callable[[T, B, B], T | None],
        trusted: Callable[[str], bool],
    ) -> T:
        """`ask()`, or what it answered before if that rests on equal things, and every file looked at is as it was.

        `carry` makes of that what it would be on another basis, if it can.  It is cached only if `trusted` holds
        for all these files: that none changes without a new stamp.
        """
        value: T | None = None
        seen: dict[str, Stamp | None] = {}
        cached = self._answers.pop(question, None)
        if cached and all(self._look(path) == stamp for path, stamp in cached.seen.items()):
            seen = cached.seen
            value = cached.value if cached.basis == basis else carry(cached.value, cached.basis, basis)
        if value is None:
            self._seen = {}
            value = ask()
            seen = self._seen
            self._seen = {}
        if all(map(trusted, seen)):
            self._answers[question] = _Answer(value, basis, seen)
        while len(self._answers) > _MOST:
            del self._answers[next(iter(self._answers))]
        return value

    def forget(self) -> None:
        """Something else changed that answers rest on, such as what a folder holds."""
        self._answers.clear()

    def rename(self, opened: Iterable[str]) -> None:
        """Files came or went; these names are the editor's."""
        self.forget()
        self._first_name.clear()
        stamps = [(self._look(it), it) for it in opened]
        self._opened = {stamp[2:]: path for stamp, path in stamps if stamp and stamp.inode}

    def name_of(self, path: str, stamp: Stamp) -> str:
        """The path under which this file is known: the editor's, else the one it was first read by."""
        # Some file systems on Windows give no numbers; then names have to do.
        if stamp.inode == 0:
            return path
        opened = self._opened.get(stamp[2:])
        if opened:
            return opened
        first = self._first_name.setdefault(stamp[2:], path)
        if first == path:
            return path
        other = self.stamp_of(first)
        if other is not None and other[2:] == stamp[2:]:
            return first
        self._first_name[stamp[2:]] = path
        return path

    def same(self, path: str, other: str) -> bool:
        """True for two names of one file."""
        one = self.stamp_of(path)
        two = self.stamp_of(other)
        return one is not None and two is not None and one.inode != 0 and one[2:] == two[2:]
