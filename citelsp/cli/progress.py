"""How far long work has come, on one line of a terminal that is rewritten; nothing if there is no terminal."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Self, TypeVar

T = TypeVar("T")
_PAUSE = 0.2  # seconds between two lines


class Progress:
    """Counts what is read, skipped and added, behind the name of what it is read from."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._read = 0
        self._added = 0
        self._skipped = 0
        self._shown_at = 0.0
        self._terminal = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._terminal:
            sys.stderr.write("\r\x1b[K")

    def counted(self, items: Iterable[T]) -> Iterator[T]:
        """The items, each counted as read when it is taken."""
        for item in items:
            self._read += 1
            self._show()
            yield item

    def collect_problems_in(self, problems: list[str]) -> Callable[[str], None]:
        """Return a function that adds a problem to this list and counts what it is about as skipped."""

        def note(problem: str) -> None:
            problems.append(problem)
            self._skipped += 1
            self._show()

        return note

    def added(self, count: int) -> None:
        """So many are added by now, in all."""
        self._added = count
        self._show()

    def step(self, name: str, count: int) -> None:
        """What is being done now, and how much of it is."""
        self._name = name
        self._read = count
        self._show()

    def _show(self) -> None:
        if not self._terminal:
            return
        now = time.monotonic()
        if now - self._shown_at <= _PAUSE:
            return
        self._shown_at = now
        skipped = f", {self._skipped} skipped" if self._skipped else ""
        sys.stderr.write(f"\r\x1b[K{self._name}: {self._read} read{skipped}, {self._added} added")
        sys.stderr.flush()
