"""The figures of a cluster come from one command, which fills both indexes and asks both."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import opensearch_cluster

SCRIPT = Path(__file__).with_name("institute.py")


@pytest.mark.benchmarks
def test_figures(tmp_path):
    if why := opensearch_cluster.missing():
        pytest.skip(why)
    works, asked, gold = (tmp_path / f"{it}.jsonl" for it in ("works", "asked", "gold"))
    lines = [{"id": f"w{n}", "title": f"Glaciers of river {n + 2000}", "year": 2000} for n in range(600)]
    works.write_text("".join(json.dumps(it) + "\n" for it in lines), encoding="utf-8")
    lines = lines[:12]
    asked.write_text("".join(json.dumps({"id": it["id"], "text": f"{it['title']} \\cite<>."}) + "\n" for it in lines))
    gold.write_text("".join(json.dumps({"id": it["id"], "set": "own", "gold": [it["id"]]}) + "\n" for it in lines))
    command = [sys.executable, str(SCRIPT), "--works", str(works), "--ask", str(asked), str(gold), "--clients", "2"]
    done = subprocess.run(
        [*command, "--nodes", "1", "--grow", "900", "--port", "19400"],
        capture_output=True,
        text=True,
        check=True,
        timeout=900,
    )
    assert "Added 600 works" in done.stdout
    assert "900 works in works-1" in done.stdout
    assert "| own | 12 | R@10 | 100.0 | 100.0 | +0.0 (+0.0..+0.0) |" in done.stdout
    assert done.stdout.count("| round trips | 2.0 | 2.0 |") == 2
