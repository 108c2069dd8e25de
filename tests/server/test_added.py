"""What an editor that shows it learns of entries that were added."""

import pytest

import forked_programs
from server_session import Session

TEXT = (
    "\\documentclass{article}\n\\begin{document}\nAttention \\cite<attention>.\n\\bibliography{refs}\n\\end{document}\n"
)
WORKS = "@misc{vaswani, title = {Attention Is All You Need}, author = {Vaswani, Ashish}, year = 2017}\n"
OTHER = "@misc{other, title = {Other Matters}}\n"
SHOWS = {"commands": {"commands": ["citelsp.showAdded"]}}


@pytest.fixture
def started(tmp_path):
    """started(entries, save) → a session with the manuscript open, beside a bibliography of these entries."""
    sessions = []

    def start(entries, save=True, text=TEXT):
        main, refs, works, corpus = (tmp_path / it for it in ("main.tex", "refs.bib", "works.bib", "corpus"))
        for path, written in ((main, text), (refs, entries), (works, WORKS)):
            path.write_text(written)
        forked_programs.run("corpus", "add", works, "--corpus", corpus).check_returncode()
        session = Session()
        sessions.append(session)
        options = {"offline": True, "corpus": {"path": str(corpus)}, "writing": {"save": save}}
        capabilities = {"workspace": {"applyEdit": True}, "experimental": SHOWS}
        session.initialize(capabilities, rootUri=tmp_path.as_uri(), initializationOptions=options)
        session.open(main.as_uri(), text)
        return session

    yield start
    for session in sessions:
        session.process.kill()
        session.process.communicate()


@pytest.mark.parametrize("answer", [None, {"applied": False}, "done"])
def test_an_editor_that_does_not_say_it_made_the_change_did_not(started, tmp_path, answer):
    session = started(OTHER)
    asked = {
        "textDocument": {"uri": (tmp_path / "main.tex").as_uri()},
        "position": {"line": 2, "character": TEXT.splitlines()[2].index("<") + 2},
    }
    session.send("textDocument/completion", asked, 2)
    first = next(it["command"] for it in session.answer(2)["result"]["items"] if it.get("command"))
    session.send("workspace/executeCommand", {"command": first["command"], "arguments": first["arguments"]}, 3)
    edit = session.wait(lambda it: it.get("method") == "workspace/applyEdit")
    session.reply(edit["id"], answer)
    assert session.answer(3)["error"]["message"] == "the editor did not apply the change"
    assert not [it for it in session.seen if it.get("method") == "citelsp/added"]


def accept_first(session, main):
    """Accept the first work at the placeholder; return the edit that the server asks for, and what was added."""
    asked = {
        "textDocument": {"uri": main.as_uri()},
        "position": {"line": 2, "character": TEXT.splitlines()[2].index("<") + 2},
    }
    session.send("textDocument/completion", asked, 2)
    first = next(it["command"] for it in session.answer(2)["result"]["items"] if it.get("command"))
    session.send("workspace/executeCommand", {"command": first["command"], "arguments": first["arguments"]}, 3)
    edit = session.wait(lambda it: it.get("method") == "workspace/applyEdit")
    session.reply(edit["id"], {"applied": True})
    addition = session.wait(lambda it: it.get("method") == "citelsp/added")["params"]
    return edit, addition


@pytest.mark.parametrize("save", [True, False])
def test_where_an_entry_was_added_and_how_to_take_it_back(started, tmp_path, save):
    main, refs = tmp_path / "main.tex", tmp_path / "refs.bib"
    session = started(OTHER, save)
    edit, addition = accept_first(session, main)
    [[change]] = edit["params"]["edit"]["changes"].values()
    [key] = addition["keys"]
    assert addition == {
        "message": f"Added {key} to refs.bib",
        "manuscript": main.as_uri(),
        "keys": [key],
        "files": [refs.as_uri()],
        "save": save,
        "uri": refs.as_uri(),
        "position": change["range"]["start"],
        "old_text": "",
        "new_text": change["newText"],
    }


def test_an_item_in_the_text_is_in_the_manuscript(started, tmp_path):
    main = tmp_path / "main.tex"
    items = "\\begin{thebibliography}{9}\n\\bibitem{one} One.\n\\end{thebibliography}"
    session = started(OTHER, text=TEXT.replace("\\bibliography{refs}", items))
    _, addition = accept_first(session, main)
    [key] = addition["keys"]
    assert addition["message"] == f"Added {key} to main.tex"
    assert addition["files"] == []
    assert "uri" not in addition


def test_of_works_cited_together_those_are_told_that_got_an_entry(started, tmp_path):
    session = started("@misc{own, title = {Attention in Practice}, author = {Doe, Jo}, year = 2020}\n")
    place = {
        "uri": (tmp_path / "main.tex").as_uri(),
        "position": {"line": 2, "character": TEXT.splitlines()[2].index("<") + 2},
    }
    session.send("workspace/executeCommand", {"command": "citelsp.works", "arguments": [place]}, 2)
    works = {it["key"]: it for it in session.answer(2)["result"]["works"]}
    assert works["own"]["adds"] is False
    both = place | {"works": [it["work"] for it in works.values()]}
    session.send("workspace/executeCommand", {"command": "citelsp.cite", "arguments": [both]}, 3)
    edit = session.wait(lambda it: it.get("method") == "workspace/applyEdit")
    session.reply(edit["id"], {"applied": True})
    addition = session.wait(lambda it: it.get("method") == "citelsp/added")["params"]
    assert len(works) == 2
    assert addition["keys"] == [key for key in works if key != "own"]
    assert "own" not in addition["message"]
