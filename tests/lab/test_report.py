import json
import re
import sys

import pytest

from citelsp.evals import prediction, questions
from citelsp.evals.prediction import PredictedWork, Prediction
from citelsp.evals.scores import Facts
from lab import prediction_report, report


@pytest.mark.parametrize(
    "words",
    [
        ["--bibliographies", "nowhere"],
        ["--manuscripts", "nowhere"],
        ["--config", "clean=nowhere"],
        ["--cases", ".", "--sets", "nowhere"],
        ["@nowhere"],
    ],
)
def test_data_that_does_not_exist_is_named_before_anything_is_measured(words, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["report", str(tmp_path / "out"), *words])
    with pytest.raises(SystemExit) as ended:
        report.main()
    assert ended.value.code == 2
    assert re.search(r"nowhere(\.jsonl)? does not exist|No such file or directory: 'nowhere'", capsys.readouterr().err)
    assert not (tmp_path / "out").exists()


def test_a_file_holds_the_words_and_manuscripts_are_masked(tmp_path, monkeypatch):
    folder = tmp_path / "manuscripts" / "thesis"
    folder.mkdir(parents=True)
    (folder / "main.tex").write_text("\\documentclass{book}\nIce calves \\cite{k1}.\n\\bibliography{refs}\n")
    entries = (f"@misc{{k{it}, author = {{Ice, Ida}}, title = {{Ice {it}}}}}" for it in range(30))
    (folder / "refs.bib").write_text("\n".join(entries))
    (tmp_path / "words").write_text(f"--entries\n--manuscripts\n{tmp_path}/manuscripts\n")
    monkeypatch.setattr(sys, "argv", ["report", str(tmp_path / "out"), f"@{tmp_path}/words"])
    report.main()
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "1 citations of 1 manuscripts" in text
    assert re.search(r"own bibliography: right entry among 10, % \| ≥ 75 \| \d", text)


def test_what_has_no_data_is_named_and_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["report", str(tmp_path / "out"), "--entries"])
    report.main()
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    left_out = re.findall(r"^\| ([a-z ]+) \| (--.*) \|$", text, re.MULTILINE)
    assert [name for name, _ in left_out] == list(report.MEASUREMENTS)
    assert ("bibliographies", "--bibliographies") in left_out
    assert "| Python | 3." in text
    assert "for want of data" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_cases_and_settings_make_tables(tmp_path, monkeypatch):
    (tmp_path / "s.bib").write_text("@misc{a, title = {Attention Is All You Need}}\n", encoding="utf-8")
    (tmp_path / "s.jsonl").write_text('{"key": "a", "code": "R1", "expect": "silent"}\n', encoding="utf-8")
    (tmp_path / "off.toml").write_text("offline = true\n", encoding="utf-8")
    words = [
        str(tmp_path),
        "--entries",
        "--cases",
        str(tmp_path),
        "--sets",
        "s",
        "--config",
        f"off={tmp_path}/off.toml",
    ]
    monkeypatch.setattr(sys, "argv", ["report", *words])
    report.main()
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| off: s | 1 | – | 0.0 % (0.0–0.0) | – | 100.0 % | – | 0 |" in text


def test_a_run_is_held_to_its_bars(tmp_path, monkeypatch):
    (tmp_path / "s.bib").write_text("@misc{a, title = {Attention Is All You Need}}\n", encoding="utf-8")
    (tmp_path / "s.jsonl").write_text('{"key": "a", "code": "H1", "expect": "accuse"}\n', encoding="utf-8")
    (tmp_path / "off.toml").write_text("offline = true\n", encoding="utf-8")
    off = f"{tmp_path}/off.toml"
    words = [str(tmp_path), "--entries", "--cases", str(tmp_path), "--sets", "s", "--config", f"clean={off}"]
    monkeypatch.setattr(sys, "argv", ["report", *words, "--fault", f"storm={off}"])
    report.main()
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| clean: wrong references found, % | ≥ 96 | 0 | short |" in text
    assert "| clean: requests a reference | ≤ 1.01 | 0 | met |" in text
    assert "| storm: accusations that clean does not make | ≤ 0 | 0 | met |" in text


def test_predictions_are_drawn_and_held_to_their_bars(tmp_path):
    asked = {"id": "a", "set": "wild", "text": r"Ice calves \cite<> in warm water.", "gold": ["fish"]}
    (tmp_path / "asked.jsonl").write_text(json.dumps(asked) + "\n", encoding="utf-8")
    works = (PredictedWork("fish", "Ice calves in warm water", 0.9),)
    found = prediction.judge(questions.read(tmp_path / "asked.jsonl"), {"a": Prediction("a", works)})
    first, sureness = prediction_report.sections("bench", found, Facts(lambda _: True, {}))
    assert [it.name for it in first.figures] == ["recall"] and first.figures[0].svg.startswith("<svg")
    assert [it.name for it in sureness.figures] == ["reliability-wild"]
    assert "wild: R@1" in [it.what for it in sureness.bars]
