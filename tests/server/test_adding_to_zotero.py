"""Add to Zotero: offered while its connector answers, and what is sent there."""

import time

import pytest

import zotero_server
from online_session import MAIN, calls, said, until

KEY = {"line": 3, "character": MAIN.splitlines()[3].index("knuth84") + 1}
OTHER = {"line": 3, "character": MAIN.splitlines()[3].index("nobody99") + 1}


@pytest.fixture
def zotero():
    running = zotero_server.Zotero(keyed=[])
    yield running
    running.close()


@pytest.fixture
def offered(editor, world, zotero):
    """offered(place) → the session, and what is offered there once Zotero was asked."""
    numbers = iter(range(100, 10_000))

    def ask(session, place):
        range_ = {"start": place, "end": place}
        params = {"textDocument": {"uri": session.uri}, "range": range_, "context": {"diagnostics": []}}
        number = next(numbers)
        session.send("textDocument/codeAction", params, number)
        answer = until(session, lambda it: it.get("id") == number and "method" not in it)
        return [it for it in answer["result"] if "Zotero" in it["title"]]

    def start(place=KEY, offers=True, **settings):
        services = world.settings()["services"] | {"zotero": {"enabled": True, "base_url": zotero.address}}
        session = editor(services=services, **settings)
        found, end = ask(session, place), time.monotonic() + 60
        while offers and not found and time.monotonic() < end:
            time.sleep(0.05)
            found = ask(session, place)
        return session, found or ask(session, place)

    return start


def messages(session):
    """Those shown before the answer of the last command."""
    return [it["message"] for it in said(session, "window/showMessage")]


def test_an_entry_goes_to_zotero_as_it_is_written(offered, zotero):
    session, [action] = offered()
    assert action["title"] == "Add knuth84 to Zotero"
    command = action["command"]
    assert calls(session, 3, command["command"], *command["arguments"])["result"] == "knuth84"
    [sent] = zotero.imported
    assert sent.startswith("@article{knuth84,\n  author = {Knuth, Donald E.},")
    assert "citelsp: Added knuth84 to Zotero." in messages(session)


def test_what_zotero_has_is_not_added_again(offered, zotero):
    title = "Literate Programming in Practice"
    zotero.keyed = [{"citekey": "k", "type": "article-journal", "title": title, "issued": {"date-parts": [[1990]]}}]
    session, [action] = offered()
    calls(session, 3, action["command"]["command"], *action["command"]["arguments"])
    assert "citelsp: Zotero has knuth84 already." in messages(session)
    assert not zotero.imported


def test_nothing_is_offered_where_there_is_no_entry(offered):
    assert offered(OTHER, offers=False)[1] == []


def test_nothing_is_offered_while_zotero_does_not_run(offered, zotero):
    zotero.close()
    assert offered(offers=False)[1] == []


def test_nothing_is_asked_offline(offered, zotero):
    assert offered(offers=False, offline=True)[1] == []
    assert not zotero.asked
