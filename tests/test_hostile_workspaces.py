"""Folders that somebody made to harm: each is looked at within 5 s of CPU and 300 MB, and nothing is raised.

`--fuzz MINUTES` makes new ones for so long.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="measured in processes that are forked")
MANY = 10**9


def looked_at(*arguments, seconds=600.0):
    script = Path(__file__).parent / "support" / "hostile_workspaces.py"
    paths = {"PYTHONPATH": f"{script.parent}:{script.parent.parent}"}
    found = subprocess.run(
        [sys.executable, str(script), *map(str, arguments)], capture_output=True, encoding="utf-8", check=True,
        env=os.environ | paths, timeout=seconds,
    )  # fmt: skip
    *failed, summary = map(json.loads, found.stdout.splitlines())
    return summary["done"], failed


def test_hostile_folders_end_soon(tmp_path, request, capsys):
    minutes = request.config.getoption("--fuzz")
    chosen = request.config.getoption("--fuzz-seed")
    new = random.randrange(MANY) if chosen is None else chosen  # noqa: S311  nothing secret
    seed, count = (new, MANY) if minutes else (1, 12)
    done, failed = looked_at(tmp_path, seed, minutes or 5, count, seconds=60 * (minutes or 0) + 600)
    assert done >= (1 if minutes else count)
    assert failed == []
    with capsys.disabled():
        sys.stdout.write(f"{done} folders\n" if minutes else "")


@pytest.mark.slow
def test_folders_that_once_failed_end_soon(tmp_path):
    done, failed = looked_at("--again", tmp_path)
    assert done >= 5
    assert failed == []
