"""What the server does with the services: on save, on command, cancelled, offline."""

import re
import sys
import time
from operator import itemgetter
from pathlib import Path
from urllib.parse import unquote_plus

import pytest

import crossref_server
from online_session import (
    CAPABLE,
    KNUTH,
    MAIN,
    PLACEHOLDER,
    POSITION,
    REFS,
    calls,
    completes,
    reports,
    retyped,
    said,
    save,
    until,
)
from server_session import tasks

pytestmark = pytest.mark.online


def test_saving_checks_what_is_cited(editor, world):
    session = editor()
    save(session)
    until(session, reports("wrong-year"))
    assert [it["value"].get("message") for it in said(session, "$/progress")][-2:] == ["1 of 1 references", None]
    assert not any("Never" in it for it in world.asked)


def test_saving_a_notebook_checks_what_its_cells_cite(editor):
    session = editor({**CAPABLE, "notebookDocument": {"synchronization": {}}})
    notebook = session.uri.replace("main.tex", "a.ipynb")
    cell = notebook.replace("file:", "vscode-notebook-cell:") + "#W0"
    text = "---\nbibliography: refs.bib\n---\n\nSee [@knuth84]."
    session.send(
        "notebookDocument/didOpen",
        {
            "notebookDocument": {
                "uri": notebook,
                "notebookType": "jupyter-notebook",
                "version": 1,
                "cells": [{"kind": 1, "document": cell}],
            },
            "cellTextDocuments": [{"uri": cell, "languageId": "markdown", "version": 1, "text": text}],
        },
    )
    session.send("notebookDocument/didSave", {"notebookDocument": {"uri": notebook}})
    until(session, reports("wrong-year"))


def test_the_services_are_named_once(editor):
    session = editor()
    save(session)
    until(session, reports("wrong-year"))
    [notice] = said(session, "window/showMessage")
    assert "titles, authors and identifiers go to Crossref." in notice["message"]
    again = editor()
    calls(again, 2, "citelsp.verify", again.uri)
    assert not said(again, "window/showMessage")


def test_what_was_learnt_is_shown_on_opening_and_not_asked_again(editor, world):
    session = editor()
    assert calls(session, 2, "citelsp.verify", session.uri)["result"].startswith("1 mismatch")
    asked = len(world.asked)
    until(editor(), reports("wrong-year"))
    assert calls(editor(), 2, "citelsp.verify", session.uri)["result"].startswith("1 mismatch")
    assert len(world.asked) == asked


def test_verification_on_command_alone(editor, world):
    session = editor(online={"verify": "command"})
    save(session)
    until(session, reports("undefined-citation"))
    wait_for(lambda: any(it.startswith("verify") for it in tasks("has ended")))
    assert not world.asked
    assert calls(session, 2, "citelsp.verify", session.uri)["result"].startswith("1 mismatch")


def test_verification_switched_off(editor, world):
    session = editor(online={"verify": "off"})
    save(session)
    assert "off" in calls(session, 2, "citelsp.verify", session.uri)["error"]["message"]
    assert not world.asked


def test_offline_nothing_is_asked(editor, world):
    session = editor(offline=True)
    save(session)
    assert calls(session, 2, "citelsp.verify", session.uri)["result"] == "1 not yet checked"
    assert not world.asked


def test_a_bibliography_is_verified_whole_on_command(editor, world):
    session = editor()
    result = calls(session, 2, "citelsp.verify", session.uri.replace("main.tex", "refs.bib"))["result"]
    assert result.startswith("1 mismatch, ")
    assert any("Never" in it for it in world.asked)


def test_cancelling_frees_the_editor(editor, world):
    world.hangs = True
    session = editor()
    save(session)
    begun = until(session, lambda it: it.get("method") == "$/progress")
    began = time.monotonic()
    session.send("window/workDoneProgress/cancel", {"token": begun["params"]["token"]})
    until(session, lambda it: it.get("method") == "$/progress" and it["params"]["value"]["kind"] == "end")
    assert time.monotonic() - began < 10


