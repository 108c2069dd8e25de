"""Documents that were never saved: new files go to the workspace folder, and nowhere if there is none."""

import pytest

import crossref_server
from agent_works import WORKS
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from server_session import Session

pytestmark = pytest.mark.online

NEW = crossref_server.work("10.1000/new", "Brand New Results", "Doe", "Jo", 2020)
TEXT = r"""\documentclass{article}
\title{Nets}
\begin{document}
We train with the Adam optimizer, which needs little memory \cite<adam>.
Brand new results \cite{doe20}. See 10.1000/new
\end{document}
"""
PLACEHOLDER = {"line": 3, "character": TEXT.splitlines()[3].index("<") + 2}
KEY = {"line": 4, "character": TEXT.splitlines()[4].index("doe")}
DOI = {"line": 4, "character": TEXT.splitlines()[4].index("10.1000")}
RESOLVING = {"textDocument": {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}}}
FILES = {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}
SAVE_FIRST = "Save this document first: its .bib is created beside it."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    with Corpus(folder, create=True) as opened:
        opened.add([Work(**it) for it in WORKS])
    return str(folder)


class Editor(Session):
    """Grants what the server asks, and picks the first of several works."""

    number = 1

    def ask(self, method, params):
        self.number += 1
        self.send(method, params, self.number)
        return self.wait(self.granted)

    def granted(self, message):
        if "id" in message and "method" in message:
            actions = (message["params"] or {}).get("actions")
            self.reply(message["id"], actions[0] if actions else {"applied": True})
        return message.get("id") == self.number and "method" not in message

    def call(self, command, *arguments):
        return self.ask("workspace/executeCommand", {"command": command, "arguments": list(arguments)})

    def completes(self):
        return self.ask("textDocument/completion", self.at(PLACEHOLDER))["result"]["items"]

    def actions(self, place, title):
        """Those whose title begins so, resolved."""
        about = {"textDocument": {"uri": self.uri}, "range": {"start": place, "end": place}}
        found = self.ask("textDocument/codeAction", {**about, "context": {"diagnostics": []}})["result"]
        chosen = [it for it in found if it["title"].startswith(title)]
        return [self.ask("codeAction/resolve", it) if "data" in it else {"result": it} for it in chosen]

    def at(self, place):
        return {"textDocument": {"uri": self.uri}, "position": place}

    @property
    def made(self):
        """URI → text of the files that edits made."""
        edits = [
            it["params"]["edit"]["documentChanges"] for it in self.seen if it.get("method") == "workspace/applyEdit"
        ]
        return created(*edits)


def created(*edits):
    files = {}
    for changes in edits:
        new = [it["uri"] for it in changes if it.get("kind") == "create"]
        files |= {
            it["textDocument"]["uri"]: it["edits"][0]["newText"]
            for it in changes
            if it.get("textDocument", {}).get("uri") in new
        }
    return files


@pytest.fixture
def editor(tmp_path, monkeypatch, corpus):
    """editor(folder, uri, resolves) → a session with a document that has no file; it runs where a stranger's lie."""
    strange, world, sessions = tmp_path / "strange", crossref_server.Scholars(NEW), []
    strange.mkdir()
    (strange / "references.bib").write_text("@misc{stranger, title = {A Stranger's}}\n")
    (strange / "_quarto.yml").write_text("bibliography: references.bib\n")
    monkeypatch.chdir(strange)
    for name in ("CACHE", "STATE"):
        monkeypatch.setenv(f"CITELSP_{name}_DIR", str(tmp_path / name))

    def start(folder=None, uri="untitled:Untitled-1", text=TEXT, language="latex", resolves=True, **settings):
        session = Editor()
        sessions.append(session)
        session.uri = uri
        capabilities = {"workspace": {"applyEdit": True, **FILES}, **(RESOLVING if resolves else {})}
        options = world.settings() | {"corpus": {"path": corpus}} | settings
        session.initialize(capabilities, rootUri=folder and folder.as_uri(), initializationOptions=options)
        session.open(uri, text, language)
        return session

    yield start
    for it in sessions:
        it.process.kill()
        it.process.communicate()
    world.close()
    assert {it.name for it in strange.iterdir()} == {"references.bib", "_quarto.yml"}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "paper"
    folder.mkdir()
    return folder


def accepted(session):
    item = session.completes()[0]
    assert "Adam" in item["label"]
    session.call(item["command"]["command"], *item["command"]["arguments"])
    return session.made


