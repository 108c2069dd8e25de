"""Placeholders resolved by the agent in the background; what it finds is remembered for the next list."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from citelsp.agent import start, trajectory
from citelsp.base import extras
from citelsp.base.settings import Settings
from citelsp.candidates import candidate_set
from citelsp.checks.verdicts import title
from citelsp.corpus.ranking_endpoints import Helpers
from citelsp.corpus.servers import Servers
from citelsp.features.values import shorten
from citelsp.investigate import resolve, search
from citelsp.knowledge import Answers, Suggestion
from citelsp.server.answers import placeholder_candidates
from citelsp.server.jobs import Report, progress
from citelsp.server.state.projects import Moment
from citelsp.sources import find_work
from citelsp.syntax.nodes import Placeholder
from citelsp.workspace import question as questions
from citelsp.workspace.question import Question

if TYPE_CHECKING:
    from citelsp.agent.steps import Step
    from citelsp.investigate.search import SearchStep as Answered
    from citelsp.server.server import Server

# More runs at once would meet a model's rate limit together.
_AT_ONCE = 8  # placeholders
_TITLE = 60  # characters of a title in a message
_RATIONALE = 80  # characters


def _ignore_progress(_message: str, _part: float | None) -> None: ...


@dataclass(frozen=True, slots=True)
class Searching:
    """One search with everything that it may ask."""

    reach: resolve.Reach
    name: str  # for a status bar, which is short: the model that is asked, or what happens
    outside: bool  # somebody outside is asked; the model counts as outside wherever it runs


@asynccontextmanager
async def searching(
    ls: "Server", moment: Moment, *, outside: bool, ranks: bool = True, model: bool = True
) -> AsyncIterator[Searching]:
    """Open all that a search may ask for as long as the block lasts, and tell the author who is sent what.

    `outside`: services that the settings allow, the model, and helpers and corpora on other machines are asked too; the
    model only if `model` is True.  `ranks`: False for a search that ranks no works, and so needs neither helpers
    (embedder, reranker) nor servers of a corpus.
    """
    settings = moment.project.settings
    async with ls.endpoints.opened(settings) as endpoints:
        chat = endpoints.chat if outside and model else None
        helpers = Helpers()
        servers = Servers()
        if ranks:
            helpers = endpoints.helpers if outside else endpoints.helpers.on_this_machine()
            servers = endpoints.servers if outside else endpoints.servers.on_this_machine()
        sources = None
        if outside and placeholder_candidates.services_allowed(moment):
            sources = await ls.online.sources(settings)
        corpus = await ls.projects.work(lambda _: ls.corpora.corpus_of(settings))  # None if there is none
        library = resolve.open_library(moment.project, ls.libraries, corpus, ls.projects.call)
        reach = resolve.Reach(library, corpus, sources, chat, helpers, servers)
        is_online = _tell_who_is_asked(ls, settings, reach)
        name = "Searching online" if is_online else "Searching"
        if chat:
            name = f"Asking {settings.model.name}…"
        yield Searching(reach, name, outside=bool(chat) or is_online)


def _tell_who_is_asked(ls: "Server", settings: Settings, reach: resolve.Reach) -> bool:
    """Tell the author who outside is sent what, each such notice once for ever.

    True if anybody but the model is asked on another machine.
    """
    services = reach.sources.browsed() if reach.sources else []  # those that are searched by words
    distant_helpers = reach.helpers.on_other_machines()
    distant_servers = reach.servers.on_other_machines()
    # Of an empty list nothing is told.
    ls.online.tell("search", services)
    if reach.chat and not extras.is_missing("model"):  # without its package nothing can be sent to the model
        ls.online.tell("model", [f"{settings.model.name} at {urlsplit(settings.model.base_url).hostname}"])
    ls.online.tell("rank", [f"{it.name} at {it.host}" for it in distant_helpers])
    ls.online.tell("corpus", distant_servers)
    return bool(services or distant_helpers or distant_servers)


async def one(
    ls: "Server",
    moment: Moment,
    placeholder: Placeholder,
    *,
    outside: bool,
    known: Suggestion | None = None,
    model: bool = True,
) -> Suggestion:
    """Find works for a placeholder; if anybody outside is asked, with a progress bar that can be cancelled.

    `outside`: whether services, the model and others on other machines may be asked; of these the model only if `model`
    is True.  `known`: an earlier list whose first works are chosen: the model looks for further ones to be cited with
    them.
    """
    async with searching(ls, moment, outside=outside, model=model) as searched:
        if not searched.outside:
            return await _resolve_placeholder(ls, moment, placeholder, searched, known=known)
        # A model's steps would push all else out of a status bar; they are written to its journal alone.
        async with progress(ls.work_done_progress, searched.name, shown=ls.client.progress) as report:
            report_unless_model = _ignore_progress if searched.reach.chat else report
            return await _resolve_placeholder(ls, moment, placeholder, searched, report_unless_model, known)


class TitleLookUp(NamedTuple):
    suggestion: Suggestion
    problem: str  # why no work of this title was found; "" if one was


async def look_up(ls: "Server", moment: Moment, placeholder: Placeholder, title: str) -> TitleLookUp:
    """Ask the services for the work of this title, which a model named; return the placeholder's list with the answers.

    The answers stay in the server's knowledge.  If a service has a work of that title, it becomes the model's choice.
    Works with a similar title are only listed, and `problem` of the result says why there is none of this title.
    """
    from citelsp.investigate import insert

    question = questions.placeholder_question(moment.project, moment.path, placeholder)
    sources = await ls.online.sources(moment.project.settings)
    ls.online.tell("insert", insert.list_services(sources))  # a notice to the author: who is sent what
    async with progress(ls.work_done_progress, f"Looking up {shorten(title, _TITLE)}", shown=ls.client.progress):
        [answer] = await insert.find_all([title], sources)
    answers = ls.knowledge.answers.get(question.key, Answers())
    # The first work found is the one meant if the answer is certain, or if it has just this title.
    is_named = bool(answer.candidates) and (answer.certain or find_work.is_titled(title, answer.candidates[0].record))
    problem = ""
    if is_named:
        # The journal of the search in which the model named the title is that of its choice, too.
        trajectory = answers.search.trajectory if answers.search else ""
        choice = Suggestion(answer.candidates[:1], usage=answers.usage, trajectory=trajectory)
        answers = replace(answers, search=choice)
    else:
        problem = answer.reason or f"No service has a work titled “{shorten(title, _TITLE)}”"
    # As if each service had been asked for the works that it has: lists are made of lookups.
    lookups = (*answers.lookups, *candidate_set.lookups(answer.candidates))
    placeholder_candidates.learn(ls, question, replace(answers, lookups=lookups))
    return TitleLookUp(await placeholder_candidates.suggest(ls, moment, question), problem)


def spent(ls: "Server", moment: Moment, placeholder: Placeholder) -> str:
    """What a model read and wrote for a placeholder, and what that cost; "" if none was asked, or none answered."""
    question = questions.placeholder_question(moment.project, moment.path, placeholder)
    usage = ls.knowledge.answers.get(question.key, Answers()).usage
    tokens_read = int(usage.get("tokens_in", 0))
    tokens_written = int(usage.get("tokens_out", 0))
    if not tokens_read:
        return ""
    usd = usage.get("usd", 0.0)
    price = f" ({usd:.4f} USD)" if usd else ""  # 0 also if neither endpoint nor settings tell a price
    return f"{moment.project.settings.model.name} used {tokens_read + tokens_written:,} tokens{price}."


async def resolve_all(
    ls: "Server", moment: Moment, placeholders: Sequence[Placeholder], *, outside: bool
) -> list[Suggestion]:
    """Find works for these placeholders, _AT_ONCE at a time, under one progress bar; cancelling keeps what was found.

    `outside`: whether services, the model and others on other machines may be asked.  Returns the lists in the order of
    the placeholders.
    """
    gate = asyncio.Semaphore(_AT_ONCE)  # lets so many in at a time
    count = len(placeholders)
    done = 0

    async def resolve_next(placeholder: Placeholder, searched: Searching, report: Report) -> Suggestion:
        """Find works for one placeholder when its turn comes, and show how many of all are done."""
        nonlocal done
        chat = searched.reach.chat

        def show_standing(*_: object) -> None:
            message = f"{done} of {count}"
            waiting = count - done - chat.asking if chat else 0  # `asking`: how many the model is busy with
            if waiting > 0:
                message += f", {waiting} waiting"
            report(message, done / count)

        async with gate:
            # A model's steps take so long that the bar would seem to stand still: show the count at each step, too.
            meanwhile = show_standing if chat else _ignore_progress
            suggestion = await _resolve_placeholder(ls, moment, placeholder, searched, meanwhile)
        done += 1
        show_standing()
        return suggestion

    async with (
        searching(ls, moment, outside=outside) as searched,
        progress(ls.work_done_progress, searched.name, shown=ls.client.progress) as report,
        _run_together(resolve_next(placeholder, searched, report) for placeholder in placeholders) as tasks,
    ):
        return list(await asyncio.gather(*tasks))


@asynccontextmanager
async def _run_together(
    works: Iterable[Coroutine[Any, Any, Suggestion]],
) -> AsyncIterator[list["asyncio.Task[Suggestion]"]]:
    """Run them as tasks; what still runs at the end of the block, as after an error, is cancelled and waited for."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _resolve_placeholder(
    ls: "Server",
    moment: Moment,
    placeholder: Placeholder,
    searched: Searching,
    report: Report = _ignore_progress,
    known: Suggestion | None = None,
) -> Suggestion:
    """Ask the model, or if there is none services and helpers; keep the answers, and return the list with them.

    `searched` has all who may be asked.  If the corpus turns out to be damaged, it is left out from now on, and all are
    asked again without it.  `known`: an earlier list, for whose first works the model finds further ones; None for a
    new search.
    """
    from citelsp.corpus.store import CorpusError

    question = questions.placeholder_question(moment.project, moment.path, placeholder)

    async def ask(reach: resolve.Reach) -> Answers:
        # A model asks the services itself, as far as it wants to.
        if reach.chat:
            return await _ask_model(ls, moment, placeholder, reach, report, known)
        return await _ask_services(ls, moment, question, reach, report)

    try:
        answers = await ask(searched.reach)
    except CorpusError as problem:
        # Under another name, as Python deletes `problem` at the end of the block: if this is cancelled, the worker may
        # call the function later.
        error = problem
        await ls.projects.work(lambda _: ls.corpora.leave_out(moment.project.settings, error))
        answers = await ask(replace(searched.reach, corpus=None))
    placeholder_candidates.learn(ls, question, answers)
    return await placeholder_candidates.suggest(ls, moment, question)


