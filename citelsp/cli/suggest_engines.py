"""Where `citelsp suggest` gets its answers: the agent, the corpus alone, or a search that was written down."""

import argparse
import asyncio
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citelsp.cli import common, named_files, verify_online

if TYPE_CHECKING:
    from citelsp.agent.chat import Chat
    from citelsp.agent.environment import Environment
    from citelsp.base.settings import Settings
    from citelsp.candidates.gather import Here
    from citelsp.cli.report_parts import Range
    from citelsp.corpus.index import Corpus
    from citelsp.investigate.resolve import Reach
    from citelsp.knowledge import Meaning, Suggestion
    from citelsp.sources.ask_services import Sources
    from citelsp.syntax.nodes import Placeholder
    from citelsp.workspace.project import Project
    from citelsp.workspace.question import Question

_AT_ONCE = 8  # searches
_MOST_BATCH = 100_000_000  # bytes of a file of questions
_ONLY_OWN_ENTRIES = (
    "only the author's own bibliographies are searched; add papers with `citelsp corpus add FILE`,"
    " or ask services with --online"
)
# What the members of a query of a batch are.
_KINDS = {
    "text": (str, "a text"), "title": (str, "a text"), "date": (str, "a text"),
    "exclude": (list, "a list"), "cites": (list, "a list"),
}  # fmt: skip
_SEVERAL = 5  # works for one claim, at most, if several are asked for


@dataclass(frozen=True, slots=True)
class SuggestAnswer:
    """What one query or placeholder got."""

    id: str  # of the query; of a placeholder its path, line and column
    suggestion: "Suggestion"
    path: str | None = None  # of the document with the placeholder
    range: "Range | None" = None  # of the placeholder
    pool: list[str] = field(default_factory=list)  # ids of all works that were ranked, for measurements
    explanation: str = ""  # how it was found, in plain lines
    sentence: str = ""  # what stands before the placeholder, and the placeholder
    project: "Project | None" = None  # of the placeholder, or of the bibliography that a text is asked with


class SuggestError(Exception):
    """What was named cannot be read, or what was asked for is not there; says what and why."""


async def answers(options: argparse.Namespace) -> AsyncGenerator[SuggestAnswer, None]:
    """Answer each question that the options name, in their order.  SuggestError or CorpusError if that is not possible.

    A recorded search (--replay) is repeated.  With --policy corpus the corpus alone answers; so it does for a batch,
    unless --policy names another way.  For anything else, `_search_places` chooses between the agent and a search as in
    an editor.
    """
    if options.replay:
        yield await _replay(options)
        return
    is_by_corpus = options.policy == "corpus" or (options.batch and options.policy == "auto")
    stream = _answer_by_corpus(options) if is_by_corpus else _answer_by_search(options)
    async with aclosing(stream) as of_all:
        async for answer in of_all:
            yield answer


async def _replay(options: argparse.Namespace) -> SuggestAnswer:
    """Return the answer of a search that was written down, without asking anybody."""
    from citelsp.agent import story, trajectory

    try:
        runs = trajectory.read(options.replay)
    except trajectory.UnreadableTrajectoryError as problem:
        raise SuggestError(str(problem)) from problem
    suggestion = replace(await trajectory.replay(runs), trajectory=str(options.replay))
    return SuggestAnswer(options.replay.stem, suggestion, explanation=story.explain(runs) if options.explain else "")


