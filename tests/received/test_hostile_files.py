"""Papers of which a stranger made all: each takes bounded time and memory, and is read or refused in a sentence.

`--fuzz MINUTES` makes new ones for so long.
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hostile_papers

SECONDS, MEGABYTES = 20.0, 600
DRIVER = Path(hostile_papers.__file__)
BATCH = len(hostile_papers.KINDS)


def checked(folder, count, seed):
    """What `citelsp check` made of so many files, each with its path."""
    files = list(hostile_papers.made(folder, count, random.Random(seed)))  # noqa: S311
    done = subprocess.run(
        [sys.executable, str(DRIVER), *map(str, files)],
        env={**os.environ, "PYTHONPATH": str(DRIVER.parent), "XDG_CACHE_HOME": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    found = [json.loads(it) for it in done.stdout.splitlines()]
    assert len(found) == len(files), done.stderr[-2000:]
    return found


def is_bearable(one):
    """True for a file that was read, or refused in one or two sentences; a crash says more."""
    sentences = one["said"].splitlines()
    said_or_read = one["status"] in (0, 1) or sentences
    return said_or_read and one["status"] >= 0 and len(sentences) <= 3 and all(len(it) < 300 for it in sentences)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="measures memory as Unix does")
def test_hostile_papers_take_bounded_time_and_memory(request, tmp_path, monkeypatch):
    minutes = request.config.getoption("--fuzz") or 0
    if not minutes:
        monkeypatch.setattr(hostile_papers, "LONG", 1 << 18)
    seed = request.config.getoption("--fuzz-seed") or (random.randrange(10**9) if minutes else 1)  # noqa: S311
    end = time.monotonic() + 60 * minutes
    while True:
        folder = tmp_path / str(seed)
        folder.mkdir()
        found = checked(folder, BATCH, seed)
        assert [it for it in found if not is_bearable(it)] == [], seed
        assert [it for it in found if it["seconds"] > SECONDS] == [], seed
        assert max(it["memory"] for it in found) <= MEGABYTES, seed
        seed += 1
        if time.monotonic() > end:
            return
