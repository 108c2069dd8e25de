import pytest

from citelsp.features import references
from fixture_projects import world

FIXTURE = r"""
%% main.tex
\cite{a}, \citep[see][]{b,a}. % \cite{a}
      ^ use
                          ^ use
%% part.md
As @a says.
    ^ use
%% refs.bib
@misc{a, title = {a}}
@misc{c, crossref = {a}}
                     ^ use
"""


@pytest.mark.parametrize(("path", "before"), [("main.tex", "\\cite{"), ("part.md", "@"), ("refs.bib", "crossref = {")])
def test_uses_in_all_documents_from_any_of_them(path, before):
    it = world(FIXTURE)
    offset = it.marked.files[path].index(before) + len(before)
    found = references.find(it.project, path, offset, declaration=False)
    assert {(to.path, to.span.start, to.span.end) for to in found} == it.marks()


def test_a_use_in_the_first_of_two_fields_of_a_name_counts():
    it = world("%% refs.bib\n@misc{a|, title = {a}}\n@misc{b, related = {a}, related = {c}}\n")
    path, offset = it.cursor
    found = references.find(it.project, path, offset, declaration=False)
    text = it.marked.files[path]
    assert [to.span.start for to in found] == [text.index("{a}, related") + 1]


def test_declaration_counts_when_asked_for():
    it = world("%% main.tex\n\\cite{a|}\n%% refs.bib\n@misc{a, title = {a}}\n")
    found = references.find(it.project, *it.cursor, declaration=True)
    assert [(to.path, to.span.start) for to in found] == [("main.tex", 6), ("refs.bib", 6)]


def test_uses_of_a_macro_and_of_an_alias():
    it = world("%% r.bib\n@string{x = {X}}\n@misc{a, note = x|}\n@misc{b, note = x # X}\n")
    text = it.project.sources["r.bib"].document.text
    found = references.find(it.project, *it.cursor)
    assert [(to.span.within(text), to.whole.within(text)[:8]) for to in found] == [
        ("x", "@string{"), ("x", "@misc{a,"), ("x", "@misc{b,"), ("X", "@misc{b,"),
    ]  # fmt: skip
    assert len(references.find(it.project, *it.cursor, declaration=False)) == 3
    it = world("%% main.tex\n\\cite{al|ias}\n%% refs.bib\n@misc{a, ids = {alias, other}}\n")
    assert [to.path for to in references.find(it.project, *it.cursor)] == ["main.tex", "refs.bib"]
    assert [to.path for to in references.find(it.project, *it.cursor, declaration=False)] == ["main.tex"]
    assert references.find(it.project, "main.tex", 0) == []
