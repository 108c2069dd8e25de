"""Thousands of random edits and requests: nothing fails, nothing grows without bound."""

import os
import random
import sys
from pathlib import Path

import pytest

import real_server
from server_session import PATIENCE, PULLS, Session

ROUNDS = 10_000
METHODS = [
    "completion",
    "hover",
    "definition",
    "references",
    "documentSymbol",
    "documentLink",
    "diagnostic",
    "foldingRange",
]
PIECES = [
    "\\cite{",
    "\\cite<",
    "}",
    "knuth84",
    ", ",
    "\n",
    "\r\n",
    "😀",
    "@book{x,",
    "title = {",
    "% ",
    "[@",
    "é",
    "\\input{main}",
    "",
]


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process from /proc")
def test_random_edits_and_requests(tmp_path, private_home):
    for name, text in real_server.FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    session, dice = Session(), random.Random(7)  # noqa: S311  no secret: the same edits every time
    folder = [{"uri": tmp_path.as_uri(), "name": "soak"}]
    session.initialize(PULLS, workspaceFolders=folder)
    uris = {(tmp_path / name).as_uri(): text for name, text in real_server.FILES.items()}
    for uri, text in uris.items():
        session.open(uri, text, "bibtex" if uri.endswith("bib") else "latex")
    used = []
    for number in range(10, 10 + ROUNDS):
        uri = dice.choice(list(uris))
        session.send("textDocument/didChange", change(dice, uri, number))
        method = dice.choice(METHODS)
        session.send(f"textDocument/{method}", {**question(dice), "textDocument": {"uri": uri}}, number)
        answer = session.answer(number)
        assert answer.get("error", {}).get("code") in (None, -32801, -32803), answer
        session.seen.clear()
        if number % (ROUNDS // 10) == 0:
            used.append(memory(session.process.pid))
    used.append(memory(session.process.pid))
    session.send("shutdown", None, 2)
    session.answer(2)
    session.send("exit")
    assert session.process.wait(PATIENCE) == 0
    session.process.stdin.close()
    session.process.stdout.close()
    assert used[-1] - used[2] < 10, used
    logs = [it.read_text(encoding="utf-8") for it in private_home.rglob("citelsp.log")]
    assert not any("Traceback" in it for it in logs)


def change(dice, uri, version):
    start, end = sorted((dice.randrange(14), dice.randrange(12)) for _ in range(2))
    if dice.random() < 0.8:
        end = start
    range_ = {"start": place(*start), "end": place(*end)}
    text = "".join(dice.choice(PIECES) for _ in range(dice.randrange(4)))
    return {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": range_, "text": text}]}


def question(dice):
    at = place(dice.randrange(14), dice.randrange(20))
    return {
        "position": at,
        "range": {"start": at, "end": at},
        "context": {"includeDeclaration": True, "triggerKind": 1},
    }


def place(line, character):
    return {"line": line, "character": character}


def memory(process):
    """Resident megabytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20
