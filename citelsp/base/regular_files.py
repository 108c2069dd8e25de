"""Reading regular files, and nothing else that a name may stand for: devices, pipes and sockets may block for ever."""

import os
import stat
from io import BufferedReader

_NONBLOCKING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)  # neither exists on Windows


class TooLargeError(OSError):
    """The file holds more than may be read."""


def read(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a regular file, at most so many; OSError if it is none, whatever it was a moment ago.

    Files that say that they are empty are not read: what the kernel makes up on reading may never come or end.
    """
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        return file.read(most) or b"" if size else b""


def read_whole(path: str | os.PathLike[str], most: int) -> bytes:
    """All bytes of a regular file; TooLargeError if there are more than `most`, of which few are read then."""
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(most + 1) or b"" if 0 < size <= most else b""
    if size > most or len(data) > most:
        raise TooLargeError(f"larger than {most // 1_000_000} MB, or what is read of such a file")
    return data


def open_file(path: str | os.PathLike[str]) -> BufferedReader:
    """A regular file, to be read; OSError if it is none."""
    return open(path, "rb", opener=_opened)


def _opened(path: str, flags: int) -> int:
    """A descriptor that opening does not wait for; it is looked at only now, so that nothing can take its place."""
    descriptor = os.open(path, flags | _NONBLOCKING)
    # The descriptor, not the name: between a look at a name and its opening another file can take the place.
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError("not a regular file")
