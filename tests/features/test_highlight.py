from dataclasses import replace

from citelsp.features import highlight
from fixture_projects import world


def test_every_mention_of_the_key_in_this_document():
    it = world("""
        %% main.tex
        \\cite{a|, b} and \\cite{b,a}.
              ^ mention
                                 ^ mention
        %% refs.bib
        @misc{a, title = {a}}
    """)
    found = highlight.find(it.project, *it.cursor)
    assert {("main.tex", *to.span) for to in found} == it.marks()
    assert not any(to.defines for to in found)
    assert highlight.find_linked(it.project, *it.cursor) == []  # the entry stands in another file


def test_the_entry_is_the_definition():
    it = world("%% refs.bib\n@misc{a|, title = {a}}\n@misc{b, crossref = {a}}\n")
    found = highlight.find(it.project, *it.cursor)
    assert [(to.span.start, to.defines) for to in found] == [(6, True), (43, False)]


def test_a_list_in_the_document_itself_is_typed_over_at_once():
    it = world("""
        %% main.tex
        \\documentclass{x}\\begin{document}\\cite{a|}
        \\begin{thebibliography}{9}\\bibitem{a} A.\\end{thebibliography}
        \\end{document}
    """)
    assert len(highlight.find_linked(it.project, *it.cursor)) == 2


def test_macros_of_one_file_are_typed_over_at_once():
    it = world("%% refs.bib\n@string{x = {X}}\n@misc{a, note = x|, title = x}\n")
    assert [to.start for to in highlight.find_linked(it.project, *it.cursor)] == [8, 33, 44]


def test_nothing_is_typed_over_at_once_if_documents_were_left_out():
    it = world("%% refs.bib\n@string{x = {X}}\n@misc{a, note = x|, title = x}\n")
    assert highlight.find_linked(replace(it.project, bounded=True), *it.cursor) == []


def test_nothing_elsewhere():
    it = world("%% main.tex\nno| key\n")
    assert highlight.find(it.project, *it.cursor) == []
    assert highlight.find_linked(it.project, *it.cursor) == []
