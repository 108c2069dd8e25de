"""Papers as nobody sends them: bent PDFs, archives that grow, XML with entities, 5 MB of anything.

    python tests/support/hostile_papers.py FILE…

checks each file as `citelsp check --offline` does and prints a line of JSON for it: the seconds of the processor that
this process and its readers took, the exit status, what was said to the person, and the most memory so far.
"""

import contextlib
import io
import json
import os
import random
import sys
import tarfile
import traceback
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pdf_files

LONG = 5 << 20  # characters of a text; all sizes follow it
REFERENCE = "A. Byron and D. Knuth. Notes on engines. Memoirs of the Society, 3(2):1-9, 1843. doi:10.1234/abc."
PIECES = (
    REFERENCE, "\n", "[1] ", "(", ")", "{", "}", "\\bibitem{a} ", "\\entry{a}{article}{}", "\\newblock ", "$", "%",
    "2020", ". ", ", ", "; ", ": ", "and ", "et al. ", "“", "”", "— ", "é", "\u202e", "\ue001", "\ue002", "10.1234/",
    "https://", "@article{", "a", "Ab", "X. ", "参考文献", "References\n", "# References\n", "1. ", "- ", " ", "\t",
    "&amp;",
)  # fmt: skip
DOCTYPE = (
    '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + ' <!ENTITY f SYSTEM "file:///etc/passwd">]><w:document xmlns:w="w"><w:p><w:t>&i;&f;</w:t></w:p></w:document>'
)


