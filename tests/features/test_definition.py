from citelsp.base.text import Span
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


def test_a_key_a_macro_or_a_file_leads_to_its_whole():
    it = world("%% r.bib\n@string{x = {X}}\n@misc{a, note = x|}\n")
    text = it.project.sources["r.bib"].document.text
    found = definition.find(it.project, *it.cursor)
    [to] = found.targets
    assert (found.origin.within(text), to.span.within(text), to.whole.within(text)) == ("x", "x", "@string{x = {X}}")
    it = world("%% r.bib\n@misc{a, crossref = {b|}}\n@misc{b, title = {B}}\n")
    text = it.project.sources["r.bib"].document.text
    found = definition.find(it.project, *it.cursor)
    [to] = found.targets
    assert (found.origin.within(text), to.whole.within(text)) == ("b", "@misc{b, title = {B}}")
    it = world(
        "%% main.tex\n\\documentclass{x}\\input{part}\\bibliography{refs|}\n%% part.tex\nx\n%% refs.bib\n@misc{a}\n"
    )
    found = definition.find(it.project, *it.cursor)
    assert [(to.path, to.span, to.whole) for to in found.targets] == [("refs.bib", Span(0, 0), Span(0, 0))]
    it = world("%% main.tex\n\\cite{no|ne}\n")
    assert definition.find(it.project, *it.cursor).targets == ()
    assert definition.find(it.project, "none.tex", 0) is None


def test_a_file_is_looked_for_beside_its_document_beside_the_root_and_by_its_name():
    files = "%% m/main.tex\n\\documentclass{x}\\input{s/part}\n%% m/s/part.tex\n\\input{ch|}\n%% m/ch.tex\nx\n"
    it = world(files)
    assert [to.path for to in definition.find(it.project, *it.cursor).targets] == ["m/ch.tex"]
    it = world(files + "%% m/s/ch.tex\nx\n")
    assert [to.path for to in definition.find(it.project, *it.cursor).targets] == ["m/s/ch.tex"]
    at_root = "%% m/main.tex\n\\documentclass{x}\\bibliography{lib/re|fs}\n"
    it = world(at_root + "%% far/refs.bib\n@misc{a}\n%% x/refs.bib\n@misc{b}\n")
    assert [to.path for to in definition.find(it.project, *it.cursor).targets] == ["far/refs.bib"]
    it = world("%% m/main.tex\n\\documentclass{x}\\input{lib/re|fs}\n%% far/refs.bib\n@misc{a}\n")
    assert definition.find(it.project, *it.cursor).targets == ()
