r"""Bibliographies that no LaTeX prints, and styles that are not named by `\\bibliographystyle`."""

import pytest

from citelsp import checks
from citelsp.base.settings import Settings
from citelsp.knowledge import Knowledge
from citelsp.workspace import include_graph
from citelsp.workspace.files import DiskFiles

SITE = "title: Jane Doe\nscholar:\n  style: apa\n\n  source: /publications/\nplugins: [jekyll-scholar]\n"
ENTRY = """@article{a,
  title = {Of <i>Things</i> & M{&uuml;}ller, 100% of_it},
  author = {Doe, Jane},
  journal = {Journal of Things},
  year = 2000,
  month = thermidor,
}
"""


def codes_in(root, path):
    project = include_graph.build(DiskFiles([str(root)], environment={}), str(root / path), Settings())
    return {it.code for it in checks.run(project, Knowledge())}


@pytest.mark.parametrize(
    ("configuration", "path", "is_on_site"),
    [
        ("title: Jane Doe\n", "_bibliography/papers.bib", True),
        (SITE, "publications/2000/papers.bib", True),
        (SITE, "_bibliography/papers.bib", False),
        ("title: Jane Doe\n", "tex/papers.bib", False),
        (None, "_bibliography/papers.bib", False),
    ],
)
def test_html_is_no_fault_on_a_site_of_jekyll(tree, configuration, path, is_on_site):
    """Its plug-in jekyll-scholar prints by CSL, into HTML; where it takes bibliographies from is a setting."""
    root = tree({path: ENTRY} if configuration is None else {path: ENTRY, "_config.yml": configuration})
    found = codes_in(root, path)
    if is_on_site:
        assert not found
    else:
        assert found >= {"foreign-markup", "unescaped-character", "undefined-string"}


def test_a_site_is_not_printed_by_pandoc(tree):
    entries = "@book{a, title = {A}}\n@book{a, title = {B}}\n"
    root = tree({"_config.yml": SITE, "publications/papers.bib": entries})
    project = include_graph.build(
        DiskFiles([str(root)], environment={}), str(root / "publications/papers.bib"), Settings()
    )
    found = [it.message for it in checks.run(project, Knowledge(), codes=["duplicate-entry"])]
    assert found == ["Another entry already has the key “a”."]


def test_what_latex_reads_too_is_checked_as_for_latex(tree):
    paper = "\\documentclass{x}\\bibliographystyle{plain}\\bibliography{_bibliography/papers}\\nocite{*}"
    root = tree({"_config.yml": SITE, "_bibliography/papers.bib": ENTRY, "cv.tex": paper})
    assert "foreign-markup" in codes_in(root, "_bibliography/papers.bib")


R_MARKDOWN = "---\nbibliography: refs.bib\n---\n"
LATEX = "\\documentclass{x}\\bibliographystyle{plain}\\bibliography{refs}"


@pytest.mark.parametrize(
    ("files", "is_for_latex"),
    [
        ({}, True),
        ({"README.md": "No paper."}, True),
        ({"index.Rmd": R_MARKDOWN}, False),
        ({"index.Rmd": R_MARKDOWN, "template.tex": f"{LATEX}$body$"}, False),
        ({"index.Rmd": R_MARKDOWN, "paper.tex": LATEX}, True),
        ({"main.typ": '#bibliography("refs.bib")'}, False),
        ({"conf.py": 'bibtex_bibfiles = ["export.bib"]\n', "index.rst": "Here"}, False),
        # What a part calls by the name of the main document may be any file, until that document is read.
        ({"main.tex": r"\documentclass{x}\input{end}", "end.tex": r"\bibliography{\jobname}"}, True),
    ],
)
def test_what_nobody_names_is_for_the_reader_of_the_rest(tree, files, is_for_latex):
    """A .bib beside R Markdown alone is for pandoc, and one that Sphinx reads for it."""
    root = tree({"export.bib": ENTRY, "refs.bib": "@book{b, title = {B}}\n", **files})
    assert ("unescaped-character" in codes_in(root, "export.bib")) == is_for_latex


@pytest.mark.parametrize("style", ["bibliographystyle:plain", "[[bibliographystyle:plain]]"])
def test_org_ref_names_a_style(tree, style):
    entry = "@online{b, title = {B}, author = {Doe, Jane}, url = {https://a.org}}\n"
    for written, is_named in ((style, True), (f"# {style}", False)):
        root = tree({"p.org": f"cite:b\n\n{written}\nbibliography:refs.bib\n", "refs.bib": entry})
        assert ("not-printed" in codes_in(root, "p.org")) == is_named
