"""What is read in Markdown: every citation of a fixture is underlined by `cite`, and nothing else is a citation."""

import time
import tracemalloc
from textwrap import dedent

import pytest

import marks
from citelsp.base.text import Document
from citelsp.syntax import parse


def check(fixture):
    marked = marks.parse(f"%% a.md\n{dedent(fixture)}")
    text = marked.files["a.md"]
    syntax = parse(Document("a.md", text, "markdown"))
    assert [(it.span.start, it.span.end) for it in syntax.citations] == [(lo, hi) for _, lo, hi, _ in marked.ranges]
    return syntax


def read(text):
    return parse(Document("a.md", text, "markdown"))


def keys(text):
    return [it.key for it in read(text).citations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[@a; -@b, p. 3] and @c [p. 3], -@d", ["a", "b", "c", "d"]),
        ("see @a. @b, (@c) *@d* @e_ @f's", ["a", "b", "c", "d", "e_", "f"]),
        ("@doi:10.1000/xyz-1.2.", ["doi:10.1000/xyz-1.2"]),
        ("@a:b_c#d$e%f&g-h+i?j<k>l~m/n--", ["a:b_c#d$e%f&g-h+i?j<k>l~m/n"]),
        ("@url:https://x.org/a;", ["url:https://x.org/a"]),
        ("@{odd key, with (everything)!} @{a{b}c}", ["odd key, with (everything)!", "a{b}c"]),
        ("@müller2020 @李2021 @1999x @_x", ["müller2020", "李2021", "1999x", "_x"]),
        ("me@x.org <me@x.org> <mailto:me.@x.org> \\@no @ @. @{{no}}", []),
        ("https://medium.com/@no [x](https://y.z/@no) ![](img/@no.png) <https://a.b/@no>", []),
        ('<span data-x="@no">@a</span>', ["a"]),
        ("[text @a](url) [@b](url) ^[note @c] [^1]: @d", ["a", "b", "c", "d"]),
        ("@fig-x [@tbl-x; @sec-y] @eq-z @Fig-x @thm-a @fig:x \\@ref(fig:x) @figure2020", ["figure2020"]),
        ("a\\\\@a \\\\\\@no [\\\\[@b] \\\\[@c]", ["a", "b", "c"]),
        ("$a@b$ costs $5 and @a $6", ["a"]),
        ("$$\nx@b @no\n$$\n@a", ["a"]),
        ("x $a @no$ y\n@b $a@no$\n$ @c $d\n@e$", ["b", "c", "e"]),
        (f"{{x=\"{'y' * 1990} @no\n\n{{x=\"{'y' * 2010} @a", ["a"]),
        ("{{< video x.org/ @no >}} @a {{< meta @no\n@b >}} {{< x >}}[@c]", ["a", "b", "c"]),
        ("`{{<` begins a shortcode: @a", ["a"]),
        ("\\begin{tabular}{@{\\extracolsep{0pt}}l}\n@no \\cite{a}\n\\end{tabular}\n@b", ["a", "b"]),
        ("```{=latex}\n@no \\cite{a}\n```\n```{=html}\n\\cite{no}\n```", ["a"]),
        (r"\\cite{no} \\\cite{a} \cite{b}", ["a", "b"]),
        ("```{=latex}\n%\\caption{\\cite{no}}\n5\\,\\% \\cite{a} % \\cite{no}\n\\\\% \\cite{no}\n```", ["a"]),
        ("\\begin{verbatim}\n\\cite{no}\n\\end{verbatim} \\begin{center} @a", ["a"]),
        ("\\begin{a}\n\\begin{a}\n\\end{a}\n@no\n\\end{a}\n@a\n\\begin{a}\n@b\n\\begin{a}\n@no\n\\end{a}", ["a", "b"]),
        ("\\begin{x}\n\\begin{comment}\n\\begin{x}\n\\end{comment}\n@no\n\\end{x}\n@a", ["a"]),
        ("\\citep[p. 3]{a, b} and \\textcite{c} `\\cite{no}`", ["a", "b", "c"]),
        ("(@ex) First.\n(@other) Second.\n\nAs (@ex) and @other show, [@ex; @a].", ["ex", "a"]),
        ("So says\n(@a) of it, and @a again.", ["a", "a"]),
        ("---\nabstract: |\n  As @a says.\n\n  So [@b].\ntwitter: '@no'\n---\n@c", ["a", "b", "c"]),
        ("---\nauthornote: |\n  See [@a]; `@no`.\nx: >\n  @b\ntwitter: '@no'\n---\n@c", ["a", "b", "c"]),
        ("---\nstyle: |\n  @media x\nheader-includes: |\n  \\def\\x{@no}\nnocite: |\n  @a\n---\n@c", ["a", "c"]),
        ("```{r, fig.cap='As [@a]', out='@no'}\n@no\n```\n@b", ["a", "b"]),
        ("```{r, fig.cap='By @a (see \\\\@ref(s:x))'}\n```\nsee \\@ref(s:x)", ["a"]),
        ('```{python}\n#| fig-cap: "As @a; see @b"\n@no\n```\n@c', ["a", "b", "c"]),
        ("```{block2, type='note'}\n@a and `@no` [@b]\n```\n@c", ["a", "b", "c"]),
        ("````{theorem, name='@no'}\n@a\n```{block}\n@no\n```\n@b\n````\n@c\n```{asis}\n```\n", ["a", "b", "c"]),
    ],
)  # fmt: skip
def test_citations(text, expected):
    assert keys(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "... @a", "x...@a", "x......@a", "x\\.@a", "x…@a", "x*@a", "*so* or*@a", "so_so_@a", "*so*:@a", "\\*so*@a",
        "2 * 3*@a", 'so ("by @a"', '[a](x) "by @a"', '[a](x "z") "by @a"', '![](x){fig-cap="by @a"}', "{x} @a",
    ],
)  # fmt: skip
def test_what_stands_before_does_not_matter(text):
    assert keys(text) == ["a"]


