"""Embeddings and reranking from endpoints that the user set: OpenAI's `/embeddings`, and `/rerank` in the three shapes
that TEI, vLLM, Jina and Cohere give it.

Whatever goes wrong is an EndpointError; nothing is retried, as search goes on without.
"""

import asyncio
import ipaddress
from collections.abc import Mapping, Sequence
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from citelsp.base.settings import Embeddings, Endpoint
from citelsp.base.text import whole
from citelsp.sources import read_api_key

if TYPE_CHECKING:
    import httpx

    Transport = httpx.AsyncBaseTransport | None

_UNKNOWN_SHAPE = frozenset({400, 404, 405, 422})  # what a server says to a shape that it does not know
_CACHED = 100  # sentences
_QUOTED = 120  # characters of what an endpoint says to a question that it does not answer


class EndpointError(Exception):
    """An endpoint did not answer as it should; the message names it and says how."""


class Remote:
    """An endpoint, connected at first use.  Bound to one event loop; `aclose` it."""

    def __init__(self, endpoint: Endpoint, path: str, transport: "Transport" = None) -> None:
        """`transport` replaces the network in tests."""
        self.address = f"{endpoint.base_url.rstrip('/')}/{path}"
        self.name = endpoint.name or self.address  # of the model
        self._endpoint = endpoint
        self._transport = transport
        self._opening, self._key = asyncio.Lock(), ""
        self._http: httpx.AsyncClient | None = None

    @property
    def host(self) -> str:
        """The host of the address; "" if it has none that can be read."""
        try:
            return urlsplit(self.address).hostname or ""
        except ValueError:
            return ""

    @property
    def is_here(self) -> bool:
        """Whether the address says itself that it is on this machine."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost" or self.host.endswith(".localhost")

    async def aclose(self) -> None:
        async with self._opening:
            http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def post(self, body: Mapping[str, object], other_body: object = None) -> Any:  # noqa: ANN401 - JSON
        """Send a body and return the JSON of the answer; EndpointError if none comes, if it is no JSON, or an error.

        If the endpoint does not know the shape of `body`, `other_body` is sent instead, unless it is None.  The model's
        name is added to `body` alone, if the settings have one: TEI, whose shape the other one is, serves one model.
        """
        import httpx

        model = {"model": self._endpoint.name} if self._endpoint.name else {}
        try:
            http = await self._opened()
            reply = await http.post(self.address, json={**model, **body})
            if other_body is not None and reply.status_code in _UNKNOWN_SHAPE:
                reply = await http.post(self.address, json=other_body)
            if not reply.is_success:
                raise EndpointError(f"{self.address}: HTTP {reply.status_code} {self._complaint(reply.text)}")
            return reply.json()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as problem:
            raise EndpointError(f"{self.address}: {str(problem) or type(problem).__name__}") from problem

    def _complaint(self, reply: str) -> str:
        """The beginning of what an endpoint says, on one line and without the key."""
        return " ".join((reply.replace(self._key, "…") if self._key else reply).split())[:_QUOTED]

    async def _opened(self) -> "httpx.AsyncClient":
        async with self._opening:
            if self._http is None:
                self._key = await read_api_key.read_key(self._endpoint)
                self._http = await asyncio.to_thread(self._connected)
            return self._http

    def _connected(self) -> "httpx.AsyncClient":
        import httpx

        endpoint = self._endpoint
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        encrypted = not endpoint.base_url.startswith("http:")  # reading the certificates takes its time
        return httpx.AsyncClient(transport=self._transport, headers=headers, timeout=endpoint.seconds, verify=encrypted)


class Embedder(Remote):
    """Vectors for sentences and works."""

    def __init__(self, endpoint: Embeddings, transport: "Transport" = None) -> None:
        super().__init__(endpoint, "embeddings", transport)
        self._query_prefix = endpoint.query_prefix
        self._work_prefix = endpoint.work_prefix
        self.vectors = f"{self.name} {self._work_prefix}".strip()  # vectors of another name are not to be compared
        self._asked: dict[str, list[float]] = {}

    async def query(self, text: str) -> list[float]:
        """The vector of a sentence that works are looked for with; the latest sentences are not asked about again."""
        if text not in self._asked:
            self._asked[text] = (await self._embed([self._query_prefix + text]))[0]
        # Dictionaries keep their order: the first is the one asked longest ago.
        while len(self._asked) > _CACHED:
            del self._asked[next(iter(self._asked))]
        return self._asked[text]

    async def works(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each work's text, in their order."""
        return await self._embed([self._work_prefix + it for it in texts])

    async def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text, of which there is one at least; EndpointError unless all are of one length.

        {"data": [{"index": 0, "embedding": [0.01, …]}, …]}, in any order.
        """
        answer = await self.post({"input": list(map(whole, texts))})
        try:
            # The API promises an index, not an order.
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors = [list(map(float, row["embedding"])) for row in rows]
        except (KeyError, TypeError, ValueError, OverflowError) as problem:
            raise EndpointError(f"{self.address}: not embeddings: {problem!r}") from problem
        lengths = set(map(len, vectors))
        if len(vectors) != len(texts) or len(lengths) > 1 or not vectors[0]:
            raise EndpointError(f"{self.address}: {len(vectors)} vectors for {len(texts)} texts")
        if not all(map(isfinite, chain.from_iterable(vectors))):
            raise EndpointError(f"{self.address}: vectors without numbers")
        return vectors


class Reranker(Remote):
    """Scores for texts beside a query."""

    def __init__(self, endpoint: Endpoint, transport: "Transport" = None) -> None:
        super().__init__(endpoint, "rerank", transport)

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return for each text how well it answers the query, the higher the better, in the order of the texts.

        An answer is {"results": [{"index": 0, "relevance_score": 0.9}, …]}, in any order; TEI's is the list alone, with
        "score".  EndpointError for an answer that is neither, that lacks a text, or that scores one by no number.
        """
        # TEI, Hugging Face's server, calls them `texts`, the others `documents`; none says which it is beforehand.
        query = whole(query)
        documents = list(map(whole, texts))
        body = {"query": query, "documents": documents, "return_documents": False}
        answer = await self.post(body, other_body={"query": query, "texts": documents})
        rows = answer.get("results", ()) if isinstance(answer, Mapping) else answer
        try:
            score_of = {int(it["index"]): float(it.get("relevance_score", it.get("score"))) for it in rows}
            scores = [score_of[index] for index in range(len(texts))]
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as problem:
            raise EndpointError(f"{self.address}: not a ranking: {problem!r}") from problem
        if not all(map(isfinite, scores)):  # no order can be made of NaN, which JSON may hold
            raise EndpointError(f"{self.address}: scores without numbers")
        return scores
