"""What a manuscript says around a placeholder, without its markup."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax import languages, parse, prose


def around(text, language="latex", reach=prose.REACH):
    """The prose before and after the first placeholder, and what is cited in it."""
    document = Document("a", text, language)
    syntax = parse(document)
    found = prose.prose_around(document, syntax, syntax.placeholders[0].whole, reach)
    cited = [it and it.within(text) for it in (*found.cited_before, *found.cited_after)]
    assert (found.before + found.after).count(prose.CITED) == len(cited)
    return found.before, found.after, cited


@pytest.mark.parametrize(
    ("text", "before", "after", "cited"),
    [
        (r"A \emph{b} \cite<x> c.", "A b", "c.", []),
        (r"\cite[p. 3]{a} b \cite<x>, \cite{c, d}", "[REF] b", ", [REF]", [r"\cite[p. 3]{a}", r"\cite{c, d}"]),
        (r"\cite<x> a \cite<y> b", "", "a [REF] b", [r"\cite<y>"]),
        ("No\n\\begin{document}\nA \\cite<x> b", "A", "b", []),
        ("No\n\\begin{document}A \\cite<x> b", "A", "b", []),
        ("A\n\n\\begin{verbatim}\nno\n\\end{verbatim}\nb \\cite<x> c\n\nd", "A\n\nb", "c\n\nd", []),
        ("A \\verb|b| \\cite<x> c", "A |b|", "c", []),
        ("A % no\n\\cite<x> b % no\nc", "A", "b c", []),
        (r"A [REF] b \cite{c} \cite<x> d [REF]", "A [REF] b [REF]", "d [REF]", [None, r"\cite{c}", None]),
        ("A\ue000 \\cite{b} \\cite<x> c \ue001\\cite{d}", "A [REF]", "c [REF]", [r"\cite{b}", r"\cite{d}"]),
    ],
)
def test_around_a_placeholder_of_latex(text, before, after, cited):
    assert around(text) == (before, after, cited)


@pytest.mark.parametrize(
    ("language", "text", "before", "after", "cited"),
    [
        ("markdown", "# No\nA [@a; @b] *b* [@<x>] c @d e.", "A [REF] b", "c [REF] e.", ["[@a; @b]", "@d"]),
        ("markdown", "A `b` [@<x>]\n\n```\nno\n```\nc", "A b", "\n\nc", []),
        ("org", "* No\nA [cite:@a] /b/ [cite:@<x>] c", "A [REF] b", "c", ["[cite:@a]"]),
        ("typst", "= No\nA @a _b_ @<x> c #cite(<d>)", "A [REF] b", "c [REF]", ["@a", "#cite(<d>)"]),
    ],
)
def test_around_a_placeholder_of_others(language, text, before, after, cited):
    found = around(text, language)
    assert (found[0].removeprefix("\n\n"), *found[1:]) == (before, after, cited)


@pytest.mark.parametrize(
    ("reach", "before", "after"),
    [
        (3, "", ""),
        (4, "two", ""),
        (5, "two", "five"),
        (7, "two", "five"),
        (8, "one two", "five"),
        (9, "one two", "five six"),
        (100, "one two", "five six"),
    ],
)
def test_prose_is_cut_between_words(reach, before, after):
    assert around(r"one two \cite<three four> five six", reach=reach)[:2] == (before, after)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (" It is so. It is not. ", ["It is so.", "It is not."]),
        (
            "Who? They! It … no. (It ends.) “It does.” So",
            ["Who?", "They!", "It … no.", "(It ends.)", "“It does.”", "So"],
        ),
        ("It is new. it goes on.", ["It is new. it goes on."]),
        ("中文。日文！ Ok", ["中文。", "日文！", "Ok"]),
        (
            "Dr. Who et al. Say of St. John vs. A. B. Smith. So",
            ["Dr. Who et al. Say of St. John vs. A. B. Smith.", "So"],
        ),
        ("Fig. 3 of no. 5 and Vol. IV, Sect. (2). So", ["Fig. 3 of no. 5 and Vol. IV, Sect. (2).", "So"]),
        ("So says no. It goes by p. Also pp. Seven", ["So says no.", "It goes by p. Also pp.", "Seven"]),
        ("It is coral. So it is. But al. So", ["It is coral.", "So it is.", "But al. So"]),
        ("", []),
        (" \n", []),
    ],
)
def test_sentences_end_where_readers_see_their_end(text, sentences):
    assert [it.within(text) for it in prose.sentences(text)] == sentences


def test_paragraphs_are_parted_by_blank_lines():
    assert prose.paragraphs("\n a\nb\n \t\r\n\n c \n\n") == ["a\nb", "c"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (r"Before. As \cite{a} says (\cite{b}, \cite{c}), it is so \cite<x> . After.", "As says, it is so."),
        (r"Before. As \cite{a} says. \cite<x> shows it.", "shows it."),
        (r"\cite<x>", ""),
        ("It works.\\cite{a} So does this \\cite<x>.\\cite{b}\nAnd that.", "So does this."),
        ("It works.\\nocite{a}\nSo does this \\cite<x>.", "So does this."),
        (r"Before. It works.\cite{a}\cite{b}\cite<x> After.", "It works."),
        (r"As Doe et al.\cite{a} Show \cite<x>.", "As Doe et al. Show."),
    ],
)
def test_the_sentence_is_shown_without_citations(text, sentence):
    document = Document("a.tex", text, "latex")
    syntax = parse(document)
    assert prose.sentence(document, syntax, syntax.placeholders[0].whole) == sentence


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("latex", r"A \emph{re}view of \'Etude~5", "A review of Étude 5"),
        ("other", r"A \emph{re}view", "A review"),
        ("markdown", "A **new** [link](x.org)", "A new link"),
        ("typst", "A _new_ #emph[link]", "A new link"),
    ],
)
def test_a_title_is_read_by_its_language(language, text, words):
    assert prose.plain(text, languages.language_of(Document("a", "", language))) == words


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        (
            "latex",
            r"``A'' data\-base re\emph{use}\/d 50\% \& {so}~on\\ B \LaTeX{}",
            "“A” database reused 50% & so on B",
        ),
        ("latex", r"\'e \'{e} \v{s} \H{o} \c{c} \~n \={a} \.z \u{g} \k{a} \r{u} \^\i", "é é š ő ç ñ ā ż ğ ą ů î"),
        ("latex", "A\\footnote{no} b\\label{no} \\ref{no} \\href{no}{c} d", "A b c d"),
        ("latex", "A\\todo[inline]{cite} b {\\fontfamily{bch}\\fontshape{sc}\\selectfont c} d", "A b c d"),
        ("latex", "A\n\\[ x \\]\nb $y$ % no\nc", "A b y c"),
        ("latex", "A\\\\% no\nb 5\\% \\\\\\% c", "A b 5% % c"),
        ("latex", "A\\section{B}c\\begin{quote}d\\end{quote}\\item e", "A\n\nc\n\nd\n\ne"),
        ("latex", "A\\footnote{b\n\nc", "A\n\nb\n\nc"),
        (
            "markdown",
            "A *b* **c** `d` _e_ f_g <b>h</b>[^1] [i](x) ![j](y)\n- k\n\n# No\nl",
            "A b c d e f_g h i j\n\nk\n\nl",
        ),
        ("org", "A /b/ *c* =d= [[x][e]] @@html:no@@ f[fn:1]\n- h", "A b c d e f\n\nh"),
        ("typst", "A _b_ *c* $x$ #emph[d] \\# e~f // no\n/* no */ g <no>\n= No\n- h", "A b c d # e f g\n\nh"),
    ],
)
def test_markup_leaves_words_and_paragraphs(language, text, words):
    assert prose.plain(text, languages.language_of(Document("a", "", language))) == words
