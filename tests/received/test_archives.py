import gzip
import io
import os
import random
import struct
import tarfile
import time
import zipfile

import pytest

from citelsp.received import archives
from citelsp.received.archives import ArchiveError

PAPER = b"\\documentclass{article}\\cite{a}\\bibliography{refs}"


def packed(*members):
    """A tar of names with their bytes; of bare names, links to the second."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            else:
                info.type, info.linkname = tarfile.SYMTYPE, content
                archive.addfile(info)
    return out.getvalue()


def test_a_source_as_arxiv_sends_it():
    data = gzip.compress(packed(("main.tex", PAPER), ("sections/a.tex", b"A"), ("main.bbl", b"B"), ("fig.png", b"\0")))
    assert archives.read_texts(data) == {"main.tex": PAPER, "sections/a.tex": b"A", "main.bbl": b"B"}


def of_1979(content, checksum=None):
    """A tar as programs wrote it before it had a mark of its own: a name, numbers in octal digits, a checksum."""
    header = bytearray(512)
    header[:8] = b"main.tex"
    header[100:108] = b"0000644\0"
    header[108:124] = b"0000000\0" * 2
    header[124:136] = b"%011o\0" % len(content)
    header[136:148] = b"00000000000\0"
    header[148:156] = b"        "
    said = sum(header) if checksum is None else checksum
    header[148:156] = b"%06o\0 " % said
    return bytes(header) + content.ljust(512, b"\0") + bytes(1024)


def test_a_tar_without_a_mark_is_known_by_its_checksum():
    assert archives.read_texts(of_1979(PAPER)) == {"main.tex": PAPER}
    with pytest.raises(ArchiveError, match=r"^is neither an archive nor a text$"):
        archives.read_texts(of_1979(PAPER, checksum=1))
    with pytest.raises(ArchiveError, match=r"^is neither an archive nor a text$"):
        archives.read_texts(bytes(2048))


def test_one_file_alone():
    assert archives.read_texts(gzip.compress(PAPER)) == {"main.tex": PAPER}


def test_paths_lead_nowhere():
    data = packed(("../../etc/x.tex", b"A"), ("/etc/y.tex", b"B"), ("z.tex", "/etc/passwd"), ("d/./w.tex", b"C"))
    assert archives.read_texts(data) == {"etc/x.tex": b"A", "etc/y.tex": b"B", "d/w.tex": b"C"}


def test_what_grows_is_not_read():
    bomb = gzip.compress(bytes(101 << 20), 1)
    with pytest.raises(ArchiveError, match="unpacks to more than 100 MB"):
        archives.read_texts(bomb)


@pytest.mark.parametrize("pack", [packed, lambda *members: zipped(*members)], ids=["tar", "zip"])
def test_too_many_files(pack):
    assert len(archives.read_texts(pack(*((f"{it}.tex", b"") for it in range(3000))))) == 3000
    with pytest.raises(ArchiveError, match=r"^holds more than 3,000 files$"):
        archives.read_texts(pack(*((f"{it}.tex", b"") for it in range(3100))))


BROKEN = {
    "no gzip": (b"\x1f\x8b broken", "is a broken archive"),
    "cut off": (gzip.compress(PAPER)[:-9], "is a broken archive"),
    "a beginning": (b"\x1f\x8b", "is a broken archive"),
    "a tar cut in a file": (packed(("main.tex", PAPER * 999))[:1200], "is a broken archive"),
    "nothing known": (b"\x00\x01" * 99, "is neither an archive nor a text"),
    "a list of files alone": (b"PK\x05\x06", "is a broken or protected archive"),
}


@pytest.mark.parametrize(("data", "why"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_said(data, why):
    with pytest.raises(ArchiveError, match=f"^{why}$"):
        archives.read_texts(data)


def with_holes(name, size):
    """A member of a tar that says that it is so long, all of it a hole that takes no room, as GNU's tar writes it."""
    info = tarfile.TarInfo(name)
    info.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[386:410] = b"%011o\0%011o\0" % (size, 0)
    header[483:495] = b"%011o\0" % size
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


def test_holes_in_a_tar_do_not_fill_the_memory():
    whole = b"".join(with_holes(f"{it}.tex", 19 << 20) for it in range(6)) + bytes(1024)
    assert len(whole) < 5000
    with pytest.raises(ArchiveError, match=r"^unpacks to more than 100 MB$"):
        archives.read_texts(whole)
    assert archives.read_texts(with_holes("main.tex", 9) + bytes(1024)) == {"main.tex": bytes(9)}


def test_a_text_larger_than_any_paper_has_is_passed_over():
    data = packed(("main.tex", PAPER), ("data.txt", b"1" * ((20 << 20) + 1)), ("refs.bib", b"B"))
    assert archives.read_texts(data) == {"main.tex": PAPER, "refs.bib": b"B"}


@pytest.mark.parametrize("pack", [packed, lambda *members: zipped(*members)], ids=["tar", "zip"])
def test_of_a_project_its_texts_are_read_by_their_endings(pack):
    read = [f"a.{it}" for it in "tex ltx bib bbl bst sty cls md qmd typ org txt json yaml TEX Bib".split()]
    other = ["a.png", "a.pdf", "a.py", "tex", "a.tex.gz", "Makefile"]
    assert list(archives.read_texts(pack(*((it, b"A") for it in read + other)))) == read