@pytest.mark.parametrize(
    "hidden",
    [
        "`@no`",
        "``a ` @no``",
        "```\n@no\n```",
        "~~~~ {.r}\n@no\n~~~\n@no\n~~~~",
        "````\n```\n@no\n````",
        "```{r, out='@no'}\n@no\n```",
        "```r\n#| fig-cap: '@no'\n```",
        "> ```\n> @no\n> ```",
        "- item\n\n  ```\n  @no\n  ```",
        "<!-- @no\n\n@no -->",
        "para\n\n    @no indented\n\n    @no more",
        "- item\n\n      @no {}\n      @no",
        "10. item\n\n    more\n\n\n        x\n\n        @no",
        "-\ta\n\t- b\n\n\t\t    @no",
        "Term\n\n:   it is\n\n        @no",
        "[^1]: note\n\n        @no",
        "- item\n\ntext\n\n    @no",
        "- item\n# Heading\n\n    @no",
        "- item\n\n  ```\n  x\n  ```\ntext\n\n    @no",
        "x.@no x..@no x....@no [see e.g.@no]",
        "*so*@no **so**@no _so\nit_@no a*b*@no **so *so***@no [*so*@no]",
        "[a](x \"by @no\") ![](<x y> 'by @no') [a](x/(y)\n(by @no))",
        "[a]: x \"by @no\"\n[b]: <x>\n  'by @no'",
        '![](x){fig-alt="by @no, @no" width=1}',
        "<style>\n@no media {}\n</style>",
        "<pre>@no</pre>",
        "\\`x",
        "`unclosed",
        "```unclosed",
        "<!-- unclosed",
    ],
)
def test_hidden_text_holds_no_citations(hidden):
    assert keys(f"@a\n\n{hidden}\n\n@b") == ["a", "b"]


def test_brackets_in_which_nothing_is_cited_take_no_memory():
    tracemalloc.start()
    try:
        read("[" * 200_000)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("line", ["    @Override\n", "    @Override\n\n", "- x\n\n        @Override\n\n"])
def test_time_for_indented_code_is_proportional_to_it(line):
    def cost(lines):
        before = time.process_time()
        assert keys("So:\n\n" + lines * line) == []
        return time.process_time() - before

    measured = ((cost(1000), cost(6000)) for _ in range(5))
    assert any(sixfold < 16 * once + 0.04 for once, sixfold in measured)


@pytest.mark.parametrize(
    "indented",
    [
        "- item\n\n    @a",
        "- x\n  - y\n\n      @a",
        "10. x\n\n       @a",
        "- x\n        @a",
        "- x\n\n      y\n\n  z\n      @a",
        "1. x\n\n    y\n\n    @a",
        "para\n    @a",
        "[^1]: x\n\n    @a",
        "[^1]:\n\n    @a",
        "- x\nlazy\n\n    @a",
        "- x\nlazy\nmore\n\n    @a",
    ],
)
def test_indented_prose_is_not_code(indented):
    assert keys(indented) == ["a"]


