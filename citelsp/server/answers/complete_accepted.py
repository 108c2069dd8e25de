"""Works as they are written when they are accepted: what the corpus lacks of one is looked up, if that is allowed."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from citelsp.features.values import name_of, shorten
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
_TITLE = 60  # characters


async def records(ls: "Server", moment: "Moment", accepted: "Sequence[Record]") -> "list[Record]":
    """Complete works of which much is lacking by what services say, under a progress bar; return all in their order.

    `accepted`: records of works that the author is about to cite.  All are returned as they are if nobody may be asked,
    if none lacks so much (`is_thin`), if the answers take longer than _PATIENCE, or if the author cancels the progress
    bar: he gives up the look-up, not the work, which may be cited in the text by now.  Each of which no service has the
    work for certain stays as it is, but loses a DOI or arXiv id that leads to another work.
    """
    from citelsp.investigate import complete_records

    thin = [record for record in accepted if complete_records.is_thin(record)]
    if not thin or not _may_look_up(moment):
        return list(accepted)
    from citelsp.investigate import insert

    sources = await ls.online.sources(moment.project.settings)
    ls.online.tell("insert", insert.list_services(sources))  # a notice to the author: who is sent what
    title = f"Looking up {shorten(thin[0].title, _TITLE)}"  # of several the first stands for all: a bar has little room

    async def look_up() -> "list[Record]":
        async with progress(ls.work_done_progress, title, shown=ls.client.progress):
            return await complete_records.complete_all(accepted, sources)  # asks for the thin ones alone

    looking_up = asyncio.ensure_future(look_up())  # a task of its own, which the progress bar cancels
    try:
        await asyncio.wait({looking_up}, timeout=_PATIENCE)
    finally:
        looking_up.cancel()  # if it goes on still: patience is over, or the whole request is cancelled
    is_answered = looking_up.done() and not looking_up.cancelled()
    return looking_up.result() if is_answered else list(accepted)


async def candidates(ls: "Server", moment: "Moment", accepted: "Sequence[Candidate]") -> "list[Candidate]":
    """Complete the works that have no entry yet, as `records` does; return all in their order."""
    without_entry = [candidate for candidate in accepted if not candidate.key]
    completed = iter(await records(ls, moment, [candidate.record for candidate in without_entry]))
    return [candidate if candidate.key else replace(candidate, record=next(completed)) for candidate in accepted]


async def lists(ls: "Server", moment: "Moment", placeholder: "Placeholder", names: "Sequence[str]") -> "Lists":
    """Return the lists of works of the moment, with the works completed that are about to be cited at the placeholder.

    `names`: of the works to be cited, as `name_of` gives them.  If nothing was searched there, the lists are returned
    as they are.
    """
    question = questions.placeholder_question(moment.project, moment.path, placeholder).key
    suggestion = moment.lists.get(question)
    if suggestion is None:
        return moment.lists
    accepted = [candidate for candidate in suggestion.candidates if name_of(candidate.record) in names]
    completed = await candidates(ls, moment, accepted)
    by_id = {id(before): after for before, after in zip(accepted, completed, strict=True)}  # two may be equal
    all_candidates = tuple(by_id.get(id(candidate), candidate) for candidate in suggestion.candidates)
    return {**moment.lists, question: replace(suggestion, candidates=all_candidates)}


def asks_services(moment: "Moment", names: "Sequence[str]") -> bool:
    """Return True if a work of one of these names would be looked up before its entry is written."""
    for suggestion in moment.lists.values():
        for candidate in suggestion.candidates:
            is_accepted = not candidate.key and name_of(candidate.record) in names
            if is_accepted and is_looked_up(moment, candidate.record):
                return True
    return False


def is_looked_up(moment: "Moment", record: "Record") -> bool:
    """Return True if services would be asked about a work without an entry, before its entry is written."""
    from citelsp.investigate import complete_records

    return _may_look_up(moment) and complete_records.is_thin(record)


def is_keyed_later(moment: "Moment", record: "Record") -> bool:
    """Return True if the people or the year, of which a key is made, are still to be looked up."""
    lacks_parts_of_key = not (record.authors and record.year)
    return lacks_parts_of_key and is_looked_up(moment, record)


def _may_look_up(moment: "Moment") -> bool:
    """Titles and identifiers of entries go to services at the next save; where they may not, they do not here."""
    settings = moment.project.settings
    return not settings.offline and settings.online.verify == "save"
