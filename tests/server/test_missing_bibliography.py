"""A bibliography that is not there, in an editor."""

import pytest

from server_session import Session

BIB = "@book{a, title = {A}, author = {B}, publisher = {C}, year = 2000}\n"
MAIN = "\\documentclass{article}\n\\begin{document}\n\\cite{a}\n\\bibliography{ref}\n"
ARGUMENT = {"start": {"line": 3, "character": 14}, "end": {"line": 3, "character": 17}}


@pytest.fixture
def session(tmp_path):
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    session = Session()
    folders = [{"uri": tmp_path.as_uri(), "name": "x"}]
    session.initialize(workspaceFolders=folders, initializationOptions={"offline": True})
    yield session
    session.send("shutdown", number=99)
    session.answer(99)
    session.process.stdin.close()
    session.process.stdout.close()
    session.process.wait(60)


def findings(session, uri, wanted):
    """The next findings of the document that are as wanted."""
    found = session.wait(lambda it: it.get("params", {}).get("uri") == uri and wanted(it["params"].get("diagnostics")))
    return found["params"]["diagnostics"]


def test_it_is_said_with_a_fix_until_the_file_comes(session, tmp_path):
    uri = (tmp_path / "main.tex").as_uri()
    session.open(uri, MAIN)
    [found] = findings(session, uri, bool)
    assert (found["code"], found["severity"], found["range"]) == ("missing-bibliography", 1, ARGUMENT)
    about = {"textDocument": {"uri": uri}, "range": ARGUMENT, "context": {"diagnostics": [found]}}
    session.send("textDocument/codeAction", about, 2)
    [fix] = [it for it in session.answer(2)["result"] if it["title"] == "Name “refs” instead"]
    [edit] = fix["edit"]["changes"][uri]
    assert (edit["range"], edit["newText"]) == (ARGUMENT, "refs")
    (tmp_path / "ref.bib").write_text(BIB, encoding="utf-8")
    came = {"changes": [{"uri": (tmp_path / "ref.bib").as_uri(), "type": 1}]}
    session.send("workspace/didChangeWatchedFiles", came)
    assert findings(session, uri, lambda it: not it) == []
