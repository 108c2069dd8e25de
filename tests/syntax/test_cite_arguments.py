"""One cite command of LaTeX, finished or half typed: its keys, what belongs to it, where further keys are typed."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse


def read(text):
    return parse(Document("a.tex", text, "latex"))


@pytest.mark.parametrize(
    ("text", "keys", "typed"),
    [
        (r"\cite{*a, *[see ][]b,c *, *d*}", ["a", "b", "c *", "d*"], ["{a", ",b", ",c *", ",d*"]),
        ("\\cite[x]{ a ,b% no\n , c}", ["a", "b", "c"], ["{ a ", ",b% no\n ", ", c"]),
        (r"\cites(x)(y)[p]{a}[q]{b,c} {d}", ["a", "b", "c", "d"], ["{a", "{b", ",c", "{d"]),
        (r"\volcite{1}[x]{a}", ["a"], ["{a"]),
        (r"\cite*[x]{a}", ["a"], ["{a"]),
        (r"\cite<x>[y] {a}", ["a"], ["{a"]),
        ("\\cite\n{a}", ["a"], ["{a"]),
        (r"\cite{a\_b\%c}", [r"a\_b\%c"], [r"{a\_b\%c"]),
        (r"\cite{?a b, c,?d}", ["c"], ["{?a b", ", c", ",?d"]),
        (r"\cite{#1,a\x ,b}", ["b"], [",b"]),
        (r"\cite{}", [], ["{"]),
    ],
)
def test_a_finished_command_is_one_citation(text, keys, typed):
    found = read(f"x {text} y")
    assert [it.key for it in found.citations] == [it.span.within(found.ground.text) for it in found.citations] == keys
    assert {it.whole.within(found.ground.text) for it in found.citations} == ({text} if keys else set())
    assert [it.opener + it.span.within(found.ground.text) for it in found.arguments] == typed


@pytest.mark.parametrize(
    ("text", "wholes", "typed"),
    [
        (r"\parencites{a}[x] {b}[y] c", {r"\parencites{a}[x] {b}": "ab"}, ["{a", "{b"]),
        (r"\parencites{a}{b", {r"\parencites{a}{b": "a"}, ["{a", "{b"]),
        (r"\volcite{1}{a", {}, ["{a"]),
        (r"\volcite{1} b", {}, []),
        (r"\cite{a,?b", {r"\cite{a,?b": "a"}, ["{a", ",?b"]),
        ("\\cite{a,\n\nb}", {r"\cite{a,": "a"}, ["{a", ","]),
        ("\\cite{a\nb c}", {}, ["{a"]),
        (r"\cite{\textbf{a}}", {}, ["{"]),
        (r"\cite{a \x}", {}, ["{a "]),
        (r"\cite{a~b}", {}, ["{a"]),
        (r"\textcquote[p]{a}[x]{y}", {r"\textcquote[p]{a}": "a"}, ["{a"]),
        ("\\cite\n\n{a}", {}, []),
        (r"\cite[a]b{c} \cite[a", {}, []),
    ],
)
def test_how_far_a_command_reaches(text, wholes, typed):
    found = read(text)
    assert {it.whole.within(text) for it in found.citations} == set(wholes)
    assert "".join(it.key for it in found.citations) == "".join(wholes.values())
    assert [it.opener + it.span.within(text) for it in found.arguments] == typed


@pytest.mark.parametrize(
    ("text", "words", "whole", "closed"),
    [
        ("\\cite<a\nb> c", "a b", "\\cite<a\nb>", True),
        ("\\cite<a\n\nb> c", "a", "\\cite<a", False),
        ("\\cite<a\n\\x> c", "a", "\\cite<a", False),
        (r"\citep*<a> b", "a", r"\citep*<a>", True),
        (r"\cite{x, ?a  b} c", "a b", r"\cite{x, ?a  b}", True),
        (r"\cite{?a b", "a b", r"\cite{?a b", False),
        (r"\cite<a $b$", "a", r"\cite<a ", False),
    ],
)
def test_what_a_placeholder_covers(text, words, whole, closed):
    [found] = read(text).placeholders
    assert (found.words, found.whole.within(text), found.closed) == (words, whole, closed)


def test_headings_have_their_places():
    text = r"\section{A}\subsection*[x]{B\label{y}} \paragraph{}\part{C} \section[x] {A {b}} \section{never"
    assert [(it.title, it.level, it.span.within(text)) for it in read(text).headings] == [
        ("A", 2, r"\section{A}"), ("B", 3, r"\subsection*[x]{B\label{y}}"), ("C", 0, r"\part{C}"),
        ("A b", 2, r"\section[x] {A {b}}"),
    ]  # fmt: skip
