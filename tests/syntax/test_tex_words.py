"""What LaTeX says beside its citations: which packages print them, and titles in plain words."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse
from citelsp.syntax.languages.latex import grammar
from citelsp.syntax.nodes import Syntax, reader_of


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        (r"\usepackage[backend=bibtex8]{biblatex}", {"biblatex", "backend"}),
        (r"\usepackage[style=apa, % backend=bibtex", set()),
        (r"\usepackage{xcolor, biblatex-chicago}", {"biblatex"}),
        (r"\PassOptionsToPackage{backend = bibtex}{biblatex}", {"backend"}),
        (r"\PassOptionsToPackage{backend=bibtex}{xcolor}", set()),
        (r"\printbibliography", {"biblatex"}),
        (r"\addbibresource{a.bib}", {"biblatex"}),
        (r"\bibliographystyle{plain}", {"style"}),
        (r"\bibliography{a}", {"bibliography"}),
        (r"\putbib[a]", {"bibliography"}),
        (r"\newcommand\printbibliography{}\footnote{a}", set()),
        (r"\newcommand{\printbibliography}{}\renewcommand*{ \bibliographystyle }[1]{}", set()),
        (r"\newcommand{\refs}{\printbibliography}", {"biblatex"}),
    ],
)
def test_signs_of_how_a_bibliography_is_printed(text, signs):
    assert parse(Document("a.tex", text, "latex")).signs == signs


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"On A\footnote{not \emph{b}}cting\thanks{Me}", "On Acting"),
        (r"A\thanks B\index{x} C\label D", "A B C D"),
        (r"A\footnotemark[1]\thanks[2]{x} \vskip 1em B\color[rgb]{0,0,1} C", "A B C"),
        (r"\vskip -1.5cm{\bf A} \hskip1em [B]\hskip.5em C", "A [B] C"),
        ("A\\\\% x\n B 5\\% C", "A B 5% C"),
        (r"\'{E}tude {\bf sur} Na{\"\i}ve~$x$", "Étude sur Naïve $x$"),
        (r"Caf{\'e of", "Café of"),
        (f"{'a ' * 501}\\emph{{b}}", f"{'a ' * 501}b"),
    ],
)
def test_titles_are_plain_words(tex, words):
    assert grammar.plain(tex) == words


ROOT = r"\documentclass{a}"
BIBLATEX = r"\usepackage{biblatex}"


@pytest.mark.parametrize(
    ("parts", "reader", "set_to_biblatex"),
    [
        ([""], "", "biber"),
        ([BIBLATEX], "biber", "biber"),
        ([r"\bibliography{a}"], "bibtex", "bibtex"),
        ([BIBLATEX + r"\bibliography{a}"], "biber", "biber"),
        ([r"\usepackage[backend=bibtex]{biblatex}"], "bibtex", "bibtex"),
        ([BIBLATEX + r"\bibliographystyle{a}"], "", ""),
        ([ROOT, BIBLATEX], "biber", "biber"),
        ([ROOT + BIBLATEX, ROOT + r"\bibliography{a}"], "", ""),
        ([ROOT + BIBLATEX, ROOT + BIBLATEX, r"\bibliographystyle{a}"], "", ""),
        (["pandoc"], "pandoc", "pandoc"),
        (["pandoc", "pandoc"], "pandoc", "pandoc"),
        (["pandoc", BIBLATEX], "", ""),
        (["pandoc", "typst"], "", ""),
        (["pandoc", ROOT], "", ""),
    ],
)
def test_who_reads_the_bibliographies(parts, reader, set_to_biblatex):
    read = [(Syntax(), it) if it in ("pandoc", "typst") else (parse(Document("a", it, "latex")), None) for it in parts]
    assert reader_of(read, "", unsure=False) == reader
    assert reader_of(read, "biblatex", unsure=False) == set_to_biblatex


def test_a_bibliography_alone_may_be_biblatex_s_too_if_not_all_was_read():
    read = [(parse(Document("a", r"\bibliography{a}", "latex")), None)]
    assert reader_of(read, "bibtex", unsure=True) == ""
    read.append((parse(Document("a", r"\bibliographystyle{a}", "latex")), None))
    assert reader_of(read, "", unsure=True) == "bibtex"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("{a}", 3),
        ("{a{b}c}x", 7),
        ("{a\\}b}", 6),
        ("{a%}\n}", 6),
        ("{a\n\nb}", None),
        ("{a", None),
        ("[a{]}]", 6),
        ("[a\\]b]", 6),
        ("[a}]", None),
        ("(a)", 3),
        ("<{>}>", 5),
        ("a}", None),
        ("{" * 21 + "}" * 21, 42),
        ("{" * 22 + "}" * 22, None),
        ("{" + "a" * 4998 + "}", 5000),
        ("{" + "a" * 4999 + "}", None),
        ("<" + "a" * 498 + ">", 500),
        ("<" + "a" * 499 + ">", None),
    ],
)
def test_where_a_group_ends(text, end):
    assert grammar.group_end(text, 0) == end
    assert grammar.group_end(f"}}{text}", 1) == (end and end + 1)


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("  {a}", "a"),
        ("% x\n {a}", "a"),
        ("\n{}", ""),
        ("\n\n{a}", None),
        (" [a]", None),
        ("{a", None),
        ("x{a}", None),
        ("% x\n \n{a}", None),
    ],
)
def test_an_argument_follows_behind_spaces_and_comments(text, inner):
    found = grammar.argument(text, 0)
    assert (found and found.within(text)) == inner


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ("% HERE", True),
        (r"\% HERE", False),
        (r"\\% HERE", True),
        (r"\url{a%b} HERE", False),
        (r"\url{a%b} % HERE", True),
        (r"\url{a} % HERE", True),
        (r"\path{a\%b%c} HERE", False),
        (r"\emph{a%b} HERE", True),
    ],
)
def test_what_stands_in_a_comment(line, comment):
    text = f"% no\n{line}"
    assert grammar.is_comment(text, 5, text.index("HERE")) == comment


def test_comments_leave_everything_at_its_place():
    assert grammar.without_comments("a % b\n  c\\% d %e\nf") == "a    \n  c\\% d   \nf"
