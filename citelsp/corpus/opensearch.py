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
from citelsp.corpus.catalogue import CoCitations, Hits, Seeds, Wording, share_strength
from citelsp.corpus.server_vectors import Direction
from citelsp.corpus.server_words import Vocabulary
from citelsp.corpus.store import Citing, Row, Sketch
from citelsp.corpus.words import key_number, title_key
from citelsp.sources.search_server import FOREIGN, ForeignAnswerError, SearchServer

T = TypeVar("T")
Run = Callable[[Awaitable[T]], T]  # waits in this thread for what runs in the event loop

_BM25_FACTOR = 2.2  # BM25's k1 + 1, which Lucene leaves out as it orders nothing
_SMALL_INDEX = 50_000  # works, up to which all shards' statistics count in each search
_SPARE_CITERS = 1.5  # so many times more citers are looked at, as the server chooses them by its shards' statistics
_SEARCHED_FIELDS = frozenset({"title", "text", "citing"})  # of a server's index; others are in embedded ones alone
_SAME_TITLE = 3  # works of one title that are looked at
_SKETCHES = "sketches"  # the name of the search for likely works, among those that are named after ballots
_CITING_COLUMNS = ["number", "published", "title_key", "cites"]  # what is read of a work that cites others


class ServerCatalogue:
    """One question's view of a server's index.  UnavailableError from any method, if the server does not answer."""

    def __init__(
        self, server: SearchServer, words: Vocabulary, run: "Run[Any]", direction: Direction | None = None
    ) -> None:
        """Look at the index of `server` for one question; with a `direction`, find the works nearest to it, too.

        A direction is the question's vector, as the server's index of vectors compares it.  `words` knows how rare
        words are on the server; `run` waits for an answer of the server.  What it has sent is collected here, by the
        numbers of works, for the methods that are called later.
        """
        self._server = server
        self._words = words
        self._run = run
        self._seconds = server.setting.seconds
        self._direction = direction  # None once it was searched
        self._near: list[int] = []
        self._titled: dict[int, list[int]] = {}  # by the number of the title key
        self._citing_works: dict[int, Citing] = {}
        self._sources: dict[int, Mapping[str, Any]] = {}
        self._citation_counts: dict[int, tuple[int, int]] = {}  # as `cited_counts` has them
        self._stems: Collection[str] = ()  # whose rarity the second round trip asks for
        self._has_sketches = False  # the second round trip has brought those that will be asked for
        self.rarity = words.rarity
        self.may_hold = words.may_hold

    @property
    def size(self) -> int:
        return self._words.works

    def numbers(self, ids: Sequence[str]) -> dict[str, int]:
        return {it: server_index.number(it) for it in ids}

    def titled(self, titles: Sequence[str]) -> list[Sequence[int]]:
        keys = [key_number(title_key(it)) for it in titles]
        return [self._titled.get(key, ()) for key in keys]

    def search(
        self, wordings: Mapping[str, Wording], stems: Collection[str], titles: Sequence[str] = ()
    ) -> Mapping[str, Hits]:
        """Make the first round trip; return the hits of each wording.

        A wording has weighted stems and the field to search them in; it has no hits if it has no stems, or if the
        server does not index the field, as those of full texts.  The round trip also asks for works with these
        titles, which `titled` then returns, and for works near the direction (the question's vector), if there is one.
        `stems` are noted: the second round trip asks how rare they are.
        """
        self._stems = stems
        asked = {name: it for name, it in wordings.items() if it.field in _SEARCHED_FIELDS and it.weights}
        # Answers come in the order of the bodies: wordings, titles, direction.  They are taken off from the end.
        bodies = [_search_by_words(it) for it in asked.values()]
        if titles:
            bodies.append(_search_by_titles(titles))
        direction = self._direction
        if direction:
            self._direction = None  # later searches of this question do not ask for it again
            bodies.append(server_vectors.search(direction) | _read_columns(["number"]))  # of a hit only its number
        # The direction, if there is one, is searched in the index of vectors, `within`, all else in that of works.
        answers = self._search_server(bodies, indexes=[direction.within] if direction else [])
        if direction:
            self._near = server_vectors.nearest_works(direction, _read_scores(answers.pop()))
        if titles:
            self._add_titled(answers.pop())
        hits: dict[str, Hits] = dict.fromkeys(wordings, ())
        for (name, wording), answer in zip(asked.items(), answers, strict=True):
            if wording.field == "citing":  # among works whose references are known, which the answer has
                self._add_citing(answer)  # noted for the method `citing`
            # Times a factor that the server leaves out, as it orders nothing: other corpora have it in their scores.
            hits[name] = [(n, _BM25_FACTOR * score) for n, score in _read_scores(answer)[: wording.limit]]
        return hits

    def nearest(self) -> Sequence[int]:
        """Return the numbers of the works near the direction, the nearest first; empty before it was searched."""
        return self._near

    def citing(self, numbers: Sequence[int]) -> Mapping[int, Citing]:
        return {n: self._citing_works[n] for n in numbers if n in self._citing_works}

    def _add_titled(self, answer: Mapping[str, Any]) -> None:
        """Collect the works of an answer by the numbers of their title keys, for `titled`."""
        for key, n in _check_form(
            lambda: [_read_numbers(it["fields"], "title_key", "number") for it in _read_hits(answer)]
        ):
            self._titled.setdefault(key, []).append(n)

    def co_citations(
        self, ballots: Mapping[str, Seeds], since: int, until: int, likely: Callable[[], Sequence[int]]
    ) -> Mapping[str, CoCitations]:
        """Make the second round trip; return for each ballot who cites its seeds.

        The seeds of a ballot are works that stand for the place; those who cite them are to vote in it.  A ballot
        without seeds is not asked for, and has no citers.  `since` and `until`: the years from which citations are
        recent, and until which they count.  The answer also brings the documents of likely works, for `sketches`; how
        often these and all seeds are cited, for `cited_counts`; and how rare the words are that `search` noted.
        """
        works = likely()
        bodies = {_SKETCHES: _search_by_numbers(works)}
        bodies |= {name: _search_citers(seeds, until) for name, seeds in ballots.items() if seeds.strengths}
        # In a small index each shard has too few works to know how frequent a word is: there all shards are asked.
        searches = self._server.searches(bodies.values(), seconds=self._seconds, exact=self._is_small())
        every_seed = dict.fromkeys(n for seeds in ballots.values() for n in seeds.strengths)
        counted = self._run_with_counts(searches, works, every_seed, since=since, until=until)
        answers = dict(zip(bodies, counted, strict=True))
        self._add_sources(answers[_SKETCHES])
        self._has_sketches = True
        return {name: self._rank_citers(seeds, answers.get(name, {})) for name, seeds in ballots.items()}

    def _rank_citers(self, seeds: Seeds, answer: Mapping[str, Any]) -> CoCitations:
        """Return who cites the seeds, by what each citer gets.

        A seed gives less to each, the more works cite it.  `answer` has the citers in the server's order.  That is not
        used, because each shard of the server counts only the citations of its own works.  A seed that
        `_citation_counts` lacks gives nothing: nobody cites it until that year in the shards that were asked.  Who
        cites such seeds alone is left out.
        """
        counts = self._citation_counts
        shares: dict[int, float] = {}
        for n, strength in seeds.strengths.items():
            if n in counts:
                citations, _ = counts[n]
                shares[n] = share_strength(strength, citations)
        received = {it.n: sum(shares[n] for n in shares.keys() & it.cites) for it in self._add_citing(answer)}
        citers = [(n, strength) for n, strength in received.items() if strength]
        return CoCitations(shares, sorted(citers, key=itemgetter(1), reverse=True)[: seeds.limit])

    def _run_with_counts(
        self, searches: Awaitable[list[Any]], works: Sequence[int], seeds: Iterable[int], *, since: int, until: int
    ) -> list[Any]:
        """Return the answers of searches, and ask the server beside them how often works and seeds are cited.

        What it says is collected for `cited_counts`.  Citations count until the year `until`, and are recent since the
        year `since`; all are, if that is 0 or less.  For seeds that are not among the works recent ones are not asked
        for, and their number means nothing.
        """
        names = {n: server_index.name(n) for n in (*works, *seeds)}
        latest = self._words.latest
        later = server_index.periods(until + 1, latest, latest)
        recent = server_index.periods(since, until, latest) if since > 0 else []
        # In the index a reference is a term by its name, and another by name and year or decade of the citing work.
        terms = [*names.values()]
        terms += [server_index.cited_in(name, period) for name in names.values() for period in later]
        terms += [server_index.cited_in(names[n], period) for n in works for period in recent]
        with_citations = self._words.with_citations(searches, terms, self._stems)
        result: tuple[list[Any], Mapping[str, float]] = self._run(with_citations)
        answers, count_of_term = result
        self._collect_counts(names, count_of_term, later=later, recent=recent if since > 0 else None)
        return answers

    def _collect_counts(
        self,
        names: Mapping[int, str],
        count_of_term: Mapping[str, float],
        *,
        later: Sequence[str],
        recent: Sequence[str] | None,
    ) -> None:
        """Collect how often works, given with the names of their terms, are cited; what nobody cites is left out.

        Citations until a year are all citations, less those in `later`, the decades and years after it.  Those in
        `recent` are recent; None if all are.
        """

        def citations_in(periods: Iterable[str], name: str) -> int:
            return round(sum(count_of_term.get(server_index.cited_in(name, it), 0.0) for it in periods))

        for n, name in names.items():
            if name not in count_of_term:  # nobody cites it
                continue
            citations = round(count_of_term[name]) - citations_in(later, name)
            if citations > 0:
                self._citation_counts[n] = citations, citations if recent is None else citations_in(recent, name)

    def sketches(self, numbers: Sequence[int]) -> Mapping[int, Sketch]:
        """Works by number.  After `co_citations` only those that it was told of: there is no third round trip."""
        if not self._has_sketches:
            (answer,) = self._search_server([_search_by_numbers(numbers)])
            self._add_sources(answer)
        return _check_form(lambda: {n: server_index.sketch(self._sources[n]) for n in numbers if n in self._sources})

    def cited_counts(self, numbers: Sequence[int], since: int, until: int) -> dict[int, tuple[int, int]]:  # noqa: ARG002
        """Return the counts that `co_citations` collected: the years of that call count."""
        return {n: self._citation_counts[n] for n in numbers if n in self._citation_counts}

    def dated(self, numbers: Sequence[int]) -> Iterator[tuple[int, int, str]]:
        """(number, number of the title key, date); the little that is asked for here serves `ids` later."""
        fields = ["number", "title_key", "published", "record.id"]
        (answer,) = self._search_server([_search_by_numbers(numbers) | {"_source": fields}])
        for n, source in _check_form(lambda: _sources(answer)):
            self._sources.setdefault(n, source)  # a whole document that is here already holds more
            yield _check_form(lambda: (n, int(source["title_key"]), str(source["published"])))  # noqa: B023 - at once

    def ids(self, numbers: Sequence[int]) -> list[str]:
        return _check_form(lambda: [str(self._sources[n]["record"]["id"]) for n in numbers])

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        sources = [(n, self._sources[n]) for n in numbers if n in self._sources]
        return _check_form(lambda: [Row(n, server_index.work(it), ()) for n, it in sources])

    def fulltext(self, numbers: Sequence[int]) -> Mapping[int, str]:  # noqa: ARG002
        """Return no texts: only embedded indexes have passages of full texts."""
        return {}

    def _is_small(self) -> bool:
        return self.size <= _SMALL_INDEX

    def _search_server(self, bodies: Sequence[Mapping[str, Any]], indexes: Iterable[str] = ()) -> list[Any]:
        """Return the answers of some searches, sent together, in their order.

        `indexes` are those that the last of the searches go to, one each; the others go to the index of works.
        """
        if not bodies:
            return []
        searches = self._server.searches(bodies, seconds=self._seconds, exact=self._is_small(), indexes=indexes)
        answers: list[Any] = self._run(searches)
        return answers

    def _add_citing(self, answer: Mapping[str, Any]) -> list[Citing]:
        """Return the citing works of an answer, which are collected for `citing`."""
        return _check_form(lambda: [self._read_citing_work(it["fields"]) for it in _read_hits(answer)])

    def _read_citing_work(self, fields: Mapping[str, Sequence[Any]]) -> Citing:
        n = int(fields["number"][0])
        if n not in self._citing_works:  # one work is near by several wordings: its references are unpacked once
            self._citing_works[n] = _read_citing(n, fields)
        return self._citing_works[n]

    def _add_sources(self, answer: Mapping[str, Any]) -> None:
        self._sources |= _check_form(lambda: dict(_sources(answer)))


