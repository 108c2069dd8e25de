"""Tests of what waits, in which nothing is waited for: where no task can go on, the clock jumps to what is due next."""

import asyncio
import functools
import selectors
import time

import pytest


class Jumping(selectors.DefaultSelector):
    """What a loop waits in: a moment that only has to come has come."""

    now = 0.0

    def select(self, timeout=None):
        ready = super().select(timeout if timeout is None else 0)
        self.now += 1e-6 + (0 if ready or timeout is None else timeout)  # no work takes no time at all
        return ready


def virtual_time(test):
    """The asynchronous test by such a clock; threads and other processes would be jumped over."""

    @functools.wraps(test)
    def run(*args, **named):
        clock = Jumping()
        with pytest.MonkeyPatch.context() as changed:
            changed.setattr(time, "monotonic", lambda: clock.now)
            with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(clock)) as runner:
                runner.run(test(*args, **named))

    return run
