"""Full texts that may be read freely: Europe PMC's XML, arXiv's HTML and PDF, open-access links.

Links come from services and are not trusted: https, public addresses only, also after each redirect, within limits.
"""

import asyncio
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

from citelsp.bibliography.record import Record
from citelsp.knowledge import Absent, Unavailable
from citelsp.sources import service_specs
from citelsp.sources.addresses import AddressError, find_mirror, public_address, users
from citelsp.sources.answer_cache import ABSENT_SECONDS, digest
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment, read_bounded
from citelsp.sources.http_response import Missing
from citelsp.sources.reference_query import today
from citelsp.sources.time_lost import Patience

if TYPE_CHECKING:
    import httpx

Kind = Literal["jats", "html", "pdf"]
_LONGEST_DOWNLOAD = 60.0  # for one text
_LONGEST_SILENCE = 10.0  # for its first byte
_MOST_REDIRECTS = 5
_REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
_ARXIV = re.compile(r"https?://(?:www\.|export\.)?arxiv\.org[/:?#]", re.IGNORECASE)
_MOST_ADDRESSES = 3  # of a record, tried one after another


@dataclass(frozen=True, slots=True)
class FullText:
    kind: Kind
    content: bytes
    url: str


async def fetch(client: Client, record: Record) -> FullText | Absent | Unavailable:
    """Fetch the first full text of a work that can be had: from services, by its ids, else from the record's addresses.

    Absent if nobody offers one, or what services sent in its place is none; Unavailable with the last reason if none of
    those that are offered could be had.  Absence is cached for a while; texts are not.
    """
    # By addresses too: a record with further ones may have a text after all.
    key_of_absence = "none " + digest([str(record.identifiers), record.open_access])
    absent_since = await client.cache.get_text("fulltext", key_of_absence) if client.cache else None
    if absent_since:
        return Absent("fulltext", absent_since)
    patience = Patience()  # the seconds that may be lost on those who do not answer
    text = await _fetch_from_services(client, record, patience)
    if not isinstance(text, FullText):
        text = await _fetch_from_addresses(client, record, patience) or text
    if client.cache and isinstance(text, Absent):
        await client.cache.put_text("fulltext", key_of_absence, text.asked, ABSENT_SECONDS)
    return text


async def _fetch_from_services(client: Client, record: Record, patience: Patience) -> FullText | Absent | Unavailable:
    """Ask one service after another until one has a text; else return the last trouble, or Absent if there was none.

    A service that could take longer to fail than the author still waits is not asked, which counts as trouble.  What a
    service sends that is not of the kind it offers is passed over, and is no trouble.
    """
    last: Absent | Unavailable = Absent("fulltext", today())
    for service, path, kind in _offers(record):
        refusal = patience.refusal(service)
        if refusal:
            last = refusal
            continue
        patience.begin_step()
        reply = await client.ask(Ask(service, path, want="bytes"))
        if isinstance(reply, Unavailable):
            patience.count_lost([reply])
            last = reply
        elif not isinstance(reply, Missing):
            text = read(kind, reply.data, reply.url)
            if text:
                return text
    return last


async def _fetch_from_addresses(client: Client, record: Record, patience: Patience) -> FullText | Unavailable | None:
    """Try the addresses that a record names until one has a text; else return the last trouble, None without trouble.

    Addresses beyond the first _MOST_ADDRESSES are left out.
    """
    last: Unavailable | None = None
    for url in record.open_access[:_MOST_ADDRESSES]:
        # arXiv was asked as a service, at the host that it wants programs to use.
        if record.identifiers.arxiv and _ARXIV.match(url):
            continue
        # A host that does not answer would take longer than the author still waits.  Whoever took that time, a service
        # or an address, has been Unavailable: that stays the answer.
        if patience.left < _LONGEST_SILENCE:
            break
        patience.begin_step()
        downloaded = await download(client, url)
        if isinstance(downloaded, FullText):
            return downloaded
        patience.count_lost([downloaded])
        last = downloaded
    return last


def _offers(record: Record) -> list[tuple[str, str, Kind]]:
    """List the texts that services hold themselves, as (service, path, kind), in the order in which they are tried.

    XML and HTML before PDF: their sections and paragraphs are marked, those of a PDF have to be guessed.
    """
    names = record.identifiers
    offers: list[tuple[str, str, Kind]] = []
    if names.pmcid:
        offers.append(("europepmc", f"/{encode_segment(names.pmcid)}/fullTextXML", "jats"))
    if names.arxiv:
        offers.append(("arxiv", f"/html/{encode_segment(names.arxiv)}", "html"))
        offers.append(("arxiv", f"/pdf/{encode_segment(names.arxiv)}", "pdf"))
    if names.acl:
        offers.append(("aclanthology", f"/{encode_segment(names.acl, keep='')}.pdf", "pdf"))
    return offers


