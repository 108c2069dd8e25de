import asyncio
import time

import pytest

from agent_works import Script, Shelf, candidate
from citelsp.agent.loop import find_works
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Action, Limits, Turn, Usage

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
MATCH = [Action("match_place")]


def select(handle):
    return Action("select", {"id": handle})


async def test_what_is_selected_comes_first_with_its_quote(environment):
    script = Script(MATCH, [select("W1")])
    found = await find_works(environment(TEXT), script)
    assert not found.abstained
    assert found.candidates[0].record.id == "adam"
    assert found.candidates[0].evidence[0].quote.startswith("We introduce Adam, which needs only")
    assert found.usage["turns"] == 2


async def test_every_candidate_has_a_quote_that_stands_in_it(environment):
    found = await find_works(environment(TEXT), Script(MATCH, [select("W2")]))
    for it in found.candidates:
        (quoted,) = it.evidence
        assert quoted.quote in {it.record.title} or quoted.quote in it.record.abstract or quoted.where == "Introduction"


async def test_several_selections_are_a_ranking(environment):
    found = await find_works(environment(TEXT), Script(MATCH, [select("W3"), select("W1")]))
    first, *_ = ids = [it.record.id for it in found.candidates]
    assert ids.index("adam") == 1
    assert first != "adam"


async def test_giving_up_says_why(environment):
    found = await find_works(environment(TEXT), Script(MATCH, [Action("give_up", {"reason": "no such work"})]))
    assert (found.abstained, found.reason) == (True, "no such work")


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(turns=2), "2 turns"),
        (Limits(tokens=150), "150 tokens"),
        (Limits(usd=0.01), "0.01 USD"),
        (Limits(requests=2), "2 requests"),
    ],
)
async def test_at_a_limit_rules_decide_on_what_was_found(environment, limits, said):
    cost = Usage(tokens_in=100, usd=0.006)
    asked = [(Action("match_place"), Action("search", {"query": f"adam {it}"})) for it in range(10)]
    turns = [Turn(it, usage=cost) for it in asked]
    found = await find_works(environment(TEXT, services=Shelf(candidate("Another work"))), Script(*turns), limits)
    assert said in found.reason
    assert said in found.undecided
    assert not found.abstained
    assert found.candidates[0].record.id == "adam"


async def test_time_ends_a_run_within_an_action(environment):
    class Slow(Shelf):
        async def search(self, _words, _limit):
            await asyncio.Event().wait()

    began = time.monotonic()
    script = Script(MATCH, [Action("search", {"query": "slow"})])
    found = await find_works(environment(TEXT, services=Slow()), script, Limits(seconds=0.3))
    assert time.monotonic() - began < 30
    assert "0.3 seconds" in found.reason
    assert found.candidates[0].record.id == "adam"


async def test_actions_of_one_turn_run_at_the_same_time(environment):
    class Meeting(Shelf):
        def __init__(self):
            super().__init__()
            self.barrier = asyncio.Barrier(3)

        async def search(self, words, limit):
            await asyncio.wait_for(self.barrier.wait(), 5)
            return await super().search(words, limit)

    together = [Action("search", {"query": it}) for it in ("one", "two", "three")]
    services = Meeting()
    await find_works(environment(TEXT, services=services), Script(together))
    assert len(services.asked) == 3


async def test_a_run_can_be_cancelled(environment):
    asked = asyncio.Event()

    class Never:
        name = "never"

        async def propose(self, _run):
            asked.set()
            await asyncio.Event().wait()

    task = asyncio.ensure_future(find_works(environment(TEXT), Never()))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_rules_find_read_and_quote(environment):
    found = await find_works(environment(TEXT), Rules())
    best = found.candidates[0]
    assert (best.record.id, found.abstained) == ("adam", False)
    assert best.evidence[0].quote in best.record.abstract or best.evidence[0].where != "abstract"
    chances = [it.probability for it in found.candidates]
    assert chances == sorted(chances, reverse=True)


async def test_rules_abstain_where_nothing_fits(environment):
    found = await find_works(environment(r"Quasars \cite<> emit radiation.", title="Radio astronomy"), Rules())
    assert found.abstained
    assert found.reason


async def test_rules_ask_services_where_there_are_some(environment):
    services = Shelf(candidate("Quasars as radio sources", abstract="Quasars emit much radiation at radio waves."))
    place = environment(r"Quasars \cite<> emit radiation.", title="Radio astronomy", services=services)
    found = await find_works(place, Rules())
    assert found.candidates[0].record.title == "Quasars as radio sources"
    assert {it[0] for it in services.asked} >= {"search", "snippets", "text", "references"}


async def test_rules_say_which_services_were_away(environment):
    place = environment(r"Quasars \cite<> emit.", title="Astronomy", services=Shelf(notes=("openalex: 429",)))
    found = await find_works(place, Rules())
    assert found.abstained
    assert "openalex: 429" in found.reason
