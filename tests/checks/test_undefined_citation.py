from dataclasses import replace

import pytest

import marks
from citelsp.base.settings import Settings, SyntaxSettings
from citelsp.checks import undefined_citation
from citelsp.checks.undefined_citation import CHECK
from citelsp.knowledge import Knowledge
from citelsp.workspace import include_graph
from citelsp.workspace.files import DiskFiles
from finding_fixtures import check, fixed
from fixture_projects import project_of


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


BIBER = {
    "biblatex": r"\documentclass{x}\usepackage{biblatex}\addbibresource{refs.bib}",
    "biblatex, its style": r"\documentclass{x}\usepackage[backend = biber]{biblatex-chicago}\bibliography{refs}",
    "its commands": r"\documentclass{x}\bibliography{refs}\printbibliography",
}
BIBTEX = {
    "BibTeX": r"\documentclass{x}\bibliographystyle{plain}\bibliography{refs}",
    "no style": r"\documentclass{x}\bibliography{refs}",
    "biblatex by BibTeX": "\\documentclass{x}\\usepackage[%\n backend=bibtex8]{biblatex}\\addbibresource{refs.bib}",
    "told before": r"\PassOptionsToPackage{backend=bibtex}{biblatex}\documentclass{x}\addbibresource{refs.bib}",
    "a comment": "\\documentclass{x}%\\usepackage{biblatex}\n\\bibliographystyle{plain}\\bibliography{refs}",
}
UNKNOWN = {
    "both": r"\documentclass{x}\usepackage{biblatex}\bibliographystyle{plain}\bibliography{refs}",
    "neither": "",
}
MARK = "      ^^^^^^^ undefined-citation\n"
CASES = [
    *((it, MARK) for it in BIBER.values()),
    *((it, "") for it in (*BIBTEX.values(), *UNKNOWN.values())),
]
NAMES = [*BIBER, *BIBTEX, *UNKNOWN]


@pytest.mark.parametrize(("preamble", "mark"), CASES, ids=NAMES)
def test_letter_case_counts_where_biber_reads(preamble, mark):
    for finding in check(CHECK, f"%% main.tex\n{preamble}\n\\cite{{Knuth84}}\n{mark}%% refs.bib\n@book{{knuth84}}\n"):
        assert finding.message == "No entry has the key “Knuth84”; “knuth84” differs in letter case."


def test_what_markdown_labels_itself_is_no_key():
    check(
        CHECK,
        """
        %% n.qmd
        ---
        bibliography: refs.bib
        ---
        See @box-one, [@two-boxes] and @box-four.
                                        ^^^^^^^^ undefined-citation

        ::: {#box-one .callout}
        A box about @knuth84, which @doe {#knuth84} labels too.
                                     ^^^ undefined-citation
        :::

        {{< include part.qmd >}}
        %% part.qmd
        ![A picture](a.png){ #two-boxes}
        %% refs.bib
        @book{knuth84, title = {Literate Programming}}
        """,
    )


def test_letter_case_counts_in_markdown():
    check(
        CHECK,
        """
        %% n.md
        ---
        bibliography: refs.bib
        ---
        @Knuth84
         ^^^^^^^ undefined-citation
        %% refs.bib
        @book{knuth84}
        """,
    )


def test_two_manuscripts_that_read_otherwise():
    check(
        CHECK,
        """
        %% refs.bib
        @book{knuth84}
        %% main.tex
        \\documentclass{x} \\cite{Knuth84} \\bibliography{refs}
        %% n.md
        ---
        bibliography: refs.bib
        ---
        @KNUTH84
        """,
    )


@pytest.mark.parametrize("comment", ["%@book{knuth84, title = {K}}", "@comment{\n@book{knuth84,\n  title={K}}\n}"])
@pytest.mark.parametrize(("preamble", "mark"), CASES, ids=NAMES)
def test_bibtex_reads_what_stands_in_comments(preamble, mark, comment):
    check(CHECK, f"%% main.tex\n{preamble}\n\\cite{{knuth84}}\n{mark}%% refs.bib\n{comment}\n@book{{a}}\n")


@pytest.mark.parametrize(("included", "found"), [("\\subfile{new}", ["Knuth84"]), ("", [])])
def test_a_chapter_is_spelt_as_the_document_that_includes_it(included, found):
    main = f"\\documentclass{{x}}\\begin{{document}}\\cite{{knuth84}}{included}\\bibliography{{refs}}\\end{{document}}"
    chapter = "\\documentclass[main.tex]{subfiles}\\begin{document}\\cite{Knuth84}\\end{document}"
    project = project_of({"new.tex": chapter, "main.tex": main, "refs.bib": "@book{knuth84}\n"})
    found_keys = [it.key for it in CHECK.run(replace(project, subject="new.tex"), Knowledge())]
    assert found_keys == found


