"""Services that accept every request and answer none, by the clock on the wall.

`tests/sources/test_silence.py` has the same by a clock of its own; here `--thorough` really waits.
"""

import json
import subprocess
import sys
import time

import pytest

import crossref_server
from citelsp.base import bounds
from citelsp.base.settings import SERVICES

WAYS = ("doi = {{10.5555/{}}}", "eprint = {{1512.{:05}}}, archiveprefix = {{arXiv}}", "")
RUN = 90.0  # seconds for three hundred entries


@pytest.mark.thorough
@pytest.mark.parametrize(("count", "seconds"), [(1, bounds.ENTRY), (300, RUN)])
def test_entries_that_nobody_answers_about_are_unchecked_soon(tmp_path, capsys, count, seconds):
    world = crossref_server.Scholars()
    world.hangs, address = True, f"http://127.0.0.1:{world.server_address[1]}"
    rows = (f'[services.{it}]\nbase_url = "{address}/{it}"\n' for it in SERVICES)
    (tmp_path / "config.toml").write_text("".join(rows), encoding="utf-8")
    entries = (
        f"@article{{k{it}, author = {{Lee, Ann}}, title = {{On the Growth of Hidden Graphs in Case {it}}}, "
        f"journal = {{Cases}}, year = 2016, {WAYS[it % 3].format(it)}}}\n"
        for it in range(count)
    )
    (tmp_path / "refs.bib").write_text("".join(entries), encoding="utf-8")
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "citelsp", "check", "refs.bib", "--config", "config.toml", "--format", "json"],
        capture_output=True, encoding="utf-8", check=False, timeout=300, cwd=tmp_path,
    )  # fmt: skip
    took = time.monotonic() - began
    world.close()
    with capsys.disabled():
        sys.stdout.write(f"{count} entries: {took:.1f} s\n")
    found = json.loads(done.stdout)["entries"]
    assert [it["verdict"] for it in found] == ["unchecked"] * count
    assert all(it["sources"]["unavailable"] for it in found)
    assert world.asked and took <= seconds
