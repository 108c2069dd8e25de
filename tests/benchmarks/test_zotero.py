"""The promises of a library of 10,000 items in Zotero: CPU of the first list, and of each list after it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("zotero.py")


@pytest.mark.benchmarks
def test_promises():
    command = [sys.executable, str(SCRIPT), "--json"]
    costs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert costs["lent first list"] <= 1500
    assert costs["lent list after a letter"] <= 1.5 * costs["declared list after a letter"]
