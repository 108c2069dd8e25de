"""How sure a model says that it is becomes a probability, and whether anything is suggested follows from that."""

import json
from pathlib import Path

import pytest

from citelsp.agent import certainty, start, wording
from citelsp.base.settings import Agent, LanguageModel, Settings
from citelsp.decision import FITS
from lab import certainties
from model_server import completion, serving

FIXTURES = Path(__file__).parents[2] / "fixtures"
TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."


async def answered(environment, reply, model="search"):
    async with serving(reply) as server:
        settings = Settings(model=LanguageModel(server.url, "m"), agent=Agent(model=model))
        chat = start.open_chat(settings)
        found = await start.suggest(environment(TEXT), settings, chat)
        await chat.aclose()
    return found


def picks(**more):
    return completion(json.dumps({"why": "It introduces Adam.", "choice": "W1", **more}))


@pytest.mark.parametrize(
    ("said", "probability"),
    [("clear", 0.93), ("Likely", 0.6), ("high", 0.93), ("", None), ("quite", None), (0.7, None), (["clear"], 0.93)],
)
async def test_a_choice_is_as_probable_as_the_model_says(environment, said, probability):
    found = await answered(environment, picks(sure=said))
    first = found.candidates[0]
    assert (first.record.id, first.probability, first.why) == ("adam", probability, "It introduces Adam.")
    assert (found.abstained, found.chosen) == (False, 1)
    assert all(it.probability is None and not it.why for it in found.candidates[1:])


@pytest.mark.parametrize("model", ["search", "pick"])
async def test_a_guess_is_shown_first_and_not_suggested(environment, model):
    found = await answered(environment, picks(sure="guess"), model)
    first = found.candidates[0]
    assert (found.abstained, found.reason, found.chosen) == (True, "the model only guesses", 0)
    assert (first.record.id, first.probability, first.why) == ("adam", 0.37, "It introduces Adam.")


async def test_prose_that_names_a_work_is_its_reason_too(environment):
    found = await answered(environment, completion("W1 is the optimizer that is meant."))
    assert (found.candidates[0].probability, found.candidates[0].why) == (None, "W1 is the optimizer that is meant.")


def test_the_words_mean_what_the_prompts_say():
    prompt = wording.read_prompt("choose")
    assert "clear nine must be right" in prompt
    assert "likely, two in three" in prompt
    assert FITS < certainty.FITS
    assert certainty.MEANT.keys() == certainty.CHANCES.keys()
    assert [it for it, chance in certainty.CHANCES.items() if chance < certainty.FITS] == ["guess"]


def test_words_are_as_probable_as_recorded_choices_were_right():
    recorded = certainties.read(sorted(FIXTURES.glob("models/answers-*.jsonl")))
    assert len(recorded) > 300
    assert certainties.chances(recorded) == pytest.approx(certainty.CHANCES, abs=0.005)
