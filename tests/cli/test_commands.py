"""The commands as a shell runs them, on files of their own."""

import json

import pytest

import lsp
from citelsp.cli import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in lsp.FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def corpus(tmp_path):
    works = [
        {
            "id": "W1",
            "title": "Attention Is All You Need",
            "abstract": "We propose the Transformer, based solely on attention.",
            "authors": ["Ashish Vaswani"],
            "year": 2017,
        }
    ]
    (tmp_path / "works.jsonl").write_text("\n".join(map(json.dumps, works)))
    main(["corpus", "add", str(tmp_path / "works.jsonl"), "--corpus", str(tmp_path / "index")])
    return str(tmp_path / "index")


def test_check_as_json(folder, capsys):
    assert main(["check", "main.tex", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["version"] == 1
    assert [(it["key"], it["verdict"]) for it in report["entries"]] == [
        ("knuth84", "unchecked"),
        ("lamport94", "unchecked"),
    ]
    [nope] = [it for it in report["findings"] if it["code"] == "undefined-citation"]
    assert (nope["path"], nope["key"], nope["severity"]) == ("main.tex", "nope", "warning")
    assert nope["range"] == {"start": {"line": 5, "character": 27}, "end": {"line": 5, "character": 31}}


def test_check_as_text_is_plain_in_a_pipe(folder, capsys):
    assert main(["check", "main.tex"]) == 1
    out = capsys.readouterr().out
    assert "main.tex:6:28: warning: No entry has the key “nope”. [undefined-citation]" in out
    assert "\x1b" not in out


def test_check_of_a_folder_reports_every_document_once(folder, capsys):
    main(["check", ".", "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert sorted(it["path"] for it in findings if it["code"] == "undefined-citation") == ["main.tex", "notes.md"]


def test_a_bibliography_without_trouble(folder):
    assert main(["check", "refs.bib"]) == 0


@pytest.mark.parametrize(
    "arguments", [["check", "nowhere.tex"], ["check"], ["check", "--format", "xml", "."], ["nonsense"]]
)
def test_usage(folder, arguments, capsys):
    assert main(arguments) == 3


def test_suggest_for_a_placeholder(folder, corpus, capsys):
    capsys.readouterr()
    assert main(["suggest", "main.tex:8", "--corpus", corpus, "--format", "json"]) == 0
    [answer] = json.loads(capsys.readouterr().out)
    assert (answer["path"], answer["range"]["start"]["line"]) == ("main.tex", 7)
    first = answer["candidates"][0]
    assert (first["rank"], first["id"], first["title"]) == (1, "W1", "Attention Is All You Need")
    assert first["evidence"][0]["quote"] == "We propose the Transformer, based solely on attention."


def test_suggest_in_a_batch(folder, corpus, capsys):
    (folder / "queries.jsonl").write_text(
        json.dumps({"id": "q", "title": "T", "text": "Attention alone \\cite<>."}) + "\n"
    )
    capsys.readouterr()
    assert main(["suggest", "--batch", "queries.jsonl", "--corpus", corpus, "--format", "jsonl"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["id"], answer["candidates"][0]["id"], answer["pool"]) == ("q", "W1", ["W1"])


def test_suggest_without_a_corpus_cannot_finish(folder, capsys):
    assert main(["suggest", "--text", "words", "--corpus", str(folder / "none")]) == 2


def test_corpus_search_and_info(folder, corpus, capsys):
    capsys.readouterr()
    assert main(["corpus", "search", "transformer", "--corpus", corpus, "--format", "json"]) == 0
    assert [it["id"] for it in json.loads(capsys.readouterr().out)] == ["W1"]
    assert main(["corpus", "info", "--corpus", corpus, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["works"] == 1


def test_doctor_asks_nobody(folder, capsys):
    assert main(["doctor"]) == 0
    assert "crossref" in capsys.readouterr().out
