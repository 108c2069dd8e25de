"""A cross-encoder on this machine in an endpoint's place: it answers as `sources.model_endpoints.Reranker` does."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.base.settings import Embeddings, Settings
from citelsp.meaning.local_model import LocalModel
from citelsp.meaning.model_folder import ModelError
from citelsp.sources.model_endpoints import EndpointError, Reranker

if TYPE_CHECKING:
    from citelsp.sources.model_endpoints import Transport


class LocalReranker:
    """Scores for texts beside a query; whatever goes wrong is an EndpointError."""

    host, is_here = "", True

    def __init__(self, folder: str, threads: int = 1) -> None:
        self.name = self.address = folder
        self.model = LocalModel(Embeddings(model=str(Path(folder).expanduser().absolute())), threads)

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the query, in the order of the texts."""
        try:
            self.check()
            return await asyncio.to_thread(self.model.scores, query, texts)
        except ModelError as problem:
            raise EndpointError(str(problem)) from problem

    def check(self) -> None:
        """ModelError if it cannot be used, as far as that is known without loading it."""
        if not Path(self.model.embeddings.model).is_dir():
            raise ModelError(f"rerank.model: the folder {self.name} is not there")
        self.model.check()

    async def aclose(self) -> None:
        """Nothing is open: the model goes with its last user."""


AnyReranker = Reranker | LocalReranker


def reranker(settings: Settings, transport: "Transport" = None) -> AnyReranker | None:
    """Who reranks by the settings: a model on this machine, else an endpoint, unless offline; None if nobody."""
    rerank = settings.rerank
    if rerank.model:
        return LocalReranker(rerank.model)
    return Reranker(rerank, transport) if rerank.base_url and not settings.offline else None
