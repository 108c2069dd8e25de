import json

import pytest

from citelsp.evals import prediction, questions
from citelsp.evals.metrics import Interval
from citelsp.evals.page import Bar, Section, Table
from citelsp.evals.prediction import PredictedWork, Prediction
from lab import bars

_HEAD = ("entries", "CPU of the server", "citelsp", "badness", "texlab")


def test_rows_of_a_benchmark_are_held_to_the_bars_of_their_size():
    rows = (
        ("10,000", "ms a keystroke, median", "4.5", "160 (36 ×)", ""),
        ("50,000", "ms a keystroke, 95th percentile", "4.5", "", ""),
        ("50,000", "right entry among the first five", "100%", "0%", ""),
        ("70", "ms a keystroke, median", "9", "", ""),
    )
    found = list(bars.fast(Table(_HEAD, rows)))
    assert [(it.what, it.measured, it.asked, it.reached) for it in found] == [
        ("10,000 entries: ms a keystroke, median", 4.5, 3, False),
        ("50,000 entries: ms a keystroke, 95th percentile", 4.5, 8, True),
    ]


def test_a_start_is_held_to_its_seconds():
    head = ("start", "s of CPU", "times Python's own")
    rows = (("`python -c pass`", "0.010", "1"), ("`citelsp --version`", "0.030", "3"))
    rows += (("`citelsp serve`, to the answer of `initialize`", "0.350", "35"),)
    assert [(it.what, it.measured, it.asked, it.reached) for it in bars.started(Table(head, rows))] == [
        ("`citelsp --version`: s of CPU", 0.03, 0.08, True),
        ("`citelsp serve`, to the answer of `initialize`: s of CPU", 0.35, 0.3, False),
    ]


def test_a_difference_must_be_above_zero_where_texts_are_asked_about_and_else_not_below():
    unsure = {"R@1": Interval(0.02, -0.01, 0.05), "R@10": Interval(-0.02, -0.03, -0.01)}
    found = bars.better({"citerag": unsure, "sparbench": unsure}, "other")
    assert [it.reached for it in found] == [False, False, True, False]


def test_what_is_short_comes_first():
    rows = (("10,000", "MB resident", "100"), ("10,000", "ms from open to the first list", "500"))
    known = Bar("pages read", 900, 800, most=True, why="the machine's speed")
    section = Section("Speed", bars=(*bars.fast(Table(_HEAD[:3], rows)), known))
    (table,) = bars.asked([section]).tables
    assert [it[1:3] for it in table.rows] == [("≤ 400", "500"), ("≤ 800", "900"), ("≤ 130", "100")]
    first, second, third = (it[3] for it in table.rows)
    assert (first, third) == ("short", "met") and second.startswith("short: ")


@pytest.mark.parametrize(("places", "is_chance"), [(10, True), (300, False)])
def test_a_calibration_error_that_honest_probabilities_have_too_is_called_chance(places, is_chance, tmp_path):
    # One in ten is right where three in ten are said to be.
    lines = [
        {"id": str(n), "set": "citerag", "text": r"Ice calves \cite<>.", "gold": ["b" if n % 10 else "a"]}
        for n in range(places)
    ]
    (tmp_path / "asked.jsonl").write_text("".join(json.dumps(it) + "\n" for it in lines), encoding="utf-8")
    offers = (PredictedWork("a", "Ice calves", 0.3),)
    answers = {it["id"]: Prediction(it["id"], offers) for it in lines}
    found = prediction.judge(questions.read(tmp_path / "asked.jsonl"), answers)
    (bar,) = (it for it in bars.predicted({"citerag": found}, lambda _: True) if "calibration" in it.what)
    assert (round(bar.measured), bar.reached) == (20, False)
    assert bar.why.startswith("chance alone") == is_chance
