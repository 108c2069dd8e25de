"""A file rewritten whole or not at all: never half, never over somebody else's change."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path


class ChangedError(Exception):
    """The file is no longer what was read."""


def rewrite(path: str, before: bytes, after: bytes) -> None:
    """Make the file's bytes `after`, if they still are `before`; its mode and owner stay, a link to it stays a link.

    ChangedError, OSError; then the file is as it was.
    """
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        _as_before(target, fresh)
        if target.read_bytes() != before:
            raise ChangedError(f"{path} has changed in the meantime")
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def _as_before(target: Path, fresh: Path) -> None:
    shutil.copymode(target, fresh)
    if hasattr(os, "chown"):
        known = target.stat()
        with contextlib.suppress(PermissionError):
            os.chown(fresh, known.st_uid, known.st_gid)