async def _ask_services(
    ls: "Server", moment: Moment, question: Question, reach: resolve.Reach, report: Report
) -> Answers:
    """Ask services and helpers; each answer is kept as it comes, so that a list asked for meanwhile has it.

    `reach` has all who may be asked: no services if its `sources` are None, then only corpora on servers.  `report`
    shows how many have answered.  `meaning`, the vector of the question, is kept with the answers.
    """
    meaning = await search.find_meaning(question, reach.corpus, reach.helpers)

    def show_answer(step: "Answered") -> None:
        placeholder_candidates.learn(ls, question, replace(step.answers, meaning=meaning))
        answered = int(step.answers.usage["requests"])
        total = answered + len(step.left)
        report(f"{answered} of {total} services: {title(step.service)}", answered / total)

    here = await placeholder_candidates.gather_locally(ls, moment, question, meaning)
    answers = await search.ask_everybody(here, reach.sources, show_answer, reach.helpers, reach.servers)
    return replace(answers, meaning=meaning)


async def _ask_model(
    ls: "Server",
    moment: Moment,
    placeholder: Placeholder,
    reach: resolve.Reach,
    report: Report,
    known: Suggestion | None,
) -> Answers:
    """Have the model search: for one work, or with `known` for a few more beside those that were chosen in it.

    `reach` has the model, and all that it may search and ask; `report` shows its steps.  The search is written down in
    a file, the trajectory; its path in the answers is "" if the disk took none.
    """
    journal = _Journal(report, known.trajectory if known else "")
    environment = await ls.projects.work(  # in the thread of projects, to which the corpus and libraries belong
        lambda _: resolve.make_environment(moment.project, moment.path, placeholder, reach)
    )
    most = 1  # works that are to be cited here
    if known:
        chosen_before = known.together
        most = chosen_before + resolve.MOST_FURTHER
    suggestion = await start.suggest(
        environment, moment.project.settings, reach.chat, known=known, most=most, journal=journal
    )
    suggestion = replace(suggestion, trajectory=str(journal.path or ""))
    return Answers(candidate_set.lookups(suggestion.candidates), search=suggestion, usage=suggestion.usage)


class _Journal(trajectory.Writer):
    """Writes a run down and reports its turns."""

    def __init__(self, report: Report, earlier: str) -> None:
        super().__init__(earlier=earlier)
        self._report: Callable[[str, float | None], None] = report

    def step(self, step: "Step") -> None:
        super().step(step)
        names = ", ".join(dict.fromkeys(it.name for it in step.turn.actions))
        self._report(shorten(step.turn.rationale or names, _RATIONALE), None)
