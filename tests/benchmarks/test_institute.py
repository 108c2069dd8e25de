"""The figures of a cluster come from one command, which fills both indexes and asks both."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from papers import invented

import opensearch_cluster

SCRIPT = Path(__file__).with_name("institute.py")


@pytest.mark.benchmarks
def test_figures(tmp_path):
    if why := opensearch_cluster.missing():
        pytest.skip(why)
    works, asked, gold = invented(tmp_path / "works.jsonl", 600), tmp_path / "asked.jsonl", tmp_path / "gold.jsonl"
    lines = [json.loads(it) for it in works.read_text(encoding="utf-8").splitlines()][:12]
    asked.write_text("".join(json.dumps({"id": it["id"], "text": f"{it['title']} \\cite<>."}) + "\n" for it in lines))
    gold.write_text("".join(json.dumps({"id": it["id"], "set": "own", "gold": [it["id"]]}) + "\n" for it in lines))
    command = [sys.executable, str(SCRIPT), "--works", str(works), "--ask", str(asked), str(gold), "--clients", "2"]
    done = subprocess.run([*command, "--nodes", "1"], capture_output=True, text=True, check=True, timeout=900)
    assert "Added 600 works" in done.stdout
    assert "| own | 12 | R@1 | 100.0 | 100.0 | +0.0 (+0.0..+0.0) |" in done.stdout
    assert "| round trips | 2.0 | 2.0 |" in done.stdout
