"""What rules do turn by turn, and what a policy's turns come to in the loop."""

from dataclasses import replace

import pytest

from agent_works import Script, Shelf, candidate
from citelsp.agent import calls, rules
from citelsp.agent.loop import find_works, run_through
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Action, Limits, Turn

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."


async def test_rules_read_the_nearest_works_and_follow_their_references(environment):
    place = environment(TEXT, services=Shelf(*(candidate(f"Kind {it} of memory") for it in range(9))))
    _, run = await run_through(place, Rules())
    first, second, third = run.steps
    assert first.turn.rationale == "search the place itself and several wordings of it"
    assert second.turn.rationale == "follow the references of the nearest works and read them"
    assert third.turn.rationale == "weigh what was found"
    done = [(it.name, it.arguments["id"]) for it in second.turn.actions]
    read = [handle for name, handle in done if name == "find_in_text"]
    assert len(read) == len(set(read)) == 8 and read[0] == "W1"
    assert {it.arguments["query"] for it in second.turn.actions if it.name == "find_in_text"} == {place.query.sentence}
    assert [handle for name, handle in done if name == "expand_references"] == read[:4]
    assert [handle for name, handle in done if name == "expand_citations"] == read[:1]
    assert len(done) == 13


@pytest.mark.parametrize(("chance", "turns", "steps"), [(0.9, 15, 2), (0.89, 15, 3), (0.89, 2, 2)])
async def test_who_is_sure_at_once_or_has_no_turn_left_reads_nothing(environment, chance, turns, steps):
    place = environment(TEXT)

    async def perform(environment, desk, action):
        seen = await calls.perform(environment, desk, action)
        works = tuple(replace(it, probability=chance) for it in seen.works) if action.name == "match_place" else ()
        return replace(seen, works=works)

    _, run = await run_through(place, Rules(), Limits(turns=turns), perform=perform)
    assert len(run.steps) == steps


def asked(actions):
    return [(it.name, *it.arguments.values()) for it in actions]


async def test_what_is_looked_at_before_a_model_is_asked(environment):
    place = environment(TEXT, library=lambda _words, _limit: [], earlier=(candidate("Seen before"),))
    sentence = place.query.sentence
    look = [("recall",), ("match_place", 90), ("search_library", sentence)]
    assert asked(rules.first_actions(place, 90)) == look
    assert asked(rules.opening_actions(place))[:2] == [("match_place", 30), ("search_library", sentence)]
    alone = replace(place, corpus=None, services=Shelf(), earlier=(), library=None)
    assert asked(rules.first_actions(alone, 90)) == []
    assert [it[0] for it in asked(rules.opening_actions(alone))] == [*["search_words"] * 3, "search_text_snippet"]
    assert asked(rules.opening_actions(replace(alone, services=None))) == []


def test_places_are_worded_in_several_ways_each_once(environment):
    place = environment(TEXT, rarities={"adam": 9.0, "memori": 8.0, "epoch": 7.0})
    found = rules.word_variants(replace(place, question=replace(place.question, hint="", title="")))
    assert found == ["needs little memory", "train adam optimizer needs little memory epochs", "adam optimizer memory"]


@pytest.mark.parametrize(
    ("works", "reason"),
    [
        ([], "nothing was found (dblp: 500)"),
        ([candidate("Fish")], "no work found shares enough words with this sentence"),
        ([candidate("The Adam optimizer of little memory")], ""),
    ],
)
async def test_without_a_corpus_the_words_that_a_work_holds_decide(environment, works, reason):
    place = replace(environment(TEXT, services=Shelf(*works, notes=("dblp: 500",))), corpus=None)
    found = await find_works(place, Rules())
    assert (found.abstained, found.reason.partition(";")[0]) == (bool(reason), reason)
    assert [it.probability for it in found.candidates] == [None] * len(works)


async def test_the_author_s_own_entries_are_among_what_rules_weigh(environment):
    own = [candidate("Feeding fish of the author", source="library"), candidate("On Adam and memory", source="library")]
    place = environment(TEXT, library=lambda _words, _limit: own)
    found = await find_works(place, Rules())
    assert {"Feeding fish of the author", "On Adam and memory"} <= {it.record.title for it in found.candidates}


async def test_a_policy_that_cannot_go_on_leaves_it_to_rules(environment):
    found, run = await run_through(environment(TEXT), Script([Action("match_place")], Turn(failed="the model is away")))
    assert (found.undecided, found.reason, found.abstained) == ("the model is away", "the model is away", False)
    assert [it.turn.notice for it in run.steps] == ["", "", "the model is away"]
    assert run.steps[-1].turn.rationale == "weigh what was found"


class Journal:
    def __init__(self):
        self.lines = []

    def begin(self, _run, policy):
        self.lines.append(policy)

    def step(self, step):
        self.lines.append([it.name for it in step.turn.actions])

    def end(self, stopped, suggestion):
        self.lines.append((stopped, suggestion.abstained, suggestion.usage["turns"]))


async def test_a_run_is_written_down_from_its_begin_to_its_end(environment):
    journal = Journal()
    turns = [Action("match_place")], [Action("give_up", {"reason": "no"})]
    await find_works(environment(TEXT), Script(*turns), journal=journal)
    await find_works(environment(TEXT), Script(turns[0]), Limits(turns=1), journal=journal)
    limit = "the limit of 1 turns was reached"
    first = ["script", ["match_place"], ["give_up"], ("", True, 2)]
    assert journal.lines[:4] == first
    assert (journal.lines[4:6], journal.lines[-1]) == (["script", ["match_place"]], (limit, False, 2))
    assert set(journal.lines[6]) == {"select"}
