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
    doi,
    europepmc,
    find,
    inspire,
    openalex,
    openlibrary,
    openreview,
    pubmed,
    registry,
    semantic_scholar,
    unpaywall,
    zbmath,
)
from citelsp.sources.doi import Registered
from citelsp.sources.http import open_client
from citelsp.sources.patience import SLOW, Patience
from citelsp.sources.reference_query import ReferenceQuery

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
    "dblp": dblp.lookup_many,
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
_DATACITE = ("10.5281/", "10.6084/", "10.5061/", "10.17605/", "10.57967/", "10.24432/", "10.13140/")
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
        """What the services that know its identifiers say of each work, in as few requests as they allow.

        `Absent("doi")` is the authority's word that the DOI does not exist, `Absent("arxiv")` that the arXiv id does
        not; another service's absence only says that it does not know the work.
        """
        routes = [_routes(it) for it in identifiers]
        patience = Patience()
        known = await self._travel([route for mine in routes for route in mine], patience)
        known |= await self._settle(
            [value for name, value in known if name in {"crossref", "datacite"}], known, patience
        )
        known |= await self._published_of(known, patience)
        known |= await self._known_elsewhere(known, patience)
        # arXiv turns many away with 429; DataCite registers its DOIs and holds title and authors too.
        replaced = [value for name, value in known if name == "arxiv" and isinstance(known[name, value], Unavailable)]
        mirrored = await self._asked_in_time("datacite", [_ARXIV_DOI + value for value in replaced], patience)
        known |= {("mirror", value): mirrored[_ARXIV_DOI + value] for value in replaced}
        return [tuple(known[route] for route in _all_routes(mine) if route in known) for mine in routes]

    async def ask(self, service: str, values: Iterable[str]) -> Mapping[str, Lookup]:
        """What one service says of each identifier, in the service's own notation."""
        distinct = list(dict.fromkeys(values))
        if service in _LOOKUPS:
            return await _LOOKUPS[service](self.client, distinct) if distinct else {}
        return {value: await _SINGLES[service](self.client, value) for value in distinct}

    async def _asked_in_time(self, service: str, values: Sequence[str], patience: Patience) -> Mapping[str, Lookup]:
        """What one service says, as the next step of a question; unavailable if no time is left for it."""
        patience.begin_step()
        return await self._ask_in_time(service, values, patience)

    async def _ask_in_time(self, service: str, values: Sequence[str], patience: Patience) -> Mapping[str, Lookup]:
        refusal = patience.refusal(service)
        if refusal:
            return dict.fromkeys(values, refusal)
        before = self.client.lost(service)
        found = await self.ask(service, values)
        patience.lose(self.client.lost(service) - before)
        return found

    async def search_one(self, service: str, question: ReferenceQuery) -> Lookup:
        """What one service has for the question."""
        return await _SEARCHES[service](self.client, question)

    async def journals(self, service: str, name: str) -> Lookup:
        """Which journals of this name one registry has: Crossref or OpenAlex."""
        return await _JOURNALS[service](self.client, name)

    async def registered(self, dois: Iterable[str]) -> Mapping[str, Registered | Absent | Unavailable]:
        """Which agency registered each DOI, by the word of doi.org; absent if none did."""
        return await doi.agencies(self.client, list(dict.fromkeys(dois)))

    async def search(self, question: ReferenceQuery) -> SearchAnswers:
        """The works that the question may mean: cheap services first, the others only if those leave doubt.

        Services that failed in passing are asked once more at the end, if there is still doubt; none is asked if
        what is kept leaves none.
        """
        # Without a key OpenAlex pays for about a hundred searches a day; it is left for what the others leave in doubt.
        names = self._asked(_FIRST + (("openalex",) if self._has_key("openalex") else ()))
        rest = [name for name in self._asked(_SECOND) if name not in names]
        cached = {
            name: answer
            for name in (*names, *rest)
            if (answer := await cached_lookups.peek(self.client, name, question))
        }
        patience = Patience()
        answers = _weighed(question, cached)
        if not answers.sure:
            answers = _weighed(question, await self._searched(names, question, patience))
        if not answers.sure:
            answers = _weighed(question, answers.by_source | await self._searched(rest, question, patience))
        # A service that took long to fail would as likely take long again, while the author waits.
        failed = [it.source for it in answers.unavailable if is_passing(it) and it.lost < SLOW]
        if failed and not answers.sure:
            answers = _weighed(question, answers.by_source | await self._searched(failed, question, patience))
        return answers

    async def _searched(self, names: Sequence[str], question: ReferenceQuery, patience: Patience) -> dict[str, Lookup]:
        """What these services say, as one step of the question."""
        found: dict[str, Lookup] = {it: refusal for it in names if (refusal := patience.refusal(it))}
        asked = [it for it in names if it not in found]
        patience.begin_step()
        lookups = await asyncio.gather(*(_SEARCHES[name](self.client, question) for name in asked))
        patience.count_lost(lookups)
        return found | dict(zip(asked, lookups, strict=True))

    async def browse(self, words: str, rows: int = 10) -> AsyncGenerator[tuple[str, Lookup], None]:
        """The first `rows` works that each service finds for words, as soon as it answers; `find.listed` joins them."""
        question = ReferenceQuery(text=words, rows=rows)
        tasks = {asyncio.ensure_future(_SEARCHES[name](self.client, question)): name for name in self.browsed()}
        try:
            # A slow service must not hold back what the quick ones found: the list grows as they answer.
            waiting = set(tasks)
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield tasks[task], _bound_works(task.result(), rows)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def browsed(self) -> list[str]:
        """The services that `browse` asks."""
        return [name for name in self._asked((*_FIRST, *_SECOND)) if name not in _NOT_BROWSED]

    def _asked(self, names: Sequence[str]) -> list[str]:
        """Those of the services that are on; offline they answer from the cache."""
        return [name for name in names if registry.refusal(self.settings, name) in {"", registry.OFFLINE}]

    def _has_key(self, name: str) -> bool:
        return registry.has_key(registry.setting(self.settings, name))

    async def _travel(self, routes: Iterable[_Route], patience: Patience) -> dict[_Route, Lookup]:
        """All services at once, each with all that it is to be asked."""
        by_service: dict[str, list[str]] = {}
        for name, value in routes:
            by_service.setdefault(name, []).append(value)
        patience.begin_step()
        asking = [self._ask_in_time(name, values, patience) for name, values in by_service.items()]
        answers = await asyncio.gather(*asking)
        known: dict[_Route, Lookup] = {}
        for name, lookups in zip(by_service, answers, strict=True):
            known |= {(name, value): lookup for value, lookup in lookups.items()}
        return known

    async def _published_of(self, known: Mapping[_Route, Lookup], patience: Patience) -> dict[_Route, Lookup]:
        """Preprints of which nobody could say whether they were published: OpenAlex may know."""
        silent = [
            value.removeprefix(_S2_ARXIV)
            for (name, value), lookup in known.items()
            if name == "semantic_scholar" and value.startswith(_S2_ARXIV) and isinstance(lookup, Unavailable)
        ]
        dois = [_ARXIV_DOI + it for it in silent] if self._asked(["openalex"]) else []
        answers = await self._asked_in_time("openalex", dois, patience)
        return {("openalex", value): it for value, it in answers.items() if isinstance(it, Found)}

    async def _known_elsewhere(self, known: Mapping[_Route, Lookup], patience: Patience) -> dict[_Route, Lookup]:
        """DOIs about which neither agency, doi.org nor OpenAlex could be asked: Semantic Scholar may know the work."""
        by_doi: dict[str, list[Lookup]] = {}
        for (name, value), lookup in known.items():
            if name in _OF_DOIS:
                by_doi.setdefault(value, []).append(lookup)
        questions: list[str] = []
        if self._asked(["semantic_scholar"]):
            for doi, lookups in by_doi.items():
                if all(isinstance(lookup, Unavailable) for lookup in lookups):
                    questions.append(_S2_DOI + doi)
        answers = await self._asked_in_time("semantic_scholar", questions, patience)
        return {
            ("elsewhere", question.removeprefix(_S2_DOI)): lookup
            for question, lookup in answers.items()
            if isinstance(lookup, Found)
        }

    async def _settle(
        self, dois: Sequence[str], known: Mapping[_Route, Lookup], patience: Patience
    ) -> dict[_Route, Lookup]:
        """DOIs that their likeliest agency does not have: whose they are, or that they do not exist."""

        def is_found(doi: str) -> bool:
            return any(isinstance(known.get((name, doi)), Found) for name in _REGISTRARS)

        lost = [doi for doi in dict.fromkeys(dois) if not is_found(doi)]
        patience.begin_step()
        late = patience.refusal("doi")
        lost_before = self.client.lost("doi")
        agencies: dict[str, Registered | Lookup] = {}
        if late:
            agencies = dict.fromkeys(lost, late)
        elif lost:
            agencies = dict(await self.registered(lost))
        patience.lose(self.client.lost("doi") - lost_before)

        settled: dict[_Route, Lookup] = {}
        onward: list[_Route] = []
        for name, agency in agencies.items():
            if not isinstance(agency, Registered):
                settled["doi", name] = agency
                continue
            route = _agencys(name, agency.agency, known)
            if route:
                onward.append(route)
        return settled | await self._travel(onward, patience)