async def _answer_by_corpus(options: argparse.Namespace) -> AsyncGenerator[SuggestAnswer, None]:
    """Answer texts by the corpus alone, one after another; for a batch with the pool: the ids of all works ranked.

    Warns if --bib, --online, --explain or --several is given, which only other policies heed.  SuggestError if the
    options name a manuscript, CorpusError if there is no corpus to be opened.
    """
    from citelsp.base.text import enumerate_names
    from citelsp.candidates.gather import LISTED
    from citelsp.corpus import search_place
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.ranking_endpoints import open_helpers

    if options.path:
        raise SuggestError(
            "--policy corpus is for --text and --batch only, because a manuscript has entries of its own"
        )
    settings = common.read_settings(options)
    others = {
        "--bib": options.bib,
        "--online": options.online,
        "--explain": options.explain,
        "--several": options.several,
    }
    ignored = [name for name, value in others.items() if value]
    if ignored:
        common.warn(f"the corpus alone answers, without {enumerate_names(ignored)}: name --policy rules or model")
    with Corpus(common.corpus_directory(options, settings)) as corpus:
        async with open_helpers(settings, common.warn) as helpers:
            for query in _read_asked(options):
                suggestion, pool = await search_place.answer(corpus, query, k=options.k or LISTED, helpers=helpers)
                yield SuggestAnswer(str(query.get("id", "")), suggestion, pool=pool if options.batch else [])


async def _answer_by_search(options: argparse.Namespace) -> AsyncGenerator[SuggestAnswer, None]:
    """Answer placeholders or texts by all that the options allow to be searched and asked, some at a time.

    SuggestError or CorpusError if what is named cannot be read, or nothing can be searched.
    """
    async with AsyncExitStack() as stack:
        named = options.bib
        if options.path:
            named, _line = place(options.path)
        # The settings of this folder hold over the user's own; texts without --bib belong to no folder.
        folder = common.workspace(named.absolute()) if named else None
        settings = common.read_settings(options, folder)
        reach = await _open_reach(options, settings, stack)
        questions = _find_places(options, settings, reach) if options.path else _read_queries(options, settings, reach)
        searches = (partial(_search_places, options, settings, reach, question) for question in questions)
        async with aclosing(_run_in_order(searches)) as in_order:
            async for answer in in_order:
                yield answer


async def _open_reach(options: argparse.Namespace, settings: "Settings", stack: AsyncExitStack) -> "Reach":
    """Open what the options allow to be searched and asked; `stack` closes it.

    These are services, a model that chooses works (`chat`), the corpus, corpora on servers, and models that compare
    meanings (`helpers`).  The author's own entries (`library`) are added later, with the manuscript that is read.
    SuggestError if what the options ask for is switched off or not set up.  Prints a warning if nothing but the
    author's own bibliographies can be searched; CorpusError if there are not even these (see `_open_corpus`).
    """
    from citelsp.corpus import servers
    from citelsp.corpus.ranking_endpoints import open_helpers
    from citelsp.investigate.resolve import Reach

    sources = await _open_services(settings, stack) if options.online else None
    chat = _open_chat(options, settings, stack)
    on_servers = await stack.enter_async_context(servers.open_servers(settings))
    others_can_answer = sources is not None or bool(on_servers.corpora)
    has_own_entries = bool(options.path or options.bib)
    corpus = _open_corpus(options, needed=not has_own_entries and not others_can_answer)
    if corpus:
        stack.callback(corpus.close)
    elif not others_can_answer:
        common.warn(_ONLY_OWN_ENTRIES)
    helpers = await stack.enter_async_context(open_helpers(settings, common.warn))
    return Reach(library=None, corpus=corpus, sources=sources, chat=chat, helpers=helpers, servers=on_servers)


async def _open_services(settings: "Settings", stack: AsyncExitStack) -> "Sources":
    """Open the services; SuggestError if the settings forbid that they are searched.  `stack` closes them."""
    if settings.offline or settings.online.suggest == "off":
        raise SuggestError("online search is disabled by the settings offline or online.suggest")
    return await stack.enter_async_context(verify_online.open_for_question(settings))


def _open_chat(options: argparse.Namespace, settings: "Settings", stack: AsyncExitStack) -> "Chat | None":
    """Open the user's model; None if none is set up or `offline` is on, or if the options ask for built-in rules.

    `stack` closes it.  SuggestError if the options ask for a model (--policy model) and there is none.
    """
    from citelsp.agent import start

    chat = start.open_chat(settings) if options.policy != "rules" else None
    if chat:
        stack.push_async_callback(chat.aclose)
    elif options.policy == "model":
        raise SuggestError("no model is set up: set [model] base_url and name, and switch off offline")
    return chat


