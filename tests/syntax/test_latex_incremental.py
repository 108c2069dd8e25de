"""Any prose, any edits: what is read of an edited paragraph alone is what reading everything gives."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.base.text import Document, Span
from citelsp.syntax import parse, reparse
from citelsp.syntax.languages.latex import incremental, parsing

HEAD = "\\documentclass{article}\n" + "Words before the first edit. " * 80 + "\n\n"
TYPED = [r"\cite{a}", r"\cite[p. 1]{b, c}", r"\parencites{a}[2]{b}", r"\textcite{", *"},{[]k \n"]
OTHERS = ["word", "\n\n", "\n\n", "\n\n", r"\cite{?words}", r"\emph{x}", r"\cite{a, \key}", "\\", "\n\n", "\n\n"]
PROSE = st.sampled_from([*TYPED, *TYPED, *OTHERS])
RARE = st.sampled_from(
    [
        *(r"\verb|", r"\begin{verbatim}", r"\end{verbatim}", r"\iffalse", r"\fi", r"\section{t}", r"\title{t}", "#1"),
        *(r"\input{m}", r"\bibliography{r}", r"\bibitem{k}", r"\nocite{*}", r"\newcommand", r"\def", r"\let", "<", ">"),
        *(
            "%",
            "% citelsp: ignore[x]\n",
            r"\newcites{x}",
            r"\DeclareAcronym{n}{cite = ",
            r"\end{document}",
            r"\endinput",
            "\r\n",
            "<<>>=\n",
            "\n@\n",
            "*",
        ),
    ]
)
PIECES = st.integers(0, 30).flatmap(lambda it: PROSE if it else RARE)
TEXTS = st.lists(PIECES, max_size=40).map("".join)
TYPING = st.tuples(st.floats(0, 1), st.integers(0, 4), st.lists(PIECES, max_size=3).map("".join))
EDITS = st.lists(TYPING, min_size=1, max_size=5)


@given(TEXTS, EDITS)
def test_edits_equal_reading_anew(text, edits):
    text = HEAD + text + "\n\nThe end.\n"
    syntax = parse(Document("a.tex", text, "latex"))
    for where, length, new_text in edits:
        start = min(len(text), len(HEAD) - 2 + round(where * (len(text) - len(HEAD))))
        span = Span(start, min(len(text), start + length))
        text = text[: span.start] + new_text + text[span.end :]
        document = Document("a.tex", text, "latex")
        syntax = reparse(syntax, document, span, new_text)
        assert said(syntax) == said(parse(document))


def said(syntax):
    entries = syntax.entries
    nodes = [(entries.start(it), entries.node(it).key, entries.node(it).source) for it in range(len(entries or ()))]
    return replace(syntax, entries=None), nodes


def test_a_keystroke_in_prose_reads_its_paragraph_alone():
    text = HEAD + "One \\cite{a}.\n\nTwo \\cite{b}.\n\nThree \\cite{c}.\n"
    at = text.index("b}")
    document = Document("a.tex", text[:at] + "x, " + text[at:], "latex")
    after = incremental.reparse(parsing.parse(Document("a.tex", text, "latex")), document, Span(at, at), "x, ")
    assert [it.span.within(document.text) for it in after.citations] == ["a", "x", "b", "c"]


def test_a_command_that_another_chapter_defined_meanwhile_cites_where_it_is_typed():
    text = HEAD + "One \\cite{a}.\n\nTwo.\n\nThree.\n"
    at = text.index("Two")
    typed = "\\seecite{doe} "
    document = Document("a.tex", text[:at] + typed + text[at:], "latex")
    after = reparse(parse(Document("a.tex", text, "latex")), document, Span(at, at), typed, ("seecite",))
    assert [it.key for it in after.citations] == ["a", "doe"]


BEHIND = r"""

\section{On} \input{part} \bibliography{refs} \cite{z} \cite<words> \cite{?more}

\begin{verbatim}
\cite{no}
\end{verbatim}
"""


def edited(before, after, head=HEAD, behind=BEHIND, path="a.tex"):
    """What a keystroke gives that makes one paragraph another, and what reading all gives; None if it is not known."""
    document = Document(path, head + after + behind, "latex")
    old = parsing.parse(Document(path, head + before + behind, "latex"))
    start = len(head) + next((at for at, (it, new) in enumerate(zip(before, after, strict=False)) if it != new), 0)
    same = next((at for at, (it, new) in enumerate(zip(before[::-1], after[::-1], strict=False)) if it != new), 0)
    same = min(same, len(head) + min(len(before), len(after)) - start)
    span = Span(start, len(head) + len(before) - same)
    new = incremental.reparse(old, document, span, after[start - len(head) : len(after) - same])
    if new is not None:
        assert said(new) == said(parsing.parse(document)) and new.ground == parsing.parse(document).ground
    return new


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r"Two \cite{a}.", r"Two \cite{a, b}."),
        (r"Two \cite{a}, \cite{b}.", r"Two \cite{b}."),
        ("Two words.", r"Two \cite{?words}."),
        (r"Two \cite{?words} \cite{a", "Two."),
        (r"Two \emph{x} \\cite{a}", r"Two \emph{x} \\\cite{a}"),
        ("Two.", "Two.\n\nThree \\cite{b}."),
        ("Two.\r\nThree.", "Two\r\n\\cite{a}.\r\nThree."),
    ],
)
@pytest.mark.parametrize(
    "head",
    [
        HEAD,
        HEAD + "% About\nOne \\cite{a} \\cite<b>\n\n",
        HEAD + "\\newcommand{\\x}{y}\n" + "Words. " * 150 + "\n\n",
        HEAD + "\\begin{verbatim}\nno\n\\end{verbatim}\n\n" + BEHIND + "\n",
    ],
)
def test_edits_of_a_paragraph_that_stands_alone(head, before, after):
    assert edited(before, after, head) is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Two.", "Two % no."),
        ("Two % no.", "Two."),
        ("Two.", "Two <."),
        ("Two.", "Two #1."),
        ("Two.", r"\let\x\y"),
        ("Two.", r"\newcommand{\x}"),
        ("Two.", r"\begin{verbatim}"),
        ("Two.", r"\cite{\key}"),
        ("Two.", r"\section{x}"),
        (r"\section{x}", r"\section{y}"),
        ("Two.", r"\nocite{*}"),
        ("Two.", "\n@\n"),
    ],
)
def test_edits_that_may_reach_beyond_their_paragraph(before, after):
    assert edited(before, after) is None


@pytest.mark.parametrize(
    ("head", "behind", "path"),
    [
        ("\\documentclass{article}\n\n", BEHIND, "a.tex"),
        (HEAD + "% About\n\n", BEHIND, "a.tex"),
        (HEAD + "\\newcommand{\\x}\n\n", BEHIND, "a.tex"),
        (HEAD + "\\begin{verbatim}\n\n", "\n\n\\end{verbatim}\n", "a.tex"),
        (HEAD, "\nThe end.", "a.tex"),
        (HEAD, BEHIND, "a.lhs"),
        (HEAD, BEHIND + "<<>>=\n@\n", "a.rnw"),
        (HEAD, BEHIND + "% citelsp: ignore\n", "a.tex"),
        (HEAD, BEHIND + "\\bibitem{k} Key.", "a.tex"),
        (HEAD + "\\begin{filecontents}{r.bib}\n@misc{a}\n\\end{filecontents}\n\n", BEHIND, "a.tex"),
    ],
)
def test_edits_of_a_paragraph_into_which_others_may_reach(head, behind, path):
    assert edited("Two.", r"Two \cite{a}.", head, behind, path) is None
