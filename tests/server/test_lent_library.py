"""A manuscript without a .bib that cites by the keys of a running Zotero: completion, hover, links, its own .bib."""

import time

import pytest

import zotero_server
from citelsp.base import user_places
from online_session import until

MARKDOWN = "Airships flew [@lovelace1900, p. 3], kites too [@cayley1809].\n\nMore [@\n"
LATEX = "\\documentclass{article}\n\\begin{document}\nAirships \\cite{lovelace1900}.\n\\end{document}\n"


def items(keyed):
    """`keyed`: Zotero 8 has the citation keys itself."""
    key = {"citationKey": "lovelace1900"} if keyed else {}
    airships = "Airships and Their Builders"
    return [
        zotero_server.item("AIRSHIP1", airships, "Lovelace", "Ada", 1900, DOI="10.1000/airship", **key),
        zotero_server.item("KEYLESS1", "Kept Without a Key", "Nobody", "Nick", 1901),
    ]


@pytest.fixture(params=["its own keys", "Better BibTeX"])
def zotero(request):
    """Two Zoteros: one of version 8 with three groups, one of version 7 with the keys in Better BibTeX."""
    if request.param == "Better BibTeX":
        kites = {"citationKey": "cayley1809"}
        running = zotero_server.Zotero(
            *items(keyed=False),
            zotero_server.item("KITE0001", "Kites", "Cayley", "George", 1809, **kites),
            keyed=[],
        )
        running.citekeys = {"AIRSHIP1": "lovelace1900"}
    else:
        shared = [zotero_server.item("KITE0001", "Kites", "Cayley", "George", 1809, citationKey="cayley1809")]
        running = zotero_server.Zotero(*items(keyed=True), groups={7: [], 12: shared, 40: shared})
    yield running
    running.close()


class Author:
    """Asks the server what an editor asks."""

    def __init__(self, session):
        self.session, self.number, self.version = session, 10, 1

    def ask(self, method, **params):
        self.number += 1
        self.session.send(method, {"textDocument": {"uri": self.session.uri}, **params}, self.number)
        number = self.number
        answer = until(self.session, lambda it: it.get("id") == number and "method" not in it)
        assert "error" not in answer, answer
        return answer["result"]

    def types(self, text):
        self.version += 1
        change = {
            "textDocument": {"uri": self.session.uri, "version": self.version},
            "contentChanges": [{"text": text}],
        }
        self.session.send("textDocument/didChange", change)

    def labels(self, line, character):
        found = self.ask("textDocument/completion", position={"line": line, "character": character})
        return [it["label"] for it in (found or {"items": ()})["items"]]

    def hover(self, line, character):
        found = self.ask("textDocument/hover", position={"line": line, "character": character})
        return str(found and found["contents"])

    def actions(self, line, character, wanted):
        place = {"line": line, "character": character}
        found = self.ask("textDocument/codeAction", range={"start": place, "end": place}, context={"diagnostics": []})
        return [it for it in found if wanted in it["title"]]


@pytest.fixture
def author(editor, world, zotero):
    def start(name, text, **settings):
        services = world.settings()["services"] | {"zotero": {"enabled": True, "base_url": zotero.address}}
        creates = {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}, "applyEdit": True}
        session = editor({"workspace": creates}, services=services, **settings)
        folder = session.uri.rpartition("/")[0]
        session.send("textDocument/didClose", {"textDocument": {"uri": session.uri}})
        session.uri = f"{folder}/papers/{name}"
        session.open(session.uri, text)
        return Author(session)

    return start


def eventually(so):
    end = time.monotonic() + 30
    while not (found := so()) and time.monotonic() < end:
        time.sleep(0.5)  # longer than the pause for which the server waits before it looks for a library
    return found


def test_keys_of_zotero_are_completed_hovered_and_led_to(author, zotero):
    writer = author("notes.md", MARKDOWN)
    assert set(eventually(lambda: writer.labels(2, 7))) == {"lovelace1900", "cayley1809"}
    assert "Airships and Their Builders" in writer.hover(0, 18)
    links = writer.ask("textDocument/documentLink")
    shared = "library" if len(zotero.items) > 2 else "groups/12"
    assert [it["target"] for it in links] == [
        "zotero://select/library/items/AIRSHIP1",
        f"zotero://select/{shared}/items/KITE0001",
    ]
    assert not [it for it in writer.session.seen if "undefined-citation" in str(it)]
    assert zotero.imported == []


def test_a_manuscript_becomes_independent_with_a_bib_of_its_own(author):
    writer = author("paper.tex", LATEX)
    [action] = eventually(lambda: writer.actions(2, 17, "Write the cited entries"))
    assert action["title"] == "Write the cited entries to references.bib"
    text = str(action["edit"])
    assert "references.bib" in text
    assert "@article{lovelace1900," in text
    assert "\\bibliography{references}" in text.replace("\\\\", "\\")
    assert "zotero://" not in text
    assert "changes to this file will be lost" not in text


def test_what_changes_in_zotero_is_read_again(tmp_path, monkeypatch, zotero):
    import asyncio

    from citelsp.base.settings import Service, Settings
    from citelsp.investigate import zotero_snapshot
    from citelsp.sources.client import Client

    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    settings = Settings(services={"zotero": Service(base_url=zotero.address)})

    async def read():
        client = Client(settings)
        try:
            path = await zotero_snapshot.find_current(client)
        finally:
            await client.aclose()
        return path.read_text()

    first = asyncio.run(read())
    asked = len(zotero.asked)
    assert asyncio.run(read()) == first
    assert all("versions" in it or it.endswith("groups") for it in zotero.asked[asked:])
    zotero.items = [
        *zotero.items,
        zotero_server.item("NEW00001", "Gliders", "Lilienthal", "Otto", 1889, citationKey="l"),
    ]
    assert "@article{l," in asyncio.run(read())
    assert user_places.cache_directory().is_dir()


def test_nothing_is_asked_offline_or_for_a_manuscript_with_a_bibliography(author, zotero):
    writer = author("notes.md", MARKDOWN, offline=True)
    time.sleep(1)
    assert writer.labels(2, 7) == []
    assert zotero.asked == []
