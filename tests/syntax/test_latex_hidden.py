"""What is no LaTeX that anyone reads: verbatim text, skipped branches, programs, what follows the end."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax import languages, parse


def keys(text):
    return [it.key for it in parse(Document("a.tex", text, "latex")).citations]


@pytest.mark.parametrize(
    "hidden",
    [
        r"\verb|\cite{no}|",
        r"\verb*+\cite{no}+",
        r"\lstinline[language=TeX]{\cite{no}}",
        r"\lstinline!\cite{no}!",
        r"\mintinline{tex}{\cite{no}}",
        r"\mintinline[x=y]{tex}|\cite{no}|",
        "\\begin{verbatim}\n\\cite{no} \\end{Verbatim} \\cite{no}\n\\end{verbatim}",
        "\\begin{verbatim*}\n\\cite{no}\n\\end{verbatim*}",
        "\\begin{Verbatim}[x=y]\n\\cite{no}\n\\end{Verbatim}",
        "\\begin{lstlisting}\n% \\end{comment} \\cite{no} |\n\\end{lstlisting}",
        "\\begin{minted}{tex}\n\\verb|\\cite{no}\n\\end{minted}",
        "\\begin{comment}\n\\begin{verbatim} \\cite{no}\n\\end{comment}",
        "\\lstnewenvironment{tex}{}{}\\begin{tex}\\cite{no}\\end{tex}",
        "\\DefineVerbatimEnvironment{Code}{Verbatim}{}\\begin{Code}\\cite{no}\\end{Code}",
        r"\newminted[x]{tex}{}\begin{texcode}\cite{no}\end{texcode}\begin{tex}",
        r"\newtcblisting{code}{}\begin{code}\cite{no}\end{code}\newverbatim{v}{}{}{}\begin{v}\cite{no}\end{v}",
        r"\end{verbatim}\begin{verbatim}\cite{no}\end{verbatim}",
        r"\iffalse \cite{no} \ifx\a\b \cite{no} \else \cite{no} \fi \cite{no} \fi",
        "% \\begin{verbatim}\n",
        "%\\iffalse\n",
        r"\verb|%|",
        r"\verb|\begin{verbatim}|",
        r"$a \iff b$ \begin{verbatim}unclosed",
        r"\begin{filecontents}{a.bib}\cite{no}\end{filecontents}",
    ],
)
def test_hidden_text_holds_no_citations(hidden):
    assert keys(f"\\cite{{a}} {hidden} \\cite{{b}}") == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\iffalse\cite{no}\else\cite{a}\fi", "a"),
        (r"\iffalse\ifx\cite{no}\else\cite{no}\fi\cite{no}\fi\cite{a}", "a"),
        (r"\iffalse\iff\ifthenelse{}{}{}\ifdefempty{x}{\cite{no}}{}\fi\cite{a}", "a"),
        (r"\iffalse\cite{a}", "a"),
        (r"\iffalse\ifnum1>0\fi\ifdim1pt>0pt\fi\ifnumequal{1}{1}{}{}\ifdimless{1pt}{1pt}{}{}\cite{no}\fi\cite{a}", "a"),
        ("\\iffalse % \\fi \\fi\n\\cite{no} \\% \\fi\\cite{a}", "a"),
        (r"\iffalse" + 20 * r"\ifx" + 20 * r"\fi" + r"\cite{no}\fi\cite{a}", "a"),
        (r"\iffalse" + 21 * r"\ifx" + 21 * r"\fi" + r"\cite{a}\fi\cite{b}", "a b"),
        (r"\verb |\cite{no}| \cite{a}", "a"),
        ("\\verb|\\cite{a}\n|", "a"),
        (r"\verb\cite{a}", "a"),
        (r"\verb|" + "x" * 1999 + r"|\cite{a}|", "a"),
        (r"\lstinline[language=x] |\cite{no}|\cite{a}", "a"),
        (r"\mint[x]{tex}{\cite{no}}\mint{tex}|\cite{no}|\cite{a}", "a"),
        ("\\cite{a} \\endinput\n\\cite{b}\n  \\endinput % x\n\\cite{no}", "a b"),
        ("\\endinput x\n\\cite{a}\\endinput\\cite{b}", "a b"),
    ],
)
def test_where_hidden_text_ends(text, expected):
    assert keys(text) == expected.split()


def test_an_end_that_a_definition_holds_ends_nothing():
    preamble = "\\documentclass{book}\n\\newcommand{\\stop}{\\printbibliography\\end{document}}\n"
    assert keys(f"{preamble}\\begin{{document}}\n\\cite{{a}}\n\\end{{document}}\n\\cite{{no}}") == ["a"]
    assert keys(f"{preamble}\\begin{{document}}\n\\cite{{a}}\n\\stop\n") == ["a"]


def test_nothing_after_the_end():
    example = "\\begin{verbatim}\n\\begin{document}\n\\end{verbatim}"
    assert keys(f"\\cite{{a}}\n\\end{{document}}\n\\cite{{no}}\n{example}") == ["a"]
    assert keys("\\cite{a}\\end{document}\\cite{no}") == ["a"]
    assert keys("\\cite{a}\n\\endinput\n\\cite{no}") == ["a"]
    assert keys("\\ifx\\a\\b\\endinput\\fi \\cite{a}") == ["a"]


def test_sweave_chunks_are_code():
    assert keys("<<a, echo=F>>=\nx <- '\\cite{no}'\n@\n\\cite{a}") == ["a"]


def test_literate_haskell():
    text = r"""\documentclass{article}
%include polycode.fmt
%include Parser.lhs
\cite{a} > 1

> f = \cite -> \input x -- \cite{no}
> g = "{" where \date -> 1

< h = \cite{no}

\begin{code}
k = \title -> \cite{no}
\end{code}
\cite{b}
\begin{spec}
\cite{no}
"""
    found = parse(Document("Main.lhs", text, languages.language_of_path("Main.lhs").name))
    assert [it.key for it in found.citations] == ["a", "b"]
    assert [(it.kind, it.target, it.span.within(text)) for it in found.links if it.kind == "part"] == [
        ("part", "Parser.lhs", "Parser.lhs")
    ]
    assert (found.date, found.title) == ("", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> \\cite{no}\n\\cite{a}", "a"),
        ("x\n> \\cite{no}\n< \\cite{no}\ny > \\cite{a}", "a"),
        ("\\begin{code}\n> \\cite{no}\n\\end{code}\n\\cite{a}\n > \\cite{b}", "a b"),
        ("\\cite{a}\n  \\begin{spec}\n\\cite{no}\n\\end{code}", "a"),
    ],
)
def test_programs_in_haskell(text, expected):
    found = parse(Document("a.lhs", text, "latex"))
    assert [it.key for it in found.citations] == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<<a>>=\n\\cite{no}\n@ \n\\cite{a}\n<<>>=\n@ % x\n\\cite{b}", "a b"),
        ("x <<a>>=\n\\cite{a}\n@", "a"),
        ("<<a>>=\n\\cite{no}\n@b\n@\n\\cite{a}", "a"),
        ("<<a>>=\n\\cite{a}", "a"),
    ],
)
def test_chunks_of_r(text, expected):
    assert keys(text) == expected.split()
