"""Dead links: whose word counts, who is never asked, and at which pace."""

import asyncio
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from citelsp.base.settings import Settings
from citelsp.knowledge import DeadLink
from citelsp.sources import dead_links
from citelsp.sources.http_request import Connections
from function_network import reply
from loopback import listening

HOST = "93.184.216.34"
PAGE = f"https://{HOST}/a"
COPY = {"archived_snapshots": {"closest": {"available": True, "status": "200", "timestamp": "20200102030405"}}}


def is_archive(request):
    return request.url.path == "/wayback/wayback/available"


def answering(statuses, copy=None, location=""):
    """A server that gives each method its status, beside an archive."""

    def handler(request):
        if is_archive(request):
            return reply(copy if copy is not None else {"archived_snapshots": {}})
        status = statuses[request.method]
        if isinstance(status, Exception):
            raise status
        return httpx.Response(status, headers={"location": location} if location else {})

    return handler


@pytest.fixture
def ask(asking, monkeypatch):
    """ask(handler, *urls) → the answers, the web that was asked; without pauses."""
    monkeypatch.setattr(dead_links, "_APART", 0.0)

    async def run(handler, *urls, **settings):
        client, web = asking(handler, **settings)
        return await dead_links.ask(client, urls, lambda *_: None), web

    return run


@pytest.mark.parametrize("status", [404, 410])
async def test_a_page_is_dead_by_its_servers_word(ask, status):
    found, web = await ask(answering({"HEAD": status, "GET": status}, COPY), PAGE)
    assert found.dead == {PAGE: DeadLink(status, "20200102030405")} and not found.silent
    assert [it.method for it in web.requests] == ["HEAD", "GET", "GET"]
    assert dict(web.requests[-1].url.params) == {"url": PAGE}


async def test_a_page_that_is_there_is_asked_once(ask):
    found, web = await ask(answering({"HEAD": 200}), PAGE)
    assert found == dead_links.LinkAnswers() and len(web.requests) == 1


@pytest.mark.parametrize("head", [404, 405, 403, 500])
async def test_what_head_says_is_not_believed(ask, head):
    found, _ = await ask(answering({"HEAD": head, "GET": 200}), PAGE)
    assert found == dead_links.LinkAnswers()


@pytest.mark.parametrize(
    "answer",
    [400, 401, 403, 405, 418, 429, 451, 500, 502, 503, 520, httpx.ConnectError(""), httpx.ReadTimeout(""), OSError()],
)
async def test_any_other_answer_and_none_is_no_finding(ask, answer):
    found, web = await ask(answering({"HEAD": answer, "GET": answer}), PAGE)
    assert not found.dead and found.silent == {PAGE}
    assert not any(map(is_archive, web.requests))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/a",
        "https://localhost/a",
        "https://10.0.0.1/a",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/a",
        "https://[::ffff:127.0.0.1]/a",
        "http://0x7f.1/a",
        "https://nas.local/a",
        "https://intranet/a",
        f"https://{HOST}:8443/a",
        f"http://{HOST}:22/a",
        f"https://user:word@{HOST}/a",
        "ftp://example.org/a",
        "file:///etc/passwd",
        "https://[broken/a",
    ],
)
async def test_what_is_not_public_is_never_asked(ask, url):
    assert not dead_links.may_be_asked(url)
    moved, web = await ask(answering({"HEAD": 302, "GET": 302}, location=url), PAGE)
    assert not moved.dead and {it.url.host for it in web.requests} == {HOST}
    if "[broken" not in url:
        found, web = await ask(answering({"HEAD": 404, "GET": 404}), url)
        assert not found.dead and not web.requests


@pytest.mark.parametrize(
    "url", ["https://doi.org/10.1/x", "http://dx.doi.org/10.1/x", "https://web.archive.org/web/2020/http://a.org"]
)
def test_identifiers_and_copies_are_not_asked(url):
    assert not dead_links.may_be_asked(url)


def test_pages_are_asked():
    assert dead_links.may_be_asked("http://example.org/~ann/a?b=%20#c")
    assert dead_links.may_be_asked("https://example.org:443/")


async def test_the_archive_counts_where_it_has_the_page_itself(ask):
    for closest in (
        {"available": True, "status": "404", "timestamp": "20200102030405"},
        {"available": False, "status": "200", "timestamp": "20200102030405"},
        {"available": True, "status": "200", "timestamp": "2020}\\input{x}"},
        [],
    ):
        found, _ = await ask(answering({"HEAD": 404, "GET": 404}, {"archived_snapshots": {"closest": closest}}), PAGE)
        assert found.dead == {PAGE: DeadLink(404)}


async def test_a_server_is_told_nothing_of_the_user(ask):
    _, web = await ask(answering({"HEAD": 404, "GET": 404}), f"{PAGE}#part", email="ann@example.org")
    for request in web.requests[:2]:
        assert request.headers["host"] == HOST and request.extensions["sni_hostname"] == HOST
        assert "ann" not in str(request.headers) and "cookie" not in request.headers and not request.url.fragment


async def test_a_host_is_asked_one_after_another_and_with_pauses(asking, monkeypatch):
    out, most, moments = [0], [0], []

    async def handler(_):
        moments.append(asyncio.get_running_loop().time())
        out[0] += 1
        most[0] = max(most[0], out[0])
        await asyncio.sleep(0.01)
        out[0] -= 1
        return httpx.Response(200)

    monkeypatch.setattr(dead_links, "_APART", 0.1)
    client, _ = asking(handler)
    seen = []
    await dead_links.ask(client, [f"{PAGE}/{it}" for it in range(4)], lambda *it: seen.append(it))
    assert most == [1] and seen == [(it, 4) for it in range(1, 5)]
    assert moments[-1] - moments[0] > 0.25


async def test_a_host_that_does_not_answer_is_left_alone(ask):
    urls = [f"{PAGE}/{it}" for it in range(10)]
    found, web = await ask(answering({"HEAD": httpx.ConnectError("")}), *urls)
    assert found.silent == set(urls) and len(web.requests) == 2


async def test_a_redirect_without_end_is_no_finding(ask):
    found, web = await ask(answering({"HEAD": 301, "GET": 301}, location="/a"), PAGE)
    assert found.silent == {PAGE} and len(web.requests) < 12


async def test_a_connection_serves_one_request():
    """One that stays open would be used for other hosts at the same address, which TLS was not made for."""
    ports = []

    class Server(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            ports.append(self.client_address[1])
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with listening(Server) as url:
        for lasting, count in ((True, 1), (False, 3)):
            connections = Connections(Settings(), lasting=lasting)
            ports.clear()
            for _ in range(3):
                await connections.pool().get(url)
            await connections.aclose()
            assert len(set(ports)) == count


async def test_strangers_are_never_told_who_asks(ask):
    _, web = await ask(answering({"HEAD": 404, "GET": 404}, COPY), PAGE, email="ada@example.org")
    strangers = [it for it in web.requests if not is_archive(it)]
    assert len(strangers) == 2
    for request in strangers:
        assert "ada" not in f"{request.url} {request.headers}"
