"""Any prose, any edits: what is read of an edited paragraph alone is what reading everything gives."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from citelsp.base.text import Document, Span
from citelsp.syntax import latex, latex_edits, parse, reparse

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
    after = latex_edits.reparse(latex.parse(Document("a.tex", text, "latex")), document, Span(at, at), "x, ")
    assert [it.span.within(document.text) for it in after.citations] == ["a", "x", "b", "c"]
