"""How rare words are in a server's index: the frequent ones learnt at first, others as questions bring them up."""

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Awaitable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from citelsp.corpus import server_index
from citelsp.corpus.word_index import TextField
from citelsp.sources.search_server import FOREIGN, ForeignAnswerError, SearchServer, UnavailableError

T = TypeVar("T")

FRESH = 3600.0  # seconds, after which size and statistics are asked for anew
_SAMPLED_WORKS = 2000  # whose titles hold the frequent words
_WORDS_AT_ONCE = 2000  # in one request
_ASKED_SHARDS = 5  # of many shards so many speak for the others
_WORD_FIELDS = ("title", "text")
_STATISTICS = "/_mtermvectors?filter_path=docs._index,docs.error.type,docs.term_vectors.*.terms.*.doc_freq"


class Vocabulary:
    """The statistics of one index.  Bound to the event loop of its server."""

    def __init__(self, server: SearchServer) -> None:
        self._server = server
        self._opening = asyncio.Lock()
        self._opened: float | None = None  # when, by the monotonic clock; None if never
        self._rarity: dict[str, dict[str, float]] = {it: {} for it in _WORD_FIELDS}  # by field and stem
        self._likely_rarity = 0.0  # of a word without statistics
        self._missed: set[str] = set()  # words that were asked for and had no statistics
        self._routings: Sequence[str] = ()  # each leads to one of the shards that are asked
        self._shards = 1  # of the index
        self.works = 0  # in the index
        self.latest = 0  # year in which a work of the index was published

    def rarity(self, field: TextField, stem: str) -> float:
        """As BM25 counts it; of a word without statistics a likely one, and the next question learns it."""
        rarity = self._rarity["title" if field == "title" else "text"].get(stem)
        if rarity is None:
            self._missed.add(stem)
            return self._likely_rarity
        return rarity

    def may_hold(self, field: TextField, stem: str) -> bool:
        """False if no work holds a word, as far as that was asked; a word without statistics is not noted as missed."""
        rarity = self._rarity["title" if field == "title" else "text"].get(stem)
        return rarity is None or rarity < self._rarity_of_count(0)

    async def open(self, seconds: float) -> None:
        """Learn how large the index is, its latest year and its frequent words, unless that was less than an hour ago.

        UnavailableError if the server does not answer within `seconds`, or citelsp did not make the index.
        """
        async with self._opening:
            if self._opened is not None and time.monotonic() - self._opened < FRESH:
                return
            await self._read_routings(seconds)
            # Keys are hashes: the least are works by chance, and found without a look at the others.
            sample = {"sort": ["title_key"], "size": _SAMPLED_WORKS, "track_total_hits": False, "_source": ["title"]}
            count = {"size": 0, "track_total_hits": True, "aggs": {"latest": {"max": {"field": "year"}}}}
            titles, counted = await self._server.searches([sample, count], seconds=seconds)
            try:
                self.works = int(counted["hits"]["total"]["value"])
                latest = (counted.get("aggregations") or {})["latest"]["value"] or 0
                # What is dated later than next year has a wrong date, and would have all years until then asked for.
                self.latest = min(int(latest), time.localtime().tm_year + 1)
                hits = titles.get("hits", {}).get("hits", [])
                # The index has titles as stems, parted by spaces.
                frequent_stems = {stem for hit in hits for stem in hit["_source"]["title"].split()}
            except FOREIGN as problem:  # raised by an answer of another form
                raise ForeignAnswerError from problem
            for rarity_of in self._rarity.values():
                rarity_of.clear()
            # A word that is not in the sample is in one work at least, and hardly in more than `most_works`, else it
            # would be in the sample.  The geometric mean of the two is likely, as frequencies span magnitudes.
            most_works = max(1.0, self.works / _SAMPLED_WORKS)
            self._likely_rarity = self._rarity_of_count(math.sqrt(most_works))
            await self._learn_words(frequent_stems, seconds)
            self._opened = time.monotonic()

    async def with_citations(
        self, answers: Awaitable[T], terms: Sequence[str], stems: Collection[str]
    ) -> tuple[T, Mapping[str, float]]:
        """Return what `answers` brings, and about how many works have each of the terms `terms` among their references.

        The server is asked for both at once.  In passing, `rarity` learns these `stems`, and those that it was asked
        for before and did not know, `_WORDS_AT_ONCE` of them at most.  As `_count_works` it needs `open`, leaves out a
        term that no work has, and raises UnavailableError.
        """
        missed = self._missed
        self._missed = set()
        unknown = [it for it in dict.fromkeys((*stems, *missed)) if it not in self._rarity["text"]][:_WORDS_AT_ONCE]
        document = _make_document(unknown) | {"references": terms}
        statistics = self._count_works(document, self._server.setting.seconds)
        answered, counts = await asyncio.gather(answers, statistics)
        self._set_rarities(unknown, counts)
        return answered, counts["references"]

    async def _read_routings(self, seconds: float) -> None:
        """Read from the index's mapping a value for each of its shards that leads to it, and choose those to ask.

        {"works-1": {"mappings": {"_meta": {"citelsp": 2, "routings": ["0", "3"]}}}}: each routing leads to one shard.
        UnavailableError if that is not one index of this version of citelsp.
        """
        answer = await self._server.index("/_mapping?filter_path=*.mappings._meta", seconds=seconds)
        metas = list(map(_read_meta, answer.values())) if isinstance(answer, dict) else []
        if len(metas) != 1:
            raise UnavailableError(f"{self._server.setting.index} is not one index that citelsp made: check index")
        if metas[0].get("citelsp") != server_index.FORMAT:
            raise UnavailableError("another version of citelsp made its index: install that one, or build a new index")
        routings = metas[0].get("routings")
        if not isinstance(routings, list) or not routings or not all(isinstance(it, str) for it in routings):
            raise ForeignAnswerError
        self._shards = len(routings)
        self._routings = routings[:_ASKED_SHARDS]

    async def _learn_words(self, stems: Collection[str], seconds: float) -> None:
        in_order = sorted(stems)
        for start in range(0, len(in_order), _WORDS_AT_ONCE):
            part = in_order[start : start + _WORDS_AT_ONCE]
            self._set_rarities(part, await self._count_works(_make_document(part), seconds))

    def _set_rarities(self, stems: Sequence[str], counts: Mapping[str, Mapping[str, float]]) -> None:
        """Note how rare some words are, given how many works hold each in each field; none if it is left out."""
        for field, rarity_of in self._rarity.items():
            rarity_of.update({it: self._rarity_of_count(counts[field].get(it, 0.0)) for it in stems})

    def _rarity_of_count(self, count: float) -> float:
        """The rarity of what so many works hold: the inverse document frequency of BM25."""
        return math.log1p((max(self.works, count) - count + 0.5) / (count + 0.5))

    async def _count_works(self, document: Mapping[str, Any], seconds: float) -> Mapping[str, Mapping[str, float]]:
        """Return about how many works have each word of a document, by field and word, without words that none has.

        The server is sent `document`, which is made up of the words asked for, once for each shard that is asked, and
        answers how many works of the shard have each word; shards that are not asked are taken to have as many on
        average.  `open` has to come first: it chooses those that are.  UnavailableError if one of these does not
        answer, or not in time; ForeignAnswerError, a kind of it, if the answer has another form.
        """
        asked = [
            {
                "_index": self._server.setting.index, "routing": routing, "doc": document, "fields": list(document),
                "term_statistics": True, "positions": False, "offsets": False, "field_statistics": False,
            }
            for routing in self._routings
        ]  # fmt: skip
        answer = await self._server.root(_STATISTICS, {"docs": asked}, seconds=seconds)
        try:
            documents = answer["docs"]
            if len(documents) != len(asked) or any("error" in it for it in documents):
                raise UnavailableError("a part of its index did not answer")
            return _sum_over_shards(document, [it.get("term_vectors", {}) for it in documents], self._shards)
        except FOREIGN as problem:  # raised by an answer of another form
            raise ForeignAnswerError from problem


