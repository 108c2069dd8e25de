"""Tuning of the one question: labelled contexts as they are asked, and the program that answers them best."""

import json
from contextlib import aclosing

from citelsp.agent import program, start
from citelsp.base.settings import LanguageModel, Settings
from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.evals import tuning
from model_server import completion, serving

TEXT = r"We measure the flight of airships in the wind \cite<> for ten days."
THINGS = ("airships", "beehives", "comets", "dykes")


def contexts(folder, gold):
    lines = [{"id": str(number), "title": "Large things", "text": TEXT} for number in range(4)]
    right = [{"id": str(number), "gold": [gold]} for number in range(4)]
    for name, rows in (("q.jsonl", lines), ("g.jsonl", right)):
        (folder / name).write_text("".join(json.dumps(it) + "\n" for it in rows), encoding="utf-8")
    return folder / "q.jsonl", folder / "g.jsonl"


def a_corpus(folder):
    corpus = Corpus(folder / "corpus", create=True)
    corpus.add([Work(it, f"Measuring the flight of {it}", f"We measure {it}.", year=2015) for it in THINGS])
    return corpus


def says(choice):
    return completion(json.dumps({"choice": choice, "why": "so"}))


async def tuned(answer, corpus, queries, gold, most=4):
    examples = await tuning.label_questions(corpus, queries, gold, most)
    async with serving(answer) as server:
        chat = start.open_chat(Settings(model=LanguageModel(server.url, "m")))
        async with aclosing(chat):
            return examples, await tuning.tune(chat, examples)


async def test_wording_that_is_answered_better_is_taken(tmp_path):
    def model(body):
        return says("W1" if "You complete the bibliography" in body["messages"][0]["content"] else "")

    with a_corpus(tmp_path) as corpus:
        examples, found = await tuned(model, corpus, *contexts(tmp_path, "airships"), most=3)
    assert [[it.shown.desk.works[handle].record.id for handle in it.right] for it in examples] == [["airships"]] * 3
    assert examples[0].shown.handles[0] in examples[0].right  # in the order in which they will be shown
    assert (found.before, found.after, found.examples) == (0.0, 1.0, 3)
    assert found.program.instructions.startswith("You complete the bibliography")
    assert "Answer with one JSON object" in found.program.instructions


async def test_worked_examples_are_right_answers_and_help_if_they_score_better(tmp_path):
    def model(body):
        question = body["messages"][1]["content"]
        return says("W1" if "Example." in body["messages"][0]["content"] or question.count("0 days") else "")

    queries, gold = contexts(tmp_path, "airships")
    lines = [json.loads(it) for it in queries.read_text(encoding="utf-8").splitlines()]
    marked = [it | {"text": it["text"].replace("ten days", "0 days")} if it["id"] in "01" else it for it in lines]
    queries.write_text("".join(json.dumps(it) + "\n" for it in marked), encoding="utf-8")
    with a_corpus(tmp_path) as corpus:
        _, found = await tuned(model, corpus, queries, gold)
    assert found.after == 1.0 >= found.before
    for shown in found.program.demonstrations:
        assert (shown.choice, shown.why) == ("W1", "so") and "W1 «Measuring the flight of airships»" in shown.question


async def test_right_refusals_count_if_no_work_fits(tmp_path):
    with a_corpus(tmp_path) as corpus:
        examples, found = await tuned(says(""), corpus, *contexts(tmp_path, "elsewhere"))
        wrong = await tuned(says("W1"), corpus, *contexts(tmp_path, "elsewhere"))
    assert [it.right for it in examples] == [frozenset()] * 4
    assert (found.before, wrong[1].before) == (1.0, 0.0)
    assert found.program.instructions == program.standard().instructions


def test_tuning_needs_a_model(tmp_path, capsys):
    (tmp_path / "none.toml").write_text("", encoding="utf-8")
    queries, gold = contexts(tmp_path, "airships")
    named = ["--out", str(tmp_path / "program.json"), "--config", str(tmp_path / "none.toml")]
    assert main(["eval", "tune", str(queries), str(gold), *named]) == 2
    assert "no model is set" in capsys.readouterr().err


def test_tuning_needs_a_query_with_an_answer(tmp_path, capsys):
    """Lines without an id are nobody's answer and no query."""
    (tmp_path / "model.toml").write_text('[model]\nbase_url = "http://127.0.0.1:9/v1"\nname = "m"\n', encoding="utf-8")
    for name in ("q.jsonl", "g.jsonl"):
        (tmp_path / name).write_text('{"text": "x", "gold": ["airships"]}\n', encoding="utf-8")
    a_corpus(tmp_path).close()
    named = ["--out", str(tmp_path / "program.json"), "--config", str(tmp_path / "model.toml")]
    files = [str(tmp_path / "q.jsonl"), str(tmp_path / "g.jsonl")]
    assert main(["eval", "tune", *files, *named, "--corpus", str(tmp_path / "corpus")]) == 2
    assert "no id in it is that of a query" in capsys.readouterr().err
    assert not (tmp_path / "program.json").exists()