def _search_by_words(wording: Wording) -> dict[str, Any]:
    should = [_match_term(wording.field, stem, weight) for stem, weight in wording.weights.items()]
    columns = _CITING_COLUMNS if wording.field == "citing" else ["number"]
    return {"query": {"bool": {"should": should}}, "size": wording.limit, **_read_columns(columns)}


def _match_term(field: str, value: str, boost: float) -> dict[str, Any]:
    return {"term": {field: {"value": value, "boost": round(boost, 6)}}}


def _read_columns(fields: Sequence[str]) -> dict[str, Any]:
    """Fields that lie in columns, which is all that is read of a hit."""
    return {"track_total_hits": False, "stored_fields": "_none_", "docvalue_fields": list(fields)}


def _search_by_numbers(numbers: Sequence[int]) -> dict[str, Any]:
    query = {"ids": {"values": [server_index.name(it) for it in numbers]}}
    return {"query": query, "size": len(numbers), "track_total_hits": False, "sort": ["_doc"]}


def _limit_years(since: int, until: int) -> dict[str, Any]:
    return {"range": {"year": {"gte": since, "lte": until}}}


def _search_citers(seeds: Seeds, until: int) -> dict[str, Any]:
    """Make the search for works that cite the most of the best seeds.

    The index's own similarity weighs each seed by its citations.
    """
    should = [_match_term("references", server_index.name(n), strength) for n, strength in seeds.strengths.items()]
    query = {"bool": {"should": should, "minimum_should_match": 1, "filter": [_limit_years(0, until)]}}
    return {"query": query, "size": int(_SPARE_CITERS * seeds.limit), **_read_columns(_CITING_COLUMNS)}


