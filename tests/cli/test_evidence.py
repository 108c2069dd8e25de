"""What cited works say, quoted in a terminal and for programs."""

import json
from pathlib import Path

import pytest

from citelsp.agent import claim_judge
from citelsp.base.settings import SERVICES
from citelsp.cli import exits, main

WORK = {
    "id": "W1",
    "title": "Attention Is All You Need",
    "abstract": "We propose the Transformer, based solely on attention. It needs no recurrence.",
    "authors": ["Ashish Vaswani"],
    "year": 2017,
    "arxiv": "1706.03762",
}
BIB = """\
@misc{v, title={Attention is all you need}, author={Vaswani, Ashish}, year=2017,
  eprint={1706.03762}, eprinttype={arxiv}}
@misc{own, title={A note of ours}, author={Doe, Jane}, year=2020, abstract={Bananas are berries.}}
"""
TEX = r"""\documentclass{article}
\begin{document}
Transformers need no recurrence \cite{v}.

Berries are yellow and long \cite{own}.
\bibliography{refs}
"""


@pytest.fixture
def paper(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "works.jsonl").write_text(json.dumps(WORK))
    (tmp_path / "refs.bib").write_text(BIB)
    (tmp_path / "main.tex").write_text(TEX)
    main(["corpus", "add", "works.jsonl", "--corpus", "index"])
    capsys.readouterr()
    return tmp_path


def asked(capsys, *words):
    assert main(["evidence", *words, "--corpus", "index", "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def quotes(answer):
    return [it["quote"] for it in answer["passages"]]


def test_each_citation_of_a_manuscript_with_the_nearest_sentences_of_its_work(paper, capsys):
    first, second = asked(capsys, "main.tex")
    assert (first["key"], quotes(first)[0]) == ("v", "It needs no recurrence.")
    assert (second["key"], quotes(second)) == ("own", ["Bananas are berries."])  # its entry says so
    assert asked(capsys, "main.tex:3") == [first]


def test_a_bibliography_without_a_work_is_refused(paper):
    assert main(["evidence", "main.tex", "--bib", "refs.bib"]) == exits.USAGE


@pytest.mark.parametrize("work", ["1706.03762", "Attention is all you need"])
def test_a_sentence_and_a_work_that_the_corpus_has(paper, capsys, work):
    [answer] = asked(capsys, "--text", "They need no recurrence.", "--work", work)
    assert (answer["key"], answer["work"]["title"]) == (None, WORK["title"])
    assert quotes(answer) == ["It needs no recurrence."]


def test_a_sentence_and_a_key_of_a_bibliography(paper, capsys):
    [answer] = asked(capsys, "--text", "Bananas are berries, too.", "--work", "own", "--bib", "refs.bib")
    assert (answer["key"], quotes(answer)) == ("own", ["Bananas are berries."])


def test_where_nothing_is_quoted_the_reason_stands(paper, capsys):
    [silent] = asked(capsys, "--text", "Whales sing.", "--work", "v", "--bib", "refs.bib")
    [unknown] = asked(capsys, "--text", "Whales sing.", "--work", "10.1000/unknown")
    [key] = asked(capsys, "--text", "Whales sing.", "--work", "v")
    assert silent["passages"] == unknown["passages"] == key["passages"] == []
    assert silent["reason"] == claim_judge.NO_PASSAGE
    assert unknown["reason"] == "no work of this name is known here; ask the services with --online"
    assert "name its bibliography with --bib" in key["reason"]


def test_a_work_without_any_text_is_not_said_to_be_silent(paper, capsys):
    (paper / "refs.bib").write_text("@misc{v, title={Unread and Unknown}, author={Doe, Jane}, year=2020}\n")
    [of_entry] = asked(capsys, "--text", "Whales sing.", "--work", "v", "--bib", "refs.bib")
    of_manuscript = asked(capsys, "main.tex:3")
    assert [it["reason"] for it in (of_entry, *of_manuscript)] == [claim_judge.NO_TEXT] * 2


def test_people_read_where_it_stands(paper, capsys):
    assert main(["evidence", "main.tex:3", "--corpus", "index"]) == 0
    head, sentence, *passages = capsys.readouterr().out.splitlines()
    assert head == "main.tex:3: v Vaswani 2017: Attention is all you need"
    assert sentence.strip() == "Transformers need no recurrence."
    assert passages[0].strip() == "“It needs no recurrence.” (abstract)"


@pytest.mark.parametrize("place", ["main.tex:5", "other.tex", "refs.bib"])
def test_where_nothing_is_cited_it_is_said(paper, capsys, place):
    (paper / "main.tex").write_text(TEX.replace("own", "unknown"), encoding="utf-8")
    (paper / "other.tex").write_text("\\documentclass{article}\\bibliography{refs}\\nocite{own}", encoding="utf-8")
    assert asked(capsys, place) == []
    assert main(["evidence", place, "--corpus", "index"]) == 0
    assert capsys.readouterr() == ("", f"citelsp: no sentence of {place} cites a work that has an entry\n")


def test_what_cannot_be_answered(paper, capsys):
    assert main(["evidence", "--text", "A sentence."]) == 3
    assert main(["evidence", "nothing.tex", "--corpus", "index"]) == exits.USAGE
    assert capsys.readouterr().err.endswith("citelsp: there is no nothing.tex\n")
    Path("data.foo").touch()
    assert main(["evidence", "data.foo", "--corpus", "index"]) == exits.USAGE
    assert capsys.readouterr().err.startswith("citelsp: data.foo: citelsp does not read this kind of file. ")


NOBODY = "".join(f"[services.{it}]\nenabled = false\n" for it in SERVICES)


@pytest.mark.parametrize("corpus", ["broken", "nowhere"])
def test_a_corpus_that_cannot_be_read_is_told_of_though_services_are_asked(paper, capsys, corpus):
    (paper / "broken").mkdir()
    (paper / "broken" / "works.sqlite").write_text("no database")
    (paper / "config.toml").write_text(NOBODY)
    main(["evidence", "main.tex:3", "--online", "--config", "config.toml", "--corpus", corpus])
    assert "the corpus is left out: " in capsys.readouterr().err
