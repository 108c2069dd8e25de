"""Requests of this process kept from each other, by when they leave, or also by when they may arrive."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class Spacing:
    """One service's.  `careful` if it refused requests that had left far enough from each other.

    What leaves evenly may arrive together.  A careful place has `room` requests at most that are out, or were answered
    so lately that the service may still count them.
    """

    room: int
    careful: bool = False
    _door: asyncio.Lock = field(default_factory=asyncio.Lock)
    _seats: asyncio.Semaphore = field(init=False)
    _sent: float = 0.0

    def __post_init__(self) -> None:
        self._seats = asyncio.Semaphore(self.room)

    @asynccontextmanager
    async def turn(self, apart: float) -> AsyncIterator[None]:
        """Wait for the turn of one request, which is made within the block.

        It leaves `apart` seconds after the one before it, or later.  If the service is `careful`, since it refused
        requests that had left far enough from each other, no more than `room` requests are out at the same time.
        """
        seated = self.careful  # as it is now: it may be set while the request waits or is out
        if seated:
            await self._seats.acquire()
        try:
            async with self._door:
                await asyncio.sleep(max(0.0, self._sent + apart - time.monotonic()))
                self._sent = time.monotonic()
            yield
        finally:
            if seated:
                # The service may count a request some time after it answered: its seat stays taken for that long.
                asyncio.get_running_loop().call_later(apart * self.room, self._seats.release)