def _search_by_titles(titles: Sequence[str]) -> dict[str, Any]:
    query = {"terms": {"title_key": list(dict.fromkeys(key_number(title_key(it)) for it in titles))}}
    return {"query": query, "size": _SAME_TITLE * len(titles), **_read_columns(["number", "title_key"])}


def _read_hits(answer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    hits: Sequence[Mapping[str, Any]] = answer.get("hits", {}).get("hits", [])
    return hits


def _read_scores(answer: Mapping[str, Any]) -> Hits:
    """Read the hits of an answer, {"hits": {"hits": [{"_score": 3.4, "fields": {"number": [17]}}, …]}}, best first."""
    scored = _check_form(lambda: [(int(it["fields"]["number"][0]), float(it["_score"])) for it in _read_hits(answer)])
    # What rounds to nothing says nothing, and later steps divide by it.
    return [(n, score) for n, score in scored if score > 0 and math.isfinite(score)]


def _read_citing(n: int, fields: Mapping[str, Sequence[Any]]) -> Citing:
    """Return a work from its columns, {"title_key": [5], "published": ["2019-05"], "cites": ["packed numbers"]}."""
    published = str(fields["published"][0]) if fields.get("published") else ""
    cites = server_index.unpack_numbers(fields["cites"][0])
    return Citing(n, int(fields["title_key"][0]), published, cites)


def _read_numbers(fields: Mapping[str, Sequence[Any]], *names: str) -> tuple[int, ...]:
    return tuple(int(fields[it][0]) for it in names)


def _sources(answer: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for hit in _read_hits(answer):
        yield int(hit["_source"]["number"]), hit["_source"]


def _check_form(read: Callable[[], T]) -> T:
    """Return what is read from an answer; ForeignAnswerError if it has another form."""
    try:
        return read()
    except FOREIGN as problem:  # raised by an answer of another form
        raise ForeignAnswerError from problem
