"""Jupyter notebooks: what their Markdown cells say, at its places in the file."""

import json
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import marks
from citelsp import checks
from citelsp.base.text import Document, Span, apply
from citelsp.features import rename
from citelsp.knowledge import Knowledge
from citelsp.syntax import parse, prose, reparse
from citelsp.syntax.languages.notebook import NOTEBOOK, parsing

TAGGED = 'Known <cite data-cite="knuth84, b">(Knuth, 1984)</cite>, `<cite data-cite="code">`.'
BIB = "@book{knuth84, title = {A}, author = {B, C}, year = 2000, publisher = {P}}\n"
FRONT = ("raw", "---\nbibliography: refs.bib\n---")


def written(*cells, one_string=False, **options):
    """A notebook of (kind, text)."""
    listed = [
        {"cell_type": kind, "metadata": {"source": "[@no]"}, "source": text if one_string else text.splitlines(True)}
        for kind, text in cells
    ]
    return json.dumps({"cells": listed, "metadata": {}, "nbformat": 4}, indent=1, **options)


def parsed(text):
    return parse(Document("a.ipynb", text, "notebook"))


CELLS = [
    FRONT,
    ("markdown", "# On “Trees” \\ and\n\nSee [@knuth84, p. 3]\nand {cite}`b,c`.\n"),
    ("code", "print('[@no]')\n# {cite}`no`"),
    ("markdown", "By @d: $\\alpha$ `@no` 😀 @e"),
]


@pytest.mark.parametrize("one_string", [False, True])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_markdown_cells_are_read(one_string, ascii_only):
    text = written(*CELLS, one_string=one_string, ensure_ascii=ascii_only)
    found = parsed(text)
    assert [it.key for it in found.citations] == ["knuth84", "b", "c", "d", "e"]
    assert [it.span.within(text) for it in found.citations] == ["knuth84", "b", "c", "d", "e"]
    assert [it.whole.within(text) for it in found.citations][:1] == ["[@knuth84, p. 3]"]
    assert [(it.target, it.span.within(text)) for it in found.links] == [("refs.bib", "refs.bib")]
    assert found.title == "On “Trees” \\ and"
    sentence = prose.sentence(Document("a.ipynb", text, "notebook"), found, found.citations[1].whole)
    assert sentence == "See and." and "metadata" not in sentence


def test_what_is_wrong_is_found_in_the_file_and_fixed_there():
    text = written(FRONT, ("markdown", "See [@knuth84]\nand [@gone].\n"), ("code", "knuth84 = 1"))
    project = marks.project(marks.Marked({"a.ipynb": text, "refs.bib": BIB}), "a.ipynb")
    [finding] = checks.run(project, Knowledge(), codes={"undefined-citation"})
    assert (finding.path, finding.span.within(text)) == ("a.ipynb", "gone")
    edits = rename.edits_for(project, "a.ipynb", text.index("knuth84"), "knuth-84")
    after = apply(text, [it for it in edits if it.path == "a.ipynb"])
    assert [it["source"] for it in json.loads(after)["cells"]][1:] == [
        ["See [@knuth-84]\n", "and [@gone].\n"],
        ["knuth84 = 1"],
    ]


@pytest.mark.parametrize(
    ("front", "target"),
    [
        ("---\nbibliography: a.bib\n---", "[a.bib, more.bib]"),
        ("---\nbibliography:\n- a.bib\n- b.bib\n---", "- a.bib\n- more.bib\n- b.bib"),
        ("---\nbibliography: [a.bib]\n---", "[a.bib, more.bib]"),
        (None, "bibliography: more.bib"),
    ],
)
def test_one_more_bibliography_leaves_a_notebook(front, target):
    text = written(*([("raw", front)] if front else []), ("markdown", "Hello"))
    links = parsed(text).links
    declared = NOTEBOOK.manuscript.declare_beside(text, links[0], "more.bib") if links else None
    span, new_text = declared or NOTEBOOK.manuscript.declare(text, (), "more.bib", [text])
    after = json.loads(text[: span.start] + new_text + text[span.end :])
    assert target in "".join(after["cells"][0]["source"])
    assert {"more.bib"} <= {it.target for it in parsed(json.dumps(after, indent=1)).links}


def test_a_silencing_comment_covers_its_lines():
    text = written(("markdown", "<!-- citelsp: ignore[undefined-citation] -->\nSee [@gone].\n\nAnd [@gone2]."))
    [found] = parsed(text).suppressions
    assert found.codes == ("undefined-citation",) and "[@gone]" in found.covers.within(text)
    assert "gone2" not in found.covers.within(text)


CELL = st.tuples(st.sampled_from(["markdown", "code", "raw"]), st.text(max_size=30))


@given(st.lists(CELL, max_size=5), st.booleans())
def test_every_character_is_found_in_the_file(cells, ascii_only):
    text = written(*cells, ensure_ascii=ascii_only)
    found = parsing.cells(text)
    assert parsing.text_of(found) == "\n\n".join(it for kind, it in cells if kind != "code" and it)
    parsed(text)
    for _, start, source in found:
        for at, character in enumerate(source.text):
            place = source.span(Span(at, at + 1)).moved(start).within(text)
            if place and not (character == "\n" and not place.startswith("\\n")):
                assert json.loads(f'"{place}"') == character


