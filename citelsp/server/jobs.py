"""Work in the background: one task a name, guarded, cancelled by the editor's progress bar or by a newer task."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from citelsp.base.text import break_links

if TYPE_CHECKING:
    from pygls.progress import Progress

logger = logging.getLogger(__name__)

_PATIENCE = 10.0  # seconds that a job waits for the author at most
_UNANSWERED = 3.0  # seconds after which an editor that says nothing shows no progress bar

Work = Coroutine[Any, Any, None]
Report = Callable[[str, float | None], None]  # (what is being done, part done from 0 to 1)


@dataclass
class _Waiting:
    """Work that is to begin at a moment, unless that is moved on."""

    due: float  # by the clock of time.monotonic
    work: Callable[[], Work]


class Jobs:
    """Holds the running tasks, so that a newer one replaces an older one and none outlives the server."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[None]] = {}  # by name
        self._waiting: dict[str, _Waiting] = {}  # by name; their tasks are running, too
        self._awaited = 0  # how many answers the author waits for
        self._stirred = time.monotonic()  # when the author did something last

    def start(self, name: str, work: Work) -> None:
        """Run `work` instead of any older work of this name, which is cancelled."""
        self._waiting.pop(name, None)
        older = self._running.get(name)
        if older:
            older.cancel()
        logger.debug("the task %s begins", name)
        task = asyncio.ensure_future(_run_guarded(name, work))
        self._running[name] = task
        task.add_done_callback(lambda ended: self._forget(name, ended))
        task.add_done_callback(lambda _: work.close())  # a task cancelled before it began has not touched its work

    def later(self, name: str, seconds: float, work: Callable[[], Work]) -> None:
        """Run `work` once, `seconds` after the last call with this name, and once the author rests.

        For that rest no more than _PATIENCE seconds are waited.  A call while an earlier one with this name still waits
        takes its place: the waiting begins anew, and only the later `work` is run.  Work of this name that runs already
        is cancelled.
        """
        due = time.monotonic() + seconds
        waiting = self._waiting.get(name)
        if waiting:
            # The waiting task is moved on: a new one for each keystroke would be a tenth of the keystroke's cost.
            waiting.due = due
            waiting.work = work
            return
        waiting = _Waiting(due, work)
        self.start(name, self._wait(name, seconds, waiting))
        self._waiting[name] = waiting  # not before, as `start` forgets what waits under the name

    async def quiet(self, seconds: float, patience: float = _PATIENCE) -> None:
        """Wait until the author has done nothing for so many `seconds`; no longer than `patience`, in seconds."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            lacking = seconds - self.idle()
            if lacking <= 0:
                return
            await asyncio.sleep(lacking)

    def stir(self) -> None:
        """The author does something: jobs that can wait do so."""
        self._stirred = time.monotonic()

    @contextmanager
    def awaited(self) -> Iterator[None]:
        """While this lasts, the author waits for an answer."""
        self._awaited += 1
        try:
            yield
        finally:
            self._awaited -= 1
            self.stir()

    async def _wait(self, name: str, seconds: float, waiting: _Waiting) -> None:
        """Wait until the moment of `waiting`, which may be moved on meanwhile, and for quiet; then do its work."""
        while True:
            until_due = waiting.due - time.monotonic()
            if until_due <= 0:
                break
            await asyncio.sleep(until_due)
            await self.quiet(seconds)
        del self._waiting[name]
        await waiting.work()

    def idle(self) -> float:
        """The seconds for which the author has done nothing."""
        return 0 if self._awaited else time.monotonic() - self._stirred

    def stop(self) -> None:
        """Cancel all tasks; those of a loop that has ended have ended with it."""
        for task in self._running.values():
            if not task.get_loop().is_closed():
                task.cancel()

    def _forget(self, name: str, task: asyncio.Task[None]) -> None:
        # A newer task of the name may have taken its place by now.
        if self._running.get(name) is task:
            del self._running[name]
            self._waiting.pop(name, None)
            logger.debug("the task %s has ended", name)


async def _run_guarded(name: str, work: Work) -> None:
    """A failed task must not take the server with it, nor be lost: the one broad guard of the house."""
    try:
        await work
    except Exception:
        logger.exception("the task %s failed", name)


@asynccontextmanager
async def progress(bar: "Progress", title: str, *, shown: bool) -> AsyncIterator[Report]:
    """Show a progress bar in the editor as long as the block lasts; its cancel button cancels the task around it.

    Yields a function that reports a message and how far it is, from 0 to 1, or None if nobody knows.  If `shown` is
    False, as for an editor without progress bars, or if the editor refuses to show one, it reports nothing.
    """
    token = str(uuid4())
    if not shown or not await _create_bar(bar, token):
        yield lambda _message, _part: None
        return
    bar.begin(token, types.WorkDoneProgressBegin(break_links(title), cancellable=True))
    # pygls marks the token as cancelled and leaves it to the server to end the work.
    task = asyncio.current_task()
    bar.tokens[token].add_done_callback(lambda future: task.cancel() if future.cancelled() and task else None)

    def report(message: str, part: float | None) -> None:
        percentage = None if part is None else round(100 * part)
        bar.report(token, types.WorkDoneProgressReport(message=break_links(message), percentage=percentage))

    try:
        yield report
    finally:
        bar.end(token, types.WorkDoneProgressEnd())
        # pygls keeps tokens for ever, and a session of weeks shows thousands of bars.
        del bar.tokens[token]


async def _create_bar(bar: "Progress", token: str) -> bool:
    """Ask the editor to show a progress bar; False if it refuses, or does not answer: work goes on without one."""
    try:
        await asyncio.wait_for(bar.create_async(token), _UNANSWERED)
    except JsonRpcException as error:
        logger.warning("the editor shows no progress: %s", error)
        return False
    except TimeoutError:
        logger.warning("the editor shows no progress: it has not answered within %g seconds", _UNANSWERED)
        return False
    return True
