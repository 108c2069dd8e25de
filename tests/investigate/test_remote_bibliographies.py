"""Bibliographies at an address: read from hosts of the user's settings alone, cached, within bounds."""

import os
import time
from dataclasses import replace

import httpx
import pytest

from citelsp.base import read_settings
from citelsp.base.settings import OnlineSettings, Settings
from citelsp.investigate import remote_bibliographies
from citelsp.knowledge import Unavailable
from citelsp.sources import remote_bibliography
from citelsp.sources.client import Client
from citelsp.workspace.files import DiskFiles
from function_network import Web

HOST = "93.184.216.34"  # needs no look-up of a name
ADDRESS = f"https://{HOST}/lab/refs.bib"
BIB = "@misc{lab2020, title = {A Work of the Lab}}\n"
TEX = f"\\documentclass{{article}}\n\\usepackage{{biblatex}}\n\\addbibresource[location=remote]{{{ADDRESS}}}\n"
MARKDOWN = f"---\nbibliography: {ADDRESS}\n---\nSee [@lab2020] and [@nobody].\n"
SETTINGS = Settings(online=OnlineSettings(bibliographies=(HOST,)))


@pytest.fixture
def asking(tmp_path, monkeypatch):
    """asking(handler, settings) → a client and what it asks."""
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))

    def start(handler=lambda _: httpx.Response(200, text=BIB), settings=SETTINGS):
        web = Web(handler)
        return Client(settings, transport=web), web

    return start


@pytest.fixture
def files(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "paper.md").write_text(MARKDOWN)
    (tmp_path / "work" / "main.tex").write_text(TEX + "\\begin{document}\n\\cite{lab2020,nobody}\n\\end{document}\n")
    return DiskFiles([str(tmp_path / "work")])


@pytest.mark.parametrize("name", ["paper.md", "main.tex"])
async def test_a_manuscript_has_the_bibliography_at_its_address(asking, files, tmp_path, name):
    client, web = asking()
    path = str(tmp_path / "work" / name)
    before = files.project(path, SETTINGS)
    wanted = remote_bibliographies.addresses(before, SETTINGS)
    files.provide(await remote_bibliographies.fetch_all(client, wanted))
    project = files.project(path, SETTINGS)
    assert (before.bibliographies, wanted) == ((), [ADDRESS])
    assert [it.node.key for it in project.entries()] == ["lab2020"]
    assert not any(it.writable for it in project.defining)
    assert project.closed  # so that the key that no entry has is reported
    assert len(web.requests) == 1
    await client.aclose()


async def test_an_address_is_asked_once_an_hour_and_its_copy_outlives_the_host(asking):
    client, web = asking()
    first = await remote_bibliographies.fetch_all(client, [ADDRESS])
    assert await remote_bibliographies.fetch_all(client, [ADDRESS]) == first
    assert len(web.requests) == 1
    old = time.time() - 7200
    os.utime(first[ADDRESS], (old, old))
    web.handler = lambda _: httpx.Response(500)
    assert await remote_bibliographies.fetch_all(client, [ADDRESS]) == first
    assert len(web.requests) == 2
    await client.aclose()


@pytest.mark.parametrize(
    "address",
    [
        f"http://{HOST}/refs.bib",
        "https://example.org/refs.bib",
        f"https://{HOST}:8443/refs.bib",
        f"https://user@{HOST}/refs.bib",
        "file:///etc/passwd",
        "https://127.0.0.1/refs.bib",
    ],
)
async def test_no_other_address_is_asked(asking, address):
    client, web = asking()
    assert not remote_bibliography.may_be_asked(address, (HOST,))
    assert isinstance(await remote_bibliography.download(client, address, (HOST,)), Unavailable)
    assert web.requests == []
    await client.aclose()


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(302, headers={"location": "https://127.0.0.1/refs.bib"}),
        httpx.Response(302, headers={"location": "https://203.0.113.9/refs.bib"}),
        httpx.Response(302, headers={"location": ADDRESS}),
        httpx.Response(404),
        httpx.Response(200, content=b"x" * 40_000_000),
        httpx.Response(200, content=b"\0\1\2"),
    ],
)
async def test_what_is_no_bibliography_is_left_out(asking, answer):
    client, _ = asking(lambda _: answer)
    assert await remote_bibliographies.fetch_all(client, [ADDRESS]) == {}
    await client.aclose()


async def test_a_named_host_inside_the_house_is_not_asked(asking):
    client, web = asking()
    assert isinstance(await remote_bibliography.download(client, "https://10.0.0.1/a.bib", ("10.0.0.1",)), Unavailable)
    assert web.requests == []
    await client.aclose()


async def test_nothing_is_asked_offline(asking, files, tmp_path):
    client, web = asking(settings=replace(SETTINGS, offline=True))
    assert await remote_bibliographies.fetch_all(client, [ADDRESS]) == {}
    assert web.requests == []
    await client.aclose()


def test_a_workspace_names_no_host(files, tmp_path):
    raw = {"online": {"bibliographies": [HOST]}}
    user, _ = read_settings.read(raw)
    workspace, problems = read_settings.read(raw, trusted=False)
    assert (user.online.bibliographies, workspace.online.bibliographies) == ((HOST,), ())
    assert problems
    assert (
        remote_bibliographies.addresses(files.project(str(tmp_path / "work" / "paper.md"), workspace), workspace) == []
    )
