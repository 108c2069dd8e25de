"""A search server as OpenSearch speaks: one client, which turns everything that can go wrong into an UnavailableError.

A server that answers for a part of its index has not answered: what is missing there would look absent.
"""

import asyncio
import json
import ssl
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from citelsp.base.settings import CorpusServer
from citelsp.sources import read_api_key, service_specs
from citelsp.sources.addresses import AddressError
from citelsp.sources.circuit import Circuit
from citelsp.sources.http_request import read_bounded

if TYPE_CHECKING:
    import httpx

_BUSY = frozenset({429, 502, 503, 504})
_QUOTED = 120  # characters of what a server says to a question that it rejects
_CERTIFICATES: Mapping[int, str] = {  # OpenSSL's X509_V_ERR_…
    9: "its certificate is not valid yet: check both clocks",
    10: "its certificate has expired: renew it on the server",
    62: "its certificate is for another host name: use the name that it is for in base_url",
    64: "its certificate is for another address: use the name that it is for in base_url",
}
_UNKNOWN_ISSUERS = frozenset({2, 18, 19, 20, 21})
_UNKNOWN_ISSUER = "its certificate is not signed by an authority trusted here: set ca_file to that of its own"
_REJECTED: Mapping[int, str] = {
    401: "it rejects the user or the password: check user and key_command",
    403: "this user may not do that: give it a role that reads the index",
}


class UnavailableError(Exception):
    """The server could not be asked, or did not answer wholly: nothing was learnt.  Says why, without its name."""

    def __init__(self, why: str, status: int = 0) -> None:
        super().__init__(why)
        # Of HTTP, if the server refuses to answer or sends no JSON; else 0: without an answer, or for one that is a
        # redirect, too large, of another form, or not whole.
        self.status = status


class ForeignAnswerError(UnavailableError):
    """An answer of another form than OpenSearch gives."""

    def __init__(self) -> None:
        super().__init__("its answer is not one of OpenSearch: check base_url")


# What reading an answer of another form may raise; 1e999 is JSON, and infinity is no count.
FOREIGN = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, StopIteration)


