"""What nobody answered is asked again: at placeholders, on saving, at once by hand, and after the settings changed."""

import json

import pytest

import crossref_server
from model_server import completion, serving_in_thread
from online_session import MAIN, POSITION, REFS, calls, completes, reports, retyped, said, save, until

pytestmark = pytest.mark.online


def actions(session, number):
    asked = {"textDocument": {"uri": session.uri}, "range": {"start": POSITION, "end": POSITION}}
    session.send("textDocument/codeAction", asked | {"context": {"diagnostics": []}}, number)
    return until(session, lambda it: it.get("id") == number and "method" not in it)["result"]


def test_a_search_that_nobody_answered_is_tried_again(editor, world):
    world.works["10.1000/web"] = crossref_server.work(
        "10.1000/web", "Literate Programming on the Web", "Doe", "Jo", 1999
    )
    world.storms, world.dice = 1.0, NothingButErrors()
    session = retyped(editor())
    *_, last = completes(session, 2)
    calls(session, 3, last["command"]["command"], *last["command"]["arguments"])
    said_so = [
        it["message"] for it in said(session, "window/showMessage") if "No answer from Crossref" in it["message"]
    ]
    assert said_so[-1].endswith("“Try again” in the list asks once more.")
    world.storms = 0.0
    [again] = [it for it in completes(session, 4) if it["label"].startswith("Try again: search online for “literate")]
    assert again["command"]["title"] in [it["title"] for it in actions(session, 5)]
    assert calls(session, 6, again["command"]["command"], *again["command"]["arguments"])["result"] == 2
    items = completes(session, 7)
    assert any("Programming on the Web" in it["label"] for it in items)
    assert not [it for it in items if it["label"].startswith("Try again")]


class NothingButErrors:
    """Dice that fall on an error each time."""

    def random(self):
        return 0.0

    def choice(self, of):
        return "error" if "error" in of else of[0]


def test_other_settings_ask_again_at_placeholders_searched_before(editor, world):
    session = retyped(editor(services={"crossref": {"enabled": False}}))
    calls(session, 2, "citelsp.searchOnline", {"uri": session.uri, "position": POSITION})
    assert not [it for it in completes(session, 3) if it["label"].startswith("Search online")]
    session.send("workspace/didChangeConfiguration", {"settings": {"citelsp": world.settings()}})
    assert [it for it in completes(session, 4) if it["label"].startswith("Search online")]


def test_what_nobody_answered_on_saving_is_said_and_asked_at_once_by_hand(editor, world):
    world.storms, world.dice = 1.0, NothingButErrors()
    session = editor()
    save(session)
    heard = until(session, lambda it: "No answer from Crossref: 1 reference is unchecked" in str(it.get("params")))
    number = len(world.asked)
    world.storms = 0.0
    start = {"line": 3, "character": MAIN.splitlines()[3].index("knuth84") + 2}
    asked = {"textDocument": {"uri": session.uri}, "range": {"start": start, "end": start}}
    session.send("textDocument/codeAction", asked | {"context": {"diagnostics": []}}, 2)
    found = until(session, lambda it: it.get("id") == 2 and "method" not in it)["result"]
    [again] = [it for it in found if it["title"] == "Check references now"]
    assert f"“{again['title']}” asks at once." in heard["params"]["message"], "by the name that every editor shows"
    assert calls(session, 3, again["command"]["command"], *again["command"]["arguments"])["result"].startswith("1 mis")
    assert len(world.asked) > number


def test_one_outage_is_said_once_however_often_is_saved(editor, world, tmp_path):
    session, numbers = editor(), iter(range(2, 100))

    def heard(storms, number):
        """What was said of silent services, by now, after an entry was changed and saved."""
        world.storms, world.dice = storms, NothingButErrors()
        (tmp_path / "work" / "refs.bib").write_text(REFS.replace("27.2.97", f"27.2.{number}"))
        save(session)
        until(session, lambda it: (it.get("params") or {}).get("value", {}).get("kind") == "end")
        calls(session, next(numbers), "citelsp.overview", session.uri)
        return len([it for it in said(session, "window/showMessage") if "No answer" in it["message"]])

    assert [heard(1.0, 1), heard(1.0, 2), heard(1.0, 3)] == [1, 1, 1]
    world.storms = 0.0
    calls(session, next(numbers), "citelsp.verify", session.uri)
    assert heard(1.0, 4) == 2


def test_one_outage_is_said_once_though_other_references_are_known(editor, world, tmp_path):
    bibliography = tmp_path / "work" / "refs.bib"
    first, numbers = editor(), iter(range(2, 100))
    calls(first, next(numbers), "citelsp.verify", first.uri)
    session = editor()
    until(session, reports("wrong-year"))  # recalled from what the first session learnt

    def heard(number):
        """What was said of silent services, by now, after an entry was changed and saved."""
        changed = f"@misc{{nobody99, author = {{Nobody, Ann}}, title = {{As Shown by Number {number}}}}}\n"
        bibliography.write_text(REFS + changed)
        save(session)
        until(session, lambda it: (it.get("params") or {}).get("value", {}).get("kind") == "end")
        save(session)  # the changed entry was asked about just now, and is left alone
        calls(session, next(numbers), "citelsp.overview", session.uri)
        return len([it for it in said(session, "window/showMessage") if "No answer" in it["message"]])

    world.storms, world.dice = 1.0, NothingButErrors()
    assert [heard(1), heard(2), heard(3)] == [1, 1, 1]


