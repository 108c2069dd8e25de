from citelsp.base.settings import Settings
from citelsp.base.text import Span
from citelsp.features import inlay_hints
from fixture_projects import world

FIXTURE = r"""
%% main.tex
\cite{a, b, c, none}
%% refs.bib
@misc{a, author = {Knuth, Donald}, year = 1984}
@misc{b, author = {A. Vaswani and N. Shazeer and others}, date = {2017-06-12}}
@misc{c, author = {Curry, H. and Howard, W.}}
"""


def test_author_and_year_after_the_key():
    it = world(FIXTURE, Settings(inlay_hints=True))
    found = inlay_hints.find(it.project, "main.tex", Span(0, 100))
    assert [(hint.offset, hint.text) for hint in found] == [
        (7, "Knuth 1984"),
        (10, "Vaswani et al. 2017"),
        (13, "Curry and Howard"),
    ]


def test_only_where_looked_at():
    it = world(FIXTURE, Settings(inlay_hints=True))
    assert [hint.offset for hint in inlay_hints.find(it.project, "main.tex", Span(8, 11))] == [10]


def test_off_unless_asked_for():
    assert inlay_hints.find(world(FIXTURE).project, "main.tex", Span(0, 100)) == []