def _open_corpus(options: argparse.Namespace, *, needed: bool) -> "Corpus | None":
    """Open the corpus; None if there is none, or, with a warning, if it cannot be opened.

    CorpusError instead if the options name it, or if it is `needed` because nothing else can be searched.
    """
    from citelsp.corpus.store import CorpusError

    try:
        return common.open_corpus(options)
    except CorpusError as problem:
        if options.corpus:
            raise
        if needed:
            raise CorpusError(f"{problem}; or name a bibliography with --bib, or ask services with --online") from None
        # Whoever has no corpus need not hear of it; one that is there is damaged or too old.
        if common.corpus_directory(options, common.read_settings(options)).is_dir():
            common.warn(f"the corpus is left out: {problem}")
        return None


@dataclass(frozen=True, slots=True)
class _Question:
    """A place that is asked about: its answer before it has any, and what a search of it needs."""

    answer: SuggestAnswer
    environment: "Environment"
    here: Callable[["Meaning"], "Here"]  # by what it means, what this machine has for it


def _read_queries(options: argparse.Namespace, settings: "Settings", reach: "Reach") -> Iterator[_Question]:
    """Make a question of the text of --text, or of each line of --batch: texts without a manuscript around them.

    The entries of --bib are searched, too, with what `reach` holds: corpora, services, a model.  SuggestError if --bib
    or the file of the batch cannot be read, or, behind the questions before it, at a line that is no query.
    """
    from citelsp.bibliography.completion_search.libraries import Libraries
    from citelsp.candidates import gather
    from citelsp.investigate import resolve

    libraries = Libraries()
    project = read_bibliography(options.bib, settings) if options.bib else None
    if project:
        reach = replace(reach, library=resolve.open_library(project, libraries, reach.corpus))
    most_listed = max(gather.LISTED, options.k or 0)  # works of an answer: enough for --k, but no fewer than usual
    for query in _read_asked(options):
        question = _make_question(query)
        environment = replace(resolve.make_environment_of_question(question, reach), listed=most_listed)
        # Given by position, because the argument that is still missing, what the question means, comes after them.
        here = partial(gather.gather_locally, question, reach.corpus, project, libraries, listed=most_listed)
        yield _Question(replace(_make_unanswered(str(query.get("id", ""))), project=project), environment, here)


def _make_question(query: Mapping[str, Any]) -> "Question":
    r"""Return the question of a query, whose members `_read_asked` names.

    The place is where the text has its first `\cite<>`, or its end.  "title" and "date" are those of the manuscript:
    neither it nor what is later is offered.  "cites" are titles of works that it cites, the nearest to the place first.
    The works of "exclude" are never offered.  A member that is missing or null stands for nothing.
    """
    from citelsp.workspace.question import read_marked

    cites = tuple(map(str, query.get("cites") or ()))
    question = read_marked(
        query.get("text") or "", title=query.get("title") or "", date=query.get("date") or "", cites=cites
    )
    # Works that the sentence cites already (`beside`) are never offered; put there, those of "exclude" are not either.
    return replace(question, beside=frozenset(map(str, query.get("exclude") or ())))


def read_bibliography(path: Path, settings: "Settings") -> "Project":
    """Return the project of a bibliography alone; SuggestError if it cannot be read."""
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    absolute = path.absolute()
    project = include_graph.build(DiskFiles([str(common.workspace(absolute))]), str(absolute), settings)
    if str(absolute) not in project.sources:
        raise SuggestError(say_unread(path, str(path)))
    return project


def say_unread(path: Path, written: str) -> str:
    """Say that a file, which the user named as `written`, is not there, or that it could not be read."""
    return f"{written} could not be read" if path.exists() else common.say_missing(written)


