"""The policy with a model: what it is shown again, what its answers come to, and when rules go on."""

import json

import pytest

from agent_works import candidate
from citelsp.agent import searching
from citelsp.agent.chat import Refused, Reply
from citelsp.agent.loop import run_through
from citelsp.agent.run import Run
from citelsp.agent.searching import Searching
from citelsp.agent.steps import Limits, Step, Turn, Usage
from citelsp.agent.wording import prompt

TEXT = r"We train with the Adam optimizer, which needs little memory \cite<> for ten epochs."
USAGE = Usage(10, 0, 1, calls=1)


def called(*actions, text="", **more):
    calls = [{"id": "", "function": {"name": name, "arguments": json.dumps(inputs)}} for name, inputs in actions]
    return Reply(text, {"content": text}, tuple(calls), USAGE, **more)


SEARCH = called(("search", {"query": "memory"}), text="I search. " * 100)
SELECT = called(("select", {"id": "W1", "quote": "It needs little memory."}))


class Chatting:
    """A chat in one dialect that answers so, and notes what it was asked and told."""

    def __init__(self, *answers, dialect="tools"):
        self.answers, self.asked, self.told, self._dialect = list(answers), [], [], dialect

    def dialect(self, _form):
        return self._dialect

    async def ask(self, messages, form):
        self.asked.append((list(messages), form))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def usable(self, reply):
        self.told.append(("usable", reply))

    def unusable(self, form, reply):
        assert form is searching.SHAPE
        self.told.append(("unusable", reply))


async def run(environment, *answers, limits=Limits(), **more):  # noqa: B008
    chat = Chatting(*answers)
    found, done = await run_through(environment(TEXT, **more), Searching(chat, demonstration=False), limits)
    return found, done, chat


async def test_a_turn_has_the_model_s_calls_and_the_beginning_of_its_thought(environment):
    found, done, chat = await run(environment, SEARCH, SELECT)
    first, second, third = done.steps
    assert [it.name for it in first.turn.actions] == ["match_place"]
    assert (second.turn.rationale, second.turn.usage, second.turn.notice) == (("I search. " * 100)[:500], USAGE, "")
    assert third.turn.rationale == ""
    assert [it[0] for it in chat.told] == ["usable", "usable"]
    assert chat.asked[0][1].tools == tuple(map(searching._tool, searching.offered(done.environment)))
    assert found.usage["tokens_in"] == 20


async def test_of_too_many_calls_eight_are_carried_out_and_each_is_answered(environment):
    many = called(*[("search", {"query": f"memory {it}"}) for it in range(20)])
    _, done, chat = await run(environment, many, SELECT)
    assert len(done.steps[1].turn.actions) == 8
    *_, said = [it for it in chat.asked[1][0] if it["role"] == "assistant"]
    answers = [it for it in chat.asked[1][0] if it["role"] == "tool"]
    assert [it["id"] for it in said["tool_calls"]] == [f"call01{it:03d}" for it in range(9)]
    assert [it["tool_call_id"] for it in answers] == [it["id"] for it in said["tool_calls"]]
    assert answers[-1]["content"] == "skipped: too many actions" != answers[-2]["content"]


async def test_an_unreadable_answer_is_asked_for_in_another_way(environment):
    lost = Reply("so", {}, usage=USAGE)
    _, done, chat = await run(environment, lost, SEARCH, SELECT)
    assert [it[0] for it in chat.told] == ["unusable", "usable", "usable"]
    assert [it.turn.problem for it in done.steps[1:4]] == ["it holds no JSON object", "", ""]
    shown = chat.asked[1][0][-2:]
    assert shown == [
        {"role": "assistant", "content": "so"},
        {"role": "user", "content": prompt("unreadable").format(problem="it holds no JSON object")},
    ]


