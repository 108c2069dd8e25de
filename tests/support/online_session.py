"""A session whose only service is on this machine, and what tests ask it."""

import pytest

import crossref_server
from server_session import DEBUG, Session

MAIN = r"""\documentclass{article}
\addbibresource{refs.bib}
\begin{document}
As shown \cite{knuth84}, \cite{nobody99}.
\end{document}
"""
REFS = """@article{knuth84,
  author = {Knuth, Donald E.},
  title = {Literate Programming in Practice},
  year = 1990,
  doi = {10.1093/comjnl/27.2.97},
}
@article{idle, author = {Nobody}, title = {Never Cited by Anyone at All}, year = 2003}
"""
KNUTH = crossref_server.work("10.1093/comjnl/27.2.97", "Literate Programming in Practice", "Knuth", "Donald E.", 1984)
CAPABLE = {"window": {"workDoneProgress": True}, "workspace": {"applyEdit": True}}


@pytest.fixture
def world():
    world = crossref_server.Scholars(KNUTH)
    yield world
    world.close()


@pytest.fixture
def editor(tmp_path, monkeypatch, world):
    """editor(**settings) → a session with the manuscript open; all share one cache and one memory of notices."""
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "refs.bib").write_text(REFS)
    (folder / "main.tex").write_text(MAIN)
    sessions = []

    def start(capabilities=CAPABLE, client=None, **settings):
        session = Session(*DEBUG)
        sessions.append(session)
        session.uri = (folder / "main.tex").as_uri()
        session.initialize(
            capabilities,
            rootUri=folder.as_uri(),
            initializationOptions=world.settings(**settings),
            **({"clientInfo": client} if client else {}),
        )
        session.open(session.uri, MAIN)
        return session

    yield start
    for session in sessions:
        session.process.stdin.close()
        session.process.stdout.close()
        session.process.wait(10)


def until(session, wanted):
    """The next message that `wanted` accepts; what the server asks meanwhile is answered with consent."""

    def seen(message):
        if "id" in message and "method" in message:
            session.reply(message["id"], consent(message))
        return wanted(message)

    return session.wait(seen)


def consent(message):
    """To every change, and to the first of several works."""
    match message["method"]:
        case "workspace/applyEdit":
            return {"applied": True}
        case "window/showMessageRequest":
            return message["params"]["actions"][0]


def save(session):
    session.send("textDocument/didSave", {"textDocument": {"uri": session.uri}})


def reports(code):
    """Accepts findings of this kind."""
    return lambda it: any(found["code"] == code for found in (it.get("params") or {}).get("diagnostics", ()))


def calls(session, number, command, *arguments):
    session.send("workspace/executeCommand", {"command": command, "arguments": list(arguments)}, number)
    return until(session, lambda it: it.get("id") == number and "method" not in it)


def said(session, method):
    return [it["params"] for it in session.seen if it.get("method") == method]


PLACEHOLDER = MAIN.replace(r"\cite{nobody99}", r"\cite<literate programming>")
POSITION = {"line": 3, "character": PLACEHOLDER.splitlines()[3].index("<") + 1}


def completes(session, number, character=POSITION["character"]):
    position = POSITION | {"character": character}
    session.send("textDocument/completion", {"textDocument": {"uri": session.uri}, "position": position}, number)
    answer = until(session, lambda it: it.get("id") == number and "method" not in it)
    return answer["result"]["items"]


def retyped(session):
    """The manuscript with a placeholder instead of the unknown key."""
    change = {"textDocument": {"uri": session.uri, "version": 2}, "contentChanges": [{"text": PLACEHOLDER}]}
    session.send("textDocument/didChange", change)
    return session
