"""Where `citelsp suggest` gets its answers: the agent, the corpus alone, or a search that was written down."""

import argparse
import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citelsp.cli import common, verify_online

if TYPE_CHECKING:
    from citelsp.agent.environment import Environment
    from citelsp.base.settings import Settings
    from citelsp.candidates.gather import Here
    from citelsp.cli.check_report import Range
    from citelsp.corpus.index import Corpus
    from citelsp.investigate.resolve import Reach
    from citelsp.knowledge import Suggestion
    from citelsp.workspace.project import Project

_AT_ONCE = 8  # searches
_OWN_ALONE = (
    "only the entries of the manuscript's own bibliographies are searched, as there is no corpus"
    " (`citelsp corpus add FILE` makes one) and no service is asked (--online does)"
)
_TOGETHER = 5  # works for one claim, if several are asked for


@dataclass(frozen=True, slots=True)
class SuggestAnswer:
    """What one query or placeholder got."""

    id: str
    suggestion: "Suggestion"
    path: str | None = None
    range: "Range | None" = None
    pool: list[str] = field(default_factory=list)
    told: str = ""  # how it was found, in plain lines
    sentence: str = ""  # what stands before the placeholder, and the placeholder
    project: "Project | None" = None  # of the placeholder


class SuggestError(Exception):
    """What was named cannot be read, or what was asked for is not there; says what and why."""


async def answers(given: argparse.Namespace) -> AsyncIterator[SuggestAnswer]:
    """In the order of the questions.  UnfitError or CorpusError if they cannot be given."""
    if given.replay:
        yield await _replayed(given)
    elif given.policy == "corpus" or (given.batch and given.policy == "auto"):
        async for it in _from_corpus(given):
            yield it
    else:
        async with AsyncExitStack() as stack:
            settings = common.read_settings(given, common.workspace(place(given.path)[0]) if given.path else None)
            reach = await _reach(given, settings, stack)
            asked = _places(given, settings, reach) if given.path else _queries(given, reach)
            async for it in _in_order(partial(_searched, given, settings, reach, one) for one in asked):
                yield it


async def _replayed(given: argparse.Namespace) -> SuggestAnswer:
    from citelsp.agent import trajectory

    try:
        runs = trajectory.read(given.replay)
    except trajectory.UnreadableTrajectoryError as problem:
        raise SuggestError(str(problem)) from problem
    found = replace(await trajectory.replay(runs), trajectory=str(given.replay))
    return SuggestAnswer(given.replay.stem, found, told=trajectory.explain(runs) if given.explain else "")


async def _from_corpus(given: argparse.Namespace) -> AsyncIterator[SuggestAnswer]:
    from citelsp.corpus import search_place
    from citelsp.corpus.helpers import opened
    from citelsp.corpus.index import Corpus

    if given.path:
        raise SuggestError("the policy corpus is for --text and --batch; a manuscript has its own entries too")
    settings = common.read_settings(given)
    with Corpus(common.corpus_directory(given, settings)) as corpus:
        async with opened(settings, common.warn) as helpers:
            for query in _asked(given):
                found, pool = await search_place.answer(corpus, query, k=given.k, helpers=helpers)
                yield SuggestAnswer(str(query.get("id", "")), found, pool=pool if given.batch else [])


async def _reach(given: argparse.Namespace, settings: "Settings", stack: AsyncExitStack) -> "Reach":
    from citelsp.agent import start
    from citelsp.corpus.helpers import opened
    from citelsp.investigate.resolve import Reach

    sources = None
    if given.online:
        if settings.offline or settings.online.suggest == "off":
            raise SuggestError("searching online is switched off: offline, online.suggest")
        sources = await stack.enter_async_context(verify_online.asking(settings))
    chat = start.open_chat(settings) if given.policy != "rules" else None
    if chat:
        stack.push_async_callback(chat.aclose)
    elif given.policy == "model":
        raise SuggestError("no model is set: [model] base_url and name, and not offline")
    corpus = _corpus(given, needed=not given.path and sources is None)
    if corpus:
        stack.callback(corpus.close)
    if corpus is None and sources is None:
        common.warn(_OWN_ALONE)
    return Reach(None, corpus, sources, chat, await stack.enter_async_context(opened(settings, common.warn)))


def _corpus(given: argparse.Namespace, *, needed: bool) -> "Corpus | None":
    """A manuscript has at least its own entries, and services know works; else there is nothing but the corpus."""
    from citelsp.corpus.store import CorpusError

    try:
        return common.open_corpus(given)
    except CorpusError as problem:
        if needed or given.corpus:
            raise
        if common.corpus_directory(given, common.read_settings(given)).is_dir():
            common.warn(f"the corpus is left out: {problem}")
        return None


@dataclass(frozen=True, slots=True)
class _Question:
    """A place that is asked about: its answer before it has any, and what a search of it needs."""

    answer: SuggestAnswer
    environment: "Environment"
    here: Callable[[tuple[str, tuple[float, ...]] | None], "Here"]  # by its vector, what this machine has for it


