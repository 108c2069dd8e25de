"""Nobody pays for what he does not ask for."""

import subprocess
import sys

IMPORTED = """
import sys
from citelsp.cli import main
main(sys.argv[1:])
sys.stderr.write(" ".join(sys.modules))
"""


def imported(*arguments):
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments], capture_output=True, encoding="utf-8", timeout=60
    )
    return set(done.stderr.split())


def test_the_version_needs_no_command():
    assert not {it for it in imported("--version") if it.startswith("citelsp.")} - {
        *("citelsp.cli", "citelsp.cli.common", "citelsp.cli.examples", "citelsp.cli.exits"),
    }


def test_a_check_needs_no_server_and_no_model(tmp_path):
    (tmp_path / "refs.bib").write_text("@misc{a, title = {A}}\n", encoding="utf-8")
    modules = imported("check", str(tmp_path / "refs.bib"), "--offline")
    assert "citelsp.checks" in modules
    assert not modules & {"pygls", "lsprotocol", "openai", "httpx", "tantivy", "bibtexparser", "pylatexenc"}


def test_a_check_offline_needs_no_service(tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "none"))  # other tests leave answers, which are read
    (tmp_path / "refs.bib").write_text("@misc{a, title = {A}}\n", encoding="utf-8")
    modules = imported("check", str(tmp_path / "refs.bib"), "--offline")
    assert "citelsp.checks" in modules
    assert not modules & {"citelsp.sources.ask_services", "citelsp.sources.client", "diskcache", "asyncio"}
