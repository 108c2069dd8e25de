"""The texts in an archive from a stranger: tar, gzip or both, read in memory and within limits.

No file is written, so a path in the archive can lead nowhere; links and devices are passed over.
"""

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

_MOST = 100 << 20  # bytes, unpacked
_LARGEST = 20 << 20  # bytes of one text
_FILES = 3000
_PIECE = 1 << 20
_READ = (
    ".tex",
    ".ltx",
    ".bib",
    ".bbl",
    ".bst",
    ".sty",
    ".cls",
    ".md",
    ".qmd",
    ".typ",
    ".org",
    ".txt",
    ".json",
    ".yaml",
)


class ArchiveError(Exception):
    """Why an archive is not read, to be put behind its name."""


def texts(data: bytes) -> dict[str, bytes]:
    """The texts of an archive by their paths in it, or the only one as `main.tex`; ArchiveError if it is no such thing.

    Of what is larger than any paper nothing is read.
    """
    unpacked = _unzipped(data) if data.startswith(b"\x1f\x8b") else data
    if _is_tar(unpacked):
        return dict(_members(unpacked))
    if b"\0" in unpacked[:8192]:
        raise ArchiveError("is neither an archive nor a text")
    return {"main.tex": unpacked}


def _unzipped(data: bytes) -> bytes:
    found = bytearray()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while piece := file.read(_PIECE):
                found += piece
                if len(found) > _MOST:
                    raise ArchiveError(f"unpacks to more than {_MOST >> 20} MB")
    except (OSError, EOFError, zlib.error) as problem:
        raise ArchiveError("is a broken archive") from problem
    return bytes(found)


def _is_tar(data: bytes) -> bool:
    return data[257:262] == b"ustar" or (len(data) >= 1024 and _has_checksum(data[:512]))


def _has_checksum(header: bytes) -> bool:
    """True for a header of the first tar, which has no mark of its own."""
    try:
        return int(header[148:156].strip(b"\0 ") or b"0", 8) == sum(header[:148]) + 256 + sum(header[156:]) > 256
    except ValueError:
        return False


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    size = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for number, member in enumerate(archive):
                if number > _FILES:
                    raise ArchiveError(f"holds more than {_FILES:,} files")
                path = PurePosixPath(member.name)
                if not member.isreg() or path.suffix.lower() not in _READ or member.size > _LARGEST:
                    continue
                size += member.size
                file = archive.extractfile(member)
                if size > _MOST or file is None:
                    continue
                yield "/".join(it for it in path.parts if it not in ("/", "..", ".")), file.read(_LARGEST)
    except (tarfile.TarError, OSError, ValueError, OverflowError) as problem:
        raise ArchiveError("is a broken archive") from problem
