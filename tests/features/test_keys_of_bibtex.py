"""BibTeX takes no heed of the letter case of keys, and reads the entries that stand in comments."""

import pytest

from citelsp.base.settings import Settings
from citelsp.base.text import Span
from citelsp.features import definition, hover, inlay_hints, merge_duplicates, overview, references, rename
from citelsp.features.values import Change, Refused
from citelsp.knowledge import Knowledge
from fixture_projects import world

MAIN = r"""
%% main.tex
\bibliography{refs} See \cite{parr2020Markov} and \cite{old}.
"""
BIB = r"""%% refs.bib
@misc{parr2020markov, title = {Markov Blankets}, author = {Parr, Thomas}, year = 2020}
@misc{x, crossref = {Parr2020markov}, note = {İ \cite{PARR2020MARKOV}}}
%@misc{old, title = {An Old One}}
"""
BIBER = MAIN.replace("bibliography{refs}", "addbibresource{refs.bib}")


def at(fixture, path, written):
    it = world(fixture)
    return it, path, it.marked.files[path].index(written) + 1


def test_definition_and_hover():
    for key, title in (("parr2020Markov", "Markov Blankets"), ("old", "An Old One")):
        it, *place = at(MAIN + BIB, "main.tex", key)
        [target] = definition.find(it.project, *place).targets
        assert it.marked.files["refs.bib"][target.span.start : target.span.end] == key.lower()
        assert title in "".join(block.text for block in hover.find(it.project, Knowledge(), *place).blocks)
        it, *place = at(BIBER + BIB, "main.tex", key)
        assert definition.find(it.project, *place).targets == ()


@pytest.mark.parametrize("start", [("main.tex", "parr2020M"), ("refs.bib", "parr2020m"), ("refs.bib", "PARR")])
def test_references(start):
    it, *place = at(MAIN + BIB, *start)
    found = references.find(it.project, *place)
    written = [it.marked.files[to.path][to.span.start : to.span.end] for to in found]
    assert written == ["parr2020Markov", "parr2020markov", "Parr2020markov", "PARR2020MARKOV"]


def test_rename():
    it, *place = at(MAIN + BIB, "main.tex", "parr")
    after = it.after(Change(rename.edits_for(it.project, *place, "Parr2020Markov")))
    assert after["main.tex"].count("Parr2020Markov") == 1
    assert after["refs.bib"].count("Parr2020Markov") == 3
    assert isinstance(rename.edits_for(it.project, *place, "OLD"), Refused)


def test_rename_where_manuscripts_are_read_by_different_programs():
    it, *place = at(MAIN + "%% notes.md\nSee @parr2020markov.\n" + BIB, "main.tex", "parr")
    after = it.after(Change(rename.edits_for(it.project, *place, "new")))
    assert [text.count("new") for text in after.values()] == [1, 1, 3]


def test_rename_of_what_stands_in_a_comment():
    it, *place = at(MAIN + BIB, "main.tex", "old")
    after = it.after(Change(rename.edits_for(it.project, *place, "new")))
    assert "\\cite{new}" in after["main.tex"] and "%@misc{new," in after["refs.bib"]
    it, *place = at(MAIN + BIB, "refs.bib", "old, title")
    assert len(rename.edits_for(it.project, *place, "new")) == 2


def test_a_key_may_come_to_differ_from_itself_in_letter_case():
    it = world("%% refs.bib\n@misc{sm|ith}\n@misc{Doe}\n")
    assert it.after(Change(rename.edits_for(it.project, *it.cursor, "Smith")))["refs.bib"].startswith("@misc{Smith}")
    assert isinstance(rename.edits_for(it.project, *it.cursor, "Doe"), Refused)


def test_inlay_hints():
    it = world(MAIN + BIB, Settings(inlay_hints=True))
    assert [hint.text for hint in inlay_hints.find(it.project, "main.tex", Span(0, 100))] == ["Parr 2020"]


def test_overview():
    found = overview.find(world(MAIN + BIB).project, Knowledge()).references
    assert [(it.key, len(it.cited)) for it in found] == [("parr2020markov", 1), ("old", 1), ("x", 0)]


def test_overview_of_an_alias():
    it = world("%% main.tex\n\\cite{a, b}\n%% refs.bib\n@misc{a, ids = {b}}\n")
    assert [len(reference.cited) for reference in overview.find(it.project, Knowledge()).references] == [2]


def test_merge():
    fixture = r"""
    %% main.tex
    \bibliography{refs} \cite{One} \cite{two, x} \cite{ONE, Two}
    %% refs.bib
    @misc{one, title = {A}, year = 2001}
    @misc{TWO, title = {A}}
    @misc{x, crossref = {tWo}}
    """
    it = world(fixture)
    change = merge_duplicates.edits_for(it.project, [*it.project.find("one"), *it.project.find("two")])
    assert it.after(change) == {
        "main.tex": "\\bibliography{refs} \\cite{One} \\cite{one, x} \\cite{ONE}\n",
        "refs.bib": "@misc{one, title = {A}, year = 2001}\n@misc{x, crossref = {one}}\n",
    }
