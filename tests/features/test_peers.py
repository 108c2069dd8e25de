"""What the fixtures of texlab 5.26, badness and panache ask for that 0.1.0 did not do: done now, or left with a reason.

The texts are ours, of the constructs in theirs; ranges of completion, formatting and rendering are in
test_complete_fields, test_format_entries and test_popup_reference_line, acro in test_abbreviations.
"""

import pytest

from citelsp import checks
from citelsp.features import (
    complete_fields,
    definition,
    document_symbols,
    highlight,
    hover,
    references,
    rename,
)
from citelsp.features.popup_markdown import to_plain
from citelsp.features.values import Change
from citelsp.knowledge import Knowledge
from fixture_projects import project_of, world

BIBTEX = "\\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}\\cite{k}"
BIBER = "\\documentclass{x}\\addbibresource{r.bib}\\cite{k}"
MACROS = '%% r.bib\n@string{foo = "Foo"}\n@string{bar = fo|o # "Bar"}\n@article{k, author = foo # bar}\n'


def codes(manuscript, bib):
    found = checks.run(project_of({"m.tex": manuscript, "r.bib": bib}), Knowledge(), paths=("r.bib",))
    return sorted((it.code, bib[it.span.start : it.span.end]) for it in found if it.code != "missing-field")


def test_texlab_macros():
    it = world(MACROS)
    assert [to.span.start for to in definition.find(it.project, *it.cursor).targets] == [8]
    assert [to.span.start for to in references.find(it.project, *it.cursor)] == [8, 35, 69]
    assert "Foo" in to_plain(hover.find(it.project, Knowledge(), *it.cursor).blocks)
    assert [to.name for to in document_symbols.find(it.project, "r.bib")] == ["foo", "bar", "k"]
    text = "%% r.bib\n@string{foo = {Foo}}\n@article{k, author = f|}\n"
    it = world(text)
    assert complete_fields.complete(it.project, *it.cursor)[0].text == "foo"


@pytest.mark.parametrize("text", ["@art|icle{k}", "@article{k, aut|hor = {x}}"])
def test_texlab_types_and_fields_are_explained(text):
    it = world(f"%% r.bib\n{text}\n")
    assert hover.find(it.project, Knowledge(), *it.cursor)


@pytest.mark.parametrize("manuscript", [BIBTEX, BIBER])
def test_texlab_an_entry_without_its_brace(manuscript):
    assert ("stray-text", "@article") in codes(manuscript, "@article\n\n@misc{k, title = {K}}\n")


def test_panache_ris():
    note = "---\nbibliography: r.ris\n---\nAs [@k] and again @k|.\n"
    it = world(f"%% a.md\n{note}%% r.ris\nTY  - JOUR\nID  - k\nTI  - A Title\nER  - \n")
    assert [to.path for to in definition.find(it.project, *it.cursor).targets] == ["r.ris"]
    assert "A Title" in to_plain(hover.find(it.project, Knowledge(), *it.cursor).blocks)
    assert checks.run(it.project, Knowledge()) == []
    after = it.after(Change(rename.edits_for(it.project, *it.cursor, "new")))
    assert "ID  - new\n" in after["r.ris"]
    assert "As [@new] and again @new." in after["a.md"]


def test_panache_highlights_and_linked_editing():
    it = world("%% a.md\n---\nreferences:\n- id: k\n  title: T\n---\nAs [@k|] and @k.\n")
    assert len(highlight.find(it.project, *it.cursor)) == 3
    assert len(highlight.find_linked(it.project, *it.cursor)) == 3


def test_badness_keys_that_differ_in_case():
    bib = "@misc{k, title = {A}}\n@misc{K, title = {B}}\n"
    assert ("duplicate-entry", "K") in codes(BIBTEX, bib)
    assert not any(code == "duplicate-entry" for code, _ in codes(BIBER, bib))  # biber reads both


def test_badness_macros():
    found = codes(BIBER, "@string{cup = {C}}\n@book{k, publisher = oup}\n")
    assert found == [("undefined-string", "oup"), ("unused-entry", "cup")]


@pytest.mark.parametrize(
    ("title", "marked"),
    [
        ("The DNA helix", "DNA"),
        ("The iPhone era", "iPhone"),
        ("The eBay auction", "eBay"),
        ("Measuring pH levels", "pH"),
        ("The QChem package", "QChem"),
        ("The McDonald study", "McDonald"),  # a name too is printed in lower case
        ("The {DNA} helix", ""),
        ("The Quick Brown Fox", ""),
    ],
)
def test_badness_capitals(title, marked):
    found = codes(BIBTEX, f"@article{{k, title = {{{title}}}}}\n")
    assert found == ([("unprotected-capitals", marked)] if marked else [])
    assert codes(BIBER, f"@article{{k, title = {{{title}}}}}\n") == []  # biblatex keeps titles as they are


REFUSED = {
    "a field that no style knows": "@misc{k, title = {T}, frobnozzle = {x}}",  # file, groups, mdate: tools have theirs
    "an empty field": '@misc{k, title = {T}, note = {}, howpublished = ""}',  # as if it were not there, and harmless
    "letters beyond ASCII": "@misc{k, title = {Café}, author = {Erdős, Paul}}",  # what biber, BibTeX and TeX read
    "a type that no style knows": "@frobnicate{k, title = {T}}",  # is printed as @misc
}


@pytest.mark.parametrize("manuscript", [BIBTEX, BIBER])
@pytest.mark.parametrize("what", REFUSED)
def test_badness_what_harms_nobody_is_not_reported(what, manuscript):
    assert codes(manuscript, REFUSED[what] + "\n") == []
