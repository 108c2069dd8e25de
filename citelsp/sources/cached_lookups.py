"""Cached lookups: what was asked before is taken from the client's cache, the rest is asked and cached.

Whoever asks, through whichever function, shares the answers: the cache is keyed by service and identifier or words.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import wraps

from citelsp.bibliography.fold import fold
from citelsp.knowledge import Found, Lookup
from citelsp.sources import service_specs
from citelsp.sources.answer_cache import JOURNAL_SECONDS, digest
from citelsp.sources.client import Client
from citelsp.sources.reference_query import ReferenceQuery, chunks

One = Callable[[Client, str], Awaitable[Lookup]]
Many = Callable[[Client, Sequence[str]], Awaitable[Mapping[str, Lookup]]]
Search = Callable[[Client, ReferenceQuery], Awaitable[Lookup]]

# Crossref and OpenAlex take about 50 values in a filter; the answers have to come within their time.
_BATCH = 40
_SPARE = 3  # works beyond those asked for, which some services are asked for as others among them are left out


def lookup(service: str) -> Callable[[One], One]:
    """Return a decorator for a function that looks up one identifier at `service`: its answers are cached."""

    def decorate(fetch: One) -> One:
        """Return a function that asks the cache first, and fetches and caches what is not there.

        The cache stores what was found or is absent, but not that the service could not be asked.
        """

        @wraps(fetch)
        async def looked_up(client: Client, value: str) -> Lookup:
            if client.cache is None:
                return await fetch(client, value)
            answer = await client.cache.get(service, _cache_key(value))
            if answer is not None:  # it may be Absent
                return answer
            answer = await fetch(client, value)
            await client.cache.put(service, _cache_key(value), answer)
            return answer

        return looked_up

    return decorate


def journals(service: str) -> Callable[[One], One]:
    """Return a decorator for a function that asks `service` which journals have a name: its answers are cached.

    Which journals there are changes little in months.
    """

    def decorate(fetch: One) -> One:
        """Return a function that asks the cache first, and caches for months what it fetches.

        The cache stores which journals were found, or that there is none, but not that the service could not be asked.
        It knows names in small letters without accents, as `fold` writes them.
        """

        @wraps(fetch)
        async def looked_up(client: Client, name: str) -> Lookup:
            if client.cache is None:
                return await fetch(client, name)
            key = f"journal {fold(name)}"
            answer = await client.cache.get(service, key)
            if answer is not None:  # it may be Absent
                return answer
            answer = await fetch(client, name)
            await client.cache.put(service, key, answer, seconds=JOURNAL_SECONDS)
            return answer

        return looked_up

    return decorate


def lookups(service: str) -> Callable[[Many], Many]:
    """Return a decorator for a function that looks up many identifiers at `service`: its answers are cached.

    Only those that are not cached are asked for.
    """

    def decorate(fetch: Many) -> Many:
        """Return a function that reads the cached answers at one go, and fetches and caches the others."""

        @wraps(fetch)
        async def looked_up(client: Client, values: Sequence[str]) -> Mapping[str, Lookup]:
            """Return an answer for each value, asked for once; values that differ in case alone share a cached one."""
            distinct = list(dict.fromkeys(values))
            if client.cache is None:
                return await fetch(client, distinct)
            cached_by_key = await client.cache.get_many(service, list(map(_cache_key, distinct)))
            cached: dict[str, Lookup] = {}
            for value in distinct:
                key = _cache_key(value)
                if key in cached_by_key:
                    cached[value] = cached_by_key[key]
            not_cached = [value for value in distinct if value not in cached]
            fetched = await fetch(client, not_cached) if not_cached else {}
            for value, answer in fetched.items():  # the cache stores none that is Unavailable
                await client.cache.put(service, _cache_key(value), answer)
            return cached | dict(fetched)

        return looked_up

    return decorate


async def lookup_in_batches(
    client: Client, values: Sequence[str], one: One, together: Many, apart: AbstractSet[str] = frozenset()
) -> dict[str, Lookup]:
    """Look up identifiers by `together`, 40 a request; by `one`, alone, those that hold a sign of `apart`.

    `apart` are the signs that part identifiers in the service's lists, such as a comma.  If there is but one identifier
    it is looked up alone too, which costs nothing at OpenAlex and is quicker at Crossref.
    """
    alone = [it for it in values if apart & set(it)] if len(values) > 1 else list(values)
    answers = {value: await one(client, value) for value in alone}
    for part in chunks([value for value in values if value not in answers], _BATCH):
        answers |= await together(client, part)
    return answers


def searches(service: str) -> Callable[[Search], Search]:
    """Return a decorator for a function that searches by words at `service`: its answers are cached."""

    def decorate(fetch: Search) -> Search:
        """Return a function that asks the cache first, and caches what it fetches, unless that is Unavailable.

        No more works are cached or answered than were asked for and a few to spare, whatever the service sends.
        """

        @wraps(fetch)
        async def searched(client: Client, question: ReferenceQuery) -> Lookup:
            if client.cache is None:
                return _bound_works(await fetch(client, question), question.rows + _SPARE)
            key = _search_key(service, question)
            answer = await client.cache.get(service, key)
            if answer is not None:  # it may be Absent
                return answer
            answer = _bound_works(await fetch(client, question), question.rows + _SPARE)
            # `search`: for fewer days than what an identifier led to, as services rank anew.
            await client.cache.put(service, key, answer, search=True)
            return answer

        return searched

    return decorate


async def peek(client: Client, service: str, question: ReferenceQuery) -> Lookup | None:
    """Return the cached answer to a search; None if there is none."""
    return await client.cache.get(service, _search_key(service, question)) if client.cache else None


def _bound_works(lookup: Lookup, rows: int) -> Lookup:
    """Leave out works beyond `rows`: a service that sends all that it knows would fill the cache and the memory."""
    return replace(lookup, records=lookup.records[:rows]) if isinstance(lookup, Found) else lookup


def _cache_key(value: str) -> str:
    return f"lookup {value.casefold()}"


def _search_key(service: str, question: ReferenceQuery) -> str:
    """Make the cache key of a search of what the service is told, and nothing else.

    So after the author corrected a year, a service that is told titles alone is not asked again.
    """
    # Authors that it is told; one that is told none is told no year either.
    count = service_specs.find_spec(service).people
    people = [fold(it.family) for it in question.authors[:count]]
    year = question.year if count else None
    # The first member tells a title from other words, which services are asked for in another way.
    asked = [bool(question.title), fold(question.words), people, year, question.search_years, question.rows]
    # Within a journal, and with a place in print, every service is told the first author, even those told none else.
    if question.within:
        asked += [question.within, [fold(it.family) for it in question.authors[:1]]]
    if question.place:
        asked += [question.place, [fold(it.family) for it in question.authors[:1]]]
    return "search " + digest(asked)
