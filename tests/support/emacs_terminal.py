"""Emacs at a terminal of its own: keys are typed there, and what there is to see is asked through emacsclient."""

import contextlib
import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pseudo_terminal
from citelsp.base import docs

_ROOT = Path(__file__).parent.parent.parent
_SERVED = """(let ((it (get-buffer "main.tex")))
               (and it (with-current-buffer it (bound-and-true-p eglot--managed-mode))))"""
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
def started(
    programs: Callable[[str], str], folder: Path, home: Path, until: Callable[[Callable[[], object]], object]
) -> Iterator[Emacs]:
    """Emacs set up by the lines of its page, once the server looks after the manuscript of a folder.

    What else it needs is written to `home`.
    """
    programs("citelsp")
    socket = home / "emacs"
    init = home / "init.el"
    init.write_text(lines_of_page() + _ASKED.format(socket=json.dumps(str(socket))), encoding="utf-8")
    command = [programs("emacs"), "-nw", "-q", "-l", init, "main.tex"]
    with pseudo_terminal.running(command, folder) as (process, ours):
        while not socket.exists() and process.poll() is None:
            time.sleep(0.05)
        emacs = Emacs(programs("emacsclient"), socket, ours)
        until(lambda: emacs.evaluate(_SERVED))
        yield emacs


def lines_of_page() -> str:
    """What the page on Emacs has put into init.el, for this working copy."""
    page = docs.read(docs.DOCS / "editors" / "emacs.md")
    lines = re.findall(r"```elisp\n(.*?)```", page, re.DOTALL)[0]
    return lines.replace("~/src/citelsp", _ROOT.as_posix())
