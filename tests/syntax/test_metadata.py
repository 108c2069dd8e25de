"""What YAML says of a manuscript, in files of projects and in front matter."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax import parse


def read(text):
    return parse(Document("_quarto.yml", text, "csl-yaml"))


def links(text):
    found = read(text).links
    assert all(it.span.within(text).replace("''", "'") == it.target for it in found)
    return [(it.kind[0], it.target) for it in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bibliography: a.bib", ["a.bib"]),
        ("'bibliography': a b.bib # x", ["a b.bib"]),
        ("bibliography: \"a.bib\"\nx: 'b.bib'", ["a.bib"]),
        ("bibliography: 'it''s.bib'", ["it's.bib"]),
        ("bibliography: [a.bib, # no.bib\n  'b.bib' , \"c.bib\"]\nx: [d]", ["a.bib", "b.bib", "c.bib"]),
        ("bibliography: [a.bib, b.bib", ["a.bib", "b.bib"]),
        ("bibliography:\n- a.bib\n-  'b.bib'\n - c.bib # x\nx:\n- d", ["a.bib", "b.bib", "c.bib"]),
        (
            "bibliography:\n  one: a.bib\n  two: [b.bib, 'c.bib']\n  three: \"d.bib\"",
            ["a.bib", "b.bib", "c.bib", "d.bib"],
        ),
        (
            "bibliography: {main: a.bib, 'two': \"b.bib\", c: [d e.bib, 'f.bib'],\n  g: h.bib } # {x: no.bib}\nx: {y}",
            ["a.bib", "b.bib", "d e.bib", "f.bib", "h.bib"],
        ),
        ("bibliography: {main: a.bib, other: b", ["a.bib"]),
        ("bibliography: {{ bib }}", []),
        ("bibliography: null", []),
        ("bibliography: ~\nx: y", []),
        ("bibliography: ''", []),
        ("bibliography: 'null'", ["null"]),
        ("bibliography:\n\ntitle: a", []),
        ("bibliography:\n  [a.bib,\n   b.bib]", ["a.bib", "b.bib"]),
        ("bibliography: \n  a.bib # x\ntitle: A", ["a.bib"]),
        ("bibliography:\n  a:\n", []),
        ("  bibliography: a.bib", []),
        ("my-bibliography: a.bib", []),
        ("bibliography: a.bib\nbibliography: b.bib", ["a.bib", "b.bib"]),
        ("sphinx:\n  config:\n    bibtex_bibfiles:\n      - a.bib\n    x:\n      - b.bib\n", ["a.bib"]),
        ("sphinx:\n  bibtex_bibfiles: [a.bib]\n  bibliography: no", ["a.bib"]),
        ("project:\n  title: x\n  bibliography:\n  - a.bib\n  - b.bib\n  exports: [c]", ["a.bib", "b.bib"]),
        ("project:\n  bibtex_bibfiles: no", []),
        ("other:\n  bibliography: no", []),
        ("bibtex_bibfiles:\n  - a.bib", ["a.bib"]),
    ],
)
def test_bibliographies(text, expected):
    assert links(text) == [("b", it) for it in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("metadata-files: [a.yml]\nmetadata-file: b.yml", [("m", "a.yml"), ("m", "b.yml")]),
        ("book:\n  chapters:\n    - a.qmd\n    - href: 'b.md'\n    - x.py\nx: no.md", [("p", "a.qmd"), ("p", "b.md")]),
        ("rmd_files: \n  - a.Rmd\n  - text: b.rmd", [("p", "a.Rmd"), ("p", "b.rmd")]),
        ("manuscript:\n  - part: c.qmd", [("p", "c.qmd")]),
    ],
)  # fmt: skip
def test_other_files(text, expected):
    assert links(text) == expected


def test_later_blocks_count_before_earlier_ones():
    text = "---\ntitle: no\nlang: de\n---\n\nText.\n\n---\ntitle: A\n---\n\n# Heading\n"
    found = parse(Document("a.md", text, "markdown"))
    assert (found.title, found.lang) == ("A", "de")


def test_words():
    found = read(
        "title: no\ntitle: >-\n  On\n  'trees'\ndate: '2020'\nlang: de\ncsl: a.csl\ncitation-style: no\nlang:\n"
    )
    assert (found.title, found.date, found.lang, found.csl) == ("On 'trees'", "2020", "de", "a.csl")
    assert not found.signs and read("bibtex_bibfiles: a").signs == {"roles"}
    titles = [read(f"csl: a\n{it}").title for it in ("title: |\n  A\nx: y", "title: A\n  b", "title: 5 # x", "title:")]
    assert titles == ["A", "A b", "5", ""]
    folded = ('"A\n  It\'s"', "'A\n  \"b\"'", "A\n  b # x", "null", "A\n# x", "[A,\n  b]", "A b\r\n  c")
    below = ('\n  "A: b" # x', "\n  'A: b\n  c'", "\n  A: b")
    titles = [read(f"csl: a\ntitle: {written}\nx: y").title for written in folded]
    assert read(r'title: "A \"\u00e9\" \\b"' + "\ncsl: a").title == r'A "é" \b'
    assert titles == ["A It's", 'A "b"', "A", "", "A", "A", "A b c"]
    assert [read(f"csl: a\ntitle:{written}\nx: y").title for written in below] == ["A: b", "A: b c", "b"]


@pytest.mark.parametrize(
    ("blocks", "styles"),
    [
        (["citation-style: b.csl"], ("", "b.csl")),
        (["citation-style: no\ncitation-style: b.csl"], ("", "b.csl")),
        (["csl: no\ncsl: a.csl\ncitation-style: b.csl"], ("a.csl", "b.csl")),
        (["citation-style: no", "citation-style: b.csl"], ("", "b.csl")),
        (["csl: a.csl", "citation-style: b.csl"], ("a.csl", "b.csl")),
    ],
)
def test_the_last_style_of_a_name_counts_as_to_pandoc(blocks, styles):
    text = "\n\n".join(f"---\n{block}\n---" for block in blocks)
    found = parse(Document("a.md", text, "markdown"))
    assert (found.csl, found.citation_style) == styles
    if len(blocks) == 1:
        found = read(blocks[0])
        assert (found.csl, found.citation_style) == styles


def test_references_and_what_is_cited_unseen():
    text = "nocite: |\n  @a, @{b}\nreferences:\n- id: c\n  title: T\nabstract: |\n  As @d says\n"
    found = parse(Document("a.md", f"---\n{text}---\n", "markdown"))
    assert [(it.key, it.command) for it in found.citations] == [("a", "nocite"), ("b", "nocite"), ("d", "@")]
    assert [it.whole.within(found.ground.text) for it in found.citations] == ["@a", "@{b}", "@d"]
    assert [found.entries.node(at).key for at in range(len(found.entries))] == ["c"] and found.is_root
    assert not parse(Document("a.md", "---\nnocite: '@a'\n---\n", "markdown")).is_root
