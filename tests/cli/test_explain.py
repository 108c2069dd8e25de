"""`check --explain KEY` tells how a verdict came about."""

import json

import marks
from citelsp.cli import main
from citelsp.cli.explain import explain_verdicts
from citelsp.cli.report_parts import Checked
from citelsp.knowledge import Knowledge, Ruling, Verdict


def test_an_entry_is_told_by_its_key():
    project = marks.project(marks.parse("%% r.bib\n@misc{a, title = {A}}\n@misc{b, title = {B}}\n"))
    places = list(project.entries())
    rules = (Ruling("work", "nobody_has_it", "decides", sentence="No record is this work"),)
    reason = "@misc entries are often in no index"
    told = Verdict("unchecked", reason, asked=("crossref",), date="2026-01-02", rules=rules)
    checked = Checked(project, Knowledge(verdicts={places[0].content: told}), (), places)
    lines = explain_verdicts([checked], "a").splitlines()
    assert lines[0].endswith("a (“A”)")
    assert lines[1:3] == ["  Asked 2026-01-02: Crossref answered.", "  No record that came back is this work."]
    assert lines[-1].startswith("  So it is unchecked: @misc entries are often in no index. No record is this work")
    assert explain_verdicts([checked], "b").splitlines()[1] == "  It was not looked up."
    assert explain_verdicts([checked], "c") == ""


def test_a_program_gets_it_in_the_report(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.bib").write_text("@misc{a, title = {A}}\n@misc{b, title = {B}}\n")
    main(["check", "refs.bib", "--offline", "--format", "json", "--explain", "a"])
    found = json.loads(capsys.readouterr().out)
    assert found["explanation"].splitlines()[1].strip() == "It was not looked up."
    assert len(found["entries"]) == 2
