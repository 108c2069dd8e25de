from citelsp.base.text import Document
from citelsp.syntax.latex import parse


def test_acronyms_cite_in_their_properties():
    text = r"""\DeclareAcronym{nato}{short = {a, cite = {no}}, % cite = no
  cite = [see][p. 3]{a, b}, long = \cite{c}}
\DeclareAcronym{eu} { cite=d }\DeclareAcronym{un}{short=x,cite= }
\DeclareAcronym{q}{short = x

, cite = no}"""
    syntax = parse(Document("a.tex", text, "latex"))
    assert [it.key for it in syntax.citations] == ["a", "b", "c", "d"]
    assert [it.span.within(text) for it in syntax.arguments] == ["a", " b", "c", "d", ""]


def test_what_is_cited_comes_in_its_order():
    text = r"\DeclareAcronym{n}{short = \cite{x}, cite = {z, a}, long = \cite{y}} \cite{b}"
    syntax = parse(Document("a.tex", text, "latex"))
    assert [it.key for it in syntax.citations] == [it.span.within(text).strip() for it in syntax.arguments]
    assert [it.key for it in syntax.citations] == ["x", "z", "a", "y", "b"]
