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
from itertools import accumulate
from pathlib import Path
from typing import Any

import citelsp
from citelsp.base import regular_files

FOLDER = "bibliographies"  # in the user's cache directory
_MB = 1 << 20
_MOST = 200 * _MB  # in all files
_LARGEST = 50 * _MB  # in one
_SUM = 32  # bytes of the checksum with which a file begins
_HEAD = struct.Struct("<Q")  # how long the JSON is that follows
_LEFT_OVER = 3600.0  # seconds after which a file is finished or never will be
_UNFINISHED = ".new"

Columns = Sequence[Sequence[Any]]  # each an array of numbers or a list of words


class ParseCache:
    """Columns by name in a folder that only the user can read."""

    def __init__(self, folder: Path, most: int = _MOST) -> None:
        self._folder = folder
        self._most = most  # bytes

    def get(self, name: str) -> Columns | None:
        """None if there are none, they are damaged, or somebody else may have written them."""
        path = self._folder / name
        try:
            if not _is_private(self._folder.stat()):
                return None
            with regular_files.opened(path) as file:
                if not _is_private(os.fstat(file.fileno())):
                    return None
                data = file.read(_LARGEST + 1)
            os.utime(path)  # those not used for longest are removed first
        except OSError:
            return None
        sound = len(data) <= _LARGEST and data[:_SUM] == _checksum(memoryview(data)[_SUM:])
        return _columns(memoryview(data)[_SUM:]) if sound else None

    def put(self, name: str, columns: Columns) -> None:
        """Written whole or not at all; not being able to is no error."""
        data = _bytes(columns)
        if len(data) + _SUM > _LARGEST:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if os.name == "posix":
                self._folder.chmod(0o700)
            descriptor, written = tempfile.mkstemp(suffix=_UNFINISHED, dir=self._folder)
            try:
                with open(descriptor, "wb") as file:  # noqa: PTH123  a descriptor
                    file.write(_checksum(data))
                    file.write(data)
                Path(written).replace(self._folder / name)
            except OSError:
                Path(written).unlink(missing_ok=True)
            self._shrink()

    def clear(self) -> int:
        """Remove all; return how many bytes that were."""
        sizes = [size for _, size, path in self._files() if _removed(path)]
        return sum(sizes)

    def size(self) -> int:
        """Bytes in all files."""
        return sum(size for _, size, _ in self._files())

    def _shrink(self) -> None:
        files = sorted(self._files(), reverse=True)
        before = time.time() - _LEFT_OVER
        for (used, _, path), total in zip(files, accumulate(size for _, size, _ in files), strict=True):
            if total > self._most or (path.suffix == _UNFINISHED and used < before):
                _removed(path)

    def _files(self) -> Iterator[tuple[float, int, Path]]:
        """When each was last used, its bytes and its path."""
        with suppress(OSError), os.scandir(self._folder) as found:
            for entry in found:
                with suppress(OSError):  # another server may have removed it
                    known = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(known.st_mode):
                        yield known.st_mtime, known.st_size, Path(entry.path)


def name_of(kind: str, made_of: bytes) -> str:
    """A file name for what these modules, as they are, make of this."""
    return f"{kind}-{blake2b(made_of, digest_size=_SUM, key=_program()).hexdigest()}"


@cache
def _program() -> bytes:
    """What tells one version of the readers from another; in a checkout they change without a new version."""
    folder = Path(citelsp.__file__).parent
    found: list[object] = [citelsp.__version__, sys.version, sys.byteorder]
    for path in sorted([*folder.glob("syntax/**/*.py"), *folder.glob("bibliography/**/*.py")]):
        with suppress(OSError):
            known = path.stat()
            found += [path.name, known.st_size, known.st_mtime_ns]
    return _checksum(json.dumps(found).encode())


def _is_private(known: os.stat_result) -> bool:
    """True if it belongs to the user and nobody else can write it."""
    return os.name != "posix" or (known.st_uid == os.geteuid() and not known.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _removed(path: Path) -> bool:
    with suppress(OSError):
        path.unlink()
        return True
    return False


def _checksum(data: bytes | memoryview) -> bytes:
    return blake2b(data, digest_size=_SUM).digest()


def _bytes(columns: Columns) -> bytes:
    """The words, and how long the columns of numbers are, as JSON; then the numbers."""
    numbers = [it for it in columns if isinstance(it, array)]
    head = json.dumps([[it.typecode, len(it)] if isinstance(it, array) else ["", *it] for it in columns]).encode()
    return b"".join([_HEAD.pack(len(head)), head, *(it.tobytes() for it in numbers)])


def _columns(data: memoryview) -> Columns:
    """What `_bytes` wrote: nothing else has its checksum."""
    start = _HEAD.size + _HEAD.unpack_from(data)[0]
    found: list[Sequence[Any]] = []
    for kind, *words in json.loads(bytes(data[_HEAD.size : start])):
        if not kind:
            found.append(words)
            continue
        numbers = array(kind)
        end = start + words[0] * numbers.itemsize
        numbers.frombytes(data[start:end])
        start = end
        found.append(numbers)
    return found