class SearchServer:
    """One server, connected at first use.  Bound to one event loop; `aclose` it."""

    def __init__(self, setting: CorpusServer, transport: "httpx.AsyncBaseTransport | None" = None) -> None:
        """`transport` replaces the network in tests."""
        self.setting = setting
        self.trips = 0
        self._transport = transport
        self._circuits = {it: Circuit() for it in (setting.base_url, *setting.other_urls)}
        self._opening = asyncio.Lock()
        self._http: httpx.AsyncClient | None = None

    @property
    def is_here(self) -> bool:
        """Whether all its addresses are on this machine."""
        return all(map(service_specs.is_local, self._circuits))

    async def aclose(self) -> None:
        async with self._opening:
            http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def index(self, path: str, body: object = None, *, seconds: float, method: str = "") -> Any:  # noqa: ANN401
        """Ask a path below the setting's index, by a JSON body, or without one by GET."""
        return await self.root(f"/{quote(self.setting.index, safe='')}{path}", body, seconds=seconds, method=method)

    async def root(self, path: str, body: object = None, *, seconds: float, method: str = "") -> Any:  # noqa: ANN401
        """Ask a path of the server itself, by a JSON body, or without one by GET."""
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        return await self.ask(path, content, seconds=seconds, method=method)

    async def searches(
        self, bodies: Iterable[Mapping[str, Any]], *, seconds: float, exact: bool = False, indexes: Iterable[str] = ()
    ) -> list[Any]:
        """Make one search or more in one round trip and return their answers, in their order.

        With `exact`, scores rest on the word counts of all shards together, not of each shard alone.  `indexes` are
        those of the last searches, one for each; the searches before them ask the setting's own index.
        UnavailableError if any of the searches was not answered by every shard.
        """
        head: dict[str, object] = {"allow_partial_search_results": False}
        if exact:
            head["search_type"] = "dfs_query_then_fetch"
        asked = list(bodies)
        last_names = list(indexes)
        first_names = [self.setting.index] * (len(asked) - len(last_names))
        names = first_names + last_names
        objects: list[Mapping[str, Any]] = []  # for each search its head and its body, each on a line
        for name, body in zip(names, asked, strict=True):
            objects += [{**head, "index": name}, body]
        lines = (json.dumps(it, ensure_ascii=False).encode() for it in objects)
        path = f"/_msearch?max_concurrent_searches={len(asked)}&filter_path={_FILTER}"
        answer = await self.ask(path, b"\n".join(lines) + b"\n", seconds=seconds)
        responses = answer.get("responses") if isinstance(answer, dict) else None
        if not isinstance(responses, list) or len(responses) != len(asked):
            raise ForeignAnswerError
        for response in responses:
            _check_whole(response)
        return responses

    async def ask(self, path: str, content: bytes | None = None, *, seconds: float, method: str = "") -> Any:  # noqa: ANN401
        """Ask one of the server's addresses after another, and return the JSON that the first one answers.

        All together may take so many seconds.  `method` is of HTTP; "" stands for GET, or for POST if there is
        `content`.  Addresses that were silent lately are not asked: the circuit of each notes that.  UnavailableError
        with the last trouble if none answers; at once if one rejects the question, or if the settings cannot be used.
        """
        self.trips += 1  # tests hold searches to a number of these
        problem: UnavailableError | None = None
        http = await self._opened()
        asked = [(base, circuit) for base, circuit in self._circuits.items() if not circuit.rest()]
        until = time.monotonic() + seconds
        for place, (base, circuit) in enumerate(asked):
            # An address that hangs must leave time for the others: it has half of what is left.
            is_last = place + 1 == len(asked)
            left = (until - time.monotonic()) / (1 if is_last else 2)
            try:
                async with asyncio.timeout(left):
                    with circuit.request():  # behind silences it is the one trial, and others leave the address out
                        return await self._ask_once(http, base, circuit, path, content, method)
            except TimeoutError:  # each request that hangs is a silence; of those that break together one is
                problem = UnavailableError(f"it did not answer within {seconds:g} s")
                circuit.silent(str(problem))
            except UnavailableError as error:
                # Another node may do what this one cannot; what it rejects, all of them reject.  `status` is 0 without
                # an answer and for a redirect, and that of HTTP for a page that is no JSON.
                rejects_the_question = error.status and error.status not in _BUSY
                if rejects_the_question:
                    raise
                problem = error
        if problem:
            raise problem
        # All were silent lately, and none was asked: what the first one failed of is as good a reason as any.
        raise UnavailableError(next(iter(self._circuits.values())).why)

    async def _ask_once(
        self, http: "httpx.AsyncClient", base: str, circuit: Circuit, path: str, content: bytes | None, method: str
    ) -> Any:  # noqa: ANN401
        """Ask one address and return the JSON of its answer; its circuit is told of an answer and of silence.

        Content that ends with a line break is lines of JSON.  UnavailableError if there is no answer, or none that can
        be used (see `_read`): with the status of HTTP, but with 0 if the answer is too large or a redirect, as then the
        next address may do better.  How long an answer may take is limited by `ask`.
        """
        import httpx

        has_lines = content is not None and content.endswith(b"\n")
        headers = {"Content-Type": "application/x-ndjson" if has_lines else "application/json"}
        verb = method or ("GET" if content is None else "POST")
        began = circuit.clock()
        try:
            request = http.build_request(verb, base.rstrip("/") + path, content=content, headers=headers)
            response = await http.send(request, stream=True)
            try:
                body = await read_bounded(response)
            finally:
                await response.aclose()
        except AddressError as rejected:  # by `read_bounded`: too large, or in a compression that was not asked for
            raise UnavailableError(str(rejected)) from rejected
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            why = _describe_certificate(error) or _describe_connection(error)
            # A connection that is refused at once costs nobody time, and may be there again at any moment: no silence.
            if not isinstance(error, httpx.ConnectError):
                # With the moment of asking: of several requests that broke together only the first counts as a silence.
                circuit.silent(why, began)
            raise UnavailableError(why) from error
        circuit.answered()
        return _read(response.status_code, body, self.setting)

    async def _opened(self) -> "httpx.AsyncClient":
        async with self._opening:
            if self._http is None:
                for url in self._circuits:
                    if urlsplit(url).scheme != "https" and not service_specs.is_local(url):
                        raise UnavailableError("http is for this machine alone, as anybody could read along: use https")
                key = await read_api_key.read_key(self.setting)
                self._http = await asyncio.to_thread(self._connect, key)
            return self._http

    def _connect(self, key: str) -> "httpx.AsyncClient":
        """Make a client with the user's name, its password in `key`, and the authority that the settings trust.

        Without a user in the settings no name and password are sent.  UnavailableError if the file of the authority
        cannot be read.
        """
        import httpx

        setting = self.setting
        try:
            trusted = ssl.create_default_context(cafile=setting.ca_file or None)
        except (OSError, ssl.SSLError) as problem:
            raise UnavailableError(f"its ca_file cannot be read: {setting.ca_file}") from problem
        return httpx.AsyncClient(
            transport=self._transport,
            auth=(setting.user, key) if setting.user else None,
            headers={"Accept-Encoding": "identity"},  # no compression
            timeout=httpx.Timeout(None, connect=5.0),  # how long an answer may take is the caller's to say
            verify=trusted,
            follow_redirects=False,
        )


