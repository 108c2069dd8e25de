"""A file of known size from a public address, whole."""

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from citelsp.base.settings import Settings
from citelsp.sources.addresses import AddressError
from citelsp.sources.http_request import Connections

if TYPE_CHECKING:
    import httpx

    Transport = httpx.AsyncBaseTransport | None

_REDIRECTS = 5
_MOVED = frozenset({301, 302, 303, 307, 308})
_SILENT = 60.0  # seconds in which nothing comes


class DownloadError(Exception):
    """A file that did not come, or not whole; the message names its host."""


async def download(settings: Settings, url: str, size: int, transport: "Transport" = None) -> bytes:
    """Download a file of `size` bytes; DownloadError if it does not come, or has another size.

    `transport` replaces the network in tests.
    """
    import httpx

    connections = Connections(settings, transport)
    host = urlsplit(url).hostname or url
    try:
        return await _follow(connections, url, size)
    except (TimeoutError, httpx.TimeoutException):
        raise DownloadError(f"{host}: no answer") from None
    except (AddressError, OSError, ValueError, httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as problem:
        raise DownloadError(f"{host}: {str(problem) or type(problem).__name__}") from problem
    finally:
        await connections.aclose()


async def _follow(connections: Connections, url: str, size: int) -> bytes:
    """Return the bytes after redirects, each by https; AddressError, which says why, if what comes is not the file.

    TimeoutError if nothing comes for a while; what httpx raises is for the caller.
    """
    for _ in range(_REDIRECTS):
        if urlsplit(url).scheme != "https":
            raise AddressError("not https")
        headers = {"User-Agent": connections.nameless_agent, "Accept-Encoding": "identity"}
        request = connections.pool().build_request("GET", url, headers=headers)
        response = await connections.pool().send(request, stream=True)
        try:
            if response.status_code in _MOVED:
                url = urljoin(url, response.headers.get("location", ""))
                continue
            if not response.is_success:
                raise AddressError(f"HTTP {response.status_code}")
            return await _read(response, size)
        finally:
            await response.aclose()
    raise AddressError("too many redirects")


async def _read(response: "httpx.Response", size: int) -> bytes:
    """Read the whole body; AddressError if it is not of this size, TimeoutError if nothing comes for a while."""
    data = bytearray()
    parts = response.aiter_bytes()
    while True:
        async with asyncio.timeout(_SILENT):
            part = await anext(parts, b"")
        if not part:
            break
        data += part
        if len(data) > size:
            raise AddressError(f"more than {size:,} bytes")
    if len(data) < size:
        raise AddressError(f"{len(data):,} bytes of {size:,}")
    return bytes(data)
