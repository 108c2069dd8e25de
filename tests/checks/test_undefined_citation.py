import pytest

import marks
from citelsp.checks import undefined_citation
from citelsp.checks.undefined_citation import CHECK
from citelsp.knowledge import Knowledge
from citelsp.settings import Settings, Syntax
from findings import check, fixed


def test_missing_key():
    fixture = r"""
        %% main.tex
        😀 As shown by \cite{knuth84, turing}.
                                     ^^^^^^ undefined-citation
        %% refs.bib
        @book{knuth84, title = {Literate Programming}}
        @book{turing36, title = {On Computable Numbers}}
    """
    [finding] = check(CHECK, fixture)
    assert finding.message == "No entry has the key “turing”. Similar: turing36."
    assert "\\cite{knuth84, turing36}" in fixed(fixture, finding, "Cite “turing36” instead")


def test_letter_case():
    fixture = r"""
        %% main.tex
        \cite{Knuth84}
              ^^^^^^^ undefined-citation
        %% refs.bib
        @book{knuth84, title = {Literate Programming}}
    """
    [finding] = check(CHECK, fixture)
    assert finding.message == "No entry has the key “Knuth84”; “knuth84” differs in letter case."


def test_markdown():
    check(
        CHECK,
        """
        %% paper.md
        ---
        bibliography: refs.bib
        ---
        Shown [see @known, p. 3; -@unknown] and by @other.
                                   ^^^^^^^ undefined-citation
                                                    ^^^^^ undefined-citation
        %% refs.bib
        @book{known, title = {K}}
        """,
    )


@pytest.mark.parametrize(("cited", "after"), [("@smith20a", "@{smith(20)a}"), ("@{smith20a}", "@{smith(20)a}")])
def test_the_fix_writes_a_key_that_markdown_reads(cited, after):
    mark = " " * (1 + cited.index("s")) + "^^^^^^^^ undefined-citation"
    fixture = (
        f"%% n.md\n---\nbibliography: r.bib\n---\n[{cited}]\n{mark}\n%% r.bib\n@misc{{smith(20)a, title = {{A}}}}\n"
    )
    [finding] = check(CHECK, fixture)
    assert f"[{after}]" in fixed(fixture, finding, "Cite “smith(20)a” instead")


SILENT = {
    "thebibliography": r"""
        %% main.tex
        \documentclass{article}
        \cite{a}
        \begin{thebibliography}{9}
        \bibitem[A]{a} A. Author. A title.
        \end{thebibliography}
        """,
    "a bibliography that is not there": r"""
        %% main.tex
        \documentclass{article}
        \cite{a} \bibliography{refs, gone}
        %% refs.bib
        @book{b, title = {B}}
        """,
    "an input that is not there": r"""
        %% main.tex
        \documentclass{article}
        \input{gone} \cite{a} \bibliography{refs}
        %% refs.bib
        @book{b, title = {B}}
        """,
    "a macro in a path": r"""
        %% main.tex
        \documentclass{article}
        \newcommand{\home}{x} \cite{a} \addbibresource{\home/refs.bib} \bibliography{refs}
        %% refs.bib
        @book{b, title = {B}}
        """,
    "a macro's argument": r"""
        %% main.tex
        \documentclass{article}
        \newcommand{\mine}[1]{\cite{#1}} \mine{b} \bibliography{refs}
        %% refs.bib
        @book{b, title = {B}}
        """,
    "the name of the job": r"""
        %% main.tex
        \documentclass{article}
        \cite{b} \bibliography{\jobname}
        %% main.bib
        @book{b, title = {B}}
        """,
    "an alias": r"""
        %% main.tex
        \cite{old, new}
        %% refs.bib
        @book{new, title = {B}, ids = {older, old}}
        """,
    "no bibliography at all": r"""
        %% main.tex
        \documentclass{article}
        \cite{a}
        """,
    "a chapter without its main file": r"""
        %% chapter.tex
        \cite{a} \bibliography{refs}
        %% other.tex
        \documentclass{article}
        %% refs.bib
        @book{b, title = {B}}
        """,
    "a global bibliography and a handle in Markdown": """
        %% README.md
        Thanks to @octocat.
        %% paper.tex
        \\documentclass{article}
        %% all.bib
        @book{b, title = {B}}
        """,
}


@pytest.mark.parametrize("fixture", SILENT.values(), ids=SILENT.keys())
def test_no_false_alarm(fixture):
    check(CHECK, fixture)


def test_settings_name_the_bibliography():
    settings = Settings(syntax=Syntax(bibliographies=("lib/*.bib",)))
    fixture = r"""
        %% main.tex
        \documentclass{article}
        \cite{a, b}
                 ^ undefined-citation
        %% lib/one.bib
        @book{a, title = {A}}
        %% other.md
        ---
        bibliography: lib/one.bib
        ---
    """
    check(CHECK, fixture, settings)


def test_similar_keys_are_looked_up_once_for_a_source():
    project = marks.project(marks.parse("%% a.tex\n\\cite{knuht}\n%% refs.bib\n@book{knuth, title={K}}\n"))
    for _ in range(2):
        undefined_citation.check(project, Knowledge())
    assert [it.similar for it in project.defining] == [{"knuht": ["knuth"]}]
