"""Whatever models answer, limits cut off or authors cancel: a run ends with works or a reason, and replays alike."""

import asyncio
import json
import random
from dataclasses import replace

import pytest

from agent_works import Shelf, candidate
from citelsp.agent import start, story, trajectory
from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.agent.model import Model
from citelsp.agent.steps import Limits
from citelsp.base.settings import LanguageModel
from model_server import Answer, completion, failure, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
ANSWERS = [
    completion(json.dumps({"choice": "W1", "why": "first"})),
    completion(json.dumps({"choice": "", "title": "Adam and memory"})),
    completion(json.dumps({"choice": "", "words": "adam memory"})),
    completion(json.dumps({"choice": ""})),
    completion("nonsense"),
    completion("cut", finish="length"),
    completion(""),
    failure("oops", 500),
    failure("response_format is not supported"),
    Answer("<html>"),
]


class Slow(Shelf):
    async def _answer(self, *asked):
        await asyncio.sleep(0.03)
        return await super()._answer(*asked)


@pytest.mark.parametrize("seed", range(10))
async def test_every_run_ends_and_is_replayed(environment, tmp_path, seed):
    dice = random.Random(seed)  # noqa: S311  a repeatable choice, no secret
    limits = Limits(
        turns=dice.choice([0, 1, 2, 15]),
        tokens=dice.choice([0, 1, 150, 500]),
        usd=dice.choice([0, 1e-5, 3e-4]),
        seconds=dice.choice([0.02, 0.1, 5]),
        requests=dice.choice([0, 1, 3]),
    )
    place = environment(TEXT, services=Slow(candidate("Adam and memory", abstract="Adam needs memory.")))
    journal = trajectory.Writer(tmp_path / "runs")
    async with serving(*(dice.choice(ANSWERS) for _ in range(20))) as server:
        chat = Chat(LanguageModel(server.url, "m", price_in=1.0), Memory(tmp_path / "e.json"), patience=0.001)
        most = dice.choice([1, 3])
        working = asyncio.ensure_future(
            start.suggest_several(place, lambda: Model(chat), limits, most=most, journal=journal)
        )
        if dice.random() < 0.3:
            await asyncio.sleep(dice.random() * 0.3)
            working.cancel()
        (found,) = await asyncio.gather(working, return_exceptions=True)
        await chat.aclose()
    if journal.path is None:  # cancelled before it began
        return
    runs = trajectory.read(journal.path)
    again = await trajectory.replay(runs)
    assert story.explain(runs)
    if isinstance(found, asyncio.CancelledError):
        assert runs[-1].stopped is None or most > 1
        return
    assert found.candidates or found.reason
    assert again == replace(found, usage=again.usage)
    assert again.usage == pytest.approx(dict(found.usage))
