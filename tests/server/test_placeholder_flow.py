"""Which way a first list takes through the house; `tests/placeholder_flow.py` says what is counted."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent.parent / "placeholder_flow.py"


@pytest.mark.slow
def test_a_first_list_at_a_placeholder_never_climbs():
    printed = subprocess.run([sys.executable, PROGRAM], stdout=subprocess.PIPE, timeout=120, check=True).stdout
    found = json.loads(printed)
    assert found["labels"][0] == "Quotation Errors in General Science Journals"
    climbs = "\n".join(found["climbs"])
    assert not climbs, f"{climbs}\na lower room calls one above it: hand in what it needs, or move it down"
