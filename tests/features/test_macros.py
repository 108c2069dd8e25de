"""@string macros under the cursor: their definitions, uses, names and values."""

import pytest

from citelsp.features import definition, highlight, hover, references, rename
from citelsp.features.popup_markdown import to_plain
from citelsp.features.values import Change, Refused
from citelsp.knowledge import Knowledge
from fixture_projects import world

FIXTURE = """
%% main.tex
\\documentclass{x}\\addbibresource{strings.bib}\\addbibresource{refs.bib}
%% strings.bib
@string{acm = {Association for {C}omputing}}
        ^^^ definition
@string{pub = "Press of " # ACM}
                            ^^^ use
%% refs.bib
@article{acm, publisher = a|cm, title = {acm}, journal = pub # { acm}}
                          ^^^^ use
@misc{b, note = {x} # Acm # { and more}, howpublished = acmx}
                      ^^^ use
"""


def places(it, *labels):
    return {found[:3] for found in it.marked.ranges if found[3] in labels}


def test_definition_and_references():
    it = world(FIXTURE)
    found = definition.find(it.project, *it.cursor)
    assert {(to.path, *to.span) for to in found.targets} == places(it, "definition")
    found = references.find(it.project, *it.cursor)
    assert {(to.path, *to.span) for to in found} == places(it, "definition", "use")
    found = references.find(it.project, *it.cursor, declaration=False)
    assert {(to.path, *to.span) for to in found} == places(it, "use")


def test_highlights_of_this_document():
    it = world(FIXTURE)
    found = highlight.find(it.project, *it.cursor)
    assert {("refs.bib", *to.span) for to in found} == {to for to in places(it, "use") if to[0] == "refs.bib"}
    assert not highlight.find_linked(it.project, *it.cursor)


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("publisher = a|cm", "Association for Computing\n\n@string in strings.bib"),
        ("journal = p|ub", "Press of Association for Computing\n\n@string in strings.bib"),
        ("howpublished = acm|x", "No @string defines acmx."),
        ("month = ja|n", "A month, which each style writes in its own way."),
    ],
)
def test_hover(at, said):
    text = FIXTURE.replace("a|cm", "acm").replace("@misc{b,", "@misc{b, month = jan,")
    it = world(text.replace(at.replace("|", ""), at))
    found = hover.find(it.project, Knowledge(), *it.cursor)
    assert to_plain(found.blocks) == said


def test_rename():
    it = world(FIXTURE)
    prepared = rename.prepare(it.project, *it.cursor)
    assert prepared.key == "acm"
    after = it.after(Change(rename.edits_for(it.project, *it.cursor, "assoc")))
    assert "@string{assoc = {Association" in after["strings.bib"]
    assert '"Press of " # assoc}' in after["strings.bib"]
    assert "@article{acm, publisher = assoc, title = {acm}, journal = pub # { acm}}" in after["refs.bib"]
    assert "# assoc # { and more}, howpublished = acmx" in after["refs.bib"]


@pytest.mark.parametrize("name", ["", "pub", "PUB", "jan", "1a", "a b", "a{b"])
def test_names_that_are_refused(name):
    it = world(FIXTURE)
    assert isinstance(rename.edits_for(it.project, *it.cursor, name), Refused)


def test_a_month_is_not_renamed():
    it = world("%% refs.bib\n@misc{a, month = ja|n}\n")
    refused = rename.edits_for(it.project, *it.cursor, "january")
    assert refused == Refused("No @string defines jan, so it cannot be renamed.")
    assert rename.prepare(it.project, *it.cursor) is None


def test_a_name_that_touches_the_end_of_an_entry():
    it = world("%% refs.bib\n@string{acm = {x}}\n        ^^^ use\n@misc{a, note = ac|m}acm\n                ^^^^ use\n")
    found = references.find(it.project, *it.cursor)
    assert {(to.path, *to.span) for to in found} == places(it, "use")
