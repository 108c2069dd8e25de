"""The report for code scanning."""

import json

import pytest

import sarif_rules
from citelsp.cli import main

BIB = """@article{a😀b,
  author = {Knuth, Donald E.}, title = {Literate 😀 Programming}, journal = {J}, year = 1984,
  doi = {https://doi.org/10.1093/comjnl/27.2.97},
}
@article{a😀b, title = {{0} [x](y)} }
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    (tmp_path / "my refs").mkdir()
    (tmp_path / "my refs" / "a b.bib").write_text(BIB, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(*paths):
        main(["check", "--offline", "--format", "sarif", *paths])
        log = json.loads(capsys.readouterr().out)
        sarif_rules.check(log)
        return log["runs"][0]

    return run


def test_a_finding_with_its_fix(run):
    [found] = [it for it in run("my refs/a b.bib")["results"] if it["ruleId"] == "url-as-doi"]
    place = {"uri": "my%20refs/a%20b.bib", "uriBaseId": "%SRCROOT%"}
    region = {"startLine": 3, "startColumn": 10, "endLine": 3, "endColumn": 48}
    assert found["level"] == "warning"
    assert found["locations"] == [{"physicalLocation": {"artifactLocation": place, "region": region}}]
    [change] = found["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"] == place
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": "10.1093/comjnl/27.2.97"}}]
    assert found["properties"]["key"] == "a😀b"


def test_rules_bring_their_pages(run):
    for rule in run("my refs/a b.bib")["tool"]["driver"]["rules"]:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']}\n")
        assert "](" not in rule["help"]["markdown"]  # a link would lead out of the report


def test_a_file_elsewhere_is_named_by_its_address(run, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    uris = {it["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for it in run("../my refs")["results"]}
    assert uris == {(tmp_path / "my refs" / "a b.bib").as_uri()}


def test_fingerprints_stay_when_text_moves_and_differ_from_each_other(run, tmp_path):
    def prints():
        return [it["partialFingerprints"]["citelsp/v1"] for it in run("my refs")["results"]]

    before = prints()
    (tmp_path / "my refs" / "a b.bib").write_text("% moved\n\n" + BIB, encoding="utf-8")
    assert prints() == before
    assert len(set(before)) == len(before) >= 3


def test_what_kept_the_check_from_finishing_is_said(run, tmp_path):
    (tmp_path / "noise.bib").write_bytes(b"\0" * 99)
    [invocation] = run("noise.bib", "my refs")["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "noise.bib" in invocation["toolExecutionNotifications"][0]["message"]["text"]