def test_services_are_searched_on_command(editor, world):
    world.works["10.1000/web"] = crossref_server.work(
        "10.1000/web", "Literate Programming on the Web", "Doe", "Jo", 1999
    )
    session = retyped(editor())
    *_, last = completes(session, 2)
    assert last["label"].startswith("Search online for “literate programming")
    [words] = re.findall("“(.*)”", last["documentation"])  # all of them, however wide the list is
    assert not world.asked
    assert last["command"]["command"] == "citelsp.searchOnline"
    assert calls(session, 3, "citelsp.searchOnline", *last["command"]["arguments"])["result"] == 2
    assert any(words in unquote_plus(it) for it in world.asked), world.asked
    items = completes(session, 4)
    assert any("Literate Programming on the Web" in it["label"] for it in items)
    assert not any("Search online" in it["label"] for it in items)
    assert any("scholarly services. They are Crossref" in it["message"] for it in said(session, "window/showMessage"))


def test_what_an_editor_shows_of_a_list_at_first_has_the_search_and_what_it_came_to(editor, world, tmp_path):
    with (tmp_path / "work" / "refs.bib").open("a") as refs:
        refs.write("@book{knuth92, title = {Literate Programming}, author = {Knuth, Donald}, year = 1992}\n")
    for number in range(14):
        doi = f"10.1000/{number}"
        world.works[doi] = crossref_server.work(doi, f"Literate Programming, Part {number}", "Doe", "Jo", 1990 + number)
    picking = CAPABLE | {"experimental": {"commands": {"commands": ["citelsp.pickWorks"]}}}
    session = retyped(editor(picking))
    in_order = sorted(completes(session, 2), key=itemgetter("sortText", "label"))  # as editors order them
    assert [it["label"].split()[0] for it in in_order[-2:]] == ["Search", "Pick"]
    [search] = [it["command"] for it in completes(session, 3) if it["label"].startswith("Search online")]
    calls(session, 4, "citelsp.searchOnline", *search["arguments"])
    labels = [it["label"] for it in sorted(completes(session, 5), key=itemgetter("sortText", "label"))]
    assert len(labels) > 12, "rows that VS Code shows"
    assert labels[10].startswith("Found "), labels


def test_what_the_label_says_is_searched_whatever_is_typed_meanwhile(editor, world):
    session = retyped(editor())
    *_, last = completes(session, 2)
    later = PLACEHOLDER.replace("literate programming", "literate progress")
    change = {"textDocument": {"uri": session.uri, "version": 3}, "contentChanges": [{"text": later}]}
    session.send("textDocument/didChange", change)
    calls(session, 3, "citelsp.searchOnline", *last["command"]["arguments"])
    assert any("literate+programming" in it for it in world.asked)


NEOVIM_11, NEOVIM_12 = ({"name": "Neovim", "version": it} for it in ("0.11.4", "0.12.0"))


@pytest.mark.parametrize(
    ("client", "more", "text"),
    [
        (None, {}, "<literate programming>"),
        (None, {"experimental": {"commands": {"commands": ["citelsp.reopenList"]}}}, "<"),
        (NEOVIM_11, {}, "<"),
        (NEOVIM_12, {}, "<"),
    ],
    ids=["any", "vscode", "0.11", "0.12"],
)
def test_searching_leaves_the_text_as_it_is(editor, client, more, text):
    """And touches nothing behind the cursor where the editor allows that."""
    *works, last = completes(retyped(editor(CAPABLE | more, client=client)), 2)
    assert {it["filterText"] for it in works} == {last["filterText"]} == {"<"}  # what fits better would come first
    start = POSITION["character"] - 1
    line = PLACEHOLDER.splitlines()[3]
    written = last["textEdit"]
    assert written["newText"] == text == line[start : written["range"]["end"]["character"]]
    assert written["range"]["start"] == POSITION | {"character": start}


def test_neovim_gets_whole_words_as_a_snippet(editor):
    """Version 0.11 writes of an edit what stands before its first space."""
    typed = r"<a $b$ d\e}"
    text = PLACEHOLDER.replace("<literate programming", typed)
    session = editor(client=NEOVIM_11)
    session.send(
        "textDocument/didChange",
        {"textDocument": {"uri": session.uri, "version": 2}, "contentChanges": [{"text": text}]},
    )
    *_, last = completes(session, 2, POSITION["character"] - 1 + len(typed))
    assert last["insertTextFormat"] == 2
    assert last["filterText"] == typed
    assert last["textEdit"]["newText"] == r"<a \$b\$ d\\e\}"


