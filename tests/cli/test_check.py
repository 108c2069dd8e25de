"""citelsp check, as a shell runs it, without services."""

import io
import json
import os
import sys

import pytest

from citelsp.checks import malformed_identifier
from citelsp.cli import main

BIB = """@article{knuth84,
  author = {Knuth, Donald E.},
  title = {Literate Programming},
  journal = {The Computer Journal},
  year = 1984,
  doi = {https://doi.org/10.1093/comjnl/27.2.97},
}
"""
FIXED = BIB.replace("https://doi.org/", "")


@pytest.fixture
def check(folder, capsys):
    def run(*arguments):
        status = main(["check", "--offline", *map(str, arguments)])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


@pytest.fixture
def report(check):
    def run(*arguments):
        return json.loads(check(*arguments, "--format", "json")[1])

    return run


def test_json(report):
    found = report("main.tex")
    assert found["version"] == 1
    assert [(it["key"], it["verdict"], it["work"]) for it in found["entries"]] == [
        ("knuth84", "unchecked", None),
        ("lamport94", "unchecked", None),
    ]
    [nope] = [it for it in found["findings"] if it["code"] == "undefined-citation"]
    assert (nope["path"], nope["key"], nope["severity"]) == ("main.tex", "nope", "warning")
    assert nope["range"] == {"start": {"line": 5, "character": 27}, "end": {"line": 5, "character": 31}}


def test_a_fix_lets_no_more_be_looked_at_than_before(check, folder):
    uncited = BIB.replace("knuth84", "uncited").replace("comjnl", "other")
    (folder / "main.tex").write_text("\\documentclass{a}\n\\bibliography{refs}\nKnown \\cite{knuth84}.\n")
    (folder / "refs.bib").write_text(BIB + uncited)
    _, out, _ = check("main.tex", "--fix", "safe")
    assert (folder / "refs.bib").read_text() == FIXED + uncited
    assert out == check("main.tex")[1]
    assert "2 entries, of which 1 is cited; the other was skipped.\n" in out


def test_text_is_plain_in_a_pipe(check):
    status, out, err = check("main.tex")
    assert status == 1
    assert "main.tex:6:28: warning: No entry has the key “nope”. [undefined-citation]" in out
    assert out.endswith(
        "2 entries: not looked up\nRead 1 manuscript file with 3 citations and 1 bibliography with 2 entries.\n"
    )
    assert "\x1b" not in out + err


def test_verbose_lists_no_entry_that_nobody_was_asked_about(check):
    out = check("main.tex", "--verbose")[1]
    assert "it was not looked up" not in out and "2 entries: not looked up\n" in out


def test_many_findings_are_counted_by_code(check, folder):
    twice = "".join(f"@misc{{k{it}, title = {{T}}, title = {{U}}}}\n" for it in range(60))
    (folder / "many.bib").write_text(f"{twice}@misc{{k1, author = {{B}}}}", encoding="utf-8")
    lines = check("many.bib")[1].splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("1 error, 60 warnings"))
    assert lines[at + 1].split() == ["1", "error", "duplicate-entry"]
    assert lines[at + 2].split() == ["60", "warning", "malformed-entry"]
    assert not any(line.startswith("   ") for line in check("main.tex")[1].splitlines())


def test_annotations_name_the_entry(check, folder):
    (folder / "one.bib").write_text("@misc{k, title = {T}, title = {T}, title = {U}}\n", encoding="utf-8")
    assert "::k: The field title appears 3 times." in check("one.bib", "--format", "github")[1]


def test_an_entry_that_cannot_be_read_gives_one_error(check, folder):
    (folder / "one.bib").write_text("@article{k, year = 2000, title = {T", encoding="utf-8")
    out = check("one.bib")[1]
    assert out.count("[malformed-entry]") == 1 and "missing-field" not in out


