"""A corpus on a server, as ranking asks it: two round trips a question.

First all wordings are searched at once; then everything that ranking needs of the works found is asked for, with the
statistics of words that were never seen.  Until these have come, such a word counts as one that few works hold: the
frequent ones are learnt when the server is first asked.

Each shard ranks by its own statistics, which are alike if works are spread by a hash of their names; in an index so
small that they are not, every search counts all shards' statistics, for a little more work on the server.

How often a work is cited, and in which years, is read from the index's statistics too: to count the works that cite it
would cost several times as much as the rest.
"""

import math
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from citelsp.corpus import server_index, server_vectors
from citelsp.corpus.catalogue import Hits, Seeds, Wording
from citelsp.corpus.server_vectors import Direction
from citelsp.corpus.server_words import Vocabulary
from citelsp.corpus.store import Citing, Row, Sketch
from citelsp.corpus.words import key_number, title_key
from citelsp.sources.search_server import FOREIGN, ForeignAnswerError, SearchServer

T = TypeVar("T")
Run = Callable[[Awaitable[T]], T]  # waits in this thread for what runs in the event loop

_FACTOR = 2.2  # BM25's k1 + 1, which Lucene leaves out as it orders nothing
_SMALL = 50_000  # works, up to which all shards' statistics count in each search
_SPARE = 1.5  # so many more citers are looked at, as the server chooses them by its shards' statistics
_FIELDS = frozenset({"title", "text", "citing"})
_SAME_TITLE = 3  # works of one title that are looked at
_SKETCHES = "sketches"
_DATED = ["number", "published", "title_key"]
_CITING = [*_DATED, "cites"]


