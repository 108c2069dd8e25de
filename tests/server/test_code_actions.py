"""Code actions as an editor applies them when a document is saved: by kind, one after the other."""

from itertools import count

import pytest
from lsprotocol import types

from citelsp.base.text import Span
from citelsp.knowledge import Knowledge
from citelsp.server.answers import insert_works
from citelsp.server.state.projects import Moment
from citelsp.server.wire.documents import OpenDocuments
from citelsp.server.wire.to_lsp import Places
from fixture_projects import project_of
from server_session import Session

UNTIDY = """@misc{zuse, title = {Plankalkül}, howpublished = {Online}, year = 1945, doi = {https://doi.org/10.1000/z}}

@misc{ada, title = {Notes}, howpublished = {Online}, year = 1843}
"""
ALL = """@misc{ada,
  title        = {Notes},
  howpublished = {Online},
  year         = 1843
}

@misc{zuse,
  title        = {Plankalkül},
  howpublished = {Online},
  year         = 1945,
  doi          = {10.1000/z}
}
"""
ACTIONS = {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}
CAPABLE = {"workspace": {"workspaceEdit": {"documentChanges": True}}, "textDocument": {"codeAction": ACTIONS}}


class Saving:
    """An editor that holds a document."""

    def __init__(self, session, text, uri, language):
        self.session, self.uri, self.text, self.version = session, uri, text, 1
        session.open(uri, text, language)

    def ask(self, method, params):
        number = next(self.session.numbers)
        self.session.send(method, params, number)
        return self.session.answer(number)["result"]

    def offered(self, *only, at=(0, 0)):
        """The actions of these kinds, or all; `at`: first and last line that they are asked for."""
        first, last = ({"line": line, "character": 0} for line in at)
        context = {"diagnostics": [], **({"only": only} if only else {})}
        about = {"textDocument": {"uri": self.uri}, "range": {"start": first, "end": last}}
        return self.ask("textDocument/codeAction", {**about, "context": context})

    def applied(self, *only):
        """Applies all actions of a kind, each resolved when it is its turn."""
        for action in self.offered(*only):
            resolved = self.ask("codeAction/resolve", action)
            for change in resolved.get("edit", {}).get("documentChanges", ()):
                assert change["textDocument"] == {"uri": self.uri, "version": self.version}
                self.edit(change["edits"])
        return self.text

    def edit(self, edits):
        starts = [0, *(number + 1 for number, letter in enumerate(self.text) if letter == "\n")]
        spans = [
            [starts[it["range"][end]["line"]] + it["range"][end]["character"] for end in ("start", "end")]
            for it in edits
        ]
        for (start, end), it in sorted(zip(spans, edits, strict=True), key=lambda both: both[0], reverse=True):
            self.text = self.text[:start] + it["newText"] + self.text[end:]
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.session.send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": self.text}]})


@pytest.fixture(scope="module")
def session():
    """One server for every document of this module."""
    session = Session()
    session.numbers = count(2)
    session.announced = session.initialize(CAPABLE, initializationOptions={"offline": True})["capabilities"]
    yield session
    session.process.stdin.close()
    session.process.stdout.close()
    session.process.wait(60)


@pytest.fixture
def editor(session, tmp_path):
    return lambda text, name="refs.bib", language="bibtex": Saving(session, text, (tmp_path / name).as_uri(), language)


def test_what_is_announced_is_what_is_offered(editor, session):
    announced = session.announced["codeActionProvider"]["codeActionKinds"]
    offered = editor(UNTIDY).offered(at=(0, 3))
    assert sorted({it["kind"] for it in offered}) == sorted(announced)


@pytest.mark.parametrize(
    "kinds",
    [
        [("source.fixAll.citelsp",), ("source.citelsp.format",), ("source.citelsp.sort",)],
        [("source.citelsp.sort",), ("source.citelsp.format",), ("source.fixAll.citelsp",)],
        [("source.fixAll",), ("source.citelsp",)],
        [("source.citelsp",), ("source.fixAll",)],
        [("source",)],
        [("source.fixAll.citelsp", "source.citelsp.sort", "source.citelsp.format")],
    ],
    ids=lambda it: " ".join("+".join(kind) for kind in it),
)
def test_all_of_them_on_saving(editor, kinds):
    session = editor(UNTIDY)
    for kind in kinds:
        session.applied(*kind)
    assert session.text == ALL
    assert [session.applied(*kind) for kind in kinds] == [ALL] * len(kinds)


def test_sorting_alone(editor):
    first, second = UNTIDY.rstrip().split("\n\n")
    assert editor(UNTIDY).applied("source.citelsp.sort") == f"{second}\n\n{first}\n"


def test_a_title_stands_on_one_line_whatever_is_selected():
    project = project_of({"main.tex": "See doi:\n10.1000/1.\n"})
    places = Places(project, OpenDocuments(), {}, "utf-16")
    selection = Span(4, 18)
    moment = Moment(project, Knowledge(), "main.tex", selection, places, {})
    [action] = insert_works.offer(moment, "file:///main.tex", types.CodeActionContext([]), resolves=True)
    assert action.title == "Look up doi: 10.1000/1 and add its entry"


def test_why_a_file_cannot_be_sorted_is_told(editor):
    unclosed = editor("@misc{zuse, title = {Plankalkül}\n\n@misc{ada, title = {Notes}}\n")
    command = {"command": "citelsp.sort", "arguments": [unclosed.uri]}
    unclosed.session.send("workspace/executeCommand", command, 99)
    told = unclosed.session.answer(99)["error"]["message"]
    assert told == "refs.bib: it is not sorted, because the entry “zuse” is never closed"


@pytest.mark.parametrize("only", ["source.citelsp.so", "source.citelsp.sort.by", "source.organizeImports", "refactor"])
def test_no_other_kind(editor, only):
    assert editor(UNTIDY).offered(only) == []


def test_a_fix_for_a_text_that_has_changed_is_not_made(editor):
    session = editor(UNTIDY)
    [action] = session.offered("source.fixAll")
    session.edit(
        [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "newText": "\n"}]
    )
    assert "edit" not in session.ask("codeAction/resolve", action)


def test_a_fix_for_a_file_that_has_changed_on_disk_is_not_made(editor, tmp_path):
    manuscript = tmp_path / "main.tex"
    cited = "\\documentclass{article}\n\\bibliography{refs}\n\\cite{ada} \\cite{ada1843}\n"
    manuscript.write_text(cited, encoding="utf-8")
    work = "author = {Lovelace, Ada}, title = {Notes on the Analytical Engine}, journal = {Memoirs}, year = 1843"
    session = editor(f"@article{{ada, {work}}}\n@article{{ada1843, {work}}}\n")
    [merge] = [action for action in session.offered(at=(0, 2)) if "Merge" in action["title"]]
    changed = [it["textDocument"]["uri"] for it in session.ask("codeAction/resolve", merge)["edit"]["documentChanges"]]
    assert sorted(changed) == sorted([manuscript.as_uri(), session.uri])
    manuscript.write_text(f"% As pulled from elsewhere.\n{cited}", encoding="utf-8")
    assert "edit" not in session.ask("codeAction/resolve", merge)
