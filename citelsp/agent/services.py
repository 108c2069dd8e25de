"""The services as the agent asks them: searches, passages, reference lists, full texts, each within some seconds."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import TypeVar

from citelsp.agent import plain_fulltexts, quotes
from citelsp.agent.environment import Answer
from citelsp.bibliography.record import Record
from citelsp.corpus.words import title_key
from citelsp.knowledge import Absent, Candidate, Found, Lookup, Unavailable
from citelsp.sources import find_work, fulltext, semantic_scholar
from citelsp.sources.ask_services import Sources
from citelsp.sources.semantic_scholar import CitationContexts

T = TypeVar("T")


class Scholarly:
    """The user's services.  What took longer than `seconds` counts as not asked; what came earlier is kept.

    A request for passages, links or a text may take twice as long.
    """

    def __init__(self, sources: Sources, seconds: float = 15.0) -> None:
        self._sources = sources
        self._seconds = seconds
        self._texts: dict[tuple[object, ...], Answer] = {}
        self._passages: dict[tuple[str, int], Answer] = {}  # by words, and how many

    async def search(self, words: str, limit: int) -> Answer:
        """Find at most `limit` works by words, at the services that answer in time; the notes tell of the others.

        Each service that may be asked counts as one request, even if it does not answer, or if the cache does.
        """
        lookups: list[Lookup] = []
        try:
            async with asyncio.timeout(self._seconds):
                async for _, lookup in self._sources.browse(words, limit):
                    lookups.append(lookup)
        except TimeoutError:
            lookups.append(Unavailable("other services", f"no answer within {self._seconds:g} s"))
        notes = tuple(str(it) for it in lookups if isinstance(it, Unavailable))
        return Answer(
            tuple(find_work.list_candidates(lookups)[:limit]), notes=notes, requests=len(self._sources.browsed())
        )

    async def snippets(self, words: str, limit: int) -> Answer:
        """Find works by a passage on these words; remembered, as nothing caches it and rules ask again in each run."""
        question = (words, limit)
        if question in self._passages:
            return replace(self._passages[question], requests=0)
        answer = await self._ask_for_snippets(words, limit)
        could_be_asked = answer.works or not answer.notes
        if could_be_asked:
            self._passages[question] = answer
        return answer

    async def _ask_for_snippets(self, words: str, limit: int) -> Answer:
        """Find works by a passage on these words, in two requests: for passages, then for the records of their papers.

        Each has a time limit of its own, and counts as a request, also if the records are all cached.  A paper whose
        record is not found is left out, and one whose record could not be asked for, which is noted.
        """
        passages = await self._wait_for(semantic_scholar.snippets(self._sources.client, words, limit=limit))
        if isinstance(passages, Unavailable):
            return _note_refusal(passages)
        if not passages:
            return Answer(requests=1)
        lookup_of = await self._wait_for(self._sources.ask("semantic_scholar", [it.paper for it in passages]))
        if isinstance(lookup_of, Unavailable):
            return replace(_note_refusal(lookup_of), requests=2)
        works = []
        for passage in passages:
            lookup = lookup_of.get(passage.paper)
            if isinstance(lookup, Found) and lookup.records:
                # The one record: it was looked up by the paper's id.
                works.append(Candidate(lookup.records[0], origins=("semantic_scholar",), evidence=(passage.evidence,)))
        refusals = dict.fromkeys(str(lookup) for lookup in lookup_of.values() if isinstance(lookup, Unavailable))
        return Answer(tuple(works), notes=tuple(refusals), requests=2)

    async def references(self, record: Record, limit: int) -> Answer:
        name = _name_for_semantic_scholar(record)
        if not name:
            return Answer(notes=("no identifier of this work is known",))
        return _make_answer(await self._wait_for(semantic_scholar.references(self._sources.client, name, limit)))

    async def citations(self, record: Record, limit: int) -> Answer:
        name = _name_for_semantic_scholar(record)
        if not name:
            return Answer(notes=("no identifier of this work is known",))
        return _make_answer(await self._wait_for(semantic_scholar.citations(self._sources.client, name, limit)))

    async def text(self, record: Record) -> Answer:
        # By where a text may be had: of works without identifiers several may have the same title.
        where = (record.identifiers, record.open_access or title_key(record.title))
        if where in self._texts:
            return replace(self._texts[where], requests=0)
        answer = self._texts[where] = await self._read(record)
        return answer

    async def _read(self, record: Record) -> Answer:
        if not record.identifiers and not record.open_access:
            return Answer(notes=("full text: none of this work is known",))
        found = await self._wait_for(fulltext.fetch(self._sources.client, record))
        if isinstance(found, Absent):
            return Answer(notes=("full text: none of this work is free",), requests=1)
        if isinstance(found, Unavailable):
            return _note_refusal(found)
        text = await asyncio.to_thread(plain_fulltexts.read_text, found)
        return Answer(passages=tuple(quotes.split_sections(text, _name_host(found.url))), requests=1)

    async def _wait_for(self, asking: Awaitable[T]) -> T | Unavailable:
        try:
            async with asyncio.timeout(2 * self._seconds):
                return await asking
        except TimeoutError:
            return Unavailable("services", f"no answer within {2 * self._seconds:g} s")


def _name_for_semantic_scholar(record: Record) -> str:
    """How Semantic Scholar names a work."""
    names = record.identifiers
    known = (
        ("", names.s2), ("ARXIV:", names.arxiv), ("DOI:", names.doi), ("ACL:", names.acl), ("PMID:", names.pmid),
    )  # fmt: skip
    return next((prefix + value for prefix, value in known if value), "")


def _make_answer(found: Sequence[CitationContexts] | Unavailable) -> Answer:
    if isinstance(found, Unavailable):
        return _note_refusal(found)
    return Answer(tuple(Candidate(it.record, origins=("semantic_scholar",)) for it in found), requests=1)


def _note_refusal(why: Unavailable) -> Answer:
    return Answer(notes=(str(why),), requests=1)


def _name_host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0] or "full text"
