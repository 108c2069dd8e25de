"""Which CSL style a manuscript's references are printed in, and which files are not trusted with that."""

import os
from functools import partial

import pytest

from citelsp.base import bounds
from citelsp.base.settings import Settings
from citelsp.workspace import csl_styles, include_graph
from citelsp.workspace.files import DiskFiles
from csl_styles import STYLE, dependent

PAPER = "---\ncsl: {}\nbibliography: refs.bib\n---\n@a\n"
BIB = "@book{a, title = {A}}\n"


def declared(root, path, folders=None):
    files = DiskFiles([str(root)] if folders is None else folders, environment={})
    project = include_graph.build(files, str(root / path), Settings())
    assert csl_styles.declares(project) == ("csl" in "".join(it.document.text for it in project.sources.values()))
    return csl_styles.find_declared(project, files.folders())


@pytest.mark.parametrize("name", ["own.csl", '"own.csl"', "./styles/../own.csl  # ours"])
def test_of_a_document(tree, name):
    root = tree({"paper.md": PAPER.format(name), "refs.bib": BIB, "own.csl": STYLE, "styles/x.csl": ""})
    assert declared(root, "paper.md") == csl_styles.CslStyle(STYLE, "")
    assert declared(root, "refs.bib") == csl_styles.CslStyle(STYLE, "")


def test_of_a_project_and_its_language(tree):
    book = "project:\n  type: book\nbook:\n  chapters: [index.qmd, two.qmd]\nbibliography: refs.bib\nlang: de-AT\n"
    own = STYLE.replace("Small", "Own")
    root = tree(
        {
            "_quarto.yml": book + "csl: styles/book.csl\n",
            "index.qmd": "@a",
            "two.qmd": "---\ncsl: own.csl\nlang: en\n---\n@a",
            "refs.bib": BIB,
            "styles/book.csl": STYLE,
            "own.csl": own,
        }
    )
    assert declared(root, "index.qmd") == csl_styles.CslStyle(STYLE, "de-AT")
    assert declared(root, "two.qmd") == csl_styles.CslStyle(own, "en")


def test_as_to_pandoc_csl_counts_before_citation_style_wherever_it_stands(tree):
    aside = STYLE.replace("Small", "Aside")
    root = tree(
        {
            "_quarto.yml": "project:\n  type: book\nbook:\n  chapters: [one.qmd, two.qmd]\n",
            "one.qmd": "---\ncitation-style: aside.csl\n---\n@a",
            "two.qmd": "---\ncsl: own.csl\n---\n@a",
            "own.csl": STYLE,
            "aside.csl": aside,
        }
    )
    assert declared(root, "one.qmd") == csl_styles.CslStyle(aside, "")  # the other part's is its own
    root = tree({"_quarto.yml": "csl: own.csl\n"})
    assert declared(root, "one.qmd") == csl_styles.CslStyle(STYLE, "")


def test_nearer_metadata_counts_before_that_above(tree):
    root = tree(
        {
            "_quarto.yml": "csl: far.csl\n",
            "posts/_metadata.yml": "csl: near.csl\n",
            "posts/one.qmd": "@a",
            "far.csl": STYLE.replace("Small", "Far"),
            "posts/near.csl": STYLE,
        }
    )
    assert declared(root, "posts/one.qmd") == csl_styles.CslStyle(STYLE, "")


def test_none_is_declared(tree):
    root = tree({"paper.md": "@a", "main.tex": r"\documentclass{article}\cite{a}"})
    assert declared(root, "paper.md") is None
    assert declared(root, "main.tex") is None


@pytest.mark.parametrize("lang", ["x", "../de", "de --filter=x", "de de", "de:en"])
def test_what_is_no_language_is_left_out(tree, lang):
    root = tree({"paper.md": f"---\ncsl: own.csl\nlang: {lang}\n---\n@a", "own.csl": STYLE})
    assert declared(root, "paper.md") == csl_styles.CslStyle(STYLE, "")


@pytest.mark.parametrize(
    "name", ["../outside.csl", "link.csl", "https://example.org/x.csl", "--help", "none.csl", ".", "x" * 9999]
)
def test_files_outside_the_workspace_are_not_read(tree, name):
    root = tree({"work/paper.md": PAPER.format(name), "outside.csl": STYLE})
    (root / "work/link.csl").symlink_to(root / "outside.csl")
    assert declared(root / "work", "paper.md") is None
    assert declared(root / "work", "paper.md", []) is None  # a document that belongs to no folder
    if name in ("../outside.csl", "link.csl"):
        assert declared(root, "work/paper.md") == csl_styles.CslStyle(STYLE, "")


def test_a_name_that_no_file_can_have(tmp_path):
    files = DiskFiles([str(tmp_path)], environment={})
    files.open(str(tmp_path / "new.md"), '---\ncsl: "a\0b"\n---\n@a\n')
    project = include_graph.build(files, str(tmp_path / "new.md"), Settings())
    assert csl_styles.declares(project) and csl_styles.find_declared(project, files.folders()) is None


@pytest.mark.parametrize(
    "text",
    [
        dependent("http://127.0.0.1:9/x"),
        dependent("x").replace("independent-parent", "independent&#45;parent"),
        STYLE.replace("<style", '<!DOCTYPE x [<!ENTITY a "a">]><style', 1),
        STYLE + " " * bounds.STYLE,
        STYLE[:200],
        "",
    ],
    ids=["rests on another", "says so in figures", "entities", "too long", "cut off", "empty"],
)
def test_styles_that_are_not_used(tree, text):
    assert declared(tree({"paper.md": PAPER.format("own.csl"), "own.csl": text}), "paper.md") is None


def test_a_style_longer_than_is_read_is_named(tree):
    """The rest is served, and one as long as is allowed is used."""
    padded = STYLE + " " * (bounds.STYLE - len(STYLE.encode()))
    root = tree({"paper.md": PAPER.format("own.csl"), "refs.bib": BIB, "own.csl": padded + " "})
    build = partial(include_graph.build, DiskFiles([str(root)], environment={}), str(root / "paper.md"), Settings())
    project = build()
    assert project.problems == (f"{os.path.realpath(root / 'own.csl')} is larger than 1 MB and was not read.",)
    assert project.closed and project.defines("a")
    (root / "own.csl").write_text(padded, encoding="utf-8")
    assert build().problems == ()
    assert declared(root, "paper.md") == csl_styles.CslStyle(padded, "")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32-le", "latin-1"])
def test_styles_that_others_may_read_otherwise_are_not_used(tree, encoding):
    root = tree({"paper.md": PAPER.format("own.csl")})
    style = dependent("http://127.0.0.1:9/é").replace("“", "«").replace("”", "»")
    (root / "own.csl").write_bytes(style.encode(encoding))
    assert declared(root, "paper.md") is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tree):
    root = tree({"paper.md": PAPER.format("own.csl")})
    os.mkfifo(root / "own.csl")
    assert declared(root, "paper.md") is None
