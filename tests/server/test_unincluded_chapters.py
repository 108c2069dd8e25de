"""Chapters that nothing leads to, because a macro includes them: a key that changes changes in them too."""

from urllib.parse import unquote

import pytest

from server_session import Session

BIB = """@book{a, title = {One title that is long}, author = {B, C}, year = 2000, doi = {10.1000/x}}
@book{z, title = {One title that is long}, author = {B, C}, year = 2000, doi = {10.1000/x}}
"""
FILES = {
    "main.tex": r"\documentclass{book}\chapters{one}\chapters{two} \cite{a} \bibliography{refs}",
    "parts/one.tex": r"See \cite{a,z}.",
    "parts/two.tex": r"See \cite{a}.",
    "other/main.tex": r"\documentclass{book}\bibliography{refs}",
    "other/three.tex": r"See \cite{a}.",
    "other/refs.bib": BIB,
    "refs.bib": BIB,
}


@pytest.fixture
def session(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    session = Session()
    folders = [{"uri": tmp_path.as_uri(), "name": "w"}]
    edits = {"workspace": {"workspaceEdit": {"documentChanges": False}}}
    session.initialize(edits, workspaceFolders=folders, initializationOptions={"offline": True})
    yield session
    session.process.kill()
    session.process.communicate()


def after(folder, changes):
    """The files that the edits change, each as it is then; all stands in one line."""
    found = {}
    for uri, edits in changes.items():
        name = unquote(uri.removeprefix(folder.as_uri() + "/"))
        lines = FILES[name].split("\n")
        for edit in sorted(edits, key=lambda it: -it["range"]["start"]["character"]):
            start, end = edit["range"]["start"], edit["range"]["end"]
            line = lines[start["line"]]
            lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
        found[name] = "\n".join(lines)
    return found


@pytest.mark.parametrize(("name", "key"), [("main.tex", "cite{a"), ("parts/two.tex", "cite{a"), ("refs.bib", "book{a")])
def test_a_key_is_renamed(session, tmp_path, name, key):
    uri = (tmp_path / name).as_uri()
    session.open(uri, FILES[name], "bibtex" if name.endswith(".bib") else "latex")
    at = {"line": 0, "character": FILES[name].index(key) + len(key) - 1}
    session.send("textDocument/rename", {"textDocument": {"uri": uri}, "position": at, "newName": "new"}, 10)
    assert after(tmp_path, session.answer(10)["result"]["changes"]) == {
        "main.tex": FILES["main.tex"].replace("cite{a}", "cite{new}"),
        "parts/one.tex": r"See \cite{new,z}.",
        "parts/two.tex": r"See \cite{new}.",
        "refs.bib": BIB.replace("{a,", "{new,"),
    }
