"""The texts in an archive from a stranger: tar, gzip or both, or zip, read in memory and within limits.

No file is written, so a path in the archive can lead nowhere; links and devices are passed over.
"""

import gzip
import io
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

# A broken or encrypted zip raises whatever its parts make zipfile run into.
BROKEN = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError)
_MOST = 100 << 20  # bytes, unpacked
_LARGEST = 20 << 20  # bytes of one text
_FILES = 3000
_DIRECTORY = _FILES * 512  # bytes of the list of files in a zip
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


_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_END = re.compile(rb"PK\x05\x06(?=.{18})", re.DOTALL)
_FURTHEST = (1 << 16) + 22  # bytes from the end of a zip to the end of its list of files
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for any amount of memory


class ArchiveError(Exception):
    """Why an archive is not read, to be put behind its name."""


def read_texts(data: bytes) -> dict[str, bytes]:
    """Return the texts of an archive by their paths in it; a single text, as arXiv has it, is `main.tex`.

    In an archive a text is what has one of the endings in _READ.  ArchiveError if `data` is neither a
    zip, a tar (with gzip or without) nor a text, or if it is broken, protected or larger than any paper.
    """
    if data.startswith(_ZIP):
        return dict(_zip_members(data))
    unpacked = _unzip(data) if data.startswith(b"\x1f\x8b") else data
    if _is_tar(unpacked):
        return dict(_tar_members(unpacked))
    if b"\0" in unpacked[:8192]:  # as no text has it
        raise ArchiveError("is neither an archive nor a text")
    return {"main.tex": unpacked}


def _unzip(data: bytes) -> bytes:
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


def _tar_members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the texts in a tar; ArchiveError if it is broken or too large.

    A text of more than `_LARGEST` bytes is passed over.  A zip with one is rejected: who exported it can leave that
    text out, but nobody can do so in a tar, which is how arXiv packs a paper.
    """
    size = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:  # "r:": nothing is compressed any more
            for number, member in enumerate(archive, start=1):
                if number > _FILES:
                    raise ArchiveError(f"holds more than {_FILES:,} files")
                path = PurePosixPath(member.name)
                if not member.isreg() or path.suffix.lower() not in _READ or member.size > _LARGEST:
                    continue
                # A sparse file takes little room in the archive and may be of any size: the size it claims is counted.
                size += member.size
                if size > _MOST:
                    raise ArchiveError(f"unpacks to more than {_MOST >> 20} MB")
                file = archive.extractfile(member)
                if file is not None:  # always so of a regular file: for the type checker
                    yield _path_inside(path), file.read()
    except (tarfile.TarError, OSError, ValueError, OverflowError) as problem:
        raise ArchiveError("is a broken archive") from problem


def _path_inside(path: PurePosixPath) -> str:
    """The path as it is below the archive, wherever it wants to lead."""
    return "/".join(it for it in path.parts if it not in ("/", "..", "."))


def _zip_members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the texts in a zip; ArchiveError if it is broken, protected or too large."""
    if not has_short_list(data):  # before zipfile reads the list
        raise ArchiveError(f"holds more than {_FILES:,} files")
    size = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) > _FILES:  # which may be in a list short enough, if their names are short
                raise ArchiveError(f"holds more than {_FILES:,} files")
            for member in archive.infolist():
                path = PurePosixPath(member.filename)
                if not _is_text(member, path):
                    continue
                size += member.file_size  # zipfile reads no more bytes than this, even if more are packed there
                if size > _MOST or member.file_size > _LARGEST:
                    raise ArchiveError(f"unpacks to more than {_MOST >> 20} MB, or holds a text of {_LARGEST >> 20} MB")
                if member.compress_type not in _PACKINGS:
                    raise ArchiveError("is packed in a way that is not read")
                yield _path_inside(path), archive.read(member)
    except BROKEN as problem:
        raise ArchiveError("is a broken or protected archive") from problem


def _is_text(member: zipfile.ZipInfo, path: PurePosixPath) -> bool:
    is_link = stat.S_ISLNK(member.external_attr >> 16)
    is_readable = path.suffix.lower() in _READ and "__MACOSX" not in path.parts
    return is_readable and not is_link and not member.is_dir()


def has_short_list(data: bytes) -> bool:
    """Return False if the zip's list of files would fill the memory: zipfile reads all of it when it opens a zip.

    The record at the end of a zip says how many bytes the list has; if a record of 20 bytes stands before it, that
    points to a longer list, which no paper needs.  Bytes that only look like the end of a zip count as well: zipfile
    might take any of them for the end.  True also if there is no end at all: such a zip zipfile rejects by itself.
    """
    tail = data[-_FURTHEST:]
    for end in _ZIP_END.finditer(tail):
        at = end.start()
        (bytes_of_list,) = struct.unpack_from("<I", tail, at + 12)
        has_longer_list = tail[max(0, at - 20) : at].startswith(b"PK\x06\x07")
        if bytes_of_list > _DIRECTORY or has_longer_list:
            return False
    return True