def _find_places(options: argparse.Namespace, settings: "Settings", reach: "Reach") -> Iterator[_Question]:
    """Make a question of each placeholder of the manuscript, or of those on the line that is named.

    `reach`: what may be searched and asked; the entries of the manuscript's bibliographies are added to it.
    SuggestError if the document cannot be read.  Prints a warning if there is no placeholder.
    """
    from citelsp.bibliography.completion_search.libraries import Libraries
    from citelsp.candidates import gather
    from citelsp.investigate import resolve
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    path, line = place(options.path)  # of `PATH:LINE`; no line (None) means the whole manuscript
    files = DiskFiles([str(common.workspace(path))], settings.syntax.cite_commands)
    libraries = Libraries()
    project = include_graph.build(files, str(path), settings)
    if str(path) not in project.sources:
        raise SuggestError(say_unread(path, options.path))
    reach = replace(reach, library=resolve.open_library(project, libraries, reach.corpus))
    most_listed = max(gather.LISTED, options.k or 0)
    has_placeholder = False
    for part, placeholder, range_ in _find_placeholders(project, str(path), line):
        has_placeholder = True
        answer = _unanswered_place(project, part, placeholder, range_)
        environment = replace(resolve.make_environment(project, part, placeholder, reach), listed=most_listed)
        question = environment.question
        here = partial(gather.gather_locally, question, reach.corpus, project, libraries, listed=most_listed)
        yield _Question(answer, environment, here)
    if not has_placeholder:
        manuscript = project.sources[str(path)].language.manuscript  # None for a bibliography, which can have none
        example = manuscript.placeholder("words") if manuscript else r"\cite<words>"
        common.warn(f"{options.path} has no placeholder, such as {example}")


def _find_placeholders(project: "Project", path: str, line: int | None) -> "Iterator[tuple[str, Placeholder, Range]]":
    r"""Yield the placeholders that `path` and `line` name, each with the path of its document and its range.

    The main document stands for the whole manuscript.  A part, which another document includes, is searched alone if it
    is named, though its works are those of the whole manuscript.  If `line` is not None, only placeholders of `path`
    that begin on it are meant, be it the main document or not.
    """
    from citelsp.cli.report_parts import range_of

    is_main = project.manuscript[:1] == (path,)  # `manuscript` lists the documents, the main one first
    parts = project.manuscript if line is None and is_main else (path,)
    for part in parts:
        for placeholder in project.sources[part].syntax.placeholders:
            range_ = range_of(project, part, placeholder.span)
            if line in (None, range_["start"]["line"] + 1):
                yield part, placeholder, range_


def _unanswered_place(project: "Project", path: str, placeholder: "Placeholder", range_: "Range") -> SuggestAnswer:
    """Return the answer for a placeholder before it has any: where it stands, and behind which words."""
    from citelsp.cli import paint
    from citelsp.cli.report_parts import show_path

    text = project.sources[path].document.text
    start = range_["start"]
    name = f"{show_path(path)}:{start['line'] + 1}:{start['character'] + 1}"
    excerpt = paint.excerpt(text[: placeholder.whole.start], placeholder.whole.within(text))
    return replace(_make_unanswered(name), path=show_path(path), range=range_, sentence=excerpt, project=project)


def place(written: str) -> tuple[Path, int | None]:
    """Path and line of `PATH:LINE`; None for the line if there is none, or if a file is named so altogether."""
    name, _, line = written.rpartition(":")
    if name and line.isdecimal() and not Path(written).exists():
        return _make_absolute(name), int(line)
    return _make_absolute(written), None


def _make_absolute(written: str) -> Path:
    return Path(os.path.normpath(Path(written).absolute()))


async def _search_places(
    options: argparse.Namespace, settings: "Settings", reach: "Reach", question: _Question
) -> SuggestAnswer:
    """Search for one question: by the agent, or if no model is set up, as an editor does (`_list_works`).

    Even without a model the agent searches, by its built-in rules, if the options ask for these (--policy rules) or for
    what only it can do: to explain its search, or to find several works for one claim.  It writes down what it does, in
    the file that the suggestion names as its `trajectory`; `story.explain` tells that in plain lines.
    """
    needs_rules = options.policy == "rules" or options.explain or options.several
    if reach.chat is None and not needs_rules:
        return await _list_works(reach, question)
    from citelsp.agent import start, story, trajectory
    from citelsp.candidates import gather

    answer = question.answer
    journal = trajectory.Writer()
    most = _SEVERAL if options.several else 1
    suggestion = await start.suggest(question.environment, settings, reach.chat, most=most, journal=journal)
    if answer.project:
        # A candidate that the manuscript has an entry for gets the key of that entry.
        owned = tuple(gather.add_own_key(answer.project, candidate) for candidate in suggestion.candidates)
        suggestion = replace(suggestion, candidates=owned)
    suggestion = replace(suggestion, trajectory=str(journal.path or ""))
    explanation = ""
    if options.explain and journal.path:  # None if the search could not be written down
        explanation = story.explain(trajectory.read(journal.path))
    return replace(answer, suggestion=suggestion, explanation=explanation)