@pytest.mark.parametrize(("client", "idle"), [(None, False), (NEOVIM_11, True), (NEOVIM_12, True)])
def test_neovim_runs_commands_at_once(editor, client, idle):
    """It resolves an accepted item that has no further edits, and forgets its command if a key is typed meanwhile."""
    *_, last = completes(retyped(editor(client=client)), 2)
    start = last["textEdit"]["range"]["start"]
    nothing = [{"range": {"start": start, "end": start}, "newText": ""}]
    assert last.get("additionalTextEdits") == (nothing if idle else None)


def test_services_are_searched_after_a_pause_where_the_author_wants(editor, world):
    world.works["10.1000/web"] = crossref_server.work(
        "10.1000/web", "Literate Programming on the Web", "Doe", "Jo", 1999
    )
    session = retyped(editor(online={"suggest": "auto"}))
    assert not any("Search online" in it["label"] for it in completes(session, 2))
    until(session, lambda it: it.get("method") == "$/progress" and it["params"]["value"]["kind"] == "end")
    assert any("on the Web" in it["label"] for it in completes(session, 3))


@pytest.mark.parametrize("settings", [{"offline": True}, {"online": {"suggest": "off"}}])
def test_services_are_not_searched_where_the_author_does_not_want(editor, world, settings):
    session = retyped(editor(**settings))
    assert not any("Search online" in it["label"] for it in completes(session, 2))
    argument = {"uri": session.uri, "position": POSITION}
    assert "disabled by the settings" in calls(session, 3, "citelsp.searchOnline", argument)["error"]["message"]
    assert calls(session, 4, "citelsp.suggest", session.uri)["result"] == 1
    assert not world.asked


RESOLVING = {"textDocument": {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}}}


def offered(session, what, number):
    """The action that looks up what stands at a place of the manuscript."""
    start = {"line": 3, "character": MAIN.splitlines()[3].index(what) + 2}
    asked = {"textDocument": {"uri": session.uri}, "range": {"start": start, "end": start}}
    session.send("textDocument/codeAction", asked | {"context": {"diagnostics": []}}, number)
    found = until(session, lambda it: it.get("id") == number and "method" not in it)["result"]
    [action] = [it for it in found if it["title"].startswith("Look up")]
    return action


def test_an_entry_for_a_key_that_has_none(editor, world):
    world.works["10.1000/no"] = crossref_server.work("10.1000/no", "As Shown by Nobody", "Nobody", "Ann", 1999)
    session = editor()
    action = offered(session, "nobody99", 2)
    assert not world.asked
    calls(session, 3, action["command"]["command"], *action["command"]["arguments"])
    [question] = said(session, "window/showMessageRequest")
    assert question["actions"] == [{"title": "Nobody 1999: As Shown by Nobody"}]
    [edit] = said(session, "workspace/applyEdit")
    assert "@article{nobody99," in str(edit)


def test_an_editor_that_resolves_actions_gets_the_edit_when_one_is_chosen(editor, world):
    world.works["10.1000/no"] = crossref_server.work("10.1000/no", "As Shown by Nobody", "Nobody", "Ann", 1999)
    session = editor(CAPABLE | RESOLVING)
    action = offered(session, "nobody99", 2)
    assert not {"command", "edit"} & action.keys()
    assert not world.asked
    session.send("codeAction/resolve", action, 3)
    changes = until(session, lambda it: it.get("id") == 3 and "method" not in it)["result"]["edit"]["changes"]
    [edit] = changes[session.uri.replace("main.tex", "refs.bib")]
    assert "@article{nobody99,\n  author = {Nobody, Ann}," in edit["newText"]
    assert not said(session, "workspace/applyEdit")


def test_a_key_that_nobody_knows(editor):
    session = editor(CAPABLE | RESOLVING)
    session.send("codeAction/resolve", offered(session, "nobody99", 2), 3)
    answer = until(session, lambda it: it.get("id") == 3 and "method" not in it)
    assert "not found by Crossref" in answer["error"]["message"]


def test_a_retracted_work_is_said_to_be_one(editor, world):
    world.works["10.1000/gone"] = crossref_server.work("10.1000/gone", "RETRACTED: On Gone Things", "Doe", "Jo", 2001)
    session = editor()
    calls(session, 2, "citelsp.insert", session.uri, "10.1000/gone")
    told = [it["message"] for it in said(session, "window/showMessage")]
    assert "citelsp: On Gone Things. This work was retracted, says Crossref." in told


