"""Verdicts on entries: what an earlier run settled at once, the rest from the services as it comes."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import date, timedelta

from citelsp.base.settings import SERVICES
from citelsp.investigate.cached_verdicts import contents, learnt
from citelsp.knowledge import Knowledge, Verdict
from citelsp.sources import registry
from citelsp.sources.ask_services import Sources
from citelsp.verification import ask
from citelsp.workspace.project import Place, Project

Report = Callable[[int, int], None]  # (entries with a verdict, of how many); `standing` makes a sentence of them

_RHYTHM = 0.5  # seconds between two looks at who is waited for
_DAYS = 7  # after which even a session that never ends asks again


def cited(project: Project, path: str = "") -> list[Place]:
    """The entries that the manuscripts cite, each once; of the bibliography at `path` alone if one is named."""
    found = filter(None, map(project.find_first, sorted(project.cited)))
    places = project.entries() if project.cites_all else found
    return [it for it in places if path in ("", it.source.document.path)]


def missing(entries: Mapping[str, Place], knowledge: Knowledge) -> dict[str, Place]:
    """Those without a verdict, with one that is too old, or that some service could not be asked about."""
    return {key: it for key, it in entries.items() if _is_open(knowledge.verdicts.get(key))}


async def verify(
    places: Sequence[Place], sources: Sources, knowledge: Knowledge, report: Report
) -> AsyncGenerator[Knowledge, None]:
    """`knowledge` with the verdicts on these entries, a snapshot after each one that came.

    What is in `knowledge` already, or was settled in an earlier run, is not asked again until it is too old; what no
    service could be asked about is.  Two entries of one content count once.  Cancel at any time.
    """
    entries = contents(places)
    unknown = missing(entries, knowledge)
    done = len(entries) - len(unknown)
    report(done, len(entries))
    waiting = asyncio.ensure_future(watch(sources, lambda _: report(done, len(entries))))
    try:
        async with aclosing(ask.verify([it.entry for it in unknown.values()], sources)) as verdicts:
            async for key, verdict in verdicts:
                knowledge = learnt(knowledge, {key: verdict})
                done += 1
                report(done, len(entries))
                yield knowledge
    finally:
        waiting.cancel()


def standing(done: int, of: int, sources: Sources) -> str:
    """How far verification has come, and who is waited for."""
    late = waited_for(sources)
    return f"{done} of {of} references" + (f", {late}" if late else "")


def waited_for(sources: Sources) -> str:
    """Who has left a request unanswered for some seconds, in words; "" if nobody has."""
    late = ", ".join(SERVICES[it] for it in sources.client.waited_for())
    return f"waiting for {late}" if late else ""


async def watch(sources: Sources, report: Callable[[str], None]) -> None:
    """Report whenever it changes who is waited for, until cancelled."""
    message = ""
    while True:
        await asyncio.sleep(_RHYTHM)
        if (late := waited_for(sources)) != message:
            message = late
            report(late)


def asked(sources: Sources) -> list[str]:
    """The services that `verify` may ask."""
    return [name for name in ask.SERVICES if not registry.refusal(sources.settings, name)]


def _is_open(verdict: Verdict | None) -> bool:
    if verdict is None or (verdict.kind == "unchecked" and verdict.unavailable):
        return True
    return bool(verdict.date) and verdict.date < (date.today() - timedelta(_DAYS)).isoformat()
