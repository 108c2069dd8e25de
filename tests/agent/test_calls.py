"""What an action brings, and what is said of one that brings nothing."""

import pytest

from agent_works import Shelf, candidate
from citelsp.agent import calls
from citelsp.agent.environment import Desk
from citelsp.agent.steps import Action, Observation

TEXT = r"We train with the Adam optimizer \cite<> for ten epochs."


@pytest.mark.parametrize("written", ["W2", "w 2", "(W2)", '"W2".', "W#2", "0002", "<W2>", "`w2`"])
def test_a_handle_may_be_written_in_many_ways(written):
    assert calls.read_handle(written) == "W2"


@pytest.mark.parametrize(
    ("written", "odds", "why"),
    [
        ({}, None, ""),
        ({"sure": "likely", "why": "It says so."}, 0.6, "It says so."),
        ({"sure": "likely", "why": "So\nit is."}, 0.6, "So it is."),
        ({"probability": 0.25, "sure": "clear"}, 0.25, ""),
        ({"probability": 1, "why": "x" * 300}, 1.0, "x" * 199 + "…"),
        ({"probability": "0.25"}, None, ""),
    ],
)
def test_a_choice_has_its_odds_and_its_reason(written, odds, why):
    desk = Desk()
    desk.lay([candidate("A first work", quote="Another passage.")])
    found = calls.read_choice(desk, Observation(Action("select", written), about="W1"))
    assert (found.probability, found.why, found.evidence) == (odds, why, ())
    assert (found.record.title, found.origins) == ("A first work", ("openalex",))


async def test_what_went_wrong_is_told_as_it_is(environment):
    desk = Desk()
    desk.lay([candidate("A first work", abstract="It says little of interest.")])

    async def told(name, **arguments):
        seen = await calls.perform(environment(TEXT, services=Shelf()), desk, Action(name, arguments))
        return seen.about, seen.problem, seen.refused

    assert await told("select", id="W1") == ("W1", "", False)
    assert await told("select", id="A last work") == ("", "no work is titled «A last work»", True)
    assert await told("expand_citations", id="W1") == ("W1", "no links of it are known", False)
    assert await told("search_text_snippet", query="quasars") == ("", "nothing was found", False)
    assert await told("find_in_text", id="W1", query="quasars") == ("W1", "its text says nothing of these words", False)
    for name, inputs in (("fly", {}), ("find_in_text", {"id": "W9", "query": "x"}), ("search_words", {"query": " "})):
        assert await told(name, **inputs) == ("", "this cannot be done", True)
    assert await told("search", query="Café fish") == ("", "", False)
    assert await told("search", query="cafe fish") == ("", "this was asked before and brings nothing new", True)


@pytest.mark.parametrize(
    ("reason", "text"), [("no\nwork", "no work"), ("", "nothing fits"), ("x" * 600, "x" * 499 + "…")]
)
async def test_why_a_model_gave_up_is_one_line(environment, reason, text):
    seen = await calls.perform(environment(TEXT), Desk(), Action("give_up", {"reason": reason}))
    assert (seen.text, seen.problem) == (text, "")