def test_what_follows_an_item_at_once_tells_where_later_lines_belong():
    assert keys("- x\n      @a\n\n    @b\n\n      @no") == ["a", "b"]


def test_spans_are_of_the_key_alone():
    check("""
        😀 As [see @knuth84, p. 3; -@{turing}] and @lamport [ch. 2].
                   ^^^^^^^ cite
                                     ^^^^^^ cite
                                                   ^^^^^^^ cite
    """)


def test_whole_and_narrative():
    text = "[see @a; @b] @c [p. 3] @d (x) -@e"
    found = read(text).citations
    assert [it.whole.within(text) for it in found] == ["[see @a; @b]", "[see @a; @b]", "@c [p. 3]", "@d", "-@e"]
    assert [it.narrative for it in found] == [False, False, True, True, False]


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("[@", [("", "@")]),
        ("[@]", [("", "@")]),
        ("[@a; @", [("a", "@"), ("", "@")]),
        ("[@sm", [("sm", "@")]),
        ("so @sm", [("sm", "@")]),
        ("so @", [("", "@")]),
        ("[@doi:", [("doi:", "@")]),
        ("[@{odd ke", [("odd ke", "@")]),
        ("[@<deep lea", [("deep lea", "<")]),
        ("[@<deep lea]", [("deep lea", "<")]),
        ("[@<deep lea>]", [("deep lea", "<")]),
        ("[@?deep lea", [("?deep lea", "@")]),
        ("\\cite{a, de", [("a", "{"), (" de", ",")]),
        ("me@", []),
        ("`@", [("", "@")]),
    ],
)
def test_arguments_while_typing(text, arguments):
    assert [(it.span.within(text), it.opener) for it in read(text).arguments] == arguments


@pytest.mark.parametrize(
    ("text", "words", "replaced", "closed"),
    [
        ("[@<>]", "", "@<>", True),
        ("[see @<deep  nets>, p. 3]", "deep nets", "@<deep  nets>", True),
        ("[@a; @<nets>]", "nets", "@<nets>", True),
        ("[@?]", "", "@?", True),
        ("[@?deep nets; @a]", "deep nets", "@?deep nets", True),
        ("[@<deep nets", "deep nets", "@<deep nets", False),
        ("[@?deep\n\nnext @a]", "deep", "@?deep", False),
        ("[@?deep\nnets; @a]", "deep nets", "@?deep\nnets", True),
        ("[@?deep\nnets y", "deep", "@?deep", False),
        ("[@?{deep} nets]", "{deep} nets", "@?{deep} nets", True),
        ("[@<deep {x}]", "deep", "@<deep ", False),
        ("[@<deep\nnets]", "deep", "@<deep", False),
        ("x \\cite<nets>", "nets", "<nets>", True),
    ],
)
def test_placeholders(text, words, replaced, closed):
    [found] = read(text).placeholders
    assert (found.words, found.span.within(text), found.closed) == (words, replaced, closed)
    assert found.before == replaced[0].replace("<", "{")


@pytest.mark.parametrize("text", ["@<x>", "a @?b", "`[@<x>]`", "[@<x>", "<!-- [@<>] -->"])
def test_closed_placeholders_only_in_brackets(text):
    assert not [it for it in read(text).placeholders if it.closed and text != "[@<x>"]


@pytest.mark.parametrize(
    ("front", "links"),
    [
        ("bibliography: refs.bib", ["refs.bib"]),
        ("bibliography: \"a b.bib\" # 'c'", ["a b.bib"]),
        ("bibliography: [a.bib, 'b.bib', \"c.json\"]", ["a.bib", "b.bib", "c.json"]),
        ("bibliography: [a.bib,\n  b.bib]", ["a.bib", "b.bib"]),
        ("bibliography:\n  - a.bib # x\n  # - no.bib\n  - 'b.bib'\ntitle: x", ["a.bib", "b.bib"]),
        ("bibliography:\n- a.bib\n- b-c.yaml", ["a.bib", "b-c.yaml"]),
        ("bibliography:\n  main: a.bib\n  other: b.bib", ["a.bib", "b.bib"]),
        ("metadata-files:\n  - m.yml", ["m.yml"]),
        ("bibliography: |", []),
        ("bibliography:", []),
        ("# bibliography: no.bib", []),
    ],
)
def test_front_matter_names_bibliographies(front, links):
    text = f"---\n{front}\n---\n\ntext"
    syntax = read(text)
    assert [it.target for it in syntax.links] == links
    assert all(it.span.within(text) == it.target for it in syntax.links)
    assert syntax.is_root == bool(links and "metadata" not in front)


