from pathlib import Path

import pytest

import marks
from citelsp import checks
from citelsp.base.settings import Settings
from citelsp.checks.missing_bibliography import CHECK
from citelsp.syntax.languages.latex.branches import is_optional
from citelsp.workspace.files import DiskFiles
from finding_fixtures import check, fixed

BIB = "@book{a, title = {A}}"


def test_a_name_that_is_nearly_that_of_a_file():
    fixture = r"""
        %% main.tex
        \documentclass{article}
        \cite{a} \bibliography{more,ref,IEEEabrv}
                                    ^^^ missing-bibliography
        %% refs.bib
        @book{a, title = {A}}
        %% more.bib
        @book{b, title = {B}}
    """
    [finding] = check(CHECK, fixture)
    assert (finding.message, finding.severity) == ("ref.bib does not exist; refs.bib exists.", "error")
    assert r"\bibliography{more,refs,IEEEabrv}" in fixed(fixture, finding, "Name “refs” instead")


@pytest.mark.parametrize(
    ("written", "there", "instead"),
    [
        (r"\documentclass{article}\addbibresource{ref.bib}", "refs.bib", r"\addbibresource{refs.bib}"),
        (r"\documentclass{article}\bibliography{refs}", "lib/refs.bib", r"\bibliography{lib/refs}"),
        (r"\documentclass{article}\bibliography{lib/ref}", "lib/refs.bib", r"\bibliography{lib/refs}"),
        (r"\documentclass{article}\bibliography{literature}", "refs.bib", r"\bibliography{refs}"),
        (r'\documentclass{article}\bibliography{"my ref"}', "my refs.bib", r'\bibliography{"my refs"}'),
        ("---\nbibliography: ref.bib\n---\n", "refs.bib", "---\nbibliography: refs.bib\n---"),
        ("---\nbibliography: [a.bib, 'ref.bib']\n---\n", "refs.bib", "[a.bib, 'refs.bib']"),
    ],
)
def test_the_fix_keeps_the_form(written, there, instead):
    name = "paper.md" if written.startswith("-") else "main.tex"
    marked = marks.Marked({name: written, there: BIB} | ({"a.bib": BIB} if "a.bib" in written else {}))
    [finding] = CHECK.run(marks.project(marked), None)
    edits = {it.title: it.edits[0] for it in finding.fixes}
    edit = edits[next(iter(edits))]
    assert instead in written[: edit.span.start] + edit.new_text + written[edit.span.end :]


def test_metadata_of_quarto_names_it():
    check(
        CHECK,
        """
        %% a.qmd
        ---
        title: A
        ---
        [@b]
        %% _quarto.yml
        bibliography: gone.bib
                      ^^^^^^^^ missing-bibliography
        """,
    )


@pytest.mark.parametrize(
    ("written", "there", "message", "after"),
    [
        (
            r"\documentclass{a}\bibliographystyle{plain}\bibliography{~/refs}",
            "~/refs.bib",
            "BibTeX does not find ~/refs, because LaTeX turns its ~ into a space.",
            r"\bibliography{$HOME/refs}",
        ),
        (
            r"\documentclass{a}\usepackage{biblatex}\addbibresource{refs}",
            "refs.bib",
            "biber does not find refs without its extension.",
            r"\addbibresource{refs.bib}",
        ),
        (
            r"\documentclass{a}\usepackage{biblatex}\addbibresource{./refs.bib}\addbibresource{refs}",
            "refs.bib",
            "biber does not find refs without its extension.",
            r"\addbibresource{refs.bib}",
        ),
        (
            r"\documentclass{a}\bibliographystyle{plain}\input{~/part}\bibliography{~/refs}",
            "~/refs.bib",
            "BibTeX does not find ~/refs, because LaTeX turns its ~ into a space.",
            r"\bibliography{$HOME/refs}",
        ),
    ],
)
def test_a_file_that_is_there_under_another_name_to_its_reader(written, there, message, after):
    [finding] = CHECK.run(marks.project(marks.Marked({"main.tex": written, str(Path(there).expanduser()): BIB})), None)
    assert finding.message == message
    [edit] = finding.fixes[0].edits
    assert (written[: edit.span.start] + edit.new_text + written[edit.span.end :]).endswith(after)


@pytest.mark.parametrize("beside", ["Makefile", "tasks.py", ".gitignore"])
def test_patterns_in_other_files_excuse_no_name_beside_other_bibliographies(beside):
    files = {"main.tex": r"\documentclass{article}\bibliography{ref}", "refs.bib": BIB, beside: "all: *.tex\n*.bib\n"}
    [finding] = CHECK.run(marks.project(marks.Marked(files)), None)
    assert finding.message == "ref.bib does not exist; refs.bib exists."


