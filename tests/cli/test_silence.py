"""“Nothing to report” means that it was looked at: what citelsp does not read it names."""

from argparse import Namespace
from pathlib import Path

import pytest

from citelsp.cli import main
from citelsp.cli.checking import Extent, Outcome
from citelsp.cli.targets import Workplace

BROKEN = "@article{a, title = {T}\n@article{b, title = {U}}\n"
UNCITED = "@book{z}\n"
ENTRY = "@book{a, title = {A}, author = {B}, year = 2000, publisher = {C}}\n"


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """check({path: text}, *arguments) → (exit status, output, errors)."""
    monkeypatch.chdir(tmp_path)

    def run(files, *arguments):
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        status = main(["check", "--offline", *(arguments or ["."])])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


@pytest.mark.parametrize("notes", ["README.md", "docs/notes.md"])
def test_a_guess_excuses_no_bibliography_from_being_looked_at(check, notes):
    status, out, _ = check({"refs.bib": BROKEN, notes: "# Hello\n"})
    assert status == 1 and "refs.bib:1:1: error: a (“T”): This entry is never closed." in out


def test_a_bibliography_that_is_declared_is_read_through_its_manuscript(check):
    declared = {"paper.md": "---\nbibliography: refs.bib\n---\n[@a]\n", "refs.bib": ENTRY + UNCITED}
    status, out, _ = check(declared)
    assert status == 0 and "missing-field" not in out and "No manuscript cites “z”" in out


@pytest.mark.parametrize("name", ["p.typ", "p.org", "p.ipynb", "refs.ris", "p.docx", "Makefile"])
def test_a_file_of_a_kind_that_is_not_read_is_wrong_usage(check, name):
    status, out, err = check({name: "[@a]", "refs.bib": BROKEN}, "refs.bib", name)
    assert (status, out) == (3, "")
    assert f"{name}: not of a kind that citelsp reads, which are LaTeX (.tex" in err


@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        ("hay.yml", "key:\n  type: article\n", 3),
        ("package.json", '{"name": "x"}', 3),
        ("refs.json", '[{"id": "a", "type": "book", "title": "A"}]', 0),
        ("refs.yaml", "references:\n- id: a\n  type: book\n  title: A\n", 0),
        ("_quarto.yml", "project:\n  type: book\n", 0),
    ],
)
def test_yaml_and_json_are_read_where_they_hold_or_name_entries(check, name, text, status):
    assert check({name: text}, name)[0] == status


def test_the_extent_of_a_check(check):
    check({"refs.bib": ENTRY + ENTRY.replace("{a", "{b"), "a.tex": r"\documentclass{article}\addbibresource{refs.bib}"})
    check({"b.tex": r"\documentclass{article}\cite{a, a}\addbibresource{refs.bib}", "alone.bib": ENTRY})

    def extent(*paths):
        targets = Workplace(Namespace(paths=[Path(it) for it in paths], config=None)).targets()
        return Outcome(targets, [], [], None).extent()

    assert extent(".") == Extent(manuscripts=2, citations=2, bibliographies=2, entries=2, of=3)
    assert extent("refs.bib") == Extent(manuscripts=2, citations=2, bibliographies=1, entries=2, of=2)
