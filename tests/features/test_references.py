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


def test_declaration_counts_when_asked_for():
    it = world("%% main.tex\n\\cite{a|}\n%% refs.bib\n@misc{a, title = {a}}\n")
    found = references.find(it.project, *it.cursor, declaration=True)
    assert [(to.path, to.span.start) for to in found] == [("main.tex", 6), ("refs.bib", 6)]