class ServerCatalogue:
    """One question's view of a server's index.  UnavailableError from any method, if the server does not answer."""

    def __init__(
        self, server: SearchServer, words: Vocabulary, run: "Run[Any]", direction: Direction | None = None
    ) -> None:
        """The works nearest to a direction are found beside those that words find."""
        self._server = server
        self._words = words
        self._run = run
        self._seconds = server.setting.seconds
        self._direction, self._near = direction, list[int]()
        self._titled: dict[int, list[int]] = {}  # by the number of the title key
        self._known: dict[int, Citing] = {}
        self._sources: dict[int, Mapping[str, Any]] = {}
        self._counts: dict[int, tuple[int, int]] = {}
        self._stems: Collection[str] = ()
        self._sent = False  # what the second round trip brings is there
        self.rarity = words.rarity

    @property
    def size(self) -> int:
        return self._words.works

    def numbers(self, ids: Sequence[str]) -> dict[str, int]:
        return {it: server_index.number(it) for it in ids}

    def titled(self, titles: Sequence[str]) -> list[int]:
        keys = dict.fromkeys(key_number(title_key(it)) for it in titles)
        return [n for key in keys for n in self._titled.get(key, ())]

    def search(
        self, wordings: Mapping[str, Wording], stems: Collection[str], titles: Sequence[str] = ()
    ) -> Mapping[str, Hits]:
        asked = {name: it for name, it in wordings.items() if it.field in _FIELDS and it.weights}
        self._stems = stems
        bodies = [*map(_search, asked.values())]
        beside = self._direction
        if titles:
            bodies.append(_titled(titles))
        if beside:
            self._direction = None  # which later searches do not ask for again
            bodies.append(server_vectors.search(beside) | _columns(["number"]))
        found_all = self._searched(bodies, [beside.within] if beside else [])
        if beside:
            self._near = server_vectors.nearest_works(beside, _scored(found_all.pop()))
        if titles:
            self._learn_titled(found_all.pop())
        answers = dict(zip(asked, found_all, strict=True))
        found: dict[str, Hits] = dict.fromkeys(wordings, ())
        for name, answer in answers.items():
            wording = asked[name]
            if wording.field == "citing":
                self._learn(answer)
            found[name] = [(n, _FACTOR * score) for n, score in _scored(answer)[: wording.limit]]
        return found

    def nearest(self) -> Sequence[int]:
        """Numbers of the works near the direction, the nearest first, once it was searched."""
        return self._near

    def citing(self, numbers: Sequence[int]) -> Mapping[int, Citing]:
        return {n: self._known[n] for n in numbers if n in self._known}

    def _learn_titled(self, answer: Mapping[str, Any]) -> None:
        for key, n in _formed(lambda: [_numbers(it["fields"], "title_key", "number") for it in _hits(answer)]):
            self._titled.setdefault(key, []).append(n)

    def co_citations(
        self, ballots: Mapping[str, Seeds], since: int, until: int, likely: Callable[[], Sequence[int]]
    ) -> Mapping[str, tuple[Mapping[int, float], Hits]]:
        works = likely()
        bodies = {_SKETCHES: _named(works)}
        bodies |= {name: _citers(it, until) for name, it in ballots.items() if it.strengths}
        asked = self._server.searches(bodies.values(), seconds=self._seconds, exact=self.size <= _SMALL)
        seeds = dict.fromkeys(n for it in ballots.values() for n in it.strengths)
        answers = dict(zip(bodies, self._with_counts(asked, works, seeds, (since, until)), strict=True))
        self._keep(answers[_SKETCHES])
        self._sent = True
        return {name: self._voters(it, answers.get(name, {})) for name, it in ballots.items()}

    def _voters(self, seeds: Seeds, answer: Mapping[str, Any]) -> tuple[Mapping[int, float], Hits]:
        counts = self._counts
        strengths = seeds.strengths
        shares = {n: strengths[n] / math.sqrt(3 + counts[n][0]) for n in strengths if n in counts}
        total = {it.n: sum(shares[n] for n in shares.keys() & it.cites) for it in self._learn(answer)}
        return shares, sorted(total.items(), key=itemgetter(1), reverse=True)[: seeds.limit]

    def _with_counts(
        self, asked: Awaitable[list[Any]], works: Sequence[int], seeds: Iterable[int], years: tuple[int, int]
    ) -> list[Any]:
        """What is asked; with it come the citations of works and seeds until a year, and of works since another."""
        since, until = years
        names = {n: server_index.name(n) for n in (*works, *seeds)}
        latest = self._words.latest
        later = server_index.periods(until + 1, latest, latest)
        recent = server_index.periods(since, until, latest) if since > 0 else []
        terms = [*names.values()]
        terms += [server_index.cited_in(name, it) for name in names.values() for it in later]
        terms += [server_index.cited_in(names[n], it) for n in works for it in recent]
        found: tuple[list[Any], Mapping[str, float]] = self._run(self._words.with_citations(asked, terms, self._stems))
        answers, counts = found

        def cited(name: str, periods: Iterable[str]) -> int:
            return round(sum(counts.get(server_index.cited_in(name, it), 0.0) for it in periods))

        for n, name in names.items():
            # A work that nobody cites is not cited in any year either.
            if name in counts and (count := round(counts[name]) - cited(name, later)) > 0:
                self._counts[n] = count, cited(name, recent) if since > 0 else count
        return answers

    def sketches(self, numbers: Sequence[int]) -> Mapping[int, Sketch]:
        if not self._sent:
            (answer,) = self._searched([_named(numbers)])
            self._keep(answer)
        return _formed(lambda: {n: server_index.sketch(self._sources[n]) for n in numbers if n in self._sources})

    def cited_counts(self, numbers: Sequence[int], since: int, until: int) -> dict[int, tuple[int, int]]:  # noqa: ARG002
        return {n: self._counts[n] for n in numbers if n in self._counts}

    def dated(self, numbers: Sequence[int]) -> Iterator[tuple[int, int, str]]:
        (answer,) = self._searched([{**_named(numbers), "_source": ["number", "title_key", "published", "record.id"]}])
        for n, source in _formed(lambda: _sources(answer)):
            self._sources.setdefault(n, source)
            yield _formed(lambda: (n, int(source["title_key"]), str(source["published"])))  # noqa: B023 - at once

    def ids(self, numbers: Sequence[int]) -> list[str]:
        return _formed(lambda: [str(self._sources[n]["record"]["id"]) for n in numbers])

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        sources = [(n, self._sources[n]) for n in numbers if n in self._sources]
        return _formed(lambda: [Row(n, server_index.work(it), ()) for n, it in sources])

    def fulltext(self, numbers: Sequence[int]) -> Mapping[int, str]:  # noqa: ARG002
        """None: passages of full texts are in embedded indexes."""
        return {}

    def _searched(self, bodies: Iterable[Mapping[str, Any]], indexes: Iterable[str] = ()) -> list[Any]:
        asked = list(bodies)
        if not asked:
            return []
        exact = self.size <= _SMALL
        searches = self._server.searches(asked, seconds=self._seconds, exact=exact, indexes=indexes)
        found: list[Any] = self._run(searches)
        return found

    def _learn(self, answer: Mapping[str, Any]) -> list[Citing]:
        """The citing works of an answer."""
        return _formed(lambda: [self._citing(it["fields"]) for it in _hits(answer)])

    def _citing(self, fields: Mapping[str, Sequence[Any]]) -> Citing:
        n = int(fields["number"][0])
        if n not in self._known:  # one work is near by several wordings
            self._known[n] = _citing(n, fields)
        return self._known[n]

    def _keep(self, answer: Mapping[str, Any]) -> None:
        self._sources |= _formed(lambda: dict(_sources(answer)))


