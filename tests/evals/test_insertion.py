"""`citelsp eval insertion` without a network: what was not found is no entry, and nothing is written."""

import gzip
import json

import pytest

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.cli import main
from citelsp.evals import insertion
from citelsp.evals.bib_habits import FILES

WORK = {
    "id": "W1",
    "title": "Long memories",
    "authors": [{"given": "Ida", "family": "Ice"}],
    "year": 2020,
    "doi": "10.5555/x",
}


def test_works_are_looked_up_in_each_way_that_they_can_be(tmp_path, capsys):
    (tmp_path / "works.jsonl").write_text(json.dumps(WORK) + "\n", encoding="utf-8")
    (tmp_path / "off.toml").write_text("offline = true\n", encoding="utf-8")
    words = [str(tmp_path / "works.jsonl"), "--config", str(tmp_path / "off.toml"), "--wrong"]
    assert main(["eval", "insertion", *words, "--write", str(tmp_path / "kept")]) == 0
    printed = capsys.readouterr().out
    assert "doi: n = 1; to the letter 0" in printed and "arxiv: n = 0" in printed and "title: n = 1" in printed
    assert "- doi, " in printed and "Long memories [W1]" in printed
    assert list((tmp_path / "kept").iterdir()) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"not JSON\n", "works.jsonl:1: not a work"),
        (b'\n{"id": "W1"}\n', "works.jsonl:2: not a work"),
        (b'{"id": "W1", "title": "Long memories", "authors": ["Ida Ice"]}\n', "works.jsonl:1: not a work"),
        (gzip.compress(b"x" * 9_000, mtime=0)[:20], "it is damaged"),
    ],
)
def test_works_of_another_form_are_said(tmp_path, capsys, content, said):
    (tmp_path / "works.jsonl").write_bytes(content)
    assert main(["eval", "insertion", str(tmp_path / "works.jsonl")]) == 2
    assert said in capsys.readouterr().err


def test_a_work_that_is_there_already_adds_nothing():
    people = (Name("Shannon", "Claude E."),)
    record = Record("truth", "W2", "A Mathematical Theory of Communication", people, years=(1948,))
    outcome = insertion.insert_record(record, record, "aligned")
    assert (outcome.after, outcome.faults, outcome.departures) == (FILES["aligned"][1], (), ())


@pytest.mark.parametrize("name", ["refs.json", "refs.bib"])
def test_a_split_entry_is_seen_in_every_language(name):
    entry = {"refs.json": '{"id": "key%d", "title": "One"},', "refs.bib": "@misc{key%d, title = {One}}\n"}[name]
    opening, closing = ("[", '{"id": "last", "title": "Last"}]') if name == "refs.json" else ("", "")
    before = f"{opening}{entry % 1}{closing}"
    after = f"{opening}{entry % 2}{entry % 3}{entry % 1}{closing}"
    assert list(insertion.describe_changes(name, before, after, len(opening))) == ["entries were lost or split"]
