"""Works for a placeholder from the services, joined with what this machine had.

Lists are fused by reciprocal ranks (Cormack et al. 2009), then weighed by title and abstract against hint and sentence.
"""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from citelsp.bibliography.merge import fused, grouped
from citelsp.corpus import dense, evidence
from citelsp.corpus.helpers import Helpers
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Query
from citelsp.corpus.words import title_key
from citelsp.corpus.work import Work, is_after
from citelsp.investigate import relevance, suggest
from citelsp.knowledge import Candidate, Evidence, Found, Lookup, Record, Suggestion, Unavailable
from citelsp.question import Question
from citelsp.sources import find
from citelsp.sources.ask import Sources

_ROWS = 15  # works of each service
_MOST = 10  # candidates
_DAMPING = 60
_BY_RANK = 0.5  # weight of the lists' order beside that of the words
_MEANT = 1.0  # for a work whose title is what the author wrote into the placeholder
_KNOWN = 2.0  # for the square root of the probability that a work has here: services tell none
_HERE = ("library", "corpus")  # origins on this machine
_NAMED, _BEHIND = 0.6, 0.05  # the probability of an entry that the hint calls first, and less for each rank


@dataclass(frozen=True, slots=True)
class Step:
    """One service has answered; `left` have not yet."""

    service: str
    suggestion: Suggestion
    left: tuple[str, ...]


async def search(
    question: Question, local: Suggestion, sources: Sources, corpus: Corpus | None = None
) -> AsyncGenerator[Step, None]:
    """The suggestion after each service's answer; incomplete but for the last.  Cancel at any time.

    `corpus` is used in a thread of its own; without one, words are as rare as they are in what was found.
    """
    began, query = time.perf_counter(), Query(question)
    left = sources.browsed()
    lookups: list[Lookup] = []
    wording = relevance.wording(query, corpus)
    if not wording:
        return
    async with aclosing(sources.browse(wording, _ROWS)) as answers:
        async for name, lookup in answers:
            left.remove(name)
            lookups.append(lookup)
            joined = await asyncio.to_thread(merged, query, local, lookups, corpus)
            usage = {**local.usage, "requests": float(len(lookups)), "seconds": time.perf_counter() - began}
            yield Step(name, replace(joined, complete=not left, usage=usage), tuple(left))


async def exhausted(
    question: Question,
    local: Suggestion,
    sources: Sources,
    corpus: Corpus | None = None,
    report: Callable[[Step], None] = lambda _: None,
    helpers: Helpers = Helpers(),  # noqa: B008  a frozen value
) -> Suggestion:
    """The suggestion when every service has answered, reranked; `report` hears of each.  Cancel at any time."""
    found = local
    async with aclosing(search(question, local, sources, corpus)) as steps:
        async for step in steps:
            found = step.suggestion
            report(step)
    return await _reranked(Query(question), found, helpers)


async def _reranked(query: Query, found: Suggestion, helpers: Helpers) -> Suggestion:
    """The candidates as a reranker orders them; a work that the author named by its title stays first."""
    records = [it.record for it in found.candidates]
    scores = await helpers.scores(query.wording, list(map(dense.text, records)))
    if scores is None:
        return found
    order = sorted(range(len(records)), key=lambda it: (not _is_meant(query, [records[it]]), -scores[it]))
    usage = {**found.usage, "requests": found.usage.get("requests", 0.0) + helpers.requests(None, scores)}
    return replace(found, candidates=tuple(found.candidates[it] for it in order), usage=usage)


