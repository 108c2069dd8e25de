"""`check --explain KEY` tells how a verdict came about."""

import marks
from citelsp.cli.check_report import Checked
from citelsp.cli.explain import explained
from citelsp.knowledge import Knowledge, Ruling, Verdict


def test_an_entry_is_told_by_its_key():
    project = marks.project(marks.parse("%% r.bib\n@misc{a, title = {A}}\n@misc{b, title = {B}}\n"))
    places = list(project.entries())
    rules = (Ruling("work", "nobody_has_it", "decides", sentence="No record is this work"),)
    reason = "@misc entries are often in no index"
    told = Verdict("unchecked", reason, asked=("crossref",), date="2026-01-02", rules=rules)
    checked = Checked(project, Knowledge(verdicts={places[0].content: told}), (), places)
    lines = explained([checked], "a").splitlines()
    assert lines[0].endswith("a (“A”)")
    assert lines[1:3] == ["  Asked 2026-01-02: Crossref answered.", "  No record that came back is this work."]
    assert lines[-1].startswith("  So it is unchecked: @misc entries are often in no index. No record is this work")
    assert explained([checked], "b").splitlines()[1] == "  It was not looked up."
    assert explained([checked], "c") == ""
