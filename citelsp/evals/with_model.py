"""How an agent with a model answers places whose works are known: what it finds, what it is sent, what it asks.

Every place is answered twice, the second time with the right works excluded, as from a corpus without them; then the
agent should say that nothing fits.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from citelsp.agent import certainty
from citelsp.agent.certainty import CHANCES
from citelsp.agent.chat import Chat, Message, Reply, Shape
from citelsp.agent.chat import Refused as ChatRefused
from citelsp.agent.environment import Answer, Environment
from citelsp.agent.loop import Journal, Policy, find_works
from citelsp.agent.model import Model
from citelsp.agent.steps import Limits, Step
from citelsp.base.settings import LanguageModel
from citelsp.bibliography.record import Record
from citelsp.corpus.words import stems, title_key
from citelsp.evals import prediction
from citelsp.evals.page import Section, Table, percent
from citelsp.evals.prediction import Judged, PredictedWork, Prediction
from citelsp.evals.questions import EvaluationFileError, LabelledPlace
from citelsp.evals.scores import by_set, with_interval
from citelsp.knowledge import Candidate, Suggestion

if TYPE_CHECKING:
    from citelsp.agent.run import Run
    from citelsp.corpus.index import Corpus

CHARACTERS = 4  # of a token
_SERVICES = 6  # that one search asks
_NOTE = (
    "Tokens: of all that a model is sent, schemas included; four characters each unless a"
    " tokenizer is named. Cached: of these, what a request shares from its beginning with one of the two before it."
    " Asked: requests to the model. Shown: of the places whose work the first searches found, those where the first"
    " question shows it. Services are imitated by titles of the corpus; a search"
    f" counts as {_SERVICES} requests. Abstaining: of all places, asked again without their works."
)


@dataclass
class Sent:
    """What a model was sent, in tokens; all requests of one endpoint."""

    tokens: float = 0.0
    cached: float = 0.0
    requests: int = 0
    count: Callable[[str], float] = lambda text: len(text) / CHARACTERS
    opening: str = ""  # the first question of the last conversation
    _before: list[str] = field(default_factory=list)

    def note(self, messages: Sequence[Message], shape: Shape) -> float:
        """Count a request that is sent, messages and the shape of the answer, and return its tokens.

        Endpoints keep the beginnings of what they read last.  So what it shares, from its beginning on, with one of the
        two requests before it also counts as cached: the same conversation goes on, or a new one begins with the same
        instructions.
        """
        body = json_text([shape.schema, *messages])
        shared = max((os.path.commonprefix([body, it]) for it in self._before), key=len, default="")  # noqa: RUF071  characters
        tokens = self.count(body)
        self.tokens += tokens
        self.cached += self.count(shared)
        self.requests += 1
        if len(messages) <= 2:  # the instructions and a question: a conversation begins
            self.opening = str(messages[-1]["content"])
        self._before = [*self._before[-1:], body]
        return tokens


def counting(tokenizer: Path | None) -> Callable[[str], float]:
    """Return what counts the tokens of a text: the file `tokenizer`, a model's tokenizer.json, or four characters each.

    EvaluationFileError if the file is missing or no tokenizer, or if the package that reads it is missing.
    """
    if tokenizer is None:
        return Sent.count
    if not tokenizer.is_file():
        raise EvaluationFileError(f"{tokenizer}: there is no such tokenizer")
    try:
        read = import_module("tokenizers").Tokenizer.from_buffer(tokenizer.read_bytes())
    except ImportError as problem:
        raise EvaluationFileError("the package tokenizers is not installed: run pip install tokenizers") from problem
    except ValueError as problem:
        raise EvaluationFileError(f"{tokenizer}: it cannot be read: {problem}") from problem
    return lambda text: float(len(read.encode(text).ids))


def json_text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class WatchedChat(Chat):
    """The user's model; notes what it is sent."""

    def __init__(self, endpoint: LanguageModel, count: Callable[[str], float] = Sent.count) -> None:
        super().__init__(endpoint)
        self.sent = Sent(count=count)

    async def ask(self, messages: Sequence[Message], shape: Shape) -> Reply | ChatRefused:
        self.sent.note(messages, shape)
        return await super().ask(messages, shape)


