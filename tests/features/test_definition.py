from citelsp.features import definition
from fixture_projects import world


def check(fixture):
    it = world(fixture)
    found = definition.find(it.project, *it.cursor)
    assert {(to.path, to.span.start, to.span.end) for to in (found.targets if found else ())} == it.marks()


def test_citation_to_entry():
    check(r"""
    %% main.tex
    \documentclass{article}
    As 😀 shown by \cite{other, knu|th84}.
    %% refs.bib
    @book{knuth84, title = {Literate Programming}}
          ^^^^^^^ entry
    """)


def test_every_entry_with_the_key():
    check(r"""
    %% main.md
    As said [see @doe99|, p. 3].
    %% a.bib
    @misc{doe99, title = {One}}
          ^^^^^ entry
    %% b.bib
    @misc{doe99, title = {Two}}
          ^^^^^ entry
    """)


def test_crossref_to_its_parent():
    check(r"""
    %% refs.bib
    @inproceedings{child, crossref = {pro|c}, title = {X}}
    @proceedings{proc, title = {Proceedings}}
                 ^^^^ entry
    """)


def test_bibitem():
    check(r"""
    %% main.tex
    \documentclass{article}
    \cite{a|b}
    \begin{thebibliography}{9}
    \bibitem{ab} A. B.
             ^^ entry
    \end{thebibliography}
    """)


def test_nothing_beside_the_key():
    check(r"""
    %% main.tex
    As shown| by \cite{knuth84}.
    %% refs.bib
    @book{knuth84, title = {Literate Programming}}
    """)


def test_named_file():
    it = world("%% main.tex\n\\documentclass{article}\n\\input{par|t}\n%% part.tex\nx\n")
    found = definition.find(it.project, *it.cursor)
    assert [to.path for to in found.targets] == ["part.tex"]
