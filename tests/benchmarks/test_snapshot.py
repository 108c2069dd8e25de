"""Adding OpenAlex's snapshot: the counts agree, a second run adds nothing, and little memory is used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("snapshot.py")
LINES, MEGABYTES = 105_000, 300


@pytest.mark.benchmarks
def test_promises():
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--json", "--lines", str(LINES)],
        capture_output=True, text=True, check=True, timeout=1200,
    )  # fmt: skip
    costs = json.loads(done.stdout)
    assert costs["lines"] == LINES
    assert costs["new"] == costs["unchanged"] == costs["expected"]
    assert not costs["new again"]
    assert costs["MB"] <= MEGABYTES
