r"""What a service may put into a record, typeset: TeX and pandoc read no other file and write none.

Each part of a record holds in turn what would read `canary.tex` or write `written.tex`, in several spellings.
"""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from citelsp.base.text import Document
from citelsp.bibliography import encode_tex, write_entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.features import bibitems
from compilers import run
from fixture_projects import project_of

pytestmark = pytest.mark.compile

READ, WRITE = "input{canary}", "immediate BSopenout5=written BSimmediateBSwrite5{x}"
SPELLINGS = tuple(
    it.replace("BS", sign)
    for sign in ("\\", "^^5c", "^^5C", "^^\x1c", "^^^^005c", "&#92;", "\\string\\")
    for it in (f"BS{READ}", f"$BS{READ}$", f"$x^BS{READ}$", f"}}BS{READ}{{", f"$BS{WRITE}$", f"`BS{READ}`{{=latex}}")
)
CLEAN = Record(
    "crossref", "1", "A title", (Name("Doe", "Jane"),), years=(2019,), date="2019-03-01", venue="Apidologie",
    type="article-journal", volume="7", issue="2", pages="12-34", publisher="North Press",
    identifiers=Identifiers(doi="10.1000/a"),
)  # fmt: skip
BOOK = replace(CLEAN, type="book", venue="", identifiers=Identifiers(isbn="9780131103627"))
PREPRINT = replace(CLEAN, type="preprint", identifiers=Identifiers(arxiv="1706.03762"), primary_class="cs.CL")
HOSTILE = {
    "title": lambda it: replace(CLEAN, title=it),
    "family": lambda it: replace(CLEAN, authors=(Name(it, "Jane"),)),
    "given": lambda it: replace(CLEAN, authors=(Name("Doe", it),)),
    "suffix": lambda it: replace(CLEAN, authors=(Name("Doe", "Jane", it),)),
    "team": lambda it: replace(CLEAN, authors=(Name(it, literal=True),)),
    "venue": lambda it: replace(CLEAN, venue=it),
    "volume": lambda it: replace(CLEAN, volume=it),
    "issue": lambda it: replace(CLEAN, issue=it),
    "pages": lambda it: replace(CLEAN, pages=it),
    "publisher": lambda it: replace(BOOK, publisher=it),
    "date": lambda it: replace(CLEAN, date=it),
    "type": lambda it: replace(CLEAN, type=it),
    "doi": lambda it: replace(CLEAN, identifiers=Identifiers(doi=f"10.1000/{it}")),
    "isbn": lambda it: replace(BOOK, identifiers=Identifiers(isbn=it)),
    "arxiv": lambda it: replace(PREPRINT, identifiers=Identifiers(arxiv=it)),
    "class": lambda it: replace(PREPRINT, primary_class=it),
    "url": lambda it: replace(CLEAN, identifiers=Identifiers(), url=f"https://example.org/{it}"),
}
BIBTEX = r"""\documentclass{article}\usepackage{natbib}\usepackage{hyperref}
\begin{document}\nocite{*}\bibliographystyle{plainnat}\bibliography{refs}\end{document}"""
BIBER = r"""\documentclass{article}\usepackage{biblatex}\addbibresource{refs.bib}\usepackage{hyperref}
\begin{document}\nocite{*}\printbibliography\end{document}"""
ITEMS = """\\documentclass{article}
\\begin{document}
\\begin{thebibliography}{9}
%s\\end{thebibliography}
\\end{document}
"""
BEFORE = {  # whose manner an entry takes
    "bibtex": "@book{a, title = {A}, year = {2000}}\n",
    "biber": "@book{a, title = {A}, date = {2000}}\n",
}


@pytest.fixture
def place(tmp_path):
    (tmp_path / "canary.tex").write_text("CANARY", encoding="utf-8")
    return tmp_path