def test_what_one_command_would_mend_is_told_at_once(check, report, folder):
    entries = "".join(
        f"@misc{{k{it}, author = {{A}}, title = {{T}}, year = 2000, doi = {{doi:10.1000/{it}}}}}\n" for it in range(6)
    )
    (folder / "many.bib").write_text(entries, encoding="utf-8")
    first, second, third, *_ = check("many.bib")[1].splitlines()
    told = f"{malformed_identifier.CHECK.title}: 6 times"
    ways = "(--fix safe fixes them, --verbose lists them)"
    assert first == f"many.bib: information: {told} {ways} [malformed-identifier]"
    assert (second, third) == ("6 information", "Fixable with --fix safe: 6 malformed-identifier")
    github = check("many.bib", "--format", "github")[1]
    assert github.startswith(f"::notice file=many.bib,title=citelsp%3A malformed-identifier::{told} {ways}\n")
    for listed in (check("many.bib", "--verbose")[1], check("many.bib", "--format", "github", "--verbose")[1]):
        assert listed.count("The doi field should contain the DOI only") == 6
    assert len(report("many.bib")["findings"]) == 6


def test_a_few_are_listed(check, folder):
    entries = "".join(
        f"@misc{{k{it}, author = {{A}}, title = {{T}}, year = 2000, doi = {{doi:10.1000/{it}}}}}\n" for it in range(5)
    )
    (folder / "some.bib").write_text(entries, encoding="utf-8")
    assert check("some.bib")[1].count("The doi field should contain the DOI only") == 5


def test_a_folder_is_reported_once(report):
    findings = report(".")["findings"]
    assert sorted(it["path"] for it in findings if it["code"] == "undefined-citation") == ["main.tex", "notes.md"]


def test_a_folder_holds_bibliographies_that_nobody_names(folder, report):
    (folder / "more").mkdir()
    (folder / "more" / "old.bib").write_text(BIB, encoding="utf-8")
    entries = [(it["path"], it["key"]) for it in report(".")["entries"]]
    assert entries == [("refs.bib", "knuth84"), ("refs.bib", "lamport94"), ("more/old.bib", "knuth84")]


def test_entries_named_twice_are_reported_once(report):
    assert [it["key"] for it in report("main.tex", "refs.bib")["entries"]] == ["knuth84", "lamport94"]


def test_a_part_belongs_to_the_project_around_it(folder, report):
    (folder / ".citelsp.toml").write_text("")
    (folder / "main.tex").write_text("\\documentclass{article}\\addbibresource{refs.bib}\\input{parts/one}")
    (folder / "parts").mkdir()
    (folder / "parts" / "one.tex").write_text("\\cite{knuth84}")
    assert [it["key"] for it in report("parts/one.tex")["entries"]] == ["knuth84"]


def test_a_bibliography_without_trouble(check):
    assert check("refs.bib")[0] == 0


@pytest.mark.parametrize(
    "arguments", [["nowhere.tex"], [], ["--format", "xml", "."], ["--diff", "."], ["--write-baseline", "."]]
)
def test_usage(check, arguments):
    assert check(*arguments)[0] == 3


def test_what_is_no_text_cannot_be_read(folder, check):
    (folder / "noise.bib").write_bytes(b"\0\1\2" * 1000)
    status, _, err = check("noise.bib", "main.tex")
    assert status == 2
    assert "noise.bib is not text and was not read" in err


def test_a_footnote_that_is_no_reference_is_a_remark(folder, check):
    (folder / "note.md").write_text("So it is.[^a]\n\n  [^a]: In the manner of Diderot (1751).\n", encoding="utf-8")
    status, _, err = check("note.md", "--offline")
    assert (status, err) == (0, "")


def test_of_what_is_too_large_it_is_not_said_that_nothing_was_found(folder, check):
    (folder / "large.tex").write_bytes(b"\\cite{x}\n" + b"words " * (2 << 20))
    status, out, err = check("large.tex", "--offline")
    assert (status, out.splitlines()) == (2, ["Nothing was checked"])
    assert err.splitlines() == ["citelsp: large.tex is larger than 10 MB and was not read"]


