"""What is named on a command line and is no file of a project: what it is taken for, and what is said of it."""

import gzip
import io
import sys
import tarfile
import zipfile
from dataclasses import replace

import httpx
import pytest

import pdf_files
from citelsp.bibliography.received import ReadCitation, ReadPaper, ReadReference
from citelsp.received import inputs
from citelsp.received.inputs import Received
from citelsp.sources.client import Client
from citelsp.sources.shared_pace import Limits
from function_network import QUICK, Web, local

IDS = {
    "arXiv:2401.01234": "2401.01234",
    "arxiv:2401.01234v3": "2401.01234",
    "https://arxiv.org/abs/2401.01234": "2401.01234",
    "https://arxiv.org/abs/2401.01234/": "2401.01234",
    "https://arxiv.org/pdf/2401.01234v2.pdf": "2401.01234",
    "http://export.arxiv.org/e-print/hep-th/9901001": "hep-th/9901001",
    "2401.01234": "",
    "papers/2401.01234.pdf": "",
    "https://example.org/abs/2401.01234": "",
    "arXiv:none": "",
}


@pytest.mark.parametrize(("named", "expected"), IDS.items(), ids=IDS)
def test_ids_of_arxiv(named, expected):
    assert inputs.arxiv_id(named) == expected


PASTED = {
    "@book{a, title = {T}}": ".bib",
    "\\begin{thebibliography}{9}\\bibitem{a} A. Byron.": ".bbl",
    "\\entry{a}{book}{}\\endentry": ".bbl",
    '[{"id": "a", "title": "T"}]': ".json",
    '\ufeff {"items": []}': ".json",
    "TY  - BOOK\nER  -": ".ris",
    "<?xml version='1.0'?><xml/>": ".xml",
    "<xml><records/></xml>": ".xml",
    "[1] A. Byron. Notes. 1843.": ".txt",
}


@pytest.mark.parametrize(("text", "ending"), PASTED.items(), ids=PASTED.values())
def test_the_kind_of_a_pasted_list(text, ending):
    assert inputs.read_input(io.BytesIO(text.encode())).texts.keys() == {f"stdin{ending}"}


def test_a_pasted_list_is_taken_as_it_is():
    assert inputs.read_input(io.BytesIO(b"A. Byron.")) == Received("standard input", {"stdin.txt": "A. Byron."})


@pytest.mark.parametrize("data", [b"", b" \n\t"])
def test_nothing_was_pasted(data):
    assert inputs.read_input(io.BytesIO(data)).problem == "is empty"


TOO_LARGE = "is larger than any reference list"


def test_more_was_pasted_than_any_list_has():
    found = inputs.read_input(io.BytesIO(b"a" * ((20 << 20) + 1)))
    assert found == Received("standard input", problem=TOO_LARGE)
    assert inputs.read_input(io.BytesIO(b"a" * (20 << 20))).problem == ""


def test_a_pdf_that_is_piped_is_to_be_named():
    found = inputs.read_input(io.BytesIO(b"%PDF-1.5\n\0\1\2"))
    assert found == Received("standard input", problem="is not text: name the file instead")


@pytest.mark.parametrize(
    ("text", "ending"),
    {
        "As [1] says: {no JSON}": ".txt",
        '["an array without names"]': ".txt",
        "[1] A. Byron: Notes": ".txt",
        "See https://example.org/TY  - BOOK": ".txt",
        "TY - BOOK\nER -": ".ris",
        "  \n<?xml version='1.0'?><xml/>": ".xml",
        "% A note\n  @Article {a,": ".bib",
        "@comment(a)": ".bib",
        "Mail a.byron@example.org {or so}": ".txt",
    }.items(),
)
def test_what_only_seems_to_be_a_list_of_another_kind(text, ending):
    assert inputs.read_input(io.BytesIO(text.encode())).texts.keys() == {f"stdin{ending}"}


IS_RECEIVED = {
    "-": True, "arXiv:2401.01234": True, "https://arxiv.org/abs/2401.01234": True, "a.pdf": True, "A.PDF": True,
    "a.docx": True, "a.odt": True, "a.txt": True, "a.zip": True, "refs.bib": False, "main.tex": False, "a.doc": False,
    "folder": False, "": False,
}  # fmt: skip


@pytest.mark.parametrize(("named", "expected"), IS_RECEIVED.items(), ids=IS_RECEIVED)
def test_what_is_no_file_of_a_project(named, expected):
    assert inputs.is_received(named) is expected


