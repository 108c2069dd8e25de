"""The claims of `citelsp check --claims`: put to the user's model once each, within limits, and what that cost."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citelsp.agent import start
from citelsp.agent.claim_judge import NO_PASSAGE
from citelsp.agent.steps import Usage
from citelsp.base.text import write_count
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
    from citelsp.workspace.cited_claims import Claim
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
    unread: int = 0  # claims of whose works no text could be read
    undiscussed: int = 0  # claims of which the text of the work says nothing, as far as it could be read
    unanswered: Counter[str] = field(default_factory=Counter)  # why the model gave no verdict, and how often
    usage: Usage = field(default_factory=Usage)

    async def learnt(self, project: "Project", claims: Sequence["Claim"], knowledge: "Knowledge") -> "Knowledge":
        """Have a model judge these claims by what the cited works say; return `knowledge` with its judgements.

        A claim is passed over if `knowledge` has its evidence, or that there is none.  The model is not asked about one
        that it judged in an earlier run: that verdict is cached.  Counts what was asked, answered and spent, and shows
        on a terminal how far it is.
        """

        def report(done: int, total: int, _: str, judgement: "Judgement") -> None:
            self._count(judgement)
            verify_online.show(f"{done} of {total} claims")

        snapshots = support.support(project, claims, self.reach, knowledge, report, self.budget)
        try:
            async with aclosing(snapshots):
                async for more in snapshots:
                    knowledge = more
        finally:
            verify_online.show("")
        return knowledge

    def _count(self, judgement: "Judgement") -> None:
        """Count a judgement: as asked, by its verdict, or by why it has none, and what it cost.

        One without `evidence` (passages of the work) was never put to the model.  One with evidence may have no
        `verdict`: the budget was spent, say, or the model's answer could not be read.  Of both the last note says why.
        """
        self.usage = self.usage.plus(judgement.usage)
        was_asked = bool(judgement.usage.calls)
        if was_asked:
            self.asked += 1
        if judgement.verdict:
            self.verdicts[judgement.verdict] += 1
            if not was_asked:  # the verdict comes from the cache
                self.earlier += 1
        if not judgement.evidence:
            if judgement.notes[-1] == NO_PASSAGE:
                self.undiscussed += 1
            else:  # NO_TEXT, the only other note that ends a judgement without evidence
                self.unread += 1
        elif not judgement.verdict:
            self.unanswered[judgement.notes[-1] if judgement.notes else "no reason given"] += 1

    def problem(self) -> str:
        """Say what kept claims from being judged: the most frequent reasons; "" if nothing did."""
        if not self.unanswered:
            return ""
        reasons = self.unanswered.most_common(_REASONS)
        total = self.unanswered.total()
        verb = "was" if total == 1 else "were"
        counted = [f"{why} ({times})" if times < total else why for why, times in reasons]
        claims = write_count(self.verdicts.total() + total, "claim")
        return f"{total} of {claims} {verb} not judged: {'; '.join(counted)}"

    def cost(self) -> str:
        """Say how many claims the model was asked about, with what outcome, and what that cost.

        What did not occur is left out; the verdicts count those of earlier runs, too.
        """
        clauses = [f"{write_count(self.asked, 'claim')} put to the model: {self._tell_spent()}"]
        if self.earlier:
            clauses.append(f"{self.earlier} judged in earlier runs")
        if self.unread:
            of_works = "of its work" if self.unread == 1 else "of their works"
            clauses.append(f"{write_count(self.unread, 'claim')} left, because no text {of_works} was found")
        if self.undiscussed:
            ending = "its work does not discuss it" if self.undiscussed == 1 else "their works does not discuss them"
            clauses.append(f"{write_count(self.undiscussed, 'claim')} left, because the text of {ending}")
        if self.verdicts:
            counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(self.verdicts.items()))
            clauses.append(f"verdicts: {counts}")
        return "; ".join(clauses)

    def _tell_spent(self) -> str:
        """Say how many tokens and how much money were spent, and at most may be if there are such bounds.

        The money is left out if it is 0, as without a price from the endpoint or the settings.  A bound of 0 is none.
        """
        usage = self.usage
        budget = self.budget
        spent = f"{usage.tokens_in:,} tokens read, {usage.tokens_out:,} written"
        if usage.estimated:  # in part: the endpoint did not say how many it counted
            spent = f"about {spent}"
        if usage.usd:
            spent += f", {usage.usd:.4f} USD"
        bounds = []
        if budget.tokens:
            bounds.append(f"{budget.tokens:,} tokens")
        if budget.usd:
            bounds.append(f"{budget.usd:g} USD")
        return f"{spent}, of at most {' and '.join(bounds)}" if bounds else spent


@asynccontextmanager
async def open_judging(
    settings: "Settings", sources: "Sources | None", budget: Budget
) -> AsyncIterator[Judging | None]:
    """Open what claims are judged with, for as long as the context lasts; yields None without a model or offline.

    Texts are read from the corpus, if there is one, and from the services, if they may be asked.  `budget` is for all
    claims together; what one may cost is in the settings.
    """
    async with AsyncExitStack() as stack:
        chat = start.open_chat(settings)
        if chat is None:
            yield None
            return
        stack.push_async_callback(chat.aclose)
        corpus = _open_corpus(settings)
        if corpus:
            stack.callback(corpus.close)
        yield Judging(Reach(library=None, corpus=corpus, sources=sources, chat=chat), budget)


def _open_corpus(settings: "Settings") -> Corpus | None:
    """Return the corpus; None if there is none, or if it cannot be opened, which is said."""
    if not default_path(settings).is_dir():
        return None
    try:
        return Corpus(default_path(settings))
    except CorpusError as problem:
        common.warn(f"the corpus is left out: {problem}")
        return None
