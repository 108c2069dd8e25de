r"""Whether TeX surely comes to a place, or a condition or a command decides."""

import pytest

from citelsp.syntax.languages.latex.branches import is_optional


@pytest.mark.parametrize(
    "text",
    [
        r"\ifx a\ifx b\fi HERE\fi",
        r"\ifpdf a\else HERE\fi",
        r"\fi\ifx HERE\fi",
        "% \\ifx\n\\ifx HERE",
        r"\IfFileExists{x}{a}{HERE}",
        r"\ifthenelse{a}{b} {HERE}",
        r"\iffoo{a\}{b} {HERE}",
        r"\iffoo{a {b} \x{c HERE}}",
        r"\iffoo[b]{c]}  {HERE}",
        r"\iffoo{HERE",
        r"\protect\iffoo #1{HERE}",
        r"\only<2>{HERE}",
        r"\mode<article>{HERE}",
        r"\newcommand\x{HERE}",
        r"\renewcommand*{\x}[1]{HERE}",
        r"\gdef\x#1{HERE}",
        r"\newenvironment{x}{a}{HERE}",
        r"\iffoo" + 8 * "{x}" + "{HERE}",
        r"\iffoo{" + 4900 * "x" + "HERE}",
        r"\iffoo{" + 28 * "{" + "HERE",
    ],
)
def test_tex_may_leave_it_out(text):
    assert is_optional(text, text.index("HERE"))


@pytest.mark.parametrize(
    "text",
    [
        r"HERE \ifpdf",
        r"\ifpdf a\fi HERE",
        r"\ifx a\ifx b\fi\fi HERE",
        r"\newif \ifx HERE",
        r"\let \ifx\iftrue \fi HERE",
        r"\\ifx HERE",
        r"$a \iff b$ HERE",
        "x % \\ifx \\ifx\nHERE",
        r"\ifthenelse{a}{b} HERE",
        r"\iffoo{a} HERE",
        r"\iffoo{a}} {HERE}",
        r"\x{\iffoo{a}}{HERE}",
        r"\x[a]{HERE}",
        r"\modes{HERE}",
        r"{\iffoo{a} HERE}",
        r"\iffoo" + 10 * "{x}" + "{HERE}",
        r"\iffoo{" + 5000 * "x" + "HERE}",
        r"\iffoo{" + 40 * "{" + "HERE",
    ],
)
def test_tex_surely_comes_to_it(text):
    assert not is_optional(text, text.index("HERE"))


def test_each_place_is_judged_by_itself():
    text = r"A \iffoo{B} C \def\x{D} E \ifx F \fi G"
    assert "".join(it for it in "ABCDEFG" if is_optional(text, text.index(it))) == "BDF"
