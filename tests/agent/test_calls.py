"""How an action is understood that a model wrote carelessly, and what it is told if it is not."""

import pytest

from agent_works import Shelf, candidate
from citelsp.agent import calls
from citelsp.agent.environment import Desk
from citelsp.agent.steps import Action, Observation
from citelsp.knowledge import Evidence

TEXT = r"We train with the Adam optimizer \cite<> for ten epochs."


@pytest.mark.parametrize(
    ("name", "written", "understood"),
    [
        ("search", {"query": "adam", "sort": "citations"}, {"query": "adam", "sort": "citations"}),
        ("functions.search", {"q": " adam "}, {"query": "adam"}),
        (" search ", {"whatever": "adam"}, {"query": "adam"}),
        ("search", {"query": ["adam", None, "memory", 3, 1.5, 2.0]}, {"query": "adam memory 3 1.5 2"}),
        ("search", {"query": "half \ud800 a\0character"}, {"query": "half ? a character"}),
        ("read", {"paper": "W1", "page": 2}, {"id": "W1", "part": "2"}),
        ("read", {"number": 3, "section": True}, {"id": "3"}),
        ("find_in_text", {"work_id": "W1", "words": "adam"}, {"id": "W1", "query": "adam"}),
        ("select", {"doc_id": "W1"}, {"id": "W1"}),
        (
            "select",
            {"id": "W1", "passage": "So.", "confidence": "high", "why": "x"},
            {"id": "W1", "quote": "So.", "sure": "high", "why": "x"},
        ),
        ("give_up", {"why": "no"}, {"reason": "no"}),
        ("give_up", {}, {}),
        ("ask_for_more_context", {"paragraphs": 10**12}, {}),
        ("ask_for_more_context", {"paragraphs": -(10**9)}, {}),
        ("ask_for_more_context", {"paragraphs": 10**9 - 1}, {"paragraphs": "1e+09"}),
        ("match_place", {"id": "W1"}, {}),
        ("recall", {"id": "W1"}, {}),
    ],
)
def test_arguments_may_have_other_names_and_forms(name, written, understood):
    found, arguments = calls.checked(Action(name, written))
    assert (found, arguments) == (name.strip().rpartition(".")[2], understood)


@pytest.mark.parametrize(
    ("name", "written", "said"),
    [
        ("find_in_text", {"a": "W1", "b": "adam"}, "find_in_text needs id and query; id and query is missing"),
        ("search", {"a": "adam", "b": "memory"}, "search needs query; query is missing"),
        ("select", {"quote": "So."}, "select needs id and sure and why; id is missing"),
        ("x" * 60, {}, f"there is no action '{'x' * 40}'; there are {', '.join(calls.OFFERED)}"),
    ],
)
def test_what_is_missing_is_named(name, written, said):
    with pytest.raises(calls.UnfitError) as caught:
        calls.checked(Action(name, written))
    assert str(caught.value) == said


@pytest.mark.parametrize("written", ["W2", "w 2", "(W2)", '"W2".', "W#2", "0002", "<W2>", "`w2`"])
def test_a_handle_may_be_written_in_many_ways(written):
    desk = Desk()
    desk.lay([candidate("A first work"), candidate("A second work")])
    assert calls.handle_of(desk, written) == "W2"


@pytest.mark.parametrize(
    ("titles", "written", "said"),
    [
        ((), "W1", "there is no work 'W1'; no work was found yet: search first"),
        (("One of them", "Two of them"), "W3", "there is no work 'W3'; choose one that was shown"),
        (("One of them",), "x" * 60, f"there is no work '{'x' * 40}'; choose one that was shown"),
        (("Notes", "notes"), "Notes", "there is no work 'Notes'; choose one that was shown"),
    ],
)
def test_a_work_that_nobody_found_or_that_may_be_several_is_none(titles, written, said):
    desk = Desk()
    desk.lay([candidate(it, id=f"{n}") for n, it in enumerate(titles)])
    with pytest.raises(calls.UnfitError) as caught:
        calls.handle_of(desk, written)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("written", "odds", "why"),
    [
        ({}, None, ""),
        ({"sure": "likely", "why": "It says so."}, 0.6, "It says so."),
        ({"confidence": "likely", "reason": "So\nit is."}, None, "So it is."),
        ({"probability": 0.25, "sure": "clear"}, 0.25, ""),
        ({"probability": 1, "why": "x" * 300}, 1.0, "x" * 199 + "…"),
        ({"probability": "0.25"}, None, ""),
    ],
)
def test_a_choice_has_its_odds_its_reason_and_its_quote(written, odds, why):
    desk = Desk()
    desk.lay([candidate("A first work", quote="Another passage.")])
    passages = (Evidence("It says little.", "abstract", "openalex"),)
    found = calls.chosen(desk, Observation(Action("select", written), about="W1", passages=passages))
    assert (found.probability, found.why, found.evidence) == (odds, why, passages)
    assert (found.record.title, found.origins) == ("A first work", ("openalex",))


async def test_what_went_wrong_is_told_as_it_is(environment):
    desk = Desk()
    desk.lay([candidate("A first work", abstract="It says little of interest.")])

    async def told(name, **arguments):
        seen = await calls.perform(environment(TEXT, services=Shelf()), desk, Action(name, arguments))
        return seen.about, seen.problem, seen.refused

    assert await told("select", id="W1", quote="It is new.") == (
        "W1", "the quote is not in W1; copy one sentence from it word for word", True,
    )  # fmt: skip
    assert await told("select", id="W1", quote="it says little of interest") == ("W1", "", False)
    assert await told("expand_citations", id="W1") == ("W1", "no links of it are known", False)
    assert await told("search_text_snippet", query="quasars") == ("", "nothing was found", False)
    assert await told("read", id="W1") == ("W1", "", False)


@pytest.mark.parametrize(
    ("reason", "text"), [("no\nwork", "no work"), ("", "nothing fits"), ("x" * 600, "x" * 499 + "…")]
)
async def test_why_a_model_gave_up_is_one_line(environment, reason, text):
    seen = await calls.perform(environment(TEXT), Desk(), Action("give_up", {"reason": reason}))
    assert (seen.text, seen.problem) == (text, "")
