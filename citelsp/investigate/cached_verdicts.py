"""Verdicts that an earlier run settled, as they are kept on this machine; nobody is asked."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from citelsp.knowledge import Knowledge, Verdict
from citelsp.sources.answer_cache import Cache
from citelsp.verification import verdict_cache
from citelsp.workspace.project import Place


def index_by_content(places: Iterable[Place]) -> dict[str, Place]:
    """The entries by their content; of several with the same content, the last."""
    return {place.content: place for place in places}


async def recall(entries: Mapping[str, Place], cache: Cache | None, knowledge: Knowledge) -> Knowledge:
    """`knowledge` with the cached verdicts on those of `entries`, by their content, on which it has none yet."""
    unknown = _list_unknown(entries, knowledge)
    if not unknown:
        return knowledge
    return add_verdicts(knowledge, await verdict_cache.read(cache, unknown))


def recall_at_once(places: Iterable[Place], cache: Cache, knowledge: Knowledge) -> Knowledge:
    """As `recall`, but blocking, for callers that are no coroutines."""
    # To take the content of each entry costs more than to see that the cache is empty.
    if not verdict_cache.holds_any(cache):
        return knowledge
    unknown = _list_unknown(index_by_content(places), knowledge)
    if not unknown:
        return knowledge
    return add_verdicts(knowledge, verdict_cache.read_at_once(cache, unknown))


def _list_unknown(entries: Mapping[str, Place], knowledge: Knowledge) -> list[str]:
    """The contents on which `knowledge` has no verdict."""
    return [content for content in entries if content not in knowledge.verdicts]


def add_verdicts(knowledge: Knowledge, verdicts: Mapping[str, Verdict]) -> Knowledge:
    """`knowledge` with these verdicts too; the same object if there are none, so that nothing seems to have changed."""
    if not verdicts:
        return knowledge
    return replace(knowledge, verdicts={**knowledge.verdicts, **verdicts})
