"""The recipes: each page's files are written, its commands run in their order, and what they print is what it shows.

With RECIPES_WRITE=1 in the environment what is printed is written into the pages: read it before you commit it.
"""

import asyncio
import json
import os
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

import crossref_server
import forked_programs
import mcp_client
from citelsp.base import docs

PAGES = sorted((docs.DOCS / "recipes").glob("*.md"))
FILE = re.compile(r"^```\w+ (?P<name>\S+)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
ANSWER = re.compile(r"^```answer (?P<tool>\w+) (?P<arguments>.*)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
TRANSCRIPT = re.compile(r"^```console\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
# That something was checked, which is never the day of a retraction in 2010.
DAY, DATE = re.compile(r"\b(?!2010)20\d\d-\d\d-\d\d\b"), "2026-11-27"
WORKS = [
    crossref_server.work("10.1093/comjnl/27.2.97", "Literate Programming", "Knuth", "Donald E.", 1984),
    crossref_server.work("10.1093/mind/lix.236.433", "Computing Machinery and Intelligence", "Turing", "Alan M.", 1950),
    crossref_server.work(
        "10.1016/s0140-6736(97)11096-0",
        "Ileal-Lymphoid-Nodular Hyperplasia, Non-Specific Colitis, and Pervasive Developmental Disorder in Children",
        "Wakefield", "Andrew J.", 1998,
    )
    | {"updated-by": [{
        "type": "retraction", "DOI": "10.1016/s0140-6736(10)60175-4", "source": "publisher",
        "updated": {"date-parts": [[2010, 2, 6]]},
    }]},
]  # fmt: skip


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder of one's own, and Crossref as the only service."""
    world = crossref_server.Scholars(*WORKS)
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "home" / "citelsp").mkdir(parents=True)
    (tmp_path / "home" / "citelsp" / "config.toml").write_text(world.config())
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    yield tmp_path / "work"
    world.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda it: it.stem)
def test_a_recipe_does_what_its_page_shows(page, place):
    text = docs.read(page)
    for file in FILE.finditer(text):
        path = place / file["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file["text"], encoding="utf-8")
    assert TRANSCRIPT.search(text)
    shown = TRANSCRIPT.sub(lambda it: f"```console\n{run_again(it['text'])}```", text)
    for call in ANSWER.finditer(text) if find_spec("mcp") else ():
        told = DAY.sub(DATE, answer(place, call["tool"], json.loads(call["arguments"])))
        shown = shown.replace(call[0], f"```answer {call['tool']} {call['arguments']}\n{told}\n```")
    if os.environ.get("RECIPES_WRITE"):
        page.write_text(shown, encoding="utf-8")
    assert shown == text


def answer(place, tool, arguments):
    """What a tool of `citelsp mcp` answers an agent in this folder; a line for each member and item of a list."""
    settings = ["--config", str(place.parent / "home" / "citelsp" / "config.toml")]

    async def ask():
        async with mcp_client.opened(["--folder", str(place), *settings]) as client:
            return await mcp_client.answered(client, tool, **arguments)

    members = []
    for name, value in asyncio.run(ask()).items():
        items = [json.dumps(it, ensure_ascii=False) for it in value] if isinstance(value, list) and value else None
        written = "[\n    " + ",\n    ".join(items) + "]" if items else json.dumps(value, ensure_ascii=False)
        members.append(f'  "{name}": {written}')
    return "{\n" + ",\n".join(members) + "\n}"


def run_again(transcript):
    """The commands of a transcript with what they print now."""
    commands = [it.removeprefix("$ ") for it in transcript.splitlines() if it.startswith("$ ")]
    return "".join(f"$ {it}\n{printed(it)}" for it in commands)


def printed(command):
    command, _, target = command.partition(" > ")
    program, *words = shlex.split(command)
    assert program == "citelsp"
    done = forked_programs.run(*words)
    assert done.returncode in (0, 1), done.stderr
    if not target:
        return DAY.sub(DATE, done.stdout + done.stderr)
    Path(target).write_text(done.stdout, encoding="utf-8")
    return done.stderr


def test_every_recipe_is_found_from_the_readme():
    pages = [(docs.DOCS.parents[1] / "README.md").read_text(encoding="utf-8")]
    assert not [it.stem for it in PAGES if not any(f"recipes/{it.stem}.md" in page for page in pages)]
