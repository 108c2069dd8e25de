"""How many questions an endpoint gets at once, and from when on: fewer and later each time that it was too many."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_MOST = 8
_GOOD = 4  # answers for each place, after which there is one more


class Pace:
    """Shared by all who ask one endpoint; bound to one event loop."""

    def __init__(self) -> None:
        self._most, self._asking, self._answered = _MOST, 0, 0
        self._opens = 0.0
        self._left = asyncio.Event()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place among those who ask now, once the endpoint may be asked."""
        while self._asking >= self._most:
            self._left.clear()
            await self._left.wait()
        self._asking += 1
        try:
            while (wait := self._opens - time.monotonic()) > 0:  # noqa: ASYNC110  it may close again meanwhile
                await asyncio.sleep(wait)
            yield
        finally:
            self._asking -= 1
            self._left.set()

    def slower(self, seconds: float) -> None:
        """The endpoint was asked too much: half as many ask, after so many seconds."""
        self._answered = 0
        if self._opens < time.monotonic():  # of those who asked together, the first one's word is enough
            self._most = max(1, min(self._most, self._asking + 1) // 2)
        self._opens = max(self._opens, time.monotonic() + seconds)

    def answered(self) -> None:
        self._answered += 1
        if self._answered >= _GOOD * self._most:
            self._most, self._answered = min(self._most + 1, _MOST), 0
