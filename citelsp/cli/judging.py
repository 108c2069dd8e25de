"""The claims of `citelsp check --claims`: put to the user's model once each, and what that cost."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citelsp.agent import start
from citelsp.agent.steps import Usage
from citelsp.cli import common, online
from citelsp.corpus.index import Corpus, default_path
from citelsp.corpus.store import CorpusError
from citelsp.investigate import support
from citelsp.investigate.resolve import Reach

if TYPE_CHECKING:
    from citelsp.agent.judge import Judgement
    from citelsp.claims import Claim
    from citelsp.knowledge import Knowledge
    from citelsp.project import Project
    from citelsp.settings import Settings
    from citelsp.sources.ask import Sources


@dataclass
class Judging:
    """What may be read, and what was asked and spent so far."""

    reach: Reach
    asked: int = 0
    unanswered: list[str] = field(default_factory=list)  # why, each time that the model gave no verdict
    usage: Usage = field(default_factory=Usage)

    async def learnt(self, project: "Project", claims: Sequence["Claim"], knowledge: "Knowledge") -> "Knowledge":
        """`knowledge` with what cited works say of these claims; what is known is not asked again."""

        def report(done: int, of: int, found: "Judgement") -> None:
            self.usage = self.usage.plus(found.usage)
            self.asked += bool(found.evidence)
            if found.evidence and not found.verdict:
                self.unanswered.append(found.notes[-1] if found.notes else "no reason given")
            online.show(f"{done} of {of} claims" if done < of else "")

        async with aclosing(support.support(project, claims, self.reach, knowledge, report)) as snapshots:
            async for known in snapshots:
                knowledge = known
        return knowledge

    def problem(self) -> str:
        """What kept the claims from being judged; "" where nothing did."""
        if not self.unanswered:
            return ""
        return f"{len(self.unanswered)} of {self.asked} claims were not judged: {self.unanswered[0]}"

    def cost(self) -> str:
        """What the model was asked and what for, for people."""
        usage = self.usage
        about, price = "about " * usage.estimated, f", {usage.usd:.4f} USD" if usage.usd else ""
        tokens = f"{about}{usage.tokens_in:,} tokens read, {usage.tokens_out:,} written{price}"
        claims = "1 claim" if self.asked == 1 else f"{self.asked} claims"
        return f"{claims} put to the model: {tokens}"


@asynccontextmanager
async def opened(settings: "Settings", sources: "Sources") -> AsyncIterator[Judging | None]:
    """Reads texts from the corpus, and from the services where they may be asked; None without a model."""
    async with AsyncExitStack() as stack:
        chat = start.open_chat(settings)
        if chat is None:
            yield None
            return
        stack.push_async_callback(chat.aclose)
        corpus = _corpus(settings)
        if corpus:
            stack.callback(corpus.close)
        yield Judging(Reach(None, corpus, sources if online.asks(settings) else None, chat))


def _corpus(settings: "Settings") -> Corpus | None:
    if not default_path(settings).is_dir():
        return None
    try:
        return Corpus(default_path(settings))
    except CorpusError as problem:
        common.warn(f"the corpus is left out: {problem}")
        return None
