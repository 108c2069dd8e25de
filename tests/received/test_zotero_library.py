"""A library of Zotero as a bibliography: what each item becomes, and what is said if there is none."""

from urllib.parse import parse_qs

import httpx
import pytest

import zotero_server
from citelsp.base import bounds
from citelsp.base.settings import Service
from citelsp.base.text import Document
from citelsp.bibliography.record import Record
from citelsp.received import zotero_library
from citelsp.received.inputs import Received
from citelsp.sources.client import Client
from citelsp.sources.shared_pace import Limits
from citelsp.sources.zotero import Item, attachments
from citelsp.syntax.bibtex import parsing
from function_network import QUICK, Web, local, reply

CLOSED = "start it, and let other applications communicate with it"


@pytest.fixture
def zotero():
    running = zotero_server.Zotero(
        zotero_server.item("AIRSHIP1", "Airships", "Lovelace", "Ada", 1900, citationKey="lovelace1900"),
        zotero_server.item("ENGINE01", "Engines", "Babbage", "Charles", 1832, collections=["THESIS01"]),
        groups={7: [zotero_server.item("SHARED01", "Balloons", "Cayley", "George", 1809)]},
    )
    running.collections = [("THESIS01", "Thesis")]
    yield running
    running.close()


@pytest.fixture
def received(zotero, tmp_path):
    """received(…) → what was read of Zotero."""

    async def run(transport=None, **options):
        settings = local(services={"zotero": Service(base_url=zotero.address)})
        client = Client(settings, Limits(tmp_path / "limits.sqlite"), transport, QUICK)
        found = await zotero_library.read_library(client, **options)
        await client.aclose()
        return found

    return run


def entries(text):
    read = parsing.parse(Document("library.bib", text, "bibtex")).entries
    return [read.node(it) for it in range(len(read))]


def keys(text):
    return [it.key for it in entries(text)]


async def test_the_users_own_library_is_one_bibliography(received):
    found = await received()
    assert (found.name, found.problem) == ("Zotero", "")
    assert list(found.texts) == ["Zotero/My Library.bib"]
    assert keys(found.texts["Zotero/My Library.bib"]) == ["lovelace1900", "ENGINE01"]


async def test_each_group_is_a_bibliography_of_its_own_if_groups_are_asked_for(received):
    found = await received(groups=True)
    assert {path: keys(text) for path, text in found.texts.items()} == {
        "Zotero/My Library.bib": ["lovelace1900", "ENGINE01"],
        "Zotero/Group 7.bib": ["SHARED01"],
    }


async def test_a_collection_is_read_alone(received):
    found = await received(collection="Thesis")
    assert {path: keys(text) for path, text in found.texts.items()} == {"Zotero/My Library.bib": ["ENGINE01"]}


@pytest.mark.parametrize(
    ("collection", "problem"),
    [("", "has no items"), ("Thesis", "has no collection “Thesis” with items")],
    ids=["the whole library", "a collection"],
)
async def test_a_library_without_items_is_said(received, zotero, collection, problem):
    zotero.items = ()
    assert await received(collection=collection) == Received("Zotero", problem=problem)


async def test_a_library_without_items_takes_no_path_from_others(received, zotero):
    zotero.items = ()
    assert list((await received(groups=True)).texts) == ["Zotero/Group 7.bib"]


async def test_the_name_of_a_group_leads_to_no_other_folder(received, zotero):
    answer = zotero.answer
    named = {"id": 7, "data": {"name": "../Lab\\A/B"}}
    zotero.answer = lambda path, query: named if path == "/api/groups/7" else answer(path, query)
    assert "Zotero/..-Lab-A-B.bib" in (await received(groups=True)).texts


async def test_groups_of_one_name_are_bibliographies_of_their_own(received, zotero):
    zotero.groups[8] = [zotero_server.item("SHARED02", "Kites", "Cayley", "George", 1810)]
    answer = zotero.answer
    named = {"id": 7, "data": {"name": "My Library"}}
    zotero.answer = lambda path, query: named if path in ("/api/groups/7", "/api/groups/8") else answer(path, query)
    read = await received(groups=True)
    assert list(read.texts) == ["Zotero/My Library.bib", "Zotero/My Library 7.bib", "Zotero/My Library 8.bib"]


@pytest.mark.parametrize("options", [{}, {"groups": True}, {"collection": "Thesis"}], ids=["own", "groups", "part"])
async def test_a_zotero_that_does_not_let_others_ask_says_how_to_change_that(received, zotero, options):
    zotero.open = False
    found = await received(**options)
    assert (found.name, found.texts) == ("Zotero", {})
    assert found.problem.startswith("did not answer (") and found.problem.endswith(f"): {CLOSED}")


@pytest.mark.parametrize("failing", ["/collections", "/items/top"])
async def test_a_library_that_answers_in_part_is_not_read_in_part(received, zotero, failing):
    def answer(request):
        path = request.url.path
        if path.startswith("/api/groups/7") and path.endswith(failing):
            return httpx.Response(503, text="busy")
        found = zotero.answer(path, {name: [""] for name in request.url.params})
        return httpx.Response(404) if found is None else httpx.Response(200, json=found)

    found = await received(Web(answer), groups=True, collection="Thesis")
    assert (found.texts, found.problem.startswith("did not answer")) == ({}, True)


AIRSHIPS = Record("zotero", "AIRSHIP1", "Airships and Kites", years=(1900,), type="book")


@pytest.mark.parametrize(
    ("citekey", "key"), [("lovelace1900", "lovelace1900"), ("", "AIRSHIP1")], ids=["its citekey", "none of its own"]
)
def test_an_entry_has_the_items_citekey_and_leads_to_the_item(citekey, key):
    text = zotero_library.as_bibliography([Item(AIRSHIPS, citekey, "zotero://select/library/items/AIRSHIP1")])
    [entry] = entries(text)
    assert (entry.key, list(entry.problems())) == (key, [])
    assert entry.raw("title") == "Airships and Kites"
    assert entry.raw("x-zotero-select") == "zotero://select/library/items/AIRSHIP1"


def test_several_items_are_entries_of_their_own():
    items = [Item(AIRSHIPS, it, "zotero://select/library/items/AIRSHIP1") for it in ("a", "b")]
    text = zotero_library.as_bibliography(items)
    assert keys(text) == ["a", "b"]
    assert "}\n\n@" in text, "an empty line parts entries"


async def test_attachments_are_read_by_pages_as_all_may_be_more_than_an_answer(tmp_path):
    files = [zotero_server.attached(f"FILE{number}", f"ITEM{number}") for number in range(1001)]

    def answer(request):
        query = parse_qs(request.url.query.decode())
        if "limit" not in query:
            return httpx.Response(200, content=b" " * (bounds.ANSWER + 1))
        return reply(zotero_server.found_by(query, files))

    client = Client(local(), Limits(tmp_path / "limits.sqlite"), Web(answer), QUICK)
    assert await attachments(client) == {f"ITEM{number}": [f"FILE{number}"] for number in range(1001)}
    await client.aclose()
