"""Which entries are judged: of a bibliography that is neither open nor asked about, only the cited ones."""

from pathlib import Path
from textwrap import dedent

import pytest

import marks
from citelsp import checks
from citelsp.base.settings import Settings
from citelsp.bibliography.entry import fingerprint
from citelsp.knowledge import Knowledge
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.include_graph import build

MAIN = r"\documentclass{article}\addbibresource{refs.bib}\begin{document}\cite{cited, alias}\end{document}"
REFS = """@article{cited, title = {A Title that Says Something}, year = 2000, year = 2001}
@article{uncited, title = {A Title that Says Something}, year = 2001, year = 2002}
@article{uncited, title = {Another}}
@article{other, ids = {alias}, doi = {nonsense}, title = {Third}}
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "main.tex").write_text(MAIN, encoding="utf-8")
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")
    return DiskFiles([str(tmp_path)], environment={})


def project_of(files, name):
    return build(files, str(Path(files.folders()[0]) / name), Settings())


def judged(project):
    return {it.key for it in checks.run(project, Knowledge()) if it.code != "unused-entry"}


def test_only_cited_entries_of_a_closed_bibliography_are_judged(files):
    assert judged(project_of(files, "main.tex")) == {"cited", "other"}


def test_of_uncited_entries_typst_minds_only_what_it_cannot_read(files):
    folder = Path(files.folders()[0])
    (folder / "main.typ").write_text('@cited #bibliography("typst.bib")', encoding="utf-8")
    (folder / "typst.bib").write_text(
        """@misc{cited, title = {A}}
@misc{warned, note = {x}, note = {y}}
@misc{refused title = {A}}
@misc{twice, title = {A}}
@misc{twice, title = {B}}
""",
        encoding="utf-8",
    )
    assert judged(project_of(files, "main.typ")) == {"refused", "twice"}


def test_a_bibliography_that_is_asked_about_is_judged_whole(files):
    assert judged(project_of(files, "refs.bib")) == {"cited", "uncited", "other"}


def test_an_open_bibliography_is_judged_whole_and_stays_so_after_an_edit(files):
    path = str(Path(files.folders()[0]) / "refs.bib")
    assert judged(project_of(files, "main.tex")) == {"cited", "other"}
    files.open(path, REFS)
    assert judged(project_of(files, "main.tex")) == {"cited", "uncited", "other"}
    files.replace(path, REFS + "@article{late}\n")
    assert judged(project_of(files, "main.tex")) == {"cited", "uncited", "other", "late"}
    files.close(path)
    assert judged(project_of(files, "main.tex")) == {"cited", "other"}


@pytest.mark.parametrize(
    ("ending", "entry"), [("bib", "@misc{{{0}, title = {{T}}}}\n"), ("yaml", "references:\n- id: {0}\n  type: book\n")]
)
@pytest.mark.parametrize("opened", ["first", "second"])
def test_of_two_files_with_one_key_either_may_be_open(files, ending, entry, opened):
    folder = Path(files.folders()[0])
    paths = {name: folder / f"{name}.{ending}" for name in ("first", "second")}
    names = ", ".join(path.name for path in paths.values())
    (folder / "main.md").write_text(f"---\nbibliography: [{names}]\n---\n", encoding="utf-8")
    for path in paths.values():
        path.write_text(entry.format("twice"), encoding="utf-8")
    files.open(str(paths[opened]), entry.format("twice"))
    found = checks.run(project_of(files, "main.md"), Knowledge(), codes={"duplicate-entry"})
    assert [(finding.path, finding.key) for finding in found] == [(str(paths["second"]), "twice")]


def test_nocite_all_judges_everything(files, tmp_path):
    (tmp_path / "main.tex").write_text(MAIN.replace(r"\cite{", r"\nocite{*}\cite{"), encoding="utf-8")
    assert judged(project_of(files, "main.tex")) == {"cited", "uncited", "other"}


def test_contents_are_the_fingerprints_of_judged_entries(files, tmp_path):
    (tmp_path / "refs.bib").write_text(REFS + "@book{part, crossref = {cited}}\n@string{x = {y}}", encoding="utf-8")
    project = project_of(files, "refs.bib")
    assert [(it.node.key, content) for it, content in project.contents] == [
        (it.node.key, fingerprint(it.entry)) for it in project.entries()
    ]
    assert [it.node.key for it, _ in project_of(files, "main.tex").contents] == ["cited", "other"]


def test_a_manuscript_without_a_bibliography_is_said_to_be_unchecked():
    def told(fixture):
        return [it for it in checks.notes(marks.project(marks.parse(fixture))) if "no bibliography" in it.text]

    [note] = told("%% main.tex\nAs shown by \\cite{a}.\n")
    assert (note.path, note.text.endswith("so no citation was checked")) == ("main.tex", True)
    assert not told("%% main.tex\nNobody is cited.\n")
    assert not told("%% main.tex\nAs shown by \\cite{a}.\n\\bibliography{r}\n%% r.bib\n@misc{a, title = {A}}\n")
    assert not told(
        "%% main.tex\nAs shown by \\cite{a}.\n\\begin{thebibliography}{9}\\bibitem{a} A.\\end{thebibliography}\n"
    )
    assert not told("%% notes.md\nAsk @somebody about it.\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            r"\input{authors}",
            "“authors” was not found, so citelsp did not report 2 keys without an entry",
        ),
        (r"\def\x#1{\cite{a#1}}", "citations or file names are built with macros, so citelsp did not report 2 keys"),
        ("", ""),
    ],
)
def test_undefined_keys_that_were_not_reported_are_counted_aloud(text, why):
    fixture = rf"""
        %% main.tex
        \documentclass{{article}} \cite{{a, b, c}} {text}
        \bibliography{{r}}
        %% r.bib
        @misc{{a, title = {{A}}}}
    """
    told = [it for it in checks.notes(marks.project(marks.parse(dedent(fixture)))) if it.keys]
    assert [(it.path, why in it.sentence(it.keys, 1)) for it in told] == [("main.tex", True)] * bool(why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('%% main.typ\n= A #label(name)\n@a @b #bibliography("r.bib")', "labels or file names are computed"),
        (
            "%% main.org\n#+bibliography: r.bib\n[cite:@a; @b] \\cite{\\mine}",
            "citations or file names are built with macros",
        ),
    ],
)
def test_what_a_language_computes_is_said_in_its_words(text, why):
    [note] = checks.notes(marks.project(marks.parse(f"{text}\n%% r.bib\n@misc{{a, title = {{A}}}}\n")))
    assert note.sentence(note.keys, 1) == f"{why}, so citelsp did not report one key without an entry"


def test_a_bibliography_without_entries_is_not_said_to_be_undeclared(tmp_path):
    (tmp_path / "m.typ").write_text('@a #bibliography("r.yml")\n')
    (tmp_path / "r.yml").write_text("")
    project = build(DiskFiles([str(tmp_path)]), str(tmp_path / "m.typ"), Settings())
    assert [it.text for it in checks.notes(project)] == ["it has no entries, so no citation was checked"]
