import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

import citelsp
import real_server


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files of a small manuscript, in the working directory."""
    for name, text in real_server.FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def terminal(folder):
    """terminal(columns, *command, **environment) → what citelsp prints on one, as lines; without a command, check."""
    pty, fcntl, termios = (pytest.importorskip(it) for it in ("pty", "fcntl", "termios"))

    def run(columns, *words, **environment):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        house = {"PYTHONPATH": str(Path(citelsp.__file__).parents[1]), "TERM": "xterm", "NO_COLOR": ""}
        command = [sys.executable, "-m", "citelsp", *(words or ("check", "main.tex", "--offline"))]
        process = subprocess.Popen(
            command, stdout=theirs, stderr=subprocess.DEVNULL, env=os.environ | house | environment
        )
        os.close(theirs)
        printed = b"".join(iter(lambda: read(ours), b""))
        os.close(ours)
        process.wait()
        return printed.decode().splitlines()

    return run


def read(screen):
    """Some bytes; none once the other side is closed, which Linux calls an error."""
    try:
        return os.read(screen, 4096)
    except OSError:
        return b""
