"""A file that a person named: read within bounds, written whole or not at all, never over somebody else's change."""

import os
from dataclasses import dataclass
from pathlib import Path

from citelsp.base import atomic, regular_files
from citelsp.base.text import quote_name
from citelsp.cli import common
from citelsp.workspace.disk import decode, is_inside, limit_of, wrong_line


class FileProblem(Exception):  # noqa: N818  what is said of a file
    """Why the file is not read or written, to stand behind its name."""


class ChangedError(FileProblem):
    """The file is no longer what was read."""

    def __init__(self) -> None:
        super().__init__("it has changed in the meantime")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file as it was read, and how its text becomes bytes."""

    path: str
    data: bytes | None  # None: there is no such file yet
    text: str
    encoding: str

    def bytes_of(self, text: str) -> bytes:
        """Return the text in the file's encoding, with its byte order mark if it is UTF-16.

        UnicodeEncodeError if the encoding lacks a letter.
        """
        mark = (self.data or b"")[:2] if self.encoding == "utf-16" else b""
        if not mark:
            return text.encode(self.encoding)
        # Python's "utf-16" would write a mark and the order of this machine.
        order = "utf-16-be" if mark == b"\xfe\xff" else "utf-16-le"
        return mark + text.encode(order)

    def find_why_not_added(self, text: str) -> str:
        """Say why this text cannot be added to the file; "" if it can.

        ASCII always can.  Other letters cannot if the file's encoding lacks them, nor if most of the file is UTF-8 but
        some line is not: such a file was read as cp1252 or Latin-1, and letters added in these would spoil it further.
        """
        if text.isascii():
            return ""
        is_of_single_bytes = self.encoding in ("cp1252", "latin-1")
        # 0, too, if the file really is in such an encoding, and not UTF-8 with a wrong line.
        line = wrong_line(self.data or b"") if is_of_single_bytes else 0
        if line:
            return f"its line {line} is not UTF-8 as the rest is, so no letters beyond ASCII can be added"
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError as problem:
            return f"its encoding, {self.encoding}, has no “{problem.object[problem.start]}”"
        return ""


def read_bytes(path: str | Path, most: int) -> bytes:
    """Read a regular file of at most `most` bytes.  FileNotFoundError; FileProblem, also if it is larger."""
    try:
        return regular_files.read_whole(path, most)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as problem:
        raise FileProblem(f"it cannot be read: {_say_why(problem)}") from problem


def read_text(path: str | Path) -> TextFile:
    """Read a text that is not larger than its kind may be.  FileNotFoundError; FileProblem, also if it is no text."""
    data = read_bytes(path, limit_of(str(path)))
    decoded = decode(data)
    if decoded is None:
        raise FileProblem("it is not text")
    return TextFile(str(path), data, *decoded)


def is_there(word: str) -> bool:
    """True if a word of the command names a file or folder; False also of a title that is too long for such a name."""
    try:
        return Path(word).exists()
    except OSError:
        return False


def rewrite(path: str | Path, before: bytes | None, after: bytes) -> None:
    """Write `after` to the file if its bytes still are `before`; if `before` is None, only if there is no such file.

    FileProblem if it may not (see `refusal`) or cannot be written; ChangedError, a kind of FileProblem, if it has
    changed, is gone, or is there although `before` is None.  In either case the file stays as it was.
    """
    why_not = refusal(path)
    if why_not:
        raise FileProblem(why_not)

    def check_unchanged(target: Path) -> None:
        """Called right before the file is replaced, while other processes of ours are kept from its folder."""
        # Read one byte more, to see that the file has not grown.  It is called only if `before` is not None.
        if before is not None and (not target.exists() or regular_files.read(target, len(before) + 1) != before):
            raise ChangedError

    try:
        if before is None:
            atomic.create(path, after)
        else:
            atomic.write(path, after, check_unchanged)
    except FileExistsError as problem:
        raise ChangedError from problem
    except OSError as problem:
        raise FileProblem(f"it could not be written: {_say_why(problem)}") from problem


def refusal(path: str | Path) -> str:
    """Say why the file may not be written, whatever is in it; "" if it may.

    A link may lead to a file of the same workspace, but not out of it: who named the link may not know where it leads.
    If no link is in the path, the file may lie anywhere.  One that is not there yet may be written into a folder that
    is there.
    """
    real = os.path.realpath(path)
    without_links_followed = os.path.abspath(path)  # noqa: PTH100  links stay
    if real != without_links_followed:
        workspace = common.workspace(Path(without_links_followed))
        if not is_inside(real, os.path.realpath(workspace)):
            return f"it leads out of its folder, to {quote_name(real)}: name that file"
    # Asked of the file that a link leads to.
    folder = os.path.dirname(real)  # noqa: PTH120
    if not os.path.isdir(folder):  # noqa: PTH112
        return f"there is no folder {quote_name(folder)}"
    if os.path.exists(real) and not os.path.isfile(real):  # noqa: PTH110, PTH113
        return "it is not a regular file"
    # The file is not written to: another one takes its place.
    if not os.access(folder, os.W_OK | os.X_OK):
        return "its folder is read-only"
    return "it is read-only" if os.path.exists(real) and not atomic.is_writable(real) else ""  # noqa: PTH110


def _say_why(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or str(problem)