@pytest.mark.parametrize("is_included", [True, False])
def test_what_a_parked_chapter_lacks_is_information(tree, is_included):
    r"""Nothing that is printed lacks it: the chapter names its main document, which does not include it."""
    inputs = "\\input{new}" if is_included else ""
    root = tree(
        {
            "main.tex": f"\\documentclass{{x}} {inputs} \\cite{{turing}} \\bibliography{{refs}}",
            "new.tex": "% !TeX root = main.tex\n\\cite{knuth84} \\input{table}",
            "table.tex": "\\cite{doe}",
            "refs.bib": "@book{hopper52}\n",
        }
    )
    project = include_graph.build(DiskFiles([str(root)], environment={}), str(root / "new.tex"), Settings())
    severity = "warning" if is_included else "information"
    reason = "" if is_included else " main.tex does not include this file."
    assert {it.key: (it.severity, it.message) for it in CHECK.run(project, Knowledge())} == {
        "turing": ("warning", "No entry has the key “turing”."),
        "knuth84": (severity, f"No entry has the key “knuth84”.{reason}"),
        "doe": (severity, f"No entry has the key “doe”.{reason}"),
    }


def test_a_category_may_name_what_is_not_there():
    r"""biblatex says nothing of it, and prints nothing else than without it."""
    fixture = r"""
        %% main.tex
        \documentclass{x}\usepackage{biblatex}\addbibresource{refs.bib}
        \addtocategory{primary}{turing, knuth84} \nocite{doe}
                                ^^^^^^ undefined-citation
                                                         ^^^ undefined-citation
        %% refs.bib
        @book{knuth84, title = {Literate Programming}}
    """
    assert [(it.key, it.severity) for it in check(CHECK, fixture)] == [("turing", "information"), ("doe", "warning")]


def test_one_key_in_two_spellings_is_what_bibtex_refuses():
    fixture = r"""
        %% main.tex
        \documentclass{x} \cite{Knuth84} \cite{knuth84, turing}
                                ^^^^^^^ undefined-citation
        \nocite{Turing} \bibliography{refs}
                ^^^^^^ undefined-citation
        %% refs.bib
        @book{knuth84}
        @book{TURING}
    """
    first, second = check(CHECK, fixture)
    assert first.message == "“Knuth84” is cited as “knuth84” too: BibTeX leaves one of two spellings undefined."
    assert "\\cite{knuth84} \\cite{knuth84, turing}" in fixed(fixture, first, "Cite “knuth84” instead")
    assert "\\nocite{turing}" in fixed(fixture, second, "Cite “turing” instead")


@pytest.mark.parametrize("package", ["chapterbib", "multibib"])
def test_two_spellings_for_two_lists(package):
    preamble = f"\\documentclass{{x}} \\usepackage{{{package}}}"
    check(CHECK, f"%% main.tex\n{preamble} \\cite{{A, a}} \\bibliography{{refs}}\n%% refs.bib\n@book{{a}}\n")


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
    "another name of the command": r"""
        %% main.tex
        \documentclass{article} \let\literature\bibliography
        \renewcommand{\bibliography}[1]{\section{Read}\literature{#1}}
        \cite{b, c} \bibliography{refs} \NewDocumentCommand{\more}{O{} m}{\addbibresource[#1]{#2}} \more{mine.bib}
        %% refs.bib
        @book{b, title = {B}}
        %% mine.bib
        @book{c, title = {B}}
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
    settings = Settings(syntax=SyntaxSettings(bibliographies=("lib/*.bib",)))
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


def test_all_that_is_like_a_key_is_named():
    fixture = r"""
        %% main.tex
        \cite{turing} \cite{zzz}
              ^^^^^^ undefined-citation
                            ^^^ undefined-citation
        %% refs.bib
        @book{turing36}
        @book{turing50}
    """
    some, none = check(CHECK, fixture)
    assert some.message == "No entry has the key “turing”. Similar: turing36, turing50."
    assert (none.message, none.fixes) == ("No entry has the key “zzz”.", ())


def test_a_key_is_missed_in_bibliographies_that_the_manuscript_writes_itself_and_names_twice():
    fixture = r"""
        %% main.tex
        \begin{filecontents}{a.bib}
        @book{knuth84, title = {Literate Programming}}
        \end{filecontents}
        \begin{filecontents}{b.bib}
        @book{turing36, title = {On Computable Numbers}}
        \end{filecontents}
        \cite{knuth84, turing36, nokey}
                                 ^^^^^ undefined-citation
        \bibliography{a,b}
    """
    [finding] = check(CHECK, fixture)
    assert finding.message.startswith("No entry has the key “nokey”")


def test_what_typst_refers_to_may_be_a_label():
    fixture = """
        %% main.typ
        @fig-x #cite(<turing>) #bibliography("r.bib")
         ^^^^^ undefined-citation
                      ^^^^^^ undefined-citation
        %% r.bib
        @book{knuth84, title = {Literate Programming}}
    """
    reference, citation = check(CHECK, fixture)
    assert reference.message == "Neither an entry nor a label has the name “fig-x”."
    assert citation.message == "No entry has the key “turing”."