_PARTS = (
    "error.type", "error.reason", "status", "timed_out", "_shards.failed", "hits.total.value", "hits.hits._score",
    "hits.hits.fields", "hits.hits._source", "aggregations.*.value",
)  # fmt: skip
_FILTER = ",".join(f"responses.{it}" for it in _PARTS)
_NO_SUCH_INDEX = "index_not_found_exception"


def _check_whole(answer: object) -> None:
    """Raise UnavailableError if a search was not answered by every shard.

    A whole answer is {"timed_out": false, "_shards": {"failed": 0}, "hits": …}; one that failed has {"error": {"type":
    "…"}, "status": 400}.
    """
    if not isinstance(answer, dict):
        raise ForeignAnswerError
    error = answer.get("error")
    if error:
        kind = error.get("type") if isinstance(error, dict) else ""
        status = answer["status"] if isinstance(answer.get("status"), int) else 500
        if kind == _NO_SUCH_INDEX:
            raise UnavailableError(NO_INDEX, 404)
        raise UnavailableError(f"it could not search ({str(kind)[:_QUOTED]})", status)
    if answer.get("timed_out"):
        raise UnavailableError("it ran out of time")
    if answer.get("_shards") != {"failed": 0}:
        raise UnavailableError("a part of its index did not answer")


NO_INDEX = "it has no such index: create it with `citelsp corpus add FILE --to NAME`"


def _read(status: int, body: bytes, setting: CorpusServer) -> Any:  # noqa: ANN401
    """Parse the JSON of an answer; UnavailableError, with what people can do, if it is a refusal, a redirect or a page.

    OpenSearch refuses by {"error": {"type": "…"}, "status": 400}, a proxy before it by {"error": "…"} or a page.
    """
    if 300 <= status < 400:
        # Without the status, as if nobody had answered: `ask` goes on to the next address, and who writes tries again.
        raise UnavailableError("it answers with a redirect, which is not followed: set base_url to where it leads")
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as problem:
        if status in _REJECTED:
            raise UnavailableError(_REJECTED[status], status) from problem
        raise UnavailableError(f"its answer is not JSON (HTTP {status}): check base_url", status) from problem
    if status < 300:
        return answer
    if status in _REJECTED:
        raise UnavailableError(_REJECTED[status], status)
    error = answer.get("error") if isinstance(answer, dict) else None
    kind = error.get("type") if isinstance(error, dict) else error
    if kind == _NO_SUCH_INDEX:
        raise UnavailableError(NO_INDEX, status)
    if status in _BUSY:
        raise UnavailableError(f"it is too busy (HTTP {status})", status)
    raise UnavailableError(f"HTTP {status} from index {setting.index}: {str(kind)[:_QUOTED]}", status)


def _describe_certificate(error: BaseException | None) -> str:
    """Say what is wrong with the server's certificate, and what to do; "" if the error is of another kind.

    ssl's errors are found among the causes of httpx's.
    """
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            if error.verify_code in _UNKNOWN_ISSUERS:
                return _UNKNOWN_ISSUER
            return _CERTIFICATES.get(
                error.verify_code, f"its certificate is rejected ({error.verify_message}): renew it on the server"
            )
        if isinstance(error, ssl.SSLError):
            return "it does not speak TLS there: check the port in base_url"
        error = error.__cause__ or error.__context__
    return ""


def _describe_connection(error: Exception) -> str:
    import httpx

    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return "no connection: check base_url, and whether it runs"
    return f"broken connection ({type(error).__name__})"
