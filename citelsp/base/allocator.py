"""What the C library does with freed memory, if it is glibc: elsewhere nothing is asked of it."""

import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ctypes

_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_ARENAS = 2  # Python's threads take turns, so that more would only hold more that is free


def share() -> None:
    """Let all threads take memory from a few pools, not from up to eight for each core; before there are any."""
    library = _glibc()
    if library:
        library.mallopt(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Let the system have what is held free, in pieces between what is in use: 1 ms."""
    library = _glibc()
    if library:
        library.malloc_trim(0)


@cache
def _glibc() -> "ctypes.CDLL | None":
    if sys.platform != "linux":
        return None
    import ctypes

    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None  # musl has neither
