"""Embeddings and reranking from endpoints that the user set: OpenAI's `/embeddings`, and `/rerank` in the three shapes
that TEI, vLLM, Jina and Cohere give it.

Whatever goes wrong is an EndpointError; nothing is retried, as search goes on without.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from citelsp.settings import Endpoint, Settings
from citelsp.sources import keys

if TYPE_CHECKING:
    import httpx

_REFUSED = frozenset({400, 404, 405, 422})  # what a server says to a shape that it does not know


class EndpointError(Exception):
    """An endpoint did not answer as it should; the message names it and says how."""


@dataclass(frozen=True, slots=True)
class Remote:
    """An endpoint and a connection to it.  Use it in one thread."""

    name: str  # of the model
    address: str
    http: "httpx.Client"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in their order."""
        answer = self._posted(self.address, {"model": self.name, "input": list(texts)})
        try:
            rows = sorted(answer["data"], key=lambda it: int(it["index"]))
            vectors = [[float(x) for x in it["embedding"]] for it in rows]
        except (KeyError, TypeError, ValueError) as problem:
            raise EndpointError(f"{self.address}: not embeddings: {problem!r}") from problem
        if len(vectors) != len(texts) or len({len(it) for it in vectors}) > 1:
            raise EndpointError(f"{self.address}: {len(vectors)} vectors for {len(texts)} texts")
        return vectors

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the query, in the order of the texts."""
        body = {"model": self.name, "query": query, "documents": list(texts), "return_documents": False}
        answer = self._posted(self.address, body, refused={"query": query, "texts": list(texts)})
        rows = answer.get("results", ()) if isinstance(answer, Mapping) else answer
        try:
            scores = {int(it["index"]): float(it.get("relevance_score", it.get("score"))) for it in rows}
            return [scores[it] for it in range(len(texts))]
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise EndpointError(f"{self.address}: not a ranking: {problem!r}") from problem

    def _posted(self, address: str, body: object, refused: object = None) -> Any:  # noqa: ANN401 - JSON
        """The answer to a body, or to the other one where the first is refused."""
        import httpx

        try:
            reply = self.http.post(address, json=body)
            if refused is not None and reply.status_code in _REFUSED:
                reply = self.http.post(address, json=refused)
            reply.raise_for_status()
            return reply.json()
        except (httpx.HTTPError, ValueError) as problem:
            raise EndpointError(f"{address}: {problem}") from problem


@asynccontextmanager
async def opened(
    settings: Settings, transport: "httpx.BaseTransport | None" = None
) -> AsyncIterator[tuple[Remote | None, Remote | None]]:
    """The endpoints of `[embeddings]` and `[rerank]`; None for one that is not set, and for both when offline."""
    with ExitStack() as stack:
        yield (
            await _remote(settings, settings.embeddings, "embeddings", stack, transport),
            await _remote(settings, settings.rerank, "rerank", stack, transport),
        )


async def _remote(
    settings: Settings, endpoint: Endpoint, path: str, stack: ExitStack, transport: "httpx.BaseTransport | None"
) -> Remote | None:
    import httpx

    if not endpoint.base_url or settings.offline:
        return None
    key = await keys.read(endpoint)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    http = stack.enter_context(httpx.Client(transport=transport, headers=headers, timeout=endpoint.seconds))
    return Remote(endpoint.name, f"{endpoint.base_url.rstrip('/')}/{path}", http)
