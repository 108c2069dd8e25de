"""Which entries a key finds: what BibTeX, biber and pandoc find, and what a project with that reader finds."""

import re
import shutil
from pathlib import Path

import pytest

from compilers import run
from fixture_projects import project_of

pytestmark = pytest.mark.compile

BIBS = {
    "letter case": "@misc{Smith, title = {A}}\n@misc{émile, title = {B}}\n",
    "a line behind %": "% @misc{Smith, title = {A}}\n@misc{doe, title = {B}} % @misc{roe, title = {C}}\n",
    "@comment": "@comment{\n@misc{smith, title = {A}}\n}\n@comment{10 % of them}\n@misc{doe, title = {B}}\n",
    "@comment in parentheses": "@comment(a (b)\n@misc{smith, title = {A}}\n)\n@misc{doe, title = {B}}\n",
    "@comment with more": "@Comment {x {@misc{smith, title = {A}}} % }\n }\n@misc{doe, title = {B}}\n",
}
KEYS = ("smith", "Smith", "émile", "Émile", "doe", "roe")
MAIN = {
    "bibtex": ("main.tex", "\\documentclass{x}\\bibliography{refs}"),
    "biber": ("main.tex", "\\documentclass{x}\\addbibresource{refs.bib}"),
    "pandoc": ("main.md", "---\nbibliography: refs.bib\n---\n"),
}


def bibtex(key, place):
    Path(place, "main.aux").write_text(f"\\citation{{{key}}}\n\\bibstyle{{plain}}\n\\bibdata{{refs}}\n", "utf-8")
    run(["bibtex", "main"], place)
    return f"\\bibitem{{{key}}}" in Path(place, "main.bbl").read_text("utf-8")


def biber(key, place):
    run(["biber", "--tool", "--nolog", "--output-file", "out.bib", "refs.bib"], place)
    return bool(re.search(rf"^@(?!COMMENT)\w+\{{{key},", Path(place, "out.bib").read_text("utf-8"), re.MULTILINE))


def pandoc(key, place):
    return f'"id": "{key}"' in run(["pandoc", "-f", "bibtex", "-t", "csljson", "refs.bib"], place).stdout


@pytest.mark.parametrize("tool", [bibtex, biber, pandoc], ids=lambda it: it.__name__)
@pytest.mark.parametrize("bib", BIBS)
def test_found_as_by_the_reader(bib, tool, tmp_path):
    if tool is pandoc and ("(" in BIBS[bib] or not shutil.which("pandoc")):
        pytest.skip("pandoc reads nothing of such a file, or is not there")
    assert shutil.which(tool.__name__), f"--compile needs {tool.__name__}"
    (tmp_path / "refs.bib").write_text(BIBS[bib] + "\n", "utf-8")  # of its last line BibTeX reads one entry only
    project = project_of(dict([MAIN[tool.__name__], ("refs.bib", BIBS[bib])]))
    assert [project.defines(it) for it in KEYS] == [tool(it, tmp_path) for it in KEYS]
