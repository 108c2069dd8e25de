"""Beginnings, ends and bad messages, spoken by hand to a real process."""

import io
import json
import sqlite3

import pytest

import forked_programs
from citelsp.server.transport import Output
from server_session import Session


@pytest.fixture
def session():
    session = Session()
    yield session
    end(session)


@pytest.fixture(scope="module")
def started():
    """One server, with settings it cannot use, for every test that asks it something and leaves it running."""
    session = Session()
    bad = {"completion": {"limit": "many"}, "colour": "blue"}
    capabilities = {"workspace": {"configuration": True}, "window": {"workDoneProgress": True}}
    session.initialize(capabilities, initializationOptions=bad)
    asked = session.wait(lambda it: it.get("method") == "workspace/configuration")
    session.reply(asked["id"], [None])
    yield session
    end(session)


def end(session):
    session.process.stdin.close()
    session.process.stdout.close()
    session.process.wait(60)


def test_shutdown_and_exit(session):
    session.initialize()
    session.send("shutdown", None, 2)
    assert session.answer(2)["result"] is None
    session.send("exit")
    assert session.process.wait(60) == 0


def test_a_request_before_initialize_is_refused_as_such(session):
    document = {"textDocument": {"uri": "file:///a.tex"}, "position": {"line": 0, "character": 0}}
    for number, params in ((7, document), (8, {"wrong": 1}), (9, None)):
        session.send("textDocument/hover", params, number)
        assert session.answer(number)["error"]["code"] == -32002
    session.send("textDocument/didOpen", {"textDocument": {"uri": "file:///a.tex"}})
    session.write({"id": 99, "result": None})
    session.initialize()
    session.send("textDocument/hover", document, 10)
    assert session.answer(10)["result"] is None
    assert not [it for it in session.seen if it.get("id") == 99]


def test_a_line_of_a_header_that_is_longer_than_any_is_passed_over(session):
    session.process.stdin.write(b"X: " + b"x" * 200_000 + b"\r\n")
    session.initialize()
    session.send("shutdown", None, 2)
    assert session.answer(2)["result"] is None


def test_a_malformed_initialize_is_told_what_is_wrong(session):
    session.send("initialize", {"processId": "mine", "rootUri": None, "capabilities": {}}, 3)
    assert session.answer(3)["error"]["code"] == -32602
    session.send("textDocument/hover", {"wrong": 1}, 4)
    assert session.answer(4)["error"]["code"] == -32002
    session.initialize()


def test_exit_without_shutdown_is_an_error(session):
    session.initialize()
    session.send("exit")
    assert session.process.wait(60) == 1


def test_end_of_input_ends_the_process():
    session = Session()
    session.initialize()
    session.process.stdin.close()
    assert session.process.wait(60) == 1
    session.process.stdout.close()


