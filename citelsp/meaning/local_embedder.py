"""A model on this machine in the place of an endpoint: it answers what `sources.models.Embedder` answers."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from citelsp.base.settings import Settings
from citelsp.meaning.local_model import LocalModel
from citelsp.meaning.model_folder import ModelError
from citelsp.sources.models import Embedder, EndpointError

if TYPE_CHECKING:
    from citelsp.sources.models import Transport


class LocalEmbedder:
    """Vectors for sentences and works; whatever goes wrong is an EndpointError."""

    host, is_here = "", True

    def __init__(self, model: LocalModel) -> None:
        self.model = model
        self.name = self.address = model.embeddings.model

    @property
    def vectors(self) -> str:
        """The name of its vectors; "" while the model cannot be used, which `query` and `works` say."""
        try:
            return self.model.vectors
        except ModelError:
            return ""

    async def query(self, text: str) -> list[float]:
        """The vector of a sentence that works are looked for with."""
        return (await self._made(self.model.queries, [text]))[0]

    async def works(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each work's title, which is the first line of its text.

        Titles with abstracts take twenty times as long, and brought nothing that was seen.
        """
        return await self._made(self.model.works, [it.partition("\n")[0] for it in texts])

    async def aclose(self) -> None:
        """Nothing is open: the model goes with its last user."""

    async def _made(self, make: Callable[[Sequence[str]], Any], texts: Sequence[str]) -> list[list[float]]:
        try:
            found = await asyncio.to_thread(make, texts)
        except ModelError as problem:
            raise EndpointError(str(problem)) from problem
        vectors: list[list[float]] = found.tolist()
        return vectors


AnyEmbedder = Embedder | LocalEmbedder


def embedder(settings: Settings, transport: "Transport" = None, threads: int = 1) -> AnyEmbedder | None:
    """Who makes vectors by the settings: a model on this machine, else an endpoint, unless offline; None if nobody."""
    embeddings = settings.embeddings
    if embeddings.model:
        return LocalEmbedder(LocalModel(embeddings, threads))
    return Embedder(embeddings, transport) if embeddings.base_url and not settings.offline else None
