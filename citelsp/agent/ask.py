"""One question to a model with a JSON object as answer: asked again, with the reason, if it cannot be read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from citelsp.agent.chat import Message, Refused, Reply, Shape
from citelsp.agent.repair_json import UnreadableError
from citelsp.agent.steps import Usage
from citelsp.agent.wording import read_prompt

T = TypeVar("T")
_LONGEST_REPEATED = 1000  # characters of a wrong answer that the model is shown again
_MOST_TRIES = 2  # of one question: who answers twice in vain does so a third time, and is paid for it


class Asked(Protocol):
    """Who answers: a `Chat`, or what stands before one and refuses more than may be spent."""

    async def ask(self, messages: Sequence[Message], shape: Shape) -> Reply | Refused: ...
    def usable(self, reply: Reply) -> None: ...
    def lengthen(self, reply: Reply) -> None: ...


@dataclass(frozen=True, slots=True)
class Unanswered:
    """No usable answer came, and why."""

    why: str
    usage: Usage
    too_long: bool = False  # the question is longer than the model's context


async def ask(
    chat: Asked, instructions: str, question: str, shape: Shape, read: Callable[[str], T]
) -> tuple[T, Usage] | Unanswered:
    """Ask a model, and return what `read` makes of the text of its answer, with the cost of all answers.

    `shape`: the JSON that the answer should be.  If `read` raises UnreadableError, the model is told why, and asked
    again, _MOST_TRIES times in all; after that, or if the endpoint did not answer, Unanswered says why.  Raises nothing
    but cancellation.
    """
    messages: list[Message] = [{"role": "system", "content": instructions}, {"role": "user", "content": question}]
    spent = Usage()
    tries = 0
    while True:
        reply = await chat.ask(messages, shape)
        spent = spent.plus(reply.usage)
        if isinstance(reply, Refused):
            return Unanswered(reply.why, spent, reply.too_long)
        try:
            answer = read(reply.text)
        except UnreadableError as error:
            problem = reply.problem or str(error)  # that an answer was cut off says more than what is wrong in it
        else:
            chat.usable(reply)  # this way of asking is remembered for the endpoint
            return answer, spent
        if reply.cut:
            chat.lengthen(reply)  # the next answer may be longer
        tries += 1
        if tries == _MOST_TRIES:
            return Unanswered(f"the model's answers could not be used: {problem}", spent)
        wrong_answer = {"role": "assistant", "content": reply.text[:_LONGEST_REPEATED]}
        correction = {"role": "user", "content": read_prompt("unreadable").format(problem=problem)}
        messages += [wrong_answer, correction]


def shape(name: str, **fields: Mapping[str, Any]) -> Shape:
    """A flat object with exactly these fields."""
    return Shape(
        name, {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    )
