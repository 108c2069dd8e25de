"""Papers as they were received: pasted text, PDF, Word, arXiv."""

import asyncio
import gzip
import io
import sys
import tarfile
import threading
import zipfile

import httpx
import pytest

import pdf_files
from citelsp.bibliography.received import ReadCitation, ReadPaper, ReadReference
from citelsp.cli import exits, main
from citelsp.received import inputs
from citelsp.sources.client import Client
from citelsp.sources.shared_pace import Limits
from function_network import QUICK, Web, local

LIST = 'References\n[1] D. Knuth, "Literate programming," The Computer Journal, 1984. doi:10.1093/comjnl/27.2.97\n'


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments, typed=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        status = main(["check", "--offline", *map(str, arguments)])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return run


def test_pasted_text(check):
    status, out, _ = check("-", "--format", "csv", typed=LIST)
    assert status == exits.OK
    assert "stdin.txt,1,Not looked up,,,D. Knuth,1984,Literate programming,The Computer Journal" in out


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("@book{a, title = {T}}", "stdin.bib"),
        ("\\begin{thebibliography}{9}\\bibitem{a} A. B. \\newblock Title.\\end{thebibliography}", "stdin.bbl"),
        ('[{"id": "a", "type": "book", "title": "T"}]', "stdin.json"),
        ("TY  - BOOK\nID  - a\nTI  - T\nER  - \n", "stdin.ris"),
    ],
)
def test_what_is_pasted_tells_what_it_is(check, typed, path):
    status, out, _ = check("-", "--format", "csv", typed=typed)
    assert status == exits.OK
    assert f"{path},a,Not looked up" in out


def test_of_what_is_no_file_a_fix_is_refused_for_that(check, tmp_path):
    """It was named, so the reason for other files, that nobody named them, would be wrong."""
    entry = "@article{a, title = {T}, author = {A}, journal = {J}, year = 2001, doi = {https://doi.org/10.1000/x}}"
    status, _, err = check("-", "--fix", "safe", typed=entry)
    assert status == exits.UNFINISHED
    why = "only a copy of it was read; make the change where it comes from"
    assert err == f"citelsp: stdin.bib is not changed: {why}\n"
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as packed:
        packed.writestr("main.tex", "\\documentclass{a}\\cite{a}\\bibliography{refs}")
        packed.writestr("refs.bib", entry)
    status, _, err = check("p.zip", "--fix", "safe")
    assert status == exits.UNFINISHED
    assert "p.zip/refs.bib is not changed: only a copy of it was read" in err


def test_nothing_readable_is_no_pass(check):
    status, out, err = check("-", typed="Hello, world.")
    assert status == exits.UNFINISHED
    assert "Nothing was checked" in out.splitlines()
    assert "standard input holds no reference that was found" in err


def test_references_that_cannot_be_read_are_said(check, tmp_path):
    (tmp_path / "list.txt").write_text("References\n1. Something that says nothing\n2. And another such thing\n")
    status, out, err = check("list.txt")
    assert status == exits.UNFINISHED
    assert "No findings in what could be read" in out.splitlines()
    assert "2 of 2 references in list.txt could not be read" in err


def test_a_report_in_markdown(check, tmp_path):
    (tmp_path / "report.md").write_text(f"# Report\n\n## {LIST.replace('[1]', chr(10) + '1.')}")
    status, out, _ = check("report.md", "--format", "csv")
    assert status == exits.OK
    assert "report.md,1,Not looked up,,,D. Knuth,1984,Literate programming" in out


def test_a_pdf(check, tmp_path):
    lines = ["Notes on everything", "", *LIST.splitlines(), "[2] A. Byron. Notes on the engine. Memoirs, 3, 1843."]
    pdf_files.written(tmp_path / "paper.pdf", [pdf_files.stream(pdf_files.shown([*["Words of prose."] * 9, *lines]))])
    status, out, err = check("paper.pdf", "--format", "csv")
    assert status == exits.OK, err
    assert "paper.pdf,1,Not looked up" in out
    assert "Literate programming" in out
    page = check("paper.pdf", "--format", "html")[1]
    assert "As printed: A. Byron. Notes on the engine. Memoirs, 3, 1843." in page


def test_what_was_read_is_named_as_what_it_is(check, tmp_path):
    (tmp_path / "list.txt").write_text(LIST)
    status, out, _ = check("list.txt")
    assert status == exits.OK
    assert out.splitlines()[0] == "Nothing was looked up"
    assert out.splitlines()[-1] == "Read 1 list of references with 1 reference."


