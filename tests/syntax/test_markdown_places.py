"""Where things stand in Markdown: citations with their groups, headings, and what is hidden."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse


def read(text):
    return parse(Document("a.md", text, "markdown"))


@pytest.mark.parametrize(
    ("text", "wholes"),
    [
        ("[see @a; -@{b c}, p. 3]", {"a": "[see @a; -@{b c}, p. 3]", "b c": "[see @a; -@{b c}, p. 3]"}),
        ("@a [p. 3] -@b x-@c", {"a": "@a [p. 3]", "b": "-@b", "c": "@c"}),
        ("@a[no](x) @b [^1] @c [@d]", {"a": "@a", "b": "@b", "c": "@c", "d": "[@d]"}),
        ("[@a\n\n@b] [x [@c]]", {"a": "@a", "b": "@b", "c": "[@c]"}),
        ("![@a](x) \\[@b] ^[@c]", {"a": "[@a]", "b": "@b", "c": "@c"}),
        ("@a\n[p. 3] @b\n\n[x] @c [] @d  [y]", {"a": "@a\n[p. 3]", "b": "@b", "c": "@c []", "d": "@d  [y]"}),
        ("\\citep[x]{a, b} c", {"a": "\\citep[x]{a, b}", "b": "\\citep[x]{a, b}"}),
        ("<cite data-cite='a'>", {}),
        ("[](https://doi.org/10.1/a) <doi:10.1/b>", {
            "https://doi.org/10.1/a": "[](https://doi.org/10.1/a)", "doi:10.1/b": "<doi:10.1/b>"}),
    ],
)  # fmt: skip
def test_what_belongs_to_a_citation(text, wholes):
    found = read(text)
    assert {it.key: it.whole.within(text) for it in found.citations} == wholes
    assert all(it.span.within(text) == it.key for it in found.citations)
    typed = [it.span.within(text).strip() for it in found.arguments]
    assert typed == [it for it in wholes if "doi" not in it]


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# A {#x}\n## B ##\n   ### C", [("A", 1, "# A {#x}"), ("B", 2, "## B ##"), ("C", 3, "   ### C".strip())]),
        ("A\n===\n\nB\n--", [("A", 1, "A\n==="), ("B", 2, "B\n--")]),
        ("A\nB\n===\n\n> C\n---\n| D\n---\n---\n\n---\n    # E\n#F", []),
        ("A {.x}\n---\n# \n####### B\n# C\r\n", [("A", 2, "A {.x}\n---"), ("C", 1, "# C\r")]),
        ("```\n# A\n```\n# B", [("B", 1, "# B")]),
    ],
)
def test_headings(text, headings):
    assert [(it.title, it.level, it.span.within(text)) for it in read(text).headings] == headings


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("```\na\n```\nb ``c`` `d` <!-- e -->", ["```\na\n```", "``c``", "`d`", "<!-- e -->"]),
        ("$$a$$ b $$c\n\nd$$ <pre>e</pre > <SCRIPT x>f</script>", ["$$a$$", "<pre>e</pre >", "<SCRIPT x>f</script>"]),
        ("~~~~\na\n~~~\n~~~~~ \nb", ["~~~~\na\n~~~\n~~~~~ "]),
        ("```a`\n\nb `c\n\nd` <!-- e", []),
        ("\\`a` \\\\`b`", ["` \\\\`"]),
        ("> ```\n> a\n> ```\n1. ```\n   b\n   ```", ["```\n> a\n> ```", "```\n   b\n   ```"]),
        ("```{note} a\nb\n```\n", ["```{note}", "\n```"]),
        ("````{note}\n```{code}\na\n```\n````", ["````{note}", "```{code}\na\n```", "\n````"]),
        ("```{r, fig.cap='a'}\nb\n```", ["```{r, fig.cap=", "}\nb\n```"]),
        ("```{python}\n#| fig-cap: a\nb\n```", ["```{python}\n#| fig-cap:", "\nb\n```"]),
        ("---\na: b\n---\n`c`\n\n---\nd: e\n---\nf", ["a: b\n", "`c`", "d: e\n"]),
        ("```{=latex}\na\n```\n\\begin{x}\n`a`\n\\end{x}", ["```{=latex}\na\n```", "`a`"]),
        (":::{code}\na\n:::\nb\n::::{math}\n:::\nc\n::::", [":::{code}\na\n:::", "::::{math}\n:::\nc\n::::"]),
    ],
)
def test_what_is_no_prose(text, hidden):
    assert [it.within(text) for it in read(text).ground.hidden] == hidden


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("[@a; @b].", ["a", "b"]),
        ("(@a) A\n(@b) B\n\n[@a; @c] @b @d", ["a", "c", "d"]),
        ("x\n(@a) A @a", ["a", "a"]),
        ("(@a) A\n\n-@a [-@a]", ["a"]),
        ("\n(@a) A\n\n(@b-c) @a @b-c @b", ["b"]),
        ("```{eval-rst}\n:cite:`a`\n```\n`{eval-rst} :cite:`b`", ["a"]),
        ("\\begin{verbatim}\n@a \\cite{b}\n\\end{verbatim}\n\\begin{x}\n@c \\cite{d}\n\\end{x}", ["d"]),
        ("\\\\cite{a} \\cite{b}", ["b"]),
    ],
)
def test_citations_beside_what_looks_like_them(text, keys):
    assert [it.key for it in read(text).citations] == keys


def test_files_and_their_places():
    text = "{{< include a.qmd >}} {{<include 'b.qmd'>}} {{< video c >}}\n"
    text += "```{r, child=c('d.Rmd', \"e.Rmd\")}\n```\n```{r, child = 'f.Rmd'}\n```\n"
    found = read(text).links
    assert [(it.kind, it.target) for it in found] == [
        ("part", it) for it in ("a.qmd", "b.qmd", "d.Rmd", "e.Rmd", "f.Rmd")
    ]
    assert all(it.span.within(text) == it.target for it in found)
