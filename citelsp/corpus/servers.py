"""The corpora on servers that the user's settings name: all asked at once for a question, each for itself.

One that does not answer is said to be missing; the others, and this machine, answer meanwhile.
"""

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from citelsp.base.settings import CorpusServer, Settings
from citelsp.corpus import compounds, search_place, server_vectors
from citelsp.corpus.catalogue import Wording
from citelsp.corpus.opensearch import ServerCatalogue
from citelsp.corpus.place_query import Query
from citelsp.corpus.ranking_endpoints import Helpers
from citelsp.corpus.search_place import Ranked
from citelsp.corpus.server_vectors import Direction, VectorIndex
from citelsp.corpus.server_words import FRESH, Vocabulary
from citelsp.corpus.store import Row
from citelsp.knowledge import Candidate, ServerAnswer
from citelsp.sources.search_server import SearchServer, UnavailableError
from citelsp.workspace.question import Question

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from citelsp.sources.model_endpoints import Transport

_MOST = 10  # works of one server in a list
_OPENING = 20.0  # seconds that learning an index may take, which happens once
_NO_HELPERS = Helpers()

T = TypeVar("T")


class ServerCorpus:
    """One corpus on a server.  Bound to one event loop; `aclose` it."""

    def __init__(self, name: str, setting: CorpusServer, transport: "Transport" = None) -> None:
        """`transport` replaces the network in tests."""
        self.name, self.server = name, SearchServer(setting, transport)
        self._words = Vocabulary(self.server)
        self._vectors: dict[str, tuple[float, VectorIndex | None]] = {}  # by model, with the clock when they were found

    async def aclose(self) -> None:
        await self.server.aclose()

    @property
    def size(self) -> int:
        """How many works it has; 0 until it has answered."""
        return self._words.works

    async def catalogue(self, direction: Direction | None = None) -> ServerCatalogue:
        """Return the corpus as ranking takes it, for one question; UnavailableError if the server cannot be asked.

        It is to be used in another thread: this event loop talks to the server, and the thread waits for its answers.
        `direction` is what the question means, if vectors are to be searched, too.
        """
        loop = asyncio.get_running_loop()

        async def awaited(answer: Awaitable[T]) -> T:
            return await answer

        def run(answer: Awaitable[Any]) -> Any:  # noqa: ANN401
            # Any awaitable becomes a coroutine, which is what can be handed to another thread's loop.
            return asyncio.run_coroutine_threadsafe(awaited(answer), loop).result()

        await self._words.open(_OPENING)
        return ServerCatalogue(self.server, self._words, run, direction)

    async def search(self, words: str, limit: int) -> list[Candidate]:
        """Return at most `limit` works whose titles and abstracts match some words best.

        Two neighbouring words are also searched for as one: “data base” finds “database”.  UnavailableError if the
        server does not answer.
        """
        catalogue = await self.catalogue()

        def may_hold(stem: str) -> bool:
            return catalogue.may_hold("text", stem)

        # In titles and abstracts (“text”), by stems with their weights.
        wording = Wording("text", compounds.join_neighbours(catalogue, may_hold, words), limit)

        def find_rows() -> list[Row]:
            numbers = [n for n, _ in catalogue.search({"plain": wording}, ())["plain"]]
            catalogue.sketches(numbers)  # called for its effect: it brings the records, too, that `rows` then reads
            return catalogue.rows(numbers)

        return [Candidate(it.work.record(), origins=(self.name,)) for it in await asyncio.to_thread(find_rows)]

    async def rank(
        self, question: Question, exclude: Sequence[str] = (), helpers: Helpers = _NO_HELPERS
    ) -> tuple[ServerCatalogue, Ranked]:
        """Rank as search_place.rank_helped does, but without a reranker; also return the catalogue that was asked.

        UnavailableError if the server does not answer.
        """
        direction = await self._find_direction(question, helpers)
        catalogue = await self.catalogue(direction)
        near = _NearOnServer(catalogue) if direction else None
        ranked = await asyncio.to_thread(search_place.rank, catalogue, question, exclude=exclude, near=near)
        return catalogue, ranked

    async def _find_direction(self, question: Question, helpers: Helpers) -> Direction | None:
        """Return what a question means as a vector of the model of `helpers`, to be compared with those of works.

        None if `helpers` have no model, if the server has no vectors of it, which it is asked once an hour, or if the
        model does not answer.  UnavailableError if the server does not answer: it is asked again next time.
        """
        if helpers.embedder is None:
            return None
        model = helpers.embedder.remote.vectors  # the name of its vectors
        answer = self._vectors.get(model)  # when the server was asked, and the index that it has
        if answer is None or time.monotonic() - answer[0] > FRESH:
            answer = time.monotonic(), await server_vectors.find(self.server, model, _OPENING)
            self._vectors[model] = answer
        _, index = answer
        if index is None:
            return None
        vector = await helpers.meaning(Query(question).meant, len(index.mean), f"the index {index.name}")
        return index.direction(vector.values) if vector else None

    async def answer(
        self, question: Question, exclude: Sequence[str] = (), most: int = _MOST, helpers: Helpers = _NO_HELPERS
    ) -> ServerAnswer:
        """Return at most `most` works for a question, best first, or in words why the server cannot be asked.

        `exclude`: ids or titles of works not to be found.  `helpers`: models that compare meanings, if there are any.
        """
        began = time.perf_counter()
        try:
            catalogue, ranked = await self.rank(question, exclude, helpers)
            offered = await asyncio.to_thread(search_place.suggestion, catalogue, ranked, most, began)
        except UnavailableError as problem:
            return ServerAnswer(self.name, why=str(problem))
        # They are this server's, whatever the ranking calls its corpus.
        works = tuple(replace(it, origins=(self.name,)) for it in offered.candidates)
        return ServerAnswer(self.name, works, catalogue.size)


