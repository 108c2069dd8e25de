"""The program that prints references: which one is run, and what it may do."""

import os
import sys

import pytest

from citelsp.investigate import typeset
from citelsp.workspace.csl_styles import CslStyle
from csl_styles import STYLE, program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are scripts")

COPY = """
entry, style = pathlib.Path("entry.bib").read_text(), pathlib.Path("style.csl").read_text()
pathlib.Path("reference.txt").write_text(f"{' '.join(sys.argv[1:])}\\n\\n{entry}  {len(style)}")
"""


def path(*folders):
    return {"PATH": os.pathsep.join(map(str, folders))}


def test_the_first_on_the_path(tmp_path):
    first, second = program(tmp_path / "a", ""), program(tmp_path / "b", "")
    assert typeset.program(path("", tmp_path / "none", first, second), []) == f"{first}/pandoc"
    assert typeset.program(path(tmp_path), []) == typeset.program({}, []) == ""


def test_never_one_of_the_workspace(tmp_path, monkeypatch):
    work, user = tmp_path / "work", tmp_path / "user"
    program(work / "bin", "")
    user.mkdir()
    (user / "pandoc").symlink_to(work / "bin/pandoc")
    (tmp_path / "alias").symlink_to(work)
    monkeypatch.chdir(work / "bin")
    everywhere = path("", ".", work / "bin", user, tmp_path / "alias/bin")
    assert typeset.program(everywhere, [str(work)]) == ""
    assert typeset.program(everywhere, [str(tmp_path / "alias")]) == ""
    assert typeset.program(everywhere, [str(tmp_path / "other")]) == f"{work}/bin/pandoc"


def test_a_file_that_cannot_be_run_is_none(tmp_path):
    folder = program(tmp_path, "")
    (tmp_path / "pandoc").chmod(0o644)
    assert typeset.program(path(folder), []) == ""


def test_the_one_that_quarto_brings(tmp_path):
    quarto = program(tmp_path / "quarto/bin", "", "quarto")
    user = tmp_path / "user"
    user.mkdir()
    (user / "quarto").symlink_to(f"{quarto}/quarto")
    assert typeset.program(path(user), []) == ""
    own = program(tmp_path / "quarto/bin/tools", "")
    assert typeset.program(path(user), []) == f"{own}/pandoc"


def test_it_gets_the_entry_the_style_and_a_sandbox(tmp_path):
    pandoc = f"{program(tmp_path, COPY)}/pandoc"
    printed = typeset.reference(pandoc, "@book{k}", CslStyle(STYLE, "de"))
    options, _, entry = printed.partition(" @book")
    assert entry == f"{{k}} {len(STYLE)}"
    assert {"--sandbox", "--citeproc", "--csl=style.csl", "--metadata=lang:de", "entry.bib"} <= set(options.split())
    assert "lang" not in typeset.reference(pandoc, "@book{k}", CslStyle(STYLE, ""))


@pytest.mark.parametrize(
    "body",
    ["sys.exit(3)", "", "time.sleep(60)", COPY + "sys.exit(1)", "open('reference.txt', 'w').write('x' * 30000)"],
    ids=["fails", "writes nothing", "hangs", "fails late", "writes too much"],
)
def test_nothing_is_printed_if_it(tmp_path, body):
    pandoc = f"{program(tmp_path, body)}/pandoc"
    assert typeset.reference(pandoc, "@book{k}", CslStyle(STYLE, ""), 1 if "sleep" in body else 30) == ""


def test_a_program_that_is_gone(tmp_path):
    assert typeset.reference(f"{tmp_path}/pandoc", "@book{k}", CslStyle(STYLE, "")) == ""
