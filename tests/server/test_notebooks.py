"""Notebooks as an editor sends them: cells are documents of their own, which belong together."""

import json

import pytest

from server_session import PULLS, Session

BIB = "@book{knuth84, title = {Literate Programming}, author = {Knuth, D.}, year = 1984, publisher = {P}}\n"
CLIENT = {"notebookDocument": {"synchronization": {}}, **PULLS}


def cell_uri(folder, name):
    return f"vscode-notebook-cell:{(folder / 'a.ipynb').as_posix()}#{name}%3D%3D"


@pytest.fixture
def session(tmp_path):
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    old = {"cells": [{"cell_type": "markdown", "source": ["[@stale]"], "metadata": {}}], "metadata": {}, "nbformat": 4}
    (tmp_path / "a.ipynb").write_text(json.dumps(old), encoding="utf-8")
    session = Session()
    folders = [{"uri": tmp_path.as_uri(), "name": "w"}]
    answer = session.initialize(CLIENT, workspaceFolders=folders, initializationOptions={"offline": True})
    [selector] = answer["capabilities"]["notebookDocumentSync"]["notebookSelector"]
    assert {it["language"] for it in selector["cells"]} == {"markdown", "raw"}
    texts = [("w0", "raw", "---\nbibliography: refs.bib\n---"), ("w1", "markdown", "See [@knuth84]\nand [@gone].")]
    session.send(
        "notebookDocument/didOpen",
        {
            "notebookDocument": {
                "uri": (tmp_path / "a.ipynb").as_uri(),
                "notebookType": "jupyter-notebook",
                "version": 1,
                "cells": [{"kind": 1, "document": cell_uri(tmp_path, name)} for name, _, _ in texts],
            },
            "cellTextDocuments": [
                {"uri": cell_uri(tmp_path, name), "languageId": language, "version": 1, "text": text}
                for name, language, text in texts
            ],
        },
    )
    yield session
    session.process.kill()
    session.process.communicate()


def ask(session, method, params, number):
    session.send(method, params, number)
    return session.answer(number)["result"]


def undefined(session, uri, number):
    report = ask(session, "textDocument/diagnostic", {"textDocument": {"uri": uri}}, number)
    return [(it["data"]["key"] if "data" in it else it["message"], it["range"]["start"]) for it in report["items"]]


def test_cells_share_what_one_of_them_declares(session, tmp_path):
    uri = cell_uri(tmp_path, "w1")
    [(message, start)] = undefined(session, uri, 10)
    assert "gone" in message and start == {"line": 1, "character": 6}
    at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}}
    assert "Literate Programming" in json.dumps(ask(session, "textDocument/hover", at, 11))
    typed = {"document": {"uri": uri, "version": 2}, "changes": [{"text": "See [@kn"}]}
    session.send(
        "notebookDocument/didChange",
        {
            "notebookDocument": {"uri": (tmp_path / "a.ipynb").as_uri(), "version": 2},
            "change": {"cells": {"textContent": [typed]}},
        },
    )
    found = ask(session, "textDocument/completion", at, 12)
    items = found["items"] if isinstance(found, dict) else found
    assert [it["label"] for it in items] == ["knuth84"]


def test_a_key_is_renamed_in_cells_and_not_in_the_file(session, tmp_path):
    at = {"textDocument": {"uri": cell_uri(tmp_path, "w1")}, "position": {"line": 0, "character": 8}}
    edit = ask(session, "textDocument/rename", {**at, "newName": "knuth-84"}, 10)
    changed = edit.get("changes") or {it["textDocument"]["uri"]: it["edits"] for it in edit["documentChanges"]}
    assert set(changed) == {cell_uri(tmp_path, "w1"), (tmp_path / "refs.bib").as_uri()}


def test_cells_come_and_go(session, tmp_path):
    new, old = cell_uri(tmp_path, "w2"), cell_uri(tmp_path, "w0")
    item = {"uri": new, "languageId": "markdown", "version": 1, "text": "By {cite}`gone2`."}
    change = {
        "array": {"start": 2, "deleteCount": 0, "cells": [{"kind": 1, "document": new}]},
        "didOpen": [item],
    }
    notebook = {"uri": (tmp_path / "a.ipynb").as_uri(), "version": 2}
    session.send(
        "notebookDocument/didChange", {"notebookDocument": notebook, "change": {"cells": {"structure": change}}}
    )
    assert len(undefined(session, new, 10)) == 1
    gone = {"array": {"start": 0, "deleteCount": 1}, "didClose": [{"uri": old}]}
    session.send("notebookDocument/didChange", {"notebookDocument": notebook, "change": {"cells": {"structure": gone}}})
    assert undefined(session, new, 11) == []  # no cell declares a bibliography any more
