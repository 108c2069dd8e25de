"""citelsp mcp, driven by the SDK's own client: over stdio once, else in this process."""

import os
import sys
from argparse import ArgumentParser
from contextlib import asynccontextmanager
from importlib.util import find_spec

import pytest

import crossref_server
import real_server
from citelsp.cli import mcp

# The SDK takes a second to import, so that happens in the process that runs these tests only.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("mcp") is None, reason="the extra mcp is not installed"),
]

OFFLINE = "offline = true\n"
WORK = crossref_server.work("10.1000/attention", "Attention and Its Many Uses", "Vaswani", "Ashish", 2017)


@pytest.fixture
def folder(tmp_path):
    """A working folder with a manuscript, and beside it what is not the agent's."""
    inside = tmp_path / "inside"
    inside.mkdir()
    for name, text in real_server.FILES.items():
        (inside / name).write_text(text, encoding="utf-8")
    (inside / "citelsp.py").write_text("raise SystemExit('shadowed')")
    (tmp_path / "config.toml").write_text(OFFLINE)
    (tmp_path / "outside.bib").write_text(OUTSIDE)
    return inside


OUTSIDE = "@misc{secret, title = {Nobody's business}, author = {Doe, Jane}, year = {2020}}\n"


@pytest.fixture
def service(folder, tmp_path, monkeypatch):
    """A service that knows one work, and the only one that is asked."""
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    world = crossref_server.Scholars(WORK)
    services = world.settings()["services"]
    lines = [f"[services.{name}]\nenabled = false\n" for name in services if name != "crossref"]
    lines.append(f'[services.crossref]\nbase_url = "{services["crossref"]["base_url"]}"\n')
    (tmp_path / "config.toml").write_text("".join(lines))
    yield world
    world.close()


def named(folder):
    return ["--folder", str(folder), "--config", str(folder.parent / "config.toml")]


@asynccontextmanager
async def process(folder):
    """A client of a server over stdio, as agents start it."""
    from mcp import ClientSession, StdioServerParameters, stdio_client

    command = ["-m", "citelsp", "mcp", *named(folder)]
    parameters = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    async with stdio_client(parameters) as streams, ClientSession(*streams) as client:
        await client.initialize()
        yield client


def session(folder):
    """A client of a server in this process."""
    from mcp import Client

    parser = ArgumentParser()
    mcp.arguments(parser)
    return Client(mcp.server(parser.parse_args(named(folder))))


async def test_tools_and_what_they_may_do(folder):
    async with process(folder) as client:
        tools = {it.name: it for it in (await client.list_tools()).tools}
        found = await client.call_tool("check", {"path": "main.tex"})
    assert list(tools) == ["check", "look_up", "suggest", "add"]
    assert [it.annotations.read_only_hint for it in tools.values()] == [True, True, True, False]
    assert tools["check"].input_schema["required"] == ["path"]
    assert found.structured_content["findings"]


async def test_check_tells_what_the_terminal_tells(folder):
    async with session(folder) as client:
        found = (await client.call_tool("check", {"path": "main.tex"})).structured_content
        whole = (await client.call_tool("check", {"path": ".", "offline": True})).structured_content
    assert {it["code"] for it in found["findings"]} >= {"undefined-citation"}
    assert [it["key"] for it in found["entries"]] == ["knuth84", "lamport94"]
    assert {it["path"] for it in whole["findings"]} >= {"main.tex", "notes.md"}


async def test_the_other_tools_answer_offline(folder):
    before = (folder / "refs.bib").read_bytes()
    async with session(folder) as client:
        found = (await client.call_tool("suggest", {"path": "main.tex", "line": 8})).structured_content
        unknown = (await client.call_tool("look_up", {"work": "10.1093/comjnl/27.2.97"})).structured_content
        rejected = (await client.call_tool("add", {"work": "--help", "bib": "refs.bib"})).is_error
    assert [it["path"] for it in found["answers"]] == ["main.tex"]
    assert (unknown["certain"], unknown["works"]) == (False, [])
    assert rejected
    assert (folder / "refs.bib").read_bytes() == before


async def test_a_work_is_looked_up_and_its_entry_added_to_the_named_file(folder, service):
    before = (folder / "refs.bib").read_text()
    async with session(folder) as client:
        found = (await client.call_tool("look_up", {"work": "doi:10.1000/attention"})).structured_content
        assert (folder / "refs.bib").read_text() == before  # which reads alone
        added = (await client.call_tool("add", {"work": "10.1000/attention", "bib": "refs.bib"})).structured_content
        again = (await client.call_tool("add", {"work": "10.1000/attention", "bib": "refs.bib"})).structured_content
        fresh = (await client.call_tool("add", {"work": WORK["title"][0], "bib": "new.bib"})).structured_content
        unclear = await client.call_tool("add", {"work": "10.1000/nobody", "bib": "refs.bib"})
    assert found["certain"]
    assert [(it["title"], it["doi"], it["sources"]) for it in found["works"]] == [
        (WORK["title"][0], "10.1000/attention", ["crossref"])
    ]
    assert added["keys"] == again["keys"] == fresh["keys"] == ["vaswani2017attention"]
    after = (folder / "refs.bib").read_text()
    assert after.startswith(before)
    assert after.count("vaswani2017attention") == (folder / "new.bib").read_text().count("@article") == 1
    assert unclear.is_error
    assert "10.1000/nobody: not found by Crossref" in unclear.content[0].text


HOSTILE = [
    ("check", {"path": "../outside.bib"}),
    ("check", {"path": "/etc/passwd"}),
    ("check", {"path": "link.bib"}),
    ("check", {"path": "--fix=review"}),
    ("check", {"path": "a" * 100_000}),
    ("check", {"path": "nul\0.tex"}),
    ("check", {"path": 5}),
    ("check", {}),
    ("suggest", {"text": "x" * 1_000_000}),
    ("suggest", {"text": "words", "k": 10**9}),
    ("suggest", {"text": "words", "path": "main.tex"}),
    ("look_up", {"work": ["a", "list"]}),
    ("look_up", {"work": ""}),
    ("add", {"work": "10.1/x", "bib": "../outside.bib"}),
    ("add", {"work": "10.1/x", "bib": "link.bib"}),
    ("add", {"work": "10.1/x", "bib": "main.tex"}),
    ("add", {"work": "ABSOLUTE", "bib": "refs.bib"}),
    ("add", {"work": "../outside.bib", "bib": "refs.bib"}),
    ("add", {"work": "./../outside.JSON", "bib": "refs.bib"}),
    ("add", {"work": "link.bib", "bib": "refs.bib"}),
]


async def test_hostile_arguments_are_refused_and_the_server_lives(folder):
    (folder / "link.bib").symlink_to(folder.parent / "outside.bib")
    async with session(folder) as client:
        for name, arguments in HOSTILE:
            if arguments.get("work") == "ABSOLUTE":
                arguments = {**arguments, "work": str(folder.parent / "outside.bib")}
            assert (await client.call_tool(name, arguments)).is_error, (name, arguments)
        assert not (await client.call_tool("check", {"path": "refs.bib"})).is_error
    assert (folder.parent / "outside.bib").read_text() == OUTSIDE
    assert "secret" not in (folder / "refs.bib").read_text()
