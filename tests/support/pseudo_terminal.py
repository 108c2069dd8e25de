"""A terminal of its own for an editor: what is typed is written to it, and what it shows is read and dropped."""

import contextlib
import os
import struct
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

LINES, COLUMNS = 40, 120


@contextlib.contextmanager
def running(command: Sequence[str | Path], folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The process and our end of its terminal; it is killed at the end."""
    import fcntl  # these three are not on Windows, where no test starts an editor
    import pty
    import termios

    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    threading.Thread(target=_drain, args=[ours], daemon=True).start()
    environment = {**os.environ, "TERM": "xterm-256color"}
    # The leader of a session that opens a terminal is controlled by it, which Emacs asks for.
    opening = ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(its), *command]
    with subprocess.Popen(opening, cwd=folder, env=environment, start_new_session=True) as process:
        yield process, ours
        process.kill()
    os.close(its)
    os.close(ours)


def _drain(terminal: int) -> None:
    with contextlib.suppress(OSError):  # the terminal is gone
        while os.read(terminal, 1 << 16):
            pass
