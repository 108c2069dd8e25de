"""One question on many titles: what is shown, and what answers of all kinds come to."""

import json

import pytest

from agent_works import candidate
from citelsp.agent import one_question, wording
from citelsp.agent.chat import Chat, Refused
from citelsp.agent.environment import Desk
from citelsp.agent.habits import Memory
from citelsp.agent.one_question import Choice, Shown, read_choice
from citelsp.agent.program import Program, standard
from citelsp.agent.repair_json import UnreadableError
from citelsp.agent.steps import Usage
from citelsp.base.settings import LanguageModel
from citelsp.bibliography.names import Name
from model_server import completion, failure, serving

TEXT = r"We train with the Adam optimizer \cite<> for ten epochs."
SHOWN = {"W1": "Long memories", "W2": "Adam, a method for optimization", "W5": "Adam, a method", "W9": "Fish"}
WORKS = [candidate("Long memories"), candidate("Adam, a method", authors=(Name("Kingma"), Name("Ba")), date="2014")]


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ({"choice": "W2", "sure": "clear", "why": "It\nis."}, Choice("W2", sure="clear", why="It is.")),
        ({"choice": 2}, Choice("W2")),
        ({"choice": "[w2]", "title": "Adam: a method for optimization"}, Choice("W2")),
        ({"choice": "W2", "title": "Another work of some length"}, Choice("W2")),
        ({"choice": "Fish"}, Choice("W9")),
        (
            {"choice": "", "title": "On trout in rivers", "sure": "likely"},
            Choice(title="On trout in rivers", sure="likely"),
        ),
        ({"choice": "On trout in rivers"}, Choice(title="On trout in rivers")),
        ({"choice": "none"}, Choice()),
        ({"choice": "", "words": "trout river"}, Choice(words="trout river")),
        ({"choice": 0, "why": "No."}, Choice(why="No.")),
        ({"choice": None}, Choice()),
        ({"title": "On trout in rivers"}, Choice(title="On trout in rivers")),
        ({"choice": "W1", "others": ["W2", "W1", "W2", "Fish", "Trout"]}, Choice("W1", others=("W2",))),
        ({"choice": "W1", "others": "W2"}, Choice("W1", others=("W2",))),
        ({"choice": "W1", "others": 7, "words": ["a", "b"]}, Choice("W1", words="a")),
    ],
)
def test_a_choice_is_read_however_it_is_written(answer, choice):
    assert read_choice(json.dumps(answer), SHOWN) == choice


@pytest.mark.parametrize("choice", ["W3", "W17", 4, "99"])
def test_only_what_was_shown_exists(choice):
    with pytest.raises(UnreadableError, match="was not shown; choose a handle that was, or give a title"):
        read_choice(json.dumps({"choice": choice}), SHOWN)


@pytest.mark.parametrize(
    ("prose", "handle"),
    [
        ("The most fitting work is W2, since it introduces the method.", "W2"),
        ("<think>W1? W9?</think>It is [W5].", "W5"),
        ("I would cite “Adam: A Method for Optimization” here.", "W2"),
        ("Surely Adam, a method is meant.", "W5"),
    ],
)
def test_prose_that_names_one_work_is_an_answer(prose, handle):
    found = read_choice(prose, SHOWN)
    assert (found.handle, found.sure) == (handle, "")


@pytest.mark.parametrize("prose", ["It is W1 or W2.", "Fish are meant.", "W77 it is.", "", "Let me think."])
def test_prose_that_names_none_or_several_is_none(prose):
    with pytest.raises(UnreadableError, match="name one handle, such as W3"):
        read_choice(prose, SHOWN)


def laid():
    desk = Desk()
    return desk, desk.lay(WORKS)


@pytest.fixture
def asking(environment, tmp_path):
    """asking(server) → the Choice of that server's model among WORKS"""

    async def ask(server, program=None, **more):
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"), patience=0.001)
        desk, handles = laid()
        choice = await one_question.choose(chat, Shown(environment(TEXT, **more), desk, handles), program)
        await chat.aclose()
        return choice

    return ask


def says(**answer):
    return completion(json.dumps(answer))


async def test_titles_are_shown_with_a_first_author_and_a_year_and_what_it_took_is_counted(asking):
    async with serving(says(choice="W2", sure="clear")) as server:
        choice = await asking(server)
    assert choice == Choice("W2", sure="clear", usage=Usage(100, 0, 10, calls=1))
    system, question = server.messages[0]
    assert system["content"] == standard().text
    assert question["content"].endswith("\n\nW1 «Long memories»\nW2 «Adam, a method» «Kingma 2014»")
    assert "tools" not in server.asked[0]


async def test_several_works_are_asked_for_at_once(asking):
    async with serving(says(choice="W2")) as server:
        await asking(server, most=3)
        await asking(server)
    first, second = (it[1]["content"] for it in server.messages)
    assert "Up to 3 works are to be cited there together: name the others in others." in first
    assert "to be cited there together" not in second


async def test_a_tuned_program_is_what_is_said_first(asking):
    async with serving(says(choice="W2")) as server:
        await asking(server, Program("Choose well."))
    assert server.messages[0][0]["content"] == "Choose well."


async def test_an_endpoint_that_takes_no_schema(asking):
    refusal = failure("response_format is not supported")
    async with serving(refusal, refusal, says(choice="W2")) as server:
        assert (await asking(server)).handle == "W2"
        await asking(server)
    kinds = [it.get("response_format", {}).get("type") for it in server.asked]
    assert kinds == ["json_schema", "json_object", None, None]  # and what worked is remembered


async def test_an_answer_that_cannot_be_used_goes_back_once(asking):
    async with serving(says(choice="W7"), says(choice="W2")) as server:
        choice = await asking(server)
    assert (choice.handle, choice.usage.calls) == ("W2", 2)
    assert "W7 was not shown" in server.messages[1][-1]["content"]
    async with serving(says(choice="W7")) as server:
        choice = await asking(server)
    assert choice.problem.startswith("the model's answers could not be used: W7 was not shown")
    assert len(server.asked) == 2


async def test_a_question_that_is_too_long_says_so(environment):
    class Short:
        async def ask(self, _messages, _shape):
            return Refused("too long", too_long=True)

    desk, handles = laid()
    choice = await one_question.choose(Short(), Shown(environment(TEXT), desk, handles))
    assert (choice.problem, choice.too_long) == ("too long", True)


def test_fifty_titles_fit_beside_an_answer_into_4096_tokens(environment):
    desk = Desk()
    works = [
        candidate(f"{it} On the memory of optimizers that train deep networks with few examples") for it in range(50)
    ]
    handles = desk.lay(works)
    place = environment(
        "Words of the manuscript before it stand here. " * 9 + TEXT, title="A title of usual length " * 2
    )
    asked = len(standard().text) + len(wording.list_titles(place, desk, handles))
    assert asked / 4 < 1_700


async def test_who_copies_the_example_has_not_answered(asking):
    """As a model of 135 million parameters did."""
    assert f'"why": "{one_question.EXAMPLE}"' in standard().text
    copied = says(choice="W2", title="", sure="clear", why=one_question.EXAMPLE.capitalize() + ".", others=["W8"])
    async with serving(copied, says(choice="W1", sure="likely", why="So.")) as server:
        choice = await asking(server)
    assert (choice.handle, choice.why) == ("W1", "So.")
    assert "that is the example and no answer" in server.messages[1][-1]["content"]
