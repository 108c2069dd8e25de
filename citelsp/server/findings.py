"""The findings of a project, worked out once for every state of it."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from citelsp import checks
from citelsp.checks.finding import Finding
from citelsp.knowledge import Knowledge
from citelsp.project import Project

_KEPT = 4  # states

_State = tuple[object, ...]


class Findings:
    """Runs the checks in a thread of its own, so that neither the editor nor the reading of files waits for them."""

    def __init__(self) -> None:
        self._known: OrderedDict[_State, asyncio.Future[Sequence[Finding]]] = OrderedDict()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="checks")

    async def of(self, project: Project, knowledge: Knowledge) -> Sequence[Finding]:
        state = (
            *project.sources.values(),
            project.manuscript,
            project.bibliographies,
            project.unresolved,
            id(knowledge),
        )
        if state not in self._known:
            loop = asyncio.get_running_loop()
            self._known[state] = loop.run_in_executor(self._worker, checks.run, project, knowledge)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(state)
        return await asyncio.shield(self._known[state])

    def stop(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)