def test_a_file_that_is_not_text_is_named_once(folder, check):
    (folder / "binary.tex").write_bytes(b"\0\1\2")
    for options in ((), ("--format", "md")):
        status, out, err = check(".", "--offline", *options)
        assert status == 2 and (out + err).count("binary.tex is not text and was not read") == max(1, len(options))


def test_github_annotations(check, folder):
    (folder / "100%, really.md").write_text("---\nbibliography: refs.bib\n---\n😀 [@nope]\n", encoding="utf-8")
    _, out, _ = check("100%, really.md", "--format", "github")
    assert out.splitlines()[0] == (
        "::warning file=100%25%2C really.md,line=4,endLine=4,col=6,endColumn=10,title=citelsp%3A undefined-citation"
        "::No entry has the key “nope”."
    )


def test_github_paths_count_from_the_repository(check, folder, monkeypatch):
    monkeypatch.setenv("GITHUB_WORKSPACE", str(folder.parent))
    assert f"file={folder.name}/main.tex," in check("main.tex", "--format", "github")[1]


def test_safe_fixes_are_written_and_the_rest_stays(folder, check):
    (folder / "refs.bib").write_bytes(BIB.encode())
    status, _, err = check("refs.bib", "--fix", "safe")
    assert (status, (folder / "refs.bib").read_bytes()) == (0, FIXED.encode())
    assert "1 fix applied in refs.bib" in err
    assert check("refs.bib", "--fix", "safe")[2] == ""


def test_keys_as_bibtex_compares_them(folder, check, report):
    text = "\\documentclass{x}\\bibliography{refs} \\cite{KNUTH84} \\cite{Knuth84, nope}\n"
    (folder / "main.tex").write_text(text, encoding="utf-8")
    assert [it["key"] for it in report("main.tex")["entries"]] == ["knuth84"]
    check("main.tex", "--fix", "safe")
    assert (folder / "main.tex").read_text(encoding="utf-8") == text.replace("Knuth84", "KNUTH84")


def test_a_diff_writes_nothing(folder, check):
    (folder / "refs.bib").write_text(BIB, encoding="utf-8")
    _, out, _ = check("refs.bib", "--fix", "review", "--diff")
    assert out.startswith("--- a/refs.bib\n+++ b/refs.bib\n@@")
    assert "-  doi = {https://doi.org/10.1093/comjnl/27.2.97},\n+  doi = {10.1093/comjnl/27.2.97},\n" in out
    assert (folder / "refs.bib").read_text(encoding="utf-8") == BIB


@pytest.mark.parametrize(
    "written",
    [
        BIB.replace("Knuth", "Knüth").replace("\n", "\r\n").encode("latin-1"),
        b"\xef\xbb\xbf" + BIB.replace("Knuth", "Knüth").encode(),
        b"\xfe\xff" + BIB.encode("utf-16-be"),
        BIB.replace("Knuth", "Kn\x81th\x0b\x85").encode("latin-1"),
    ],
    ids=["latin-1 with CRLF", "byte order mark", "utf-16", "controls"],
)
def test_all_bytes_outside_the_edits_stay(folder, check, written):
    address = "https://doi.org/".encode("utf-16-be" if written.startswith(b"\xfe\xff") else "ascii")
    (folder / "refs.bib").write_bytes(written)
    check("refs.bib", "--fix", "safe")
    assert (folder / "refs.bib").read_bytes() == written.replace(address, b"")