def _text(chance: random.Random) -> str:
    pieces = chance.choices(PIECES, k=chance.choice((1, 1, 2, 3, 8))) + ["\0"] * (chance.random() < 0.05)
    if chance.random() < 0.5:
        unit = "".join(pieces)
        return unit * (LONG // len(unit))
    return "".join(chance.choices(PIECES, k=LONG // 8))


def _bent(data: bytes, chance: random.Random) -> bytes:
    """Bytes with some changed, left out, doubled or cut off."""
    bent = bytearray(data)
    for _ in range(chance.choice((1, 3, 30))):
        at = chance.randrange(len(bent))
        length = chance.choice((1, 4, 64, 1000))
        match chance.randrange(4):
            case 0:
                bent[at] = chance.randrange(256)
            case 1:
                del bent[at : at + length]
            case 2:
                bent[at:at] = bent[at : at + length]
            case _:
                bent[at : at + 4] = b"9999"
        bent = bent or bytearray(b"%PDF")
    return bytes(bent)


def _pdf(path: Path, chance: random.Random) -> None:
    lines = ["Words of prose."] * 20 + ["References", *(f"[{it}] {REFERENCE}" for it in range(1, 30))]
    content = pdf_files.shown(lines)
    match chance.randrange(8):
        case 0:
            page = pdf_files.stream(bytes(12 * LONG), packed=3)
        case 1:
            line = "".join(chance.choices(PIECES, k=200))[:500]
            page = pdf_files.stream(pdf_files.shown([line.encode("ascii", "ignore").decode()] * 3000))
        case _:
            page = pdf_files.stream(content)
    pdf_files.written(path, (page, chance.choice((1, 2, 50, 1000))))
    if chance.random() < 0.7:
        path.write_bytes(_bent(path.read_bytes(), chance))


def _zipped(path: Path, members: dict[str, bytes], chance: random.Random) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    if chance.random() < 0.3:
        path.write_bytes(_bent(path.read_bytes(), chance))


def _office(path: Path, chance: random.Random) -> None:
    part = "word/document.xml" if path.suffix == ".docx" else "content.xml"
    text = _text(chance)[: 1 << 20].replace("<", "").replace("&", "").replace("\0", "")
    xml = chance.choice(
        (
            lambda: DOCTYPE.encode(),
            lambda: bytes(12 * LONG),
            lambda: b"<a>" * 1_000_000,
            lambda: f"<w:document xmlns:w='w'><w:p><w:t>{text}</w:t></w:p></w:document>".encode(),
            lambda: b"<w:document xmlns:w='w'>" + b"<w:p><w:t>x</w:t></w:p>" * 200_000 + b"</w:document>",
            lambda: b"<w:document xmlns:w='w'><w:p><w:instrText>ADDIN ZOTERO_ITEM CSL_CITATION " + b"[" * 2_000_000,
        )
    )()
    many = {f"word/media/{it}.png": b"" for it in range(40_000 if chance.random() < 0.1 else 0)}
    _zipped(path, {part: xml, **many}, chance)


def _archive(path: Path, chance: random.Random) -> None:
    names = chance.choice((["main.tex"], ["../../../tmp/x.tex", "/etc/y.tex"], [f"{it}.tex" for it in range(4000)]))
    size = chance.choice((10, LONG // 5, 60 * LONG)) if len(names) < 3 else 10
    _zipped(path, dict.fromkeys(names, bytes(size) if size > LONG else _text(chance)[:size].encode()), chance)


def _tar(path: Path, chance: random.Random) -> None:
    with tarfile.open(path, chance.choice(("w", "w:gz"))) as archive:
        for name in ("../../x.tex", "/etc/y.tex", "main.tex", *(f"{it}.tex" for it in range(chance.choice((1, 5000))))):
            member = tarfile.TarInfo(name)
            if chance.random() < 0.2:
                member.type, member.linkname = chance.choice((tarfile.SYMTYPE, tarfile.LNKTYPE)), "/etc/passwd"
                archive.addfile(member)
            else:
                data = REFERENCE.encode()
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    if chance.random() < 0.5:
        path.write_bytes(_bent(path.read_bytes(), chance))


def _plain(path: Path, chance: random.Random) -> None:
    data = _text(chance).encode()
    others = (data, chance.randbytes(LONG), zlib.compress(data))
    path.write_bytes(chance.choice(others) if chance.random() < 0.3 else data)


def _notebook(path: Path, chance: random.Random) -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": _text(chance)}
    written = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    path.write_text(written, encoding="utf-8")
    if chance.random() < 0.3:
        path.write_bytes(_bent(path.read_bytes(), chance))


KINDS: dict[str, Callable[[Path, random.Random], None]] = {
    ".pdf": _pdf, ".docx": _office, ".odt": _office, ".zip": _archive, ".tar": _tar, ".txt": _plain, ".bbl": _plain,
    ".md": _plain, ".org": _plain, ".bib": _plain, ".tex": _plain, ".typ": _plain, ".ipynb": _notebook,
}  # fmt: skip


def made(folder: Path, count: int, chance: random.Random) -> Iterator[Path]:
    """So many files in turn of every kind."""
    for number in range(count):
        ending = list(KINDS)[number % len(KINDS)]
        own = folder / f"{number:04}"
        own.mkdir()
        path = own / f"paper{ending}"
        KINDS[ending](path, chance)
        yield path


def checked(path: Path) -> dict[str, object]:
    from citelsp.cli import main
    from citelsp.received import inputs

    before, said, status = _seconds(), io.StringIO(), 0
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        try:
            if path.suffix == ".tar":
                said.write(inputs.unpack(path.name, path.read_bytes()).problem)
            else:
                status = main(["check", "--offline", str(path)])
        except BaseException:  # noqa: BLE001 - a crash is what is looked for
            said.write(traceback.format_exc())
            status = -1
    return {
        "file": f"{path.parent.name}/{path.name}",
        "seconds": round(_seconds() - before, 2),
        "status": status,
        "said": said.getvalue(),
        "memory": _megabytes(),
    }


def _seconds() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _megabytes() -> int:
    """The most that this process or a reader of it has held, in MB.

    Linux hands `ru_maxrss` on to a program that is started, so that a child would count what the test runner held.
    """
    import resource

    own, readers = (resource.getrusage(it).ru_maxrss for it in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    if sys.platform == "darwin":
        return max(own, readers) >> 20  # counted in bytes there
    status = Path("/proc/self/status").read_text(encoding="ascii")
    own = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    return max(own, readers) >> 10


if __name__ == "__main__":
    for named in sys.argv[1:]:
        sys.stdout.write(f"{json.dumps(checked(Path(named)))}\n")
        sys.stdout.flush()
