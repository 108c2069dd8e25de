import json

import pytest

from agent_works import candidate
from citelsp.agent import model, pick_by_number
from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.base.settings import LanguageModel
from model_server import completion, failure, serving

TEXT = r"We train with the Adam optimizer \cite<> for ten epochs."
WORKS = [candidate("Long memories"), candidate("Adam, a method", abstract="We introduce Adam."), candidate("Fish")]


@pytest.fixture
def chatting(tmp_path):
    def start(server):
        return Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"), patience=0.001)

    return start


def says(**answer):
    return completion(json.dumps(answer))


@pytest.mark.parametrize(
    ("said", "picked"),
    [
        (says(reasoning="clear", choice=2), "Adam, a method"),
        (says(reasoning="none", choice=0), None),
        (says(reasoning="as text", choice="2"), "Adam, a method"),
        (completion("<think>1?</think>```json\n{'choice': 2,}\n```"), "Adam, a method"),
    ],
)
async def test_a_choice_by_number_or_none(environment, chatting, said, picked):
    async with serving(said) as server:
        chat = chatting(server)
        choice = await pick_by_number.pick(chat, environment(TEXT), WORKS)
        await chat.aclose()
    assert (choice.picked and choice.picked.record.title) == picked
    assert not choice.problem


@pytest.mark.parametrize("choice", [4, -1, "Adam, a method", None, 1.5, [2], True])
async def test_nothing_outside_the_list_can_be_picked(environment, chatting, choice):
    async with serving(says(reasoning="x", choice=choice)) as server:
        chat = chatting(server)
        picked = await pick_by_number.pick(chat, environment(TEXT), WORKS)
        await chat.aclose()
    assert picked.picked is None
    assert "number from 0 to 3" in picked.problem
    assert len(server.asked) == 3


async def test_an_endpoint_that_takes_no_schema(environment, chatting):
    refusal = failure("response_format is not supported")
    async with serving(refusal, refusal, says(choice=2)) as server:
        chat = chatting(server)
        choice = await pick_by_number.pick(chat, environment(TEXT), WORKS)
        await chat.aclose()
    assert choice.picked is WORKS[1]
    kinds = [it.get("response_format", {}).get("type") for it in server.asked]
    assert kinds == ["json_schema", "json_object", None]
    assert chat.dialect(model.SHAPE) == "tools"


async def test_what_worked_for_a_choice_is_remembered(environment, chatting):
    async with serving(failure("response_format is not supported"), says(choice=2)) as server:
        for _ in range(2):
            chat = chatting(server)
            await pick_by_number.pick(chat, environment(TEXT), WORKS)
            await chat.aclose()
    assert [it.get("response_format", {}).get("type") for it in server.asked][1:] == ["json_object", "json_object"]


@pytest.mark.parametrize(
    ("order", "found"),
    [([2, 1, 3], "bac"), ([3], "cab"), ([9, 0, 2, 2, "1"], "bac"), ([9], "abc"), ("3", "cab")],
)
async def test_an_order_keeps_every_work(environment, chatting, order, found):
    works = [candidate(it * 3) for it in "abc"]
    async with serving(says(order=order)) as server:
        chat = chatting(server)
        ordered = await pick_by_number.rerank(chat, environment(TEXT), works)
        await chat.aclose()
    assert "".join(it.record.title[0] for it in ordered.works) == found
    assert bool(ordered.problem) == (order == [9])
    assert ordered.fits


async def test_an_empty_order_says_that_nothing_fits(environment, chatting):
    async with serving(says(order=[])) as server:
        chat = chatting(server)
        ordered = await pick_by_number.rerank(chat, environment(TEXT), WORKS)
        await chat.aclose()
    assert (ordered.fits, ordered.problem, list(ordered.works), len(server.asked)) == (False, "", WORKS, 1)


async def test_titles_and_abstracts_are_shown_to_the_reranker(environment, chatting):
    async with serving(says(order=[2])) as server:
        chat = chatting(server)
        await pick_by_number.rerank(chat, environment(TEXT), WORKS)
        await chat.aclose()
    assert "«We introduce Adam.»" in server.messages[0][1]["content"]


async def test_tuning_keeps_what_answers_better(environment, chatting, tmp_path):
    def model(body):
        instructions = body["messages"][0]["content"]
        return says(reasoning="so", choice=2 if "the better wording" in instructions else 1)

    given = [pick_by_number.Labelled(environment(TEXT), WORKS, 1) for _ in range(6)]
    async with serving(model) as server:
        chat = chatting(server)
        program, score = await pick_by_number.tuned(chat, given, ["the better wording"])
        await chat.aclose()
    assert (program.instructions, score) == ("the better wording", 1.0)
    pick_by_number.save(program, tmp_path / "program.json")
    assert pick_by_number.load(tmp_path / "program.json") == program


def test_a_program_is_read_as_it_was_saved(tmp_path):
    program = pick_by_number.Program("Choose “well”.", (pick_by_number.Demonstration("Which?", "It is named.", 2),))
    pick_by_number.save(program, tmp_path / "program.json")
    assert pick_by_number.load(tmp_path / "program.json") == program


def test_another_file_is_no_program(tmp_path):
    path = tmp_path / "program.json"
    path.write_text('{"version": 7}', encoding="utf-8")
    with pytest.raises(ValueError, match="not a program"):
        pick_by_number.load(path)


def test_demonstrations_stand_after_the_instructions():
    program = pick_by_number.Program("Choose.", (pick_by_number.Demonstration("1. A\n2. B", "B fits", 2),))
    assert program.text.startswith("Choose.\n\nExample.\n1. A\n2. B\n{")
