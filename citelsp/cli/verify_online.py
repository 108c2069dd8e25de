"""The verdicts for a check, asked of the services as the settings allow, with progress on a terminal."""

import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citelsp.knowledge import Knowledge

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.cli.check_report import Checked
    from citelsp.sources.ask_services import Sources
    from citelsp.workspace.project import Place

PROGRESS = "citelsp-progress: "  # before a line that says how far it is, to a program that started this one
TELL_PROGRESS = {"CITELSP_PROGRESS": "lines"}  # in the environment that it starts it with

_REASONS = 2  # told at once
_TELLING = 5  # entries, and seconds, from which the time left can be told


@dataclass(frozen=True, slots=True)
class ServiceFailure:
    """Services by their names, asked in vain although they are on, and how many entries stayed unchecked for that."""

    services: tuple[str, ...]
    entries: int
    reasons: tuple[str, ...] = ()

    def __str__(self) -> str:
        noun = "entry" if self.entries == 1 else "entries"
        first = sorted(self.reasons, key=lambda it: it.startswith("not asked"))[:_REASONS]
        why = f" ({'; '.join(first)})" if first else ""
        return f"{', '.join(self.services)} could not be asked{why}; {self.entries} {noun} stayed unchecked"


@asynccontextmanager
async def opened(settings: "Settings") -> AsyncIterator["Sources"]:
    from citelsp.sources.ask_services import Sources

    sources = Sources(settings)
    try:
        yield sources
    finally:
        await sources.aclose()


@asynccontextmanager
async def asking(settings: "Settings") -> AsyncIterator["Sources"]:
    """The same for a question that somebody waits for: a terminal shows which services have not answered yet."""
    import asyncio

    from citelsp.investigate import verify

    async with opened(settings) as sources:
        watching = asyncio.ensure_future(verify.watch(sources, show))
        try:
            yield sources
        finally:
            watching.cancel()
            show("")


def asks(settings: "Settings") -> bool:
    return not settings.offline and settings.online.verify != "off"


def recalled(places: Sequence["Place"], knowledge: Knowledge) -> Knowledge:
    """`knowledge` with the verdicts on these entries that an earlier run settled, as the user's cache has them."""
    from citelsp.investigate import cached_verdicts
    from citelsp.sources.answer_cache import Cache

    cache = Cache()
    try:
        return cached_verdicts.recall_at_once(places, cache, knowledge)
    finally:
        cache.close()


class StoppedError(Exception):
    """The person stopped it; `knowledge` has what came until then."""

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__("stopped")
        self.knowledge = knowledge


async def learnt(
    places: Sequence["Place"], sources: "Sources", knowledge: Knowledge, *, stoppable: bool = False
) -> Knowledge:
    """`knowledge` with the verdicts on these entries; if services may not be asked, those that are kept.

    `stoppable`: being cancelled, as by Ctrl-C, raises StoppedError with what is known.
    """
    import asyncio

    from citelsp.investigate import cached_verdicts, verify

    known = await cached_verdicts.recall(cached_verdicts.contents(places), sources.client.cache, knowledge)
    if not asks(sources.settings):
        return known

    first: list[tuple[int, float]] = []

    def report(done: int, of: int) -> None:
        if not first:
            first.append((done, time.monotonic()))
        began, since = first[0]
        left = time_left(done - began, of - done, time.monotonic() - since)
        show(", ".join(filter(None, (verify.standing(done, of, sources), left))))

    try:
        async for more in verify.verify(places, sources, known, report):
            known = more
    except asyncio.CancelledError:
        if not stoppable:
            raise
        raise StoppedError(known) from None
    finally:
        show("")
    return known


def time_left(done: int, left: int, seconds: float) -> str:
    """`about 3 minutes left`, by how long the entries before took; "" as long as nobody can tell."""
    if done < _TELLING or seconds < _TELLING or not left:
        return ""
    estimate = left * seconds / done
    if estimate < 90:
        return f"about {max(10, round(estimate, -1)):.0f} seconds left"
    return f"about {estimate / 60:.0f} minutes left"


def failure(checked: Sequence["Checked"], settings: "Settings") -> ServiceFailure | None:
    """Of a check that asked; None if every service answered that had to."""
    from citelsp.checks.verdicts import title
    from citelsp.sources import registry
    from citelsp.verification.fields.fitness import find_exemption

    services: dict[str, None] = {}
    reasons: dict[str, None] = {}
    entries = 0
    for place, verdict in (pair for of_project in checked for pair in of_project.verdicts()):
        failed = [title(it) for it in verdict.unavailable if not registry.refusal(settings, it)]
        if verdict.kind != "unchecked" or not failed:
            continue
        exemption = find_exemption(place.entry)
        if exemption and verdict.reason == exemption.reason:
            continue  # no service has to have such a work
        entries += 1
        services |= dict.fromkeys(failed)
        # As in "Crossref: HTTP 500; OpenAlex: no answer".
        for clause in verdict.reason.split("; "):
            service, _, why = clause.partition(": ")
            if service in failed:
                reasons[why] = None
    return ServiceFailure(tuple(services), entries, tuple(reasons)) if entries else None


def show(text: str) -> None:
    """One line on a terminal, in the place of the one before; nothing in a pipe, unless its reader wants it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
    elif text and all(os.environ.get(name) == value for name, value in TELL_PROGRESS.items()):
        sys.stderr.write(f"{PROGRESS}{text}\n")
        sys.stderr.flush()
