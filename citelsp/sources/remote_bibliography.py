"""A bibliography that a manuscript names by its address: asked for only at hosts that the user's settings name.

Over https, at public addresses and the usual port, and the same after each redirect.
"""

import asyncio
from collections.abc import Collection
from urllib.parse import urljoin

from citelsp.knowledge import Unavailable
from citelsp.sources import service_specs
from citelsp.sources.addresses import AddressError
from citelsp.sources.client import Client
from citelsp.sources.dead_links import request_to, target_of
from citelsp.sources.http_request import read_bounded

_NAME = "bibliography"  # in what is said of a failure
_SECONDS = 30.0
_REDIRECTS = 5
_MOVED = frozenset({301, 302, 303, 307, 308})


def may_be_asked(address: str, hosts: Collection[str]) -> bool:
    try:
        target = target_of(address)
    except (AddressError, ValueError):
        return False
    return target.scheme == "https" and (target.hostname or "").lower() in {it.lower() for it in hosts}


async def download(client: Client, address: str, hosts: Collection[str]) -> bytes | Unavailable:
    """Download a file from one of `hosts`; Unavailable, with the reason, if it does not come or is too large."""
    import httpx

    if client.settings.offline:
        return Unavailable(_NAME, service_specs.OFFLINE)
    try:
        async with asyncio.timeout(_SECONDS):
            return await _follow(client, address, hosts)
    except AddressError as refused:
        return Unavailable(_NAME, str(refused))
    except (TimeoutError, OSError, ValueError, httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
        return Unavailable(_NAME, "no answer")


async def _follow(client: Client, address: str, hosts: Collection[str]) -> bytes | Unavailable:
    """Return the body after redirects; AddressError if an address is not of these hosts, or if there are too many.

    Unavailable for any status but 200.
    """
    for _ in range(_REDIRECTS):
        if not may_be_asked(address, hosts):
            raise AddressError("its host is not one that the settings name")
        request = await request_to(client.connections, "GET", target_of(address))
        response = await client.connections.pool().send(request, stream=True)
        try:
            if response.status_code not in _MOVED:
                body = await read_bounded(response)
                return body if response.status_code == 200 else Unavailable(_NAME, f"status {response.status_code}")
            address = urljoin(address, response.headers.get("location", ""))
        finally:
            await response.aclose()
    raise AddressError("too many redirects")
