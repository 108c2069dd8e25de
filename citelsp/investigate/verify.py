"""Verdicts on entries: what an earlier run settled at once, the rest from the services as it comes."""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import date, timedelta

from citelsp.bibliography.entry import Entry, fingerprint
from citelsp.features.remembered import per_entry
from citelsp.knowledge import Knowledge, Verdict
from citelsp.project import Place, Project
from citelsp.sources.ask import Sources
from citelsp.verification import ask, kept

Report = Callable[[int, int], None]  # (entries with a verdict, of how many)

_DAYS = 7  # after which even a session that never ends asks again
_fingerprint = per_entry(fingerprint)


def cited(project: Project, path: str = "") -> list[Place]:
    """The entries that the manuscripts cite, each once; of the bibliography at `path` alone where one is named."""
    found = (it for key in sorted(project.cited) for it in project.find(key)[:1])
    places = project.entries() if project.cites_all else found
    return [it for it in places if path in ("", it.source.document.path)]


async def verify(
    places: Sequence[Place], sources: Sources, knowledge: Knowledge, report: Report
) -> AsyncGenerator[Knowledge, None]:
    """`knowledge` with the verdicts on these entries, a snapshot after each one that came.

    What is in `knowledge` already, or was settled in an earlier run, is not asked again until it is too old; what no
    service could be asked about is.  Two entries of one content count once.  Cancel at any time.
    """
    entries = _contents(places)
    missing = [it for key, it in entries.items() if _is_open(knowledge.verdicts.get(key))]
    done = len(entries) - len(missing)
    report(done, len(entries))
    async with aclosing(ask.verify(missing, sources)) as verdicts:
        async for key, verdict in verdicts:
            knowledge = _learnt(knowledge, {key: verdict})
            done += 1
            report(done, len(entries))
            yield knowledge


async def recall(places: Sequence[Place], sources: Sources, knowledge: Knowledge) -> Knowledge:
    """`knowledge` with the verdicts that an earlier run settled; asks nobody."""
    missing = [key for key in _contents(places) if key not in knowledge.verdicts]
    found = await kept.read(sources, missing) if missing else {}
    return _learnt(knowledge, found) if found else knowledge


def _contents(places: Iterable[Place]) -> dict[str, Entry]:
    return {_fingerprint(it): it.entry for it in places}


def _is_open(verdict: Verdict | None) -> bool:
    if verdict is None or (verdict.kind == "unchecked" and verdict.unavailable):
        return True
    return bool(verdict.date) and verdict.date < (date.today() - timedelta(_DAYS)).isoformat()


def _learnt(knowledge: Knowledge, verdicts: dict[str, Verdict]) -> Knowledge:
    return replace(knowledge, verdicts={**knowledge.verdicts, **verdicts})
