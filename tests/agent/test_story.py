"""How works were found, as the author reads it."""

import json

from agent_works import Shelf, candidate
from citelsp.agent import story, trajectory
from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.agent.loop import resolve
from citelsp.agent.model import Model
from citelsp.agent.rules import Rules
from citelsp.base.settings import LanguageModel
from model_server import completion, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."


async def told(environment, policy, folder, **more):
    writer = trajectory.Writer(folder)
    await resolve(environment(TEXT, **more), policy, journal=writer)
    return story.explain(trajectory.read(writer.path))


async def test_a_model_s_search_reads_as_a_story(environment, tmp_path):
    choice = {"id": "W1", "quote": "It needs little memory.", "sure": "clear", "why": "Adam is named."}
    turns = [
        completion("", calls=[("search", '{"query": "survey of optimizers"}')]),
        completion("", calls=[("find_in_text", '{"id": "W1", "query": "forty epochs"}'), ("fly", "{}")]),
        completion("", calls=[("select", json.dumps(choice))]),
    ]
    async with serving(*turns) as server:
        chat = Chat(LanguageModel(server.url, "m"), Memory(tmp_path / "e.json"))
        found = await told(environment, Model(chat), tmp_path / "runs")
        await chat.aclose()
    lines = found.splitlines()
    assert lines[:3] == [
        "The model looked for a work to cite in: We train with the Adam optimizer, which needs little memory for ten"
        " epochs.",
        "1. Matched the sentence with the corpus: 5 works",
        "     W1 Adam: A Method for Stochastic Optimization",
    ]
    at = lines.index("2. Searched for “survey of optimizers”: 5 works")
    assert lines[at + 1] == "3. Looked for “forty epochs” in W1 Adam: A Method for Stochastic Optimization"
    at = lines.index("3. Looked for “forty epochs” in W1 Adam: A Method for Stochastic Optimization")
    assert lines[at + 1] == (
        "     “Dropout was combined with Adam on the CIFAR images, and it converged within forty epochs.” (Experiments)"
    )
    assert "   Asked for fly, which does not exist" in lines
    assert lines[-4:-1] == [
        "4. Chose W1 Adam: A Method for Stochastic Optimization (clear): Adam is named.",
        "     “It needs little memory.” (abstract)",
        "It ended by its own decision.",
    ]
    assert lines[-1].startswith("It took 4 turns, 300 tokens read and 30 written, ")


async def test_rules_say_what_they_do_and_nothing_in_it_is_markup(environment, tmp_path):
    bad = candidate("\x1b[31mRed\x07 <b>title</b>", abstract="It needs little memory, they say.")
    found = await told(environment, Rules(), tmp_path, services=Shelf(bad, notes=("dblp: 500",)))
    assert "1. Search the place itself and several wordings of it" in found
    assert "   Searched for “" in found
    assert "     not asked: dblp: 500" in found
    assert "Chose W1 Adam: A Method for Stochastic Optimization (" in found
    assert "It took" not in found
    assert not set(found) & {"\x1b", "\x07", "<"}
