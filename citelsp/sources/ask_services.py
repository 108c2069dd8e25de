"""What the rest of citelsp asks of the world: works by their identifiers, and by what is known of them.

Every question is first looked up in the cache; what is left goes out in as few requests as the services allow.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.base.settings import Settings
from citelsp.bibliography.identifiers import Identifiers
from citelsp.knowledge import Absent, Candidate, Found, Lookup, Unavailable
from citelsp.sources import (
    aclanthology,
    ads,
    arxiv,
    cached_lookups,
    crossref,
    datacite,
    dblp,
    dblp_sparql,
    doi,
    europepmc,
    find_work,
    inspire,
    openalex,
    openlibrary,
    openreview,
    pubmed,
    semantic_scholar,
    service_specs,
    unpaywall,
    zbmath,
)
from citelsp.sources.client import open_client
from citelsp.sources.doi import Registered
from citelsp.sources.reference_query import ReferenceQuery
from citelsp.sources.time_lost import SLOW, Patience

if TYPE_CHECKING:
    import httpx

_LOOKUPS: Mapping[str, cached_lookups.Many] = {
    "crossref": crossref.lookup_many,
    "datacite": datacite.lookup_many,
    "openalex": openalex.lookup_many,
    "arxiv": arxiv.lookup_many,
    "semantic_scholar": semantic_scholar.lookup_many,
    "europepmc": europepmc.lookup_many,
    "aclanthology": aclanthology.lookup_many,
    "openlibrary": openlibrary.lookup_many,
    "dblp": dblp_sparql.lookup_many,
    "pubmed": pubmed.lookup_many,
}
_SEARCHES: Mapping[str, cached_lookups.Search] = {
    "crossref": crossref.search,
    "semantic_scholar": semantic_scholar.search,
    "dblp": dblp.search,
    "openalex": openalex.search,
    "arxiv": arxiv.search,
    "europepmc": europepmc.search,
    "datacite": datacite.search,
    "openlibrary": openlibrary.search,
    "pubmed": pubmed.search,
    "inspire": inspire.search,
    "ads": ads.search,
    "openreview": openreview.search,
    "zbmath": zbmath.search,
}
_SINGLES: Mapping[str, cached_lookups.One] = {
    "doi": doi.lookup,
    "inspire": inspire.lookup,
    "ads": ads.lookup,
    "unpaywall": unpaywall.lookup,
}
_JOURNALS: Mapping[str, cached_lookups.One] = {"crossref": crossref.journals, "openalex": openalex.journals}
# Those whose search costs nothing; OpenAlex counts each against a day's allowance.
_FIRST = ("crossref", "semantic_scholar", "dblp")
_SECOND = ("openalex", "arxiv", "europepmc", "openlibrary", "pubmed", "inspire", "ads", "openreview", "zbmath")
# Zenodo, figshare, Dryad, OSF, Hugging Face, UCI and ResearchGate: asked where they are, at the first try.
_OF_DATACITE = ("10.5281/", "10.6084/", "10.5061/", "10.17605/", "10.57967/", "10.24432/", "10.13140/")
_ARXIV_DOI = "10.48550/arxiv."
_S2_ARXIV, _S2_DOI = "ARXIV:", "DOI:"
_OF_DOIS = ("crossref", "datacite", "doi", "openalex")
_NOT_BROWSED = ("openlibrary", "zbmath")
_REGISTRARS = ("crossref", "datacite")
_Route = tuple[str, str]  # service and what it is asked for


@dataclass(frozen=True, slots=True)
class SearchAnswers:
    """Works that may be meant, likeliest first, and what every service answered."""

    candidates: tuple[Candidate, ...]
    lookups: tuple[Lookup, ...]
    sure: bool  # the first is the one, whatever further services may say

    @property
    def unavailable(self) -> tuple[Unavailable, ...]:
        return tuple(it for it in self.lookups if isinstance(it, Unavailable))

    @property
    def by_source(self) -> dict[str, Lookup]:
        return {it.source: it for it in self.lookups}


class Sources:
    """The services as these settings allow, with the user's cache.  Bound to one event loop; `aclose` it."""

    def __init__(
        self, settings: Settings, *, directory: Path | None = None, transport: "httpx.AsyncBaseTransport | None" = None
    ) -> None:
        """`directory` holds cache and politeness, by default the user's; `transport` replaces the network in tests."""
        self.settings = settings
        self.client = open_client(settings, directory=directory, transport=transport)

    async def aclose(self) -> None:
        await self.client.aclose()

    def wake(self) -> None:
        """Ask again at once whom we let rest because nothing was answered."""
        self.client.wake()

    async def lookup(self, identifiers: Identifiers) -> tuple[Lookup, ...]:
        """See `lookup_many`."""
        return (await self.lookup_many([identifiers]))[0]

    async def lookup_many(self, identifiers: Sequence[Identifiers]) -> list[tuple[Lookup, ...]]:
        """Return for each work what the services say that know its identifiers, in as few requests as they allow.

        `Absent("doi")` is the authority's word that the DOI does not exist, `Absent("arxiv")` that the arXiv id does
        not; another service's absence only says that it does not know the work.  First the likeliest services are
        asked, then those that may settle what these left open.  A work without identifiers gets an empty tuple.
        """
        routes_of_works = [_first_routes(it) for it in identifiers]  # a route: a service, and what it is asked for
        patience = Patience()  # the seconds that may be lost on services that do not answer
        answers = await self._ask_routes([route for routes in routes_of_works for route in routes], patience)
        # Each of these asks further where all answers so far leave something open, so their order counts.
        answers |= await self._ask_registrars(answers, patience)
        answers |= await self._ask_for_publications(answers, patience)
        answers |= await self._ask_semantic_scholar(answers, patience)
        answers |= await self._ask_for_arxiv(answers, patience)

        def answers_along(routes: Sequence[_Route]) -> tuple[Lookup, ...]:
            # All routes: also those by which it may have been asked further.
            return tuple(answers[route] for route in _all_routes(routes) if route in answers)

        return list(map(answers_along, routes_of_works))

    async def ask(self, service: str, values: Iterable[str]) -> Mapping[str, Lookup]:
        """Ask one service for each identifier, which is written in the service's own notation."""
        distinct = list(dict.fromkeys(values))
        if service in _LOOKUPS:
            return await _LOOKUPS[service](self.client, distinct) if distinct else {}
        return {value: await _SINGLES[service](self.client, value) for value in distinct}

    async def _ask_next(self, service: str, values: Sequence[str], patience: Patience) -> Mapping[str, Lookup]:
        """Ask one service as the next step of a question; Unavailable if no time is left for it."""
        patience.begin_step()
        return await self._ask_in_time(service, values, patience)

    async def _ask_in_time(self, service: str, values: Sequence[str], patience: Patience) -> Mapping[str, Lookup]:
        """Ask one service within the present step of a question; time that it loses is taken off `patience`."""
        refusal = patience.refusal(service)
        if refusal:
            return dict.fromkeys(values, refusal)
        # By the client, as the values may take several requests, of which the answers do not tell.
        lost_before = self.client.lost(service)
        answers = await self.ask(service, values)
        patience.lose(self.client.lost(service) - lost_before)
        return answers

    async def search_one(self, service: str, question: ReferenceQuery) -> Lookup:
        """Search by one service alone."""
        return await _SEARCHES[service](self.client, question)

    async def journals(self, service: str, name: str) -> Lookup:
        """Ask which journals of this name a registry has: Crossref or OpenAlex."""
        return await _JOURNALS[service](self.client, name)

    async def registered(self, dois: Iterable[str]) -> Mapping[str, Registered | Absent | Unavailable]:
        """Ask doi.org which agency registered each DOI; Absent if none did."""
        return await doi.agencies(self.client, list(dict.fromkeys(dois)))

    async def search(self, question: ReferenceQuery) -> SearchAnswers:
        """Find the works that the question may mean: ask cheap services first, the others only if those leave doubt.

        There is no doubt (`sure`) if one work is so likely the one meant that no further service could change that.  No
        service is asked if the cached answers leave none.  Services whose failure may pass are asked once more at the
        end, if there is still doubt.
        """
        # Without a key OpenAlex pays for about a hundred searches a day; it is left for what the others leave in doubt.
        first = (*_FIRST, "openalex") if self._has_key("openalex") else _FIRST
        cheap = self._those_enabled(first)
        others = [name for name in self._those_enabled(_SECOND) if name not in cheap]
        cached: dict[str, Lookup] = {}
        for name in (*cheap, *others):
            answer = await cached_lookups.peek(self.client, name, question)
            if answer:
                cached[name] = answer
        patience = Patience()  # the seconds that may be lost on services that do not answer
        answers = _weigh(question, cached)
        # What was cached is found again by these searches, which look into the cache first.
        if not answers.sure:
            answers = _weigh(question, await self._search_all(cheap, question, patience))
        if not answers.sure:
            answers = _weigh(question, answers.by_source | await self._search_all(others, question, patience))
        # A service that took long to fail would as likely take long again, while the author waits.
        failed = [it.source for it in answers.unavailable if is_passing(it) and it.lost < SLOW]
        if failed and not answers.sure:
            answers = _weigh(question, answers.by_source | await self._search_all(failed, question, patience))
        return answers

    async def _search_all(
        self, names: Sequence[str], question: ReferenceQuery, patience: Patience
    ) -> dict[str, Lookup]:
        """Search by these services at the same time.

        `patience`: the seconds that may still be lost on services that do not answer; of those asked here the slowest
        counts.  A service that could lose more than is left is not asked, and Unavailable.
        """
        answers: dict[str, Lookup] = {}
        for name in names:
            refusal = patience.refusal(name)
            if refusal:
                answers[name] = refusal
        asked = [name for name in names if name not in answers]
        patience.begin_step()
        lookups = await asyncio.gather(*(_SEARCHES[name](self.client, question) for name in asked))
        patience.count_lost(lookups)
        return answers | dict(zip(asked, lookups, strict=True))

    async def browse(self, words: str, rows: int = 10) -> AsyncGenerator[tuple[str, Lookup], None]:
        """Yield the name of each service, as soon as it answers, with the first `rows` works that it finds for words.

        `find_work.list_candidates` joins them.  Whoever stops before the end closes the generator, which cancels what
        is in flight.
        """
        question = ReferenceQuery(text=words, rows=rows)
        service_of = {asyncio.ensure_future(_SEARCHES[name](self.client, question)): name for name in self.browsed()}
        try:
            # A slow service must not hold back what the quick ones found: the list grows as they answer.
            in_flight = set(service_of)
            while in_flight:
                done, in_flight = await asyncio.wait(in_flight, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield service_of[task], _bound_works(task.result(), rows)
        finally:
            for task in service_of:
                task.cancel()
            await asyncio.gather(*service_of, return_exceptions=True)

    def browsed(self) -> list[str]:
        """The services that `browse` asks."""
        return [name for name in self._those_enabled((*_FIRST, *_SECOND)) if name not in _NOT_BROWSED]

    def _those_enabled(self, names: Sequence[str]) -> list[str]:
        """Choose the services that are on; those count too that are only offline, as they answer from the cache."""
        return [name for name in names if service_specs.refusal(self.settings, name) in {"", service_specs.OFFLINE}]

    def _has_key(self, name: str) -> bool:
        return service_specs.has_key(service_specs.find_setting(self.settings, name))

    async def _ask_routes(self, routes: Iterable[_Route], patience: Patience) -> dict[_Route, Lookup]:
        """Ask the services of all routes at the same time, as one step, each once for all its values."""
        values_of: dict[str, list[str]] = {}
        for name, value in routes:
            values_of.setdefault(name, []).append(value)
        patience.begin_step()
        asking = [self._ask_in_time(name, values, patience) for name, values in values_of.items()]
        answers: dict[_Route, Lookup] = {}
        for name, lookups in zip(values_of, await asyncio.gather(*asking), strict=True):
            answers |= {(name, value): lookup for value, lookup in lookups.items()}
        return answers

    async def _ask_registrars(self, answers: Mapping[_Route, Lookup], patience: Patience) -> dict[_Route, Lookup]:
        """Ask further about the DOIs that their likeliest agency, by their prefix, does not have.

        doi.org says which agency registered a DOI, or that it does not exist.  Then DataCite is asked for its works,
        and doi.org for all others and for what DataCite lacks (see `_route_to_agency`).  Returned are the further
        answers, by whom was asked and the DOI.
        """

        def is_found(doi: str) -> bool:
            return any(isinstance(answers.get((name, doi)), Found) for name in _REGISTRARS)

        dois = dict.fromkeys(value for name, value in answers if name in _REGISTRARS)
        agencies = await self._ask_agencies([doi for doi in dois if not is_found(doi)], patience)
        without_agency: dict[_Route, Lookup] = {}  # the DOI does not exist, or doi.org could not be asked
        onward: list[_Route] = []
        for value, agency in agencies.items():
            if not isinstance(agency, Registered):
                without_agency["doi", value] = agency
                continue
            route = _route_to_agency(value, agency.agency, answers)
            if route:  # None: the agency was asked and did not answer, and doi.org would pass the question on to it
                onward.append(route)
        return without_agency | await self._ask_routes(onward, patience)

    async def _ask_agencies(
        self, dois: Sequence[str], patience: Patience
    ) -> Mapping[str, Registered | Absent | Unavailable]:
        """Ask doi.org, as the next step, which agency registered each DOI; Unavailable if no time is left for it."""
        patience.begin_step()
        refusal = patience.refusal("doi")
        if refusal:
            return dict.fromkeys(dois, refusal)
        lost_before = self.client.lost("doi")
        agencies = await self.registered(dois)
        patience.lose(self.client.lost("doi") - lost_before)
        return agencies

    async def _ask_for_publications(self, answers: Mapping[_Route, Lookup], patience: Patience) -> dict[_Route, Lookup]:
        """Ask OpenAlex for preprints, by their DOIs at arXiv, if Semantic Scholar could not be asked for these.

        Both know whether a preprint was published.  That OpenAlex lacks a preprint says nothing, and is left out.
        `answers`: those so far, by service and what it was asked for.
        """
        unclear: list[str] = []
        for (name, value), lookup in answers.items():
            is_of_preprint = name == "semantic_scholar" and value.startswith(_S2_ARXIV)
            if is_of_preprint and isinstance(lookup, Unavailable):
                unclear.append(value.removeprefix(_S2_ARXIV))
        dois = [_ARXIV_DOI + it for it in unclear] if self._those_enabled(["openalex"]) else []
        lookups = await self._ask_next("openalex", dois, patience)
        return {("openalex", value): it for value, it in lookups.items() if isinstance(it, Found)}

    async def _ask_semantic_scholar(self, answers: Mapping[_Route, Lookup], patience: Patience) -> dict[_Route, Lookup]:
        """Ask Semantic Scholar for the DOIs about which neither an agency, doi.org nor OpenAlex gave an answer.

        That is, all that were asked for a DOI are Unavailable.  What Semantic Scholar found is returned under the name
        `elsewhere`, by the DOI, as its other answers go by its own ids.  That it lacks a DOI says nothing about the
        DOI, and is left out.
        """
        lookups_of: dict[str, list[Lookup]] = {}
        for (name, value), lookup in answers.items():
            if name in _OF_DOIS:
                lookups_of.setdefault(value, []).append(lookup)
        questions: list[str] = []
        if self._those_enabled(["semantic_scholar"]):
            for doi, lookups in lookups_of.items():
                if all(isinstance(lookup, Unavailable) for lookup in lookups):
                    questions.append(_S2_DOI + doi)
        answered = await self._ask_next("semantic_scholar", questions, patience)
        return {
            ("elsewhere", question.removeprefix(_S2_DOI)): lookup
            for question, lookup in answered.items()
            if isinstance(lookup, Found)
        }

    async def _ask_for_arxiv(self, answers: Mapping[_Route, Lookup], patience: Patience) -> dict[_Route, Lookup]:
        """Ask DataCite for the preprints about which arXiv could not be asked; what it says is named `mirror`.

        arXiv turns many away with 429; DataCite registers its DOIs and holds title and authors too.  Every answer of
        DataCite is returned: that it lacks a preprint counts, as the registrar would have it; Unavailable is one, too,
        also of a DataCite that is switched off.
        """
        unanswered = [
            value for (name, value), lookup in answers.items() if name == "arxiv" and isinstance(lookup, Unavailable)
        ]
        lookup_of = await self._ask_next("datacite", [_ARXIV_DOI + value for value in unanswered], patience)
        return {("mirror", value): lookup_of[_ARXIV_DOI + value] for value in unanswered}


def _route_to_agency(doi: str, agency: str, answers: Mapping[_Route, Lookup]) -> _Route | None:
    """Choose whom to ask about a DOI of this agency: DataCite if it was not asked, else doi.org, which asks the agency.

    None for a DOI of Crossref's if Crossref did not answer: doi.org would pass the question on to it.
    """
    if agency == "DataCite" and ("datacite", doi) not in answers:
        return "datacite", doi
    if agency == "Crossref" and isinstance(answers.get(("crossref", doi)), Unavailable):
        return None
    return "doi", doi


def _weigh(question: ReferenceQuery, lookups: Mapping[str, Lookup]) -> SearchAnswers:
    candidates = find_work.rank(question, lookups.values())
    return SearchAnswers(tuple(candidates), tuple(lookups.values()), find_work.is_settled(question, candidates))


def _bound_works(lookup: Lookup, rows: int) -> Lookup:
    """No more works than were asked for: what a service adds of its own would be held for as long as its answer."""
    return replace(lookup, records=lookup.records[:rows]) if isinstance(lookup, Found) else lookup


def is_passing(lookup: Lookup) -> bool:
    """Whether it may be worth while to ask again later: the service failed, but is not left alone."""
    return isinstance(lookup, Unavailable) and lookup.until is None and lookup.why != service_specs.OFFLINE


def _first_routes(names: Identifiers) -> list[_Route]:
    """Choose the services to ask first about a work, each with the identifier that it is asked for.

    If there is a DOI, no other identifier but the arXiv id is asked for; if there is an arXiv id without a DOI, that
    alone: of these two an authority says whether they exist.  arXiv's own DOIs are read as arXiv ids.  Empty if there
    is no identifier by which a service can be asked.
    """
    is_arxiv_doi = names.doi.startswith(_ARXIV_DOI)
    preprint = names.arxiv or (names.doi.removeprefix(_ARXIV_DOI) if is_arxiv_doi else "")
    if names.doi and not is_arxiv_doi:
        registrar = "datacite" if names.doi.startswith(_OF_DATACITE) else "crossref"
        routes = [(registrar, names.doi), ("openalex", names.doi)]
        return [*routes, ("arxiv", preprint)] if preprint else routes
    if preprint:
        # Semantic Scholar links a preprint with its publication, which arXiv often does not know of.
        return [("arxiv", preprint), ("semantic_scholar", _S2_ARXIV + preprint)]
    # Two at most: all name the same work, and each further one is a request more.
    others = (
        ("aclanthology", names.acl), ("europepmc", names.pmcid or names.pmid), ("openlibrary", names.isbn),
        ("ads", names.bibcode), ("semantic_scholar", names.s2), ("openalex", names.openalex),
    )  # fmt: skip
    return [(name, value) for name, value in others if value][:2]


def _all_routes(first: Sequence[_Route]) -> list[_Route]:
    """List the routes by which a work may have been answered in the end, if these were the first ones."""
    later = [(name, value) for _, value in first for name in ("datacite", "doi", "mirror", "elsewhere")]
    preprints = [("openalex", _ARXIV_DOI + value) for name, value in first if name == "arxiv"]
    return list(dict.fromkeys([*first, *later, *preprints]))
