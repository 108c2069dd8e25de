"""A document that takes too long to read: its keys and the files that it names are known, and that is what is said."""

import pytest

from citelsp.base import bounds, effort
from citelsp.base.settings import Settings
from citelsp.base.text import Document, Span
from citelsp.checks import notes
from citelsp.features import definition
from citelsp.syntax import parse, reparse
from citelsp.workspace import include_graph
from citelsp.workspace.files import DiskFiles

TEXTS = {
    "main.tex": "\\documentclass{article}\\addbibresource{refs.bib}\\cite[p. 3]{a, gone} \\textcite{a}\n",
    "main.md": "---\nbibliography: refs.bib\n---\nSee [@a; @gone] and @a.\n",
    "main.org": "#+bibliography: refs.bib\nSee [cite:@a;@gone] and [cite:@a].\n",
}


@pytest.fixture
def hasty(monkeypatch):
    """No time is left for what goes on for long; the clock of a machine would make another test each time."""

    def each(items):
        for it in items:
            raise effort.TooLongError
            yield it

    monkeypatch.setattr(effort, "each", each)


@pytest.mark.parametrize("name", TEXTS)
def test_keys_and_definitions_are_served_and_the_rest_is_said(tree, hasty, name):
    folder = tree({name: TEXTS[name], "refs.bib": "@book{a, title = {A}}\n"})
    path = str(folder / name)
    project = include_graph.build(DiskFiles([str(folder)]), path, Settings())
    assert [it.key for _, it in project.citations()] == ["a", "gone", "a"]
    assert definition.find(project, path, TEXTS[name].index("gone") - 3) is not None
    assert [it.text for it in notes(project)][:1] == [
        f"{path} takes more than 2 seconds to read, so citelsp knows only its keys."
    ]
    assert not project.closed


def test_a_key_typed_into_it_is_not_waited_for(hasty, monkeypatch):
    text = TEXTS["main.tex"]
    old = parse(Document("a", text, "latex"))
    monkeypatch.undo()
    new = reparse(old, Document("a", f"\\cite{{b}}{text}", "latex"), Span(0, 0), "\\cite{b}")
    assert (new.reduced, new.citations[0].key) == (True, "b")
    assert not parse(Document("a", text, "latex")).reduced


def test_the_time_is_that_of_the_processor():
    with pytest.raises(effort.TooLongError), effort.limited(0.01):
        for _ in effort.each(range(10**9)):
            pass
    assert list(effort.each(range(1000))) == list(range(1000))


def test_a_document_ends_with_its_time():
    """Ten seconds without the bound."""
    syntax = parse(Document("a", "*@a" * 150_000, "markdown"))
    assert (syntax.reduced, len(syntax.citations)) == (True, bounds.KEYS)
