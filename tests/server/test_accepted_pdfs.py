"""A work that was read from a PDF becomes a whole entry when it is accepted, or says what is not known of it."""

import pytest

from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from online_session import KNUTH, PLACEHOLDER, calls, completes, retyped, said, until

# As a PDF is read without a name or a year on its first page.
READ = Work("title:1", "Literate Programming in Practice", "Literate programming.", file="0")


@pytest.fixture
def session(editor, tmp_path):
    """session(**settings) → a session whose corpus has the work, whose bibliography does not."""
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([READ])
    (tmp_path / "work" / "refs.bib").write_text("")

    def start(**settings):
        return retyped(editor(corpus={"path": str(tmp_path / "corpus")}, **settings))

    return start


def accepted(session):
    """What is written when the first work of a list is accepted, and its row."""
    citing = ("citelsp.insertEntry", "citelsp.cite")
    item = next(it for it in completes(session, 2) if it.get("command", {}).get("command") in citing)
    answer = calls(session, 3, item["command"]["command"], *item["command"]["arguments"])
    assert "error" not in answer
    [edit] = said(session, "workspace/applyEdit")
    changes = edit["edit"]["changes"]
    [added] = changes[session.uri.replace("main.tex", "refs.bib")]
    # The item itself leaves the placeholder if a command is to cite, which knows more by then.
    [cited] = [*changes.get(session.uri, ()), *([item["textEdit"]] if session.uri not in changes else ())]
    return cited["newText"], added["newText"], item


def test_it_is_looked_up_where_the_author_lets_titles_be_sent(session, world):
    cited, written, item = accepted(session(online={"suggest": "off"}))
    assert item["textEdit"]["newText"] == "<literate programming>"
    assert cited == "{knuth1984literate}"  # by the pattern, as any other key
    assert "@article{knuth1984literate," in written
    assert "author = {Knuth, Donald E.}" in written
    assert "year = {1984}" in written
    assert KNUTH["DOI"] in written
    assert world.asked


def test_who_cancels_the_look_up_still_gets_the_work(session, world):
    running = session(online={"suggest": "off"})
    world.hangs = True
    command = next(
        it["command"] for it in completes(running, 2) if it.get("command", {}).get("command") == "citelsp.cite"
    )
    running.send("workspace/executeCommand", command, 3)
    begun = until(running, lambda it: str(it.get("params", {}).get("value")).startswith("{'title': 'Looking up"))
    running.send("window/workDoneProgress/cancel", {"token": begun["params"]["token"]})
    assert "error" not in until(running, lambda it: it.get("id") == 3 and "method" not in it)
    [edit] = said(running, "workspace/applyEdit")
    assert "title = {Literate Programming in Practice}" in str(edit)


@pytest.mark.parametrize("settings", [{"offline": True}, {"online": {"verify": "off", "suggest": "off"}}])
def test_otherwise_the_row_says_that_only_the_title_is_known(session, world, settings):
    cited, written, item = accepted(session(**settings))
    assert cited == "{literateprogramming}"
    assert "title = {Literate Programming in Practice}" in written
    assert "author" not in written
    assert "title only" in str(item)
    assert not world.asked


def test_a_quick_fix_asks_before_it_writes(session):
    running = session(online={"suggest": "off"})
    completes(running, 2)
    place = {"line": 3, "character": PLACEHOLDER.splitlines()[3].index("<") + 1}
    asked = {
        "textDocument": {"uri": running.uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
    }
    running.send("textDocument/codeAction", asked, 3)
    actions = running.wait(lambda it: it.get("id") == 3 and "method" not in it)["result"]
    [action] = [it for it in actions if it["title"].startswith("Cite ")]
    assert action["command"]["command"] == "citelsp.cite"
    calls(running, 4, "citelsp.cite", *action["command"]["arguments"])
    [edit] = said(running, "workspace/applyEdit")
    assert "Knuth, Donald E." in str(edit)


@pytest.mark.parametrize(
    ("name", "text", "cited"),
    [
        ("notes.md", "---\nbibliography: refs.bib\n---\n\nSo [@<literate programming>].\n", "@knuth1984literate"),
        ("a.typ", '#bibliography("refs.bib")\n\n\n\nSo @<literate programming>.\n', "@knuth1984literate"),
        ("a.org", "#+bibliography: refs.bib\n\n\n\nSo [cite:@<literate programming>].\n", "@knuth1984literate"),
    ],
)
def test_in_every_language_the_command_finds_its_placeholder(session, tmp_path, name, text, cited):
    running = session(online={"suggest": "off"})
    running.uri = (tmp_path / "work" / name).as_uri()
    running.open(running.uri, text)
    place = {"line": 4, "character": text.splitlines()[4].index("<") + 3}
    asked = {"textDocument": {"uri": running.uri}, "position": place}
    running.send("textDocument/completion", asked, 2)
    items = running.answer(2)["result"]["items"]
    command = next(it["command"] for it in items if it.get("command", {}).get("command") == "citelsp.cite")
    assert "error" not in calls(running, 3, command["command"], *command["arguments"])
    [edit] = said(running, "workspace/applyEdit")
    [written] = edit["edit"]["changes"][running.uri]
    assert written["newText"] == cited


@pytest.mark.parametrize(("settings", "ghosts"), [({"online": {"suggest": "off"}}, 0), ({"offline": True}, 1)])
def test_no_ghost_text_shows_a_key_that_a_look_up_would_change(session, settings, ghosts):
    running = session(**settings)
    place = {"line": 3, "character": PLACEHOLDER.splitlines()[3].index("<") + 1}
    asked = {"textDocument": {"uri": running.uri}, "position": place, "context": {"triggerKind": 1}}
    running.send("textDocument/inlineCompletion", asked, 2)
    assert len(running.answer(2)["result"]) == ghosts
