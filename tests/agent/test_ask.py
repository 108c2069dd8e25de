"""One question to a model, asked again with the reason; choices by number, and programs tuned by them."""

import json

import pytest

from agent_works import candidate
from citelsp.agent import pick_by_number
from citelsp.agent.ask import Unanswered, ask, shape
from citelsp.agent.chat import Refused, Reply
from citelsp.agent.habits import Habits
from citelsp.agent.repair import UnreadableError
from citelsp.agent.steps import Usage

TEXT = r"We train with the Adam optimizer \cite<> for ten epochs."
WORKS = [candidate("Long memories"), candidate("Adam, a method", abstract="We introduce Adam."), candidate("Fish")]
SHAPE = shape("answer", choice={"type": "integer"})


class Scripted:
    """A chat that answers so, and notes what it was asked and told."""

    def __init__(self, *answers):
        self.answers, self.asked, self.told = list(answers), [], []

    async def ask(self, messages, form):
        self.asked.append((list(messages), form))
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        found = found(messages) if callable(found) else found
        if isinstance(found, Refused):
            return found
        return found if isinstance(found, Reply) else Reply(found, {}, usage=Usage(10, 0, 1, calls=1))

    def usable(self, reply):
        self.told.append(("usable", reply.text))

    def unusable(self, form, reply):
        assert form is SHAPE
        self.told.append(("unusable", reply.text))


def read(answer):
    if answer.get("choice") != 7:
        raise UnreadableError("choice must be 7")
    return 7


def asked(chat):
    return ask(chat, "Be brief.", "Which?", SHAPE, read)


async def test_a_question_is_asked_again_with_the_reason():
    chat = Scripted("x" * 2000, '{"choice": 1}', '{"choice": 7}')
    assert await asked(chat) == (7, Usage(30, 0, 3, calls=3))
    first = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which?"}]
    last, form = chat.asked[-1]
    assert (chat.asked[0], form) == ((first, SHAPE), SHAPE)
    assert [it["role"] for it in last] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert [it["content"] for it in last[2:]] == [
        "x" * 1000, "Your answer could not be used: it holds no JSON object. Answer again as asked.",
        '{"choice": 1}', "Your answer could not be used: choice must be 7. Answer again as asked.",
    ]  # fmt: skip
    assert chat.told == [("usable", '{"choice": 7}')]


async def test_after_three_answers_that_cannot_be_used_no_more_is_asked():
    chat = Scripted("so")
    problem = "the model's answers could not be used: it holds no JSON object"
    assert await asked(chat) == Unanswered(problem, Usage(30, 0, 3, calls=3))
    assert (len(chat.asked), chat.told) == (3, [])


async def test_an_answer_that_was_cut_off_is_asked_for_at_greater_length():
    cut = Reply("so", {}, problem="it was cut off; be brief", cut=True, habits=Habits())
    chat = Scripted(cut, '{"choice": 7}')
    assert (await asked(chat))[0] == 7
    assert chat.told == [("unusable", "so"), ("usable", '{"choice": 7}')]
    assert "it was cut off; be brief" in chat.asked[1][0][-1]["content"]


async def test_another_way_of_asking_is_tried_and_at_most_eight():
    other = Refused("no tools", dialect=True, usage=Usage(calls=1))
    assert await asked(Scripted(other, '{"choice": 7}')) == (7, Usage(10, 0, 1, calls=2))
    chat = Scripted(other)
    assert await asked(chat) == Unanswered("the model's endpoint refuses every way of asking", Usage(calls=8))
    assert len(chat.asked) == 8
    assert await asked(Scripted(Refused("no", usage=Usage(calls=1)))) == Unanswered("no", Usage(calls=1))


def test_a_shape_has_exactly_its_fields():
    properties = {"a": {"type": "string"}, "b": {"type": "integer"}}
    found = shape("x", **properties)
    assert (found.name, found.tools) == ("x", ())
    assert found.schema == {
        "type": "object", "properties": properties, "required": ["a", "b"], "additionalProperties": False,
    }  # fmt: skip


