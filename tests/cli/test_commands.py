"""The commands as a shell runs them, on files of their own."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from citelsp import cli
from citelsp.cli import common, main, suggest, suggest_engines


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


def test_of_a_mistyped_command_all_that_there_are_are_named(capsys):
    assert main(["chek", "corpus"]) == 3
    said = capsys.readouterr().err
    assert all(name in said for name in cli.COMMANDS)


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


def test_suggest_for_a_text_has_the_entries_of_the_bibliography_that_is_named(folder, capsys):
    words = ["suggest", "--text", "Programs should be literature for people."]
    assert main([*words, "--bib", "refs.bib", "--format", "json"]) == 0
    [answer] = json.loads(capsys.readouterr().out)
    assert answer["candidates"][0]["key"] == "knuth84"
    assert main([*words, "--bib", "none.bib"]) == 3
    assert main(["suggest", "main.tex", "--bib", "refs.bib"]) == 3


def test_suggest_without_a_corpus_cannot_finish(folder, capsys):
    assert main(["suggest", "--text", "words", "--corpus", str(folder / "none")]) == 2


def test_corpus_search_and_info(folder, corpus, capsys):
    capsys.readouterr()
    assert main(["corpus", "search", "transformer", "--corpus", corpus, "--format", "json"]) == 0
    assert [it["id"] for it in json.loads(capsys.readouterr().out)] == ["W1"]
    assert main(["corpus", "info", "--corpus", corpus, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["works"] == 1
    assert main(["corpus", "info", "--corpus", corpus]) == 0
    assert capsys.readouterr().out.startswith(f"1 paper in {corpus} (")


def test_doctor_asks_nobody(folder, capsys):
    assert main(["doctor"]) == 0
    assert "crossref" in capsys.readouterr().out


def asked(capsys, *arguments):
    capsys.readouterr()
    assert main(["suggest", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def test_a_search_is_written_down_and_replayed_without_the_corpus(folder, corpus, capsys, state):
    [answer] = asked(capsys, "main.tex:8", "--corpus", corpus, "--several")
    [again] = asked(capsys, "--replay", answer["trajectory"], "--explain")
    assert again["candidates"] == answer["candidates"]
    assert (again["abstained"], again["together"]) == (answer["abstained"], answer["together"])
    assert "Matched the sentence with the corpus" in again["explanation"]
    assert (state / "trajectories").is_dir()


def test_policies(folder, corpus, capsys, state):
    text = ["--text", "Attention alone \\cite<>.", "--corpus", corpus]
    [by_rules] = asked(capsys, *text, "--policy", "rules")
    [by_corpus] = asked(capsys, *text, "--policy", "corpus")
    assert (by_rules["usage"]["turns"], by_corpus["usage"]["turns"]) == (3, 0)
    assert by_rules["candidates"][0]["id"] == by_corpus["candidates"][0]["id"] == "W1"
    assert main(["suggest", *text, "--policy", "model"]) == 2
    assert "no model is set" in capsys.readouterr().err


def test_nothing_is_searched_online_where_that_is_off(folder, capsys, state):
    (folder / "off.toml").write_text("offline = true\n")
    assert main(["suggest", "main.tex", "--online", "--config", str(folder / "off.toml")]) == 2
    assert "disabled by the settings" in capsys.readouterr().err


def test_a_file_that_is_no_search(folder, capsys):
    assert main(["suggest", "--replay", "main.tex"]) == 2
    assert "main.tex is not a recorded search" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--replay", "--batch", "--bib"])
def test_a_file_that_is_not_there_is_said_to_be_missing(folder, corpus, capsys, option):
    text = ["--text", "So"] if option == "--bib" else []
    assert main(["suggest", *text, option, "nowhere.x", "--corpus", corpus]) == 3
    assert capsys.readouterr().err == "citelsp: there is no nowhere.x\n"


@pytest.mark.parametrize(
    "words",
    [
        "suggest -",
        "suggest --batch -",
        "evidence -",
        "evidence --text So --work a --bib -",
        "format -",
        "add -",
        "corpus add -",
        "corpus add main.tex - --to lab",
        "check main.tex --offline --baseline - --write-baseline",
        "check --list - --offline",
        "check main.tex --offline --config -",
    ],
)
def test_what_reads_no_standard_input_says_so(folder, capsys, words):
    lab = folder / "lab.toml"
    lab.write_text('[corpus.servers.lab]\nbase_url = "http://127.0.0.1:9"\n', encoding="utf-8")
    capsys.readouterr()
    assert main([*words.split(), *(["--config", str(lab)] if "lab" in words else [])]) == 3
    assert capsys.readouterr().err.endswith("citelsp: only check and export read standard input (-): name a file\n")
    assert not (folder / "-").exists()


def test_suggest_shows_the_sentence_and_what_is_probable(folder, corpus, capsys):
    capsys.readouterr()
    assert main(["suggest", "main.tex", "--corpus", corpus]) == 0
    head, first, quote, *_ = capsys.readouterr().out.splitlines()
    assert head.startswith("main.tex:8:52: …")
    assert head.endswith(r" Attention is all one needs in sequence models \cite<transformer attention>")
    assert first.startswith("   1. Vaswani 2017: Attention Is All You Need")
    assert "“We propose the Transformer, based solely on attention.” (abstract)" in quote


def test_suggest_says_where_it_searched(folder, capsys):
    assert main(["suggest", "main.tex"]) == 0
    assert "only the author's own bibliographies are searched; add papers with" in capsys.readouterr().err


def test_suggest_ends_its_searches_when_nobody_reads_on(folder, corpus, monkeypatch):
    tasks = []

    async def in_order(searches):
        tasks.append(asyncio.current_task())
        try:
            for search in searches:
                yield await search()
        finally:
            tasks.append(asyncio.current_task())

    def nobody_reads(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr(suggest_engines, "_run_in_order", in_order)
    monkeypatch.setattr("builtins.print", nobody_reads)
    arguments = cli.parser().parse_args(
        ["suggest", "--text", "Neural networks", "--policy", "auto", "--corpus", corpus]
    )
    with pytest.raises(BrokenPipeError):
        suggest.run(arguments)
    started, ended = tasks
    assert started is ended  # not later, when what it searches is closed


def test_suggest_reads_all_parts_of_a_manuscript(folder, corpus, capsys):
    (folder / "part.tex").write_text("More on attention \\cite<>.\n")
    text = (folder / "main.tex").read_text(encoding="utf-8")
    (folder / "whole.tex").write_text(text.replace("\\end", "\\input{part}\n\\end"), encoding="utf-8")
    capsys.readouterr()
    assert main(["suggest", "whole.tex", "--corpus", corpus, "--format", "json"]) == 0
    assert [it["path"] for it in json.loads(capsys.readouterr().out)] == ["whole.tex", "part.tex"]


def test_suggest_where_there_is_nothing_to_do(folder, corpus, capsys):
    (folder / "plain.tex").write_text("Nothing is missing here.\n")
    capsys.readouterr()
    assert main(["suggest", "plain.tex", "--corpus", corpus]) == 0
    assert "plain.tex has no placeholder, such as \\cite<words>" in capsys.readouterr().err
    (folder / "plain.typ").write_text("Nothing is missing here.\n")
    assert main(["suggest", "plain.typ", "--corpus", corpus]) == 0
    assert "plain.typ has no placeholder, such as @<words>\n" in capsys.readouterr().err
    assert main(["suggest", "away.tex", "--corpus", corpus]) == 3
    assert "there is no away.tex" in capsys.readouterr().err


def test_check_where_there_is_nothing_to_check(tmp_path, capsys):
    (tmp_path / "papers").mkdir()
    (tmp_path / "bib").mkdir()
    (tmp_path / "bib" / "a.bib").write_text("")
    assert main(["check", "--offline", str(tmp_path / "bib"), str(tmp_path / "papers")]) == 2
    assert f"{tmp_path.as_posix()}/papers holds no manuscript or bibliography\n" in capsys.readouterr().err
    assert main(["check", "--offline", str(tmp_path / "bib")]) == 0


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:99999", "127.0.0.1:"])
def test_serve_wants_an_address(address, capsys):
    assert main(["serve", "--tcp", address]) == 3
    assert f"{address} is not HOST:PORT, such as 127.0.0.1:7777" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_beside_a_manuscript_is_not_waited_for(tmp_path, monkeypatch):
    (tmp_path / "main.tex").write_text(r"\documentclass{book}", encoding="utf-8")
    os.mkfifo(tmp_path / "a.tex")
    monkeypatch.chdir(tmp_path)
    assert common.workspace(tmp_path / "none" / "one.tex") == tmp_path


@pytest.mark.parametrize(
    ("mark", "here", "named"),
    [(".git", "src", "../src/one.tex"), ("any", ".", "src/one.tex"), ("any", "..", "paper/src/one.tex")],
)
def test_suggest_for_a_chapter_knows_the_bibliography_of_the_main_file_above(
    tmp_path, capsys, monkeypatch, mark, here, named
):
    tmp_path /= "paper"
    (tmp_path / mark).mkdir(parents=True)
    (tmp_path / "src").mkdir()
    (tmp_path / "main.tex").write_text(r"\documentclass{book}\input{src/one}\bibliography{refs}", encoding="utf-8")
    (tmp_path / "refs.bib").write_text("@misc{k, title = {Glaciers Flow Slowly}}\n", encoding="utf-8")
    (tmp_path / "src/one.tex").write_text(r"Glaciers flow \cite<>.", encoding="utf-8")
    monkeypatch.chdir(tmp_path / here)
    assert main(["suggest", named]) == 0
    assert "library as k" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("", "there is no server lap: set base_url in [corpus.servers.lap]"),
        (
            '[corpus.servers.lab]\nbase_url = "http://127.0.0.1:9"',
            "there is no server lap: use lab, or set base_url in",
        ),
        ('offline = true\n[corpus.servers.lap]\nbase_url = "http://127.0.0.1:9"', "switch off offline"),
    ],
)
def test_a_server_that_cannot_be_asked_is_said(tmp_path, capsys, settings, expected):
    (tmp_path / "config.toml").write_text(settings)
    assert main(["corpus", "info", "--to", "lap", "--config", str(tmp_path / "config.toml")]) == 2
    assert expected in capsys.readouterr().err


PLACES = "Bergen Oslo Turku Riga Kiel Gdansk Bremen Lyon Nantes Porto Vigo Bilbao Cork Leeds York Bath Ghent".split()


@pytest.mark.parametrize("policy", ["corpus", "auto", "rules"])
def test_as_many_works_are_listed_as_asked_for(tmp_path, capsys, policy):
    works = [{"id": it, "title": f"Harps in the Wind of {it}", "year": 2001} for it in PLACES]
    (tmp_path / "works.jsonl").write_text("\n".join(map(json.dumps, works)))
    index = str(tmp_path / "index")
    main(["corpus", "add", str(tmp_path / "works.jsonl"), "--corpus", index])
    asked = ["suggest", "--text", "As measured by harps in the wind \\cite<>.", "--corpus", index, "--policy", policy]
    for k in (3, 15):
        capsys.readouterr()
        assert main([*asked, "--k", str(k), "--format", "json"]) == 0
        [answer] = json.loads(capsys.readouterr().out)
        assert len(answer["candidates"]) == k
        assert main([*asked, "--k", str(k)]) == 0
        assert f"\n{k:>4}. 2001: Harps" in (printed := capsys.readouterr().out)
        assert f"\n{k + 1:>4}. " not in printed


@pytest.mark.parametrize("command", ["suggest", "evidence"])
@pytest.mark.parametrize("what", [("--text", ""), ("",)])
def test_an_empty_question_is_none(folder, capsys, command, what):
    assert main([command, *what]) == 3
    assert "empty" in capsys.readouterr().err


@pytest.mark.parametrize("k", ["-1", "0"])
def test_less_than_one_work_cannot_be_asked_for(folder, corpus, k):
    assert main(["suggest", "--text", "Programs are literature.", "--k", k]) == 3
    assert main(["corpus", "search", "attention", "--corpus", corpus, "--k", k]) == 3


def test_a_line_is_a_number_in_digits(folder, capsys):
    assert main(["suggest", "main.tex:²"]) == 3
    assert "there is no main.tex:²" in capsys.readouterr().err


def test_a_line_of_a_batch_ends_where_json_says(folder, corpus, capsys):
    query = json.dumps({"id": "q", "text": "Attention\u2028alone \\cite<>."}, ensure_ascii=False)
    (folder / "queries.jsonl").write_text(query, encoding="utf-8")
    capsys.readouterr()
    assert main(["suggest", "--batch", "queries.jsonl", "--corpus", corpus, "--format", "jsonl"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "q"


def test_settings_of_the_folder_beside_count_and_not_those_of_the_current_one(tmp_path, monkeypatch):
    for name in ("here", "beside"):
        (tmp_path / name / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    for named in ("../beside/refs.bib", str(tmp_path / "here/../beside/refs.bib")):
        assert common.workspace(Path(named)) == tmp_path / "beside"


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ('{"text": 5}', "text is not a text"),
        ('{"text": "a", "date": 2019}', "date is not a text"),
        ('{"text": "a", "exclude": "W1"}', "exclude is not a list"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
@pytest.mark.parametrize("policy", ["corpus", "rules"])
def test_a_query_of_another_form_is_told(folder, corpus, capsys, query, why, policy):
    (folder / "queries.jsonl").write_text(f"{query}\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["suggest", "--batch", "queries.jsonl", "--corpus", corpus, "--policy", policy]) == 2
    assert f"queries.jsonl, line 1: {why}" in capsys.readouterr().err


def test_what_the_corpus_alone_cannot_do_is_told(folder, corpus, capsys):
    words = ["suggest", "--text", "Attention alone.", "--corpus", corpus, "--policy", "corpus"]
    capsys.readouterr()
    assert main([*words, "--online", "--explain", "--bib", "refs.bib"]) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "the corpus alone answers, without --bib, --online and --explain: name --policy rules or model" in told
    assert main(words) == 0
    assert not capsys.readouterr().err
