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


def test_usage(capsys):
    assert main(["nonsense"]) == 3


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
