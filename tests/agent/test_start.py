import json
from dataclasses import replace

from agent_works import Script
from citelsp.agent import conclusion, start, story, trajectory
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Action, Limits
from citelsp.base.settings import Agent, LanguageModel, Settings
from citelsp.bibliography.record import Record
from citelsp.knowledge import Candidate, Suggestion
from model_server import completion, serving

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."


def by_title(*titles):
    """Makes policies that each select the first of these works that they are shown, or give up."""

    class Chooser(Script):
        async def propose(self, run):
            if not run.steps:
                return await Script([Action("match_place")]).propose(run)
            known = {it.record.title: handle for handle, it in run.desk.works.items()}
            handle = next((known[it] for it in titles if it in known), None)
            done = Action("select", {"id": handle}) if handle else Action("give_up", {"reason": "no more"})
            return await Script([done]).propose(run)

    return Chooser


async def test_several_works_until_nothing_is_left(environment):
    make = by_title("A Survey of Optimizers for Deep Learning", "Adam: A Method for Stochastic Optimization")
    found = await start.suggest_several(environment(TEXT), make, Limits())
    ids = [it.record.id for it in found.candidates]
    assert ids[:2] == ["survey", "adam"]
    assert len(ids) == len(set(ids))
    assert (found.abstained, found.together) == (False, 2)
    assert found.usage["turns"] == 6


async def test_at_most_so_many(environment):
    found = await start.suggest_several(environment(TEXT), Rules, Limits(), most=1)
    assert found.candidates[0].record.id == "adam"


async def test_nothing_at_all(environment):
    found = await start.suggest_several(environment(TEXT), by_title("No such work"), Limits())
    assert found.abstained
    assert found.candidates


def test_no_work_of_several_is_more_probable_than_one_chosen_before_it():
    def found(title, probability):
        return Suggestion((Candidate(Record("corpus", title, title=title), probability=probability),))

    chosen = [found("A", 0.3), found("B", 0.7), found("C", None), found("D", 0.2)]
    assert [it.probability for it in conclusion.combine(chosen).candidates] == [0.3, 0.3, None, 0.2]


def test_limits_and_policy_come_from_the_settings():
    settings = Settings(agent=Agent(turns=3, usd=1.0, seconds=9.0))
    assert start.read_limits(settings) == Limits(turns=3, usd=1.0, seconds=9.0)
    assert start.open_chat(settings) is None
    model = LanguageModel("http://127.0.0.1:9/v1", "m")
    assert start.open_chat(Settings(model=model)) is not None
    assert start.open_chat(Settings(model=model, offline=True)) is None
    assert start.choose_policy(settings, None)().name == "rules"


async def test_a_suggestion_with_its_trajectory(environment, tmp_path):
    async with serving(completion(json.dumps({"choice": "W1"}))) as server:
        settings = Settings(model=LanguageModel(server.url, "m"))
        chat = start.open_chat(settings)
        journal = trajectory.Writer(tmp_path)
        found = await start.suggest(environment(TEXT), settings, chat, journal=journal)
        await chat.aclose()
    assert found.candidates[0].record.id == "adam"
    assert journal.path.parent == tmp_path


async def test_several_runs_are_replayed_together(environment, tmp_path):
    journal = trajectory.Writer(tmp_path)
    make = by_title("A Survey of Optimizers for Deep Learning", "Adam: A Method for Stochastic Optimization")
    found = await start.suggest_several(environment(TEXT), make, Limits(), journal=journal)
    runs = trajectory.read(journal.path)
    again = await trajectory.replay(runs)
    assert len(runs) == 3
    assert replace(again, usage={}) == replace(found, usage={})
    assert story.explain(runs).count("It ended") == 3


def test_limits_hold_for_all_runs_together():
    spent = Suggestion(usage={"tokens_in": 300, "tokens_out": 100, "seconds": 3.5, "requests": 0, "usd": 0.0})
    assert start.remaining_limits(Limits(tokens=1000, seconds=0.0), [spent, spent]) == Limits(tokens=200, seconds=0.0)
    assert start.remaining_limits(Limits(tokens=700), [spent, spent]) is None


def test_what_the_settings_say_a_model_does_is_done():
    chat = start.open_chat(Settings(model=LanguageModel("http://127.0.0.1:9/v1", "m")))
    done = {it: start.choose_policy(Settings(agent=Agent(model=it)), chat)() for it in ("search", "pick")}
    assert {name: (it.name, it._searches) for name, it in done.items()} == {
        "search": ("model", True), "pick": ("model", False),
    }  # fmt: skip
    assert start.open_chat(Settings(model=LanguageModel("http://127.0.0.1:9/v1", ""))) is None
    assert start.open_chat(Settings(model=LanguageModel("", "m"))) is None


def test_what_is_left_of_each_limit_is_a_limit_of_its_kind():
    spent = Suggestion(usage={"tokens_in": 30, "tokens_out": 10, "seconds": 3.5, "requests": 2.0, "usd": 0.25})
    left = start.remaining_limits(Limits(turns=2, tokens=100, usd=1.0, seconds=9.0, requests=5), [spent])
    assert left == Limits(turns=2, tokens=60, usd=0.75, seconds=5.5, requests=3)
    assert (type(left.tokens), type(left.requests)) == (int, int)
    for used_up in ({"usd": 0.25}, {"tokens": 40}, {"seconds": 3.5}, {"requests": 2}):
        assert start.remaining_limits(Limits(**used_up), [spent]) is None
    unlimited = Limits(turns=0, tokens=0, usd=0.0, seconds=0.0, requests=0)
    assert start.remaining_limits(unlimited, [spent]) == unlimited
    assert start.remaining_limits(Limits(), [Suggestion()]) == Limits()


async def test_runs_for_one_claim_end_where_a_limit_is_used_up(environment):
    make = by_title("A Survey of Optimizers for Deep Learning", "Adam: A Method for Stochastic Optimization")
    one = await start.suggest_several(environment(TEXT), make, Limits(), most=1)
    assert (one.together, one.usage["turns"]) == (1, 2)
    further = await start.suggest_several(environment(TEXT), make, Limits(), known=one, most=2)
    assert [it.record.id for it in further.candidates[:2]] == ["survey", "adam"]
    assert (further.together, further.usage["turns"]) == (2, 4)
    assert await start.suggest_several(environment(TEXT), make, Limits(), known=further, most=2) is further
