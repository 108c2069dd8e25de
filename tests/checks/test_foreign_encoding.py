from dataclasses import replace

import pytest

from citelsp.base.settings import Settings
from citelsp.checks.foreign_encoding import CHECK
from citelsp.knowledge import Knowledge
from citelsp.workspace import include_graph
from citelsp.workspace.files import DiskFiles
from fixture_projects import project_of

BIBLATEX = "\\documentclass{x}\\addbibresource{r.bib}"
BIBTEX = "\\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}"


@pytest.mark.parametrize(
    ("encoding", "tex", "count"),
    [
        ("utf-8", BIBLATEX, 0),
        ("utf-8-sig", BIBLATEX, 0),
        ("cp1252", BIBLATEX, 1),
        ("cp1252", "\\usepackage[utf8]{inputenc}" + BIBLATEX, 1),
        ("cp1252", "\\usepackage[latin1]{inputenc}" + BIBLATEX, 0),
        ("cp1252", "\\usepackage[bibencoding=latin1]{biblatex}" + BIBLATEX, 0),
        ("cp1252", BIBTEX, 0),
        ("utf-16", BIBTEX, 1),
        ("utf-16", BIBLATEX, 1),
    ],
)
def test_what_is_read(encoding, tex, count):
    project = project_of({"m.tex": tex, "r.bib": "@misc{k}\n"})
    sources = {**project.sources, "r.bib": replace(project.sources["r.bib"], encoding=encoding)}
    found = CHECK.run(replace(project, sources=sources), Knowledge())
    assert [(it.path, it.span) for it in found] == [("r.bib", (0, 8))] * count


@pytest.mark.parametrize(
    ("main", "encoding", "paths"),
    [
        ("m.typ", "cp1252", ["m.typ", "r.bib"]),
        ("m.typ", "utf-8-sig", []),
        ("m.md", "utf-16", ["r.bib"]),
        ("m.md", "cp1252", []),
    ],
)
def test_what_typst_and_pandoc_cannot_read(main, encoding, paths):
    texts = {"m.typ": '@k #bibliography("r.bib")', "m.md": "---\nbibliography: r.bib\n---\n@k"}
    project = project_of({main: texts[main], "r.bib": "@misc{k}\n"})
    sources = {path: replace(source, encoding=encoding) for path, source in project.sources.items()}
    assert [finding.path for finding in CHECK.run(replace(project, sources=sources), Knowledge())] == paths


def test_an_item_list_that_pandoc_cannot_read():
    files = {"m.md": "---\nbibliography: r.json\n---\n[@k]", "r.json": '[{"id": "k", "type": "book", "title": "T"}]'}
    project = project_of(files)
    sources = {path: replace(source, encoding="utf-16") for path, source in project.sources.items()}
    assert [finding.path for finding in CHECK.run(replace(project, sources=sources), Knowledge())] == ["r.json"]


@pytest.mark.parametrize(("names_encoding", "count"), [("", 1), ("\\usepackage[latin1]{inputenc}", 0)])
def test_a_bibliography_that_the_manuscript_writes_is_in_the_encoding_of_the_manuscript(
    tmp_path, names_encoding, count
):
    path = tmp_path / "main.tex"
    written = "\\begin{filecontents}{own.bib}\n@misc{a, title = {Stra\xdfen}}\n\\end{filecontents}\n"
    main = f"\\documentclass{{article}}{names_encoding}\n{written}\\addbibresource{{own.bib}}\\cite{{a}}\n"
    path.write_text(main, encoding="latin-1")
    project = include_graph.build(DiskFiles([str(tmp_path)]), str(path), Settings())
    findings = CHECK.run(project, Knowledge())
    assert [finding.path for finding in findings] == [str(path)] * count
