from dataclasses import replace

from citelsp.agent import trajectory
from citelsp.agent.environment import Answer
from citelsp.agent.loop import resolve
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Limits
from shelf import candidate

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
WEB = candidate("Memory of optimizers on the web", id="w", abstract="Adam needs little memory, they say.", date="2013")
LATE = candidate("Memory of optimizers much later", id="l", date="2031")


async def searched(environment, folder, found, doubt="", **more):
    """The suggestion, its replay, and what the services were told."""
    told = []

    async def online(here):
        told.append(here)
        return Answer((*found, *here.candidates[:1]), requests=3, doubt=doubt)

    journal = trajectory.Writer(folder)
    suggestion = await resolve(environment(TEXT, online=online, **more), Rules(), Limits(), journal=journal)
    return suggestion, await trajectory.replay(trajectory.read(journal.path)), told


async def test_what_the_services_know_decides(environment, tmp_path):
    found, again, [here] = await searched(environment, tmp_path, [WEB])
    assert here.candidates[0].record.id == "adam"
    assert [it.record.id for it in found.candidates[:2]] == ["w", "adam"]
    assert (found.abstained, found.usage["requests"]) == (False, 3)
    assert found.candidates[0].evidence[0].quote == "Adam needs little memory, they say."
    assert replace(again, usage={}) == replace(found, usage={})


async def test_their_doubt_is_the_answer_s(environment, tmp_path):
    found, again, _ = await searched(environment, tmp_path, [WEB], "no work found shares enough words")
    assert (found.abstained, found.reason) == (True, "no work found shares enough words")
    assert found.candidates
    assert (again.abstained, again.reason) == (True, found.reason)


async def test_nothing_later_than_the_manuscript(environment, tmp_path):
    found, _, _ = await searched(environment, tmp_path, [LATE, WEB], date="2020-01")
    assert "l" not in [it.record.id for it in found.candidates]
