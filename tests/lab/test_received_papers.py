import json
import sys
from dataclasses import replace

import pytest

from citelsp.bibliography.received import ReadPaper, ReadReference
from lab import received_papers

TEX = r"""\documentclass{article}
\title[Short]{Engines and\\ Numbers\thanks{Funded.}}
\author{Ada Byron\textsuperscript{1} \and Donald Knuth}
\date{May 2019}
\begin{document}\input{list}\end{document}"""
BIB = """@article{a, author = {Byron, Ada}, title = {Notes on the Engine}, journal = {Memoirs}, volume = 3, year = 1843}
@article{b, author = {Knuth, Donald}, title = {Literate Programming}, journal = {Journal}, volume = 27, year = 1984}"""
BBL = r"""\begin{thebibliography}{9}
\bibitem{a} Ada Byron. \newblock Notes on the engine. \newblock {\em Memoirs}, 3:1--9, 1843.
\bibitem{b} Donald Knuth. \newblock Literate programming. \newblock {\em Journal}, 27:2--3, 1984.
\end{thebibliography}"""
READ = ReadPaper(
    "Engines and Numbers",
    (ReadReference("1", "Ada Byron. Notes on the engine. Memoirs, 3:1–9, 1843."),),
    authors=("Ada Byron", "Donald Knuth"),
    year=2018,
)


@pytest.fixture
def folder(tmp_path):
    paper = tmp_path / "engines"
    paper.mkdir()
    for name, text in {"main.tex": TEX, "refs.bib": BIB, "main.bbl": BBL, "list.tex": "% nothing"}.items():
        (paper / name).write_text(text, encoding="utf-8")
    (paper / "main.pdf").write_bytes(b"%PDF-1.4 no paper at all")
    (paper / "figure.pdf").write_bytes(b"%PDF-1.4")
    return tmp_path


def test_the_readings_of_one_paper(folder):
    [paper] = received_papers.papers(folder)
    reads = received_papers.measured(paper, READ, {})
    assert [(it.field, it.is_right) for it in reads["front page"]] == [
        ("title", True),
        ("first author", True),
        ("year", False),
    ]
    assert [it.key for it in reads["PDF"] if not it.is_right] == ["b"]
    assert {it.field for it in reads["PDF"] if it.key == "a"} >= {"found", "title", "first author", "year"}
    assert all(it.is_right for it in reads[".bbl"])


def test_what_a_manuscript_does_not_tell_is_given(folder):
    [paper] = received_papers.papers(folder)
    reads = received_papers.measured(paper, READ, {"year": 2018, "author": ""})
    assert [(it.field, it.is_right) for it in reads["front page"]] == [("title", True), ("year", True)]


def test_an_empty_compiled_list_stands_in_the_manuscript(folder):
    [paper] = received_papers.papers(folder)
    assert paper.list_file == folder / "engines" / "main.bbl"
    (folder / "engines" / "main.bbl").write_text("", encoding="utf-8")
    (folder / "engines" / "main.tex").write_text(TEX.replace(r"\input{list}", BBL), encoding="utf-8")
    [paper] = received_papers.papers(folder)
    assert paper.list_file == folder / "engines" / "main.tex"
    assert [it.key for it in received_papers.listed(paper)] == ["a", "b"]


def test_each_reference_is_found_once(folder):
    [paper] = received_papers.papers(folder)
    both = [ReadReference("1", "Donald Knuth. Literate programming. Journal, 27:2–3, 1984.")] * 2
    assert list(received_papers.matched(received_papers.listed(paper), both)) == ["b"]


def test_biber_prints_no_reference_in_its_list():
    fields = r"\field{title}{Notes on the Engine}\field{year}{1843}"
    bbl = rf"\entry{{a}}{{article}}{{}}\name{{author}}{{1}}{{}}{{{{{{family={{Byron}}}}}}}}{fields}\endentry"
    paper = received_papers.Paper("x", None, "", bbl, "")
    assert [it.is_whole for it in received_papers.listed(paper)] == [False]
    found = received_papers.matched(received_papers.listed(paper), READ.references)
    assert list(found) == ["a"]


def test_a_pdf_that_cannot_be_read_is_said(folder, capsys, monkeypatch):
    (folder / "known.json").write_text(json.dumps({"other": {"skip": True}}))
    monkeypatch.setattr(sys, "argv", ["received_papers", str(folder), "--front", str(folder / "known.json")])
    received_papers.main()
    said = capsys.readouterr().out
    assert "main.pdf: is not a readable PDF" in said and "1 papers" in said


def test_the_address_of_a_link_need_not_be_printed(folder):
    [paper] = received_papers.papers(folder)
    link = r"\href{http://arxiv.org/abs/astro-ph/0409198-and-a-long-address-behind-it}{astro-ph}"
    bbl = paper.bbl.replace("3:1--9, 1843.", f"3 (1843), {link}").replace("Notes on the engine. \\newblock ", "")
    [listed, _] = received_papers.listed(replace(paper, bbl=bbl))
    found = [ReadReference("1", "Ada Byron. Memoirs, 3 (1843), astro-ph")]
    assert list(received_papers.matched([listed], found)) == ["a"]
