"""Where things stand in Typst."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse


def read(text):
    return parse(Document("a.typ", text, "typst"))


@pytest.mark.parametrize(
    ("text", "wholes"),
    [
        ("@a[see @b[x] y] z", {"a": "@a[see @b[x] y]", "b": "@b[x]"}),
        ("x #cite(<a>, supplement: [p. (2)]) y", {"a": "#cite(<a>, supplement: [p. (2)])"}),
        ("#cite(<a>)#cite(<b>)", {"a": "#cite(<a>)", "b": "#cite(<b>)"}),
        ("#{ cite(<a>) + ref(<b>) }", {"a": "cite(<a>)", "b": "ref(<b>)"}),
        ('#cite(label("a/b"), form: "prose") x', {"a/b": '#cite(label("a/b"), form: "prose")'}),
        ("@a[never", {"a": "@a[never"}),
        ("#cite(<a>, [x", {"a": "#cite(<a>, [x"}),
    ],
)
def test_what_belongs_to_a_citation(text, wholes):
    found = read(text)
    assert {it.key: it.whole.within(text) for it in found.citations} == wholes
    assert all(it.span.within(text) == it.key for it in found.citations)
    assert [it.span.within(text) for it in found.arguments] == [*wholes]


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("@ and @, (@) [@] x@", [("", "@")] * 5),
        ("@a.", [("a", "@")]),
        ('@!x @"x', []),
        ("@<b c> @<d e\n @?[f g] @?h @?[i", [("b c", "<"), ("d e", "<"), ("f g", "<"), ("[i", "<")]),
        ("#cite(<", [("", "{")]),
        ("#cite(<a", [("a", "{")]),
        ('#cite(label("a', [("a", "{")]),
        ('#cite(label(""))', [("", "{")]),
        ('#f(label("a', []),
    ],
)
def test_what_is_being_typed(text, typed):
    assert [(it.span.within(text), it.opener) for it in read(text).arguments] == typed


@pytest.mark.parametrize(
    ("text", "narrative"),
    [
        ('#cite(<a>, form: "prose")', True),
        ('#cite(<a>, form: "full")', False),
        ('#cite(<a>, style: "prose")', False),
        ('#f(form: "prose") #cite(<a>)', False),
        ("@a", False),
    ],
)
def test_names_in_the_sentence(text, narrative):
    assert [it.narrative for it in read(text).citations] == [narrative]


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("= A <a>\n  == B\n=C\nx = d", [("A", 1, "= A <a>"), ("B", 2, "== B")]),
        ("=== @a b\n", [("@a b", 3, "=== @a b")]),
        ("`= A`\n/*\n= B\n*/\n= C", [("C", 1, "= C")]),
    ],
)
def test_headings(text, headings):
    assert [(it.title, it.level, it.span.within(text)) for it in read(text).headings] == headings


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('#set document(title: "A  \\"b\\"")\n= C', 'A \\"b\\"'),
        ("#show: t.with(title: [A\nb])", "A b"),
        ("== B\n= C\n= D", "C"),
        ("x" * 5000 + '#set document(title: "A")', ""),
    ],
)
def test_titles(text, title):
    assert read(text).title == title


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("a // b\nc /* d /* e */ f */ g", ["// b", "/* d /* e */ f */"]),
        ("`a` ```b ` c``` ``d", ["`a`", "```b ` c```"]),
        ("#f(a)[b] #{c}", ["(a)", "{c}"]),
        ("#let a = 1\nb #let c = 2; d", ["let a = 1", "let c = 2"]),
        ("a /* b", ["/* b"]),
        ("https://x.org/a//b c // d", ["// d"]),
    ],
)
def test_what_is_no_prose(text, hidden):
    assert [it.within(text).removeprefix("#") for it in read(text).ground.hidden] == hidden


def test_files_and_their_places():
    text = '#include "a.typ"\n#import ("b.typ"): x\n#bibliography("c.bib", style: "d.csl")\n#read("f.bib")'
    found = read(text)
    assert [(it.kind[0], it.target) for it in found.links] == [
        ("p", "a.typ"),
        ("p", "b.typ"),
        ("b", "c.bib"),
        ("b", "f.bib"),
    ]
    assert all(it.span.within(text) == it.target for it in found.links) and found.is_root
    assert [text[it.insert_at :][:2] for it in found.links if it.insert_at is not None] == ['("', '("']
    assert not read('#include "a.typ"').is_root