def test_a_text_may_hold_zero_bytes_far_behind_its_beginning():
    assert archives.read_texts(b"A" * 8192 + b"\0") == {"main.tex": b"A" * 8192 + b"\0"}
    with pytest.raises(ArchiveError, match="neither an archive nor a text"):
        archives.read_texts(b"A" * 8191 + b"\0")


def test_bent_archives_end_in_texts_or_a_sentence():
    whole = packed(("main.tex", PAPER), ("a/b.bib", b"@book{a}" * 50))
    chance = random.Random(7)  # noqa: S311  the same each time
    for _ in range(200):
        bent = bytearray(whole)
        for _ in range(chance.randrange(1, 9)):
            bent[chance.randrange(len(bent))] = chance.randrange(256)
        try:
            found = archives.read_texts(bytes(bent))
        except ArchiveError as problem:
            assert str(problem).startswith(("is ", "holds ", "unpacks "))
        else:
            assert not any(os.path.isabs(it) or ".." in it.split("/") for it in found)  # noqa: PTH117


def zipped(*members, packing=zipfile.ZIP_DEFLATED):
    """A zip of names, or of what zipfile knows of a file, with their bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing, compresslevel=1) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


def test_a_project_as_overleaf_exports_it():
    data = zipped(
        ("main.tex", PAPER), ("chapters/a.tex", b"A"), ("refs.bib", b"B"), ("fig.png", b"\0"), ("chapters/", b""),
        ("__MACOSX/._main.tex", b"\0\5\x16\7"),
    )  # fmt: skip
    assert archives.read_texts(data) == {"main.tex": PAPER, "chapters/a.tex": b"A", "refs.bib": b"B"}


def test_paths_and_links_of_a_zip_lead_nowhere():
    data = zipped(("../../etc/x.tex", b"A"), ("/etc/y.tex", b"B"), (link("z.tex"), b"/etc/passwd"))
    assert archives.read_texts(data) == {"etc/x.tex": b"A", "etc/y.tex": b"B"}


def test_a_folder_named_as_a_text_is_none():
    assert archives.read_texts(zipped(("a.tex/", b""), ("a.tex/b.tex", b"B"))) == {"a.tex/b.tex": b"B"}


def test_an_empty_zip():
    assert archives.read_texts(zipped()) == {}


def test_a_zip_that_grows_is_not_read():
    said = r"^unpacks to more than 100 MB, or holds a text of 20 MB$"
    with pytest.raises(ArchiveError, match=said):
        archives.read_texts(zipped(("main.tex", bytes(30 << 20))))
    with pytest.raises(ArchiveError, match=said):
        archives.read_texts(zipped(*((f"{it}.tex", bytes(19 << 20)) for it in range(6))))


def test_a_zip_that_lies_about_the_length_of_a_text():
    data = bytearray(zipped(("main.tex", bytes(30 << 20))))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", data, data.index(mark) + at, 50)
    with pytest.raises(ArchiveError, match="broken"):
        archives.read_texts(bytes(data))


def test_a_list_of_a_million_files_is_not_read():
    """Each would take half a kilobyte of memory."""
    entry = b"PK\x01\x02" + bytes(42)
    listed = entry * 1_000_000
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(listed), 0, 0)
    start = time.process_time()
    with pytest.raises(ArchiveError, match="more than 3,000 files"):
        archives.read_texts(b"PK\x05\x06" + bytes(18) + listed + end)
    assert time.process_time() - start < 1


def test_a_list_that_is_said_elsewhere_to_be_longer_is_not_read():
    data = zipped(("main.tex", PAPER))
    locator = b"PK\x06\x07" + bytes(16)
    with pytest.raises(ArchiveError, match="more than 3,000 files"):
        archives.read_texts(data[:-22] + locator + data[-22:])


def test_a_packing_that_takes_any_memory_is_not_read():
    with pytest.raises(ArchiveError, match="packed in a way"):
        archives.read_texts(zipped(("main.tex", PAPER), packing=zipfile.ZIP_LZMA))


def test_a_protected_zip():
    data = bytearray(zipped(("main.tex", PAPER)))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    with pytest.raises(ArchiveError, match="broken or protected"):
        archives.read_texts(bytes(data))


def test_bent_zips_end_in_texts_or_a_sentence():
    whole = zipped(("main.tex", PAPER), ("a/b.bib", b"@book{a}" * 50))
    chance = random.Random(7)  # noqa: S311  the same each time
    for _ in range(400):
        bent = bytearray(whole)
        for _ in range(chance.randrange(1, 5)):
            bent[chance.randrange(4, len(bent))] = chance.randrange(256)
        try:
            found = archives.read_texts(bytes(bent))
        except ArchiveError as problem:
            assert str(problem).startswith(("is ", "holds ", "unpacks "))
        else:
            assert not any(os.path.isabs(it) or ".." in it.split("/") for it in found)  # noqa: PTH117
