"""The demonstration, as a newcomer runs it."""

from citelsp.cli import demo, main


def test_the_demonstration_runs_and_writes_nothing(capsys):
    before = {it: it.read_bytes() for it in demo.folder().rglob("*") if it.is_file()}
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "Walters and Wilder 2023" in shown
    assert "@article{walters2023fabrication," in shown
    assert r"Accepting the first writes \cite{walters2023fabrication} and, in references.bib:" in shown
    assert r"Accepting the first writes \cite{yao2023react} and, in references.bib:" in shown
    assert "sections/related.tex:8: …" in shown
    assert "\nmain.tex:27:28: warning: No entry has the key “liu2019roberta”." in shown
    assert "(title)" not in shown
    assert "citelsp check paper.tex" in shown
    assert "\x1b[" not in shown
    assert {it: it.read_bytes() for it in demo.folder().rglob("*") if it.is_file()} == before
