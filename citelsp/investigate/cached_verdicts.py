"""Verdicts that an earlier run settled, as they are kept on this machine; nobody is asked."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from citelsp.knowledge import Knowledge, Verdict
from citelsp.sources.answer_cache import Cache
from citelsp.verification import verdict_cache
from citelsp.workspace.project import Place


def contents(places: Iterable[Place]) -> dict[str, Place]:
    """The entries by their content, of several with the same content the last."""
    return {it.content: it for it in places}


async def recall(entries: Mapping[str, Place], cache: Cache | None, knowledge: Knowledge) -> Knowledge:
    """`knowledge` with the verdicts that are kept on these entries."""
    unknown = _unknown(entries, knowledge)
    return learnt(knowledge, await verdict_cache.read(cache, unknown)) if unknown else knowledge


def recall_at_once(places: Iterable[Place], cache: Cache, knowledge: Knowledge) -> Knowledge:
    """The same, for those who may wait for it; entries are read only if some verdict is kept."""
    if not verdict_cache.holds_any(cache):
        return knowledge
    unknown = _unknown(contents(places), knowledge)
    return learnt(knowledge, verdict_cache.read_at_once(cache, unknown)) if unknown else knowledge


def _unknown(entries: Mapping[str, Place], knowledge: Knowledge) -> list[str]:
    return [key for key in entries if key not in knowledge.verdicts]


def learnt(knowledge: Knowledge, verdicts: Mapping[str, Verdict]) -> Knowledge:
    if not verdicts:
        return knowledge
    return replace(knowledge, verdicts={**knowledge.verdicts, **verdicts})
