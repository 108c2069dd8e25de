"""Full texts: from whom, and from where never."""

import httpx
import pytest

from citelsp.base.settings import Settings
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.knowledge import Absent, Unavailable
from citelsp.sources import fulltext
from citelsp.sources.client import Client
from function_network import Web, page

PDF = b"%PDF-1.7 text"
JATS = b"<article><front/><body><p>We show.</p></body></article>"


def answer(content, kind="application/pdf", status=200):
    return httpx.Response(status, content=content, headers={"content-type": kind})


def work(*links, **names):
    return Record("merged", "x", "A", identifiers=Identifiers(**names), open_access=links)


async def test_europe_pmc_comes_first(asking):
    client, web = asking(lambda _: answer(JATS, "application/xml"))
    found = await fulltext.fetch(client, work(pmcid="PMC1", arxiv="1706.03762"))
    assert (found.kind, found.content, web.paths()) == ("jats", JATS, ["/europepmc/PMC1/fullTextXML"])


async def test_arxiv_pdf_where_there_is_no_html(asking):
    client, web = asking(lambda request: answer(PDF) if "/pdf/" in request.url.path else page(status=404))
    found = await fulltext.fetch(client, work(arxiv="1706.03762"))
    assert (found.kind, web.paths()) == ("pdf", ["/arxiv/html/1706.03762", "/arxiv/pdf/1706.03762"])


async def test_jats_without_a_body_is_no_full_text(asking):
    client, _ = asking(lambda _: answer(b"<article><front/></article>", "application/xml"))
    assert isinstance(await fulltext.fetch(client, work(pmcid="PMC1")), Absent)


async def test_a_link_is_asked_at_its_public_address_by_its_name(asking):
    client, web = asking(lambda _: answer(PDF))
    found = await fulltext.fetch(client, work("https://93.184.216.34/a.pdf"))
    assert (found.kind, web.requests[0].url.host) == ("pdf", "93.184.216.34")
    assert web.requests[0].extensions["sni_hostname"] == "93.184.216.34"


@pytest.mark.parametrize(
    "url",
    [
        "http://93.184.216.34/a.pdf",
        "https://127.0.0.1/a.pdf",
        "https://10.0.0.1/a.pdf",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/a.pdf",
        "https://[::ffff:127.0.0.1]/a.pdf",
        "https://localhost/a.pdf",
        "https://nas.local/a.pdf",
        "file:///etc/passwd",
    ],
)
async def test_links_into_the_house_are_not_asked(tmp_path, url):
    web = Web(lambda _: answer(PDF))
    client = Client(Settings(), transport=web)
    assert isinstance(await fulltext.download(client, url), Unavailable)
    moved = Web(lambda _: httpx.Response(302, headers={"location": url}))
    away = Client(Settings(), transport=moved)
    assert isinstance(await fulltext.download(away, "https://93.184.216.34/a"), Unavailable)
    assert (web.requests, len(moved.requests)) == ([], 1)
    await client.aclose()
    await away.aclose()


async def test_offline_downloads_nothing(asking):
    client, web = asking(lambda _: answer(PDF), offline=True)
    assert await fulltext.download(client, "https://93.184.216.34/a") == Unavailable("fulltext", "offline")
    assert web.requests == []


async def test_what_is_no_pdf_is_not_taken_for_one(asking):
    client, _ = asking(lambda _: answer(b"Please log in", "application/pdf"))
    assert isinstance(await fulltext.fetch(client, work("https://93.184.216.34/a.pdf")), Unavailable)
