import json
from dataclasses import replace

import pytest

from citelsp.agent import pick_by_number, start, trajectory
from citelsp.base.settings import Agent, LanguageModel, Settings
from citelsp.cli import main
from citelsp.evals import tuning
from model_server import completion, failure, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."


def says(**answer):
    return completion(json.dumps(answer))


def chooses(wanted):
    """A model that picks the work whose title holds these words, else none."""

    def answer(body):
        lines = body["messages"][1]["content"].splitlines()
        return says(reasoning="so", choice=next((int(it.partition(".")[0]) for it in lines if wanted in it), 0))

    return answer


@pytest.fixture
def picked(environment, tmp_path):
    """picked(answer, …) → the Suggestion, its replay, and what the model was asked"""

    async def run(answer, program="", does="pick"):
        async with serving(answer) as server:
            settings = Settings(model=LanguageModel(server.url, "m"), agent=Agent(model=does, program=program))
            chat = start.open_chat(settings)
            journal = trajectory.Writer(tmp_path / "runs")
            found = await start.suggest(environment(TEXT), settings, chat, journal=journal)
            await chat.aclose()
        return found, await trajectory.replay(trajectory.read(journal.path)), server

    return run


async def test_the_model_picks_among_what_the_rules_found(picked):
    found, again, server = await picked(chooses("A Survey of Optimizers"))
    assert (found.candidates[0].record.id, found.abstained) == ("survey", False)
    assert (found.candidates[0].why, found.usage["tokens_in"], len(server.asked)) == ("so", 100, 1)
    assert replace(again, usage={}) == replace(found, usage={})


async def test_none_of_them(picked):
    found, _, _ = await picked(chooses("no such work"))
    assert (found.abstained, found.reason) == (True, "so")
    assert found.candidates


async def test_the_rules_decide_where_the_model_does_not(picked):
    found, _, _ = await picked(failure("no such model", 404))
    assert found.candidates[0].record.id == "adam"
    assert "no such model" in found.reason


async def test_the_model_orders_what_the_rules_found(picked):
    def order(body):
        lines = body["messages"][1]["content"].splitlines()
        return says(order=[next(int(it.partition(".")[0]) for it in lines if "A Survey of Optimizers" in it), 99])

    found, again, server = await picked(order, does="order")
    assert [it.record.id for it in found.candidates][:2] == ["survey", "adam"]
    assert (found.abstained, found.candidates[0].probability, len(server.asked)) == (False, None, 1)
    assert found.usage["tokens_in"] == 100
    assert again == found


async def test_an_order_may_say_that_nothing_fits(picked):
    found, again, server = await picked(says(order=[]), does="order")
    assert (found.abstained, found.reason) == (True, "the model says that none of these works fits")
    assert (found.candidates[0].record.id, len(server.asked)) == ("adam", 1)
    assert again == found


async def test_the_rules_order_where_the_model_does_not(picked):
    found, _, _ = await picked(failure("no such model", 404), does="order")
    assert (found.candidates[0].record.id, found.reason) == ("adam", "the model's endpoint says: 404 no such model")
    assert found.candidates[0].probability > 0.5


async def test_a_tuned_program_is_used(picked, tmp_path):
    pick_by_number.save(pick_by_number.Program("Choose well."), tmp_path / "program.json")
    _, _, server = await picked(chooses("Adam: A Method"), str(tmp_path / "program.json"))
    assert server.messages[0][0]["content"] == "Choose well."


async def test_tuning_on_labelled_contexts(corpus, tmp_path):
    lines = [{"id": str(number), "title": "Nets", "text": TEXT} for number in range(4)]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, lines)))
    right = [{"id": str(number), "gold": ["adam"]} for number in range(4)]
    (tmp_path / "g.jsonl").write_text("\n".join(map(json.dumps, right)))
    given = await tuning.labelled(corpus, tmp_path / "q.jsonl", tmp_path / "g.jsonl", 3)
    assert [it.works[it.right].record.id for it in given] == ["adam"] * 3

    def model(body):
        better = "You complete the bibliography" in body["messages"][0]["content"]
        return chooses("Adam: A Method")(body) if better else says(reasoning="?", choice=0)

    async with serving(model) as server:
        chat = start.open_chat(Settings(model=LanguageModel(server.url, "m")))
        tuned = await tuning.tune(chat, given)
        await chat.aclose()
    assert (tuned.before, tuned.after) == (0.0, 1.0)
    assert tuned.program.instructions.startswith("You complete the bibliography")


def test_tuning_needs_a_model(tmp_path, capsys):
    (tmp_path / "none.toml").write_text("")
    files = [str(tmp_path / "q.jsonl"), str(tmp_path / "g.jsonl")]
    config, out = str(tmp_path / "none.toml"), str(tmp_path / "program.json")
    assert main(["eval", "tune", *files, "--out", out, "--config", config]) == 2
    assert "no model is set" in capsys.readouterr().err
