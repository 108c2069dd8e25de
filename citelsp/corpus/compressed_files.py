"""Files as bytes, unpacked if they are compressed; what would fill the memory is refused."""

import bz2
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any

from citelsp.base import regular_files

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_ENDINGS = frozenset({".gz", ".xz", ".bz2"})
_MB = 1 << 20
_LARGEST = 500 * _MB  # of a file that is read at once
_LONGEST = 32 * _MB  # of one line
_GROWTH, _HARMLESS = 100, 10 * _MB  # text of that size is not compressed to a hundredth of it
_BEGINNING = 8192  # bytes in which a file that is no text shows it, by a zero byte
_DESCRIPTORS = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")  # what a shell gives a command to read, which may be a pipe
_UNPACKED: Mapping[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open, b"\xfd7zXZ\0": lzma.open, b"BZh": bz2.open,
}  # fmt: skip


class PackedError(Exception):
    """The file is damaged, too large or no text; says which."""


def unpacked_name(path: Path) -> PurePath:
    """`refs.bib` for `refs.bib.gz`."""
    return path.with_suffix("") if path.suffix.lower() in _ENDINGS else path


def lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a text file, unpacked and with their ends.

    PackedError if the file cannot be opened, is no text, is damaged, has a line that is too long, or looks like a bomb;
    it may come after some of the lines.  OSError if the disk fails.
    """
    with _open(path) as (file, limit):
        read = 0
        # A bomb may be one line of a terabyte: no line is read further than it may be long.
        while line := file.readline(_LONGEST + 1):
            if read < _BEGINNING and b"\0" in line:  # text has no zero bytes
                raise PackedError("it is neither a PDF nor text, plain or compressed (gz, xz, bz2)")
            read += len(line)
            if len(line) > _LONGEST:
                raise PackedError(f"it has a line of more than {_LONGEST // _MB} MB")
            if read > limit:
                raise PackedError(f"it unpacks to more than {_GROWTH} times its size, as text never does")
            yield line


def read_whole(path: Path) -> bytes:
    with _open(path) as (file, limit):
        if os.fstat(file.fileno()).st_size > _LARGEST:
            raise PackedError(f"it is larger than {_LARGEST // _MB} MB")
        data = file.read(min(limit, _LARGEST) + 1)
    if len(data) > min(limit, _LARGEST):
        raise PackedError(f"it is larger than {min(limit, _LARGEST) // _MB} MB")
    return data


class _BegunPipe(io.RawIOBase):
    """A pipe whose first bytes have been read, `beginning`: it gives them once more."""

    def __init__(self, beginning: bytes, pipe: io.BufferedReader) -> None:
        super().__init__()
        self._beginning = beginning
        self._pipe = pipe

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._pipe.fileno()

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        room = memoryview(buffer)
        data = self._beginning[: len(room)]
        if data:
            self._beginning = self._beginning[len(data) :]
        else:
            data = self._pipe.read1(len(room))
        room[: len(data)] = data
        return len(data)


@contextmanager
def _open(path: Path) -> Iterator[tuple[IO[bytes], int]]:
    """Open the file, unpacked if its first bytes are those of gzip, xz or bzip2; also say how many bytes may be read.

    PackedError if it cannot be opened or is damaged.  Damage may show only within the caller's `with`, while the file
    is read, and is told in the same way.  An OSError of the disk, which has an `errno`, goes through as it is.
    """
    try:
        # A shell may give a pipe to read, as `/dev/fd/63`; of other paths only regular files are opened.
        opened = path.open("rb") if str(path).startswith(_DESCRIPTORS) else regular_files.open_file(path)
    except OSError as problem:
        raise PackedError(f"it cannot be read: {problem.strerror or problem}") from problem
    with opened:
        # `read` waits for the bytes that a pipe gives later, as `peek` does not.
        beginning = opened.read(max(map(len, _UNPACKED)))
        file = opened
        if opened.seekable():
            opened.seek(0)
        else:
            file = io.BufferedReader(_BegunPipe(beginning, opened))
        unpack = next((it for mark, it in _UNPACKED.items() if beginning.startswith(mark)), None)
        if unpack is None:
            yield file, sys.maxsize  # it cannot be a bomb: no more comes out than lies on the disk
            return
        size = path.stat().st_size or sys.maxsize  # a pipe has none: how far it may grow cannot be told, nor limited
        try:
            with unpack(file) as unpacked:
                yield unpacked, max(_HARMLESS, _GROWTH * size)
        except (EOFError, zlib.error, lzma.LZMAError) as problem:
            raise PackedError(f"it is damaged: {problem}") from problem
        except OSError as problem:
            if problem.errno:  # of the disk, not of what is packed
                raise
            raise PackedError(f"it is damaged: {problem}") from problem
