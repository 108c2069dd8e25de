"""What reading one document may cost: loops that a hostile text makes long go on only as long as that lasts."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from math import inf
from typing import TypeVar

T = TypeVar("T")

_ENDS: ContextVar[float] = ContextVar("ends", default=inf)
_BETWEEN = 128  # turns of a loop between two looks at the clock


class TooLongError(Exception):
    """The time is spent."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Inside, `iterate` goes on for so many seconds of this thread's CPU time, so that a busy machine ends nothing.

    Not longer than a limit around it allows.
    """
    before = _ENDS.set(min(_ENDS.get(), time.thread_time() + seconds))
    try:
        yield
    finally:
        _ENDS.reset(before)


def iterate(items: Iterable[T]) -> Iterator[T]:
    """The items; TooLongError once the time is spent."""
    ends = _ENDS.get()
    left = iter(items)
    for item in left:
        if time.thread_time() >= ends:
            raise TooLongError
        yield item
        yield from islice(left, _BETWEEN - 1)
