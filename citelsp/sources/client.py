"""The only way out: one client per process, which turns everything that can go wrong into `Unavailable`."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from socket import gaierror
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from citelsp.base.settings import Settings
from citelsp.base.user_places import cache_directory
from citelsp.knowledge import Unavailable
from citelsp.sources import http_response, read_api_key, retry_after, service_specs
from citelsp.sources.addresses import AddressError
from citelsp.sources.answer_cache import Cache
from citelsp.sources.circuit import Circuit
from citelsp.sources.http_request import Ask, Connections, read_bounded
from citelsp.sources.http_response import Expected, Missing, Reply, Trouble
from citelsp.sources.request_turns import Spacing
from citelsp.sources.retry_after import Retry
from citelsp.sources.service_specs import Spec
from citelsp.sources.shared_pace import Limits, Shut
from citelsp.sources.time_lost import SLOW

if TYPE_CHECKING:
    import httpx

_FULL_TEXT = 60.0  # seconds that a full text may take once it comes
_OFFLINE = 10.0  # seconds before a name that could not be resolved is looked up again
_PROXY = "proxy"  # the place of the proxy's circuit
_MOST_FAILURES = 5  # questions in a row that may fail before a service is left alone for a while
_PAUSE_AFTER_FAILURES = 30.0  # seconds for which it is left alone then
_CAREFUL = " carefully"  # behind a place: its row in the table says that requests are counted where they arrive


@dataclass
class _State:
    """What this process remembers of one service."""

    gate: asyncio.Semaphore  # as many questions at once as the service takes
    key: str
    spacing: Spacing
    circuit: Circuit
    way: Circuit  # of the proxy, if there is one, as what does not connect is that; else the service's own
    failures: int = 0  # questions in a row that brought nothing
    sent: list[float] = field(default_factory=list)  # when the requests left that are in flight

    def closure(self) -> Trouble | None:
        """Return why nobody should ask now; None if one may."""
        for circuit in (self.way, self.circuit):
            rest = circuit.rest()
            if rest:
                return Trouble(circuit.why, rest=rest)
        return None


@dataclass
class Client:
    """Everything needed to ask: settings, politeness shared on disk, one connection pool.  Bound to one event loop."""

    settings: Settings
    limits: Limits = field(default_factory=Limits)
    transport: "httpx.AsyncBaseTransport | None" = None  # in the place of the network, for tests
    retry: Retry = field(default_factory=Retry)
    cache: Cache | None = None
    clock: Callable[[], float] = time.monotonic
    tokens: dict[str, str] = field(default_factory=dict, repr=False)  # of logins, by service
    connections: Connections = field(init=False)
    _states: dict[str, _State] = field(default_factory=dict, repr=False)
    _circuits: dict[str, Circuit] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.connections = Connections(self.settings, self.transport)

    async def ask(self, question: Ask) -> Reply | Missing | Unavailable:
        """Ask a service, with pauses, retries and giving up as it wants them.  Raises nothing but cancellation.

        Unavailable if the settings do not allow to ask, or if nothing came; then the service may be left alone for a
        while.  Its `lost` says for how many seconds the author waited for nothing.  That is the time in which requests
        to this service were out in vain, whoever sent them, but no more than this question took.
        """
        name = question.service
        spec = service_specs.find_spec(question.service)
        refusal = service_specs.refusal(self.settings, name)
        if refusal:
            return Unavailable(name, refusal)
        state = await self._state(spec)
        place = self._place(name)  # the host that is asked, whose pace all processes share
        began = self.clock()
        lost_before = state.circuit.lost
        async with state.gate:  # as many at once as the service takes
            result = await self._ask_repeatedly(question, spec, state, place)
        if not isinstance(result, Trouble):
            state.failures = 0
            return result
        lost = min(state.circuit.lost - lost_before, self.clock() - began)
        return replace(await self._give_up(name, place, state, result), lost=lost)

    def waited_for(self, seconds: float = 3.0) -> list[str]:
        """The services that have left a request unanswered for so long."""
        late = self.clock() - seconds
        return [name for name, state in self._states.items() if any(it < late for it in state.sent)]

    def lost(self, name: str) -> float:
        """The seconds in which requests to a service were out that brought nothing."""
        return self.circuit(self._place(name)).lost

    def wake(self) -> None:
        """Let every host be asked once more at once: the author says so."""
        for circuit in self._circuits.values():
            circuit.wake()

    def circuit(self, place: str) -> Circuit:
        return self._circuits.setdefault(place, Circuit(self.clock))

    async def aclose(self) -> None:
        await self.connections.aclose()
        self.limits.close()
        if self.cache:
            self.cache.close()

    async def _ask_repeatedly(self, question: Ask, spec: Spec, state: _State, place: str) -> Reply | Missing | Trouble:
        """Send a question until it is answered, at most `spec.attempts` times; return the last trouble if it is not.

        Each attempt waits for its turn: by the table of all processes, by the spacing of this one.  Nobody asks while
        the service or the way to it (a proxy, if there is one) is left alone because it was silent (`closure`).  A
        trouble says whether another try may help (`again`), and how long the service wants one to wait (`wait`).
        `place`: the host, under which the table has its pace.
        """
        result: Reply | Missing | Trouble = Trouble("not asked")  # never returned: there is one attempt at least
        for attempt in range(spec.attempts):
            closure = state.closure()
            if closure:
                return closure
            slot = await self.limits.reserve(place, self._interval(spec, state))
            if isinstance(slot, Shut):
                return Trouble(slot.why, shut=max(0.0, slot.until - time.time()))
            await asyncio.sleep(slot.wait)
            async with state.spacing.turn(slot.apart):
                closure = state.closure()  # which may have come while one waited
                if closure:
                    return closure
                began = self.clock()
                with state.circuit.request(), state.way.request():
                    result = await self._ask_once(question, spec, state, place)
            if not isinstance(result, Trouble):
                return result
            state.circuit.lose(began)
            # A 429 though requests left `apart` seconds from each other: they must have arrived together.
            if result.status == HTTPStatus.TOO_MANY_REQUESTS and slot.apart:
                state.spacing.careful = True
                await self.limits.pace(place + _CAREFUL, 1.0)  # for other processes; any number says it
            # Semantic Scholar refuses expired keys, but answers without one: from now on it is asked so.
            if result.status in {401, 403} and state.key and spec.keyless:
                state.key = ""
                continue
            # What took long to fail would take long again while the author waits.
            if not result.again or self.clock() - began > SLOW:
                return result
            delay = self.retry.choose_delay(attempt, result.wait)
            if delay is None or attempt + 1 == spec.attempts:
                return result
            await asyncio.sleep(delay)
        return result

    async def _give_up(self, name: str, place: str, state: _State, trouble: Trouble) -> Unavailable:
        """Say why nothing came, and leave the service alone for as long as it asked or as its failures suggest.

        How long, and a slower pace if need be, is noted in the table that all processes share.  A service asks for a
        pause by a refusal (`shut`) or by Retry-After (`wait`) beyond what retries bridge; after _MOST_FAILURES
        questions in a row that failed it gets one unasked, if another try may help (`again`).
        """
        if trouble.rest:  # it is left alone already, as its host was silent
            return Unavailable(name, trouble.why, time.time() + trouble.rest)
        state.failures += 1
        spec = service_specs.find_spec(name)
        # Without a key all users of such a service share one allowance, which is as spent at any pace of ours.
        is_shared_pool = spec.keyless and not state.key
        # A mirror on this machine is asked without pauses until it answers 429: then it has the service's rules too.
        if trouble.status == HTTPStatus.TOO_MANY_REQUESTS and not self._interval(spec, state) and not is_shared_pool:
            await self.limits.pace(place, self._usual_interval(spec, state))
        seconds = trouble.shut
        if trouble.wait is not None and trouble.wait > self.retry.longest:
            seconds = max(seconds, trouble.wait)
        elif state.failures >= _MOST_FAILURES and trouble.again:
            seconds = max(seconds, _PAUSE_AFTER_FAILURES)
        # A program on this machine may be started at any moment.
        if not seconds or service_specs.DEFAULTS[spec.name] == "local":
            return Unavailable(name, trouble.why, status=trouble.status)
        until = time.time() + seconds
        await self.limits.shut(place, until, trouble.why)
        return Unavailable(name, trouble.why, until, status=trouble.status)

    async def _ask_once(self, question: Ask, spec: Spec, state: _State, place: str) -> Reply | Missing | Trouble:
        """Send one request and return what came of it: an answer, that the work is missing there, or the trouble.

        Notes the pace or the spent budget that the headers of an answer tell, of a refusal too, in the table of all
        processes, for those who ask next.  `place`: the host, under which the table has its pace.
        """
        began = self.clock()
        state.sent.append(began)  # when the requests left that are in flight
        try:
            result, headers = await self._send(question, spec, state)
        finally:
            state.sent.remove(began)
        if headers is None:
            return result
        # Crossref tells its pace for lists.  Single works, which are asked for without a query, may come faster.
        interval = retry_after.read_interval(headers) if question.query else None
        if interval is not None:
            await self.limits.pace(place, interval)
        until = retry_after.budget_closed_until(headers)
        if until is not None:
            await self.limits.shut(place, until, "daily budget spent")
        return result

    async def _send(
        self, question: Ask, spec: Spec, state: _State
    ) -> tuple[Reply | Missing | Trouble, Mapping[str, str] | None]:
        """Send one request; return what came of it, and the answer's headers, in lower case, or None without an answer.

        The circuits of the service and of the way to it (the proxy, if there is one) note that both answered, or which
        of them was silent.
        """
        import httpx

        seconds = spec.timeout * state.circuit.share  # less for a host that was silent
        answer = self.connections.answer(question, spec, state.key)  # sends only once `async with` enters it
        try:
            async with asyncio.timeout(seconds) as limit, answer as response:
                # A full text may take its time once it comes; silence is what comes before.
                if question.want == "bytes":
                    limit.reschedule(asyncio.get_running_loop().time() + _FULL_TEXT)
                headers = {name.lower(): value for name, value in response.headers.items()}
                content = await read_bounded(response)
                status = response.status_code
                url = str(response.url)
        except AddressError as refused:
            return Trouble(str(refused)), None
        except (TimeoutError, httpx.TimeoutException):
            why = f"no answer within {seconds:g} s"
            state.circuit.silent(why)
            return Trouble(why), None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ValueError) as error:
            return _note_broken_connection(error, spec, state), None
        state.circuit.answered()
        state.way.answered()
        expected = Expected(question.want, spec.html_absence, question.answers)
        result = http_response.read(status, headers, content, expected)
        return result if isinstance(result, Trouble) else replace(result, url=url), headers

    def _interval(self, spec: Spec, state: _State) -> float:
        """Seconds between two requests; 0 on this machine, until a 429 says that the service has its rules here too."""
        local = service_specs.is_local(service_specs.base_url(self.settings, spec.name))
        return 0.0 if local else self._usual_interval(spec, state)

    def _usual_interval(self, spec: Spec, state: _State) -> float:
        """Seconds between two requests as the service wants it: of those with a key, with an address, of everybody."""
        if state.key and spec.keyed_interval is not None:
            return spec.keyed_interval
        if self.settings.email and spec.polite_interval is not None:
            return spec.polite_interval
        return spec.interval

    def _place(self, name: str) -> str:
        """Name the service with its host, "crossref api.crossref.org": so politeness and silence are counted."""
        return f"{name} {urlsplit(service_specs.base_url(self.settings, name)).netloc}"

    async def _state(self, spec: Spec) -> _State:
        """Return what this process remembers of a service; made when the service is asked first."""
        if spec.name not in self._states:
            key = await read_api_key.read_key(service_specs.find_setting(self.settings, spec.name))
            room = service_specs.concurrency(self.settings, spec.name)
            careful = await self.limits.paced(self._place(spec.name) + _CAREFUL) is not None
            circuit = self.circuit(self._place(spec.name))
            way = self.circuit(_PROXY) if self._is_proxied(spec) else circuit
            state = _State(asyncio.Semaphore(room), key, Spacing(room, careful), circuit, way)
            self._states.setdefault(spec.name, state)  # another question may have made it during the waits above
        return self._states[spec.name]

    def _is_proxied(self, spec: Spec) -> bool:
        """Whether a service is asked through a proxy, by citelsp's settings or the system's."""
        from urllib.request import getproxies, proxy_bypass

        url = service_specs.base_url(self.settings, spec.name)
        if service_specs.is_local(url):
            return False
        host = urlsplit(url).hostname or ""
        has_system_proxy = bool(getproxies().get(urlsplit(url).scheme)) and not proxy_bypass(host)
        return bool(self.settings.proxy) or has_system_proxy


def _note_broken_connection(error: Exception, spec: Spec, state: _State) -> Trouble:
    """Return why a request broke off before its time was up; note the silence of a service or proxy out of reach."""
    import httpx

    if isinstance(error, httpx.ConnectError):
        is_offline = _is_nameless(error)
        why = "no connection" if state.way is state.circuit else "no connection to the proxy"
        # A machine off the network, or a program that does not run here, costs no time, and may be there again at any
        # moment.
        if not is_offline and service_specs.DEFAULTS[spec.name] != "local":
            state.way.silent(why)
        return Trouble(why, again=not is_offline, shut=_OFFLINE if is_offline else 0.0)
    if isinstance(error, httpx.ProxyError):
        # Not the way's silence: the proxy answered, and did not connect to this host.
        why = "no connection through the proxy"
        state.circuit.silent(why)
        return Trouble(why, again=True)
    # A connection that breaks later had reached the service: that is no silence.
    return Trouble(f"broken connection ({type(error).__name__})", again=True)


def _is_nameless(error: BaseException | None) -> bool:
    """True if the host's name could not be resolved: this machine is off the network, and asking again is vain."""
    return error is not None and (isinstance(error, gaierror) or _is_nameless(error.__cause__ or error.__context__))


def open_client(
    settings: Settings, *, directory: Path | None = None, transport: "httpx.AsyncBaseTransport | None" = None
) -> Client:
    """A client with the user's cache and politeness, by default in their cache directory; `aclose` it.

    If that cannot be made, nothing is kept.
    """
    place = directory or cache_directory()
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
    return Client(settings, Limits(place / "limits.sqlite"), transport, cache=Cache(place / "answers"))
