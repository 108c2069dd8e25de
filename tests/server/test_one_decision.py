"""Ghost text, list, code action, terminal and agents say the same of one place: what fits, or that nothing does."""

import asyncio
import json

import pytest

from agent_works import WORKS
from citelsp.base.settings import CorpusSettings, Settings
from citelsp.cli import main
from citelsp.cli.mcp_tools import Tools
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from server_session import DEBUG, Session

PLACES = {
    "of the corpus": r"We train with the Adam optimizer, an algorithm for gradient-based optimization \cite<>.",
    "of the bibliography": r"The calving of glaciers is measured by radar \cite<>.",
    "in words": r"As others did \cite<glacier calving>.",
    "of neither": r"Quarks were found in the desert by a committee of bakers \cite<>.",
}
REFS = "@article{lee20, author = {Lee, Ann}, title = {Measuring Glacier Calving by Radar}, year = {2020}}\n"
HEAD = "\\documentclass{article}\n\\begin{document}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("places")
    with Corpus(folder / "index", create=True) as opened:
        opened.add([Work(**it) for it in WORKS])
    (folder / "refs.bib").write_text(REFS)
    (folder / "main.tex").write_text(HEAD + "\n\n".join(PLACES.values()) + "\n\\bibliography{refs}\n\\end{document}\n")
    return folder


@pytest.fixture(scope="module")
def session(folder):
    session = Session(*DEBUG)
    settings = {"corpus": {"path": str(folder / "index")}, "online": {"suggest": "off", "verify": "off"}}
    session.initialize(rootUri=folder.as_uri(), initializationOptions=settings)
    session.uri, session.number = (folder / "main.tex").as_uri(), 1
    session.open(session.uri, (folder / "main.tex").read_text())
    yield session
    session.process.kill()
    session.process.communicate()


def asked(session, method, position, **more):
    session.number += 1
    session.send(method, {"textDocument": {"uri": session.uri}, "position": position, **more}, session.number)
    return session.answer(session.number)["result"]


@pytest.mark.parametrize(("number", "place"), list(enumerate(PLACES.values())), ids=PLACES)
def test_one_place_gets_one_decision(session, folder, capsys, number, place):
    line = 2 + 2 * number
    here = {"line": line, "character": place.index("<") + 1}
    actions = asked(  # first, as nobody has asked for a list yet
        session, "textDocument/codeAction", here, range={"start": here, "end": here}, context={"diagnostics": []}
    )
    ghosts = asked(session, "textDocument/inlineCompletion", here, context={"triggerKind": 1}) or []
    items = asked(session, "textDocument/completion", here)["items"]
    printed = ["suggest", f"{folder / 'main.tex'}:{line + 1}", "--corpus", str(folder / "index"), "--format", "json"]
    assert main(printed) == 0
    [told] = json.loads(capsys.readouterr().out)
    tools = Tools(folder, Settings(corpus=CorpusSettings(path=str(folder / "index"))), corpus=folder / "index")
    [agents] = asyncio.run(tools.suggest(path="main.tex", line=line + 1))["answers"]

    is_refused = "data" not in items[0]  # what stands first says that nothing fits
    assert is_refused == told["abstained"] == agents["abstained"] == (place == PLACES["of neither"])
    works = [it for it in items if it.get("data")]
    cites = [it["title"] for it in actions if it["title"].startswith("Cite")]
    assert bool(ghosts) is not is_refused
    if is_refused:
        assert all(it.startswith("Cite anyway: ") for it in cites)
        return
    first = works[0]["textEdit"]["newText"]
    assert ghosts[0]["insertText"] == first
    titles = [found["candidates"][0]["title"] for found in (told, agents)]
    assert titles == [works[0]["label"]] * 2
    assert works[0]["label"] in cites[0] and not cites[0].startswith("Cite anyway")