def test_files_are_read_beside_other_work(tmp_path):
    beside = []

    async def both():
        async def other():
            beside.append(threading.get_ident())

        task = asyncio.create_task(other())
        found = await inputs.collect_papers(
            [str(tmp_path / "a.txt")], Client(local(), Limits(tmp_path / "limits.sqlite"))
        )
        assert beside, "nothing else went on"
        await task
        return found

    (tmp_path / "a.txt").write_text(LIST)
    [found] = asyncio.run(both())
    assert found.texts


def test_a_file_that_is_no_pdf(check, tmp_path):
    (tmp_path / "paper.pdf").write_bytes(b"no")
    status, out, err = check("paper.pdf")
    assert status == exits.UNFINISHED
    assert "Nothing was checked" in out.splitlines()
    assert "paper.pdf" in err


def test_a_file_that_is_not_there(check):
    assert check("paper.pdf")[0] == exits.USAGE


def test_arxiv_offline(check):
    status, _, err = check("arXiv:2401.01234")
    assert status == exits.UNFINISHED
    assert "arXiv:2401.01234 cannot be fetched offline" in err


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("arXiv:2401.01234", "2401.01234"),
        ("arxiv:hep-th/9901001v2", "hep-th/9901001"),
        ("https://arxiv.org/abs/2401.01234v3", "2401.01234"),
        ("https:/arxiv.org/pdf/2401.01234.pdf", "2401.01234"),
        ("https://example.org/abs/2401.01234", ""),
        ("paper.pdf", ""),
    ],
)
def test_names_of_papers_of_arxiv(named, found):
    assert inputs.arxiv_id(named) == found


def test_a_source_without_a_bibliography_is_read_from_its_compiled_list():
    text = b"\\documentclass{article}\\cite{a}\\bibliography{refs}"
    found = inputs.unpack("arXiv:2401.01234", gzip.compress(text))
    assert dict(found.texts) == {"arXiv:2401.01234/main.tex": text.decode()}
    assert inputs.main_texts(found) == ["arXiv:2401.01234/main.tex"]


def paper(labels, marks):
    references = tuple(ReadReference(str(it), f"A. Byron. Notes {it}. 1843.") for it in labels)
    return ReadPaper("Notes", references, tuple(ReadCitation(str(it)) for it in marks))


@pytest.mark.parametrize(
    ("labels", "marks", "found"),
    [
        (range(1, 6), (1, 2, 3, 5, 7), ["[7], which the list", "not to cite [4]"]),
        (range(1, 6), (1, 2, 3, 4, 5, 2019), []),
        (range(1, 6), (1,), []),
        (("a", "b", "c"), ("a", "x"), []),
    ],
)
def test_what_the_text_and_the_list_lack_of_each_other(labels, marks, found):
    notes = list(inputs.compare_citations(paper(labels, marks)))
    assert len(notes) == len(found) and all(words in note for words, note in zip(found, notes, strict=True))


def test_a_compiled_list_that_is_older_than_the_manuscript(check, tmp_path):
    (tmp_path / "main.tex").write_text("\\documentclass{a}\\cite{a,b}\\bibliography{refs}")
    (tmp_path / "refs.bib").write_text("@book{a, title = {A}}\n@book{b, title = {B}}\n")
    item = "\\bibitem{a} A. Byron. \\newblock Notes."
    (tmp_path / "main.bbl").write_text(f"\\begin{{thebibliography}}{{9}}{item}\\end{{thebibliography}}")
    assert "main.bbl: it was compiled before one key of the manuscript" in check("main.tex")[2]
    (tmp_path / "main.tex").write_text("\\documentclass{a}\\cite{a}\\bibliography{refs}")
    assert "compiled" not in check("main.tex")[2]


ARXIV_SOURCE = {
    "ms.tex": b"\\documentclass{article}\\input{intro}\\bibliography{refs}",
    "intro.tex": b"As shown \\cite{knuth84}.",
    "ms.bbl": b"\\begin{thebibliography}{9}\\bibitem{knuth84} D. Knuth. \\newblock Literate programming."
    b"\\newblock 1984.\\end{thebibliography}",
}


def packed(texts):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in texts.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


ANSWERS = {
    "a source": httpx.Response(200, content=packed(ARXIV_SOURCE), headers={"content-type": "application/gzip"}),
    "nothing": httpx.Response(404, text="no"),
    "no archive": httpx.Response(200, content=b"\0\1\2" * 99, headers={"content-type": "application/gzip"}),
}


@pytest.mark.parametrize(
    ("answer", "problem", "mains"),
    [
        ("a source", "", ["arXiv:2401.01234/ms.tex", "arXiv:2401.01234/intro.tex"]),
        ("nothing", "does not exist", []),
        ("no archive", "is neither an archive nor a text", []),
    ],
)
async def test_a_paper_of_arxiv(tmp_path, answer, problem, mains):
    web = Web(lambda _: ANSWERS[answer])
    client = Client(local(), Limits(tmp_path / "limits.sqlite"), web, QUICK)
    found = await inputs.fetch_arxiv(client, "2401.01234")
    await client.aclose()
    assert web.paths() == ["/arxiv/e-print/2401.01234"]
    assert (found.problem, inputs.main_texts(found)) == (problem, mains)


