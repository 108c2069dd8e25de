"""What is said of works that every service lacks is counted by what an author would notice."""

import json
import sys

from lab import withheld

BIB = """@article{a, title = {A}, journal = {J}}
@article{b, title = {B}, journal = {J}}
@book{c, title = {C}}
@article{d, title = {D}, journal = {J}}
"""


def entry(key, verdict, reason="", rule=""):
    return {"key": key, "verdict": verdict, "reason": reason, "rules": [{"rule": rule}] if rule else []}


def test_the_share_that_is_noticed(tmp_path, monkeypatch, capsys):
    (tmp_path / "all.bib").write_text(BIB)
    (tmp_path / "keys").write_text("a\nb\nc\n")
    journal = "no_index_has_all_of_its_venue"
    entries = [
        entry("a", "unconfirmed", "no index knows a journal called J", journal),
        entry("b", "unconfirmed", "no service is known to list everything from J", journal),
        entry("c", "not-found"),
        entry("d", "conflict"),
    ]
    (tmp_path / "report.json").write_text(json.dumps({"entries": entries}))
    monkeypatch.setattr(
        sys, "argv", ["withheld", str(tmp_path / "all.bib"), f"{tmp_path / 'report.json'}={tmp_path / 'keys'}"]
    )
    withheld.main()
    told = capsys.readouterr().out
    assert "Of 2 articles 50" in told
    assert "Of 1 works that the services have 1 were accused" in told
    assert "| journal named | 1 | 0 |" in told
    assert "| reported | 0 | 1 |" in told
