"""Verdicts that an earlier run settled, as they are kept on this machine; nobody is asked."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from citelsp.knowledge import Knowledge, Verdict
from citelsp.sources.cache import Cache
from citelsp.verification import verdict_cache
from citelsp.workspace.project import Place


def contents(places: Iterable[Place]) -> dict[str, Place]:
    """The entries by their content, of several with the same content the last."""
    return {it.content: it for it in places}


async def recall(entries: Mapping[str, Place], cache: Cache | None, knowledge: Knowledge) -> Knowledge:
    """`knowledge` with the verdicts that are kept on these entries."""
    unknown = [key for key in entries if key not in knowledge.verdicts]
    found = await verdict_cache.read(cache, unknown) if unknown else {}
    return learnt(knowledge, found) if found else knowledge


def learnt(knowledge: Knowledge, verdicts: Mapping[str, Verdict]) -> Knowledge:
    return replace(knowledge, verdicts={**knowledge.verdicts, **verdicts})
