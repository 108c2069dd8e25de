"""An agent that is a script: it does what the skill says with the tools, and is asked for works that do not exist."""

import re
from dataclasses import dataclass, field
from importlib.util import find_spec

import pytest

import crossref_server
from mcp_client import answered, session

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("mcp") is None, reason="the extra mcp is not installed"),
]

WORKS = [
    crossref_server.work("10.1000/attention", "Attention and Its Many Uses", "Vaswani", "Ashish", 2017),
    crossref_server.work("10.1000/ranks", "Fusing Ranked Lists by Reciprocal Ranks", "Cormack", "Gordon", 2009),
    crossref_server.work("10.1000/citing", "Recommending Citations in Context", "He", "Qi", 2010),
]
# What the author says, and by which name the work is asked for: of two there is no such work.
SENTENCES = [
    ("Attention has many uses.", "10.1000/attention"),
    ("Ranked lists are fused by reciprocal ranks.", "Fusing Ranked Lists by Reciprocal Ranks"),
    ("Attention was abandoned in 2023.", "Attention and Its Many Abuses: A Retrospective of Transformers"),
    ("Citations are recommended in context.", "doi:10.1000/citing"),
    ("Ranks are learnt from clicks.", "10.1000/clicks"),
]


@dataclass
class ScriptedAgent:
    """Follows the numbered steps under “When you cite”; `transcript` has each call and what came of it."""

    client: object
    transcript: list[str] = field(default_factory=list)

    async def call(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        outcome = result.content[0].text if result.is_error else result.structured_content
        self.transcript.append(f"{tool} {arguments}: {'rejected' if result.is_error else 'answered'}")
        return None if result.is_error else outcome

    async def cite(self, sentence, name):
        """The sentence with its citation; without one if no work is certain."""
        found = await self.call("look_up", work=name)
        if not (found and found["certain"]):
            return f"{sentence[:-1]} \\cite<{' '.join(re.findall('[A-Za-z]+', sentence)[:4])}>."
        added = await self.call("add", work=found["works"][0]["doi"], bib="refs.bib")
        await self.call("evidence", sentence=sentence, work=added["keys"][0], bib="refs.bib")
        return f"{sentence[:-1]} \\cite{{{added['keys'][0]}}}."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "refs.bib").write_text("")
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    world = crossref_server.Scholars(*WORKS)
    (tmp_path / "config.toml").write_text(world.config())
    yield inside
    world.close()


async def test_nothing_is_invented_for_works_that_do_not_exist(folder):
    async with session(folder) as client:
        agent = ScriptedAgent(client)
        paragraph = [await agent.cite(*it) for it in SENTENCES]
        text = " ".join(paragraph)
        (folder / "main.tex").write_text(
            f"\\documentclass{{article}}\n\\begin{{document}}\n{text}\n\\bibliography{{refs}}\n\\end{{document}}\n"
        )
        found = await answered(client, "check", path="main.tex")
        exported = (await answered(client, "export", paper="main.tex"))["text"]
    bib = (folder / "refs.bib").read_text()
    assert sorted(re.findall(r"doi\s*=\s*\{([^}]+)\}", bib)) == sorted(it["DOI"] for it in WORKS)
    assert sorted(re.findall(r"title\s*=\s*\{+([^{}]+)\}+", bib)) == sorted(it["title"][0] for it in WORKS)
    assert bib.count("@") == exported.count("@") == len(WORKS)
    assert [bool(re.search(r"\\cite\{", it)) for it in paragraph] == [True, True, False, True, False]
    assert (found["verdicts"], found["entries"]) == ({"verified": 3}, [])
    assert {it["code"] for it in found["findings"]} <= {"open-placeholder", "missing-field"}
    assert [it.partition(" ")[0] for it in agent.transcript] == [
        *("look_up", "add", "evidence") * 2,
        "look_up",
        *("look_up", "add", "evidence"),
        "look_up",
    ]