def _search(wording: Wording) -> dict[str, Any]:
    should = [_term(wording.field, stem, weight) for stem, weight in wording.weights.items()]
    return {
        "query": {"bool": {"should": should}},
        "size": wording.limit,
        **_columns(_CITING if wording.field == "citing" else ["number"]),
    }


def _term(field: str, value: str, boost: float) -> dict[str, Any]:
    return {"term": {field: {"value": value, "boost": round(boost, 6)}}}


def _columns(fields: Sequence[str]) -> dict[str, Any]:
    """Fields that lie in columns, which is all that is read of a hit."""
    return {"track_total_hits": False, "stored_fields": "_none_", "docvalue_fields": list(fields)}


def _named(numbers: Sequence[int]) -> dict[str, Any]:
    query = {"ids": {"values": [server_index.name(it) for it in numbers]}}
    return {"query": query, "size": len(numbers), "track_total_hits": False, "sort": ["_doc"]}


def _years(since: int, until: int) -> dict[str, Any]:
    return {"range": {"year": {"gte": since, "lte": until}}}


def _citers(seeds: Seeds, until: int) -> dict[str, Any]:
    """Works that cite the most of the best seeds: the index's own similarity weighs each by its citations."""
    should = [_term("references", server_index.name(n), strength) for n, strength in seeds.strengths.items()]
    query = {"bool": {"should": should, "minimum_should_match": 1, "filter": [_years(0, until)]}}
    return {"query": query, "size": int(_SPARE * seeds.limit), **_columns(_CITING)}


def _titled(titles: Sequence[str]) -> dict[str, Any]:
    query = {"terms": {"title_key": list(dict.fromkeys(key_number(title_key(it)) for it in titles))}}
    return {"query": query, "size": _SAME_TITLE * len(titles), **_columns(["number", "title_key"])}


def _hits(answer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    hits: Sequence[Mapping[str, Any]] = answer.get("hits", {}).get("hits", [])
    return hits


def _scored(answer: Mapping[str, Any]) -> Hits:
    found = _formed(lambda: [(int(it["fields"]["number"][0]), float(it["_score"])) for it in _hits(answer)])
    # What rounds to nothing says nothing, and later steps divide by it.
    return [it for it in found if it[1] > 0 and math.isfinite(it[1])]


def _citing(n: int, fields: Mapping[str, Sequence[Any]]) -> Citing:
    published = str(fields["published"][0]) if fields.get("published") else ""
    cites = server_index.unpacked(fields["cites"][0])
    return Citing(n, int(fields["title_key"][0]), published, cites)


def _numbers(fields: Mapping[str, Sequence[Any]], *names: str) -> tuple[int, ...]:
    return tuple(int(fields[it][0]) for it in names)


def _sources(answer: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for hit in _hits(answer):
        yield int(hit["_source"]["number"]), hit["_source"]


def _formed(read: Callable[[], T]) -> T:
    """What is read from an answer; ForeignAnswerError if it is of another form."""
    try:
        return read()
    except FOREIGN as problem:
        raise ForeignAnswerError from problem
