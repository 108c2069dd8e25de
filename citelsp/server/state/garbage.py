"""What nothing refers to but itself is looked for while the author rests, and its memory given back to the system.

Python would look at all that is held in the middle of a keystroke, after so many new objects that memory grew for an
hour (`cli/serve.py` sets how many).
"""

import asyncio
import gc

from citelsp.base import allocator
from citelsp.server.jobs import Jobs

_RHYTHM = 180.0  # seconds between two looks, each of some 30 ms with 50,000 entries
_LONGEST = 900.0  # seconds without a rest, after which one such pause is taken all the same
_REST = 3.0  # seconds in which the author did nothing: at work again, nobody notices


async def collect(jobs: Jobs, rhythm: float = _RHYTHM, rest: float = _REST) -> None:
    """Now and again, but not if nothing was done since, as long as the server runs."""
    while True:
        await asyncio.sleep(rhythm)
        # Without work since the last look there is hardly new garbage.
        if jobs.idle() < rhythm:
            await jobs.quiet(rest, patience=_LONGEST)
            gc.collect()
            allocator.give_back()
