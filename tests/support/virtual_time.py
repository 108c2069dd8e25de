"""Tests of what waits, in which nothing is waited for: where no task can go on, the clock jumps to what is due next."""

import asyncio
import functools
import selectors
import time

import pytest


class Jumping(selectors.DefaultSelector):
    """What a loop waits in: a moment that only has to come has come, unless a thread is at work."""

    now, working = 0.0, 0

    def select(self, timeout=None):
        ready = super().select(0 if timeout == 0 or not (self.working or timeout is None) else None)
        self.now += 1e-6 + (0 if ready or timeout is None else timeout)  # no work takes no time at all
        return ready


class Loop(asyncio.SelectorEventLoop):
    """Knows of the threads that work for it."""

    def __init__(self):
        self.clock = Jumping()
        super().__init__(self.clock)

    def run_in_executor(self, executor, func, *args):
        future = super().run_in_executor(executor, func, *args)
        self.clock.working += 1
        future.add_done_callback(self._rest)
        return future

    async def shutdown_default_executor(self, *_):
        """However long its threads take by this clock, which would jump to the end of Python 3.12's patience."""
        self.clock.working += 1
        try:
            await super().shutdown_default_executor()
        finally:
            self.clock.working -= 1

    def _rest(self, _):
        self.clock.working -= 1


def virtual_time(test):
    """The asynchronous test by such a clock; other processes would be jumped over."""

    @functools.wraps(test)
    def run(*args, **named):
        with pytest.MonkeyPatch.context() as changed, asyncio.Runner(loop_factory=Loop) as runner:
            changed.setattr(time, "monotonic", lambda: runner.get_loop().clock.now)
            runner.run(test(*args, **named))

    return run
