"""References in a manuscript's own style by pandoc itself."""

import os
import shutil

import pytest

from citelsp.bibliography import biblatex_source
from citelsp.investigate import typeset
from citelsp.workspace.csl_styles import CslStyle
from csl_styles import STYLE
from fixture_projects import project_of

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed"),
]


def printed(text, style=STYLE, language="", path="refs.bib"):
    entry = next(iter(project_of({path: text}).entries())).entry
    return typeset.reference(typeset.program(os.environ, []), biblatex_source.write(entry), CslStyle(style, language))


def test_an_entry_without_the_number_of_a_list():
    text = r"@article{x, author = {{\v{C}}ech, Jan}, title = {On {\"U}ber $x^2$ \& \emph{more}}, date = {2001-05}}"
    assert printed(text) == "J. Čech, “On Über x² & more” 2001, p."


def test_the_language_of_the_manuscript():
    assert printed("@book{x, author = {Roe, R.}, title = {T}, year = 2001}", language="de") == "R. Roe, “T” 2001, S."


def test_macros_and_parents():
    text = "@string{p = {T}}@inbook{x, title = p # { {P}art}, crossref = b}@book{b, author = {Roe, R.}, year = 2001}"
    assert printed(text) == "R. Roe, “T Part” 2001, p."


def test_other_formats():
    text = '[{"id": "x", "type": "book", "title": "A & B", "author": [{"family": "Roe", "given": "Ray"}]}]'
    assert printed(text, path="refs.json") == "R. Roe, “A & B”, p."


@pytest.mark.parametrize("value", [r"A \input{secret} B", r"A \include{secret.tex} B", r"A \lstinputlisting{secret} B"])
def test_no_other_file_is_read(tmp_path, monkeypatch, value):
    monkeypatch.chdir(tmp_path)
    for name in ("secret", "secret.tex"):
        (tmp_path / name).write_text("hidden words")
    value = value.replace("secret", str(tmp_path / "secret"))
    assert "hidden" not in printed(f"@book{{x, title = {{{value}}}, year = 2001}}")


@pytest.mark.parametrize(
    "style",
    [
        STYLE.replace("<citation>", '<macro name="a"><text macro="a"/><text macro="a"/></macro><citation>').replace(
            '<text variable="title"', '<text macro="a"/><text variable="title"'
        ),
        STYLE.replace("bibliography", "nothing"),
        "<style/>",
    ],
    ids=["calls itself", "prints no list", "says nothing"],
)
def test_hostile_styles_print_nothing(style):
    assert printed("@book{x, title = {T}, year = 2001}", style) == ""
