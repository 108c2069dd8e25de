"""Verdicts on entries: what an earlier run settled at once, the rest from the services as it comes."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import date, timedelta

from citelsp.base.settings import SERVICES
from citelsp.investigate.cached_verdicts import add_verdicts, index_by_content
from citelsp.knowledge import Knowledge, Verdict
from citelsp.sources import service_specs
from citelsp.sources.ask_services import Sources
from citelsp.verification import ask
from citelsp.workspace.project import Place, Project

Report = Callable[[int, int], None]  # (entries with a verdict, of how many); `tell_standing` makes a sentence of them

_RHYTHM = 0.5  # seconds between two looks at who is waited for
_MOST_DAYS = 7  # that a verdict holds, so that even a session that never ends asks again


def find_cited(project: Project, path: str = "") -> list[Place]:
    """The entries that the manuscripts cite, once for each spelling of a key; with `path` those of this bibliography.

    All entries if the manuscripts cite all, as with `\\nocite{*}`.
    """
    first_places = filter(None, map(project.find_first, sorted(project.cited)))
    places = project.entries() if project.cites_all else first_places
    return [place for place in places if path in ("", place.source.document.path)]


def find_unverified(entries: Mapping[str, Place], knowledge: Knowledge) -> dict[str, Place]:
    """Return those of `entries` (by content) that have no verdict, one too old, or one that services did not answer."""
    return {content: place for content, place in entries.items() if _needs_asking(knowledge.verdicts.get(content))}


async def verify(
    places: Sequence[Place], sources: Sources, knowledge: Knowledge, report: Report
) -> AsyncGenerator[Knowledge, None]:
    """Verify these entries; after each verdict yield `knowledge` with all verdicts so far.

    Services are asked about those that `find_unverified` names; entries that say the same count once.  `report` is
    called at the start, after each verdict, and whenever other services are waited for.  Cancel at any time.
    """
    entries = index_by_content(places)
    unknown = find_unverified(entries, knowledge)
    done = len(entries) - len(unknown)
    report(done, len(entries))
    watching = asyncio.ensure_future(watch(sources, lambda _: report(done, len(entries))))
    try:
        async with aclosing(ask.verify([place.entry for place in unknown.values()], sources)) as verdicts:
            async for content, verdict in verdicts:
                knowledge = add_verdicts(knowledge, {content: verdict})
                done += 1
                report(done, len(entries))
                yield knowledge
    finally:
        watching.cancel()


def tell_standing(done: int, of: int, sources: Sources) -> str:
    """How far verification has come, and who is waited for."""
    late = name_awaited(sources)
    return f"{done} of {of} references" + (f", {late}" if late else "")


def name_awaited(sources: Sources) -> str:
    """Who has left a request unanswered for some seconds, in words; "" if nobody has."""
    late = ", ".join(SERVICES[it] for it in sources.client.waited_for())
    return f"waiting for {late}" if late else ""


async def watch(sources: Sources, report: Callable[[str], None]) -> None:
    """Report who is waited for, "" for nobody, whenever that changes, until cancelled."""
    reported = ""
    while True:
        await asyncio.sleep(_RHYTHM)
        late = name_awaited(sources)
        if late != reported:
            reported = late
            report(late)


def list_services(sources: Sources) -> list[str]:
    """The services that `verify` may ask."""
    return [name for name in ask.SERVICES if not service_specs.refusal(sources.settings, name)]


def _needs_asking(verdict: Verdict | None) -> bool:
    """True without a verdict, with one older than some days, and with none because services did not answer."""
    if verdict is None or (verdict.kind == "unchecked" and verdict.unavailable):
        return True
    oldest = (date.today() - timedelta(_MOST_DAYS)).isoformat()
    return bool(verdict.date) and verdict.date < oldest
