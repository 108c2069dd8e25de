"""Roles and directives of MyST, as Sphinx and Jupyter Book read them."""

import time

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse


def parsed(text):
    return parse(Document("a.md", text, "markdown"))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("See {cite}`a,b` and {cite:t}`c`; {footcite:p}`d`.", ["a", "b", "c", "d"]),
        ("{cite:p}`{see}a{p. 3}, {cf.}b:x/y_1`", ["a", "b:x/y_1"]),
        ("{cite}``a`` {cite}`a\n, b` {cite}`a;b`", ["a", "a", "b", "a", "b"]),
        ("{ref}`a` {citation}`a` \\{cite}`a` `` {cite}`a` `` {cite} `a` {cite}`a\n\nb`", []),
        ("{cite}`a\r\n\r\n`b`", []),
        ("<!-- {cite}`a` -->\n  % {cite}`a`\n100 % {cite}`b`", ["b"]),
        ("```{code-cell} python\n{cite}`a`\n```\n```{math}\n{cite}`a`\n```\n```python\n{cite}`a`\n```", []),
        ("````{note}\n{cite}`a` [@b]\n```{figure} x@2.png\nBy {cite}`c`.\n```\n````", ["a", "b", "c"]),
        ("````{note}\n```{code}\n{cite}`no`\n```\n````\n{cite}`a`", ["a"]),
        ("```{prf:theorem} Of [@a]\n{cite}`b`\n```", ["a", "b"]),
        (":::{tip} {cite}`a`\n{cite}`b`\n:::\n::::{code-block} md\n:::\n{cite}`no`\n::::\n{cite}`c`", ["a", "b", "c"]),
        ("```{eval-rst}\nBy :cite:p:`a` and :cite:`b,c`.\n```\n:cite:`no`", ["a", "b", "c"]),
    ],
)  # fmt: skip
def test_citations(text, keys):
    assert [it.key for it in parsed(text).citations] == keys


def test_who_is_named_in_the_sentence():
    found = parsed("{cite:t}`a` {cite:p}`b` {cite}`c` {cite:authors}`d` {footcite:t}`e`").citations
    assert [it.key for it in found if it.narrative] == ["a", "d", "e"]


def test_placeholders():
    found = parsed("{cite:p}`<some words>` {cite}`a, ?other words`").placeholders
    assert [(it.words, it.command, it.closed) for it in found] == [
        ("some words", "cite:p", True),
        ("other words", "cite", True),
    ]


def test_what_directives_name():
    found = parsed("```{include} ../part.md\n```\n```{bibliography} a.bib b.bib\n:all:\n```\n")
    assert [(it.kind, it.target) for it in found.links] == [
        ("part", "../part.md"),
        ("bibliography", "a.bib"),
        ("bibliography", "b.bib"),
    ]
    assert found.cites_all and not parsed("```{bibliography}\n```\n").cites_all


@pytest.mark.parametrize(
    "part", ["{cite}`a ", "{cite}``", "{cite}`" + " " * 3000 + "x x`", ":::{code}\n", "```{note}\n"]
)
def test_time_grows_with_length(part):
    start = time.process_time()
    parsed(part * (300_000 // len(part)))
    assert time.process_time() - start < 1


def test_each_thing_has_its_place():
    text = "A {cite:p}`{see}a{p. 3}, b` and {cite}``c`` {cite:t}`<x y>` {cite}`d, ?z `\n"
    text += "\n```{eval-rst}\n:cite:`e`\n```\n{cite}`f "
    found = parsed(text)
    assert [it.span.within(text) for it in found.citations] == [it.key for it in found.citations] == list("abcde")
    whole = ["{cite:p}`{see}a{p. 3}, b`"] * 2 + ["{cite}``c``", "{cite}`d, ?z `", ":cite:`e`"]
    assert [it.whole.within(text) for it in found.citations] == whole
    assert [it.command for it in found.citations] == ["cite:p", "cite:p", "cite", "cite", "cite"]
    assert [(it.span.within(text), it.opener) for it in found.arguments] == [
        ("a", "{"), ("b", ","), ("c", "{"), ("x y", "<"), ("d", "{"), ("?z", ","), ("e", "{"), ("f", "{")
    ]  # fmt: skip
    assert [(it.span.within(text), it.whole.within(text)) for it in found.placeholders] == [
        ("<x y>", "{cite:t}`<x y>`"), ("?z", "{cite}`d, ?z `")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words", "closed"),
    [("{cite}`<a  b>`", "a b", True), ("{cite}`<a b`", "a b", False), ("{cite}`?a b, c`", "a b", True)],
)
def test_whether_a_placeholder_is_closed(text, words, closed):
    [found] = parsed(text).placeholders
    assert (found.words, found.closed, found.before, found.after) == (words, closed, "", "")


def test_files_that_directives_name_have_their_places():
    text = (
        ":::{include} a.md\n:::\n```{bibliography} a.bib\n b.bib\n```\n  ```{include} {b.md}\n  ```\n```{note} c\n```\n"
    )
    found = parsed(text).links
    assert [(it.kind, it.target) for it in found] == [("bibliography", "a.bib"), ("part", "b.md")]
    assert all(it.span.within(text) == it.target for it in found)


@pytest.mark.parametrize(
    ("text", "all_listed"),
    [
        ("```{bibliography}\n:all:\n```", True),
        ("```{bibliography}\n```\n:all:", False),
        ("```{note}\n:all:\n```", False),
    ],
)
def test_whether_all_entries_are_listed(text, all_listed):
    assert parsed(text).cites_all == all_listed
