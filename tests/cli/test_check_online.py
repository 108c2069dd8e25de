"""citelsp check with services: a Crossref of our own on this machine, all others switched off."""

import json
import os
import signal
import subprocess
import threading
import time
from contextlib import contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import pytest

import forked_programs
from citelsp.base.settings import SERVICES
from citelsp.cli import main
from citelsp.cli.verify_online import time_left

BIB = """@article{knuth84,
  author = {Knuth, Donald E.},
  title = {Literate Programming},
  journal = {The Computer Journal},
  year = 1986,
  doi = {10.1093/comjnl/27.2.97},
}
"""
RIGHT = BIB.replace("1986", "{1984}")
WORK = {
    "DOI": "10.1093/comjnl/27.2.97",
    "type": "journal-article",
    "title": ["Literate Programming"],
    "author": [{"given": "D. E.", "family": "Knuth"}],
    "container-title": ["The Computer Journal"],
    "issued": {"date-parts": [[1984, 2]]},
}


class Crossref(BaseHTTPRequestHandler):
    def do_GET(self):
        asked = unquote(self.path)
        self.server.asked.append(asked)
        if self.server.hangs:
            self.server.closing.wait(20)
            return
        one = WORK["DOI"] in asked and "?" not in asked
        message = WORK if one else {"items": [WORK] if WORK["DOI"] in asked else []}
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"status": "ok", "message": message}).encode())

    def log_message(self, *_):
        pass


@contextmanager
def serving(hangs=False):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Crossref)
    server.asked, server.hangs, server.closing = [], hangs, threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    return tmp_path


def settings(folder, only, address):
    rows = [f"[services.{it}]\nenabled = {str(it == only).lower()}\nbase_url = '{address}'\n" for it in SERVICES]
    (folder / "settings.toml").write_text("\n".join(rows), encoding="utf-8")


@pytest.fixture
def crossref(folder):
    with serving() as server:
        settings(folder, "crossref", f"http://127.0.0.1:{server.server_port}")
        yield server


@pytest.fixture
def check(folder, capsys):
    def run(*arguments):
        status = main(["check", "refs.bib", "--config", "settings.toml", *arguments])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def test_a_wrong_year(crossref, check):
    status, out, _ = check("--format", "json")
    [entry], [finding] = json.loads(out)["entries"], json.loads(out)["findings"]
    assert (status, entry["verdict"], entry["work"]["year"]) == (1, "mismatch", 1984)
    assert entry["sources"]["asked"] == ["crossref"]
    assert entry["checked"] == date.today().isoformat()
    assert (finding["code"], finding["field"], finding["cited"], finding["recorded"]) == (
        "wrong-year",
        "year",
        "1986",
        "1984",
    )
    [fix] = finding["fixes"]
    assert (fix["safety"], fix["edits"][0]["range"]["start"]) == ("review", {"line": 4, "character": 9})


def test_citations_by_identifier_are_looked_up(crossref, folder, capsys):
    (folder / "a.md").write_text("By [@doi:10.1093/comjnl/27.2.97] and @doi:10.1093/comjnl/27.2.98.\n")
    assert main(["check", "a.md", "--config", "settings.toml", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    found = {it["key"]: (it["verdict"], (it["work"] or {}).get("title")) for it in report["entries"]}
    assert found == {
        "doi:10.1093/comjnl/27.2.97": ("verified", "Literate Programming"),
        "doi:10.1093/comjnl/27.2.98": ("unchecked", None),
    }
    assert any("27.2.98" in it for it in crossref.asked)


def test_identity_alone_says_nothing_of_fields(crossref, check):
    status, out, _ = check("--only", "identity", "--format", "json")
    assert (status, json.loads(out)["findings"]) == (0, [])
    assert [it["verdict"] for it in json.loads(out)["entries"]] == ["verified"]


def test_identity_alone_says_that_nothing_was_looked_up(crossref, check):
    status, _, said = check("--only", "identity", "--offline")
    assert (status, crossref.asked) == (2, [])
    assert "no service was asked and no answer is cached, so --only identity checked nothing" in said
    check()
    assert check("--only", "identity", "--offline")[0] == 0


def test_identity_alone_says_of_how_many_nothing_is_known(crossref, check, folder):
    check()
    (folder / "refs.bib").write_text(BIB + BIB.replace("knuth84", "new").replace("Literate", "Illiterate"))
    status, _, said = check("--only", "identity", "--offline")
    assert status == 2
    assert "1 of 2 entries was not looked up, and --only identity says nothing of it" in said


def test_identity_alone_reports_what_leads_elsewhere(crossref, check, folder):
    other = BIB.replace("Literate Programming", "On the Migration of Birds").replace("Knuth, Donald E.", "Ada Meyer")
    (folder / "refs.bib").write_text(other + BIB.replace("knuth84", "again"), encoding="utf-8")
    status, out, _ = check("--only", "identity", "--format", "json")
    assert status == 1
    assert {it["code"] for it in json.loads(out)["findings"]} == {"identifier-conflict"}
    assert check("--only", "identity", "--claims")[0] == 3


def test_offline_asks_nothing_and_remembers(crossref, check):
    assert "1 entry: not looked up\n" in check("--offline")[1]
    assert crossref.asked == []
    check()
    asked = len(crossref.asked)
    assert "1 entry: 1 different from the record (checked " in check("--offline")[1]
    assert len(crossref.asked) == asked > 0


def test_only_what_changed_is_asked_about(crossref, check, folder):
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "."],
    ):
        subprocess.run(["git", *command], check=True)
    check("--since", "HEAD")
    assert crossref.asked == []


