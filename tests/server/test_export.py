"""A .bib that Zotero or another program writes again while an editor shows it."""

import pytest

from server_session import Session

MAIN = "\\documentclass{article}\n\\begin{document}\n\\cite{}\n\\bibliography{export}\n\\end{document}\n"
ENTRY = "@book{{{0}, title = {{On {0}}}, author = {{Doe, Jo}}, publisher = {{P}}, year = 2000}}\n"
BEFORE, AFTER = ENTRY.format("ada"), ENTRY.format("bob")


@pytest.fixture
def editor(tmp_path):
    """A server that shows the manuscript, beside the export on the disk."""
    (tmp_path / "export.bib").write_text(BEFORE, encoding="utf-8")
    session = Session()
    folders = [{"uri": tmp_path.as_uri(), "name": "x"}]
    session.initialize(workspaceFolders=folders, initializationOptions={"offline": True})
    session.folder, session.numbers = tmp_path, iter(range(2, 99))
    session.open((tmp_path / "main.tex").as_uri(), MAIN)
    yield session
    session.process.kill()
    session.process.communicate()


def keys(editor):
    """What is completed in the manuscript's citation."""
    number, place = next(editor.numbers), {"line": 2, "character": 6}
    about = {"textDocument": {"uri": (editor.folder / "main.tex").as_uri()}, "position": place}
    editor.send("textDocument/completion", about, number)
    return [it["label"] for it in editor.answer(number)["result"]["items"] if it["label"] in ("ada", "bob")]


def export(editor):
    """Another program writes the file anew, and the editor says that it changed."""
    fresh = editor.folder / "export.new"
    fresh.write_text(AFTER, encoding="utf-8")
    fresh.replace(editor.folder / "export.bib")
    changes = [{"uri": (editor.folder / "export.bib").as_uri(), "type": 2}]
    editor.send("workspace/didChangeWatchedFiles", {"changes": changes})


def test_a_closed_one_is_read_anew(editor):
    assert keys(editor) == ["ada"]
    export(editor)
    assert keys(editor) == ["bob"]


def test_an_open_one_counts_as_shown_until_the_editor_reloads_it(editor):
    bib = (editor.folder / "export.bib").as_uri()
    editor.open(bib, BEFORE, "bibtex")
    export(editor)
    assert keys(editor) == ["ada"]  # the protocol leaves the truth of an open document to the editor
    change = {"textDocument": {"uri": bib, "version": 2}, "contentChanges": [{"text": AFTER}]}
    editor.send("textDocument/didChange", change)
    assert keys(editor) == ["bob"]


def test_one_that_is_closed_without_a_reload_counts_as_on_the_disk(editor):
    bib = (editor.folder / "export.bib").as_uri()
    editor.open(bib, BEFORE, "bibtex")
    export(editor)
    editor.send("textDocument/didClose", {"textDocument": {"uri": bib}})
    assert keys(editor) == ["bob"]