def typeset(place: Path, *programs: str) -> None:
    """Run each; TeX is asked what it opens, and goes on after errors, as a person's editor has it do."""
    for it in programs:
        options = ["-recorder", "-no-shell-escape", "-interaction=nonstopmode"] if it.endswith("latex") else []
        assert shutil.which(it), f"--compile needs {it}"
        run([it, *options, "main"], place)
    opened = (place / "main.fls").read_text("utf-8")
    assert "canary" not in opened
    assert "written" not in opened
    assert not (place / "written.tex").exists()
    assert (place / "main.pdf").stat().st_size > 5000


def entries(tool: str) -> list[str]:
    habits = write_entry.style_of(Document("refs.bib", BEFORE[tool], "bibtex"))
    records = [make(it) for make in HOSTILE.values() for it in SPELLINGS]
    return [write_entry.write_work(it, f"k{at}", habits) for at, it in enumerate(records)]


def test_with_bibtex(place):
    written = entries("bibtex")
    (place / "refs.bib").write_text("\n".join(written), encoding="utf-8")
    (place / "main.tex").write_text(BIBTEX, encoding="utf-8")
    typeset(place, "pdflatex", "bibtex", "pdflatex", "pdflatex")
    assert (place / "main.bbl").read_text("utf-8").count("\\bibitem") == len(written)


def test_with_biber(place):
    written = entries("biber")
    (place / "refs.bib").write_text("\n".join(written), encoding="utf-8")
    (place / "main.tex").write_text(BIBER, encoding="utf-8")
    typeset(place, "pdflatex", "biber", "pdflatex")
    assert (place / "main.bbl").read_text("utf-8").count("\\entry{") == len(written)


def test_in_a_list_of_the_manuscript(place):
    project = project_of({"main.tex": ITEMS % "\\bibitem{x} X.\n"})
    records = [HOSTILE[part](it) for part in ("title", "family", "team", "venue") for it in SPELLINGS]
    items = [bibitems.edit_for(project, it, f"k{at}").new_text for at, it in enumerate(records)]
    (place / "main.tex").write_text(ITEMS % "".join(items), encoding="utf-8")
    typeset(place, "pdflatex")


@pytest.mark.parametrize("name", ["refs.yaml", "refs.json"])
def test_by_pandoc(name, place):
    """In YAML it reads texts as Markdown, in which commands of TeX and HTML may stand."""
    language = {"refs.yaml": "csl-yaml", "refs.json": "csl-json"}[name]
    habits = write_entry.style_of(Document(name, "", language))
    records = [make(it) for make in HOSTILE.values() for it in (*SPELLINGS, "<script>x</script>", "![x](canary.tex)")]
    items = [write_entry.write_work(it, f"k{at}", habits) for at, it in enumerate(records)]
    text = "references:\n" + "\n".join(items) if name == "refs.yaml" else f"[{','.join(items)}]"
    (place / name).write_text(text, encoding="utf-8")
    (place / "main.md").write_text("---\nnocite: '@*'\n---\n\nText.\n", encoding="utf-8")
    for form in ("latex", "json"):
        command = ["pandoc", "--citeproc", f"--bibliography={name}", "main.md", "--to", form, "--output", f"out.{form}"]
        assert run(command, place).stderr == ""
    written = (place / "out.latex").read_text("utf-8")
    assert written.count("\\leavevmode") >= len(records) * 0.9
    assert "\\input" not in written.replace("\\textbackslash input", "")
    assert "includegraphics" not in written
    assert not [it for it in kinds(json.loads((place / "out.json").read_text("utf-8"))) if it.startswith("Raw")]


def kinds(value):
    """The kinds of all that pandoc read."""
    if isinstance(value, dict):
        yield str(value.get("t", ""))
        value = list(value.values())
    for it in value if isinstance(value, list) else ():
        yield from kinds(it)


def test_the_spellings_are_read_where_nothing_is_escaped(place):
    """So that the tests above could fail."""
    body = "\n".join(it for it in SPELLINGS if "{=" not in it and it.count("{") == it.count("}"))
    (place / "main.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    with pytest.raises(AssertionError):
        typeset(place, "pdflatex")
    assert encode_tex.escape(SPELLINGS[0]) != SPELLINGS[0]
