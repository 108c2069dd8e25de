"""Tuning of the one question: instructions and worked examples chosen by exact match on labelled contexts.

    citelsp eval tune QUERIES GOLD --out program.json [--config FILE] [--corpus DIR]

QUERIES are batch query lines; GOLD lines hold {"id", "gold": [ids]}.  Each query is asked as authors ask it, with the
titles that the ranking puts first; if no right one is among them, none is the right answer.  No model's weights are
touched.  The model is that of the settings.  Point `agent.program` at the file.
"""

import argparse
import asyncio
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citelsp.agent import actions, one_question, program, start
from citelsp.agent.environment import Desk, Environment
from citelsp.agent.one_question import Choice, Shown
from citelsp.agent.program import Demonstration, Program
from citelsp.cli import common, exits
from citelsp.corpus.ranking_endpoints import Helpers, open_helpers
from citelsp.workspace.question import read_marked

if TYPE_CHECKING:
    from citelsp.agent.chat import Chat
    from citelsp.corpus.index import Corpus

HELP = "choose the instructions and examples with which a model picks works, on labelled contexts"
_EXAMPLES = 60
_SHOWN_AGAIN = 10  # titles of a worked example
_SHOTS, _TRIES = 2, 4  # demonstrations of one program, and how many sets of them are tried
_WORDINGS = (
    "A citation is missing at [CITE]. Decide which work the author meant: first say to yourself what the text right"
    " before [CITE] speaks of, then choose the work that introduced or established exactly that.",
    "You complete the bibliography of a manuscript. Only one of the works listed belongs at [CITE], or none. A work on"
    " the same theme is not enough: its title has to match what the words before [CITE] name.",
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A place with the works that are shown, and the handles of the right ones; none if none fits."""

    shown: Shown
    right: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tuned:
    """Exact match before and after, on examples that taught nothing."""

    program: Program
    before: float
    after: float
    examples: int


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("queries", metavar="QUERIES.jsonl", type=Path)
    parser.add_argument("gold", metavar="GOLD.jsonl", type=Path)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where the program is written")
    number = common.amount(int)
    parser.add_argument("--examples", type=number, default=_EXAMPLES, metavar="N", help="so many contexts at most")
    common.add_settings(parser)
    common.add_corpus(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tune, write the program (instructions and worked examples), print what it gains; return the exit status.

    One half of the examples teaches; what it gains is told for the other.  If no model is set, or if the corpus or the
    questions cannot be used, a line says so.
    """
    from citelsp.corpus.store import CorpusError

    settings = common.read_settings(arguments)
    if start.open_chat(settings) is None:  # one that was never asked holds nothing that must be closed
        return common.fail("no model is set up: set [model] base_url and name, and switch off offline")
    try:
        with common.open_corpus(arguments) as corpus:
            tuned = asyncio.run(_tune_on_files(arguments, corpus))
        program.save(tuned.program, arguments.out)
    except (CorpusError, ValueError) as problem:
        return common.fail(str(problem))
    # Half of the examples judge.
    print(
        f"exact match on {tuned.examples // 2} contexts: {tuned.before:.1%} as it comes, {tuned.after:.1%} tuned;"
        f" {len(tuned.program.demonstrations)} examples; written to {arguments.out}"
    )
    return exits.OK


async def _tune_on_files(arguments: argparse.Namespace, corpus: "Corpus") -> Tuned:
    """Tune on the questions of the files that the arguments name; ValueError if no model is set or none has gold."""
    settings = common.read_settings(arguments)
    chat = start.open_chat(settings)
    if chat is None:
        raise ValueError("no model is set")
    async with aclosing(chat), open_helpers(settings, common.warn) as helpers:
        examples = await label_questions(corpus, arguments.queries, arguments.gold, arguments.examples, helpers)
        if not examples:
            raise ValueError(f"{arguments.gold}: no id in it is that of a query")
        return await tune(chat, examples)


async def tune(chat: "Chat", examples: Sequence[Labelled]) -> Tuned:
    """Return the best program found, with the accuracy of the standard one and its own.

    A program is what a model is told before a question: instructions, and worked examples.  Its accuracy is how often
    the model then chooses a right work, or none if none is shown.

    Several instructions are tried, then several sets of worked examples with the best of them.  One half of the
    examples teaches, which means that the worked examples are drawn from those that the model answers right; the
    accuracies are those on the other half, so that no example judges itself; by them the best program is chosen, too.
    """
    teaching = examples[::2]
    judging = examples[1::2] or examples  # a single example has to do both
    standard = program.standard()
    standard_accuracy = await accuracy(chat, standard, judging)
    # The wordings replace the first paragraph of the instructions; the others, of form and rules, stay.
    format_and_rules = standard.instructions.partition("\n\n")[2]
    programs = [Program(f"{wording}\n\n{format_and_rules}") for wording in _WORDINGS]
    scored = [(standard, standard_accuracy), *await _score(chat, programs, judging)]
    best_worded = max(scored, key=itemgetter(1))
    instructed, _ = best_worded
    with_examples = [Program(instructed.instructions, it) for it in await _draw_shots(chat, instructed, teaching)]
    best, best_accuracy = max([best_worded, *await _score(chat, with_examples, judging)], key=itemgetter(1))
    return Tuned(best, standard_accuracy, best_accuracy, len(examples))


async def _draw_shots(
    chat: "Chat", instructed: Program, teaching: Sequence[Labelled]
) -> list[tuple[Demonstration, ...]]:
    """Return a few sets of worked examples, drawn by chance from those that the model answers right; [] if it has none.

    The chance is the same at every call.  `instructed`: the instructions that the model is given while it answers.
    """
    demonstrations = []
    for example in teaching:
        demonstration = await _demonstrate(chat, instructed, example)  # None if the answer is wrong
        if demonstration is not None:
            demonstrations.append(demonstration)
    if not demonstrations:
        return []
    dice = random.Random(0)  # noqa: S311  a repeatable choice, no secret
    size = min(_SHOTS, len(demonstrations))
    return list(dict.fromkeys(tuple(dice.sample(demonstrations, size)) for _ in range(_TRIES)))


async def accuracy(chat: "Chat", tried: Program, examples: Sequence[Labelled]) -> float:
    """The share of examples in which a right work is chosen, or none if none fits."""
    hits = 0
    for example in examples:
        choice = await one_question.choose(chat, example.shown, tried)
        hits += not choice.problem and _is_right(example, choice)
    return hits / len(examples) if examples else 0.0


def _is_right(example: Labelled, choice: Choice) -> bool:
    """Whether a right work was chosen; if none fits, whether none was, and none named by its title."""
    return choice.handle in example.right if example.right else not (choice.handle or choice.title)


async def _score(
    chat: "Chat", programs: Sequence[Program], examples: Sequence[Labelled]
) -> list[tuple[Program, float]]:
    """Each program with its accuracy on the examples."""
    return [(it, await accuracy(chat, it, examples)) for it in programs]


async def _demonstrate(chat: "Chat", tried: Program, example: Labelled) -> Demonstration | None:
    """The model's own answer to an example, if it is right; with few of the titles, of which the chosen one is one."""
    choice = await one_question.choose(chat, example.shown, tried)
    if choice.problem or not _is_right(example, choice):
        return None
    few = replace(example.shown, handles=example.shown.handles[:_SHOWN_AGAIN])
    if choice.handle and choice.handle not in few.handles:
        return None
    return Demonstration(one_question.write_question(few), choice.why, choice.handle)


async def label_questions(
    corpus: "Corpus",
    queries: Path,
    gold: Path,
    most: int,
    helpers: Helpers = Helpers(),  # noqa: B008  a frozen value
) -> list[Labelled]:
    """Return at most `most` questions, drawn by chance, with the works that a model would be shown, best first.

    `queries` has lines {"id", "text", "title", "date", "exclude"}, `gold` lines {"id", "gold": [ids of right works]}; a
    query that has no line in `gold` is left out; for one with an empty list none is right.  The works shown lie on a
    desk, which gives each a handle, such as W3, for the model to name it by; the right answers are handles, too.
    """
    right_ids = {str(it["id"]): frozenset(map(str, it.get("gold") or ())) for it in _lines(gold) if "id" in it}
    asked = [it for it in _lines(queries) if "id" in it and str(it["id"]) in right_ids]
    dice = random.Random(0)  # noqa: S311  a repeatable choice, no secret
    dice.shuffle(asked)
    examples = []
    for query in asked[:most]:
        text, title, date = (str(query.get(it) or "") for it in ("text", "title", "date"))
        excluded = frozenset(map(str, query.get("exclude") or ()))
        environment = Environment(read_marked(text, title=title, date=date), corpus, exclude=excluded, helpers=helpers)
        answer = await actions.match_place(environment, one_question.TITLES)
        desk = Desk()
        handles = tuple(dict.fromkeys(desk.lay(answer.works)))
        right = right_ids[str(query["id"])]
        right_handles = frozenset(it for it in handles if desk.works[it].record.id in right)
        examples.append(Labelled(Shown(environment, desk, handles), right_handles))
    return examples


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (it for it in map(json.loads, filter(str.strip, lines)) if isinstance(it, dict))
