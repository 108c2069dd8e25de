import sys

from citelsp.evals import report


def test_what_has_no_data_is_named_and_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["report", str(tmp_path / "out"), "--entries"])
    report.main()
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    named = "verification, sets apart, faults, bibliographies, services, insertion, predictions, agent, answers, corpus"
    assert f"No data was given for: {named}, speed." in text
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


def test_a_run_is_held_to_its_bars(tmp_path, monkeypatch):
    (tmp_path / "s.bib").write_text("@misc{a, title = {Attention Is All You Need}}\n", encoding="utf-8")
    (tmp_path / "s.jsonl").write_text('{"key": "a", "code": "H1", "expect": "accuse"}\n', encoding="utf-8")
    (tmp_path / "off.toml").write_text("offline = true\n", encoding="utf-8")
    off = f"{tmp_path}/off.toml"
    words = [str(tmp_path), "--entries", "--cases", str(tmp_path), "--sets", "s", "--config", f"clean={off}"]
    monkeypatch.setattr(sys, "argv", ["report", *words, "--fault", f"storm={off}"])
    report.main()
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| clean: wrong references found, % | ≥ 97 | 0 | short |" in text
    assert "| clean: requests a reference | ≤ 1.2 | 0 | met |" in text
    assert "| storm: accusations that clean does not make | ≤ 0 | 0 | met |" in text
