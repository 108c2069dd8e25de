"""What macros that a document defines stand for."""

import pytest

from citelsp.syntax.languages.latex import command_definitions

LONG = "x" * 200


@pytest.mark.parametrize(
    ("tex", "texts", "spellings"),
    [
        ("a.bib", [r"\def\a{x}"], ["a.bib"]),
        (r"\dir/a", [], [r"\dir/a"]),
        (r"\dir/a", [r"\newcommand{\dir}{x}", r"\def\dir{y} \edef\dir{ z }"], ["x/a", "y/a", "z/a"]),
        (r"\a{}b \a", [r"\providecommand*\a{x}"], ["xb x"]),
        (r"\a/c", [r"\newcommand{\a}{\b}\newcommand { \b } {y}"], ["y/c"]),
        (r"\a\a", [r"\def\a{x}\def\a{y}"], ["xx", "xy", "yx", "yy"]),
        (r"\a", ["% \\def\\a{no}\n\\def\\a{x}"], ["x"]),
        (r"\a", [r"\def\a{#1}\def\a#1{no}\def\ab{no}"], [r"\a"]),
        (r"\a", [rf"\def\a{{{LONG}}}\def\a{{{LONG}x}}"], [LONG]),
        (r"\jobname", [r"\def\jobname{no}"], [r"\jobname"]),
        (r"\a", [r"\def\a{\a}"], [r"\a"]),
        (r"\x@y/z", [r"\def\x@y{a}"], ["a/z"]),
        (r"\a", ["%" + "x" * 50_000 + "\n\\def\\a{no}"], [r"\a"]),
    ],
)
def test_what_the_name_of_a_file_may_stand_for(tex, texts, spellings):
    assert command_definitions.spellings(tex, [*map(command_definitions.find_short_macros, texts)]) == spellings


def test_only_so_many_spellings_are_tried():
    assert (
        len(command_definitions.spellings(r"\a" * 9, [command_definitions.find_short_macros(r"\def\a{x}\def\a{y}")]))
        < 40
    )


@pytest.mark.parametrize(
    ("text", "title", "words"),
    [
        (r"\def\x{A}\newcommand*{\y}{B\xspace}", r"\x{}c \y d \z", r"Ac B d \z"),
        (r"\newcommand\x{\emph{A}}", r"\x \xy", r"\emph{A} \xy"),
        (r"\newcommand\x[1]{A}", r"\x{b}", r"\x{b}"),
        (r"\def\x{A\\B}", r"\x", r"A\\B"),
        ("%\\newcommand{\\x}{Old}\n\\newcommand{\\x}{New}", r"\x", "New"),
        ("\\def\\x{New} % not \\def\\x{Old}\n", r"\x", "New"),
        ("% \\def\\x{Old}\n", r"\x", r"\x"),
        (r"\newcommand{\x}{}\renewcommand{\x}{New}\providecommand{\x}{Other}", r"\x", "New"),
        (r"\providecommand{\x}{A}\begin{document}\renewcommand{\x}{B}", r"\x", "A"),
        (r"\begin{document}\def\x{A}\renewcommand{\x}{B}", r"\x", "B"),
        (r"\newcommand{\x}{\{A\}}\newcommand{\setx}[1]{\renewcommand{\x}{#1}}", r"\x", r"\{A\}"),
        (r"\newcommand{\hide}{\def\x{Hidden}}\newcommand{\x}{A}", r"\x", "A"),
        (r"\AtBeginDocument{\def\x{A}}", r"\x", "A"),
        ("5\\% \\def\\x{A}", r"\x", "A"),
        ("x" * 50_001 + r"\def\x{A}", r"\x", r"\x"),
        (rf"\def\x{{{'A' * 3000}}}", r"\x\x", r"\x\x"),
        (rf"\def\x{{{'A' * 2500}}}", r"\x\x", "A" * 5000),
    ],
)
def test_macros_in_titles(text, title, words):
    assert command_definitions.expand_macros(text, title) == words
