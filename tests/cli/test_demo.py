"""The demonstration, as a newcomer runs it."""

import re
import shlex

from citelsp.base import docs
from citelsp.cli import demo, main


def test_the_demonstration_shows_a_suggestion_and_a_finding(capsys):
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert r"Accepting the first writes \cite{walters2023fabrication} and, in references.bib:" in shown
    assert "@article{walters2023fabrication," in shown
    assert shown.count("Accepting the first") == 1
    assert "\nmain.tex:27:28: warning: No entry has the key “liu2019roberta”." in shown
    assert "`citelsp demo --all` shows the rest" in shown
    assert "\x1b[" not in shown


def test_the_demonstration_fits_a_small_terminal(terminal):
    lines = [re.sub(r"\x1b\[[\d;]*m", "", it) for it in terminal(80, "demo")]
    assert len(lines) < 24  # the prompt comes below
    assert max(map(len, lines)) <= 80


def test_all_of_it_can_be_seen_and_nothing_is_written(capsys):
    before = {it: it.read_bytes() for it in demo.folder().rglob("*") if it.is_file()}
    assert main(["demo", "--all"]) == 0
    shown = capsys.readouterr().out
    assert r"Accepting the first writes \cite{yao2023react} and, in references.bib:" in shown
    assert r"Accepting the first writes \cite{guo2017calibration}; its entry is in the bibliography already." in shown
    assert "Nothing fits, as the nearest work is improbable" in shown
    assert "No manuscript cites “knuth1984texbook”." in shown and "still to be chosen" not in shown
    assert f"open main.tex in a copy of\n  {demo.folder()}\n" in shown
    assert "citelsp check paper.tex" in shown
    assert "sections/related.tex:8: …" in shown
    assert "Cite Scientific Claims? Advances in" in shown and "?." not in shown
    assert "(title)" not in shown
    assert {it: it.read_bytes() for it in demo.folder().rglob("*") if it.is_file()} == before


def test_the_page_shows_what_check_says_of_it(capsys, monkeypatch):
    page = docs.read(docs.DOCS / "checking.md")
    command, _, sample = page.partition("```console\n$ cd fixtures/demo && ")[2].partition("```")[0].partition("\n")
    monkeypatch.chdir(demo.folder())
    main(shlex.split(command)[1:])
    printed = capsys.readouterr().out.splitlines()
    told = [it for it in sample.splitlines() if it not in ("", "…")]
    assert len(told) > 5 and [it for it in printed if it in told] == told
