"""citelsp format, sort and export: files written whole, every other byte unchanged."""

import os
import stat
import subprocess

import pytest

from citelsp.cli import main

MESSY = "\ufeff% über\r\n@misc{b, title={B}}\r\n@misc{a,\r\n    title={A}}\r\n"
NEAT = "\ufeff% über\r\n@misc{b,\r\n    title = {B}\r\n}\r\n@misc{a,\r\n    title = {A}\r\n}\r\n"


@pytest.fixture
def refs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "refs.bib"
    path.write_bytes(MESSY.encode())
    return path


def test_format_keeps_mark_newlines_and_mode(refs, capsys):
    refs.chmod(0o640)
    assert main(["format", "."]) == 0
    assert refs.read_bytes() == NEAT.encode()
    if os.name == "posix":
        assert stat.S_IMODE(refs.stat().st_mode) == 0o640
    assert [it.name for it in refs.parent.iterdir()] == ["refs.bib"]
    assert main(["format", "refs.bib", "--check"]) == 0
    assert capsys.readouterr().out == "refs.bib\n"


def test_hidden_files_of_a_folder_stay(refs, capsys):
    (refs.parent / "._refs.bib").write_bytes(b"\x00\x05\x16\x07Mac OS X\xff\xfe")
    (refs.parent / ".old.bib").write_text("@misc{b, title={B}}")
    assert main(["format", "."]) == 0
    assert capsys.readouterr() == ("refs.bib\n", "")
    assert main(["format", ".old.bib"]) == 0
    assert capsys.readouterr() == (".old.bib\n", "")


@pytest.mark.parametrize(("option", "shown"), [("--check", "refs.bib\n"), ("--diff", "-@misc{b, title={B}}")])
def test_what_would_change_is_shown_and_not_written(refs, capsys, option, shown):
    assert main(["format", "refs.bib", option]) == 1
    assert shown in capsys.readouterr().out
    assert refs.read_bytes() == MESSY.encode()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1", "mac-roman"])
@pytest.mark.parametrize("words", [["format"], ["sort"], ["check", "--offline", "--fix", "safe"]], ids=" ".join)
def test_git_applies_the_diff(refs, words, encoding, capfdbinary):
    name = "my refs.bib"
    declared = "% Encoding: MacRoman\n" if encoding == "mac-roman" else ""
    messy = f"{declared}% über\r\n@misc{{b, title={{B}}}}\n@misc{{a,\n doi={{https://doi.org/10.1000/x}}}}"
    (refs.parent / name).write_bytes(messy.encode(encoding))
    assert main([*words, name, "--diff"]) == 1
    diff = capfdbinary.readouterr().out
    (refs.parent / "copy").mkdir()
    (refs.parent / "copy" / name).write_bytes(messy.encode(encoding))
    subprocess.run(["git", "apply", "-"], input=diff, cwd=refs.parent / "copy", check=True)
    main([*words, name])
    assert (refs.parent / "copy" / name).read_bytes() == (refs.parent / name).read_bytes() != messy.encode(encoding)


def test_format_keeps_the_encoding(refs):
    for encoding, mark in (("latin-1", b""), ("utf-16-be", b"\xfe\xff")):
        refs.write_bytes(mark + MESSY[1:].encode(encoding))
        assert main(["format", "refs.bib"]) == 0
        assert refs.read_bytes() == mark + NEAT[1:].encode(encoding)


def test_sort(refs):
    assert main(["sort", "refs.bib"]) == 0
    first, a, b = "\ufeff", "@misc{a,\r\n    title={A}}\r\n", "% über\r\n@misc{b, title={B}}\r\n"
    assert refs.read_bytes() == (first + a + b).encode()


def test_what_another_program_writes_stays(refs, capsys):
    text = "% Exported from Zotero\n@misc{b, title={B}}\n"
    refs.write_text(text)
    assert main(["format", "refs.bib"]) == 0
    assert refs.read_text() == text
    assert "Zotero writes it" in capsys.readouterr().err


def test_an_open_entry_forbids_sorting(refs, capsys):
    refs.write_text("@misc{b,\n@misc{a}\n")
    assert main(["sort", "refs.bib"]) == 2
    assert "“b” is never closed" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["none.bib", "main.tex"])
def test_only_bibliographies(folder, name):
    assert main(["format", name]) == 3


def test_export_writes_anew_only_what_it_wrote(folder, capsys):
    assert main(["export", "main.tex", "--bib", "out.bib"]) == 1
    first = (folder / "out.bib").read_bytes()
    assert main(["export", "main.tex", "--bib", "out.bib"]) == 1
    assert (folder / "out.bib").read_bytes() == first
    told = capsys.readouterr()
    assert told.out == "2 entries in out.bib\n" * 2
    assert "not in any bibliography: nope" in told.err
    before = (folder / "refs.bib").read_bytes()
    (folder / "mine.bib").write_bytes(before)
    for name in ("refs.bib", "mine.bib", "out.txt"):
        assert main(["export", "main.tex", "--bib", name]) == 3
    assert (folder / "refs.bib").read_bytes() == (folder / "mine.bib").read_bytes() == before


def test_export_prints_what_it_would_write(folder, capsys):
    assert main(["export", "main.tex", "--bib", "out.bib"]) == 1
    capsys.readouterr()
    assert main(["export", "main.tex", "--bib", "-"]) == 1
    printed = capsys.readouterr()
    assert printed.out == (folder / "out.bib").read_text()
    assert "cited, but not in any bibliography" in printed.err
    assert not (folder / "-").exists()


def test_export_of_what_cannot_be_read_writes_nothing(folder, capsys):
    (folder / "spoilt.tex").write_bytes(b"\0\1\2")
    assert main(["export", "spoilt.tex", "--bib", "out.bib"]) == 2
    assert capsys.readouterr().err == "citelsp: spoilt.tex could not be read\n"
    (folder / "data.foo").write_text("Words.")
    assert main(["export", "data.foo", "--bib", "out.bib"]) == 3
    assert capsys.readouterr().err.startswith("citelsp: data.foo: citelsp does not read this kind of file. ")
    assert not (folder / "out.bib").exists()


def test_export_says_which_bibliographies_are_missing(folder, capsys):
    (folder / "main.tex").write_text("\\documentclass{a}\\cite{knuth84}\\bibliography{refs,lost}")
    assert main(["export", "main.tex", "--bib", "out.bib"]) == 2
    assert "could be read: lost" in capsys.readouterr().err
    assert main(["export", "refs.bib", "--bib", "out.bib"]) == 3
