"""One request and its answer: the connection pool, who asks, redirects, and how large an answer may be."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import citelsp
from citelsp.base import address, bounds
from citelsp.base.settings import Settings
from citelsp.sources import certificates, service_specs
from citelsp.sources.addresses import AddressError, resolve_redirect
from citelsp.sources.http_response import Want
from citelsp.sources.service_specs import Spec

if TYPE_CHECKING:
    import httpx

_PACKINGS = ("gzip", "deflate", "identity", "")
_REDIRECTS = 5
_MOVED = frozenset({301, 302, 303, 307, 308})
_BEARERS = frozenset({"Authorization", "Crossref-Plus-API-Token"})  # headers in which a key is a bearer token
_LOCAL = ("all://127.0.0.1", "all://localhost", "all://[::1]")  # never through a proxy


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to a service, below its base address; `path` is already percent-encoded."""

    service: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    want: Want = "json"
    accept: str = ""
    body: Any = None  # to POST: a text or bytes as they are, anything else as JSON
    answers: tuple[int, ...] = ()  # statuses besides 2xx that carry an answer
    headers: tuple[tuple[str, str], ...] = ()


@dataclass
class Connections:
    """The way to every service: one pool, opened at first use.  Bound to one event loop."""

    settings: Settings
    transport: "httpx.AsyncBaseTransport | None" = None
    lasting: bool = True  # a connection serves further requests
    _pool: "httpx.AsyncClient | None" = None

    @property
    def agent(self) -> str:
        """Who asks: name and version, the project's page if it has one, and whom to write to if the user says so."""
        contact = f"mailto:{self.settings.email}" if self.settings.email else ""
        return _agent("; ".join(filter(None, (address.HOME, contact))))

    @property
    def nameless_agent(self) -> str:
        """The same for hosts that a service names, which are not told who the user is."""
        return _agent(address.HOME)

    async def aclose(self) -> None:
        if self._pool:
            await self._pool.aclose()
            self._pool = None

    @asynccontextmanager
    async def answer(self, question: Ask, spec: Spec, key: str) -> "AsyncIterator[httpx.Response]":
        """Send a question to a service and give its response after redirects, with the body still unread.

        `key` is the user's key for the service, "" without one.  AddressError for a redirect that is not followed, for
        too many of them, or a proxy that cannot be used; what httpx raises is for the caller.
        """
        base = service_specs.base_url(self.settings, spec.name)
        url = base + question.path
        headers = self._headers(question, spec, key)
        parameters: tuple[tuple[str, str], ...] = question.query + self._credentials(spec, key)
        for _ in range(_REDIRECTS):
            request = self._request(url, parameters, headers, question.body)
            response = await self.pool().send(request, stream=True)
            try:
                if response.status_code not in _MOVED:
                    yield response
                    return
                # A redirected POST becomes a GET without its body, and would ask something else.
                if question.body is not None:
                    raise AddressError("a redirect that is not followed")
                url = resolve_redirect(self.settings, url, response.headers.get("location", ""), base)
                parameters = ()  # the new address has its own
                # Keys and tokens are for the service alone, not for the host that it points to.
                if not url.startswith(f"{base}/"):  # as https://api.example.evil/ does not, either
                    headers = {"User-Agent": self.nameless_agent, "Accept": headers["Accept"]}
            finally:
                await response.aclose()
        raise AddressError("too many redirects")

    def _request(
        self, url: str, parameters: tuple[tuple[str, str], ...], headers: Mapping[str, str], body: object
    ) -> "httpx.Request":
        """Build a request: a GET without a body, else a POST of a text or bytes as they are, or of JSON."""
        return self.pool().build_request(
            "GET" if body is None else "POST",
            url,
            params=parameters or None,
            headers=headers,
            json=None if isinstance(body, str | bytes) else body,
            content=_content_of(body),
        )

    def _headers(self, question: Ask, spec: Spec, key: str) -> dict[str, str]:
        kinds = {"json": "application/json", "xml": "application/xml, text/xml, application/atom+xml"}
        headers = {
            "User-Agent": self.agent,
            "Accept": question.accept or kinds.get(question.want, "*/*"),
        }
        if spec.key_header and key:
            headers[spec.key_header] = f"Bearer {key}" if spec.key_header in _BEARERS else key
        return headers | dict(question.headers)

    def _credentials(self, spec: Spec, key: str) -> tuple[tuple[str, str], ...]:
        pairs = ((spec.key_query, key), (spec.email_query, self.settings.email))
        return tuple((name, value) for name, value in pairs if name and value)

    def pool(self) -> "httpx.AsyncClient":
        """Return the connection pool, opened at first use; AddressError if the proxy of the settings cannot be used.

        If it is not `lasting`, each request has a connection of its own.
        """
        import httpx

        if self._pool is None:
            for name in ("httpx", "httpcore"):  # they would log addresses with keys in them
                logging.getLogger(name).setLevel(logging.WARNING)
            try:
                self._pool = httpx.AsyncClient(
                    http2=self.lasting,  # it saves time only if requests share a connection
                    transport=self.transport,
                    timeout=httpx.Timeout(30.0, connect=5.0),
                    # httpx would also announce br and zstd where they are installed, which `read_bounded` refuses.
                    headers={"Accept-Encoding": "gzip, deflate"},
                    limits=httpx.Limits(max_connections=None, max_keepalive_connections=20 if self.lasting else 0),
                    proxy=self.settings.proxy or None,
                    mounts=dict.fromkeys(_LOCAL),  # this machine's own addresses are not asked through the proxy
                    verify=certificates.trusted_context(),
                )
            except ImportError as error:
                raise AddressError("a SOCKS proxy needs the package socksio: pip install socksio") from error
            except (ValueError, httpx.InvalidURL) as error:
                raise AddressError(f"the proxy cannot be used: {error}") from error
        return self._pool


def _content_of(body: object) -> bytes | None:
    """The bytes of a text or of bytes; None of what is sent as JSON."""
    if isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else None


def _agent(about: str) -> str:
    return f"citelsp/{citelsp.__version__}{f' ({about})' if about else ''}"


async def read_bounded(response: "httpx.Response") -> bytes:
    """Read the body; AddressError if it is too large, or compressed in a way that was not asked for."""
    # Refused is also `gzip, gzip`, one within another, which may make a terabyte of what fits into one read.
    if response.headers.get("content-encoding", "identity").lower() not in _PACKINGS:
        raise AddressError("an answer in an unknown compression")
    chunks = []
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > bounds.ANSWER:
            raise AddressError(f"an answer of more than {bounds.ANSWER // 1_000_000} MB")
        chunks.append(chunk)
    return b"".join(chunks)


def encode_segment(value: str, *, keep: str = "/") -> str:
    """An identifier as a path segment."""
    return quote(value, safe=keep)


def parameters(values: Mapping[str, str | int | None]) -> tuple[tuple[str, str], ...]:
    """Query parameters, empty ones dropped."""
    return tuple((name, str(value)) for name, value in values.items() if value not in (None, ""))
