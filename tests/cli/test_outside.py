"""What the system does to a command: closed pipes, full disks, folders that may not be used, odd names and locales."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import citelsp
from citelsp.cli import main

REFS = "@article{a, title = {Déjà vu}, doi = {https://doi.org/10.1/x}, author = {É. B}, journal = {J}, year = 2001}\n"
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full and names of any bytes")


@pytest.fixture
def shell(tmp_path):
    """shell(command) → (exit status, output, errors); CITELSP in it runs citelsp."""
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")

    def run(command, **more):
        house = str(Path(citelsp.__file__).parents[1])
        kept = {
            "PYTHONPATH": house,
            "CITELSP_CACHE_DIR": str(tmp_path / "cache"),
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONUTF8": "0",
        }
        written = command.replace("CITELSP", f"{sys.executable} -m citelsp")
        ended = subprocess.run(
            ["bash", "-c", written], capture_output=True, cwd=tmp_path, env=os.environ | kept | more, check=False
        )
        return ended.returncode, ended.stdout.decode(), ended.stderr.decode()

    return run


@linux
def test_nobody_listens_and_nothing_can_be_written(shell):
    assert shell("CITELSP check refs.bib --offline >&- 2>&-") == (1, "", "")
    status, _, told = shell("CITELSP doctor >/dev/full")
    assert (status, told) == (2, "citelsp: No space left on device\n")
    assert shell("CITELSP --help | true; exit ${PIPESTATUS[0]}")[2] == ""


@linux
def test_a_report_is_utf8_in_any_locale(shell):
    status, told, warned = shell("CITELSP demo", LC_ALL="C")
    assert status == 0 and "“" in told and not warned


@linux
def test_a_cache_that_cannot_be_made_is_none(shell, tmp_path):
    (tmp_path / "cache").write_text("a file")
    status, told, warned = shell("CITELSP check refs.bib --offline")
    assert status == 1 and "url-as-doi" in told and not warned
    assert shell("CITELSP cache info")[0] == 0


@linux
def test_a_disk_that_takes_no_more_of_a_corpus_is_named(shell, tmp_path):
    works = (json.dumps({"id": str(it), "title": f"On case {it}", "abstract": "word " * 400}) for it in range(500))
    (tmp_path / "works.jsonl").write_text("\n".join(works), encoding="utf-8")
    status, _, said = shell("ulimit -f 200; CITELSP corpus add works.jsonl --corpus corpus")  # of 1,024 bytes
    assert status == 2 and re.fullmatch("citelsp: cannot write to corpus: .*\\n", said)
    status, shown, _ = shell("CITELSP corpus add works.jsonl --corpus corpus")
    assert (status, shown) == (0, "works.jsonl: 500 new, 0 changed, 0 unchanged\n")


@linux
def test_a_folder_that_cannot_be_made_is_told_of(shell, tmp_path):
    (tmp_path / "data").write_text("a file")
    status, _, told = shell("CITELSP corpus add refs.bib --corpus data/corpus")
    assert status == 2 and "Not a directory" in told and "Traceback" not in told


@linux
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_names_that_are_no_text(tmp_path, capsys, monkeypatch, form):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd\udcff.bib").write_text(REFS, encoding="utf-8")
    (tmp_path / "two\nlines.bib").write_text(REFS, encoding="utf-8")
    assert main(["check", ".", "--offline", "--format", form]) == 1
    told = capsys.readouterr().out
    if form == "text":
        assert '"two\\nlines.bib":1:' in told and '"odd\\xff.bib":1:' in told
    if form == "sarif":
        assert "odd%FF.bib" in told and json.loads(told)


@linux
def test_a_baseline_of_names_that_are_no_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd\udcff.bib").write_text(REFS, encoding="utf-8")
    assert main(["check", ".", "--offline", "--baseline", "known.json", "--write-baseline"]) == 0
    assert main(["check", ".", "--offline"]) == 1
    assert main(["check", ".", "--offline", "--baseline", "known.json"]) == 0
