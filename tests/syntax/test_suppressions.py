"""Comments that silence findings: which findings, and on which lines."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse


def silenced(language, text):
    """The codes of each comment, itself, and the lines that it covers."""
    found = parse(Document("a", text, language)).suppressions
    return [(" ".join(it.codes), it.span.within(text), it.covers.within(text)) for it in found]


@pytest.mark.parametrize(
    ("language", "comment"),
    [
        ("latex", "% citelsp: ignore[a, b,] why"),
        ("latex", "%% citelsp:ignore [a,b]"),
        ("bibtex", "% citelsp: ignore[ a, b ] why"),
        ("bibtex", "%% citelsp:ignore [a,b]"),
        ("markdown", "<!-- citelsp: ignore[a, b] why -->"),
        ("org", "# citelsp: ignore[a, b] why"),
        ("org", "@@comment: citelsp: ignore[a, b] why@@"),
        ("typst", "// citelsp: ignore[a,b] why"),
    ],
)
def test_a_comment_alone_silences_the_next_line_that_is_not_blank(language, comment):
    assert silenced(language, f"x\n{comment}\n \n\nnext line\nlast") == [
        ("a b", comment, " " if language == "bibtex" else "next line")
    ]
    assert silenced(language, f"{comment}\nnext line") == [("a b", comment, "next line")]
    assert silenced(language, comment) == [("a b", comment, "")]
    assert silenced(language, f"{comment}\n\n") == [("a b", comment, "")]


@pytest.mark.parametrize(
    ("language", "line", "comment"),
    [
        ("latex", "x % citelsp: ignore", "% citelsp: ignore"),
        ("latex", "50\\%% citelsp: ignore", "% citelsp: ignore"),
        ("latex", "a & b \\\\% citelsp: ignore", "% citelsp: ignore"),
        ("bibtex", "@a{b} % citelsp: ignore", "% citelsp: ignore"),
        ("markdown", "x <!-- citelsp: ignore -->", "<!-- citelsp: ignore -->"),
        ("markdown", "<!-- citelsp: ignore --> x", "<!-- citelsp: ignore -->"),
        ("typst", "x // citelsp: ignore", "// citelsp: ignore"),
        ("org", "| x @@comment: citelsp: ignore why@@ | @@y@@", "@@comment: citelsp: ignore why@@"),
    ],
)
def test_a_comment_beside_something_silences_its_own_line(language, line, comment):
    assert silenced(language, f"before\n{line}\nafter") == [("", comment, line)]
    assert silenced(language, line) == [("", comment, line)]


def test_several_comments_on_one_line_and_one_over_several():
    one, other = "<!-- citelsp: ignore[a] -->", "<!-- citelsp: ignore[b] -->"
    line = f"x {one} y {other} z"
    assert silenced("markdown", f"w\n{line}\nv") == [("a", one, line), ("b", other, line)]
    long = "<!-- citelsp: ignore[a]\nwhy -->"
    assert silenced("markdown", f"x {long} y\nz") == [("a", long, f"x {long} y")]
    assert silenced("markdown", f"x\n{long}\nz") == [("a", long, "z")]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("latex", r"\% citelsp: ignore"),
        ("latex", "% citelsp: ignored"),
        ("latex", "% citelsp: ignore-all"),
        ("bibtex", "% citelsp: ignored"),
        ("latex", "\\begin{verbatim}\n% citelsp: ignore\n\\end{verbatim}"),
        ("markdown", "<!-- citelsp: ignore"),
        ("org", "x # citelsp: ignore"),
        ("org", "#citelsp: ignore"),
        ("org", "@@comment: citelsp: ignore"),
        ("org", "@@html: citelsp: ignore@@"),
    ],
)
def test_other_comments_silence_nothing(language, text):
    assert silenced(language, text) == []


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("% citelsp: ignore\n@a{b,\n t = {1}}\n@c{d}", "@a{b,\n t = {1}}"),
        ("% citelsp: ignore\nsee @a{b,\n t = {1}} this\n@c{d}", "see @a{b,\n t = {1}}"),
        ("% citelsp: ignore\n\n@a{b,\n t = {1}}", ""),
        ("@a{b,\n t = {1}} % citelsp: ignore\n@c{d}", " t = {1}} % citelsp: ignore"),
        ("@c{d}\n% citelsp: ignore", ""),
    ],
)
def test_an_entry_below_a_comment_is_silenced_whole(text, covered):
    assert [it[2] for it in silenced("bibtex", text)] == [covered]
