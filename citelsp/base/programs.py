"""Starting other programs, which is done here and nowhere else.

Who writes what the author opens must not say what runs.  So a program is found in directories that PATH names whole, no
shell reads its arguments, and it starts in a directory that others cannot write to.  It reads nothing but what it is
given, and ends when it takes too long or writes too much.
"""

import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import StreamReader
    from subprocess import Popen

# The folder that programs start in: nobody can put anything there that they would load.
_SAFE_FOLDER = os.environ.get("SYSTEMROOT", "C:\\Windows") if sys.platform == "win32" else "/"
_PACKAGES = str(Path(__file__).resolve().parents[2])  # the folder that holds this package
_NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0  # subprocess.CREATE_NO_WINDOW
_PIECE = 1 << 16  # bytes that are read at once
_MOST_WRITTEN = 1 << 20  # bytes of an answer, and of complaints
_SECONDS_FOR_PIPES = 1.0  # seconds in which the pipes of an ended program are read


@dataclass(frozen=True, slots=True)
class Done:
    """How a program ended."""

    status: int | None  # None if it had to be ended
    out: bytes
    err: bytes = b""


def find(name: str, path: str, rejects: Callable[[str], bool] = lambda _: False) -> str:
    """Find a program in the absolute directories of `path`, written as the variable PATH; "" if none has it.

    A program there is passed over if `rejects` is true of its path, or of the path that this links to.  A `name` with
    directories is the choice of who set it: it is returned as it is if it is absolute and can be run, without asking
    `rejects`; else "".
    `shutil.which` will not do: on Windows it looks first in the directory that this process was started in, which may
    be anybody's.
    """
    if Path(name).name != name:
        return name if Path(name).is_absolute() and os.access(name, os.X_OK) else ""
    ending = ".exe" if sys.platform == "win32" and not Path(name).suffix else ""
    for directory in map(Path, path.split(os.pathsep)):
        program = directory / f"{name}{ending}"
        if not directory.is_absolute() or not program.is_file() or not os.access(program, os.X_OK):
            continue
        if not rejects(str(program)) and not rejects(os.path.realpath(program)):
            return str(program)
    return ""


def run(
    command: Sequence[str],
    seconds: float,
    *,
    most: int = _MOST_WRITTEN,
    environment: Mapping[str, str] | None = None,
    folder: str = _SAFE_FOLDER,
) -> Done:
    """Run a program that has so many seconds and may write `most` bytes to its output; OSError if it cannot be started.

    If it takes longer, or writes more than that or more than _MOST_WRITTEN bytes of complaints, it is ended, and the
    status is None.  If it wrote too much to its output, `out` is empty; of too many complaints `err` is the beginning.
    If it only took too long, both are what it wrote until then.  A pipe that another process keeps open counts as
    empty.  `environment` is this process's if it is None; the program starts in `folder`.
    """
    from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired  # few commands need it

    process = Popen(  # noqa: S603  # no shell
        command,
        cwd=folder,
        env=environment,
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        creationflags=_NO_WINDOW,
    )
    out = _PipeReader(process, process.stdout, most)
    err = _PipeReader(process, process.stderr, _MOST_WRITTEN)
    status: int | None
    try:
        status = process.wait(seconds)
    except TimeoutExpired:
        status = None
    finally:
        process.kill()  # of one that has ended by itself nothing is left to kill
        process.wait()
    written = out.finish()
    complaints = err.finish()
    is_too_long = len(written) > most
    if is_too_long or len(complaints) > _MOST_WRITTEN:
        status = None
    return Done(status, b"" if is_too_long else written, complaints[:_MOST_WRITTEN])