def test_review_fixes_leave_a_clean_file(crossref, check, folder):
    status, out, err = check("--fix", "review")
    assert (folder / "refs.bib").read_text(encoding="utf-8") in (RIGHT, RIGHT.replace("{1984}", "1984"))
    assert (status, "1 entry: 1 verified" in out, "1 fix applied" in err) == (0, True, True)
    assert check("--fix", "review")[0] == 0


def test_safe_fixes_alone_leave_the_year(crossref, check, folder):
    assert check("--fix", "safe")[0] == 1
    assert (folder / "refs.bib").read_text(encoding="utf-8") == BIB


def test_services_that_fail_leave_entries_unchecked_and_the_check_unfinished(folder, check):
    settings(folder, "semantic_scholar", "http://127.0.0.1:9")
    longer = BIB.replace("Literate Programming", "Literate Programming for Everyone")
    (folder / "refs.bib").write_text(longer, encoding="utf-8")
    status, out, err = check("--verbose")
    assert status == 2
    assert "refs.bib:1: unchecked: knuth84 (Knuth 1986, “Literate Programming for Everyone”): " in out
    assert "Semantic Scholar could not be asked (no connection); 1 entry stayed unchecked" in err
    settings(folder, "crossref", "http://127.0.0.1:9")
    doi = longer.replace("year", "doi = {10.1000/new}, year")
    (folder / "refs.bib").write_text(doi, encoding="utf-8")
    assert "could not be asked (no connection); 1 entry stayed unchecked" in check()[2]


@pytest.fixture
def interruptible():
    """What a shell starts in the background ignores SIGINT, and so would all that it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_control_c_ends_at_once_and_leaves_the_file(folder, interruptible):
    with serving(hangs=True) as server:
        settings(folder, "crossref", f"http://127.0.0.1:{server.server_port}")
        paths = [str(folder / "refs.bib"), "--config", str(folder / "settings.toml")]
        process = forked_programs.start("check", *paths, "--fix", "review", stderr=subprocess.PIPE)
        while not server.asked:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        with process.stderr as errors:
            assert errors.read() == b""
    assert (folder / "refs.bib").read_text(encoding="utf-8") == BIB


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_control_c_prints_what_was_found_and_says_that_the_next_run_goes_on(folder, interruptible):
    (folder / "refs.bib").write_text(BIB + "@misc{broken, title = {A}\n", encoding="utf-8")
    with serving(hangs=True) as server:
        settings(folder, "crossref", f"http://127.0.0.1:{server.server_port}")
        paths = [str(folder / "refs.bib"), "--config", str(folder / "settings.toml")]
        process = forked_programs.start("check", *paths, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not server.asked:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        with process.stdout as report, process.stderr as errors:
            assert b"[malformed-entry]" in report.read()
            assert b"not looked up; the next run goes on from here" in errors.read()


@pytest.mark.parametrize(
    ("done", "left", "seconds", "sentence"),
    [
        (2, 100, 60, ""),
        (10, 0, 60, ""),
        (10, 10, 30, "about 30 seconds left"),
        (10, 100, 30, "about 5 minutes left"),
    ],
)
def test_the_time_left_goes_by_what_the_entries_before_took(done, left, seconds, sentence):
    assert time_left(done, left, seconds) == sentence