def test_front_matter_at_other_places():
    syntax = read(
        "\ufeff---\r\ntitle: T\r\nbibliography: a.bib\r\n...\r\n\r\n@a\r\n\r\n---\r\nbibliography: b.bib\r\n---\r\n"
    )
    assert ([it.target for it in syntax.links], syntax.title) == (["a.bib", "b.bib"], "T")
    assert not read("Text.\n\n---\n\nbibliography: no\n\n---\n").links


def test_title_date_and_headings():
    front = "---\ntitle: >\n  On deep\n  nets\ndate: '2020-01-02'\n---\n"
    syntax = read(front + "# One {#sec-a}\n\nTwo\n---\n\n```\n# no\n```\n### Three ###\n")
    assert (syntax.title, syntax.date) == ("On deep nets", "2020-01-02")
    assert [(it.title, it.level) for it in syntax.headings] == [("One", 1), ("Two", 2), ("Three", 3)]
    assert read("# First\n\n# Second").title == "First"


@pytest.mark.parametrize("nocite", ["'@*'", "|\n  @*", '"@*"', "|\n  @a, @*"])
def test_nocite_star(nocite):
    assert read(f"---\nnocite: {nocite}\n---\n").cites_all


def test_nocite_keys_are_cited():
    assert keys("---\nnocite: |\n  @a, @{b c}\nauthor: me @no\n---\n@d") == ["a", "b c", "d"]


def test_references_in_front_matter():
    text = "---\nreferences:\n- id: smith99\n  title: A\n  type: book\n- title: B\n  id: 'b:1'\n---\n[@smith99]"
    entries = read(text).entries
    assert [(entries.node(i).key, entries.node(i).kind) for i in range(2)] == [("smith99", "book"), ("b:1", "misc")]
    assert text[entries.start(0) + entries.node(0).key_span.start :].startswith("smith99\n")
    assert entries.node(1).raw("title") == "B"


def test_parts():
    text = '{{< include _a.qmd >}}\n\n```{r child=\'b.Rmd\'}\n```\n\n```{r, child = c("c.Rmd", "d.Rmd")}\n```\n'
    links = read(text).links
    assert [it.target for it in links] == ["_a.qmd", "b.Rmd", "c.Rmd", "d.Rmd"]
    assert all(it.kind == "part" and it.span.within(text) == it.target for it in links)


def test_suppressions():
    text = "<!-- citelsp: ignore[undefined-citation] why -->\n\n@a\n\n@b <!-- citelsp: ignore -->\n"
    alone, own = read(text).suppressions
    assert (alone.codes, alone.covers.within(text)) == (("undefined-citation",), "@a")
    assert (own.codes, own.covers.within(text)) == ((), "@b <!-- citelsp: ignore -->")


def test_a_rule_at_the_beginning_opens_no_metadata():
    assert [it.key for it in read("---\n\nA @a.\n\n---\n\nB @b.\n").citations] == ["a", "b"]
    assert read("---\n\n\ntitle: T\n---\n").title == "T"


def test_bibliographies_by_topic():
    text = "---\nbibliography:\n  one: a.bib\n  two: [b.bib, 'c.bib']\n  three:\n    - d.bib\n  four: e.bib # e\n---\n"
    assert [it.target for it in read(text).links] == ["a.bib", "b.bib", "c.bib", "d.bib", "e.bib"]


def test_marks_that_close_a_heading_are_no_part_of_it():
    headings = parse(Document("a.md", "# One\t##\n\n## Two##\n\n# Three ###\n", "markdown")).headings
    assert [it.title for it in headings] == ["One", "Two##", "Three"]


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("x\n\n---\nbibliography: a\n---\n", ["a"]),
        ("---\na: |\n  b\n\n---\nbibliography: no\n---\n", []),
        ("---\nbibliography: a\n---\nx\n\n---\nbibliography: b\n---\n\n---\nbibliography: c\n---", ["a", "b", "c"]),
        ("x\n---\nbibliography: no\n---\n", []),
    ],
)
def test_metadata_begin_behind_a_blank_line(text, files):
    assert [it.target for it in read(text).links] == files


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("::: {#box-one .callout}\n# Two {#two .unnumbered}\n![](a){ #fig:three width=3 }", "box-one two fig:three"),
        ("```{r}\n#| label: box-four\n  #| label : five\n1\n```", "box-four five"),
        ("{.class #no} {# no} label: no [#no] {#1}", ""),
    ],
)
def test_labels(text, labels):
    assert read(text).labels == set(labels.split())