class _PipeReader:
    """Reads a pipe of a program in a thread, as one that has filled a pipe waits until somebody reads it.

    A program that writes more than `most` bytes is ended.
    """

    def __init__(self, process: "Popen[bytes]", pipe: IO[bytes] | None, most: int) -> None:
        self._process = process
        self._pipe = pipe
        self._most = most
        self._data = b""  # at most one byte more than `most`, which shows that it is too much
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def finish(self) -> bytes:
        """Return what was written, at most one byte too much; nothing if the pipe does not end soon.

        What the program started may hold on to it.
        """
        self._thread.join(_SECONDS_FOR_PIPES)
        return self._data

    def _read(self) -> None:
        if self._pipe is None:  # never so: for the type checker
            return
        self._data = self._pipe.read(self._most + 1)
        if len(self._data) > self._most:
            self._process.kill()
        self._pipe.close()


async def run_beside(
    command: Sequence[str],
    seconds: float,
    *,
    environment: Mapping[str, str] | None = None,
    folder: str = _SAFE_FOLDER,
    heard: Callable[[bytes], Awaitable[None]] | None = None,
) -> Done:
    """Run a program in `folder` while other things go on; it is ours or the user's own, and may write any amount.

    After `seconds` it is ended; then the status is None, and nothing of what it wrote is returned.  The same holds if
    it has ended, but a program that it started keeps its pipes open.  Cancelling ends it, too.  `environment` is this
    process's if it is None.  `heard` gets what the program writes to its error output, as it comes; what it raises ends
    the program and is raised here.  OSError if it cannot be started.
    """
    import asyncio
    from asyncio.subprocess import DEVNULL, PIPE

    async def read_all(pipe: "StreamReader | None", heard: Callable[[bytes], Awaitable[None]] | None) -> bytes:
        pieces: list[bytes] = []
        while pipe and (piece := await pipe.read(_PIECE)):
            pieces.append(piece)
            if heard:
                await heard(piece)
        return b"".join(pieces)

    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env=environment,
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        creationflags=_NO_WINDOW,
    )
    try:
        async with asyncio.timeout(seconds):
            out, err, _ = await asyncio.gather(
                read_all(process.stdout, None), read_all(process.stderr, heard), process.wait()
            )
    except TimeoutError:
        return Done(status=None, out=b"")
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return Done(process.returncode, out, err)


def start_module(name: str, *arguments: str) -> "Popen[str]":
    """Start a module of this package as a program of its own, with text pipes for input and output.

    What it writes to its error output is lost.
    """
    from subprocess import DEVNULL, PIPE, Popen

    return Popen(  # noqa: S603  # our own module
        own_command(name, *arguments),
        cwd=_SAFE_FOLDER,
        env=own_environment(),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        text=True,
        encoding="utf-8",
        creationflags=_NO_WINDOW,
    )


def wait(process: "Popen[str]", seconds: float) -> None:
    """Give a program so many seconds to end."""
    from subprocess import TimeoutExpired

    with suppress(TimeoutExpired):
        process.wait(seconds)


def own_command(name: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of this package, in `own_environment`.

    With -P no file of the directory that it starts in can take the place of a module.
    """
    safe = "-I" if sys.flags.isolated else "-P"
    return [sys.executable, safe, "-m", name, *arguments]


def own_environment() -> dict[str, str]:
    """Return this process's environment for a program of ours, in UTF-8, with only the absolute folders of PYTHONPATH.

    Such a program starts in another directory, where a relative path would lead to another folder.  The one exception
    is a path to the folder that holds this package: it is made absolute.
    """
    environment = os.environ | {"PYTHONUTF8": "1"}
    folders: list[str] = []
    for name in environment.pop("PYTHONPATH", "").split(os.pathsep):
        if not name:  # which means the current directory
            continue
        folder = _PACKAGES if os.path.realpath(name) == _PACKAGES else name
        if Path(folder).is_absolute():
            folders.append(folder)
    if folders:
        environment["PYTHONPATH"] = os.pathsep.join(folders)
    return environment


def show(command: Sequence[str], text: str, environment: Mapping[str, str]) -> None:
    """Have a program of the user's show a text in the terminal, for as long as the user looks at it."""
    from subprocess import run as run_here

    run_here(command, cwd=_SAFE_FOLDER, env=environment, input=text.encode(), check=False)  # noqa: S603  # no shell
