"""What is logged is written, whatever characters it holds."""

import os
import subprocess
import sys

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
