"""Which addresses may be asked: https and public, or as the user's own settings say."""

import asyncio
import ipaddress
import re
import socket
import unicodedata
from urllib.parse import urljoin, urlsplit

from citelsp.base.settings import Settings
from citelsp.sources import service_specs

# Services link to each other under older and other names of hosts, for which the user's mirror stands too.
_ALIASES = {"arxiv.org": "export.arxiv.org", "www.arxiv.org": "export.arxiv.org", "dx.doi.org": "doi.org"}
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")  # the last part of `127.1` or `0x7f.1`


class AddressError(Exception):
    """An address that is not asked, and why."""


def find_mirror(settings: Settings, url: str) -> str:
    """Rewrite the address of a service into that of the user's mirror of it; "" if no mirror is set for its host.

    https://doi.org/10.1038/1 is https://mirror.example/doi/10.1038/1 if base_url is https://mirror.example/doi.  A path
    that does not begin like the service's own stays whole behind the mirror's.  No two services share a host.
    ValueError if `url` is no address.
    """
    target = urlsplit(url)
    host = _ALIASES.get(target.netloc, target.netloc)  # a service may have a second host, such as dx.doi.org
    for name in service_specs.DEFAULTS:
        chosen = service_specs.find_setting(settings, name).base_url
        if not chosen:
            continue
        usual = urlsplit(service_specs.find_spec(name).base_url)
        if host == usual.netloc:
            query = f"?{target.query}" if target.query else ""
            return chosen.rstrip("/") + target.path.removeprefix(usual.path) + query
    return ""


def names_identifier(url: str) -> bool:
    """Whether the address is at a host that leads from a work's identifier to the work: doi.org and arXiv."""
    return urlsplit(url).hostname in {*_ALIASES, *_ALIASES.values()}


def users(settings: Settings, url: str) -> str:
    """The address itself if it lies below one that the user set; "" elsewhere."""
    bases = (service.base_url.rstrip("/") + "/" for service in settings.services.values() if service.base_url)
    return url if any(url.startswith(base) for base in bases) else ""


def resolve_redirect(settings: Settings, url: str, location: str, base: str) -> str:
    """Return the address to ask after a redirect from `url` to `location`; AddressError if none may be asked.

    The address of a service of which the user has a mirror becomes the mirror's.  Else allowed are the host of `base`
    (the address below which the service is asked), and public hosts by https.
    """
    try:
        target = urlsplit(urljoin(url, location))
    except ValueError as error:
        raise AddressError("a redirect to no address") from error
    mirror = find_mirror(settings, target.geturl())
    if mirror:
        return mirror
    if target.netloc == urlsplit(base).netloc and target.scheme in {"http", "https"}:
        return target.geturl()
    # A redirect is a stranger's word: it must not lead to what only this machine or its network can reach.
    if target.scheme != "https" or not target.hostname or is_inside(target.hostname):
        raise AddressError("a redirect that is not followed")
    return target.geturl()


def is_inside(host: str) -> bool:
    """Whether a name or address says itself that it is of this machine or its network, or does not say it plainly."""
    # Wide letters and the ideographic full stop are read as the usual ones by whoever looks the name up.
    host = unicodedata.normalize("NFKC", host).replace("\u3002", ".").rstrip(".").lower()
    try:
        return not _is_public(host)
    except ValueError:  # a name
        # `127.1`, `0x7f.1` and `2130706433` are addresses too, which only who hides one writes so.
        if _NUMBER.fullmatch(host.rpartition(".")[2]):
            return True
        return "." not in host or host.endswith((".local", ".internal", ".localhost"))


def _is_public(address: str) -> bool:
    """Whether an address can be reached from everywhere; ValueError if it is none in the usual spelling."""
    ip = ipaddress.ip_address(address)
    # An IPv6 address may hold one of IPv4, to which it leads.
    within = (ip.ipv4_mapped or ip.sixtofour) if isinstance(ip, ipaddress.IPv6Address) else None
    return ip.is_global if within is None else within.is_global


async def public_address(host: str, port: int) -> str:
    """Look up a host and return one of its IP addresses; AddressError unless all are public, OSError if it has none.

    Connecting to the address returned, not to the name, leaves a second answer of the name's server without effect.
    """
    if is_inside(host):
        raise AddressError("not a public address")
    answers = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    # Each is (family, type, proto, canonname, sockaddr) with the address first in sockaddr: "fe80::1%eth0".
    addresses = [str(sockaddr[0]).partition("%")[0] for *_, sockaddr in answers]
    # One private address among public ones is how a hostile name server gets at what is inside.
    if not addresses or not all(map(_is_public, addresses)):
        raise AddressError("not a public address")
    return addresses[0]  # the system lists first what it would try first
