"""One question to a model, asked again with the reason."""

from citelsp.agent.ask import Unanswered, ask, shape
from citelsp.agent.chat import Refused, Reply
from citelsp.agent.habits import Habits
from citelsp.agent.repair_json import UnreadableError, value
from citelsp.agent.steps import Usage

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
        return found if isinstance(found, Reply) else Reply(found, Usage(10, 0, 1, calls=1))

    def usable(self, reply):
        self.told.append(("usable", reply.text))

    def lengthen(self, reply):
        self.told.append(("lengthen", reply.text))


def read(written):
    answer = value(written)
    if answer.get("choice") != 7:
        raise UnreadableError("choice must be 7")
    return 7


def asked(chat):
    return ask(chat, "Be brief.", "Which?", SHAPE, read)


async def test_a_question_is_asked_again_with_the_reason():
    chat = Scripted("x" * 2000, '{"choice": 7}')
    assert await asked(chat) == (7, Usage(20, 0, 2, calls=2))
    first = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which?"}]
    last, form = chat.asked[-1]
    assert (chat.asked[0], form) == ((first, SHAPE), SHAPE)
    assert [it["role"] for it in last] == ["system", "user", "assistant", "user"]
    assert [it["content"] for it in last[2:]] == [
        "x" * 1000, "Your answer could not be used: it holds no JSON object. Answer again as asked.",
    ]  # fmt: skip
    assert chat.told == [("usable", '{"choice": 7}')]


async def test_after_two_answers_that_cannot_be_used_no_more_is_asked():
    chat = Scripted("so")
    problem = "the model's answers could not be used: it holds no JSON object"
    assert await asked(chat) == Unanswered(problem, Usage(20, 0, 2, calls=2))
    assert (len(chat.asked), chat.told) == (2, [])
    assert (await asked(Scripted('{"choice": 1}'))).why.endswith("choice must be 7")


async def test_an_answer_that_was_cut_off_is_asked_for_at_greater_length():
    cut = Reply("so", problem="it was cut off; be brief", cut=True, habits=Habits())
    chat = Scripted(cut, '{"choice": 7}')
    assert (await asked(chat))[0] == 7
    assert chat.told == [("lengthen", "so"), ("usable", '{"choice": 7}')]
    assert "it was cut off; be brief" in chat.asked[1][0][-1]["content"]


async def test_a_refusal_says_why_and_what_it_cost():
    assert await asked(Scripted(Refused("no", usage=Usage(calls=1)))) == Unanswered("no", Usage(calls=1))


def test_a_shape_has_exactly_its_fields():
    properties = {"a": {"type": "string"}, "b": {"type": "integer"}}
    found = shape("x", **properties)
    assert found.name == "x"
    assert found.schema == {
        "type": "object", "properties": properties, "required": ["a", "b"], "additionalProperties": False,
    }  # fmt: skip
