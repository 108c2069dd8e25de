"""Messages that no editor sends: the server lives, and answers the next that is one.

`--fuzz MINUTES` sends new ones for so long.
"""

import json
import random
import sys
import threading
import time
from copy import deepcopy

import pytest

from server_session import Session

AT_ONCE, ROUNDS = 50, 8
TEXT = "\\documentclass{article}\n\\addbibresource{refs.bib}\n\\cite{a}\n"
PLACE = {"line": 2, "character": 7}
METHODS = (
    "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave",
    "textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/rename",
    "textDocument/codeAction", "textDocument/documentSymbol", "textDocument/inlayHint", "workspace/symbol",
    "workspace/executeCommand", "workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders", "completionItem/resolve", "codeAction/resolve", "$/cancelRequest",
    "$/progress", "$/setTrace", "initialize", "initialized", "textDocument/formatting", "none/such", "",
    "textDocument/diagnostic",
)  # fmt: skip
STRANGE = (
    None, True, 0, -1, 2**31, 2**63, 10**30, 1.5, 1e308, "", "x", "\ud800", "é" * 3, [], {}, [[]], [{}], {"a": {}}, "file:///",
    "untitled:Untitled-1", "file:///%00", "file://%zz", "http://x/y", {"line": -1, "character": -1},
    {"line": 10**12, "character": 10**12}, {"start": PLACE, "end": {"line": 0, "character": 0}},
)  # fmt: skip
COMMANDS = (
    "citelsp.overview",
    "citelsp.explain",
    "citelsp.evidence",
    "citelsp.works",
    "citelsp.none",
    "citelsp.insert",
)


def request(uri, dice, number):
    """One that is right."""
    document = {"uri": uri, "version": dice.choice((1, 2, 99)), "languageId": "latex", "text": TEXT}
    params = {
        "textDocument": document,
        "position": PLACE,
        "range": {"start": PLACE, "end": PLACE},
        "context": {"diagnostics": [], "includeDeclaration": True},
        "contentChanges": [{"range": {"start": PLACE, "end": PLACE}, "text": "b"}],
        "newName": "c",
        "query": "a",
        "command": dice.choice(COMMANDS),
        "arguments": [uri],
        "settings": {},
        "changes": [{"uri": uri, "type": 1}],
        "options": {"tabSize": 2, "insertSpaces": True},
    }
    return {"jsonrpc": "2.0", "id": number, "method": dice.choice(METHODS), "params": params}


def bent(message, dice):
    """The message with some values of other kinds, or without them."""
    places = list(ways(message))
    for _ in range(dice.choice((1, 1, 2, 4))):
        *way, last = dice.choice(places)
        inner = message
        for step in way:
            inner = inner[step] if isinstance(inner, dict) and step in inner else {}
        if isinstance(inner, dict) and last in inner:
            if dice.random() < 0.3:
                del inner[last]
            else:
                inner[last] = deepcopy(dice.choice(STRANGE))  # later turns bend what is inside
    return message


def ways(value, way=()):
    for name, inner in value.items():
        yield (*way, name)
        if isinstance(inner, dict):
            yield from ways(inner, (*way, name))


def body(uri, dice, number):
    """Bytes that say how long they are, and are seldom a message."""
    message = json.dumps(bent(request(uri, dice, number), dice)).encode()
    match dice.randrange(10):
        case 0:
            message = message[: dice.randrange(len(message))]
        case 1:
            message = bytes(dice.randrange(256) for _ in range(dice.randrange(200)))
        case 2:
            message = dice.choice(
                (b"", b"null", b"[]", b"{}", b"0", b'"x"', b"[1,", b"\xef\xbb\xbf{}", b"[" * 5000, b'{"a":' * 900)
            )
        case 3:
            message = b"[" + message + b"]"
    return message


@pytest.fixture
def session(tmp_path):
    (tmp_path / "refs.bib").write_text("@book{a, title = {A}}", encoding="utf-8")
    found = Session()
    found.initialize(rootUri=tmp_path.as_uri(), initializationOptions={"offline": True})
    yield found
    found.process.kill()
    found.process.communicate()


def rounds(minutes):
    ends, number = time.monotonic() + 60 * (minutes or 0), 0
    while (number < ROUNDS) if minutes is None else (time.monotonic() < ends):
        yield number
        number += 1


def test_malformed_messages_leave_the_server_alive(session, tmp_path, request, capsys):
    minutes = request.config.getoption("--fuzz")
    seed = request.config.getoption("--fuzz-seed")
    dice = random.Random(3 if minutes is None else seed)  # noqa: S311  nothing secret
    uri, done = (tmp_path / "main.tex").as_uri(), 0
    for number in rounds(minutes):
        bodies = [body(uri, dice, 10 + 1000 * number + it) for it in range(AT_ONCE)]
        written = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(it), it) for it in bodies)
        # The server may write much before it reads on: who only writes would wait for it for ever.
        writer = threading.Thread(target=send, args=(session.process.stdin, written))
        writer.start()
        last = f"last {number}"
        writer.join(0.01)
        threading.Thread(target=ask, args=(writer, session, last)).start()
        found = session.wait(lambda it, last=last: it.get("id") == last)
        assert "result" in found
        session.seen.clear()
        done += AT_ONCE
    with capsys.disabled():
        sys.stdout.write(f"{done} messages\n" if minutes else "")


def send(stream, data):
    stream.write(data)
    stream.flush()


def ask(writer, session, number):
    writer.join()
    session.send("workspace/symbol", {"query": "a"}, number)