def merged(query: Query, local: Suggestion, lookups: Sequence[Lookup], corpus: Corpus | None) -> Suggestion:
    """What was found here and by the services, each work once, nothing later than the manuscript and never itself."""
    lists = [[it.record for it in local.candidates]]
    lists += [
        [it for it in found.records if _fits(query.question, it)] for found in lookups if isinstance(found, Found)
    ]
    ranks = {id(record): 1 / (_DAMPING + rank) for records in lists for rank, record in enumerate(records)}
    own = {id(it.record): it for it in local.candidates}
    known = {id(it.record): _known(it, rank) for rank, it in enumerate(local.candidates)}
    groups = grouped(record for records in lists for record in records)
    texts = [" ".join(map(relevance.text_of, group)) for group in groups]
    measure = relevance.of(query, texts, corpus)

    def score(at: int) -> float:
        by_rank = sum(ranks[id(it)] for it in groups[at]) * _DAMPING / max(1, len(lists))
        here = max(known.get(id(it), 0.0) for it in groups[at])
        told = measure.share(texts[at]) + _MEANT * _is_meant(query, groups[at])
        return _BY_RANK * by_rank + told + _KNOWN * math.sqrt(here)

    order = sorted(range(len(groups)), key=lambda it: -score(it))[:_MOST]
    candidates = tuple(_candidate(query, groups[it], own, corpus) for it in order)
    if not candidates:
        return replace(local, abstained=True, reason=_silence(lookups))
    return suggest.judged(Suggestion(candidates), query, corpus)


def renewed(query: Query, local: Suggestion, known: Suggestion, corpus: Corpus | None) -> Suggestion:
    """What was found outside, among what this machine finds now: entries and works may have been added since.

    What was chosen to be cited stays first.
    """
    chose = bool(known.usage.get("tokens_in")) or known.together > 1
    chosen = known.candidates[: known.together] if chose and not known.abstained else ()
    services = dict.fromkeys(name for it in known.candidates for name in it.origins if name not in _HERE)
    lookups = [Found(name, tuple(it.record for it in known.candidates if name in it.origins)) for name in services]
    found = merged(query, local, lookups, corpus) if lookups else local
    titles = {title_key(it.record.title) for it in chosen}
    others = (it for it in found.candidates if title_key(it.record.title) not in titles)
    candidates = (*chosen, *others)[:_MOST]
    abstained, reason = (False, known.reason) if chosen else (found.abstained, found.reason)
    return replace(known, candidates=candidates, abstained=abstained, reason=reason)


def _known(candidate: Candidate, rank: int) -> float:
    if candidate.probability is not None:
        return candidate.probability
    return max(0.0, _NAMED - _BEHIND * rank) if candidate.key else 0.0


def _candidate(query: Query, group: Sequence[Record], own: dict[int, Candidate], corpus: Corpus | None) -> Candidate:
    known = next((own[id(it)] for it in group if id(it) in own), None)
    found = [it for it in group if id(it) not in own]
    origins = (*(known.origins if known else ()), *(it.source for it in found))
    if known and (known.key or not found):
        return replace(known, origins=tuple(dict.fromkeys(origins)))
    record = fused(found)
    passages = known.evidence if known else (_evidence(query, record, found, corpus),)
    return Candidate(record, known.probability if known else None, tuple(dict.fromkeys(origins)), evidence=passages)


def _evidence(query: Query, record: Record, found: Sequence[Record], corpus: Corpus | None) -> Evidence:
    """A passage of the work, under the name of a source that has it."""
    work = Work(record.id, record.title, record.abstract)
    quoted = evidence.best(work, query, lambda it: corpus.engine.rarity("text", it) if corpus else 1.0)
    held = (it.source for it in found if quoted.quote in (it.title if quoted.where == "title" else it.abstract))
    return replace(quoted, source=next(held, record.source))


def _fits(question: Question, record: Record) -> bool:
    """Not later than the manuscript, and not the manuscript."""
    if title_key(record.title) == title_key(question.title):
        return False
    published = record.date or (str(min(record.years)) if record.years else "")
    return not (question.date and published and is_after(published, question.date))


def _is_meant(query: Query, group: Sequence[Record]) -> bool:
    hint = query.question.hint.strip()
    return bool(hint) and any(find.is_titled(hint, it) for it in group)


def _silence(lookups: Sequence[Lookup]) -> str:
    missing = [f"{it.source} ({it.why})" for it in lookups if isinstance(it, Unavailable)]
    if len(missing) == len(lookups):
        return f"no service could be asked: {', '.join(missing) or 'none is switched on'}"
    return "no service found a work on this" + (f"; not asked: {', '.join(missing)}" if missing else "")
