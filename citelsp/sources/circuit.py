"""A host that does not answer is left alone for a while, so that nobody waits for it time and again.

Silence is a request that brings no answer at all within its time, or no connection; a refusal to answer is none.  After
two silences in a row the host is not asked for half a minute, then by one request; if that is not answered either, for
twice as long as before, up to two minutes.  One answer ends all that.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from citelsp.base import bounds

_SUSPECT = 0.5  # of a request's time, after the first silence: enough for a host that is merely slow
_TRIED_REST = 1.0  # seconds to rest while a request is out that will tell


@dataclass
class Circuit:
    """What is known of one host; `lost` grows by the seconds in which requests were out that brought nothing."""

    clock: Callable[[], float] = time.monotonic
    why: str = ""
    lost: float = 0.0
    _silences: int = 0
    _pauses: int = 0
    _until: float = 0.0
    _tried: bool = False  # a request is out that will tell whether the host answers again
    _broke: float = -math.inf  # when the last silence was heard
    _counted: float = 0.0  # until when lost time was counted

    def rest(self) -> float:
        """The seconds for which nobody should ask; 0: now one may."""
        left = self._until - self.clock()
        return max(left, _TRIED_REST if self._tried else 0.0)

    @property
    def share(self) -> float:
        """The part of its usual time that a request gets."""
        return _SUSPECT if self._silences == 1 else 1.0

    @contextmanager
    def request(self) -> Iterator[None]:
        """While a request is out; behind silences enough it is the one trial, during which others keep away."""
        tries = self._silences >= bounds.SILENCES
        self._tried = self._tried or tries
        try:
            yield
        finally:
            if tries:
                self._tried = False

    def wake(self) -> None:
        """One request may be sent now; if it is not answered, the host rests again."""
        self._until = 0.0

    def answered(self) -> None:
        self._silences = self._pauses = 0
        self._until = 0.0

    def silent(self, why: str, began: float = math.inf) -> None:
        """Nothing came of a request; if it `began` before the last silence it is no news, as both broke together."""
        self.why = why
        if began < self._broke:
            return
        self._broke = self.clock()
        self._silences += 1
        if self._silences >= bounds.SILENCES:
            self._until = self.clock() + min(bounds.PAUSE * 2**self._pauses, bounds.LONGEST_PAUSE)
            self._pauses += 1

    def lose(self, began: float) -> None:
        """Nothing came of a request that was sent at that moment; requests that were out together count once."""
        # From the last count on: ten requests that hang together cost the author their time once.
        now = self.clock()
        self.lost += max(0.0, now - max(began, self._counted))
        self._counted = now