def office_document(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w:p xmlns:w='w'><w:t>A. Byron. Notes.</w:t></w:p>")


def exported(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("refs.bib", "@book{a}")


READ = {
    "list.txt": (lambda path: path.write_text("A. Byron. Notes."), "", "A. Byron. Notes."),
    "LIST.TXT": (lambda path: path.write_text("A. Byron. Notes."), "", "A. Byron. Notes."),
    "empty.txt": (lambda path: path.write_text(""), "", ""),
    "paper.docx": (office_document, "", "A. Byron. Notes."),
    "paper.ODT": (office_document, "", "A. Byron. Notes."),
    "project.Zip": (exported, "/refs.bib", "@book{a}"),
}


@pytest.mark.parametrize("name", READ)
def test_a_file_is_read_by_its_ending(tmp_path, name):
    make, inner, text = READ[name]
    make(tmp_path / name)
    found = inputs.read_file(tmp_path / name)
    assert (found.name, found.problem, *found.notes) == (str(tmp_path / name), "")
    assert found.texts == {f"{tmp_path / name}{inner}": text}


def sparse(path, size):
    with path.open("wb") as file:
        file.truncate(size)  # which takes no room on most disks


UNREAD = {
    "none.txt": (lambda _: None, "cannot be opened"),
    "folder.txt": (lambda path: path.mkdir(), "cannot be opened"),
    "binary.txt": (lambda path: path.write_bytes(b"\0\1\2"), "is not text"),
    "large.txt": (lambda path: sparse(path, (20 << 20) + 1), TOO_LARGE),
    "none.zip": (lambda _: None, "cannot be opened"),
    "large.zip": (lambda path: sparse(path, (200 << 20) + 1), "has more than 200 MB"),
    "broken.zip": (lambda path: path.write_bytes(b"PK\x03\x04"), "is a broken or protected archive"),
    "broken.docx": (lambda path: path.write_bytes(b"PK\x03\x04"), "is a broken or protected document"),
    "broken.pdf": (lambda path: path.write_bytes(b"%PDF-1.5 broken"), "is not a readable PDF"),
    "none.odt": (lambda _: None, "cannot be opened"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_a_file_that_cannot_be_read_says_why(tmp_path, name):
    make, problem = UNREAD[name]
    make(tmp_path / name)
    assert inputs.read_file(tmp_path / name) == Received(str(tmp_path / name), problem=problem)


async def test_of_several_papers_each_is_read_by_what_it_is(tmp_path, monkeypatch):
    """Those that are files of a project are passed over; without a client nothing is fetched."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"A. Byron. Engines.")))
    (tmp_path / "list.txt").write_text("A. Byron. Notes.")
    path = str(tmp_path / "list.txt")
    assert await inputs.collect_papers([path, "main.tex", "-", "arXiv:2401.01234v2"], None) == [
        Received(path, {path: "A. Byron. Notes."}),
        Received("standard input", {"stdin.txt": "A. Byron. Engines."}),
        Received("arXiv:2401.01234", problem="cannot be fetched offline"),
    ]


PDF = (
    ["Words of prose [2, 9]."] * 9
    + ["References"]
    + [f'[{n}] D. Knuth, "Paper {n}," Memoirs, 1984.' for n in range(1, 8)]
)
LACKING = "the text cites [9], which the list of references lacks"


def answered(data, status=200):
    return lambda _: httpx.Response(status, content=data, headers={"content-type": "application/gzip"})


@pytest.fixture
def fetch(tmp_path):
    """fetch(answer) → what collect_papers makes of a paper of arXiv, and the paths that were asked."""

    async def run(answer):
        web = Web(answer)
        client = Client(local(), Limits(tmp_path / "limits.sqlite"), web, QUICK)
        [found] = await inputs.collect_papers(["https://arxiv.org/abs/hep-th/9901001v2"], client)
        await client.aclose()
        return found, web.paths()

    return run


async def test_of_a_paper_of_arxiv_its_source_is_read(fetch):
    found, paths = await fetch(answered(gzip.compress(b"\\cite{a}")))
    assert found == Received("arXiv:hep-th/9901001", {"arXiv:hep-th/9901001/main.tex": "\\cite{a}"}, notes=[])
    assert {*paths} == {"/arxiv/e-print/hep-th/9901001"}


async def test_a_paper_of_arxiv_without_a_source_is_read_as_pdf(fetch, tmp_path):
    path = pdf_files.written(tmp_path / "paper.pdf", [pdf_files.stream(pdf_files.shown(PDF))])
    found, _ = await fetch(answered(path.read_bytes()))
    [(name, text)] = found.texts.items()
    assert (found.name, name, found.problem) == ("arXiv:hep-th/9901001", "arXiv:hep-th/9901001/paper.pdf", "")
    assert text.startswith('[1] D. Knuth, "Paper 1," Memoirs, 1984.\n[2] D. Knuth')
    assert found.notes == (LACKING,)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (answered(b"no", 404), "does not exist"),
        (answered(b"busy", 503), "could not be fetched: 503"),
        (answered(b"%PDF-1.5 broken"), "is not a readable PDF"),
        (answered(b"\0\1"), "is neither an archive nor a text"),
    ],
    ids=["none", "busy", "a broken PDF", "something else"],
)
async def test_a_paper_of_arxiv_that_cannot_be_read_says_why(fetch, answer, problem):
    found, _ = await fetch(answer)
    assert (found.name, found.texts) == ("arXiv:hep-th/9901001", {})
    assert problem in found.problem


def listed(*labels):
    return ReadPaper(references=tuple(ReadReference(it, "A. Byron. Notes.") for it in labels))


def test_a_list_without_labels_is_numbered():
    assert inputs.write_list(listed("", "", "")) == "[1] A. Byron. Notes.\n[2] A. Byron. Notes.\n[3] A. Byron. Notes."
    assert inputs.write_list(listed("Byr43", "")) == "[Byr43] A. Byron. Notes.\n[2] A. Byron. Notes."


def notes_on(listed_up_to, cited):
    paper = listed(*map(str, range(1, listed_up_to + 1)))
    return list(inputs.compare_citations(replace(paper, citations=tuple(ReadCitation(str(it)) for it in cited))))


def test_raised_numbers_are_no_numbers_of_a_list():
    paper = replace(listed("1", "2", "3"), citations=(ReadCitation("1"), ReadCitation("2"), ReadCitation("²")))
    assert list(inputs.compare_citations(paper)) == ["the text seems not to cite [3]"]
    assert list(inputs.compare_citations(replace(paper, references=listed("1", "²", "3").references))) == []


def test_of_many_numbers_that_the_list_lacks_eight_are_named():
    missing = [*range(1, 21)]
    paper = listed(*(str(it) for it in range(21, 31)))
    paper = replace(paper, citations=tuple(ReadCitation(str(it)) for it in [*missing, *range(21, 31)]))
    [note] = inputs.compare_citations(paper)
    assert note == (
        "the text cites [1], [2], [3], [4], [5], [6], [7], [8] and 12 more, which the list of references lacks"
    )


@pytest.mark.parametrize(
    ("listed_up_to", "cited", "notes"),
    [
        (10, range(1, 11), []),
        (10, [*range(1, 11), 13], ["the text cites [13], which the list of references lacks"]),
        (10, [*range(1, 11), 14], []),
        (10, [*range(1, 11), 12, 11], ["the text cites [11], [12], which the list of references lacks"]),
        (10, [1, 2, 3, 4, 5, 6, 8], ["the text seems not to cite [7], [9], [10]"]),
        (10, [1, 2, 3, 4, 5], []),
        (10, [1, 2, 3, 4, 5, 6], ["the text seems not to cite [7], [8], [9], [10]"]),
        (3, [1, 2], ["the text seems not to cite [3]"]),
        (2, [1, 3], []),
        (10, [11], []),
    ],
    ids=[
        "each is cited", "up to three behind the end", "further on is a year or a formula", "in order",
        "few are not cited", "half is a matter of the reading", "less than half", "three", "two are no list",
        "no citation leads to the list",
    ],
)  # fmt: skip
def test_what_list_and_text_lack_of_each_other(listed_up_to, cited, notes):
    assert notes_on(listed_up_to, cited) == notes


def test_nothing_is_said_of_a_list_in_which_one_label_is_no_number():
    paper = replace(listed("1", "2", "Byr43"), citations=(ReadCitation("1"), ReadCitation("4")))
    assert list(inputs.compare_citations(paper)) == []


def test_of_what_is_unpacked_manuscripts_come_first_and_main_ones_before_their_chapters():
    document = "\\documentclass{article}"
    texts = {"x/refs.bib": "", "x/a/chapter.tex": "", "x/sub/main.tex": document, "x/main.tex": document, "x/b.tex": ""}
    assert inputs.main_texts(Received("x", texts)) == ["x/main.tex", "x/sub/main.tex", "x/b.tex", "x/a/chapter.tex"]
    every_kind = ["x/a.ltx", "x/a.md", "x/a.org", "x/a.qmd", "x/a.tex", "x/a.typ"]
    assert inputs.main_texts(Received("x", dict.fromkeys([*every_kind, "x/refs.bib"], ""))) == every_kind
    assert inputs.main_texts(Received("x", {"x/m.bbl": "", "x/m.bib": ""})) == ["x/m.bib"]
    assert inputs.main_texts(Received("x", {"x/m.bbl": "", "x/m.txt": ""})) == ["x/m.bbl"]
    assert inputs.main_texts(Received("x", {"x/m.txt": ""})) == ["x/m.txt"]
    assert inputs.main_texts(Received("x", {"x/m.txt": "", "x/n.txt": ""})) == []
    assert inputs.main_texts(Received("x", {"x/MAIN.TEX": "", "x/REFS.BIB": ""})) == ["x/MAIN.TEX"]
    assert inputs.main_texts(Received("x", {"x/m.BBL": "", "x/REFS.BIB": ""})) == ["x/REFS.BIB"]


def test_what_is_no_text_is_named_and_the_rest_is_read():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in (("main.tex", b"A"), ("data.txt", b"\0\1\2" * 9)):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    found = inputs.unpack("arXiv:1", gzip.compress(out.getvalue()))
    assert found.texts == {"arXiv:1/main.tex": "A"}
    assert found.notes == ["data.txt is not text, and was not read"]
    assert inputs.unpack("arXiv:1", b"\0\1" * 9) == Received("arXiv:1", problem="is neither an archive nor a text")