async def _list_works(reach: "Reach", asked: _Question) -> SuggestAnswer:
    """List works as an editor does once all services have answered, each with a passage that speaks for it.

    Models that compare meanings, if there are any, say what the question means (`meaning`): its vector, by which the
    corpus is searched, and how near in meaning the titles of the author's own entries are (`near`).  `asked.here`
    searches what is on this machine, once this is known; then services and servers of `reach` are asked.
    """
    from citelsp.candidates import candidate_set, quoting
    from citelsp.investigate import search

    question = asked.environment.question
    project = asked.answer.project
    meaning = await search.find_meaning(question, reach.corpus, reach.helpers)
    # A hint, the words in `\cite<words>`, says what is looked for.  Only without one does it count which entries of
    # the bibliography lie near the sentence in meaning.
    if project and not question.hint.strip():
        titles = [place.entry.title for place in project.entries()]
        meaning = replace(meaning, near=await search.learn_near([question], titles, reach.helpers))
    here = asked.here(meaning)
    answers = await search.ask_everybody(here, reach.sources, helpers=reach.helpers, servers=reach.servers)
    suggestion = quoting.quote_each(question, candidate_set.suggest(here, answers), reach.corpus)
    return replace(asked.answer, suggestion=suggestion)


def _make_unanswered(name: str) -> SuggestAnswer:
    from citelsp.knowledge import Suggestion

    return SuggestAnswer(name, Suggestion())


async def _run_in_order(
    searches: Iterable[Callable[[], Awaitable[SuggestAnswer]]],
) -> AsyncGenerator[SuggestAnswer, None]:
    """Run a few searches at a time, and yield the answers in the order of `searches`.

    What a search raises is raised when its turn comes; what `searches` raises, as it is read on, at once.  After that,
    or if nobody reads on, the searches that still run are cancelled, and their answers are lost.
    """
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


def _read_asked(options: argparse.Namespace) -> Iterable[Mapping[str, Any]]:
    """The queries as JSON objects: {"text": …, and perhaps "id", "title", "date", "exclude": […], "cites": […]}."""
    return [{"id": "1", "text": options.text}] if options.text else _read_batch_file(options.batch)


def _read_batch_file(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects of a file with one on each line; SuggestError at the first line with something else.

    SuggestError also if the file cannot be read, or if a member of an object is of another kind than `_KINDS` names;
    null stands for no member, and members that it does not name may be anything.  Empty lines and `null` are skipped.
    """
    try:
        lines = named_files.read_bytes(path, _MOST_BATCH).decode().split("\n")  # JSON may hold other ends of lines
    except FileNotFoundError:
        raise SuggestError(say_unread(path, str(path))) from None
    except (named_files.FileProblem, UnicodeDecodeError) as problem:
        raise SuggestError(f"{path}: {problem}") from problem
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            query = json.loads(line)
        except ValueError as problem:
            raise SuggestError(f"{path}, line {number} is not JSON: {problem}") from problem
        except RecursionError as problem:
            raise SuggestError(f"{path}, line {number}: nested too deeply") from problem
        if isinstance(query, dict):
            for name, (kind, what) in _KINDS.items():
                if query.get(name) is not None and not isinstance(query[name], kind):
                    raise SuggestError(f"{path}, line {number}: {name} is not {what}")
            yield query
        elif query is not None:
            raise SuggestError(f"{path}, line {number} is not a JSON object")