def exported(path, **members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("_", "."), text)


OVERLEAF = {
    "main_tex": "\\documentclass{article}\\begin{document}\\input{chapter}\\bibliography{refs}\\end{document}",
    "chapter_tex": "Trout swim \\cite{lee20,nobody}.",
    "refs_bib": "@article{lee20, author = {Lee, Ann}, title = {On Trout}, journal = {Fish}, year = {2020}}\n"
    "@article{ray21, author = {Ray, Bo}, title = {On Pike}, journal = {Fish}, year = {2021}}\n",
}


def test_a_project_that_overleaf_exported(check, tmp_path):
    exported(tmp_path / "project.zip", **OVERLEAF, fig_png="\0")
    before = (tmp_path / "project.zip").read_bytes()
    status, out, err = check("project.zip")
    assert status == exits.FINDINGS, err
    assert "project.zip/chapter.tex:1:24: warning: No entry has the key “nobody”. [undefined-citation]" in out
    assert "2 entries, of which 1 is cited" in out
    assert (tmp_path / "project.zip").read_bytes() == before
    assert [it.name for it in tmp_path.iterdir()] == ["project.zip"]


def test_a_project_that_is_right(check, tmp_path):
    exported(tmp_path / "project.zip", **OVERLEAF | {"chapter_tex": "Trout swim \\cite{lee20}."})
    status, out, _ = check("project.zip", "--format", "csv")
    assert status == exits.OK
    assert "project.zip/refs.bib,lee20,Not looked up" in out
    assert "ray21" not in out


def test_a_zip_sees_no_file_of_this_machine(check, tmp_path):
    (tmp_path / "secret.bib").write_text("@misc{secret, title = {Nobody's business}}")
    main = f"\\documentclass{{article}}\\cite{{secret}}\\bibliography{{{(tmp_path / 'secret').as_posix()}}}"
    exported(tmp_path / "project.zip", main_tex=main)
    status, out, _ = check("project.zip")
    assert status == exits.UNFINISHED
    assert "Read 1 manuscript file with 1 citation and no bibliographies." in out


def test_settings_in_a_zip_switch_nothing_off(check, tmp_path):
    with zipfile.ZipFile(tmp_path / "project.zip", "w") as archive:
        for name, text in OVERLEAF.items():
            archive.writestr(name.replace("_", "."), text)
        archive.writestr(".citelsp.toml", '[findings]\nundefined-citation = "off"\n')
    assert "undefined-citation" in check("project.zip")[1]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"fig_png": "x"}, "project.zip holds no reference that was found"),
        ({"main_tex": "Hello."}, "project.zip holds no reference that was found"),
    ],
)
def test_a_zip_without_references_is_no_pass(check, tmp_path, members, said):
    exported(tmp_path / "project.zip", **members)
    status, out, err = check("project.zip")
    assert status == exits.UNFINISHED
    assert "No findings" not in out
    assert said in err


def test_a_zip_that_is_none(check, tmp_path):
    (tmp_path / "project.zip").write_bytes(b"PK\x03\x04 broken")
    status, _, err = check("project.zip")
    assert status == exits.UNFINISHED
    assert "project.zip is a broken or protected archive" in err


def test_what_is_no_text_in_a_zip_is_said(check, tmp_path):
    with zipfile.ZipFile(tmp_path / "project.zip", "w") as archive:
        archive.writestr("main.tex", OVERLEAF["chapter_tex"] + "\\bibliography{refs}")
        archive.writestr("refs.bib", b"\0\1\2" * 50)
    status, _, err = check("project.zip")
    assert status == exits.UNFINISHED
    assert "project.zip: refs.bib is not text, and was not read" in err


def test_a_list_is_looked_through_once_for_what_could_not_be_read(check, tmp_path):
    """What was read of a very long list is not kept, so that each time it would be read again."""
    items = "".join(f"\\bibitem{{k{it}}} ????, ({it})\n" for it in range(8))
    (tmp_path / "a.bbl").write_text(f"\\begin{{thebibliography}}{{9}}\n{items}\\end{{thebibliography}}\n")
    looked = []

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_name == "_is_mute":
            looked.append(frame.f_locals["place"])

    sys.setprofile(note)
    try:
        _, _, err = check("a.bbl")
    finally:
        sys.setprofile(None)
    assert "8 of 8 references in a.bbl could not be read" in err
    assert len(looked) == 8
