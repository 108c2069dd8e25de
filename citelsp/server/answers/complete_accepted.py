"""Works as they are written when they are accepted: what the corpus lacks of one is looked up, if that is allowed."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from citelsp.features.values import name_of, shortened
from citelsp.server.jobs import progress
from citelsp.workspace import question as questions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citelsp.bibliography.record import Record
    from citelsp.knowledge import Candidate, Lists
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment
    from citelsp.syntax.nodes import Placeholder

_PATIENCE = 10.0  # seconds; what is not answered by then is written as it is known


async def records(ls: "Server", moment: "Moment", accepted: "Sequence[Record]") -> "list[Record]":
    """The works, each with what services say of it."""
    from citelsp.investigate import complete_records

    thin = [it for it in accepted if complete_records.is_thin(it)]
    if not thin or not _allowed(moment):
        return list(accepted)
    from citelsp.investigate import insert

    sources = await ls.online.sources(moment.project.settings)
    ls.online.tell("insert", insert.asked(sources))
    title = f"Looking up {shortened(thin[0].title, 60)}"
    try:
        async with progress(ls.work_done_progress, title, shown=ls.client.progress), asyncio.timeout(_PATIENCE):
            return await complete_records.completed(accepted, sources)
    except TimeoutError:
        return list(accepted)


async def candidates(ls: "Server", moment: "Moment", accepted: "Sequence[Candidate]") -> "list[Candidate]":
    """Those without an entry, completed; the others as they are."""
    new = [it for it in accepted if not it.key]
    whole = iter(await records(ls, moment, [it.record for it in new]))
    return [it if it.key else replace(it, record=next(whole)) for it in accepted]


async def lists(ls: "Server", moment: "Moment", placeholder: "Placeholder", names: "Sequence[str]") -> "Lists":
    """The lists of the moment, in that of the placeholder those works completed that are about to be cited."""
    question = questions.placeholder_question(moment.project, moment.path, placeholder).key
    suggestion = moment.lists.get(question)
    if suggestion is None:
        return moment.lists
    accepted = [it for it in suggestion.candidates if name_of(it.record) in names]
    completed = dict(zip(map(id, accepted), await candidates(ls, moment, accepted), strict=True))
    listed = tuple(completed.get(id(it), it) for it in suggestion.candidates)
    return {**moment.lists, question: replace(suggestion, candidates=listed)}


def asks_services(moment: "Moment", names: "Sequence[str]") -> bool:
    """True if a work of one of these names would be looked up before it is written."""
    from citelsp.investigate import complete_records

    if not _allowed(moment):
        return False
    offered = (it for suggestion in moment.lists.values() for it in suggestion.candidates)
    return any(complete_records.is_thin(it.record) and not it.key for it in offered if name_of(it.record) in names)


def _allowed(moment: "Moment") -> bool:
    """Titles and identifiers of entries go to services at the next save; where they may not, they do not here."""
    settings = moment.project.settings
    return not settings.offline and settings.online.verify == "save"
