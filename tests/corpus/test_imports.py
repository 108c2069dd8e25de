"""Files that `citelsp corpus add` reads, and what it says of those that it cannot."""

import bz2
import gzip
import json
import lzma
import os
import threading
from pathlib import Path

import pytest

from citelsp.corpus import compressed_files, imports

LINE = json.dumps({"id": "a", "title": "One"}).encode() + b"\n"
BIB = "@article{a, title = {%s}, author = {Doe, Jane}}\n"
KINDS = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}


@pytest.fixture
def read(tmp_path):
    """read(name, bytes) → (titles, problems without the file's path)."""

    def run(name, data):
        path = tmp_path / name
        path.write_bytes(data)
        problems = []
        titles = [it.title for it in imports.read(path, problems.append)]
        return titles, [it.removeprefix(str(path)) for it in problems]

    return run


@pytest.mark.parametrize("ending", KINDS)
def test_compressed_texts_are_read(read, ending):
    assert read(f"works.jsonl.{ending}", KINDS[ending](LINE * 2)) == (["One", "One"], [])
    assert read(f"refs.bib.{ending}", KINDS[ending](b"@misc{a, title={Two}}")) == (["Two"], [])
    assert read("named-otherwise.jsonl", KINDS[ending](LINE)) == (["One"], [])


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no paths here")
@pytest.mark.parametrize("pack", [*KINDS.values(), bytes])
def test_a_pipe_may_give_its_first_bytes_one_by_one(pack):
    data = pack(LINE * 9000)
    output, source = os.pipe()

    def write_rest():
        with os.fdopen(source, "wb") as file:
            file.write(data[1:])

    os.write(source, data[:1])
    writer = threading.Timer(0.2, write_rest)  # the first byte is read before the others come
    writer.start()
    try:
        assert b"".join(compressed_files.lines(Path(f"/dev/fd/{output}"))) == LINE * 9000
    finally:
        os.close(output)
        writer.join()


@pytest.mark.parametrize("ending", KINDS)
def test_what_a_cut_file_still_holds_is_kept(read, ending):
    packed = KINDS[ending](b"".join(LINE.replace(b"One", str(it).encode()) for it in range(9000)))
    titles, [problem] = read(f"works.jsonl.{ending}", packed[: len(packed) // 2] if ending != "bz2" else packed[:-9])
    assert titles or ending == "bz2"  # which unpacks 900 kB at a time
    assert problem.startswith(": it is damaged: ")


@pytest.mark.parametrize("name", ["bomb.jsonl.gz", "bomb.bib.gz"])
@pytest.mark.parametrize("filling", [b"\0", b"\n", b" "], ids=["zeros", "empty lines", "one line"])
def test_a_bomb_ends_with_a_sentence(read, name, filling):
    titles, problems = read(name, gzip.compress(filling * 11_000_000))
    assert (titles, len(problems)) == ([], 1)


def test_a_bomb_that_begins_as_works_do_ends_with_a_sentence(read):
    _, [problem] = read("bomb.jsonl.gz", gzip.compress(LINE + (b" " * 999 + b"\n") * 11_000))
    assert problem == ": it unpacks to more than 100 times its size, as text never does"


@pytest.mark.parametrize("name", ["photo.png", "works.jsonl", "refs.bib", "works.jsonl.gz"])
def test_what_is_no_text_costs_one_sentence(read, name):
    titles, problems = read(name, bytes(range(256)) * 50)
    assert (titles, len(problems)) == ([], 1)
    assert "text" in problems[0]


def test_the_first_problems_are_named_and_the_rest_is_counted(read):
    titles, problems = read("works.jsonl", LINE + b"{\n" * 50_000 + LINE)
    assert titles == ["One", "One"]
    assert [it.partition(" ")[0] for it in problems] == [":2:", ":3:", ":4:", ":"]
    assert problems[-1] == ": 49997 more like these were skipped"
    _, problems = read("refs.bib", b"@misc{a, title={}}\n" * 9)
    assert problems == [": a: no title"] * 3 + [": 6 more like these were skipped"]


def test_a_file_of_something_else_is_left_soon(read):
    titles, problems = read("table.csv", b"a,b,c\n" * 100_000)
    assert titles == []
    assert problems[-2:] == [
        ": none of its first 1000 lines is a work, so the rest was not read",
        ": 997 more like these were skipped",
    ]


def test_json_that_is_nested_without_end_is_one_problem(read):
    assert read("works.jsonl", b"[" * 200_000 + b"\n" + LINE)[0] == ["One"]


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [("utf-8", ""), ("utf-8-sig", ""), ("cp1252", ""), ("mac-roman", "% Encoding: MacRoman\n"), ("utf-16", "")],
)
def test_bibliographies_are_decoded_as_everywhere(read, encoding, declared):
    title = "“Caf\N{LATIN SMALL LETTER E WITH ACUTE}” \N{EN DASH} one"
    assert read("refs.bib", (declared + BIB % title).encode(encoding)) == ([title], [])


def test_a_folder_without_papers_is_said_to_be(tmp_path):
    (tmp_path / "._hidden.pdf").write_bytes(b"\x00\x05\x16\x07")  # as macOS leaves it on other systems' disks
    (tmp_path / ".venv" / "lib").mkdir(parents=True)
    (tmp_path / ".venv" / "lib" / "icon.pdf").write_bytes(b"%PDF-1.4")
    problems = []
    assert list(imports.read(tmp_path, problems.append)) == []
    assert problems == [f"{tmp_path}: there is no PDF file in this folder"]


def test_bibliographies_of_reference_managers(read):
    ris = b"TY  - JOUR\nTI  - On Trout\nER  -\nTY  - BOOK\nER  -\n"
    assert read("a.ris", ris) == (["On Trout"], [": entry 2: no title"])
    xml = b"<xml><records><record><titles><title>On Pike</title></titles></record></records></xml>"
    assert read("b.xml.gz", gzip.compress(xml)) == (["On Pike"], [])
    assert read("c.xml", b"<html/>") == ([], [": no entries were found in it"])
