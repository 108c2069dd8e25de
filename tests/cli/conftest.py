import os
import struct
from subprocess import DEVNULL

import pytest

import forked_programs
import real_server


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files of a small manuscript, in the working directory."""
    for name, text in real_server.FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def terminal(folder, monkeypatch):
    """terminal(columns, *command, **environment) → what citelsp prints on one, as lines; without a command, check."""
    pty, fcntl, termios = (pytest.importorskip(it) for it in ("pty", "fcntl", "termios"))

    def run(columns, *words, **environment):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        with monkeypatch.context() as house:
            for name, value in ({"TERM": "xterm", "NO_COLOR": ""} | environment).items():
                house.setenv(name, value)
            asked = words or ("check", "main.tex", "--offline")
            process = forked_programs.start(*asked, stdout=theirs, stderr=DEVNULL)
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
