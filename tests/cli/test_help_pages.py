"""`citelsp help`: the pages in a terminal, and for programs as they are written."""

import pytest

from citelsp.base import docs
from citelsp.checks import ALL
from citelsp.cli import main, page_text, paint


def test_without_a_topic_all_are_listed(capsys):
    assert main(["help"]) == 0
    listed = capsys.readouterr().out.replace(",", " ").split()
    assert {"install", "citing", "neovim", *(it.code for it in ALL)} <= set(listed)


@pytest.mark.parametrize("topic", ["zotero", "wrong-year"])
def test_a_program_gets_the_page_as_it_is_written(topic, capsys):
    assert main(["help", topic]) == 0
    assert capsys.readouterr().out == docs.read(docs.topics()[topic])


def test_a_command_explains_its_options(capsys):
    assert main(["help", "check"]) == 0
    assert "usage: citelsp check" in capsys.readouterr().out


def test_a_wrong_topic_is_wrong_usage(capsys):
    assert main(["help", "zotera"]) == 3
    assert "there is no topic “zotera”; did you mean zotero?" in capsys.readouterr().err


def test_a_pager_that_no_shell_would_start_is_passed_by(monkeypatch, capsys):
    monkeypatch.setenv("PAGER", "less '")
    monkeypatch.setattr(paint, "width", lambda _: 80)
    assert main(["help", "zotero"]) == 0
    assert "Zotero" in capsys.readouterr().out


@pytest.mark.parametrize("topic", docs.topics())
def test_a_page_fits_its_terminal(topic):
    lines = page_text.render_page(docs.read(docs.topics()[topic]), 72).splitlines()
    prose = [it for it in lines if not it.startswith("    ")]  # code is shown as it is
    assert [it for it in prose if len(it) > 72 and " " in it.strip().removeprefix("- ")] == []


MARKDOWN = """# A

See [b](b.md) and [c](https://c.org), **not**
*d*.

- one
  more
- two

| x | y |
|---|---|
| 1 | 2 |
"""
TEXT = """A

See b and c (https://c.org), not d.

- one more
- two

x  y
1  2
"""


def test_markdown_reads_as_text():
    assert page_text.render_page(MARKDOWN, 60).replace("\x1b[1m", "").replace("\x1b[0m", "") == TEXT
