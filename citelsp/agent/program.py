"""What a model is told before the one question: instructions and worked examples, as they come or as tuned.

A `Program` is made by `citelsp eval tune` and loaded from a file at run time.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from citelsp.agent.wording import read_prompt
from citelsp.base import atomic
from citelsp.sources.shape import obj, objects

VERSION = 2  # 1: numbers from 1, ten works


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A question as the model saw it, and the right choice: a handle, "" for none."""

    question: str
    why: str
    choice: str


@dataclass(frozen=True, slots=True)
class Program:
    instructions: str
    demonstrations: tuple[Demonstration, ...] = ()

    @property
    def text(self) -> str:
        parts = [self.instructions]
        for example in self.demonstrations:
            answer = json.dumps({"choice": example.choice, "why": example.why}, ensure_ascii=False)
            parts.append(f"Example.\n{example.question}\n{answer}")
        return "\n\n".join(parts)


def standard() -> Program:
    return Program(read_prompt("choose"))


def save(program: Program, path: Path) -> None:
    atomic.write(path, (json.dumps({"version": VERSION, **asdict(program)}, indent=1) + "\n").encode())


def load(path: Path) -> Program:
    """Read a saved program, the tuned instructions and examples; ValueError or OSError if the file holds none."""
    try:
        raw = obj(json.loads(path.read_text(encoding="utf-8")))
    except RecursionError as problem:
        raise ValueError(f"{path} is nested too deep for a program") from problem
    instructions = raw.get("instructions")
    if raw.get("version") != VERSION or not isinstance(instructions, str):
        raise ValueError(f"{path} is not a program of version {VERSION}: run `citelsp eval tune` again")
    demonstrations = objects(raw.get("demonstrations"))
    try:
        examples = [Demonstration(str(it["question"]), str(it["why"]), str(it["choice"])) for it in demonstrations]
    except KeyError as problem:
        raise ValueError(f"{path} holds a demonstration without {problem}") from problem
    return Program(instructions, tuple(examples))


def read_program(path: str) -> Program | None:
    """Return the tuned program at a path; None if there is none, or it cannot be read."""
    try:
        return load(Path(path).expanduser()) if path else None
    except (OSError, ValueError):
        return None