@pytest.mark.skipif(os.name == "nt", reason="modes and links are POSIX's")
def test_mode_and_link_stay(folder, check):
    (folder / "real").mkdir()
    (folder / "real" / "mine.bib").write_text(BIB, encoding="utf-8")
    (folder / "real" / "mine.bib").chmod(0o640)
    (folder / "refs.bib").unlink()
    (folder / "refs.bib").symlink_to("real/mine.bib")
    check("refs.bib", "--fix", "safe")
    assert (folder / "refs.bib").is_symlink()
    assert (folder / "real" / "mine.bib").read_text(encoding="utf-8") == FIXED
    assert (folder / "real" / "mine.bib").stat().st_mode & 0o777 == 0o640
    assert [it.name for it in (folder / "real").iterdir()] == ["mine.bib"]


def test_an_export_is_left_alone(folder, check):
    (folder / "refs.bib").write_text("% Exported from Zotero by Better BibTeX\n" + BIB, encoding="utf-8")
    status, _, err = check("refs.bib", "--fix", "safe")
    assert status == 2
    assert "is not changed: Better BibTeX writes it" in err


def test_only_what_was_named_is_written(folder, check):
    (folder / "sub").mkdir()
    (folder / "refs.bib").write_text(BIB, encoding="utf-8")
    (folder / ".citelsp.toml").write_text("")
    (folder / "sub" / "part.tex").write_text(
        "\\documentclass{article}\\addbibresource{../refs.bib}\\begin{document}\\cite{knuth84}", encoding="utf-8"
    )
    status, _, err = check("sub/part.tex", "--fix", "safe")
    assert (status, (folder / "refs.bib").read_text(encoding="utf-8")) == (2, BIB)
    assert "you named neither it nor its folder" in err
    assert check("sub/part.tex", "refs.bib", "--fix", "safe")[0] == 0


def test_a_baseline_leaves_only_what_is_new(folder, check, report):
    assert check(".", "--baseline", "known.json", "--write-baseline")[0] == 0
    assert report(".", "--baseline", "known.json")["findings"] == []
    text = (folder / "main.tex").read_text(encoding="utf-8")
    (folder / "main.tex").write_text("% moved\n\n" + text.replace("{lamport94}", "{lamport95}"), encoding="utf-8")
    fresh = [(it["code"], it["key"]) for it in report(".", "--baseline", "known.json")["findings"]]
    assert fresh == [("undefined-citation", "lamport95"), ("unused-entry", "lamport94")]


def test_a_baseline_is_the_same_from_another_folder(folder, report, check, monkeypatch):
    assert check(".", "--baseline", "known.json", "--write-baseline")[0] == 0
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder / "sub")
    assert report("..", "--baseline", "../known.json")["findings"] == []


def test_what_is_no_baseline_is_not_replaced_by_one(folder, check):
    before = (folder / "main.tex").read_bytes()
    status, _, err = check("main.tex", "--baseline", "main.tex", "--write-baseline")
    assert (status, (folder / "main.tex").read_bytes()) == (3, before) and "main.tex is not a baseline" in err
    (folder / "empty.json").touch()
    for _ in range(2):
        assert check(".", "--baseline", "empty.json", "--write-baseline")[0] == 0


def test_one_finding_is_counted_as_one(folder, check):
    (folder / "one.bib").write_text(
        "@book{a, title = {A}, author = {B, C}, year = 2001, doi = {https://doi.org/10.1000/a},\n publisher = {P}}\n",
        encoding="utf-8",
    )
    assert check("one.bib", "--baseline", "known.json", "--write-baseline") == (0, "1 finding in known.json\n", "")


def test_a_baseline_with_the_marks_of_a_merge_is_written_anew(folder, check, report):
    assert check(".", "--baseline", "known.json", "--write-baseline")[0] == 0
    path = folder / "known.json"
    first, *others = path.read_text(encoding="utf-8").splitlines(keepends=True)
    sides = ["<<<<<<< ours\n", others[0], "=======\n", ">>>>>>> theirs\n", *others[1:]]
    path.write_text("".join([first, *sides]), encoding="utf-8")
    status, _, err = check(".", "--baseline", "known.json")
    assert (status, err) == (3, "citelsp: known.json is damaged, as by a merge: write it again with --write-baseline\n")
    assert check(".", "--baseline", "known.json", "--write-baseline")[0] == 0
    assert report(".", "--baseline", "known.json")["findings"] == []
    path.write_text("".join([first, "A word of mine.\n", *others]), encoding="utf-8")
    assert check(".", "--baseline", "known.json", "--write-baseline")[0] == 3