PROSE = [
    *(
        "[@a]",
        "@b [p. 1]",
        "{cite}`c`",
        "```\n",
        "---\n",
        "title: x\n",
        "# T",
        "\n",
        "\n\n",
        "(@ex) It\n\n",
        "@ex",
        "$$",
    ),
    *("[@<words>]", "<!-- citelsp: ignore -->", "@doi:10.1/x", "\\", '"', "é😀", "\\cite{d}", '<cite data-cite="e">'),
    *("bibliography: r.bib\n", "nocite: '@*'\n", "{{< include a.md >}}", "references:\n- id: f\n", "`", "word "),
]
WRITTEN = st.tuples(
    st.sampled_from(["markdown", "markdown", "raw", "code"]), st.lists(st.sampled_from(PROSE), max_size=6).map("".join)
)
JSON = ['"', ",", "]", "}", "[", "\\", "\\n", '{"cell_type": "markdown", "source": "@x"},', '"raw"', "{", "[@new]"]
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 6), st.one_of(st.just(""), st.sampled_from([*JSON, *PROSE]))), max_size=5
)


@given(st.lists(WRITTEN, max_size=6), st.booleans(), EDITS)
def test_edits_equal_reading_anew(cells, one_string, edits):
    text = written(*cells, one_string=one_string)
    syntax = parsed(text)
    for where, length, new_text in edits:
        start = round(where * len(text))
        span = Span(start, min(len(text), start + length))
        text = text[: span.start] + new_text + text[span.end :]
        document = Document("a.ipynb", text, "notebook")
        syntax = reparse(syntax, document, span, new_text)
        assert described(syntax) == described(parse(document))


def described(syntax):
    entries, ground = syntax.entries, syntax.ground
    nodes = [(entries.start(it), entries.node(it).key) for it in range(len(entries or ()))]
    return replace(syntax, entries=None, ground=None), nodes, (ground.text, ground.hidden, ground.own)


def test_a_keystroke_reads_its_cell_alone():
    text = written(*((kind, f"{words} {it}") for it in range(50) for kind, words in CELLS))
    syntax = parsed(text)
    at = text.index("See [@knuth84") + 4
    after = Document("a.ipynb", f"{text[:at]}x{text[at:]}", "notebook")
    known, read = syntax.ground.parts, reparse(syntax, after, Span(at, at), "x").ground.parts
    [changed] = [cell for (cell, _), part in read.items() if all(part is not it for it in known.values())]
    assert "See x[@knuth84" in changed


@given(st.text(alphabet=st.sampled_from('{}[]":,\\\n cells_type markdown source@'), max_size=120))
def test_no_text_is_too_strange(text):
    parsed('{"cells": [' + text)
    parsed(text)


@pytest.mark.parametrize("part", ['{"cell_type":', '{"cell_type": "markdown", "source": ["a"]},', "{", "[", '"', "\\n"])
def test_time_grows_with_length(part):
    start = time.process_time()
    parsed('{"cells": [' + part * (1_000_000 // len(part)))
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("path", "keys"), [("a.ipynb", ["knuth84", "b"]), ("a.ipynb#W0", ["knuth84", "b"]), ("a.md", [])]
)
def test_the_attribute_of_which_nbconvert_makes_citations(path, keys):
    language = "notebook" if path.endswith("ipynb") else "markdown"
    text = written(("markdown", TAGGED)) if language == "notebook" else TAGGED
    found = parse(Document(path, text, language)).citations
    assert [it.key for it in found] == keys
    assert [it.span.within(text) for it in found] == keys


def test_what_the_metadata_say():
    front = "---\ntitle: T\ndate: D\ncsl: c.csl\nlang: de\nbibliography: b.bib\nnocite: '@*'\n---\n"
    found = parsed(written(("raw", "x"), ("raw", front), ("markdown", "# No\n"), ("raw", front.replace(": ", ": no"))))
    assert (found.title, found.date, found.csl, found.lang) == ("T", "D", "c.csl", "de")
    assert found.is_root and found.cites_all and not found.opaque
    bare = parsed(written(("markdown", "# No\n\n\\cite{\\x}")))
    assert (bare.date, bare.csl, bare.lang, bare.is_root, bare.cites_all) == ("", "", "", False, False)
    assert bare.opaque and bare.title == "No"


@pytest.mark.parametrize(
    ("cell", "typed"),
    [
        ("See [@\n\nx", [""]),
        ('See [@"x', [""]),
        ("See [@a\nand @<b\nc>] é [@<d\ne>]", ["a", 'b\\n",\n    "c', 'd\\n",\n    "e']),
        ("\\cite{a, ", ["a", " "]),
    ],
)
def test_what_is_typed_has_its_place(cell, typed):
    text = written(("markdown", cell))
    found = parsed(text)
    assert [it.span.within(text) for it in found.arguments] == typed
    assert all(text[it.span.start - 1] in "@<{," for it in found.arguments)


def test_each_thing_has_its_place():
    text = written(
        ("markdown", "x"), ("markdown", '# H "x"\n\n<!-- citelsp: ignore[a] -->\ny "z"\n[@<b>] {{< include c.qmd >}}')
    )
    found = parsed(text)
    assert [(it.title, it.span.within(text)) for it in found.headings] == [('H "x"', '# H \\"x\\"')]
    [comment] = found.suppressions
    assert (comment.span.within(text), comment.covers.within(text)) == ("<!-- citelsp: ignore[a] -->", 'y \\"z\\"')
    [placeholder] = found.placeholders
    assert (placeholder.span.within(text), placeholder.whole.within(text)) == ("@<b>", "[@<b>]")
    assert [it.span.within(text) for it in found.links] == ["c.qmd"]


def test_examples_are_labelled_in_any_cell():
    text = "As @a, -@a and [@a] say, @b.\n"
    found = parsed(written(("markdown", text), ("markdown", "(@a) First.\n")))
    assert [it.key for it in found.citations] == ["a", "b"] and not found.citations[0].narrative
