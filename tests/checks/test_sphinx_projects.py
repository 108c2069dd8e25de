"""Bibliographies that Sphinx, Jupyter Book and MyST name for all documents below their settings."""

import os

import pytest

import marks
from citelsp import checks
from citelsp.features import declarations
from citelsp.knowledge import Knowledge
from citelsp.syntax.formats import sphinx

BIB = "@book{a, title = {A}, author = {B, C}, year = 2000, publisher = {P}}\n@book{b, title = {Uncited}}\n"
PAGE = "See {cite}`a` and {cite:t}`gone`, says @octocat [@gone2].\n"
CODES = {"undefined-citation", "unused-entry", "missing-bibliography"}


def found(settings, page=PAGE, path="docs/refs.bib"):
    project = marks.project(marks.Marked({"docs/part/page.md": page, path: BIB} | settings), "docs/part/page.md")
    return project, [it.key or it.code for it in checks.run(project, Knowledge(), codes=CODES)]


@pytest.mark.parametrize(
    "settings",
    [
        {"docs/conf.py": 'extensions = ["myst_parser"]\nbibtex_bibfiles = [\n    "refs.bib",  # mine\n]\n'},
        {"docs/conf.py": "bibtex_bibfiles: list[str] = ('refs.bib',)\n"},
        {"docs/_config.yml": "title: Book\nbibtex_bibfiles:\n  - refs.bib\n"},
        {"docs/_config.yml": "sphinx:\n  config:\n    bibtex_bibfiles: [refs.bib]\n    html_theme: x\n"},
    ],
)
def test_to_sphinx_roles_alone_cite(settings):
    project, keys = found(settings)
    assert (project.closed, keys) == (True, ["gone"])


def test_to_mystmd_at_signs_cite_too():
    project, keys = found({"docs/myst.yml": "version: 1\nproject:\n  title: x\n  bibliography:\n    - refs.bib\n"})
    assert (project.closed, keys) == (True, ["gone", "octocat", "gone2", "b"])


@pytest.mark.parametrize(
    "written",
    ["glob('*.bib')", "[str(it) for it in bibs]", '["refs.bib", here / "b.bib"]', '["refs.bib"]\nbibtex_bibfiles += x'],
)
def test_what_only_python_can_tell_leaves_no_key_undefined(written):
    project, keys = found({"docs/conf.py": f"bibtex_bibfiles = {written}\n"})
    assert not project.closed and keys == []


def test_settings_hold_for_what_lies_below_them():
    project, keys = found({"docs/other/conf.py": 'bibtex_bibfiles = ["../refs.bib"]\n'}, path="docs/other/refs.bib")
    assert not project.bibliographies and keys == []


def test_a_bibliography_that_is_missing():
    _, keys = found({"docs/conf.py": 'bibtex_bibfiles = ["refs.bib", "gone.bib"]\n'})
    assert keys == ["missing-bibliography"]


def test_one_more_bibliography_is_named_in_the_settings():
    conf = "bibtex_bibfiles = ['refs.bib']\n"
    project, _ = found({"docs/conf.py": conf})
    edit = declarations.edit_for(project, "docs/part/page.md", "docs/more.bib")
    assert edit.path == os.path.normpath("docs/conf.py")
    assert (
        conf[: edit.span.start] + edit.new_text + conf[edit.span.end :]
        == "bibtex_bibfiles = ['refs.bib', 'more.bib']\n"
    )


def test_conf_py_that_cites_nothing():
    assert sphinx.parse("extensions = []\n# bibtex_bibfiles\n").links == ()


@pytest.mark.parametrize(("bib", "count"), [(BIB, 1), ("", 0)])
def test_of_a_bibliography_without_entries_nothing_is_noted(bib, count):
    files = {"docs/page.md": PAGE, "docs/refs.bib": bib, "docs/conf.py": 'bibtex_bibfiles = ["refs.bib"]\n'}
    notes = checks.notes(marks.project(marks.Marked(files), "docs/page.md"))
    assert sum("unused entries" in note.text for note in notes) == count