def test_an_editor_that_leaves_at_once_costs_one_line_of_the_log(tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    session = Session()
    session.process.stdout.close()
    session.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
    session.process.stdin.close()
    session.process.wait(60)
    log = (tmp_path / "citelsp.log").read_text(encoding="utf-8")
    assert log.count("the editor is gone") == 1
    assert "Traceback" not in log


def test_what_jobs_say_after_the_end_is_dropped():
    stdout = io.BytesIO()
    output = Output(stdout)
    output.write(b"before")
    assert stdout.getvalue() == b"before"
    output.close()
    output.write(b"after")


def test_positions_without_negotiation_count_utf16(started):
    started.open("untitled:a", "😀 \\cite{x}\n")
    started.send("textDocument/documentSymbol", {"textDocument": {"uri": "untitled:a"}}, 2)
    assert started.answer(2)["result"] == []


def test_a_malformed_request_is_answered_with_an_error(started):
    started.send("textDocument/hover", {"textDocument": 3}, 2)
    assert started.answer(2)["error"]["code"] == -32602
    started.send(
        "textDocument/hover", {"textDocument": {"uri": "untitled:a"}, "position": {"line": 9, "character": 9}}, 3
    )
    assert started.answer(3)["result"] is None


@pytest.mark.parametrize("reply", [None, {"citelsp": {}}, [None], "nonsense", [3, 4]])
def test_malformed_settings_replies_are_no_trouble(started, reply):
    started.send("workspace/didChangeConfiguration", {"settings": None})
    asked = started.wait(lambda it: it.get("method") == "workspace/configuration")
    started.reply(asked["id"], reply)
    started.send(
        "textDocument/hover", {"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 0}}, 2
    )
    assert "error" not in started.answer(2)


def test_settings_hold_as_they_were_if_the_editor_refuses_to_tell_them(session):
    def ask():
        return session.wait(lambda it: it.get("method") == "workspace/configuration")["id"]

    def name_problem():
        return session.wait(lambda it: it.get("method") == "window/showMessage")["params"]["message"]

    refused = {"error": {"code": -32601, "message": "no such method"}}
    capabilities = {"workspace": {"configuration": True}}
    session.initialize(capabilities, initializationOptions={"completion": {"limit": "many"}})
    session.write({"id": ask(), **refused})
    assert "completion.limit" in name_problem()
    session.send("workspace/didChangeConfiguration", {"settings": None})
    session.reply(ask(), [{"colour": "blue"}])
    assert "colour" in name_problem()
    session.send("workspace/didChangeConfiguration", {"settings": None})
    session.write({"id": ask(), **refused})
    assert "colour" in name_problem()


def test_settings_sent_unasked_hold_when_a_folder_gets_others(session, tmp_path):
    def name_problem():
        return session.wait(lambda it: it.get("method") == "window/showMessage")["params"]["message"]

    session.initialize({}, rootUri=tmp_path.as_uri())
    session.send("workspace/didChangeConfiguration", {"settings": {"citelsp": {"colour": "blue"}}})
    assert "colour" in name_problem()
    (tmp_path / ".citelsp.toml").write_text("shape = 'round'\n")
    changed = {"uri": (tmp_path / ".citelsp.toml").as_uri(), "type": 1}
    session.send("workspace/didChangeWatchedFiles", {"changes": [changed]})
    message = name_problem()
    assert "shape" in message
    assert "colour" in message


def test_bad_settings_are_named_to_the_author(started):
    shown = started.ever(lambda it: it.get("method") == "window/showMessage")["params"]["message"]
    assert "completion.limit" in shown
    assert "colour" in shown


def test_bibliographies_alone_are_laid_out_if_the_editor_can_be_told_so(session):
    once = {"dynamicRegistration": True}
    announced = session.initialize({"textDocument": {"formatting": once, "rangeFormatting": once}})["capabilities"]
    assert not {"documentFormattingProvider", "documentRangeFormattingProvider"} & set(announced)
    asked = session.ever(lambda it: it.get("method") == "client/registerCapability")
    session.reply(asked["id"], None)
    registered = {it["method"]: it["registerOptions"] for it in asked["params"]["registrations"]}
    assert list(registered) == ["textDocument/formatting", "textDocument/rangeFormatting"]
    for options in registered.values():
        assert {"language": "bib"} in options["documentSelector"]
        assert not [it for it in options["documentSelector"] if it.get("language") == "latex"]
    session.open("untitled:a.bib", "@book{a,title={A}}\n", "bibtex")
    layout = {"tabSize": 2, "insertSpaces": True}
    session.send("textDocument/formatting", {"textDocument": {"uri": "untitled:a.bib"}, "options": layout}, 2)
    assert session.answer(2)["result"]


def test_an_editor_that_cannot_be_told_so_hears_of_formatting_at_once(session):
    announced = session.initialize({"textDocument": {"formatting": {}, "rangeFormatting": {}}})["capabilities"]
    assert announced["documentFormattingProvider"]
    assert announced["documentRangeFormattingProvider"]


def test_a_request_can_be_cancelled(started):
    started.open("untitled:b", "See \\cite<one> and \\cite<two>.\n")
    started.send("workspace/executeCommand", {"command": "citelsp.suggest", "arguments": ["untitled:b"]}, 2)
    started.wait(lambda it: it.get("method") == "window/workDoneProgress/create")
    started.send("$/cancelRequest", {"id": 2})
    assert started.answer(2)["error"]["code"] == -32800


def test_a_question_is_about_the_text_of_its_moment(started):
    """Also where the next change comes in one piece with it."""
    started.open("untitled:d", "\\section{One}\n")
    document = {"textDocument": {"uri": "untitled:d", "version": 2}}
    started.write(
        {"id": 2, "method": "textDocument/documentSymbol", "params": document},
        {"method": "textDocument/didChange", "params": document | {"contentChanges": [{"text": "None."}]}},
        {"id": 3, "method": "textDocument/documentSymbol", "params": document},
    )
    assert [it["name"] for it in started.answer(2)["result"]] == ["One"]
    assert started.answer(3)["result"] == []


def test_cancelling_the_progress_stops_the_work(started):
    started.open("untitled:c", "See " + "".join(f"\\cite<words {it}> " for it in range(150)) + "\n")
    started.send("workspace/executeCommand", {"command": "citelsp.suggest", "arguments": ["untitled:c"]}, 2)
    created = started.wait(lambda it: it.get("method") == "window/workDoneProgress/create")
    started.reply(created["id"], None)
    started.wait(lambda it: it.get("method") == "$/progress" and it["params"]["value"]["kind"] == "report")
    started.send("window/workDoneProgress/cancel", {"token": created["params"]["token"]})
    assert started.answer(2)["error"]["code"] == -32800
    told = [it["params"] for it in started.seen if it.get("method") == "$/progress"]
    assert [it["value"]["kind"] for it in told if it["token"] == created["params"]["token"]].count("end") == 1


def test_work_is_done_without_a_bar_if_the_editor_refuses_to_show_one(started):
    started.open("untitled:e", "See \\cite<one> and \\cite<two>.\n")
    started.send("workspace/executeCommand", {"command": "citelsp.suggest", "arguments": ["untitled:e"]}, 2)
    created = started.wait(lambda it: it.get("method") == "window/workDoneProgress/create")
    started.write({"id": created["id"], "error": {"code": -32603, "message": "no room for a bar"}})
    assert "error" not in started.answer(2)
    token = created["params"]["token"]
    assert not [it for it in started.seen if it.get("method") == "$/progress" and it["params"]["token"] == token]


def test_a_corpus_of_another_format_costs_one_message(session, tmp_path):
    with sqlite3.connect(tmp_path / "works.sqlite") as future:
        future.execute("PRAGMA user_version = 99")
    future.close()
    session.initialize(initializationOptions={"offline": True, "corpus": {"path": str(tmp_path)}})
    session.open("untitled:a", "See \\cite<one> and \\cite<two>.\n")
    for number, column in ((2, 12), (3, 27)):
        where = {"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": column}}
        session.send("textDocument/completion", where, number)
        assert "error" not in session.answer(number)
    [told] = [it["params"]["message"] for it in session.seen if it.get("method") == "window/showMessage"]
    assert "format 99" in told
    assert "\n" not in told


def test_tcp(tmp_path):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = forked_programs.start("serve", "--tcp", f"127.0.0.1:{port}")
    try:
        body = json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
        ).encode()
        with connected(port) as editor, editor.makefile("rb") as answers:
            editor.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            assert answers.readline().startswith(b"Content-Length")
        assert process.wait(60) == 1
    finally:
        process.kill()
        process.wait()


def connected(port):
    import socket
    import time

    for _ in range(1200):
        try:
            return socket.create_connection(("127.0.0.1", port), 10)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise AssertionError("the server does not listen")
