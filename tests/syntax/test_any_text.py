"""Every parser on any text and any edit: it never fails, its spans lie in the text, its keys are spelled there."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.base.text import Document, Edit, Span, apply
from citelsp.syntax import languages as every
from citelsp.syntax import parse, reparse

PIECES = [
    *r'{ } [ ] ( ) < > , ; : @ % \ ` ~ $ # ? * - _ ^ & = |'.split(), '"', "'",
    "\n", "\r\n", "\n\n", " ", "\t", "    ", "\0", "\ud800", "😀", "é", "\u2028", "key", "Smith:2020/a", "a b", "1",
    r"\cite", r"\cite*", r"\cites", r"\parencites", r"\volcite", r"\foreigntextcquote", r"\nocite",
    r"\input", r"\import", r"\bibliography", r"\addbibresource", r"\bibitem", r"\bib", r"\verb", r"\lstinline",
    r"\begin{verbatim}", r"\end{verbatim}",
    r"\begin{displaycquote}", r"\iffalse", r"\fi", r"\else", r"\title", r"\date", r"\section",
    r"\documentclass", r"\newcites", r"\newcommand", r"\def", r"\end{document}", r"\endinput", r"\url", "\\\\",
    "% citelsp: ignore[x]", "<!-- citelsp: ignore -->", "% !TeX root = m.tex", "---\n", "bibliography:", "references:",
    "- id: x\n", "- {id: y}", "nocite: '@*'", "title: |\n", "[@", "@fig-1", "[@<", "[@?", "```\n", "~~~", "<!--", "-->",
    "{{< include a >}}", "$$", "https://a.b/@c", "](", '{"id": "a", "type": "book"}', '"id":', "<<>>=\n", "\n@\n",
    "{cite}`", "{cite:t}``", "{see}", ":::{code}\n", ":::\n", "```{note} @a\n", "```{eval-rst}\n", ":cite:`a`",
    "````{figure-md}\n", "````\n", "```{bibliography} a.bib\n", ":all:\n", "TY  - JOUR\n", "ID  - a\n",
    "<xml><records><record>", "</record>",
    "[cite:", "[cite/t:@", "@<words>", "cite:a,b", "[[cite:see &", "#+begin_src\n", "#+end_src\n", "#+bibliography: ",
    "* COMMENT ",     "#+include: \"a.org\"", ":noexport:\n", ":PROPERTIES:\n", ":END:\n",
    "#cite(", "#cite(<a>", "label(", "#let x =", "#bibliography(", "@a[", "#[", "/*", "*/",
    "//", "<a>", "#f(", "@?[", "= ",
    "a:\n  type: article\n", "  title: x\n",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=40).map("".join)
LANGUAGES = [it.name for it in every.ALL]
languages = st.sampled_from([*LANGUAGES, "other"])


def spans_of(syntax):
    for it in syntax.citations:
        yield from (it.span, it.whole)
    for it in syntax.placeholders:
        yield from (it.span, it.whole)
    for it in syntax.suppressions:
        yield from (it.span, it.covers)
    for it in (*syntax.arguments, *syntax.links, *syntax.headings):
        yield it.span


def check_syntax(syntax, text, language):
    for span in spans_of(syntax):
        assert 0 <= span.start <= span.end <= len(text)
    for one, other in pairwise(it.whole for it in syntax.placeholders):
        assert one.start <= other.start and one.end <= other.end
    for it in syntax.citations:
        assert it.span.within(text) == it.key != ""
        assert it.whole.start <= it.span.start and it.span.end <= it.whole.end
    for it in syntax.links:
        assert it.span.within(text).replace("''", "'") == it.target or "'" in it.target
    for index in range(len(syntax.entries or ())):
        node, start = syntax.entries.node(index), syntax.entries.start(index)
        assert text[start : start + len(node.source)] == node.source
        assert node.key_span.within(node.source) == node.key or "\\" in node.source or "'" in node.source
        assert index in syntax.entries.by_key(node.key)
        for it in node.fields():
            assert 0 <= it.span.start <= it.span.end <= len(node.source)
            assert isinstance(node.raw(it.name), str)


@given(texts, languages)
def test_parsing_never_fails(text, language):
    check_syntax(parse(Document("a", text, language)), text, language)


@given(texts, languages, texts, st.data())
def test_reparse_equals_parse(text, language, new_text, data):
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    after = Document("a", apply(text, [Edit("a", Span(start, end), new_text)]), language)
    again = reparse(parse(Document("a", text, language)), after, Span(start, end), new_text)
    assert described(again) == described(parse(after))


def described(syntax):
    entries = syntax.entries
    nodes = [(entries.start(i), entries.node(i).key, entries.node(i).source) for i in range(len(entries or ()))]
    return nodes, *(getattr(syntax, it) for it in type(syntax).__slots__ if it not in ("entries", "ground"))


OPENERS = [
    r"\cite{a,",
    r"\cite[",
    r"\cite<",
    r"\parencites[1]{a}",
    "{",
    "[@",
    "`",
    "[",
    "<!--",
    "@{",
    "$",
    "\\begin{verbatim}",
    "\\iffalse",
    "- id: a\n",
    '[{"id":',
    "---\n",
    "{cite}`",
    "{cite}`a ",
    "{cite}`{",
    "```{note}\n",
    ":::{code}\n",
    "[cite:@",
    "[cite:@\n",
    " =a",
    "#+begin_src\n",
    "* COMMENT\n",
    "* a :noexport:",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_repeated_openers_stay_fast(language):
    for opener in OPENERS:
        text = opener * (4000 // len(opener))
        check_syntax(parse(Document("a", text, language)), text, language)
