"""A file written whole or not at all, whatever ends the process meanwhile."""

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

_NAME = 100  # characters of a file's name in that of its draft, as a name of 255 may have no more


def write(path: str | Path, data: bytes, ready: Callable[[Path], None] = lambda _: None) -> None:
    """Make the file's bytes `data`; its mode and owner stay, a link to it stays a link.

    `ready` is called with the file when everything else is done, and raises if it must stay as it is.  OSError, or what
    that raises; then the file is as it was.
    """
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{target.name[:_NAME]}.{os.urandom(16).hex()}.tmp")
    try:
        with draft.open("xb") as file:
            # Before there is anything to read in it: the file may be for its owner alone.
            _as_before(target, draft)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        ready(target)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _as_before(target: Path, draft: Path) -> None:
    if not target.exists():
        return
    shutil.copymode(target, draft)
    if hasattr(os, "chown"):
        known = target.stat()
        with contextlib.suppress(PermissionError):
            os.chown(draft, known.st_uid, known.st_gid)