@pytest.mark.parametrize("written", [None, "", "no json", "[]", '{"version": 7, "findings": []}'])
def test_a_baseline_that_is_none(folder, check, written):
    if written is not None:
        (folder / "known.json").write_text(written)
    status, _, err = check(".", "--baseline", "known.json")
    assert status == 3
    assert "baseline" in err


def test_a_report_is_written_to_files_by_their_endings(check, folder):
    files = [folder / f"report.{it}" for it in ("html", "md", "csv", "json", "sarif")]
    named = [argument for file in files for argument in ("--report", file)]
    printed = check(folder / "main.tex", "--format", "md")[1]
    assert check(folder / "main.tex", "--format", "md", *named)[1] == printed
    assert (folder / "report.md").read_text(encoding="utf-8") == printed
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (folder / "report.csv").read_text(encoding="utf-8").startswith("file,key,verdict")
    assert json.loads((folder / "report.json").read_text(encoding="utf-8"))["version"] == 1
    assert json.loads((folder / "report.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert check(folder / "main.tex", *named)[0] == check(folder / "main.tex")[0]  # older reports are replaced


@pytest.mark.parametrize("options", [("--report",), ("--write-baseline", "--baseline")])
def test_what_cannot_be_written_is_told_before_anything_is_checked(check, folder, options):
    told = f"citelsp: none/b.json cannot be written: there is no folder {folder / 'none'}\n"
    assert check("main.tex", *options, "none/b.json") == (2, "", told)
    if os.name == "posix":
        (folder / "b.json").touch(mode=0o444)
        assert "b.json cannot be written: it is read-only" in check("main.tex", *options, "b.json")[2]
    (folder / "folder.json").mkdir()
    told = "citelsp: folder.json cannot be written: it is not a regular file\n"
    assert check("main.tex", *options, "folder.json") == (2, "", told)


def test_reports_are_written_of_titles_that_are_no_text(check, folder):
    work = {"id": "a", "type": "article-journal", "title": "A \ud83d title"}
    (folder / "odd.json").write_text(json.dumps([work]), encoding="utf-8")
    for ending in ("html", "md", "csv", "json", "sarif"):
        assert check(folder / "odd.json", "--report", folder / f"report.{ending}")[0] == 0
    assert "A ? title" in (folder / "report.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", ["html", "md", "csv", "json", "sarif"])
@pytest.mark.parametrize(
    "text", ["# Notes\n\nOf today.\n", "## References of interest\n\nA list.\n", "[]", "key,title\n"]
)
def test_a_report_replaces_nothing_that_somebody_else_wrote(check, folder, ending, text):
    path = folder / f"of-others.{ending}"
    path.write_text(text, encoding="utf-8")
    told = f"citelsp: of-others.{ending} is not a report of citelsp: name another file, or remove it\n"
    assert check("main.tex", "--report", path.name) == (3, "", told)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("ending", ["html", "md", "csv", "json", "sarif"])
def test_a_report_replaces_an_older_one_in_each_run(check, folder, ending):
    path = folder / f"report.{ending}"
    for paths in (["main.tex"], ["empty.bib"], ["main.tex", "refs.bib", "spoilt.json"]):
        (folder / "empty.bib").touch()
        (folder / "spoilt.json").write_bytes(b'[{"id": "a", "title": "\0"}]')
        check(*paths, "--report", path.name)
        assert check("main.tex", "--report", path.name)[0] == 1
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))  # as git may check it out
    assert check("main.tex", "--report", path.name)[0] == 1
    path.write_bytes(b"")
    assert check("main.tex", "--report", path.name)[0] == 1