def read(kind: Kind, content: bytes, url: str) -> FullText | None:
    """The text, if the bytes are what they are said to be; else None."""
    start = content[:1024].lstrip()
    is_kind = {
        "pdf": start.startswith(b"%PDF-"),
        # Of articles that are not open the metadata come alone, without a body; entities may grow without end.
        "jats": b"<article" in content[:5000] and b"<body" in content and b"<!ENTITY" not in content,
        "html": start[:15].lower().startswith((b"<!doctype html", b"<html")),
    }
    return FullText(kind, content, url) if is_kind[kind] else None


async def download(client: Client, url: str) -> FullText | Unavailable:
    """Download a PDF or HTML page from an address that a service named.

    Unavailable, with the status of HTTP, also if what comes is neither.  A host that was silent before is left alone
    for a while: its `circuit` notes that.  `lost` of Unavailable says for how many seconds the author waited in vain.
    """
    import httpx

    if client.settings.offline:
        return Unavailable("fulltext", service_specs.OFFLINE)
    circuit = client.circuit(_host(url))
    began = client.clock()
    rest = circuit.rest()
    if rest:
        return Unavailable("fulltext", circuit.why, time.time() + rest)
    try:
        with circuit.request():
            status, content_type, content = await _download_following(client, url)
    except AddressError as refused:
        return Unavailable("fulltext", str(refused))
    except (TimeoutError, httpx.TimeoutException, httpx.ConnectError):
        circuit.silent("no answer")
        return Unavailable("fulltext", "no answer", lost=client.clock() - began)
    except (OSError, ValueError, httpx.HTTPError, httpx.InvalidURL, httpx.StreamError):
        # No silence of the host: there is none of this name, it broke off, or what it sent is no HTTP.
        return Unavailable("fulltext", "no answer", lost=client.clock() - began)
    circuit.answered()
    is_pdf = "pdf" in content_type or content.startswith(b"%PDF-")
    text = read("pdf" if is_pdf else "html", content, url)
    return text if text and 200 <= status < 300 else Unavailable("fulltext", f"{status} and no text")


async def _download_following(client: Client, url: str) -> tuple[int, str, bytes]:
    """Return status, content type and body after redirects; TimeoutError if nothing comes, or not all of it in time.

    AddressError for an address that is not asked, and for too many redirects.
    """
    async with asyncio.timeout(_LONGEST_SILENCE) as limit:
        for _ in range(_MOST_REDIRECTS):
            response = await client.connections.pool().send(await _request_to(client, url), stream=True)
            try:
                if response.status_code not in _REDIRECT_STATUSES:
                    # The silence is over: the body may take longer.
                    limit.reschedule(asyncio.get_running_loop().time() + _LONGEST_DOWNLOAD)
                    return response.status_code, response.headers.get("content-type", ""), await read_bounded(response)
                url = urljoin(url, response.headers.get("location", ""))
            finally:
                await response.aclose()
    raise AddressError("too many redirects")


def _host(url: str) -> str:
    """The host of an address, as far as it can be read."""
    return url.partition("://")[2].partition("/")[0]


async def _request_to(client: Client, url: str) -> "httpx.Request":
    """Build the request for an address: to the user's mirror of it, or else to the IP address that its host has now.

    The host's name is given in TLS and in the header Host.  AddressError unless it is public and asked by https.
    """
    headers = {"User-Agent": client.connections.nameless_agent, "Accept": "application/pdf, text/html"}
    # A mirror that the user set, or an address below it: they may be on the user's own network, and are not checked.
    of_the_user = find_mirror(client.settings, url) or users(client.settings, url)
    if of_the_user:
        return client.connections.pool().build_request("GET", of_the_user, headers=headers)
    target = urlsplit(url)
    if target.scheme != "https" or not target.hostname:
        raise AddressError("not https")
    # The address that was checked is the one connected to: the name, looked up again, could lead inside by then.
    address = await public_address(target.hostname, target.port or 443)
    literal = f"[{address}]" if ":" in address else address
    port = f":{target.port}" if target.port else ""
    return client.connections.pool().build_request(
        "GET",
        target._replace(netloc=literal + port).geturl(),
        headers=headers | {"Host": target.hostname + port},
        extensions={"sni_hostname": target.hostname},
    )
