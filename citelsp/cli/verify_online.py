"""The verdicts for a check, asked of the services as the settings allow, with progress on a terminal."""

import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citelsp.base.text import write_count
from citelsp.knowledge import Knowledge

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.cli.report_parts import Checked
    from citelsp.sources.ask_services import Sources
    from citelsp.workspace.project import Place

PROGRESS = "citelsp-progress: "  # before a line that says how far it is, to a program that started this one
TELL_PROGRESS = {"CITELSP_PROGRESS": "lines"}  # in the environment that it starts it with

_REASONS = 2  # why services did not answer, told at once
_ENTRIES_TO_TELL = 5  # that have to be done, for so many
_SECONDS_TO_TELL = 5  # before the time left can be told


@dataclass(frozen=True, slots=True)
class ServiceFailure:
    """Services by their names, asked in vain although they are on, and how many entries stayed unchecked for that."""

    services: tuple[str, ...]
    entries: int
    reasons: tuple[str, ...] = ()

    def __str__(self) -> str:
        # What a service said is told first, then which was not asked as the others took too long.
        ordered = sorted(self.reasons, key=lambda reason: reason.startswith("not asked"))
        why = f" ({'; '.join(ordered[:_REASONS])})" if ordered else ""
        entries = write_count(self.entries, "entry", "entries")
        return f"{', '.join(self.services)} could not be asked{why}; {entries} stayed unchecked"


@asynccontextmanager
async def open_sources(settings: "Settings") -> AsyncIterator["Sources"]:
    """The services, closed at the end."""
    from citelsp.sources.ask_services import Sources

    sources = Sources(settings)
    try:
        yield sources
    finally:
        await sources.aclose()


@asynccontextmanager
async def open_for_question(settings: "Settings") -> AsyncIterator["Sources"]:
    """Open the services for a question that somebody waits for.

    As long as the context lasts, a terminal shows which of them have not answered yet.
    """
    import asyncio

    from citelsp.investigate import verify

    async with open_sources(settings) as sources:
        watching = asyncio.ensure_future(verify.watch(sources, show))
        try:
            yield sources
        finally:
            watching.cancel()
            show("")  # the line of a terminal is emptied for what is printed next


def asks(settings: "Settings") -> bool:
    """Return True if services may be asked about entries."""
    return not settings.offline and settings.online.verify != "off"


def add_cached_verdicts(places: Sequence["Place"], knowledge: Knowledge) -> Knowledge:
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


@dataclass
class _Standing:
    """How far the lookups of a check are, and how fast they were since the first report."""

    sources: "Sources"
    _done_at_first: int | None = None  # entries whose verdicts were cached; None before the first report
    _began: float = 0.0  # when the first report came, by the monotonic clock

    def show(self, done: int, total: int) -> None:
        """Show on a terminal how many entries are done, who has not answered yet, and the time left if known."""
        from citelsp.investigate import verify

        if self._done_at_first is None:
            self._done_at_first = done
            self._began = time.monotonic()
        left = time_left(done - self._done_at_first, total - done, time.monotonic() - self._began)
        show(", ".join(filter(None, (verify.tell_standing(done, total, self.sources), left))))


async def learn_verdicts(
    places: Sequence["Place"], sources: "Sources", knowledge: Knowledge, *, stoppable: bool = False
) -> Knowledge:
    """Return `knowledge` with the verdicts on these entries; with the cached ones alone if services may not be asked.

    Shows on a terminal how far it is.  If it is `stoppable`, being cancelled while services are asked, as by Ctrl-C,
    raises StoppedError with what is known by then.
    """
    import asyncio

    from citelsp.investigate import cached_verdicts, verify

    knowledge = await cached_verdicts.recall(cached_verdicts.index_by_content(places), sources.client.cache, knowledge)
    if not asks(sources.settings):
        return knowledge

    try:
        async for snapshot in verify.verify(places, sources, knowledge, _Standing(sources).show):
            knowledge = snapshot  # with more verdicts than the one before
    except asyncio.CancelledError:
        if not stoppable:
            raise
        raise StoppedError(knowledge) from None
    finally:
        show("")
    return knowledge


def time_left(done: int, left: int, seconds: float) -> str:
    """`about 3 minutes left`: as many `seconds` an entry as for those that are done; "" as long as nobody can tell."""
    if done < _ENTRIES_TO_TELL or seconds < _SECONDS_TO_TELL or not left:
        return ""
    estimate = left * seconds / done
    if estimate < 90:
        return f"about {max(10, round(estimate, -1)):.0f} seconds left"
    return f"about {estimate / 60:.0f} minutes left"


def failure(checked: Sequence["Checked"], settings: "Settings") -> ServiceFailure | None:
    """Return the services that did not answer a check, and how many entries are unchecked for that; None if none is.

    Leaves out services that the settings keep from being asked, and entries that are unchecked because they are exempt:
    of kinds, such as web pages, that no service has to have.
    """
    from citelsp.checks.verdicts import title
    from citelsp.sources import service_specs
    from citelsp.verification.excuses.fitness import find_exemption

    services: dict[str, None] = {}  # sets that keep their order
    reasons: dict[str, None] = {}
    entries = 0
    verdicts = [pair for of_project in checked for pair in of_project.verdicts()]
    for place, verdict in verdicts:
        failed = [title(name) for name in verdict.unavailable if not service_specs.refusal(settings, name)]
        if verdict.kind != "unchecked" or not failed:
            continue
        exemption = find_exemption(place.entry)
        # Then the exemption is why it is unchecked, and not the failure.
        if exemption and verdict.reason == exemption.reason:
            continue
        entries += 1
        services |= dict.fromkeys(failed)
        # As in "Crossref: HTTP 500; OpenAlex: no answer".
        for clause in verdict.reason.split("; "):
            service, _, why = clause.partition(": ")
            if service in failed:
                reasons[why] = None
    return ServiceFailure(tuple(services), entries, tuple(reasons)) if entries else None


def show(text: str) -> None:
    """Show one line on a terminal, in place of the one before; nothing in a pipe, unless its reader wants it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
    elif text and all(os.environ.get(name) == value for name, value in TELL_PROGRESS.items()):
        sys.stderr.write(f"{PROGRESS}{text}\n")
        sys.stderr.flush()
