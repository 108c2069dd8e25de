"""Jupyter notebooks: what their Markdown cells say, at its places in the file."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import marks
from citelsp import checks
from citelsp.base.text import Document, apply
from citelsp.features import rename
from citelsp.knowledge import Knowledge
from citelsp.syntax import notebook, parse, prose
from citelsp.syntax.languages.notebook import NOTEBOOK

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
    found = notebook.cells(text)
    assert found.text == "\n\n".join(it for kind, it in cells if kind != "code" and it)
    parsed(text)
    for at, character in enumerate(found.text):
        place = text[found.start(at) : found.end(at + 1)]
        if place and not (character == "\n" and not place.startswith("\\n")):
            assert json.loads(f'"{place}"') == character


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
