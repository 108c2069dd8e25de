"""How many questions an endpoint gets at once: more while its answers come no slower, fewer when they were too many."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_MOST_AT_ONCE = 8  # questions at once
_MUCH_SLOWER = 1.5  # times as long an answer takes, from which on more at once bring nothing
_ANSWERS_BEFORE_WIDENING = 8  # answers for each place, after which more at once are tried again


@dataclass
class Clock:
    """A run's limit of seconds, which does not run while its question waits for its turn."""

    limit: asyncio.Timeout
    waited: float = 0.0

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the run's limit of seconds as long as the `with` block lasts; its end moves back by as much.

        The seconds are added to `waited`.
        """
        began = time.monotonic()
        due = self.limit.when()  # None: the run has no limit
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
        self._width = 1  # how many may ask at once
        self._asking = 0
        self._answered = 0  # answers since the width changed
        self._spent = 0.0  # seconds for these answers
        self._usual = float("inf")  # seconds of an answer when fewer asked
        self._was_narrowed = False  # by the last change of the width
        self._opens = 0.0  # from when on the endpoint may be asked, by the monotonic clock
        self._left = asyncio.Event()  # somebody left, or more may ask

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for one of the places for questions asked at once, and until the endpoint may be asked.

        The place is left at the end of the `with` block.  The time limit of the run that asks stands still while it
        waits for a place, or many runs would reach theirs in the queue.  The pause that an endpoint asks for counts as
        its time, so that the limit ends a run however long the pause is.
        """
        clock = CLOCK.get()  # of the run that asks; None outside of a run
        if clock:
            with clock.stopped():
                await self._wait_for_place()
        else:
            await self._wait_for_place()
        try:
            # The place is taken, and `_asking` counts it.
            while self._opens > time.monotonic():  # noqa: ASYNC110  it may close again meanwhile
                await asyncio.sleep(self._opens - time.monotonic())
            yield
        finally:
            self._asking -= 1
            self._left.set()

    async def _wait_for_place(self) -> None:
        while self._asking >= self._width:
            self._left.clear()
            await self._left.wait()
        self._asking += 1

    @property
    def asking(self) -> int:
        """How many ask now; all others wait."""
        return self._asking

    def slower(self, seconds: float) -> None:
        """Note that the endpoint was asked too much: after so many seconds half as many may ask."""
        if self._opens < time.monotonic():  # of those who asked together, the first one's word is enough
            asked_at_once = min(self._width, self._asking + 1)  # whoever was refused has left already
            self._set_width(max(1, asked_at_once // 2), narrowed=True)
        self._opens = max(self._opens, time.monotonic() + seconds)

    def answered(self, seconds: float) -> None:
        """Note that an answer took so many seconds; after enough answers change how many may ask at once (`_width`).

        From then on half as many may ask if the answers took much longer than when fewer asked; otherwise twice as
        many, at most _MOST_AT_ONCE.  Each change begins a new count of answers.
        """
        self._answered += 1
        self._spent += seconds
        # Once too many asked, more are let in again only after a while.
        answers_needed = self._width * (_ANSWERS_BEFORE_WIDENING if self._was_narrowed else 1)
        if self._answered < answers_needed:
            return
        mean = self._spent / self._answered
        if mean > _MUCH_SLOWER * self._usual and self._width > 1:
            self._set_width(self._width // 2, narrowed=True)
        else:
            self._usual = mean
            self._set_width(min(2 * self._width, _MOST_AT_ONCE), narrowed=False)

    def _set_width(self, width: int, *, narrowed: bool) -> None:
        self._width = width
        self._was_narrowed = narrowed
        self._answered = 0
        self._spent = 0.0
        self._left.set()