def _agencys(name: str, agency: str, known: Mapping[_Route, Lookup]) -> _Route | None:
    """Where to ask about a DOI of this agency; None if that was asked and did not answer."""
    if agency == "DataCite" and ("datacite", name) not in known:
        return "datacite", name
    if agency == "Crossref" and isinstance(known.get(("crossref", name)), Unavailable):
        return None
    return "doi", name


def _weighed(question: ReferenceQuery, lookups: Mapping[str, Lookup]) -> SearchAnswers:
    candidates = find.rank(question, lookups.values())
    return SearchAnswers(tuple(candidates), tuple(lookups.values()), find.settled(question, candidates))


def _bound_works(lookup: Lookup, rows: int) -> Lookup:
    """No more works than were asked for: what a service adds of its own would be held for as long as its answer."""
    return replace(lookup, records=lookup.records[:rows]) if isinstance(lookup, Found) else lookup


def is_passing(lookup: Lookup) -> bool:
    """Whether it may be worth while to ask again later: the service failed, but is not left alone."""
    return isinstance(lookup, Unavailable) and lookup.until is None and lookup.why != registry.OFFLINE


def _routes(names: Identifiers) -> list[_Route]:
    """The services to ask first, and what for.  A DOI speaks for all other identifiers but the arXiv id."""
    preprint = names.arxiv or (names.doi.removeprefix(_ARXIV_DOI) if names.doi.startswith(_ARXIV_DOI) else "")
    if names.doi and not names.doi.startswith(_ARXIV_DOI):
        registrar = "datacite" if names.doi.startswith(_DATACITE) else "crossref"
        return [(registrar, names.doi), ("openalex", names.doi), *([("arxiv", preprint)] if preprint else [])]
    # Semantic Scholar links a preprint with its publication, which arXiv often does not know of.
    if preprint:
        return [("arxiv", preprint), ("semantic_scholar", _S2_ARXIV + preprint)]
    # Two at most: all name the same work, and each further one is a request more.
    others = (
        ("aclanthology", names.acl), ("europepmc", names.pmcid or names.pmid), ("openlibrary", names.isbn),
        ("ads", names.bibcode), ("semantic_scholar", names.s2), ("openalex", names.openalex),
    )  # fmt: skip
    return [(name, value) for name, value in others if value][:2]


def _all_routes(first: Sequence[_Route]) -> list[_Route]:
    """Where answers for these routes may have come from in the end."""
    later = [(name, value) for _, value in first for name in ("datacite", "doi", "mirror", "elsewhere")]
    preprints = [("openalex", _ARXIV_DOI + value) for name, value in first if name == "arxiv"]
    return list(dict.fromkeys([*first, *later, *preprints]))
