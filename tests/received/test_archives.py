import gzip
import io
import os
import random
import tarfile

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
    assert archives.texts(data) == {"main.tex": PAPER, "sections/a.tex": b"A", "main.bbl": b"B"}


def test_one_file_alone():
    assert archives.texts(gzip.compress(PAPER)) == {"main.tex": PAPER}


def test_paths_lead_nowhere():
    data = packed(("../../etc/x.tex", b"A"), ("/etc/y.tex", b"B"), ("z.tex", "/etc/passwd"), ("d/./w.tex", b"C"))
    assert archives.texts(data) == {"etc/x.tex": b"A", "etc/y.tex": b"B", "d/w.tex": b"C"}


def test_what_grows_is_not_read():
    bomb = gzip.compress(bytes(200 << 20), 9)
    with pytest.raises(ArchiveError, match="unpacks to more than 100 MB"):
        archives.texts(bomb)


def test_too_many_files():
    with pytest.raises(ArchiveError, match="more than 3,000 files"):
        archives.texts(packed(*((f"{it}.tex", b"") for it in range(3100))))


BROKEN = {
    "no gzip": b"\x1f\x8b broken",
    "cut off": gzip.compress(PAPER)[:-9],
    "nothing known": b"\x00\x01" * 99,
    "a beginning": b"\x1f\x8b",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_said(data):
    with pytest.raises(ArchiveError):
        archives.texts(data)


def test_bent_archives_end_in_texts_or_a_sentence():
    whole = packed(("main.tex", PAPER), ("a/b.bib", b"@book{a}" * 50))
    chance = random.Random(7)  # noqa: S311  the same each time
    for _ in range(200):
        bent = bytearray(whole)
        for _ in range(chance.randrange(1, 9)):
            bent[chance.randrange(len(bent))] = chance.randrange(256)
        try:
            found = archives.texts(bytes(bent))
        except ArchiveError as problem:
            assert str(problem).startswith(("is ", "holds ", "unpacks "))
        else:
            assert not any(os.path.isabs(it) or ".." in it.split("/") for it in found)  # noqa: PTH117