def test_a_report_in_markdown_is_replaced_although_it_is_in_the_folder_that_is_checked(check, folder):
    (folder / "notes.md").write_text("---\nbibliography: refs.bib\n---\nSee [@knuth84].\n", encoding="utf-8")
    first = check(".", "--report", "report.md")[0]
    (folder / "report.md").write_bytes((folder / "report.md").read_bytes() + b"And that is all.\n")
    assert check(".", "--report", "report.md")[0] == first
    assert "that is all" not in (folder / "report.md").read_text(encoding="utf-8")


def test_a_report_in_markdown_cites_nothing(check, folder):
    entry = "@article{roe, title={At [@scale] with @foo}, author={Roe, O.}, doi={https://doi.org/10.1000/x}}"
    (folder / "more.bib").write_text(entry, encoding="utf-8")
    (folder / "more.md").write_text("---\nbibliography: more.bib\n---\nSee [@roe; @lost].\n", encoding="utf-8")
    first, second = (json.loads(check(".", "--report", "report.md", "--format", "json")[1]) for _ in range(2))
    assert first["read"]["citations"] == second["read"]["citations"]
    assert first["findings"] == second["findings"]
    assert "At \\[\\@scale\\] with \\@foo" in (folder / "report.md").read_text(encoding="utf-8")


def test_no_report_replaces_what_somebody_writes_while_it_is_made(check, folder, monkeypatch):
    class TypedSlowly(io.BytesIO):
        def read(self, size=-1):
            (folder / "mine.md").write_text("My notes.", encoding="utf-8")
            return super().read(size)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(TypedSlowly(BIB.encode())))
    status, _, said = check("-", "--report", "mine.md")
    assert (status, (folder / "mine.md").read_text(encoding="utf-8")) == (2, "My notes.")
    assert "mine.md is not written: it is not a report of citelsp: name another file, or remove it" in said


def test_no_report_replaces_a_baseline_or_has_an_unknown_ending(check, folder):
    (folder / "sub").mkdir()
    check("main.tex", "--baseline", "known.json", "--write-baseline")
    for name in ("known.json", folder / "sub" / ".." / "known.json"):
        status, _, said = check("main.tex", "--baseline", "known.json", "--report", name)
        assert (status, said) == (3, "citelsp: --report would replace the baseline known.json\n")
    status, _, said = check("main.tex", "--report", folder / "report.pdf")
    assert status == 3
    assert "--report writes .html, .md, .csv, .json, .sarif" in said


def test_no_report_replaces_what_could_not_be_read(check, folder):
    path = folder / "spoilt.json"
    path.write_bytes(b'[{"id": "a", "title": "\0"}]')
    before = path.read_bytes()
    assert check("refs.bib", "spoilt.json", "--report", "spoilt.json")[0] == 3
    assert path.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="links are POSIX's")
def test_no_report_replaces_what_was_checked_through_a_link(check, folder):
    before = (folder / "refs.bib").read_bytes()
    (folder / "report.md").symlink_to("refs.bib")
    assert check("main.tex", "--report", "report.md")[0] == 3
    assert (folder / "refs.bib").read_bytes() == before


def test_what_makes_typst_refuse_a_file_is_reported_of_uncited_entries_too(check, folder):
    (folder / "main.typ").write_text('@a #bibliography("r.bib")\n')
    (folder / "r.bib").write_text("@misc{a, title = {A}}\n@misc{b, title = {B}, year = {n.d.}, doi = {x}}\n")
    _, out, _ = check("main.typ")
    assert "b (“B”): “n.d.” does not begin with the digits of a year: Typst refuses the whole file." in out
    assert "malformed-identifier" not in out


def test_who_asks_for_fix_is_told_how_to(capsys):
    assert main(["fix", "refs.bib"]) == 3
    assert capsys.readouterr().err == "citelsp: fixing is a part of checking: citelsp check PATH --fix safe\n"
