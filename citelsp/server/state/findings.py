"""The findings of a project, worked out once for every state of it."""

import asyncio
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from citelsp import checks
from citelsp.base.settings import Settings
from citelsp.checks import ahead
from citelsp.checks.finding import Finding
from citelsp.knowledge import Knowledge
from citelsp.server.jobs import Jobs
from citelsp.workspace.project import Project

_CACHED = 4  # states
_PAUSE = 0.2  # seconds without a keystroke

_State = tuple[object, ...]
_Answer = tuple[tuple[Settings, Knowledge], asyncio.Future[Sequence[Finding]]]  # what it rests on keeps its identity


class Findings:
    """Runs the checks in a thread of its own, so that neither the editor nor the reading of files waits for them.

    The thread takes turns with all others, so it rests between two portions of a large bibliography while the author
    types.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._answers: OrderedDict[_State, _Answer] = OrderedDict()  # the latest last
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="checks")
        self._turn = asyncio.Lock()  # of whoever gives the worker portions

    async def findings_of(self, project: Project, knowledge: Knowledge) -> Sequence[Finding]:
        """Return the findings of the project with this knowledge; they are worked out once for each state of these.

        Only the _CACHED states asked about last are remembered.  If a check fails, whoever waits gets its error, and
        whoever asks later has the findings worked out again.
        """
        # Compared by identity, so both must stay alive as long as the answer: else another object might get their id.
        basis = project.settings, knowledge
        state = (
            # Weak references, or the states in `_answers` would keep the texts of closed projects in memory.
            *map(weakref.ref, project.sources.values()),
            project.manuscript,
            project.bibliographies,
            project.unresolved,
            *map(id, basis),
        )
        if state not in self._answers or _has_failed(self._answers[state]):
            self._answers[state] = basis, asyncio.ensure_future(self._work_out(project, knowledge))
            while len(self._answers) > _CACHED:
                self._answers.popitem(last=False)
        self._answers.move_to_end(state)
        _, findings = self._answers[state]
        # An editor cancels outdated requests; others may wait for the same findings.
        return await asyncio.shield(findings)

    async def work_aside(self, portions: Iterator[None]) -> None:
        """Do other work in portions between findings, and only while the author rests."""
        goes_on = True
        while goes_on:
            await self._jobs.quiet(_PAUSE)
            async with self._turn:
                goes_on = await self._do_portion(portions)

    async def _do_portion(self, portions: Iterator[None]) -> bool:
        """Do the next portion in the worker; False if there was none left."""
        nothing_left = object()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, next, portions, nothing_left) is not nothing_left

    async def _work_out(self, project: Project, knowledge: Knowledge) -> Sequence[Finding]:
        """Run all checks; what they need of entries is read before, in portions between which the author may type."""
        portions = ahead.prepare(project)
        # One project at a time: two large ones in turns would both be late.
        async with self._turn:
            while await self._do_portion(portions):
                await self._jobs.quiet(_PAUSE)
        return await asyncio.get_running_loop().run_in_executor(self._worker, checks.run, project, knowledge)

    def stop(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)


def _has_failed(answer: _Answer) -> bool:
    _, findings = answer
    return findings.done() and (findings.cancelled() or findings.exception() is not None)
