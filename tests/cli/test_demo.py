"""The demonstration, as a newcomer runs it."""

from citelsp.cli import demo, main


def test_the_demonstration_runs_and_writes_nothing(capsys):
    before = {it: it.read_bytes() for it in demo.folder().rglob("*") if it.is_file()}
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "Walters and Wilder 2023" in shown
    assert "@article{walters2023fabrication," in shown
    assert "liu2019roberta" in shown
    assert "\x1b[" not in shown
    assert {it: it.read_bytes() for it in demo.folder().rglob("*") if it.is_file()} == before
