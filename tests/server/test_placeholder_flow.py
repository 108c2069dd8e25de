"""How far a reader has to go to follow a first list; `tests/placeholder_flow.py` says what is counted."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent.parent / "placeholder_flow.py"
MOST_FILES, MOST_CLIMBS = 65, 0


@pytest.mark.slow
def test_a_first_list_at_a_placeholder_goes_through_few_files_and_climbs_seldom():
    """Each figure is what it was last brought down to: whoever needs one more file says so here."""
    printed = subprocess.run([sys.executable, PROGRAM], stdout=subprocess.PIPE, timeout=120, check=True).stdout
    found = json.loads(printed)
    assert found["labels"][0] == "Quotation Errors in General Science Journals"
    assert len(found["files"]) <= MOST_FILES, f"{len(found['files'])} files: {', '.join(found['files'])}"
    assert len(found["climbs"]) <= MOST_CLIMBS, "\n".join(found["climbs"])
