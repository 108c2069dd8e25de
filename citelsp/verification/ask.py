"""Verification of many entries at once: rounds of questions, batched by service, until each entry is certain.

Entries are keyed by their fingerprints, so that two entries of one content are asked about once.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from citelsp.bibliography.entry import Entry, fingerprint
from citelsp.knowledge import Absent, Found, Lookup, Verdict
from citelsp.sources import arxiv, crossref, datacite, dblp, doi, europepmc, openalex, openlibrary, semantic_scholar
from citelsp.sources.http import Client
from citelsp.sources.question import Question as Search
from citelsp.verification import decide, plan
from citelsp.verification.question import Question

_SEARCHES: Mapping[str, Callable[[Client, Search], Awaitable[Lookup]]] = {
    "crossref": crossref.search,
    "semantic_scholar": semantic_scholar.match,
    "openalex": openalex.search,
    "dblp": dblp.search,
    "arxiv": arxiv.search,
    "europepmc": europepmc.search,
}
SERVICES = (*_SEARCHES, "doi", "datacite", "openlibrary")


@dataclass
class _Case:
    """One content to be verified, with what is known so far."""

    entry: Entry
    answers: dict[Question, Lookup] = field(default_factory=dict)
    open: set[Question] = field(default_factory=set)


async def verify(
    entries: Sequence[Entry], client: Client, services: Collection[str]
) -> AsyncIterator[tuple[str, Verdict]]:
    """(fingerprint, verdict) of each entry's content, as soon as it is certain.  Cancel at any time."""
    cases = {fingerprint(it): _Case(it) for it in entries}
    waiting: dict[asyncio.Task[dict[Question, Lookup]], list[str]] = {}
    fresh = list(cases)
    try:
        while fresh or waiting:
            asked: dict[Question, list[str]] = {}
            for key in fresh:
                case = cases[key]
                case.open = set(plan.questions(case.entry, case.answers, services))
                if not case.open:
                    yield key, decide.verdict(case.entry, case.answers, services)
                for question in case.open:
                    asked.setdefault(question, []).append(key)
            for group in _groups(asked):
                task = asyncio.ensure_future(_answered(group, cases[asked[group[0]][0]].entry, client))
                waiting[task] = list(dict.fromkeys(key for question in group for key in asked[question]))
            if not waiting:
                return
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            fresh = []
            for task in done:
                fresh += _taken(task.result(), [cases[key] for key in waiting[task]], waiting.pop(task))
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


def _taken(answers: Mapping[Question, Lookup], cases: Sequence[_Case], keys: Sequence[str]) -> list[str]:
    """Give the answers to the cases that asked; the keys of those with nothing left open."""
    ready = []
    for key, case in zip(keys, cases, strict=True):
        mine = case.open & answers.keys()
        case.answers |= {question: answers[question] for question in mine}
        case.open -= mine
        if mine and not case.open:
            ready.append(key)
    return ready


def _groups(asked: Collection[Question]) -> list[list[Question]]:
    """Identifiers of one service together, searches alone."""
    groups: dict[tuple[str, str], list[Question]] = {}
    for question in asked:
        alone = question.value if question.kind == "title" else ""
        kind = "id" if question.service == "semantic_scholar" and not alone else question.kind
        groups.setdefault((question.service, kind + alone), []).append(question)
    return list(groups.values())


async def _answered(group: list[Question], entry: Entry, client: Client) -> dict[Question, Lookup]:
    """Ask one service; `entry` supplies authors and year for a search."""
    first = group[0]
    if first.kind == "title":
        search = Search(title=entry.title, authors=entry.authors[:1], year=entry.year)
        return {first: await _SEARCHES[first.service](client, search)}
    values = {_spelled(it): it for it in group}
    found = await _lookup_many(first, list(values), client)
    return {question: found[value] for value, question in values.items()}


def _spelled(question: Question) -> str:
    prefix = {"doi": "DOI:", "arxiv": "ARXIV:", "pmid": "PMID:"} if question.service == "semantic_scholar" else {}
    return prefix.get(question.kind, "") + question.value


async def _lookup_many(question: Question, values: Sequence[str], client: Client) -> Mapping[str, Lookup]:
    match question.service:
        case "doi":
            agencies = await doi.agencies(client, values)
            return {it: Found("doi", ()) if isinstance(who, doi.Registered) else who for it, who in agencies.items()}
        case "crossref":
            return await crossref.lookup_many(client, values)
        case "arxiv":
            return await arxiv.lookup_many(client, values)
        case "datacite":
            return await datacite.lookup_many(client, values)
        case "openalex":
            return await openalex.lookup_many(client, values)
        case "europepmc":
            return await europepmc.lookup_many(client, values)
        case "openlibrary":
            return {it: await openlibrary.lookup(client, it) for it in values}
        case "semantic_scholar":
            return await semantic_scholar.lookup_many(client, values)
    return {it: Absent(question.service) for it in values}
