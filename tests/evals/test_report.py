import sys

from citelsp.evals import report


def test_what_has_no_data_is_named_and_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["report", str(tmp_path / "out"), "--entries"])
    report.main()
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "No data was given for: verification, services, insertion, predictions, agent, speed." in text
    assert "| Python | 3." in text
    assert "No data was given" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


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
