"""What is named on a command line and is no file of a project: what it is taken for, and what is said of it."""

import io

import pytest

from citelsp.received import inputs
from citelsp.received.inputs import Received

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


def test_more_was_pasted_than_any_list_has():
    found = inputs.read_input(io.BytesIO(b"a" * ((20 << 20) + 1)))
    assert found == Received("standard input", problem="is larger than any reference list")


def test_of_what_is_unpacked_manuscripts_come_first_and_main_ones_before_their_chapters():
    document = "\\documentclass{article}"
    texts = {"x/refs.bib": "", "x/a/chapter.tex": "", "x/sub/main.tex": document, "x/main.tex": document, "x/b.tex": ""}
    assert inputs.main_texts(Received("x", texts)) == ["x/main.tex", "x/sub/main.tex", "x/b.tex", "x/a/chapter.tex"]
    assert inputs.main_texts(Received("x", {"x/m.bbl": "", "x/m.bib": ""})) == ["x/m.bib"]
    assert inputs.main_texts(Received("x", {"x/m.bbl": "", "x/m.txt": ""})) == ["x/m.bbl"]
    assert inputs.main_texts(Received("x", {"x/m.txt": ""})) == ["x/m.txt"]
    assert inputs.main_texts(Received("x", {"x/m.txt": "", "x/n.txt": ""})) == []


def test_what_is_no_text_is_named_and_the_rest_is_read():
    import gzip
    import tarfile

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
