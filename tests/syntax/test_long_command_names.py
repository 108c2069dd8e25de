"""Names of commands that no one writes: thousands of letters, each a level of the pattern that finds them."""

import pytest

from citelsp import syntax
from citelsp.base.text import Document

LONG = "a" * 5000


@pytest.mark.parametrize(
    "text", [rf"\DeclareCiteCommand{{\{LONG}}}", rf"\newcommand{{\{LONG}}}[1]{{\cite{{#1}}}}", rf"\newminted{{{LONG}}}"]
)
def test_in_a_document(text):
    read = syntax.parse(Document("a.tex", text + r"\cite{k}", "latex"))
    again = syntax.parse(Document("a.tex", text + r"\cite{k}", "latex"), read.cite_commands)
    assert [it.key for it in again.citations] == ["k"]


def test_in_settings():
    read = syntax.parse(Document("a.tex", r"\mycite{a}\cite{k}", "latex"), (LONG, "mycite"))
    assert [it.key for it in read.citations] == ["a", "k"]
