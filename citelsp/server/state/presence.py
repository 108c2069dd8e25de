"""Whether a program on this machine answers, as it was a short while ago."""

import time
from collections.abc import Callable

_HOLDS = 20.0  # seconds


class Presence:
    """False until it has answered."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.answers = False
        self._clock = clock
        self._asked = float("-inf")

    def is_due(self) -> bool:
        """True, once in a while, if it should be asked again; it then counts as asked now."""
        if self._clock() - self._asked < _HOLDS:
            return False
        self._asked = self._clock()
        return True
