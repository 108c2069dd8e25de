"""Which links lead to no page any more, by their hosts' own word, and the Internet Archive's copies of them.

Links stand in bibliographies, which are not trusted: public addresses and the usual ports only, also after each
redirect, one request after another at each host.  A host that cannot be reached says nothing about its pages.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urljoin, urlsplit

from citelsp.knowledge import DeadLink
from citelsp.sources import wayback
from citelsp.sources.addresses import AddressError, is_inside, names_identifier, public_address
from citelsp.sources.client import Client
from citelsp.sources.http_request import Connections
from citelsp.sources.shared_pace import Shut

if TYPE_CHECKING:
    import httpx

_ARCHIVE = "web.archive.org"
_PORTS = {"http": 80, "https": 443}
_SECONDS = 15.0  # for one request, without the pause before it
_APART = 1.0  # seconds between two requests to a host
_HOSTS = 8  # asked at once
_REDIRECTS = 5
_GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
_MOVED = frozenset({301, 302, 303, 307, 308})

Report = Callable[[int, int], None]  # how many were asked, of how many


@dataclass(frozen=True, slots=True)
class LinkAnswers:
    """What asking came to, by address."""

    dead: Mapping[str, DeadLink] = field(default_factory=dict)
    silent: frozenset[str] = frozenset()  # whose hosts said neither that the page is there nor that it is not


def may_be_asked(url: str) -> bool:
    """False for what is no address of a public page, and for the Internet Archive's copies.

    Nor are doi.org and arXiv asked here: verification asks them whether the identifier exists.
    """
    try:
        target = target_of(url)
    except (AddressError, ValueError):
        return False
    inside = is_inside(target.hostname or "")
    return not (inside or target.hostname == _ARCHIVE or names_identifier(url))


async def ask(client: Client, urls: Sequence[str], report: Report) -> LinkAnswers:
    """Ask which of these pages are gone, and which gave no answer that tells; raises nothing but cancellation.

    Each is one that `may_be_asked`.  Up to _HOSTS hosts are asked at once, the pages of one host one after another.
    For a page that is gone the Internet Archive is asked for a copy.  After each page `report` is called with how many
    are done, of how many.
    """
    pages_of: dict[str, list[str]] = {}
    for url in urls:
        pages_of.setdefault(urlsplit(url).hostname or "", []).append(url)
    room = asyncio.Semaphore(_HOSTS)
    dead: dict[str, DeadLink] = {}
    silent: set[str] = set()
    done = count(1)
    # A connection to one address serves one host: kept open, it would be used for others that live there too.
    async with aclosing(Connections(client.settings, client.transport, lasting=False)) as connections:

        async def ask_host(pages: Sequence[str]) -> None:
            async with room:
                for url in pages:
                    status = await _status_for_readers(client, connections, url)
                    if status in _GONE:
                        dead[url] = DeadLink(status, await wayback.find_archived_copy(client, url))
                    elif not 200 <= status < 300:
                        silent.add(url)
                    report(next(done), len(urls))

        await asyncio.gather(*map(ask_host, pages_of.values()))
    return LinkAnswers(dead, frozenset(silent))


async def _status_for_readers(client: Client, connections: Connections, url: str) -> int:
    """Return the HTTP status that readers of the page would get; 0 if there was no answer, or it may not be asked.

    A host that was silent is left alone for a while: its circuit notes that.
    """
    import httpx

    circuit = client.circuit(urlsplit(url).netloc)
    if circuit.rest():  # it was silent, and nobody should ask yet
        return 0
    try:
        with circuit.request():
            # Many servers do not know HEAD, or answer it otherwise than what readers ask.
            status = await _follow(client, connections, "HEAD", url)
            if not 200 <= status < 300:
                status = await _follow(client, connections, "GET", url)
    except AddressError:
        return 0
    except (TimeoutError, httpx.TimeoutException, httpx.ConnectError):
        circuit.silent("no answer")
        return 0
    except (OSError, ValueError, httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
        return 0
    circuit.answered()
    return status


async def _follow(client: Client, connections: Connections, method: str, url: str) -> int:
    """Return the status after redirects; nothing of the page is read.  Each request waits for its turn at its host.

    AddressError for an address that is not asked, a host that is left alone, and too many redirects; ValueError if a
    redirect leads to no address; OSError if the host is not found, or silent.  What httpx raises is for the caller.
    """
    for _ in range(_REDIRECTS):
        target = target_of(url)
        slot = await client.limits.reserve(f"links {target.hostname}", _APART)
        if isinstance(slot, Shut):
            raise AddressError(slot.why)
        await asyncio.sleep(slot.wait)
        async with asyncio.timeout(_SECONDS):
            response = await connections.pool().send(await request_to(connections, method, target), stream=True)
            await response.aclose()
        if response.status_code not in _MOVED:
            return response.status_code
        url = urljoin(url, response.headers.get("location", ""))
    raise AddressError("too many redirects")


def target_of(url: str) -> SplitResult:
    """The parts of an address that may be asked: of http or https, at the usual port, without a user's name.

    AddressError for another one, or ValueError if it is none.
    """
    target = urlsplit(url)
    usual_port = _PORTS.get(target.scheme)
    if not target.hostname or not usual_port or "@" in target.netloc or target.port not in (None, usual_port):
        raise AddressError("not an address of a public page")
    return target


async def request_to(connections: Connections, method: str, target: SplitResult) -> "httpx.Request":
    """Build the request for `target`, to the IP address that its host has now; AddressError if that is not public.

    The host is named in TLS and in the header Host.  Cookies and the fragment are not sent.
    """
    host = target.hostname or ""
    # The address that was checked is the one connected to: the name, looked up again, could lead inside by then.
    address = await public_address(host, target.port or _PORTS[target.scheme])
    literal = f"[{address}]" if ":" in address else address
    pool = connections.pool()
    pool.cookies.clear()
    return pool.build_request(
        method,
        target._replace(netloc=literal, fragment="").geturl(),
        headers={"User-Agent": connections.nameless_agent, "Accept": "text/html, */*", "Host": host},
        extensions={"sni_hostname": host},
    )
