"""Fixes in files: which apply together, and what a file must be to be written."""

import hashlib
import json
import os
import subprocess
import sys
import time

import pytest

from citelsp.base.text import Edit, Span
from citelsp.checks.finding import Finding, Fix
from citelsp.cli import main
from citelsp.cli.fix import Mending
from citelsp.cli.named_files import ChangedError, rewrite
from citelsp.cli.report_parts import Checked
from citelsp.knowledge import Knowledge
from fixture_projects import project_of

TEXT = "@article{a, title = {Übung}}"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "refs.bib"
    path.write_bytes(TEXT.encode("latin-1"))
    return path


def mended(path, level, *fixes):
    """What is in the file after these (safety, edits) are applied, and what the mending says."""
    project = project_of({str(path): TEXT})
    findings = [
        Finding("code", str(path), Span(0, 0), "", fixes=(Fix("", safety, tuple(edit(path, *it) for it in edits)),))
        for safety, *edits in fixes
    ]
    mending = Mending(level)
    mending.apply([Checked(project, Knowledge(), findings, [])], lambda _: "")
    mending.write()
    return path.read_bytes().decode("latin-1"), mending


def edit(path, old, new):
    start = TEXT.index(old)
    return Edit(str(path), Span(start, start + len(old)), new)


def test_fixes_that_overlap_never_apply_together(path):
    text, mending = mended(path, "safe", ("safe", ("title", "TITLE")), ("safe", ("itle = {", "x")))
    assert (text, mending.applied) == (TEXT.replace("title", "TITLE"), 1)


@pytest.mark.parametrize(
    ("code", "recorded", "is_choice"),
    [("published-version", "", True), ("unknown-work", "", True), ("wrong-venue", "arXiv", True),
     ("wrong-venue", "ICML", False)],
)  # fmt: skip
def test_another_publication_is_the_authors_choice(path, code, recorded, is_choice):
    fix = Fix("", "review", (edit(path, "Übung", "Other"),))
    finding = Finding(code, str(path), Span(0, 0), "", field="venue", recorded=recorded, fixes=(fix,))
    checked = [Checked(project_of({str(path): TEXT}), Knowledge(), [finding], [])]
    assert is_choice != bool(Mending("review").apply(checked, lambda _: ""))


def test_safe_fixes_come_first(path):
    text, _ = mended(path, "review", ("review", ("title", "x")), ("safe", ("itle", "ITLE")))
    assert text == TEXT.replace("itle", "ITLE")


def test_the_fixes_that_would_apply_are_counted(path):
    project = project_of({str(path): TEXT})
    fixes = [("safe", ("title", "TITLE")), ("safe", ("itle", "x")), ("review", ("{a", "{b"))]
    findings = [
        Finding("code", str(path), Span(0, 0), "", fixes=(Fix("", safety, (edit(path, *it),)),)) for safety, it in fixes
    ]
    checked = [Checked(project, Knowledge(), findings, [])]
    assert Mending("review").count(checked, lambda _: "") == {("safe", "code"): 1, ("review", "code"): 1}
    assert not Mending("review").count(checked, lambda _: "it may not be written")


def test_two_insertions_at_one_place_wait_for_each_other(path):
    text, mending = mended(path, "safe", ("safe", ("", "1")), ("safe", ("", "2")))
    assert (text, mending.applied) == ("1" + TEXT, 1)


def test_a_fix_applies_whole_or_not_at_all(path):
    text, _ = mended(path, "safe", ("safe", ("title", "T")), ("safe", ("article", "book"), ("title", "x")))
    assert text == TEXT.replace("title", "T")


def test_a_fix_that_overlaps_itself_is_left_out(path):
    assert mended(path, "safe", ("safe", ("title", "x"), ("itle", "y")))[0] == TEXT


def test_review_fixes_only_where_they_are_wanted(path):
    assert mended(path, "safe", ("review", ("title", "x")))[0] == TEXT


def test_letters_that_the_encoding_lacks_are_left_out(path):
    text, mending = mended(path, "safe", ("safe", ("bung", "ő")), ("safe", ("article", "book")))
    assert text == TEXT.replace("article", "book")
    assert mending.lacking == {str(path): "its encoding, cp1252, has no “ő”"}


def test_a_file_that_changed_since_it_was_read_is_refused(path):
    path.write_bytes(b"something else")
    text, mending = mended(path, "safe", ("safe", ("title", "x")))
    assert (text, mending.refused) == ("something else", {str(path): "it has changed in the meantime"})


def test_rewriting_what_changed_leaves_it_and_no_other_file(path):
    with pytest.raises(ChangedError):
        rewrite(str(path), b"what was read", b"what is wanted")
    assert path.read_bytes() == TEXT.encode("latin-1")
    assert [it.name for it in path.parent.iterdir()] == ["refs.bib"]


REWRITES = r"""
import sys
from citelsp.cli.named_files import rewrite
texts = [b"a" * 500_000, b"b" * 500_000]
print(flush=True)
while True:
    rewrite(sys.argv[1], *texts)
    texts.reverse()
"""


def test_killed_while_writing_the_file_is_whole(path):
    path.write_bytes(b"a" * 500_000)
    for milliseconds in (0, 7, 20, 31):
        with subprocess.Popen([sys.executable, "-c", REWRITES, path], stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(milliseconds / 1000)
            process.kill()
        assert path.read_bytes() in (b"a" * 500_000, b"b" * 500_000)
        path.write_bytes(b"a" * 500_000)


def test_fixes_for_programs_say_what_they_are_made_of(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    before = "@article{a, title = {A Title}, doi = {https://doi.org/10.1000/x}, year = 2020}\n"
    (tmp_path / "refs.bib").write_text(before)
    main(["check", "refs.bib", "--offline", "--fix", "review", "--diff", "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    [file] = found["files"]
    assert (tmp_path / "refs.bib").read_text() == before
    assert file["sha256"] == hashlib.sha256(before.encode()).hexdigest()
    main(["check", "refs.bib", "--offline", "--fix", "review"])
    assert (tmp_path / "refs.bib").read_text() == file["text"] != before
    assert found["diff"].startswith("--- a/refs.bib")


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_what_could_not_be_written_is_reported_as_it_still_is(tmp_path, monkeypatch, capsys):
    import resource

    monkeypatch.chdir(tmp_path)
    entry = "@misc{%s, title = {A Title}, author = {Doe, J.}, year = 2020, doi = {https://doi.org/10.1000/%s}}\n"
    (tmp_path / "small.bib").write_text(entry % ("a", "x"))
    (tmp_path / "large.bib").write_text(entry % ("b", "y") + "% " + 100_000 * "x" + "\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, before[1]))  # as on a disk that is nearly full
    try:
        status = main(["check", "small.bib", "large.bib", "--offline", "--fix", "safe"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    out, err = capsys.readouterr()
    assert (status, out.count("[url-as-doi]")) == (2, 1)
    assert out.startswith("large.bib:1:")
    assert "citelsp: 1 fix applied in small.bib\n" in err
    assert "citelsp: large.bib is not changed: it could not be written: " in err