def test_a_retracted_work_is_marked_in_the_list_of_keys(editor, world):
    doi = KNUTH["DOI"]
    world.works[doi] = crossref_server.work(doi, f"RETRACTED: {KNUTH['title'][0]}", "Knuth", "Donald E.", 1984)
    session = editor()
    save(session)
    until(session, reports("retracted-work"))
    behind_brace = MAIN.splitlines()[3].index("{") + 1
    titles = {it["label"]: str(it) for it in completes(session, 9, behind_brace)}
    assert "✗ Knuth" in titles["knuth84"]
    assert "✗" not in titles["idle"]
    silencing = "% citelsp: ignore[retracted-work] cited as an example of one\n"
    session.open(session.uri.replace("main.tex", "refs.bib"), silencing + REFS, "bibtex")
    titles = {it["label"]: str(it) for it in completes(session, 10, behind_brace)}
    assert "Knuth" in titles["knuth84"]
    assert "✗" not in titles["knuth84"]


def test_who_gets_the_text_is_said_before_a_model_is_asked(editor):
    session = retyped(editor(model={"base_url": "http://127.0.0.1:9", "name": "m"}, online={"suggest": "off"}))
    *_, asks = completes(session, 2)
    assert asks["label"].startswith("Ask m")
    calls(session, 3, asks["command"]["command"], *asks["command"]["arguments"])
    notice = next(it["message"] for it in said(session, "window/showMessage") if "placeholders" in it["message"])
    assert notice.startswith("The text around your placeholders goes to m at 127.0.0.1.")


def test_a_work_that_the_author_names(editor, world):
    session = editor()
    assert calls(session, 2, "citelsp.insert", session.uri, "10.1093/comjnl/27.2.97")["result"] == "knuth84"
    world.works["10.1000/new"] = crossref_server.work("10.1000/new", "Brand New Results", "Doe", "Jo", 2020)
    assert calls(session, 3, "citelsp.insert", session.uri, "https://doi.org/10.1000/new")["result"] == "doe2020brand"
    [edit] = said(session, "workspace/applyEdit")
    assert "@article{doe2020brand," in str(edit)
    assert "not found" in calls(session, 4, "citelsp.insert", session.uri, "10.1000/none")["error"]["message"]


def test_completion_answers_while_requests_hang(editor, world):
    world.hangs = True
    session = editor()
    session.send("workspace/executeCommand", {"command": "citelsp.verify", "arguments": [session.uri]}, 2)
    session.send("workspace/executeCommand", {"command": "citelsp.insert", "arguments": [session.uri, "A Title"]}, 3)
    until(session, lambda it: it.get("method") == "$/progress" and it["params"]["value"]["kind"] == "report")
    until_asked(world)
    change = {"textDocument": {"uri": session.uri, "version": 2}, "contentChanges": [{"text": PLACEHOLDER}]}
    session.send("textDocument/didChange", change)
    assert any("Literate Programming" in it["label"] for it in completes(session, 4))
    assert not any(it.get("id") in (2, 3) and "result" in it for it in session.seen)


def until_asked(world):
    """Until a question reached the service."""
    wait_for(lambda: world.asked)


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="reads CPU time from /proc")
def test_fifty_hanging_questions_cost_completion_nothing_and_end_when_cancelled(editor, world):
    world.hangs = True
    session = editor({"workspace": {"applyEdit": True}})
    for number in range(50):
        asked = {"command": "citelsp.insert", "arguments": [session.uri, f"A Title Number {number}"]}
        session.send("workspace/executeCommand", asked, 100 + number)
    until_asked(world)
    place = {"line": 3, "character": MAIN.splitlines()[3].index("knuth84") + 3}
    used, times = [], 30
    for number in range(200, 200 + times):
        before = cpu(session)
        session.send("textDocument/completion", {"textDocument": {"uri": session.uri}, "position": place}, number)
        assert session.answer(number)["result"]["items"][0]["label"] == "knuth84"
        used.append(cpu(session) - before)
    assert sorted(used)[times // 2] < 16
    before = cpu(session)
    for number in range(50):
        session.send("$/cancelRequest", {"id": 100 + number})
    for number in range(50):
        assert "error" in session.ever(lambda it, number=number: it.get("id") == 100 + number)
    assert cpu(session) - before < 100


def cpu(session):
    """Milliseconds of CPU that the server has used."""
    tasks = Path(f"/proc/{session.process.pid}/task").iterdir()
    return sum(int((it / "schedstat").read_text().split()[0]) for it in tasks) / 1e6
