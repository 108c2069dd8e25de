"""Every placeholder ends with a list or a reason, though two services are away."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from agent_works import WORKS
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work

SCRIPT = Path(__file__).with_name("placeholders.py")
AWAY = "[services.{}]\nbase_url = 'http://127.0.0.1:9/'\n"
TEXTS = (r"We train with Adam, which needs little memory \cite<>.", r"Zebras \cite<> run in \emph{herds}, 30 % do.")


@pytest.mark.benchmarks
def test_all_end(tmp_path):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work(**it) for it in WORKS])
    asked, config = tmp_path / "asked.jsonl", tmp_path / "config.toml"
    lines = [{"id": str(n), "title": "Nets", "text": text, "date": "2020"} for n, text in enumerate(TEXTS)]
    asked.write_text("".join(json.dumps(it) + "\n" for it in lines), encoding="utf-8")
    config.write_text(AWAY.format("openalex") + AWAY.format("crossref"), encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(asked), "--corpus", str(tmp_path / "corpus"), "--config", str(config)]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True, timeout=120)
    ends = json.loads(done.stdout)
    assert "Adam: A Method" in ends[0]["works"][0]
    assert all((it["works"] or it["reason"]) and not it["error"] for it in ends)
