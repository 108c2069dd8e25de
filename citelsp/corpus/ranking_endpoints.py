"""The endpoints that help to rank, asked with care: one that fails is told of once and left alone for a while."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from citelsp.base.settings import Settings
from citelsp.corpus import dense
from citelsp.corpus.dense import Vector, Vectors
from citelsp.corpus.index import Corpus
from citelsp.meaning.local_embedder import AnyEmbedder, LocalEmbedder, embedder
from citelsp.meaning.local_reranker import AnyReranker, LocalReranker, reranker
from citelsp.sources.model_endpoints import EndpointError, Remote

if TYPE_CHECKING:
    from citelsp.sources.model_endpoints import Transport

# A model that is loaded first may take longer: then the search goes on by words.
_PATIENCE = 20.0  # seconds that a search waits for an answer
_REST = 300.0  # seconds without a question after a failure

T = TypeVar("T")
R = TypeVar("R", bound=Remote | LocalEmbedder | LocalReranker)
Tell = Callable[[str], None]


class Careful(Generic[R]):
    """An endpoint, and since when it fails."""

    def __init__(self, remote: R, instead: str, tell: Tell, rest: float = _REST) -> None:
        """`instead`: what happens without it, for people; `rest`: seconds without a question after a failure."""
        self.remote = remote
        self._instead = instead
        self._tell = tell
        self._rest = rest
        self._failed: float | None = None  # when, by the monotonic clock; None if the last question was answered

    @property
    def rests(self) -> bool:
        """Return True if it is left alone now, because it failed lately."""
        return self._failed is not None and time.monotonic() - self._failed < self._rest

    async def ask(self, question: Callable[[R], Awaitable[T]], seconds: float | None = _PATIENCE) -> T | None:
        """Ask the endpoint, and return its answer; None if it fails, does not answer in time, or is left alone now.

        `seconds` to wait; None: without a limit.  After a failure the endpoint rests for a while.  A failure is told,
        unless the question before failed, too.  What `question` raises but EndpointError and TimeoutError goes through.
        """
        if self.rests:
            return None
        try:
            async with asyncio.timeout(seconds):
                answer = await question(self.remote)
        except (EndpointError, TimeoutError) as problem:
            failed_before = self._failed is not None
            self._failed = time.monotonic()
            # Told once: each search would repeat it until somebody starts the endpoint again.
            if not failed_before:
                # A TimeoutError says nothing of itself; without a limit there is none.
                why = str(problem) or f"{self.remote.address}: no answer for {seconds:g} s"
                self._tell(f"{why}; {self._instead}")
            return None
        self._failed = None
        return answer


@dataclass(frozen=True, slots=True)
class Helpers:
    """Embeddings and reranking, if they are set.  No failure of an endpoint is raised; `aclose` them."""

    embedder: Careful[AnyEmbedder] | None = None
    reranker: Careful[AnyReranker] | None = None

    def on_this_machine(self) -> "Helpers":
        """Return only the helpers on this machine."""
        vectors = self.embedder
        reranker = self.reranker
        return Helpers(
            vectors if vectors and vectors.remote.is_here else None,
            reranker if reranker and reranker.remote.is_here else None,
        )

    def on_other_machines(self) -> list[Remote | LocalEmbedder | LocalReranker]:
        """Return only the helpers that are not on this machine."""
        helpers = self.embedder, self.reranker
        return [it.remote for it in helpers if it and not it.remote.is_here]

    def requests(self, vector: Vector | None, scores: Sequence[float] | None) -> int:
        """Count the requests that left this machine for these answers."""
        asked = (self.embedder, vector), (self.reranker, scores)
        return sum(not it.remote.is_here for it, answer in asked if it and answer is not None)

    async def vector(self, corpus: Corpus, query: str) -> Vector | None:
        """Return what a query means, as a vector; None if no work of the corpus has vectors to compare it with."""
        if self.embedder is None:
            return None
        vectors = Vectors.open_named(corpus, self.embedder.remote.vectors)
        size = await asyncio.to_thread(vectors.size)
        return await self.meaning(query, size, str(vectors.directory)) if size else None

    async def meaning(self, query: str, size: int, where: str) -> Vector | None:
        """What a query means, to be compared with vectors of so many numbers that lie somewhere."""
        return await self.embedder.ask(lambda it: _make_vector(it, query, size, where)) if self.embedder else None

    async def scores(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Score how well each text answers the query."""
        if self.reranker is None or not texts:
            return None
        return await self.reranker.ask(lambda it: it.scores(query, texts))

    async def embed(self, corpus: Corpus, numbers: Sequence[int], report: Callable[[int], None]) -> bool:
        """Give works vectors, see `dense.update`; False if there is no endpoint, or it did not see it through.

        CorpusError if the vectors cannot be written.
        """
        if self.embedder is None:
            return False
        return await self.embedder.ask(lambda it: dense.update(corpus, it, numbers, report), None) is not None

    async def aclose(self) -> None:
        for helper in (self.embedder, self.reranker):
            if helper:
                await helper.remote.aclose()


def helpers(settings: Settings, tell: Tell, transport: "Transport" = None) -> Helpers:
    """Return the helpers of `[embeddings]` and `[rerank]` that are set; offline only models on this machine."""
    vectors, scores = embedder(settings, transport), reranker(settings, transport)
    return Helpers(
        Careful(vectors, "only keyword search is used", tell) if vectors else None,
        Careful(scores, "results are not reranked", tell) if scores else None,
    )


@asynccontextmanager
async def open_helpers(settings: Settings, tell: Tell) -> AsyncIterator[Helpers]:
    """The endpoints of the settings, closed at the end."""
    found = helpers(settings, tell)
    try:
        yield found
    finally:
        await found.aclose()


async def _make_vector(embedder: AnyEmbedder, query: str, size: int, where: str) -> Vector:
    values = await embedder.query(query[: dense.LONGEST])
    dense.check(len(values), size, where)
    return Vector(embedder.vectors, values)