def _make_document(stems: Iterable[str]) -> dict[str, Any]:
    """A document that holds these words in each field in which their statistics are asked for."""
    return dict.fromkeys(_WORD_FIELDS, " ".join(stems))


def _read_meta(index: object) -> Mapping[str, Any]:
    """What citelsp wrote into an index's mapping, {"mappings": {"_meta": {…}}}; empty if it wrote nothing."""
    meta = index.get("mappings", {}).get("_meta") if isinstance(index, dict) else None
    return meta if isinstance(meta, dict) else {}


def _sum_over_shards(
    fields: Iterable[str], vectors: Sequence[Mapping[str, Any]], shards: int
) -> Mapping[str, Mapping[str, float]]:
    """Return how many documents of all shards have each word, by field and word, as some of the shards let one expect.

    What one shard says, one of `vectors`, is {"title": {"terms": {"learn": {"doc_freq": 12}}}}.  `shards` is how many
    there are; those that were not asked count as the average of the others.
    """
    total: dict[str, dict[str, float]] = {it: defaultdict(float) for it in fields}
    shards_for_one = shards / len(vectors)
    for vector in vectors:
        for field in total:
            for word, statistics in vector.get(field, {}).get("terms", {}).items():
                total[field][word] += shards_for_one * int(statistics.get("doc_freq", 0))
    return total
