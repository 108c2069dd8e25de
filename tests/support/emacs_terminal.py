"""Emacs at a terminal of its own: keys are typed there, and what there is to see is asked through emacsclient."""

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pseudo_terminal

# Commands are counted, so that a test knows when a key has been obeyed.
_ASKED = """(require 'json)
(setq server-name {socket} person-commands 0 inhibit-startup-screen t)
(server-start)
(add-hook 'post-command-hook (lambda () (setq person-commands (1+ person-commands))))
"""


@dataclass(frozen=True)
class Emacs:
    """A running Emacs."""

    client: str
    socket: Path
    terminal: int

    def type(self, text: str, pause: float = 0) -> None:
        """A key after the other."""
        for key in text:
            os.write(self.terminal, key.encode())
            time.sleep(pause)

    def evaluate(self, form: str) -> object:
        """A string, number, true (for t) or null, as Emacs answers."""
        asked = [self.client, "-s", self.socket, "--eval", f"(json-encode {form})"]
        done = subprocess.run(asked, check=False, capture_output=True, encoding="utf-8", timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(json.loads(done.stdout))

    def text(self) -> str:
        """Of the manuscript."""
        return str(self.evaluate('(with-current-buffer "main.tex" (buffer-string))'))

    def commands(self) -> int:
        """How many have been run."""
        return int(str(self.evaluate("person-commands")))


@contextlib.contextmanager
def started(programs: tuple[str, str], folder: Path, socket: Path, init: Path) -> Iterator[Emacs]:
    """Emacs with the manuscript of a folder, after the lines in `init`; `programs`: of it and its client."""
    emacs, client = programs
    init.write_text(init.read_text(encoding="utf-8") + _ASKED.format(socket=json.dumps(str(socket))), encoding="utf-8")
    with pseudo_terminal.running([emacs, "-nw", "-q", "-l", init, "main.tex"], folder) as (process, ours):
        while not socket.exists() and process.poll() is None:
            time.sleep(0.05)
        yield Emacs(client, socket, ours)
