"""citelsp export of a list of references, with a service on this machine."""

import pytest

import crossref_server
from citelsp.cli import main

KNUTH = crossref_server.work("10.1093/comjnl/27.2.97", "Literate Programming in Practice", "Knuth", "Donald E.", 1984)
TURING = crossref_server.work("10.1112/plms/s2-42.1.230", "On Computable Numbers", "Turing", "Alan M.", 1936)
ITEMS = r"""\begin{thebibliography}{9}
\bibitem{knuth84}
Donald~E. Knuth.
\newblock Literate programming in practice, 1984.
\newblock doi:10.1093/comjnl/27.2.97.
\bibitem{wrong}
Alan~M. Turing.
\newblock On computable numbers, 2003.
\newblock doi:10.1112/plms/s2-42.1.230.
\end{thebibliography}
"""
PRINTED = """References
[1] D. E. Knuth. Literate Programming in Practice. 1984. doi:10.1093/comjnl/27.2.97
[2] A. M. Turing. On Computable Numbers. 2003. doi:10.1112/plms/s2-42.1.230
"""


@pytest.fixture
def export(tmp_path, monkeypatch, capsys):
    scholars = crossref_server.Scholars(KNUTH, TURING)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "settings.toml").write_text(scholars.config(), encoding="utf-8")

    def run(paper, *arguments, bib="out.bib"):
        status = main(["export", paper, "--bib", bib, "--config", "settings.toml", *arguments])
        told = capsys.readouterr()
        return status, told.out, told.err

    yield run
    scholars.close()


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("main.bbl", ITEMS, "knuth84"),
        ("main.tex", f"\\documentclass{{article}}\nSee \\cite{{knuth84}} and \\cite{{wrong}}.\n{ITEMS}", "knuth84"),
        ("references.txt", PRINTED, "1"),
        ("notes.md", f"# Notes\n\n## {PRINTED.replace('[1]', chr(10) + '1.').replace('[2]', '2.')}", "1"),
    ],
)
def test_what_is_verified_is_written(export, tmp_path, name, text, key):
    (tmp_path / name).write_text(text, encoding="utf-8")
    status, out, err = export(name)
    assert (status, out) == (1, "1 verified entry in out.bib\n"), err
    assert "left out, because it is not verified: 1 of its references" in err
    written = (tmp_path / "out.bib").read_text(encoding="utf-8")
    assert f"{{{key},\n" in written
    assert "% Found by its DOI: Crossref (checked " in written
    assert "Turing" not in written
    assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_a_verified_work_whose_key_no_bib_can_hold_is_called_verified(export, tmp_path):
    (tmp_path / "main.bbl").write_text(ITEMS.replace("{knuth84}", "{knuth, 84}"), encoding="utf-8")
    status, out, err = export("main.bbl")
    assert (status, out) == (1, "")
    assert "left out, because it is not verified: 1 of its references" in err
    told = " ".join(err.split())
    assert "left out, though verified: 1 of its references, as no .bib can hold a key such as “knuth, 84”" in told


def test_no_file_is_overwritten(export, tmp_path):
    (tmp_path / "main.bbl").write_text(ITEMS, encoding="utf-8")
    assert export("main.bbl")[0] == 1
    before = (tmp_path / "out.bib").read_bytes()
    status, out, err = export("main.bbl")
    assert (status, out) == (3, "")
    assert "out.bib is there already" in err
    assert (tmp_path / "out.bib").read_bytes() == before


def test_offline_nothing_is_verified_and_nothing_written(export, tmp_path):
    (tmp_path / "main.bbl").write_text(ITEMS, encoding="utf-8")
    settings = tmp_path / "settings.toml"
    settings.write_text(f"offline = true\n{settings.read_text(encoding='utf-8')}", encoding="utf-8")
    status, out, err = export("main.bbl")
    assert (status, out) == (1, "")
    assert "out.bib is not written" in err
    assert not (tmp_path / "out.bib").exists()


@pytest.mark.parametrize(("arguments", "bib"), [(("--by", "author"), "out.bib"), ((), "out.txt"), ((), "main.bbl")])
def test_misuse(export, tmp_path, arguments, bib):
    (tmp_path / "main.bbl").write_text(ITEMS, encoding="utf-8")
    assert export("main.bbl", *arguments, bib=bib)[0] == 3
    assert export("gone.bbl")[0] == 3
    assert (tmp_path / "main.bbl").read_text(encoding="utf-8") == ITEMS


def test_a_text_without_references(export, tmp_path):
    (tmp_path / "list.txt").write_text("Hello, world.", encoding="utf-8")
    status, out, err = export("list.txt")
    assert (status, out) == (2, "")
    assert "list.txt holds no reference that was found" in err


def test_what_has_entries_of_its_own_is_no_list(export, tmp_path):
    (tmp_path / "list.txt").write_text("@book{a, title = {T}}\n", encoding="utf-8")
    assert export("list.txt")[0] == 2
    assert not (tmp_path / "out.bib").exists()
