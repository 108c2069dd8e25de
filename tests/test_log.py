"""What is logged is written, whatever characters it holds."""

import os
import stat
import subprocess
import sys

import pytest

LOGGED = """
import logging
from citelsp.base import log
log.start("info")
logging.getLogger("citelsp").warning("no method %s", chr(0xD800))
logging.getLogger("citelsp").warning("a title\\n2026-01-01 1 ERROR citelsp: forged")
try:
    raise ValueError("a title\\n2026-01-01 1 ERROR citelsp: forged")
except ValueError:
    logging.getLogger("citelsp").exception("failed")
"""


def test_half_a_character_in_a_message_is_logged(tmp_path):
    environment = os.environ | {"CITELSP_STATE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", LOGGED], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    assert "no method \\ud800" in (tmp_path / "citelsp.log").read_text(encoding="utf-8")
    assert not done.stderr
    lines = (tmp_path / "citelsp.log").read_text(encoding="utf-8").splitlines()
    assert not [it for it in lines if it.startswith("2026-01-01 1 ERROR")]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes")
def test_a_log_that_is_begun_anew_is_as_private_as_the_first(tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    logged = """
import logging, os
from citelsp.base import log
log._MOST_BYTES = 100
os.umask(0)
log.start("info")
for _ in range(4):
    logging.getLogger("citelsp").info("a title of a work that is nobody else's business, told at length")
"""
    subprocess.run([sys.executable, "-c", logged], check=True)
    modes = {it.name: stat.S_IMODE(it.stat().st_mode) for it in tmp_path.iterdir()}
    assert modes == dict.fromkeys(["citelsp.log", "citelsp.log.1", "citelsp.log.2"], 0o600)
