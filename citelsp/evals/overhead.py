"""What the agent costs on this machine beside the corpus: its own CPU, and the tokens that a model is sent.

    python -m citelsp.evals.overhead QUESTIONS --corpus DIR [-n N]

The model is scripted: it searches, reads, looks for a sentence and gives up.  Tokens are counted as four characters
each; cached are those of a question that begins as the question before it.
"""

import argparse
import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from citelsp.agent.chat import Chat, Message, Reply, Shape
from citelsp.agent.environment import Environment
from citelsp.agent.loop import Policy, resolve
from citelsp.agent.model import Model
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Usage
from citelsp.corpus import suggest
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Place, marked
from citelsp.evals import questions
from citelsp.evals.page import Section, Table, markdown, percent
from citelsp.evals.questions import Question
from citelsp.knowledge import Suggestion
from citelsp.settings import LanguageModel

_SCRIPT = (
    ("search", {"query": "methods and results"}),
    ("read", {"id": "W1"}),
    ("find_in_text", {"id": "W1", "query": "method"}),
    ("give_up", {"reason": "none fits"}),
)
COUNT = 100  # places
_CHARACTERS = 4  # of a token
_NOTE = "Milliseconds of CPU a place, everything in it; the model's own time is nothing, as it is scripted."


class Scripted(Chat):
    """Answers by the script, from its start for every new conversation; asks nobody."""

    def __init__(self) -> None:
        super().__init__(LanguageModel("http://127.0.0.1", "scripted"))
        self._before = ""

    async def ask(self, messages: Sequence[Message], shape: Shape) -> Reply:
        step = sum(it["role"] == "assistant" for it in messages)
        name, arguments = _SCRIPT[min(step, len(_SCRIPT) - 1)]
        call = {"id": f"c{step}", "function": {"name": name, "arguments": json.dumps(arguments)}}
        said, known = json.dumps([*shape.tools, *messages]), self._before
        self._before = said
        shared = len(os.path.commonprefix([said, known]))  # noqa: RUF071  characters are meant
        tokens = Usage(len(said) // _CHARACTERS, shared // _CHARACTERS, len(json.dumps(call)) // _CHARACTERS, calls=1)
        return Reply("", {"role": "assistant", "tool_calls": [call]}, (call,), tokens)


@dataclass(frozen=True, slots=True)
class Runs:
    """Milliseconds of CPU of each place, and what its suggestion counted."""

    costs: Sequence[float]
    found: Sequence[Suggestion]

    def total(self, name: str) -> float:
        return sum(it.usage.get(name, 0) for it in self.found)


def measure(corpus: Corpus, asked: Sequence[Question]) -> dict[str, Runs]:
    """The corpus alone, the rules and a scripted model on the same places."""

    async def alone(question: Question) -> Suggestion:
        return suggest.suggest(corpus, _place(question), exclude=question.exclude)

    def by(make: Callable[[], Policy]) -> Callable[[Question], Awaitable[Suggestion]]:
        return lambda it: resolve(Environment(_place(it), corpus, exclude=frozenset(it.exclude)), make())

    chat = Scripted()
    acts = {"the corpus alone": alone, "by rules": by(Rules), "by a scripted model": by(lambda: Model(chat))}
    return {name: asyncio.run(_run(act, asked)) for name, act in acts.items()}


def _place(question: Question) -> Place:
    return marked(question.text, title=question.title, date=question.date)


async def _run(act: Callable[[Question], Awaitable[Suggestion]], asked: Sequence[Question]) -> Runs:
    costs, found = [], []
    for it in asked:
        before = time.process_time()
        found.append(await act(it))
        costs.append(1000 * (time.process_time() - before))
    return Runs(costs, found)


def places(path: Path, most: int) -> list[Question]:
    """Questions of a file at a position, evenly taken."""
    asked = [it for it in questions.read(path) if it.text]
    return asked[:: max(1, len(asked) // most)][:most]


def section(runs: dict[str, Runs], command: str) -> Section:
    rows = [(name, *_cells(it)) for name, it in runs.items() if it.costs]
    head = ("a place is answered", "n", "ms, median", "ms, 95th", "turns", "tokens in", "of them cached", "tokens out")
    return Section("What the agent costs here", command, (_NOTE,), (Table(head, tuple(rows)),))


def _cells(runs: Runs) -> tuple[str, ...]:
    count, tokens = len(runs.costs), runs.total("tokens_in")
    return (
        str(count),
        f"{median(runs.costs):.1f}",
        f"{sorted(runs.costs)[int(0.95 * count)]:.1f}",
        f"{runs.total('turns') / count:.1f}",
        f"{tokens / count:,.0f}",
        percent(runs.total("tokens_cached") / tokens if tokens else None),
        f"{runs.total('tokens_out') / count:,.0f}",
    )


def command(count: int) -> str:
    return f"python -m citelsp.evals.overhead QUESTIONS --corpus CORPUS -n {count}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("-n", dest="count", type=int, default=COUNT)
    given = parser.parse_args()
    with Corpus(given.corpus) as corpus:
        runs = measure(corpus, places(given.questions, given.count))
    print(markdown("Overhead", [section(runs, command(given.count))]))  # noqa: T201


if __name__ == "__main__":
    main()