async def test_one_answer_that_was_cut_off_is_asked_for_at_greater_length(environment):
    cut = Reply("so", {}, usage=USAGE, problem="it was cut off; be brief", cut=True)
    _, done, chat = await run(environment, cut, SELECT)
    assert [it[0] for it in chat.told] == ["unusable", "usable"]
    assert done.steps[1].turn.problem == "it was cut off; be brief"


async def test_after_two_answers_that_led_to_nothing_rules_decide(environment):
    fly = called(("fly", {}), ("read", {"id": "W99"}))
    found, done, _ = await run(environment, fly)
    assert len(done.steps) == 5
    assert found.undecided.startswith("the model's answers could not be used: there is no action 'fly'")
    found, done, _ = await run(environment, Reply("so", {}, usage=USAGE))
    assert found.undecided == "the model's answers could not be read: it holds no JSON object"


async def test_an_answer_of_which_something_could_be_done_is_none_that_led_to_nothing(environment):
    halves = [called(("fly", {}), ("search", {"query": f"memory {it}"})) for it in range(6)]
    _, done, chat = await run(environment, *halves, SELECT)
    assert len(chat.asked) == 7 and done.steps[-1].turn.actions[0].name == "select"


async def test_what_was_searched_for_before_is_lost_and_rules_decide_at_the_second_time(environment):
    again = called(("search", {"query": "memory of optimizers"}))
    found, done, chat = await run(environment, again)
    assert len(chat.asked) == 3  # one search, and two that would bring the same
    assert "was asked before and brings nothing new" in chat.asked[2][0][-1]["content"]
    assert (
        found.undecided.endswith("select a work, or give_up")
        and done.steps[-1].turn.rationale == "weigh what was found"
    )


async def test_where_the_model_cannot_be_asked_rules_go_on_to_the_end(environment):
    found, done, chat = await run(environment, SEARCH, Refused("it is away", usage=USAGE))
    assert len(chat.asked) == 2
    assert {it.turn.notice for it in done.steps[2:]} == {"it is away"} and found.undecided == "it is away"
    assert done.steps[2].turn.rationale.startswith("it is away; rules go on: ")
    assert [it.turn.usage for it in done.steps[2:]] == [USAGE, *[Usage()] * (len(done.steps) - 3)]


async def test_a_question_that_is_too_long_is_asked_once_more_in_few_words(environment):
    long = Refused("too long", too_long=True, usage=USAGE)
    works = [candidate(f"Kind {it} of memory", abstract="It is a memory of the optimizer.") for it in range(9)]
    more = {"library": lambda _words, _limit: works}
    found, done, chat = await run(environment, long, SELECT, **more)
    first, second = (it[0][1]["content"] for it in chat.asked)
    assert found.undecided == "" and done.steps[1].turn.usage == USAGE.plus(USAGE)
    assert first.count("\nW") == 7 and second.count("\nW") == 4
    found, _, chat = await run(environment, long, **more)
    assert (len(chat.asked), found.undecided) == (2, "too long")


async def test_who_wants_to_be_asked_in_ever_other_ways_is_asked_six_times(environment):
    found, _, chat = await run(environment, Refused("other", dialect=True))
    assert len(chat.asked) == 6
    assert found.undecided == "the model's endpoint refuses every way of asking"


@pytest.mark.parametrize("demonstration", [True, False])
def test_the_example_stands_between_the_rules_and_the_form(environment, demonstration):
    chat = Chatting(SELECT, dialect="plain")
    done = Run(environment(TEXT), Limits(turns=2))
    done.steps.append(Step(Turn()))
    policy = Searching(chat, demonstration=demonstration)
    policy._first = 1
    system, first = policy.messages(done)
    parts = [prompt("system"), *([prompt("demonstration")] if demonstration else []), prompt("answer")]
    assert system["content"].startswith("\n\n".join(parts) + "\n- search: query, sort (optional). Works by words")
    assert first["content"].endswith("\n\nFound so far:\nnothing else\n\n" + prompt("last"))
