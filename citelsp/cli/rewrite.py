"""A file rewritten whole or not at all: never half, never over somebody else's change."""

from pathlib import Path

from citelsp.base import atomic


class ChangedError(Exception):
    """The file is no longer what was read."""


def rewrite(path: str, before: bytes, after: bytes) -> None:
    """Make the file's bytes `after`, if they still are `before`.  ChangedError, OSError; then the file is as it was."""

    def check(target: Path) -> None:
        if target.read_bytes() != before:
            raise ChangedError(f"{path} has changed in the meantime")

    atomic.write(path, after, check)
