"""Emacs with eglot in batch, set up by editors/emacs/citelsp.el."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.editors


def test_eglot(workspace, programs, corpus):
    suite = Path(__file__).parent / "emacs" / "suite.el"
    command = [programs("emacs"), "-Q", "--batch", "-L", ROOT / "editors" / "emacs", "-l", suite]
    environment = os.environ | {"CITELSP_WORKSPACE": str(workspace), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr[-6000:]
    assert "31 results as expected" in done.stderr
