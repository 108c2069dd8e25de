"""How many questions an endpoint gets at once: more while its answers come no slower, fewer when they were too many."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_MOST = 8
_SLOWER = 1.5  # times as long an answer takes, from which on more at once bring nothing
_PATIENT = 8  # answers for each place, after which more at once are tried again


@dataclass
class Clock:
    """A run's limit of seconds, which does not run while its question waits for its turn."""

    limit: asyncio.Timeout
    waited: float = 0.0

    @contextmanager
    def stopped(self) -> Iterator[None]:
        began = time.monotonic()
        due = self.limit.when()
        self.limit.reschedule(None)
        try:
            yield
        finally:
            waited = time.monotonic() - began
            self.waited += waited
            if due is not None:
                self.limit.reschedule(due + waited)


CLOCK: ContextVar[Clock | None] = ContextVar("CLOCK", default=None)  # of the run that asks


class Pace:
    """Shared by all who ask one endpoint; bound to one event loop."""

    def __init__(self) -> None:
        self._most = 1
        self._asking = 0
        self._answered = 0
        self._spent = 0.0  # seconds for the answers since the width changed
        self._usual = float("inf")  # seconds of an answer when fewer were asked
        self._narrowed = False
        self._opens = 0.0
        self._left = asyncio.Event()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place among those who ask now, once the endpoint may be asked; a run's clock stands still until then."""
        clock = CLOCK.get()
        if clock:
            with clock.stopped():
                await self._enter()
        else:
            await self._enter()
        try:
            while (wait := self._opens - time.monotonic()) > 0:  # noqa: ASYNC110  it may close again meanwhile
                await asyncio.sleep(wait)
            yield
        finally:
            self._asking -= 1
            self._left.set()

    async def _enter(self) -> None:
        while self._asking >= self._most:
            self._left.clear()
            await self._left.wait()
        self._asking += 1

    @property
    def asking(self) -> int:
        """How many ask now; all others wait."""
        return self._asking

    def slower(self, seconds: float) -> None:
        """The endpoint was asked too much: half as many ask, after so many seconds."""
        if self._opens < time.monotonic():  # of those who asked together, the first one's word is enough
            self._widen(max(1, min(self._most, self._asking + 1) // 2), narrowed=True)
        self._opens = max(self._opens, time.monotonic() + seconds)

    def answered(self, seconds: float) -> None:
        """An answer came after so many seconds."""
        self._answered += 1
        self._spent += seconds
        if self._answered < self._most * (_PATIENT if self._narrowed else 1):
            return
        mean = self._spent / self._answered
        if mean > _SLOWER * self._usual and self._most > 1:
            self._widen(self._most // 2, narrowed=True)
        else:
            self._usual = mean
            self._widen(min(2 * self._most, _MOST), narrowed=False)

    def _widen(self, most: int, *, narrowed: bool) -> None:
        self._most = most
        self._narrowed = narrowed
        self._answered = 0
        self._spent = 0.0
        self._left.set()
