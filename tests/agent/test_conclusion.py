"""How a run ends: which works stand where, why none was chosen, what it cost; and several runs as one answer."""

from dataclasses import replace

import pytest

from agent_works import Script, Shelf, candidate
from citelsp.agent import conclusion
from citelsp.agent.environment import Environment
from citelsp.agent.loop import find_works
from citelsp.agent.run import Run
from citelsp.agent.steps import Action, Limits, Observation, Step, Turn, Usage
from citelsp.bibliography.record import Record
from citelsp.knowledge import Candidate, Evidence, Suggestion
from citelsp.workspace.question import read_marked

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
MATCH = [Action("match_place")]


def select(handle, **more):
    return Action("select", {"id": handle, **more})


async def test_what_a_run_cost_is_counted_over_all_its_turns(environment):
    cost = Usage(100, 40, 10, 0.001_234_567, 1, 7)
    turns = [Turn(tuple(MATCH), usage=cost), Turn((Action("search", {"query": "adam"}),), usage=cost)]
    found = await find_works(environment(TEXT, services=Shelf()), Script(*turns, Turn((select("W1"),))))
    usage = dict(found.usage)
    assert 0 <= usage.pop("seconds") < 60
    assert usage == {
        "turns": 3, "tokens_in": 200, "tokens_cached": 80, "tokens_out": 20, "usd": 0.002_469, "requests": 15,
    }  # fmt: skip


async def test_behind_what_was_chosen_stands_what_most_searches_found_without_a_probability(environment):
    services = Shelf(candidate("Often found of all"), candidate("Seldom found of all"))
    search = [Action("search_text_snippet", {"query": f"quasars {it}"}) for it in range(3)]
    found = await find_works(environment(TEXT, services=services), Script(MATCH, search, [select("W3", sure="likely")]))
    assert [it.record.title for it in found.candidates][1:3] == ["Often found of all", "Seldom found of all"]
    assert [it.probability for it in found.candidates[:3]] == [0.6, None, None]
    assert (found.abstained, found.reason, found.further, found.undecided) == (False, "", True, "")


async def test_where_nothing_was_chosen_the_probable_come_first(environment):
    services = Shelf(candidate("Often found of all"))
    search = [Action("search_text_snippet", {"query": f"quasars {it}"}) for it in range(3)]
    end = [Action("give_up", {"reason": "no such work"})]
    found = await find_works(environment(TEXT, services=services), Script(MATCH, search, end))
    chances = [it.probability or 0.0 for it in found.candidates]
    assert chances == sorted(chances, reverse=True) and chances[0] > 0
    assert (found.abstained, found.reason, found.further) == (True, "no such work", False)


async def test_what_the_author_should_know_stands_behind_the_reason(environment):
    notice = Turn(tuple(MATCH), notice="the model could not be asked")
    found = await find_works(environment(TEXT), Script(notice, [Action("give_up", {"reason": "no"})]))
    assert (found.reason, found.undecided) == ("no; the model could not be asked", "the model could not be asked")
    assert found.further
    found = await find_works(environment(TEXT), Script(notice, [select("W1")]))
    assert (found.abstained, found.reason) == (False, "the model could not be asked")


def ended(*seen, stopped="", rationale="", calls=0, works=()):
    run = Run(Environment(read_marked(TEXT)), Limits())
    run.desk.lay(works)
    run.steps.append(Step(Turn(rationale=rationale, usage=Usage(calls=calls)), seen))
    return conclusion.conclude(run, stopped)


@pytest.mark.parametrize(
    ("stopped", "reason"),
    [("", "nothing was chosen"), ("the limit of 3 turns was reached", "the limit of 3 turns was reached")],
)
def test_a_run_without_an_end_says_why_it_has_none(stopped, reason):
    found = ended(stopped=stopped)
    assert (found.abstained, found.reason, found.candidates) == (True, reason, ())


@pytest.mark.parametrize(
    ("own", "calls", "why"), [("", 1, "So I think."), ("It says so.", 1, "It says so."), ("", 0, "")]
)
def test_only_a_model_s_prose_says_why_it_chose(own, calls, why):
    passage = (Evidence("Trout eat.", "abstract", "x"),)
    seen = (
        Observation(Action("select", {"why": own}), about="W1", passages=passage),
        Observation(Action("select", {}), about="W2", passages=passage),
    )
    works = candidate("Trout in rivers"), candidate("Salmon in rivers")
    found = ended(*seen, rationale="So I think.", calls=calls, works=works)
    assert [it.why for it in found.candidates] == [why, ""]


def test_a_list_has_ten_works_each_with_one_quote():
    works = [candidate(f"Kind {it} of trout", quote="Trout eat.") for it in range(12)]
    works[1] = replace(works[1], evidence=(*works[1].evidence, Evidence("More.", "2", "x")))
    found = ended(works=works)
    assert [it.record.title for it in found.candidates] == [f"Kind {it} of trout" for it in range(10)]
    assert {it.evidence for it in found.candidates} == {(Evidence("Trout eat.", "abstract", "openalex"),)}


async def test_a_quote_is_the_nearest_sentence_of_what_is_known_or_the_title(environment):
    near = candidate("Of optimizers", abstract="Trout eat many flies. An optimizer needs little memory.")
    far = candidate("Fish of rivers", source="dblp")
    services = Shelf(near, far)
    place = replace(environment(TEXT, services=services), corpus=None)
    found = await find_works(place, Script([Action("search", {"query": "memory"})], [select("W2"), select("W1")]))
    assert [it.evidence for it in found.candidates] == [
        (Evidence("Fish of rivers", "title", "dblp"),),
        (Evidence("An optimizer needs little memory.", "abstract", "openalex"),),
    ]


def suggestion(*titles, **more):
    works = (Candidate(Record("x", it, title=it), probability=0.5) for it in titles)
    return Suggestion(tuple(works), **more)


def test_several_runs_for_one_claim_are_one_answer():
    runs = [
        suggestion("A", "C", "B", "D", reason="slow", further=True, usage={"turns": 2, "estimated": 1}),
        suggestion("B", "C", together=1, reason="slow", further=True, usage={"turns": 3, "seconds": 1.0}),
        suggestion("C", abstained=True, reason="no more", usage={"turns": 1}),
    ]
    found = conclusion.combine(runs)
    listed = [(it.record.title, it.probability) for it in found.candidates]
    assert listed == [("A", 0.5), ("B", 0.5), ("C", None), ("D", None)]
    assert (found.together, found.reason, found.further, found.abstained) == (2, "slow", False, False)
    assert found.usage == {"turns": 6, "estimated": 1, "seconds": 1.0}


def test_that_a_further_run_was_broken_off_is_a_reason():
    broken = suggestion(abstained=True, reason="the limit of 3 turns was reached", further=True)
    found = conclusion.combine([suggestion("A"), broken])
    assert (found.reason, found.further) == ("the limit of 3 turns was reached", True)


def test_one_run_or_several_without_a_choice_are_the_first():
    nothing, other = suggestion("A", abstained=True, reason="no"), suggestion("B", abstained=True)
    assert conclusion.combine([nothing, other]) is nothing
    assert conclusion.combine([only := suggestion("A")]) is only


def test_of_more_than_ten_works_chosen_ten_are_listed():
    found = conclusion.combine([suggestion(f"{it}", "Z") for it in range(12)])
    assert (len(found.candidates), found.together) == (10, 10)
