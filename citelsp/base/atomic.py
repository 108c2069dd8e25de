"""A file written whole or not at all, whatever ends the process meanwhile."""

import contextlib
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

_LONGEST_NAME = 100  # characters of a file's name in that of its draft, as a name of 255 may have no more
_STALE_AFTER = 600.0  # seconds; no write takes as long, so what is older was left by a process that was killed
_PATIENCE = 1.0  # seconds to wait for others who write in the same folder
_PAUSE = 0.005  # seconds between two looks whether they are done
# The flag of os.open for a file without a name, which goes when its process goes; 0 on all systems but Linux.
_OPEN_UNNAMED = getattr(os, "O_TMPFILE", 0)
_AS_UMASK_ALLOWS = 0o666  # the mode of a new file

_DESCRIPTORS = "/proc/self/fd/"  # Linux's folder of links to the files that a process has open

Ready = Callable[[Path], None]


def write(path: str | Path, data: bytes, ready: Ready = lambda _: None) -> None:
    """Replace the content of a file by `data`, whole or not at all; its mode stays, and a link to it stays a link.

    Its owner stays, too, if the system allows that.  A file that is not there is made.  The bytes are written to a
    draft, a file in the same folder, which then takes the place of the other.  `ready` is called with the file before
    that; it raises if the file must stay as it is, since it changed meanwhile.  From before `ready` until the new bytes
    are there other processes of ours are kept from writing in the folder, as far as `_lock_folder` can.  Raises
    OSError, or what `ready` raises; then the file is as it was.
    """
    target = Path(os.path.realpath(path))
    # By a name that nobody guesses, so that nobody puts a link there beforehand.
    draft = target.with_name(f"{_draft_beginning(target)}{os.urandom(16).hex()}.tmp")
    _remove_stale_drafts(target)
    with ExitStack() as stack:
        stack.callback(draft.unlink, missing_ok=True)
        unnamed = _write_draft(target, draft, data, stack)  # "" if the draft has its name already
        # Only now, as writing many bytes may take longer than others wait for the lock.
        stack.enter_context(_lock_folder(target.parent))
        ready(target)
        # What has no name cannot replace a file; it gets the draft's name first.
        if unnamed:
            _link(unnamed, draft)
        draft.replace(target)


def create(path: str | Path, data: bytes) -> None:
    """Make a new file with these bytes; FileExistsError if there is one of that name, OSError if it cannot be made.

    The bytes are written to a draft, a file without a name or in the same folder, which then gets the file's name:
    after an error nothing of it is left.
    """
    target = Path(os.path.realpath(path))
    # Stale drafts are left to the next `write`: a new file hardly has any.
    draft = target.with_name(f"{_draft_beginning(target)}{os.urandom(16).hex()}.tmp")
    with ExitStack() as stack:
        stack.callback(draft.unlink, missing_ok=True)
        unnamed = _write_draft(target, draft, data, stack)
        stack.enter_context(_lock_folder(target.parent))
        if target.exists():
            raise FileExistsError(f"{target} is there by now")
        try:
            _link(unnamed or str(draft), target)
        except FileExistsError:  # somebody made it since the look above, and `rename` would replace it
            raise
        except (OSError, NotImplementedError):  # a disk without links
            draft.rename(target)


def is_writable(path: str | Path) -> bool:
    """True if the file is there and may be changed: root, who may change any, leaves what was made read-only alone."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return bool(mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)) and os.access(path, os.W_OK)


def _draft_beginning(target: Path) -> str:
    """How the names of all drafts of a file begin."""
    return f".{target.name[:_LONGEST_NAME]}."


def _write_draft(target: Path, draft: Path, data: bytes, stack: ExitStack) -> str:
    """Write the bytes to a file that has no name yet, or to `draft` if this system or disk has none, or no /proc.

    Return the path in _DESCRIPTORS by which the file without a name can be given one; "" if `draft` holds the bytes.
    A file without a name is gone once it is closed, also when this process is killed; so it stays open, and `stack`
    closes it in the end.
    """
    descriptor = -1
    if _OPEN_UNNAMED:
        with suppress(OSError):  # not on every disk
            descriptor = os.open(target.parent, _OPEN_UNNAMED | os.O_RDWR, _AS_UMASK_ALLOWS)
    unnamed = f"{_DESCRIPTORS}{descriptor}" if descriptor >= 0 else ""
    # Without /proc the file could never be given a name.
    if unnamed and not os.path.exists(unnamed):  # noqa: PTH110  a link to what has no name
        os.close(descriptor)
        unnamed = ""
    file = os.fdopen(descriptor, "wb") if unnamed else draft.open("xb")
    if unnamed:
        stack.callback(file.close)
    try:
        # Before the bytes are in it, as the file may be for its owner's eyes alone.
        _copy_mode_and_owner(target, file.fileno() if os.chmod in os.supports_fd else draft)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    finally:
        # One with a name is closed at once: Windows renames none that is open.
        if not unnamed:
            file.close()
    return unnamed


def _link(name: str, target: Path) -> None:
    """Give a file a further name; FileExistsError if there is one of that name."""
    if name.startswith(_DESCRIPTORS):
        # Asked with a directory, which a whole path needs not, Python follows the link to what has no name.
        os.link(name, target, src_dir_fd=0, follow_symlinks=True)
    else:
        os.link(name, target)


def _copy_mode_and_owner(target: Path, draft: int | Path) -> None:
    """Give a draft, or its descriptor, the mode and owner of the file that it replaces, if there is one."""
    if not target.exists():
        return
    known = target.stat()
    os.chmod(draft, stat.S_IMODE(known.st_mode))  # noqa: PTH101  a descriptor
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(draft, known.st_uid, known.st_gid)


def _remove_stale_drafts(target: Path) -> None:
    """Remove the drafts of the file that killed processes left."""
    name = re.compile(re.escape(_draft_beginning(target)) + r"[0-9a-f]{32}\.tmp")
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if name.fullmatch(entry.name) and time.time() - entry.stat(follow_symlinks=False).st_mtime > _STALE_AFTER:
                with suppress(OSError):
                    os.unlink(entry.path)  # noqa: PTH108  scandir gives names


@contextlib.contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Keep other processes of ours from replacing files in a folder meanwhile, if the system has locks for folders.

    After _PATIENCE seconds this process goes on without the lock: one that hangs with it must keep nobody from writing.
    """
    try:
        import fcntl

        descriptor = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):  # Windows has no such locks, and a folder that may not be listed cannot be opened
        yield
        return
    try:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                time.sleep(_PAUSE)
        yield
    finally:
        os.close(descriptor)  # which gives the lock back
