"""How rare words are in a server's index: the frequent ones learnt at first, others as questions bring them up."""

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Awaitable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from citelsp.corpus import server_index
from citelsp.corpus.engine import TextField
from citelsp.sources.search_server import FOREIGN, ForeignAnswerError, SearchServer, UnavailableError

T = TypeVar("T")

FRESH = 3600.0  # seconds, after which size and statistics are asked for anew
_SAMPLE = 2000  # works, whose titles hold the frequent words
_AT_ONCE = 2000  # words in one request
_SHARDS = 5  # of which statistics are asked for: of many shards these speak for the others
_ASKED = ("title", "text")


class Vocabulary:
    """The statistics of one index.  Bound to the event loop of its server."""

    def __init__(self, server: SearchServer) -> None:
        self._server = server
        self._opening = asyncio.Lock()
        self._read: float | None = None
        self._rarity: dict[str, dict[str, float]] = {it: {} for it in _ASKED}
        self._unknown = 0.0  # rarity of a word without statistics
        self._missed: set[str] = set()
        self._routings: Sequence[str] = ()
        self._shards = 1
        self.works = 0
        self.latest = 0  # year of a work

    def rarity(self, field: TextField, stem: str) -> float:
        """As BM25 counts it; of a word without statistics a likely one, and the next question learns it."""
        found = self._rarity["title" if field == "title" else "text"].get(stem)
        if found is None:
            self._missed.add(stem)
            return self._unknown
        return found

    async def open(self, seconds: float) -> None:
        """Learn how large the index is, and its frequent words; UnavailableError if it is none of ours."""
        async with self._opening:
            if self._read is not None and time.monotonic() - self._read < FRESH:
                return
            await self._learn_index(seconds)
            # Keys are hashes: the least are works by chance, and found without a look at the others.
            sample = {"sort": ["title_key"], "size": _SAMPLE, "track_total_hits": False, "_source": ["title"]}
            count = {"size": 0, "track_total_hits": True, "aggs": {"latest": {"max": {"field": "year"}}}}
            titles, counted = await self._server.searches([sample, count], seconds=seconds)
            try:
                self.works = int(counted["hits"]["total"]["value"])
                # What is dated later than next year has a wrong date, and would have all years until then asked for.
                latest = (counted.get("aggregations") or {})["latest"]["value"] or 0
                self.latest = min(int(latest), time.localtime().tm_year + 1)
                hits = titles.get("hits", {}).get("hits", [])
                stems = {stem for it in hits for stem in it["_source"]["title"].split()}
            except FOREIGN as problem:
                raise ForeignAnswerError from problem
            for known in self._rarity.values():
                known.clear()
            # Held by one work at least, and by fewer than a sample shows: the middle, as frequencies span magnitudes.
            self._unknown = self._inverse(math.sqrt(max(1.0, self.works / _SAMPLE)))
            await self._ask(stems, seconds)
            self._read = time.monotonic()

    async def with_citations(
        self, answers: Awaitable[T], terms: Sequence[str], stems: Collection[str]
    ) -> tuple[T, Mapping[str, float]]:
        """The answers; how many works have each of these terms as a reference, asked for at the same time.

        So are these words and those missed before, unless they are known.
        """
        missed, self._missed = self._missed, set()
        unknown = [it for it in dict.fromkeys((*stems, *missed)) if it not in self._rarity["text"]][:_AT_ONCE]
        asked = self._statistics(_words(unknown) | {"references": terms}, self._server.setting.seconds)
        found, counts = await asyncio.gather(answers, asked)
        self._learn(unknown, counts)
        return found, counts["references"]

    async def _learn_index(self, seconds: float) -> None:
        answer = await self._server.index("/_mapping?filter_path=*.mappings._meta", seconds=seconds)
        metas = list(map(_meta, answer.values())) if isinstance(answer, dict) else []
        if len(metas) != 1:
            raise UnavailableError(f"{self._server.setting.index} is not one index that citelsp made: check index")
        if metas[0].get("citelsp") != server_index.FORMAT:
            raise UnavailableError("another version of citelsp made its index: install that one, or build a new index")
        routings = metas[0].get("routings")
        if not isinstance(routings, list) or not routings or not all(isinstance(it, str) for it in routings):
            raise ForeignAnswerError
        self._shards, self._routings = len(routings), routings[:_SHARDS]

    async def _ask(self, stems: Collection[str], seconds: float) -> None:
        listed = sorted(stems)
        for start in range(0, len(listed), _AT_ONCE):
            part = listed[start : start + _AT_ONCE]
            self._learn(part, await self._statistics(_words(part), seconds))

    def _learn(self, stems: Sequence[str], counts: Mapping[str, Mapping[str, float]]) -> None:
        for field, known in self._rarity.items():
            known.update({it: self._inverse(counts[field].get(it, 0.0)) for it in stems})

    def _inverse(self, count: float) -> float:
        """The rarity of what so many works hold."""
        return math.log1p((max(self.works, count) - count + 0.5) / (count + 0.5))

    async def _statistics(self, document: Mapping[str, Any], seconds: float) -> Mapping[str, Mapping[str, float]]:
        """How many documents hold each word of a document, field by field; what none holds is left out."""
        asked = [
            {
                "_index": self._server.setting.index, "routing": routing, "doc": document, "fields": list(document),
                "term_statistics": True, "positions": False, "offsets": False, "field_statistics": False,
            }
            for routing in self._routings
        ]  # fmt: skip
        path = "/_mtermvectors?filter_path=docs._index,docs.error.type,docs.term_vectors.*.terms.*.doc_freq"
        answer = await self._server.root(path, {"docs": asked}, seconds=seconds)
        try:
            documents = answer["docs"]
            if len(documents) != len(asked) or any("error" in it for it in documents):
                raise UnavailableError("a part of its index did not answer")
            return _added(document, [it.get("term_vectors", {}) for it in documents], self._shards)
        except FOREIGN as problem:
            raise ForeignAnswerError from problem


def _words(stems: Iterable[str]) -> dict[str, Any]:
    """A document that holds these words where their statistics are asked for."""
    return dict.fromkeys(_ASKED, " ".join(stems))


def _meta(index: object) -> Mapping[str, Any]:
    """What citelsp wrote into the mapping of an index; nothing if it did not."""
    found = index.get("mappings", {}).get("_meta") if isinstance(index, dict) else None
    return found if isinstance(found, dict) else {}


def _added(
    fields: Iterable[str], vectors: Sequence[Mapping[str, Any]], shards: int
) -> Mapping[str, Mapping[str, float]]:
    """How many documents of all shards hold each word, by what those that were asked say of theirs."""
    total: dict[str, dict[str, float]] = {it: defaultdict(float) for it in fields}
    share = shards / len(vectors)
    for vector in vectors:
        for field in total:
            for word, statistics in vector.get(field, {}).get("terms", {}).items():
                total[field][word] += share * int(statistics.get("doc_freq", 0))
    return total
