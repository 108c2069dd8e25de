"""Findings reach every editor, each once: one that asks for them, and one that waits for what is sent."""

import pytest

from citelsp.base import docs
from server_session import PULLS, Session

TEXT = "\\documentclass{article}\n\\addbibresource{refs.bib}\n\\cite{a}\n"
BIB = "@article{a,\n  title = {A},\n}\n"
NEOVIM = {"clientInfo": {"name": "Neovim", "version": "0.12.0"}}


@pytest.fixture
def started(tmp_path):
    """started(capabilities) → a session and what its server can, with a manuscript open and its bibliography not."""
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    session = Session()

    def start(capabilities, **more):
        folders = [{"uri": tmp_path.as_uri(), "name": "x"}]
        options = {"offline": True}
        answer = session.initialize(capabilities, workspaceFolders=folders, initializationOptions=options, **more)
        session.open(f"{tmp_path.as_uri()}/main.tex", TEXT)
        return session, answer["capabilities"]

    yield start
    session.send("shutdown", number=99)
    session.answer(99)
    for end in (session.process.stdin, session.process.stdout):
        end.close()
    session.process.wait(60)


def sent(session, uri):
    """How many findings the next message about a document has."""
    about = session.wait(lambda it: it.get("params", {}).get("uri") == uri)
    return len(about["params"]["diagnostics"])


def pulled(session, uri, number):
    session.send("textDocument/diagnostic", {"textDocument": {"uri": uri}}, number)
    return session.answer(number)["result"]


def test_an_editor_that_pulls_is_sent_findings_until_it_asks_for_them(started, tmp_path):
    session, can = started(PULLS)
    uri = f"{tmp_path.as_uri()}/refs.bib"
    assert can["diagnosticProvider"]
    assert sent(session, uri) > 0
    session.open(uri, BIB, "bibtex")  # loaded by an edit, say, and shown nowhere
    assert sent(session, uri) > 0
    before = len(session.seen)
    found = pulled(session, uri, 5)
    cleared = [it["params"]["diagnostics"] for it in session.seen[before:] if it.get("params", {}).get("uri") == uri]
    assert cleared == [[]]
    assert len(found["items"]) > 0
    before = len(session.seen)
    session.send(
        "textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": ""}]}
    )
    assert sent(session, f"{tmp_path.as_uri()}/main.tex") > 0
    assert not any(it.get("params", {}).get("uri") == uri for it in session.seen[before:])


def test_a_finding_names_its_entry_as_lists_of_findings_do_not_show_it(started, tmp_path):
    session, _ = started(PULLS)
    uri = f"{tmp_path.as_uri()}/refs.bib"
    session.open(uri, BIB, "bibtex")
    messages = [it["message"] for it in pulled(session, uri, 5)["items"]]
    assert any(it.startswith("a: @article needs") for it in messages), messages


@pytest.mark.parametrize("capabilities", [{"textDocument": {"diagnostic": {}}}, PULLS], ids=["0.11", "0.12"])
def test_neovim_asks_only_for_what_a_window_shows_and_so_is_sent_all(started, tmp_path, capabilities):
    session, can = started(capabilities, **NEOVIM)
    uri = f"{tmp_path.as_uri()}/refs.bib"
    assert "diagnosticProvider" not in can
    assert sent(session, uri) > 0
    session.open(uri, BIB, "bibtex")
    assert sent(session, uri) > 0


def test_the_page_that_explains_a_finding_is_not_checked_itself(started, tmp_path):
    session, _ = started(PULLS)
    page = docs.finding_page("unknown-identifier")
    session.open(page.as_uri(), page.read_text(encoding="utf-8"), "markdown")
    assert pulled(session, page.as_uri(), 5)["items"] == []
    copy = f"{tmp_path.as_uri()}/copy.md"
    session.open(copy, page.read_text(encoding="utf-8"), "markdown")
    assert pulled(session, copy, 6)["items"]
