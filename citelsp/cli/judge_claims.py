"""The claims of `citelsp check --claims`: put to the user's model once each, within limits, and what that cost."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citelsp.agent import start
from citelsp.agent.steps import Usage
from citelsp.cli import common, verify_online
from citelsp.corpus.index import Corpus, default_path
from citelsp.corpus.store import CorpusError
from citelsp.investigate import support
from citelsp.investigate.budget import Budget
from citelsp.investigate.resolve import Reach

if TYPE_CHECKING:
    from citelsp.agent.claim_judge import Judgement
    from citelsp.base.settings import Settings
    from citelsp.knowledge import Knowledge
    from citelsp.sources.ask_services import Sources
    from citelsp.workspace.claims import Claim
    from citelsp.workspace.project import Project

_REASONS = 3  # told at once


@dataclass
class Judging:
    """What may be read and spent, and what was asked and spent so far."""

    reach: Reach
    budget: Budget
    asked: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    earlier: int = 0  # judged by the same model in earlier runs
    unread: int = 0  # claims of which no text of the work speaks that could be read
    unanswered: Counter[str] = field(default_factory=Counter)  # why the model gave no verdict, and how often
    usage: Usage = field(default_factory=Usage)

    async def learnt(self, project: "Project", claims: Sequence["Claim"], knowledge: "Knowledge") -> "Knowledge":
        """`knowledge` with what cited works say of these claims; what is known is not asked again."""

        def report(done: int, of: int, found: "Judgement") -> None:
            self.usage = self.usage.plus(found.usage)
            self.asked += bool(found.usage.calls)
            self.verdicts.update([found.verdict] if found.verdict else [])
            self.earlier += bool(found.verdict and not found.usage.calls)
            self.unread += not found.evidence
            if found.evidence and not found.verdict:
                self.unanswered[found.notes[-1] if found.notes else "no reason given"] += 1
            verify_online.show(f"{done} of {of} claims")

        snapshots = support.support(project, claims, self.reach, knowledge, report, self.budget)
        try:
            async with aclosing(snapshots):
                async for known in snapshots:
                    knowledge = known
        finally:
            verify_online.show("")
        return knowledge

    def problem(self) -> str:
        """What kept the claims from being judged; "" if nothing did."""
        if not self.unanswered:
            return ""
        reasons = self.unanswered.most_common(_REASONS)
        total = self.unanswered.total()
        counted = [f"{why} ({times})" if times < total else why for why, times in reasons]
        return f"{total} of {_claims(self.verdicts.total() + total)} were not judged: {'; '.join(counted)}"

    def cost(self) -> str:
        """What the model was asked and what for, for people."""
        clauses = [f"{_claims(self.asked)} put to the model: {self._spent()}"]
        if self.earlier:
            clauses.append(f"{self.earlier} judged in earlier runs")
        if self.unread:
            clauses.append(f"{_claims(self.unread)} left, because no text of their works was found")
        if self.verdicts:
            counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(self.verdicts.items()))
            clauses.append(f"verdicts: {counts}")
        return "; ".join(clauses)

    def _spent(self) -> str:
        """Tokens and money, and what they are bounded by."""
        usage = self.usage
        budget = self.budget
        spent = f"{usage.tokens_in:,} tokens read, {usage.tokens_out:,} written"
        if usage.estimated:
            spent = f"about {spent}"
        if usage.usd:
            spent += f", {usage.usd:.4f} USD"
        bounds = [f"{budget.tokens:,} tokens"] if budget.tokens else []
        if budget.usd:
            bounds.append(f"{budget.usd:g} USD")
        return f"{spent}, of at most {' and '.join(bounds)}" if bounds else spent


@asynccontextmanager
async def opened(settings: "Settings", sources: "Sources | None", budget: Budget) -> AsyncIterator[Judging | None]:
    """Reads texts from the corpus, and from the services if there are any; None without a model.

    `budget`: for all claims; what one may cost is in the settings.
    """
    async with AsyncExitStack() as stack:
        chat = start.open_chat(settings)
        if chat is None:
            yield None
            return
        stack.push_async_callback(chat.aclose)
        corpus = _corpus(settings)
        if corpus:
            stack.callback(corpus.close)
        yield Judging(Reach(None, corpus, sources, chat), budget)


def _claims(count: int) -> str:
    return "1 claim" if count == 1 else f"{count} claims"


def _corpus(settings: "Settings") -> Corpus | None:
    if not default_path(settings).is_dir():
        return None
    try:
        return Corpus(default_path(settings))
    except CorpusError as problem:
        common.warn(f"the corpus is left out: {problem}")
        return None
