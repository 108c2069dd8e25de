"""Names of commands that no one writes: thousands of letters, each a level of the pattern that finds them."""

import pytest

from citelsp import checks, syntax
from citelsp.base.settings import Settings
from citelsp.base.text import Document
from citelsp.knowledge import Knowledge
from citelsp.workspace import include_graph
from citelsp.workspace.files import DiskFiles

LONG = "a" * 5000


@pytest.mark.parametrize(
    "text", [rf"\DeclareCiteCommand{{\{LONG}}}", rf"\newcommand{{\{LONG}}}[1]{{\cite{{#1}}}}", rf"\newminted{{{LONG}}}"]
)
def test_in_a_document(text):
    read = syntax.parse(Document("a.tex", text + r"\cite{k}", "latex"))
    again = syntax.parse(Document("a.tex", text + r"\cite{k}", "latex"), read.cite_commands)
    assert [it.key for it in again.citations] == ["k"]


@pytest.mark.parametrize(
    "head",
    [
        rf"\newcommand{{\{LONG}}}[1]{{\cite{{#1}}}}",
        "".join(rf"\newcites{{{'a' * it}}}{{A}}" for it in range(1, 60)),
    ],
    ids=["long", "many"],
)
def test_it_is_said(tree, head):
    """Else what such a command cites would be unused."""
    folder = tree({"main.tex": head + r"\cite{k}\bibliography{refs}", "refs.bib": "@book{k}@book{unused}"})
    project = include_graph.build(DiskFiles([str(folder)]), str(folder / "main.tex"), Settings())
    sentence = "has more than 500 commands of its own, or one of more than 100 letters, so citelsp knows only its keys."
    assert f"{folder / 'main.tex'} {sentence}" in {it.text for it in checks.notes(project)}
    assert not checks.run(project, Knowledge(), codes={"unused-entry", "undefined-citation"})


def test_in_settings():
    read = syntax.parse(Document("a.tex", r"\mycite{a}\cite{k}", "latex"), (LONG, "mycite"))
    assert [it.key for it in read.citations] == ["a", "k"]