class ImitatedServices:
    """Services that find works of a corpus by the words of their titles and know nothing else of them."""

    def __init__(self, corpus: "Corpus") -> None:
        self._corpus = corpus

    async def search(self, words: str, limit: int) -> Answer:
        hits = self._corpus.engine.search("title", dict.fromkeys(stems(words), 1.0), limit)
        rows = self._corpus.rows([n for n, _ in hits])
        records = (Record("services", f"s{row.n}", row.work.title, years=row.work.record().years) for row in rows)
        return Answer(tuple(Candidate(it, origins=("services",)) for it in records), requests=_SERVICES)

    async def snippets(self, words: str, limit: int) -> Answer:  # noqa: ARG002  as services are asked
        return Answer(requests=1)

    async def references(self, record: Record, limit: int) -> Answer:  # noqa: ARG002
        return Answer(requests=1)

    async def citations(self, record: Record, limit: int) -> Answer:  # noqa: ARG002
        return Answer(requests=1)

    async def text(self, record: Record) -> Answer:  # noqa: ARG002
        return Answer(requests=1)


@dataclass(frozen=True, slots=True)
class Setup:
    """With what places are answered."""

    corpus: "Corpus"
    policy: Callable[[LabelledPlace], Policy]
    sent: Sent
    limits: Limits = Limits()  # noqa: RUF009  a frozen value


def with_chat(corpus: "Corpus", chat: WatchedChat, limits: Limits) -> Setup:
    """By the user's model."""
    return Setup(corpus, lambda _: Model(chat), chat.sent, limits)


@dataclass(frozen=True, slots=True)
class AnsweredPlace:
    judged: Judged
    suggestion: Suggestion
    tokens: float
    cached: float
    asked: int  # requests to the model
    found: bool  # the first searches found the right work
    shown: bool  # and the model was shown it before it was asked anything
    without: Suggestion  # without the right works
    sure: str  # how sure the model said that it is of its choice, "" if it chose none
    sure_without: str


class _Heard(Journal):
    """Hears what the first step of a run found, and how sure the model said that it is of its last choice."""

    def __init__(self) -> None:
        self.titles: set[str] = set()
        self.sure = ""
        self._begun = False

    def begin(self, run: "Run", policy: str) -> None: ...

    def step(self, step: Step) -> None:
        if not self._begun:
            self.titles = {title_key(work.record.title) for seen in step.observations for work in seen.works}
        self._begun = True
        words = (it.action.arguments.get("sure") for it in step.observations if it.action.name == "select")
        self.sure = certainty.read_word(next(words, "")) or self.sure

    def end(self, stopped: str, suggestion: Suggestion) -> None: ...


def askable(corpus: "Corpus", places: Iterable[LabelledPlace]) -> list[LabelledPlace]:
    """The places in texts of whose right works the corpus has one by its id, with the titles of those that it has."""
    with_titles = [_add_titles(corpus, place) for place in places if place.text]
    return [place for place in with_titles if place]


def _add_titles(corpus: "Corpus", place: LabelledPlace) -> LabelledPlace | None:
    """Return the question with the title keys of those of its right works that the corpus has; None if it has none.

    By title keys the right works are known again among candidates that come with other ids.  The corpus is asked for
    the ids of `gold` alone; the title keys that `gold` has already stay.
    """
    ids = sorted({id_ for gold in place.gold for id_ in gold.ids})
    rows = corpus.rows(list(corpus.store.numbers(ids).values()))
    key_of = {row.work.id: title_key(row.work.title) for row in rows}
    if not key_of:
        return None
    golds = []
    for gold in place.gold:
        keys = {key_of[id_] for id_ in gold.ids if id_ in key_of}
        golds.append(replace(gold, titles=gold.titles | keys))
    return replace(place, gold=tuple(golds))


