"""The promises of a quick start: seconds of CPU, the best of several runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("start.py")
PROMISED = {"version": 0.08, "check": 0.3, "initialize": 0.3}


@pytest.mark.benchmarks
def test_promises():
    command = [sys.executable, str(SCRIPT), "--json"]
    costs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert not {name: costs[name] for name, most in PROMISED.items() if costs[name] > most}
