"""Hovers in the manuscript's own style, in a real server with a program that stands for pandoc."""

import os
import sys
import time

import pytest

from csl_styles import STYLE, program
from server_session import Session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the program is a script")

PAPER = "---\nbibliography: refs.bib\ncsl: own.csl\n---\nAs @knuth84 says, and [@roe].\n"
REFS = """@article{knuth84, author = {Knuth, Donald E.}, title = {Literate Programming}, year = 1984}
@book{roe, author = {Roe, R.}, title = {Two}, year = 2001}
"""
APA, OWN = "Donald E. Knuth (1984).", r"KNUTH 1984\: Literate \*Programming\*"
PRINT = """
folder = pathlib.Path(__file__).parent
with open(folder / "asked", "a") as log:
    log.write("1")
while (folder / "wait").exists():
    time.sleep(0.01)
if "knuth" in pathlib.Path("entry.bib").read_text().lower():
    pathlib.Path("reference.txt").write_text("KNUTH 1984: Literate *Programming*")
"""


@pytest.fixture
def editor(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", os.pathsep.join([program(tmp_path / "bin", PRINT), os.environ["PATH"]]))
    work = tmp_path / "work"
    work.mkdir()
    for name, text in {"paper.md": PAPER, "refs.bib": REFS, "own.csl": STYLE}.items():
        (work / name).write_text(text, encoding="utf-8")
    session = Session()
    hover = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}
    session.initialize(
        hover, workspaceFolders=[{"uri": work.as_uri(), "name": "x"}], initializationOptions={"offline": True}
    )
    session.folder, session.numbers, session.bin = work, iter(range(2, 999)), tmp_path / "bin"
    session.open((work / "paper.md").as_uri(), PAPER, "markdown")
    yield session
    session.process.kill()
    session.process.communicate()


def hover(editor, line=4, character=5, name="paper.md"):
    number, place = next(editor.numbers), {"line": line, "character": character}
    about = {"textDocument": {"uri": (editor.folder / name).as_uri()}, "position": place}
    editor.send("textDocument/hover", about, number)
    return editor.answer(number)["result"]["contents"]["value"]


def until(ask, words):
    """What `ask` answers once it has these words: a program on a busy machine may take longer than a reader waits."""
    end = time.monotonic() + 60
    while words not in (answer := ask()) and time.monotonic() < end:
        pass
    return answer


def test_a_slow_program_holds_nothing_up(editor):
    (editor.bin / "wait").touch()
    assert APA in hover(editor)
    assert APA in hover(editor)
    (editor.bin / "wait").unlink()
    assert "Literate Programming" in until(lambda: hover(editor), r"KNUTH 1984")
    assert r"Literate \*Programming\*" in hover(editor)
    assert (editor.bin / "asked").read_text() == "1"


def test_an_entry_that_is_not_printed_is_shown_as_without_a_style(editor):
    assert "R. Roe (2001)." in hover(editor, character=24)


def test_the_list_shows_it_beside_an_item(editor):
    until(lambda: hover(editor), "KNUTH 1984")
    item = {"label": "knuth84", "data": {"uri": (editor.folder / "paper.md").as_uri()}}
    number = next(editor.numbers)
    editor.send("completionItem/resolve", item, number)
    assert "KNUTH 1984" in str(editor.answer(number)["result"]["documentation"])


def test_the_bibliography_shows_it_too(editor):
    editor.open((editor.folder / "refs.bib").as_uri(), REFS, "bibtex")
    assert "KNUTH 1984" in until(lambda: hover(editor, 0, 12, "refs.bib"), "KNUTH 1984")
