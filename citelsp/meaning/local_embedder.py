"""A model on this machine in the place of an endpoint: it answers what `sources.model_endpoints.Embedder` answers."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

from citelsp.base.settings import Settings
from citelsp.meaning.local_model import TOGETHER, LocalModel
from citelsp.meaning.model_folder import ModelError
from citelsp.meaning.near_titles import NearTitles, TitleVectors
from citelsp.sources.model_endpoints import Embedder, EndpointError

if TYPE_CHECKING:
    from citelsp.sources.model_endpoints import Transport

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class LocalEmbedder:
    """Vectors for sentences and works; whatever goes wrong is an EndpointError."""

    host, is_here = "", True

    def __init__(self, model: LocalModel) -> None:
        self.model = model
        self.name = self.address = model.embeddings.model
        self._titles: TitleVectors | None = None

    @property
    def vectors(self) -> str:
        """The name of its vectors; "" while the model cannot be used, which `query` and `works` say."""
        try:
            return self.model.vectors
        except ModelError:
            return ""

    async def query(self, text: str) -> list[float]:
        """The vector of a sentence that works are looked for with."""
        return (await self._compute_vectors(self.model.queries, [text]))[0]

    async def works(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each work's title, which is the first line of its text.

        Titles with abstracts take twenty times as long, and brought nothing that was seen.
        """
        return await self._compute_vectors(self.model.works, [it.partition("\n")[0] for it in texts])

    def near(self, texts: Sequence[str]) -> NearTitles | None:
        """How near the titles that were learnt lie to texts that were; None if one of these was not."""
        return self._titles.known(texts) if self._titles else None

    async def learn(
        self, texts: Sequence[str], titles: Sequence[str], ready: Callable[[], None] = lambda: None
    ) -> NearTitles | None:
        """Compute vectors of `texts` (what manuscripts say) and then of `titles`, which take far longer; none twice.

        Between the two `ready` is called: from then on `near` answers for these texts, with the titles known so far.
        Returns how near all known titles lie to the texts; None if the texts' vectors did not all fit into memory.
        If it is cancelled, it keeps the vectors computed so far.
        """
        if self._titles is None:
            # The name `model.vectors` has a digest of the model's files in it: reading these must not hold up the loop.
            self._titles = TitleVectors(await self._run(lambda: self.model.vectors))
        vectors = self._titles
        new_texts = vectors.unasked(texts)  # those without a vector
        if new_texts:
            await self._run(vectors.ask, new_texts, self.model.queries)  # computes and keeps them
        ready()
        # It looks into memory and on the disk, and asks no model, whose errors `_run` translates.
        new_titles = await asyncio.to_thread(vectors.unknown, [it for it in titles if it])
        for start in range(0, len(new_titles), TOGETHER):
            await self._run(vectors.add, new_titles[start : start + TOGETHER], self.model.works)
        return vectors.known(texts)

    async def aclose(self) -> None:
        """Nothing is open: the model goes with its last user."""

    async def _compute_vectors(self, make: Callable[[Sequence[str]], Any], texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = (await self._run(make, texts)).tolist()
        return vectors

    async def _run(self, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """What the call answers, made in a thread, so that the editor is not held up; EndpointError if it fails."""
        try:
            return await asyncio.to_thread(call, *arguments)
        except ModelError as problem:
            raise EndpointError(str(problem)) from problem


AnyEmbedder = Embedder | LocalEmbedder


def embedder(settings: Settings, transport: "Transport" = None, threads: int = 1) -> AnyEmbedder | None:
    """Who makes vectors by the settings: a model on this machine, else an endpoint, unless offline; None if nobody."""
    embeddings = settings.embeddings
    if embeddings.model:
        return LocalEmbedder(LocalModel(embeddings, threads))
    return Embedder(embeddings, transport) if embeddings.base_url and not settings.offline else None
