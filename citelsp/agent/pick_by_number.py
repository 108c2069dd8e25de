"""The closed world: a model chooses among numbered works, or none of them, and orders them; always by number.

A `Program` is the instructions and worked examples that it is shown.  `tuned` picks both by exact match on labelled
examples, without touching a model's weights; a program is saved as a file and loaded at run time.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from citelsp.agent.ask import Unanswered, ask, shape
from citelsp.agent.certainty import MEANT
from citelsp.agent.chat import Chat
from citelsp.agent.environment import Environment
from citelsp.agent.plain import plain
from citelsp.agent.repair import UnreadableError
from citelsp.agent.steps import Usage
from citelsp.agent.wording import numbered, prompt
from citelsp.base import atomic, regular_files
from citelsp.knowledge import Candidate
from citelsp.sources.shape import items, number, obj, objects, text

_LARGEST = 10_000_000  # bytes of a saved program
_PICK = shape(
    "choice",
    reasoning={"type": "string"},
    choice={"type": "integer"},
    sure={"type": "string", "enum": list(MEANT)},
)
_ORDER = shape("order", order={"type": "array", "items": {"type": "integer"}})
VERSION = 1


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A question as the model saw it, and the right choice."""

    question: str
    reasoning: str
    choice: int


@dataclass(frozen=True, slots=True)
class Program:
    instructions: str
    demonstrations: tuple[Demonstration, ...] = ()

    @property
    def text(self) -> str:
        parts = [self.instructions]
        for example in self.demonstrations:
            answer = json.dumps({"reasoning": example.reasoning, "choice": example.choice}, ensure_ascii=False)
            parts.append(f"Example.\n{example.question}\n{answer}")
        return "\n\n".join(parts)


@dataclass(frozen=True, slots=True)
class Choice:
    """`picked` is None if none fits, or if no usable answer came, which `problem` then says."""

    picked: Candidate | None
    reasoning: str = ""
    usage: Usage = field(default_factory=Usage)
    problem: str = ""
    sure: str = ""  # the model's word, as certainty.chance takes it


def standard() -> Program:
    return Program(prompt("pick"))


async def pick(
    chat: Chat, environment: Environment, works: Sequence[Candidate], program: Program | None = None
) -> Choice:
    """The work among these that the place should cite, or none."""
    if not works:
        return Choice(None)

    def read(answer: Mapping[str, Any]) -> tuple[int, str, str]:
        chosen = number(answer.get("choice"))
        if chosen is None or not 0 <= chosen <= len(works):
            raise UnreadableError(f"choice must be a number from 0 to {len(works)}")
        return chosen, plain(text(answer.get("reasoning")), 500), text(answer.get("sure"))

    instructions = (program or standard()).text
    found = await ask(chat, instructions, numbered(environment, works), _PICK, read)
    if isinstance(found, Unanswered):
        return Choice(None, usage=found.usage, problem=found.why)
    (chosen, reasoning, sure), usage = found
    return Choice(works[chosen - 1] if chosen else None, reasoning, usage, sure=sure)


@dataclass(frozen=True, slots=True)
class Order:
    works: tuple[Candidate, ...]
    fits: bool = True  # the model says that at least one of them does
    usage: Usage = field(default_factory=Usage)
    problem: str = ""  # why the order is the one it was


async def rerank(chat: Chat, environment: Environment, works: Sequence[Candidate]) -> Order:
    """The same works by how well title and abstract fit the place; those the model leaves out stay behind, in order."""
    if not works:
        return Order(())

    def read(answer: Mapping[str, Any]) -> list[int]:
        listed = answer.get("order")
        numbers = [number(it) for it in items(listed)]
        known = [it for it in numbers if it is not None and 1 <= it <= len(works)]
        if not known and listed != []:
            raise UnreadableError(f"order must hold numbers from 1 to {len(works)}, or none if nothing fits")
        return known

    found = await ask(chat, prompt("rerank"), numbered(environment, works), _ORDER, read)
    if isinstance(found, Unanswered):
        return Order(tuple(works), usage=found.usage, problem=found.why)
    first, usage = found
    order = dict.fromkeys([*(it - 1 for it in first), *range(len(works))])
    return Order(tuple(works[it] for it in order), bool(first), usage)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A place, the works offered, and the position of the right one; None if none fits."""

    environment: Environment
    works: Sequence[Candidate]
    right: int | None


async def accuracy(chat: Chat, program: Program, examples: Sequence[Labelled]) -> float:
    """The share of examples in which exactly the right work is picked, or none if none fits."""
    hits = 0
    for example in examples:
        choice = await pick(chat, example.environment, example.works, program)
        right = example.works[example.right] if example.right is not None else None
        hits += not choice.problem and choice.picked is right
    return hits / len(examples) if examples else 0.0


async def tuned(
    chat: Chat, examples: Sequence[Labelled], wordings: Sequence[str] = (), *, shots: int = 2, tries: int = 4
) -> tuple[Program, float]:
    """The best of several instructions, then of several sets of worked examples, each by exact match.

    One half of the examples gives demonstrations, the other half judges, so that no example judges itself.  The
    demonstrations are answers that the model itself got right.
    """
    teaching, judging = examples[::2], examples[1::2] or examples
    programs = [Program(it) for it in (prompt("pick"), *wordings)]
    best = await _best(chat, programs, judging)
    known = [it for it in [await _worked(chat, best[0], one) for one in teaching] if it is not None]
    dice = random.Random(0)  # noqa: S311  a repeatable choice, no secret
    sets = [tuple(dice.sample(known, min(shots, len(known)))) for _ in range(tries)] if known else []
    fuller = [Program(best[0].instructions, it) for it in dict.fromkeys(sets)]
    found = await _best(chat, fuller, judging) if fuller else best
    return found if found[1] > best[1] else best


async def _best(chat: Chat, programs: Sequence[Program], examples: Sequence[Labelled]) -> tuple[Program, float]:
    scored = [(it, await accuracy(chat, it, examples)) for it in programs]
    return max(scored, key=lambda it: it[1])


async def _worked(chat: Chat, program: Program, example: Labelled) -> Demonstration | None:
    """The model's own answer to an example, if it is right."""
    choice = await pick(chat, example.environment, example.works, program)
    right = example.works[example.right] if example.right is not None else None
    if choice.problem or choice.picked is not right:
        return None
    place = 0 if example.right is None else example.right + 1
    return Demonstration(numbered(example.environment, example.works), choice.reasoning, place)


def save(program: Program, path: Path) -> None:
    atomic.write(path, (json.dumps({"version": VERSION, **asdict(program)}, indent=1) + "\n").encode())


def load(path: Path) -> Program:
    """A saved program; ValueError or OSError if the file holds none."""
    raw = obj(json.loads(regular_files.read_whole(path, _LARGEST)))
    instructions = raw.get("instructions")
    if raw.get("version") != VERSION or not isinstance(instructions, str):
        raise ValueError(f"{path} is not a program of version {VERSION}")
    demonstrations = objects(raw.get("demonstrations"))
    examples = (Demonstration(str(it["question"]), str(it["reasoning"]), int(it["choice"])) for it in demonstrations)
    try:
        return Program(instructions, tuple(examples))
    except (KeyError, TypeError) as problem:
        raise ValueError(f"{path} holds a demonstration without {problem}") from problem
