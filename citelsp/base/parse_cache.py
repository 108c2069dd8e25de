"""What took long to work out from a text, for the next start: columns of numbers and words, cached in private files.

A file is named by what it was worked out from: the text, and the modules that did it.  None is ever changed, so several
servers can share them.  Files are read only if nobody else can have written them, and hold no code.
"""

import json
import os
import stat
import struct
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import citelsp
from citelsp.base import regular_files

FOLDER = "bibliographies"  # in the user's cache directory
_MB = 1 << 20
_MOST_BYTES = 200 * _MB  # in all files
_LARGEST_FILE = 50 * _MB
_CHECKSUM_SIZE = 32  # bytes; a file begins with a checksum of all that follows
_HEAD = struct.Struct("<Q")  # how long the JSON is that follows
_UNFINISHED_AFTER = 3600.0  # seconds after which a file is finished or never will be
_UNFINISHED = ".new"

Columns = Sequence[Sequence[Any]]  # each an array of numbers or a list of words


class ParseCache:
    """Columns by name in a folder that only the user can read."""

    def __init__(self, folder: Path, most: int = _MOST_BYTES) -> None:
        self._folder = folder
        self._most = most  # bytes in all files

    def get(self, name: str) -> Columns | None:
        """Return what was put under a name; None if nothing was, if it is damaged, or if others may have written it."""
        path = self._folder / name
        try:
            if not _is_private(self._folder.stat()):
                return None
            with regular_files.open_file(path) as file:
                if not _is_private(os.fstat(file.fileno())):
                    return None
                data = file.read(_LARGEST_FILE + 1)  # a byte more shows that it is too large
            os.utime(path)  # those not used for longest are removed first
        except OSError:
            return None
        content = memoryview(data)[_CHECKSUM_SIZE:]
        is_whole = len(data) <= _LARGEST_FILE and data[:_CHECKSUM_SIZE] == _checksum(content)
        return _from_bytes(content) if is_whole else None

    def put(self, name: str, columns: Columns) -> None:
        """Write columns under a name, whole or not at all; if that fails, or they are too large, nothing is written.

        Afterwards the files used least recently are removed, if all together are too large.
        """
        data = _to_bytes(columns)
        if _CHECKSUM_SIZE + len(data) > _LARGEST_FILE:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # One that was there already, too: `get` reads nothing from a folder that others may write to.
            if os.name == "posix":
                self._folder.chmod(0o700)
            descriptor, draft = tempfile.mkstemp(suffix=_UNFINISHED, dir=self._folder)
            try:
                with open(descriptor, "wb") as file:  # noqa: PTH123  a descriptor
                    file.write(_checksum(data))
                    file.write(data)
                Path(draft).replace(self._folder / name)
            except OSError:
                Path(draft).unlink(missing_ok=True)
            self._shrink()

    def clear(self) -> int:
        """Remove all; return how many bytes that were."""
        sizes = [size for _, size, path in self._files() if _removed(path)]
        return sum(sizes)

    def size(self) -> int:
        """Bytes in all files."""
        return sum(size for _, size, _ in self._files())

    def _shrink(self) -> None:
        """Remove what was not used for longest, so that the rest fits, and what was never finished."""
        unfinished_before = time.time() - _UNFINISHED_AFTER
        total = 0
        for last_used, size, path in sorted(self._files(), reverse=True):
            total += size
            is_left_over = path.suffix == _UNFINISHED and last_used < unfinished_before
            if total > self._most or is_left_over:
                _removed(path)

    def _files(self) -> Iterator[tuple[float, int, Path]]:
        """When each was last used, its bytes and its path."""
        with suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):  # another server may have removed it
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        yield status.st_mtime, status.st_size, Path(entry.path)


def name_of(kind: str, made_of: bytes) -> str:
    """Return a file name for what these modules, as they are now, make of this content."""
    return f"{kind}-{blake2b(made_of, digest_size=_CHECKSUM_SIZE, key=_program()).hexdigest()}"


@cache
def _program() -> bytes:
    """Return what tells one version of the readers from another; in a checkout they change without a new version."""
    folder = Path(citelsp.__file__).parent
    version: list[object] = [citelsp.__version__, sys.version, sys.byteorder]
    for path in sorted([*folder.glob("syntax/**/*.py"), *folder.glob("bibliography/**/*.py")]):
        with suppress(OSError):
            status = path.stat()
            version += [path.name, status.st_size, status.st_mtime_ns]
    return _checksum(json.dumps(version).encode())


def _is_private(known: os.stat_result) -> bool:
    """True if it belongs to the user and nobody else can write it."""
    return os.name != "posix" or (known.st_uid == os.geteuid() and not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _removed(path: Path) -> bool:
    with suppress(OSError):
        path.unlink()
        return True
    return False


def _checksum(data: bytes | memoryview) -> bytes:
    return blake2b(data, digest_size=_CHECKSUM_SIZE).digest()


def _to_bytes(columns: Columns) -> bytes:
    """Return the columns as bytes: the length of a head, the head in JSON, then the numbers of all columns of numbers.

    The head has for each column of words `["", word, …]`, and for one of numbers `[typecode, length]`.
    """
    head: list[list[object]] = []
    numbers: list[bytes] = []
    for column in columns:
        if isinstance(column, array):
            head.append([column.typecode, len(column)])
            numbers.append(column.tobytes())
        else:
            head.append(["", *column])
    written_head = json.dumps(head).encode()
    return b"".join([_HEAD.pack(len(written_head)), written_head, *numbers])


def _from_bytes(data: memoryview) -> Columns:
    """Return the columns that `_to_bytes` wrote; by the checksum the bytes are known to be its own."""
    (head_length,) = _HEAD.unpack_from(data)
    offset = _HEAD.size + head_length
    columns: list[Sequence[Any]] = []
    # `["", word, …]` is a column of words, `[typecode, length]` one of numbers, which follow behind the head.
    for typecode, *words_or_length in json.loads(bytes(data[_HEAD.size : offset])):
        if typecode:
            [length] = words_or_length
            numbers = array(typecode)
            end = offset + length * numbers.itemsize
            numbers.frombytes(data[offset:end])
            columns.append(numbers)
            offset = end
        else:
            columns.append(words_or_length)
    return columns
