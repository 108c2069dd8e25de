"""The figures of a cluster come from one command, which fills both indexes and asks both."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import institute_curve
import institute_recall
import opensearch_cluster
from citelsp.evals import questions
from citelsp.evals.questions import LabelledPlace

SCRIPT = Path(__file__).with_name("institute.py")


@pytest.mark.benchmarks
def test_figures(tmp_path):
    if why := opensearch_cluster.missing():
        pytest.skip(why)
    works, asked, gold = (tmp_path / f"{it}.jsonl" for it in ("works", "asked", "gold"))
    lines = [{"id": f"w{n}", "title": f"Glaciers of river {n + 2000}", "year": 2000} for n in range(600)]
    works.write_text("".join(json.dumps(it) + "\n" for it in lines), encoding="utf-8")
    lines = lines[:12]
    asked.write_text("".join(json.dumps({"id": it["id"], "text": f"{it['title']} \\cite<>."}) + "\n" for it in lines))
    gold.write_text("".join(json.dumps({"id": it["id"], "set": "own", "gold": [it["id"]]}) + "\n" for it in lines))
    command = [sys.executable, str(SCRIPT), "--works", str(works), "--ask", str(asked), str(gold), "--clients", "2"]
    command += ["--nodes", "1", "--port", "19400", "--keep", str(tmp_path / "kept")]

    def said(*more):
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=True, timeout=900)
        return done.stdout

    tmp_path.chmod(0o755)  # for the user that the node runs as
    found = said("--answers", str(tmp_path / "answers.jsonl"), "--cites")
    assert "Added 600 works" in found
    assert "| own | 12 | R@10 | 100.0 | 100.0 | +0.0 (+0.0..+0.0) |" in found
    assert "| round trips | 2.0 | 2.0 |" in found
    grown = said("--grow", "500", "900")
    assert "Added 500 works" in grown
    assert "Added 400 works" in grown
    assert "900 works in works-grown-1" in grown
    assert grown.count("| round trips | 2.0 | 2.0 |") == 2
    again = said("--grow", "500", "900")
    assert "Added" not in again
    assert again.splitlines() == grown.splitlines()[-len(again.splitlines()) :]
    places = questions.read(asked, gold)
    assert {it.asked for it in institute_recall.noted(tmp_path / "answers.jsonl", places)} == set(places)


def test_costs_go_on_as_a_line_and_as_a_curve(tmp_path):
    notes = tmp_path / "grown.jsonl"
    for works, nodes in ((4_000_000, 80.0), (1_000_000, 40.0)):
        institute_curve.note(notes, institute_curve.Point(works, works / 1e6, 1.0, nodes, 30.0, 100.0))
    *_, ten, hundred, _ = institute_curve.table(institute_curve.noted(notes)).splitlines()
    assert ten == "| 10,000,000 | 10 | 160 | 126 |"
    assert hundred == "| 100,000,000 | 100 | 1,360 | 400 |"


def test_what_was_found_is_read_again(tmp_path):
    notes = tmp_path / "answers.jsonl"
    one, other = (LabelledPlace(it, "own", it, "", "", r"\cite<>", "", (), ()) for it in ("one", "other"))
    assert institute_recall.noted(notes, [one, other]) == []
    found = institute_recall.Recalls(one, {"R@1": 0.0}, {"R@1": 1.0}, same_first=False)
    notes.write_text(found.line(), encoding="utf-8")
    assert institute_recall.noted(notes, [one, other]) == [found]
