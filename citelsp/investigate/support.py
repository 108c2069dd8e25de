"""What cited works say of the sentences that cite them: passages, and with a model a verdict on the claim."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, replace

from citelsp.agent import claim_judge, start
from citelsp.agent.claim_judge import Judgement
from citelsp.agent.claim_verdict_cache import Judgements
from citelsp.agent.environment import Environment
from citelsp.agent.services import Scholarly
from citelsp.agent.steps import Limits
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.corpus.work import Work, from_entry
from citelsp.investigate.budget import Budget, Metered
from citelsp.investigate.resolve import Reach
from citelsp.knowledge import Knowledge
from citelsp.sources.answer_cache import Cache
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace import question as questions
from citelsp.workspace.cited_claims import Claim
from citelsp.workspace.project import Project

_AT_ONCE = 6  # claims whose works are read at a time
_READING = 30.0  # seconds that the text of a work may take to come

# (claims that are through, of how many, the content of the last one, and its judgement)
Report = Callable[[int, int, str, Judgement], None]


@dataclass(frozen=True, slots=True)
class _Desk:
    """What claims are judged with."""

    project: Project
    reach: Reach
    knowledge: Knowledge  # with what services said of the works
    services: Scholarly | None
    limits: Limits  # of each claim
    budget: Budget  # of all claims
    judgements: Judgements | None  # that the model made before


async def support(
    project: Project,
    claims: Sequence[Claim],
    reach: Reach,
    knowledge: Knowledge,
    report: Report,
    budget: Budget | None = None,
) -> AsyncGenerator[Knowledge, None]:
    """Look for evidence on these claims; after each one yield `knowledge` with all evidence so far.

    A claim is a sentence with a work that it cites.  It is left out if `knowledge` has its evidence, or that there is
    none.  `report` is told how many of those that were not left out are done, and what came of the last one.

    Without a model (`reach.chat`) the passages have no verdict.  Each claim may cost what the settings allow a search,
    and all of them what `budget` says: beyond that there are passages without a verdict.  Cancel at any time.
    """
    limits = start.read_limits(project.settings)
    services = None
    if reach.sources:
        # A text may take twice as long as a search: _READING, or a claim's time if that is less; 0 is no limit.
        services = Scholarly(reach.sources, min(_READING, limits.seconds or _READING) / 2)
    cache = Cache() if reach.chat else None
    judgements = Judgements(cache, reach.chat.endpoint) if cache and reach.chat else None
    desk = _Desk(project, reach, knowledge, services, limits, budget or Budget(), judgements)
    unread = {claim.content: claim for claim in claims if claim.content not in knowledge.evidence}
    gate = asyncio.Semaphore(_AT_ONCE)

    async def judge(content: str, claim: Claim) -> tuple[str, Judgement]:
        async with gate:
            return content, await _judge(claim, desk)

    # All at once, so that a slow work holds up no other; `gate` bounds how many are read at a time.
    tasks = [asyncio.ensure_future(judge(content, claim)) for content, claim in unread.items()]
    try:
        for done, task in enumerate(asyncio.as_completed(tasks), 1):
            content, judgement = await task
            knowledge = replace(knowledge, evidence={**knowledge.evidence, content: judgement.evidence})
            report(done, len(tasks), content, judgement)
            yield knowledge
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if cache:
            cache.close()


async def _judge(claim: Claim, desk: _Desk) -> Judgement:
    """Judge one claim, whose time begins now.

    A judgement that the model made before is taken from the cache as long as sentence, work and text are the same.
    """
    chat = Metered(desk.reach.chat, desk.limits, desk.budget) if desk.reach.chat else None
    environment = await asyncio.to_thread(_make_environment, claim, desk)
    record = _choose_record(claim, desk.knowledge)
    return await claim_judge.judge_claims(environment, record, chat, desk.judgements)


def _make_environment(claim: Claim, desk: _Desk) -> Environment:
    """What the judge of a claim may look at: the place as if the citation were still to be filled."""
    citation = claim.citation
    path = claim.source.document.path
    place = Placeholder("", citation.span, citation.command, citation.whole)
    return Environment(questions.placeholder_question(desk.project, path, place), desk.reach.corpus, desk.services)


def _choose_record(claim: Claim, knowledge: Knowledge) -> Record:
    """What the services said of the work, if that is known; else what the entry says."""
    own = make_record(claim.entry.entry)
    verdict = knowledge.verdicts.get(claim.entry.content)
    if verdict is None or verdict.record is None or verdict.kind not in ("verified", "mismatch", "retracted"):
        return own
    return replace(verdict.record, abstract=verdict.record.abstract or own.abstract)


def make_record(entry: Entry) -> Record:
    """What an entry says of its work, under its key; a work that the corpus would not take has its title alone."""
    work = from_entry(entry)
    record = work.record() if isinstance(work, Work) else Record("library", entry.key, entry.title)
    return replace(record, identifiers=entry.identifiers, source="library", id=entry.key)