def _queries(given: argparse.Namespace, reach: "Reach") -> Iterator[_Question]:
    from citelsp.candidates import gather
    from citelsp.investigate import resolve
    from citelsp.workspace.question import marked

    for query in _asked(given):
        text, title, date = (query.get(it) or "" for it in ("text", "title", "date"))
        excluded = frozenset(map(str, query.get("exclude") or ()))
        question = replace(marked(text, title=title, date=date), beside=excluded)
        environment = resolve.of_question(question, reach)
        yield _Question(
            _unanswered(str(query.get("id", ""))), environment, partial(gather.here, question, reach.corpus, None, None)
        )


def _places(given: argparse.Namespace, settings: "Settings", reach: "Reach") -> Iterator[_Question]:
    from citelsp.bibliography.library.libraries import Libraries
    from citelsp.candidates import gather
    from citelsp.cli import paint
    from citelsp.cli.check_report import named, range_of
    from citelsp.investigate import resolve
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    path, line = place(given.path)
    files, libraries = DiskFiles([str(common.workspace(path))], settings.syntax.cite_commands), Libraries()
    found = include_graph.build(files, str(path), settings)
    if str(path) not in found.sources:
        raise SuggestError(f"{given.path} could not be read")
    reach = replace(reach, library=resolve.library(found, libraries, reach.corpus))
    whole = line is None and found.manuscript[:1] == (str(path),)
    asked = 0
    for part in found.manuscript if whole else (str(path),):
        text = found.sources[part].document.text
        for placeholder in found.sources[part].syntax.placeholders:
            where = range_of(found, part, placeholder.span)
            if line in (None, where["start"]["line"] + 1):
                asked += 1
                name = f"{named(part)}:{where['start']['line'] + 1}:{where['start']['character'] + 1}"
                told = paint.excerpt(text[: placeholder.whole.start], placeholder.whole.within(text))
                answer = replace(_unanswered(name), path=named(part), range=where, sentence=told, project=found)
                environment = resolve.environment(found, part, placeholder, reach)
                here = partial(gather.here, environment.question, reach.corpus, found, libraries)
                yield _Question(answer, environment, here)
    if not asked:
        common.warn(rf"{given.path} has no placeholder; one is \cite<words>, or [@<words>] in Markdown")


def place(written: str) -> tuple[Path, int | None]:
    name, _, line = written.rpartition(":")
    if name and line.isdigit() and not Path(written).exists():
        return _absolute(name), int(line)
    return _absolute(written), None


def _absolute(written: str) -> Path:
    return Path(os.path.normpath(Path(written).absolute()))


async def _searched(given: argparse.Namespace, settings: "Settings", reach: "Reach", asked: _Question) -> SuggestAnswer:
    """By the agent if there is a model, or if only its rules can do what is asked for; else as an editor lists them."""
    if reach.chat is None and given.policy != "rules" and not (given.explain or given.several):
        return await _listed(reach, asked)
    from citelsp.agent import start, trajectory
    from citelsp.candidates import gather

    answer, journal = asked.answer, trajectory.Writer()
    most = _TOGETHER if given.several else 1
    found = await start.suggest(asked.environment, settings, reach.chat, most=most, journal=journal)
    if answer.project:
        owned = tuple(gather.owned(answer.project, it) for it in found.candidates)
        found = replace(found, candidates=owned)
    told = trajectory.explain(trajectory.read(journal.path)) if given.explain and journal.path else ""
    return replace(answer, suggestion=replace(found, trajectory=str(journal.path or "")), told=told)


async def _listed(reach: "Reach", asked: _Question) -> SuggestAnswer:
    from citelsp.candidates import suggest
    from citelsp.investigate import search

    vector = await search.meaning(asked.environment.question, reach.corpus, reach.helpers)
    here = asked.here(vector)
    answers = await search.exhausted(here, reach.sources, helpers=reach.helpers)
    return replace(asked.answer, suggestion=suggest.suggest(here, answers))


def _unanswered(name: str) -> SuggestAnswer:
    from citelsp.knowledge import Suggestion

    return SuggestAnswer(name, Suggestion())


async def _in_order(searches: Iterable[Callable[[], Awaitable[SuggestAnswer]]]) -> AsyncIterator[SuggestAnswer]:
    """Some at once, told in their order; none is left behind."""
    running: list[asyncio.Task[SuggestAnswer]] = []
    try:
        for search in searches:
            running.append(asyncio.ensure_future(search()))
            if len(running) >= _AT_ONCE:
                yield await running.pop(0)
        while running:
            yield await running.pop(0)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _asked(given: argparse.Namespace) -> Iterable[Mapping[str, Any]]:
    return [{"id": "1", "text": given.text}] if given.text else _read_batch(given.batch)


def _read_batch(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise SuggestError(f"{path}: {problem}") from problem
    for number, line in enumerate(lines, 1):
        try:
            query = json.loads(line) if line.strip() else None
        except ValueError as problem:
            raise SuggestError(f"{path}, line {number}: {problem}") from problem
        if isinstance(query, dict):
            yield query
        elif query is not None:
            raise SuggestError(f"{path}, line {number} is no JSON object")
