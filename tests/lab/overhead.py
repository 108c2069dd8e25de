"""What the agent costs on this machine beside the corpus: its own CPU, and the tokens that a model is sent.

    python tests/lab overhead QUESTIONS --corpus DIR [-n N]

The model is scripted, and reads nothing but what it is sent.  Places get one of three scripts in turn: it chooses the
first work that it is shown; it searches with the last words before the place, and chooses the first work of the next
question; it searches twice and chooses none.  Tokens are counted as four characters each of the JSON that is sent;
cached are those of a question that begins as the question before it.
"""

import argparse
import asyncio
import json
import os
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from citelsp.agent.chat import Chat, Message, Reply, Shape
from citelsp.agent.environment import Environment
from citelsp.agent.loop import Policy, find_works
from citelsp.agent.model import Model
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Usage
from citelsp.base.settings import LanguageModel
from citelsp.corpus import search_place
from citelsp.corpus.index import Corpus
from citelsp.evals import questions
from citelsp.evals.page import Section, Table, markdown, percent
from citelsp.evals.questions import LabelledPlace
from citelsp.knowledge import Suggestion

SCRIPTS: Sequence[Sequence[Mapping[str, str]]] = (
    ({"choice": "{first}", "sure": "clear"},),
    ({"choice": "", "words": "{words}"}, {"choice": "{first}", "sure": "likely"}),
    ({"choice": "", "words": "{words}"}, {"choice": "", "words": "{words} again"}, {"choice": ""}),
)
COUNT = 100  # places
_CHARACTERS = 4  # of a token
_BEFORE_PLACE = re.compile(r"(?P<words>(?:\w+\W+){1,3})\[CITE\]")
_LINE = re.compile(r"^(W\d+) «", re.MULTILINE)
_NOTE = "Milliseconds of CPU a place, everything in it; the model's own time is nothing, as it is scripted."


class Scripted(Chat):
    """Answers every new place by the next of the scripts; asks nobody."""

    def __init__(self) -> None:
        super().__init__(LanguageModel("http://127.0.0.1", "scripted"))
        self._before = ""
        self._places, self._asked = -1, 0

    async def ask(self, messages: Sequence[Message], shape: Shape) -> Reply:
        question = str(messages[-1]["content"])
        is_first = "\n\nYou were shown" not in question
        self._places += is_first
        self._asked = 0 if is_first else self._asked + 1
        script = SCRIPTS[self._places % len(SCRIPTS)]
        answer = _answer(script[min(self._asked, len(script) - 1)], question)
        wire, known = _wire([shape.schema, *messages]), self._before
        self._before = wire
        shared = len(os.path.commonprefix([wire, known]))  # noqa: RUF071  characters are meant
        tokens = Usage(len(wire) // _CHARACTERS, shared // _CHARACTERS, len(answer) // _CHARACTERS, calls=1)
        return Reply(answer, tokens)


def _answer(written: Mapping[str, str], question: str) -> str:
    """An answer of somebody who knows nothing but this question."""
    near, line = _BEFORE_PLACE.search(question), _LINE.search(question)
    known = {"words": near["words"].strip() if near else "method", "first": line[1] if line else ""}
    return _wire({key: it.format(**known) for key, it in written.items()})


def _wire(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Runs:
    """Milliseconds of CPU of each place, and what its suggestion counted."""

    costs: Sequence[float]
    found: Sequence[Suggestion]

    def total(self, name: str) -> float:
        return sum(it.usage.get(name, 0) for it in self.found)


def measure(corpus: Corpus, asked: Sequence[LabelledPlace]) -> dict[str, Runs]:
    """The corpus alone, the rules and a scripted model on the same places."""

    async def alone(question: LabelledPlace) -> Suggestion:
        return search_place.suggest(corpus, question.asked, exclude=question.exclude)

    def by(make: Callable[[], Policy]) -> Callable[[LabelledPlace], Awaitable[Suggestion]]:
        return lambda it: find_works(Environment(it.asked, corpus, exclude=frozenset(it.exclude)), make())

    chat = Scripted()
    acts = {"the corpus alone": alone, "by rules": by(Rules), "by a scripted model": by(lambda: Model(chat))}
    return {name: asyncio.run(_run(act, asked)) for name, act in acts.items()}


async def _run(act: Callable[[LabelledPlace], Awaitable[Suggestion]], asked: Sequence[LabelledPlace]) -> Runs:
    costs, found = [], []
    for question in asked:
        before = time.process_time()
        found.append(await act(question))
        costs.append(1000 * (time.process_time() - before))
    return Runs(costs, found)


def places(path: Path, most: int) -> list[LabelledPlace]:
    """Questions of a file at a position, evenly taken."""
    asked = [it for it in questions.read(path) if it.text]
    return asked[:: max(1, len(asked) // most)][:most]


def section(runs: dict[str, Runs], command: str) -> Section:
    rows = [(name, *_cells(it)) for name, it in runs.items() if it.costs]
    costs = ("ms, median", "ms, 95th", "turns", "tokens in, median", "of them cached", "tokens out")
    table = Table(("a place is answered", "n", *costs), tuple(rows))
    return Section("What the agent costs here", command, (_NOTE,), (table, _by_turns(runs)))


def _by_turns(runs: dict[str, Runs]) -> Table:
    """What a model was sent in runs of so many turns, the first of which asks no model."""
    read = [(int(it.usage["turns"]), it.usage["tokens_in"]) for one in runs.values() for it in one.found if _read(it)]
    counted = Counter(turns for turns, _ in read)
    medians = {turns: median(tokens for it, tokens in read if it == turns) for turns in sorted(counted)}
    rows = tuple((str(turns), str(counted[turns]), f"{it:,.0f}") for turns, it in medians.items())
    return Table(("turns", "n", "tokens in, median"), rows)


def _read(found: Suggestion) -> float:
    return found.usage.get("tokens_in", 0)


def _cells(runs: Runs) -> tuple[str, ...]:
    count, tokens = len(runs.costs), runs.total("tokens_in")
    return (
        str(count),
        f"{median(runs.costs):.1f}",
        f"{sorted(runs.costs)[int(0.95 * count)]:.1f}",
        f"{runs.total('turns') / count:.1f}",
        f"{median(map(_read, runs.found)):,.0f}",
        percent(runs.total("tokens_cached") / tokens if tokens else None),
        f"{runs.total('tokens_out') / count:,.0f}",
    )


def command(count: int) -> str:
    return f"python tests/lab overhead QUESTIONS --corpus CORPUS -n {count}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("-n", dest="count", type=int, default=COUNT)
    arguments = parser.parse_args()
    with Corpus(arguments.corpus) as corpus:
        runs = measure(corpus, places(arguments.questions, arguments.count))
    print(markdown("Overhead", [section(runs, command(arguments.count))]))


if __name__ == "__main__":
    main()