async def answer_places(setups: Sequence[Setup], places: Iterable[LabelledPlace]) -> AsyncIterator[AnsweredPlace]:
    """Yield the answered questions, each as soon as it is answered; as many are in flight as there are setups.

    A setup that has answered takes the next question.  If the caller stops early, what is in flight is cancelled.
    """
    left = iter(places)
    setup_of: dict[asyncio.Task[AnsweredPlace], Setup] = {}  # of the places in flight

    def begin_next(setup: Setup) -> None:
        place = next(left, None)
        if place is not None:
            setup_of[asyncio.create_task(_answer_twice(setup, place))] = setup

    try:
        for setup in setups:
            begin_next(setup)
        while setup_of:
            done, _ = await asyncio.wait(setup_of, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                begin_next(setup_of.pop(task))
                yield task.result()
    finally:
        for task in setup_of:
            task.cancel()


async def _answer_twice(setup: Setup, place: LabelledPlace) -> AnsweredPlace:
    """Answer a question twice, the second time with its right works excluded: then nothing should be chosen.

    Tokens and requests are those of the first time alone.  Noted of each time is what the model's first searches found,
    and how sure it said that it is of its choice.
    """
    sent = setup.sent
    with_work = _Heard()  # notes what the first searches find, and the model's word for its certainty
    without_work = _Heard()
    tokens_before = sent.tokens
    cached_before = sent.cached
    requests_before = sent.requests
    suggestion = await _find_works(setup, place, frozenset(place.exclude), with_work)
    tokens = sent.tokens - tokens_before
    cached = sent.cached - cached_before
    requests = sent.requests - requests_before
    first_question = f" {title_key(sent.opening)} "  # read before the second time, which overwrites `opening`
    right = {name for gold in place.gold for name in (*gold.ids, *gold.titles)}  # what is excluded may be named by both
    right_found = with_work.titles & right
    without = await _find_works(setup, place, frozenset(place.exclude) | right, without_work)
    offers = tuple(PredictedWork(it.record.id, it.record.title, it.probability) for it in suggestion.candidates)
    [judged] = prediction.judge([place], {place.id: Prediction(place.id, offers, suggestion.abstained)})
    return AnsweredPlace(
        judged,
        suggestion,
        tokens,
        cached,
        asked=requests,
        found=bool(right_found),
        shown=any(f" {it} " in first_question for it in right_found),  # the question had its title in it
        without=without,
        sure=with_work.sure,
        sure_without=without_work.sure,
    )


async def _find_works(setup: Setup, place: LabelledPlace, exclude: frozenset[str], journal: Journal) -> Suggestion:
    environment = Environment(place.asked, setup.corpus, ImitatedServices(setup.corpus), exclude=exclude)
    return await find_works(environment, setup.policy(place), setup.limits, journal=journal)


def section(found: Sequence[AnsweredPlace], command: str) -> Section:
    """The tables of answered places: a row for each set of questions, and one for each word of certainty."""
    places_of: dict[str, list[AnsweredPlace]] = {name: [] for name in by_set([it.judged for it in found])}
    for place in found:
        places_of[place.judged.question.set].append(place)
    rows = tuple((name, str(len(places)), *_make_cells(places)) for name, places in places_of.items())
    head = ("set", "n", "R@1", "R@10", "tokens in, median", "cached", "asked", "requests, median", "shown", "answered")
    table = Table((*head, "abstaining without the work"), rows)
    return Section("A model", command, (_NOTE,), (table, _by_certainty(found)))


def _by_certainty(answered: Sequence[AnsweredPlace]) -> Table:
    """How often each word of the model's for its certainty is right, beside the probability that is shown for it."""
    rows = []
    for word, chance in CHANCES.items():
        are_right = [it.judged.first_is_right for it in answered if it.sure == word]
        share = sum(are_right) / len(are_right) if are_right else None
        without_the_work = sum(it.sure_without == word for it in answered)
        rows.append((word, str(len(are_right)), percent(chance), percent(share), str(without_the_work)))
    return Table(("says that it is", "n", "shown as", "right", "n without the work"), tuple(rows))


def lines(places: Iterable[AnsweredPlace]) -> Iterator[str]:
    """Yield a JSON line for each question: how sure the model was of its choice, and whether that is right.

    Nothing in it tells the text: manuscripts are numbered.  `sure` is the model's word for its certainty, "" if it
    chose nothing (then `right` is false); `without` is the same when the right works were excluded.
    """
    number_of: dict[str, int] = {}  # by manuscript
    for place in places:
        line = {
            "set": place.judged.question.set,
            "manuscript": number_of.setdefault(place.judged.question.cluster, len(number_of)),
            "sure": place.sure,
            "right": place.judged.first_is_right and bool(place.sure),
            "without": place.sure_without,
        }
        yield json.dumps(line) + "\n"


def _make_cells(places: Sequence[AnsweredPlace]) -> tuple[str, ...]:
    """Return the cells of a set's row in the table of `section`, those behind its name and number of questions.

    R@1 and R@10; tokens sent (median) and the share of them that was cached; requests to the model (mean) and to
    services (median); of the places whose right work the first searches found, how many showed it to the model in the
    first question; how often it answered, and how often it abstained when the right works were excluded.
    """
    means = prediction.means([it.judged for it in places])
    found_at_first = [it for it in places if it.found]
    tokens = sum(it.tokens for it in places)
    cached_share = sum(it.cached for it in places) / tokens if tokens else None
    return (
        with_interval(means["R@1"]),
        with_interval(means["R@10"]),
        f"{median(it.tokens for it in places):,.0f}",
        percent(cached_share),
        f"{sum(it.asked for it in places) / len(places):.2f}",
        f"{median(it.suggestion.usage.get('requests', 0) for it in places):g}",
        f"{sum(it.shown for it in found_at_first)} of {len(found_at_first)}",
        percent(sum(not it.suggestion.abstained for it in places) / len(places)),
        percent(sum(it.without.abstained for it in places) / len(places)),
    )