@pytest.mark.parametrize(
    ("chunk", "is_written"),
    [
        ('knitr::write_bib(c("a",\n"b"), "lib/packages.bib")', True),
        ("bib_file = 'packages.bib'", True),
        ("# packages.bib", False),
        ('write_bib("a", "other-packages.bib")', False),
    ],
)
def test_a_file_that_the_manuscripts_own_code_writes(chunk, is_written):
    files = {
        "_quarto.yml": "bibliography: [refs.bib, lib/packages.bib]\n",
        "index.qmd": f"---\ntitle: T\n---\n[@a; @R-base]\n\n```{{r}}\n{chunk}\n```\n",
        "refs.bib": BIB,
    }
    found = CHECK.run(marks.project(marks.Marked(files), "index.qmd"), None)
    assert [it.message for it in found] == ([] if is_written else ["lib/packages.bib does not exist."])


SILENT = {
    "what TeX brings along": r"\documentclass{IEEEtran}\bibliography{IEEEabrv,xampl,biblatex-examples.bib}",
    "a macro": r"\documentclass{article}\addbibresource{\dir/refs.bib}",
    "a variable": r"\documentclass{article}\bibliography{$UNKNOWN/refs}",
    "another machine": r"\documentclass{article}\bibliography{/home/somebody/library}",
    "another machine's drive": r"\documentclass{article}\bibliography{D:/library}",
    "a URL": r"\documentclass{article}\addbibresource[location=remote]{https://example.org/refs.bib}",
    "home, as biber reads it": r"\documentclass{article}\usepackage{biblatex}\addbibresource{~/refs.bib}",
    "a pattern": r"\documentclass{article}\addbibresource[glob]{lib/*.bib}",
    "a comment": "\\documentclass{article}\n% \\bibliography{refs}",
    "verbatim": r"\documentclass{article}\begin{verbatim}\bibliography{refs}\end{verbatim}\verb|\bibliography{refs}|",
    "a condition": r"\documentclass{article}\ifdraft\bibliography{draft}\else\bibliography{refs}\fi",
    "a file that may exist": r"\documentclass{article}\IfFileExists{refs.bib}{\bibliography{refs}}{\bibliography{own}}",
    "a command of the author's": r"\documentclass{article}\newcommand{\mybib}{\bibliography{refs}}",
}


@pytest.mark.parametrize("written", SILENT.values(), ids=SILENT.keys())
def test_what_need_not_be_missing(written):
    assert not CHECK.run(marks.project(marks.Marked({"main.tex": written + r"\cite{a}"})), None)


@pytest.mark.parametrize(
    "files",
    [
        {"a.md": "---\nbibliography: posts.bib\n---\n", "assets/posts.bib": BIB},
        {"a.md": "---\nbibliography: references\n---\n"},
        {"a.md": "---\nbibliography: '{{ cookiecutter.bib }}'\n---\n"},
        {"_draft.qmd": "---\nbibliography: gone.bib\n---\n"},
        {"a.md": "---\nbibliography: refs.bib\n---\n", "Makefile": "refs.bib:\n\tcurl -o $@ https://example.org\n"},
        {"a.qmd": "---\nbibliography: refs.bib\n---\n", ".gitignore": "/build\nrefs.bib\n"},
        {"a.qmd": "---\nbibliography: refs.bib\n---\n", ".gitignore": "*.bib\n*.pdf\n"},
        {"a.Rmd": "---\nbibliography: [packages.bib]\n---\n```{r}\nknitr::write_bib('x', 'packages.bib')\n```\n"},
        {"untitled:/untitled:a.tex": r"\documentclass{article}\bibliography{refs}"},
        {"mine.cls": r"\bibliography{gone}", "main.tex": r"\documentclass{mine}"},
        {"main.tex": r"\documentclass{article}\bibliography{gone}", "latexmkrc": "$ENV{BIBINPUTS} = '../lib';"},
        {"main.tex": r"\documentclass{article}\bibliography{gone}", "main.bbl": "..."},
        {"main.tex": r"\documentclass{article}\bibliography{Refs}", "refs.bib": BIB},
        {"chapter.tex": r"\cite{a}\bibliography{refs}", "other.tex": r"\documentclass{article}"},
    ],
)
def test_what_something_else_may_bring_or_find(files):
    assert not CHECK.run(marks.project(marks.Marked(files)), None)