async def test_a_choice_has_its_reason_its_sureness_and_its_cost(environment):
    said = {"reasoning": "It\nfits.", "choice": 2, "sure": "likely"}
    choice = await pick_by_number.pick(Scripted(json.dumps(said)), environment(TEXT), WORKS)
    assert choice == pick_by_number.Choice(WORKS[1], "It fits.", Usage(10, 0, 1, calls=1), "", "likely")
    chat = Scripted('{"choice": 3}')
    assert (await pick_by_number.pick(chat, environment(TEXT), WORKS)).picked is WORKS[2]
    (system, question), form = chat.asked[0][0], chat.asked[0][1]
    assert system["content"] == pick_by_number.standard().text
    assert question["content"].endswith("\n\n1. «Long memories»\n2. «Adam, a method» «We introduce Adam.»\n3. «Fish»")
    assert form.schema["required"] == ["reasoning", "choice", "sure"]


async def test_of_nothing_nothing_is_chosen_and_nobody_is_asked(environment):
    chat = Scripted("so")
    assert await pick_by_number.pick(chat, environment(TEXT), []) == pick_by_number.Choice(None)
    assert await pick_by_number.rerank(chat, environment(TEXT), []) == pick_by_number.Order(())
    assert chat.asked == []


async def test_without_an_answer_the_order_is_the_one_it_was(environment):
    found = await pick_by_number.rerank(Scripted(Refused("no", usage=Usage(calls=1))), environment(TEXT), WORKS)
    assert found == pick_by_number.Order(tuple(WORKS), usage=Usage(calls=1), problem="no")
    found = await pick_by_number.rerank(Scripted('{"order": "so"}'), environment(TEXT), WORKS)
    assert "order must hold numbers from 1 to 3, or none if nothing fits" in found.problem
    assert found.usage == Usage(30, 0, 3, calls=3)


def labelled(environment, right):
    return pick_by_number.Labelled(environment(TEXT), WORKS, right)


async def test_accuracy_is_the_share_of_right_choices_and_of_right_refusals(environment):
    examples = [labelled(environment, it) for it in (1, 0, None, 2)]
    assert await pick_by_number.accuracy(Scripted('{"choice": 2}'), pick_by_number.standard(), examples) == 0.25
    assert await pick_by_number.accuracy(Scripted('{"choice": 0}'), pick_by_number.standard(), examples) == 0.25
    assert await pick_by_number.accuracy(Scripted("so"), pick_by_number.standard(), examples) == 0.0
    assert await pick_by_number.accuracy(Scripted('{"choice": 0}'), pick_by_number.standard(), []) == 0.0


async def test_worked_examples_are_answers_that_were_right_and_help_where_they_score_better(environment):
    program, score = await pick_by_number.tuned(Scripted('{"choice": 2}'), [labelled(environment, 1)] * 4, shots=2)
    assert (program.demonstrations, score) == ((), 1.0)
    right = Scripted(
        lambda them: json.dumps({"reasoning": "so", "choice": 2 if "Example." in them[0]["content"] else 0})
    )
    program, score = await pick_by_number.tuned(
        right, [labelled(environment, None), labelled(environment, 1)] * 2, shots=1
    )
    (shown,) = program.demonstrations
    assert (score, shown.reasoning, shown.choice, shown.question.count("\n1. «Long memories»")) == (1.0, "so", 0, 1)
    assert program.instructions == pick_by_number.standard().instructions


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"instructions": "Choose."}, "is not a program of version 1"),
        ({"version": 2, "instructions": "Choose."}, "is not a program of version 1"),
        ({"version": 1, "instructions": 7}, "is not a program of version 1"),
        (
            {"version": 1, "instructions": "Choose.", "demonstrations": [{"question": "x"}]},
            "holds a demonstration without",
        ),
    ],
)
def test_what_is_no_program_is_called_so(tmp_path, written, said):
    path = tmp_path / "program.json"
    path.write_text(json.dumps(written), encoding="utf-8")
    with pytest.raises(ValueError, match=said) as caught:
        pick_by_number.load(path)
    assert str(caught.value).startswith(str(path))
