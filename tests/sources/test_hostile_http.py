"""What a hostile server does to the connection itself: all of it ends as unavailable, soon, and fills no memory."""

import asyncio
import functools
import gzip
from contextlib import suppress

import pytest

from citelsp.base.settings import Service
from citelsp.knowledge import Unavailable
from citelsp.sources import arxiv, crossref
from citelsp.sources.client import Client
from function_network import QUICK, local

JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = JSON + b"Transfer-Encoding: chunked\r\n\r\n"
MB = b"[" + b"1," * 500_000
XML = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;">]><feed xmlns="http://www.w3.org/2005/Atom">&c;</feed>'


@functools.cache
def bomb():
    return gzip.compress(b"[" + b" " * 100_000_000 + b"]", compresslevel=1)


def sized(body, *more):
    return b"".join([JSON, *more, f"Content-Length: {len(body)}\r\n\r\n".encode(), body])


def endless(start, more):
    yield start
    while True:
        yield more


ATTACKS = {
    "no end": lambda: endless(CHUNKED, b"%x\r\n%b\r\n" % (len(MB), MB)),
    "100 MB": lambda: endless(JSON + b"Content-Length: 100000000\r\n\r\n", MB),
    "a flood of headers": lambda: endless(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n" * 1000),
    "one endless header": lambda: endless(b"HTTP/1.1 200 OK\r\nX-A: ", b"a" * 65536),
    "a loop": lambda: [b"HTTP/1.1 302 Found\r\nLocation: /crossref/works/a\r\nContent-Length: 0\r\n\r\n"],
    "a redirect to no address": lambda: [b"HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n"],
    "less than was said": lambda: [JSON + b"Content-Length: 900\r\n\r\n{}"],
    "a length below nothing": lambda: [JSON + b"Content-Length: -9\r\n\r\n{}"],
    "no HTTP": lambda: [b"\x16\x03\x01\x02SSH-2.0\r\n\r\n"],
    "nothing": lambda: [b""],
    "a bomb": lambda: [sized(bomb(), b"Content-Encoding: gzip\r\n")],
    "a bomb in a bomb": lambda: [sized(gzip.compress(bomb()), b"Content-Encoding: gzip, gzip\r\n")],
    "half a package": lambda: [sized(gzip.compress(b"{}" * 999)[:-20], b"Content-Encoding: gzip\r\n")],
    "a lie about the package": lambda: [sized(b"{}", b"Content-Encoding: deflate\r\n")],
    "deep JSON": lambda: [sized(b"[" * 2_000_000)],
    "JSON of nothing but parts": lambda: [sized(b"[" + b"{}," * 4_000_000 + b"{}]")],
    "an XML bomb": lambda: [sized(XML.encode())],
    "an XML bomb in disguise": lambda: [sized(XML.encode("utf-16"))],
    "XML of nothing but parts": lambda: [sized(b"<a>" * 4_000_000)],
    "an unknown alphabet": lambda: [sized(b'<?xml version="1.0" encoding="klingon"?><a/>')],
}


@pytest.fixture
async def served():
    """served(bytes to send) → the address of a server that sends them to everybody"""
    servers = []

    async def start(attack):
        async def answer(reader, writer):
            with suppress(ConnectionError):
                await reader.readuntil(b"\r\n\r\n")
                for part in attack():
                    writer.write(part)
                    await writer.drain()
            writer.close()

        servers.append(await asyncio.start_server(answer, "127.0.0.1", 0))
        return f"http://127.0.0.1:{servers[-1].sockets[0].getsockname()[1]}"

    yield start
    for it in servers:
        it.close()


@pytest.mark.parametrize("attack", ATTACKS)
async def test_an_attack_on_the_connection_is_unavailable(served, attack):
    base = await served(ATTACKS[attack])
    services = {it: Service(base_url=f"{base}/{it}") for it in ("crossref", "arxiv")}
    client = Client(local(services=services), retry=QUICK)
    adapter = (
        arxiv.lookup(client, "1706.03762")
        if "XML" in attack or "alphabet" in attack
        else crossref.lookup(client, "10.1/a")
    )
    answer = await asyncio.wait_for(adapter, 60)
    await client.aclose()
    assert isinstance(answer, Unavailable)