@pytest.mark.parametrize(
    ("text", "optional"),
    [
        (r"\newif\ifdraft \ifpdf x\fi HERE", False),
        (r"\ifpdf x\else HERE\fi", True),
        ("% \\ifpdf\nHERE", False),
        (r"\ifthenelse{\boolean{x}}{a}{HERE}", True),
        (r"\AtEndDocument{\small HERE}", False),
        (r"\def\x#1{HERE}", True),
        (r"\newenvironment{x}[1][y]{a}{HERE}", True),
        (r"\ifdefined\x a\fi {\footnotesize HERE}", False),
        (r"\mode<article>{HERE}", True),
        (r"\ifdraft{a}{b} HERE", False),
    ],
)
def test_whether_tex_surely_comes_there(text, optional):
    assert is_optional(text, text.index("HERE")) is optional


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"main.tex": r"\documentclass{article}\cite{a,b}\bibliography{gone}"},
            "“gone.bib” was not found",
        ),
        (
            {"a.md": "---\nbibliography: a.ris\n---\n[@a; @b]", "a.ris": "TY - JOUR\nER -"},
            "has no keys that citelsp reads",
        ),
        ({"a.md": "---\nbibliography: https://x.org/a.bib\n---\n[@a; @b]"}, "is not on this machine"),
        ({"main.tex": r"\documentclass{article}\cite{a,b}\bibliography{xampl}"}, "may come with the TeX distribution"),
        ({"main.tex": r"\documentclass{article}\cite{a,b}\addbibresource{\x}"}, "named by macros or a pattern"),
        (
            {"a.md": "See [@doi:10.1000/x; @b; @c] and thank @octocat."},
            "no bibliography is declared, so citelsp did not check",
        ),
    ],
)
def test_how_many_keys_went_unjudged_is_said(files, said):
    [note] = checks.notes(marks.project(marks.Marked(files)))
    assert said in note.text and "{keys}" in note.text and note.keys == 2


def test_macros_of_the_distribution_leave_the_namespace_closed():
    fixture = {"main.tex": r"\documentclass{IEEEtran}\cite{a,b}\bibliography{IEEEabrv,refs}", "refs.bib": BIB}
    assert marks.project(marks.Marked(fixture)).closed


def test_one_of_its_name_in_another_folder_is_a_warning():
    files = {"main.tex": r"\documentclass{article}\bibliography{ref}", "tests/ref.bib": BIB}
    [finding] = CHECK.run(marks.project(marks.Marked(files)), None)
    assert (finding.severity, finding.message) == ("warning", "ref.bib does not exist; tests/ref.bib exists.")


def test_l3build_copies_files(tmp_path):
    files = {
        "build.lua": 'module = "m"',
        "testfiles/a.tex": r"\documentclass{article}\addbibresource{ref.bib}",
        "testfiles/b.tex": r"\documentclass{article}\addbibresource{gone.bib}",
        "testfiles/support/ref.bib": BIB,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    held = DiskFiles([str(tmp_path)], environment={})
    found = {
        it: CHECK.run(held.project(str(tmp_path / "testfiles" / it), Settings()), None) for it in ("a.tex", "b.tex")
    }
    assert not found["a.tex"]
    assert [it.message for it in found["b.tex"]] == ["gone.bib does not exist."]


def test_a_link_that_leads_nowhere_is_the_authors_own(tmp_path):
    (tmp_path / "main.tex").write_text(r"\documentclass{article}\bibliography{ref}")
    try:
        (tmp_path / "ref.bib").symlink_to(tmp_path / "library.bib")
    except OSError:
        pytest.skip("no links here")
    project = DiskFiles([str(tmp_path)], environment={}).project(str(tmp_path / "main.tex"), Settings())
    assert not CHECK.run(project, None)


@pytest.mark.parametrize("last", [True, False])
def test_sections_of_biblatex_name_bibliographies_by_labels(last):
    declared = r"\addbibresource[label=own, location=local]{lib/author.bib}"
    used = r"\begin{refsection}[own,other]\cite{a}\printbibliography\end{refsection}"
    body = used + declared if last else declared + used
    project = marks.project(
        marks.Marked({"main.tex": rf"\documentclass{{article}}{body}", "lib/author.bib": BIB, "lib/more.bib": BIB})
    )
    assert [it.message for it in CHECK.run(project, None)] == ["other.bib does not exist."]
    assert project.bibliographies == ("lib/author.bib",)
