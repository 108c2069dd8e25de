"""What LaTeX says beside its citations: which packages print them, and titles in plain words."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse, tex_text


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
    ],
)
def test_signs_of_how_a_bibliography_is_printed(text, signs):
    assert parse(Document("a.tex", text, "latex")).signs == signs


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"On A\footnote{not \emph{b}}cting\thanks{Me}", "On Acting"),
        (r"A\thanks B\index{x} C\label D", "A B C D"),
        (r"\'{E}tude {\bf sur} Na{\"\i}ve~$x$", "Étude sur Naïve $x$"),
        (r"Caf{\'e of", "Café of"),
        (f"{'a ' * 501}\\emph{{b}}", f"{'a ' * 501}b"),
    ],
)
def test_titles_are_plain_words(tex, words):
    assert tex_text.plain(tex) == words