@dataclass(frozen=True, slots=True)
class _NearOnServer:
    """What a server found near a direction; how near anything lies it does not say."""

    catalogue: ServerCatalogue

    weight = 0.0

    def works(self) -> Sequence[int]:
        return self.catalogue.nearest()

    def nearness(self, works: Sequence[int]) -> list[float | None]:
        return [None] * len(works)


@dataclass(frozen=True, slots=True)
class Servers:
    """Those of the settings; `aclose` them."""

    corpora: tuple[ServerCorpus, ...] = ()

    def on_this_machine(self) -> "Servers":
        """Those on this machine alone."""
        return Servers(tuple(it for it in self.corpora if it.server.is_here))

    @property
    def size(self) -> int:
        """Works of the largest of those that have answered; 0 if none has."""
        return max((it.size for it in self.corpora), default=0)

    def on_other_machines(self) -> list[str]:
        """The names of those that are not on this machine."""
        return [it.name for it in self.corpora if not it.server.is_here]

    async def answers(
        self, question: Question, exclude: Sequence[str] = (), most: int = _MOST, helpers: Helpers = _NO_HELPERS
    ) -> tuple[ServerAnswer, ...]:
        """What each answers, at most so many works, in the order of the settings."""
        return tuple(await asyncio.gather(*(it.answer(question, exclude, most, helpers) for it in self.corpora)))

    async def aclose(self) -> None:
        for corpus in self.corpora:
            await corpus.aclose()


def servers(settings: Settings, transport: "Transport" = None) -> Servers:
    """The servers that have an address; none when offline."""
    named: Mapping[str, CorpusServer] = {} if settings.offline else settings.corpus.servers
    return Servers(tuple(ServerCorpus(name, it, transport) for name, it in named.items() if it.base_url))


@asynccontextmanager
async def open_servers(settings: Settings) -> "AsyncIterator[Servers]":
    """The servers of the settings, closed at the end."""
    found = servers(settings)
    try:
        yield found
    finally:
        await found.aclose()
