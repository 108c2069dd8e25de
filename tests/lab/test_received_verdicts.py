import sys

import pytest

import crossref_server
import pdf_files
from lab import received_verdicts

TITLE = "Literate Programming of Engines and Tables"
WORK = {
    "DOI": "10.1093/comjnl/27.2.97", "type": "journal-article", "title": [TITLE],
    "author": [{"given": "Donald E.", "family": "Knuth"}], "container-title": ["The Computer Journal"],
    "issued": {"date-parts": [[1984, 2]]}, "volume": "27", "page": "97-111",
}  # fmt: skip
ENTRY = f"author = {{Knuth, Donald E.}}, title = {{{TITLE}}}, journal = {{The Computer Journal}}, volume = 27"
BIB = f"@article{{a, {ENTRY}, year = 1984}}\n@article{{never, {ENTRY}, year = 1986}}"
RIGHT = "Donald E. Knuth. Literate programming of engines and tables. The Computer Journal, 27:97, 1984."
BBL = f"\\begin{{thebibliography}}{{9}}\n\\bibitem{{a}} {RIGHT}\n\\end{{thebibliography}}"


@pytest.fixture
def folder(tmp_path):
    """A paper whose PDF prints a year that neither its bibliography nor its compiled list has."""
    paper = tmp_path / "papers" / "one"
    paper.mkdir(parents=True)
    tex = "\\documentclass{article}\\begin{document}\\cite{a}\\bibliography{refs}\\end{document}"
    for name, text in {"main.tex": tex, "refs.bib": BIB, "main.bbl": BBL}.items():
        (paper / name).write_text(text, encoding="utf-8")
    lines = ["Words of prose that go on for a while."] * 5
    shown = pdf_files.shown([*lines, "References", f"[1] {RIGHT.replace('1984', '1994')}"])
    pdf_files.written(paper / "main.pdf", [pdf_files.stream(shown)])
    return tmp_path


def test_verdicts_of_one_paper_by_each_way(folder, monkeypatch, capsys):
    service = crossref_server.Scholars(WORK)
    (folder / "settings.toml").write_text(service.config(), encoding="utf-8")
    words = [str(folder / "papers"), "--config", str(folder / "settings.toml"), "--show"]
    monkeypatch.setattr(sys, "argv", ["received_verdicts", *words])
    try:
        received_verdicts.main()
    finally:
        service.close()
    said = capsys.readouterr().out
    assert "1 papers" in said
    assert ".bbl      1 references, 100.0 % same verdict,  0.00 % accused falsely (0)" in said
    assert "PDF       1 references,   0.0 % same verdict, 100.00 % accused falsely (1)" in said
    assert "! PDF one a: verified () → mismatch" in said


def test_what_the_reader_did_not_find_has_no_verdict(folder):
    [paper] = received_verdicts.papers(folder)
    compared = list(received_verdicts.compare_verdicts(paper, [], [], []))
    assert compared == []  # of what the bibliography does not have nothing can be said