def picked(session):
    here = {"uri": session.uri, "position": PLACEHOLDER}
    works = session.call("citelsp.works", here)["result"]["works"]
    session.call("citelsp.cite", here | {"works": [works[0]["work"]]})
    return session.made


def cited(session):
    session.completes()
    cite(session)
    return session.made


def cite(session):
    """What the command of the first work's action answers: it looks the work up before anything is written."""
    command = session.actions(PLACEHOLDER, "Cite ")[0]["result"]["command"]
    return session.call(command["command"], *command["arguments"])


def named(session):
    session.call("citelsp.insert", session.uri, "10.1000/new")
    return session.made


def looked_up(place):
    def look_up(session):
        return created(session.actions(place, "Look up ")[0]["result"]["edit"]["documentChanges"])

    return look_up


ROADS = [accepted, picked, cited, named, looked_up(DOI), looked_up(KEY)]


@pytest.mark.parametrize("road", ROADS, ids=["accept", "pick", "code action", "insert", "look up", "look up a key"])
def test_a_new_bibliography_goes_to_the_workspace_folder(editor, folder, road):
    [(uri, text)] = road(editor(folder)).items()
    assert uri == (folder / "references.bib").as_uri()
    assert text.startswith("@")


def test_one_that_is_there_already_is_left_alone(editor, folder):
    (folder / "references.bib").write_text("@misc{other}\n")
    assert list(named(editor(folder))) == [(folder / "bibliography.bib").as_uri()]


def test_the_folder_s_bibliographies_are_completed(editor, folder):
    (folder / "refs.bib").write_text("@misc{known, title = {A Known Work}}\n")
    session = editor(folder, text="\\bibliography{refs}\n\\cite{kn}\n")
    found = session.ask("textDocument/completion", session.at({"line": 1, "character": 8}))["result"]["items"]
    assert [it["label"] for it in found] == ["known"]


def test_a_document_that_has_its_place_already(editor, folder, tmp_path):
    """As `code new.tex` opens it."""
    place = tmp_path / "else where"
    place.mkdir()
    uri = place.joinpath("new.tex").as_uri().replace("file://", "untitled:")
    assert list(named(editor(folder, uri))) == [(place / "references.bib").as_uri()]


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "file://"], ids=["VS Code", "Neovim"])
def test_without_a_folder_nothing_is_written(editor, uri):
    session = editor(uri=uri)
    here = {"uri": session.uri, "position": PLACEHOLDER}
    first, *others = session.completes()
    assert first["label"] == SAVE_FIRST
    assert not any(it.get("command", {}).get("command") == "citelsp.insertEntry" for it in (first, *others))
    told = session.call("citelsp.works", here)["result"]
    assert told == {"works": [], "reason": SAVE_FIRST}
    answers = [
        session.call("citelsp.insert", session.uri, "10.1000/new"),
        *session.actions(DOI, "Look up "),
        *session.actions(KEY, "Look up "),
        cite(session),
    ]
    assert {it["error"]["message"] for it in answers} == {SAVE_FIRST}
    assert session.made == {}


def test_without_a_folder_an_editor_that_resolves_nothing_is_offered_no_file(editor):
    session = editor(resolves=False)
    session.completes()
    assert session.actions(PLACEHOLDER, "Cite ") == []


def test_without_a_folder_entries_go_where_the_author_says(editor, folder):
    library = folder / "refs.bib"
    assert list(named(editor(writing={"write_to": str(library)}))) == [library.as_uri()]


def test_without_a_folder_a_list_in_the_text_takes_the_entry(editor):
    items = "\\begin{thebibliography}{9}\n\\bibitem{one} One.\n\\end{thebibliography}\n\\end{document}"
    session = editor(text=TEXT.replace("\\end{document}", items))
    assert session.call("citelsp.insert", session.uri, "10.1000/new").get("result") == "doe2020brand", session.seen[-3:]
    assert session.made == {}


def test_without_a_folder_nothing_is_read_where_the_server_runs(editor):
    session = editor(text="\\bibliography{references}\n\\cite{st}\n")
    found = session.ask("textDocument/completion", session.at({"line": 1, "character": 8}))["result"]
    assert not (found and found["items"])
    session.uri = "untitled:Untitled-2"
    session.open(session.uri, "See [@st].\n", "markdown")
    found = session.ask("textDocument/completion", session.at({"line": 0, "character": 8}))["result"]
    assert not (found and found["items"])