def test_one_outage_is_said_once_though_all_references_of_another_manuscript_are_known(editor, world, tmp_path):
    folder, numbers = tmp_path / "work", iter(range(2, 100))
    talk = (folder / "talk.tex").as_uri()
    (folder / "talk.tex").write_text(MAIN.replace("refs.bib", "talk.bib"))
    (folder / "talk.bib").write_text(REFS)
    first = editor()
    calls(first, next(numbers), "citelsp.verify", first.uri)
    session = editor()
    session.open(talk, MAIN.replace("refs.bib", "talk.bib"))
    until(session, reports("wrong-year"))  # recalled from what the first session learnt
    world.storms, world.dice = 1.0, NothingButErrors()
    (folder / "refs.bib").write_text(REFS.replace("27.2.97", "27.2.98"))
    save(session)
    until(session, lambda it: "No answer from Crossref" in str(it.get("params")))
    main = session.uri
    for session.uri in (talk, main, talk, main):
        save(session)
        calls(session, next(numbers), "citelsp.overview", session.uri)
    assert len([it for it in said(session, "window/showMessage") if "No answer" in it["message"]]) == 1


def test_an_editor_that_can_choose_is_asked_for_as_long_as_it_takes(editor, world):
    world.works["10.1000/no"] = crossref_server.work("10.1000/no", "As Shown by Nobody", "Nobody", "Ann", 1999)
    chooses = {"experimental": {"commands": {"commands": ["citelsp.choose"]}}, "workspace": {"applyEdit": True}}
    session = editor(chooses)
    start = {"line": 3, "character": MAIN.splitlines()[3].index("nobody99") + 2}
    argument = {"uri": session.uri, "range": {"start": start, "end": start}}
    session.send("workspace/executeCommand", {"command": "citelsp.insert", "arguments": [argument]}, 2)
    question = session.wait(lambda it: it.get("method") == "citelsp/choose")
    assert question["params"]["choices"] == [{"label": "As Shown by Nobody", "detail": "Nobody 1999"}]
    session.reply(question["id"], 0)
    until(session, lambda it: it.get("id") == 2 and "method" not in it)
    [edit] = said(session, "workspace/applyEdit")
    assert "As Shown by Nobody" in str(edit)


@pytest.mark.parametrize("answer", [{"name": "As Shown by Nobody"}, "As Shown by Nobody"])
def test_a_malformed_answer_picks_no_work(editor, world, answer):
    world.works["10.1000/no"] = crossref_server.work("10.1000/no", "As Shown by Nobody", "Nobody", "Ann", 1999)
    session = editor({"workspace": {"applyEdit": True}})
    start = {"line": 3, "character": MAIN.splitlines()[3].index("nobody99") + 2}
    argument = {"uri": session.uri, "range": {"start": start, "end": start}}
    session.send("workspace/executeCommand", {"command": "citelsp.insert", "arguments": [argument]}, 2)
    question = session.wait(lambda it: it.get("method") == "window/showMessageRequest")
    session.reply(question["id"], answer)
    answered = until(session, lambda it: it.get("id") == 2 and "method" not in it)
    assert "error" not in answered
    assert answered["result"] is None


NAMED = "Programming Literature on the Web"


def naming(_):
    """A model that knows the title alone."""
    return completion(json.dumps({"choice": "", "title": NAMED, "sure": "clear", "why": "It is on the Web."}))


def test_the_title_that_a_model_named_is_looked_up_and_the_model_asked_again(editor, world):
    world.works["10.1000/web"] = crossref_server.work("10.1000/web", NAMED, "Doe", "Jo", 1989)
    world.storms, world.dice = 1.0, NothingButErrors()
    with serving_in_thread(naming) as model:
        session = retyped(editor(model={"base_url": model.url, "name": "m"}))
        calls(session, 2, "citelsp.searchOnline", {"uri": session.uri, "position": POSITION})
        first, *_, look_up, again = completes(session, 3)
        assert first["label"] == f"“{NAMED}” seems to be meant and was not found; It is on the Web."
        assert look_up["label"] == f"Look up “{NAMED}” online"
        assert again["label"].startswith("Try again: ask m and search online for “")
        titles = [it["title"] for it in actions(session, 4)]
        assert {look_up["command"]["title"], again["command"]["title"]} <= {*titles}
        asked = len(model.asked)
        assert calls(session, 5, again["command"]["command"], *again["command"]["arguments"])["result"] is not None
        assert len(model.asked) > asked
        calls(session, 6, look_up["command"]["command"], *look_up["command"]["arguments"])
        told = [it["message"] for it in said(session, "window/showMessage")][-1]
        assert told.startswith(f"citelsp: {NAMED}: could not be looked up (")
        world.storms = 0.0
        calls(session, 7, look_up["command"]["command"], *look_up["command"]["arguments"])
        first, *others = completes(session, 8)
        assert first["label"] == NAMED
        assert not [it for it in others if it["label"].startswith(("Look up", "Try again"))]
