"""Commands that the editor sends back; every editor can, as they are plain `workspace/executeCommand`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from citelsp.base.text import write_count
from citelsp.features import insert_entry, popup_of_work, sort_entries
from citelsp.features.values import Change, Refused, file_name, shorten
from citelsp.server.answers import (
    apply_edits,
    background_search,
    complete_accepted,
    diagnostics,
    doubtful_export,
    placeholder_candidates,
    placeholder_completion,
)
from citelsp.server.state import snapshot
from citelsp.server.wire import arguments as args
from citelsp.server.wire import refusal

if TYPE_CHECKING:
    from citelsp.bibliography.record import Record
    from citelsp.knowledge import Suggestion
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment
    from citelsp.syntax.nodes import Placeholder

_TITLE = 60  # characters in a message
_NO_WORKS = "citelsp.insertEntry needs the arguments of a completion item"
_HOW_TO_SEE = "Complete at the placeholder to see them."


async def insert(ls: "Server", arguments: Sequence[object]) -> str:
    """Add the entries of works that were offered: {"uri", "question", "work", "key"} for each.

    Services may be asked what the corpus lacks of a work, and the author which bibliography is meant; the author is
    warned of a work that was retracted or the like.  All entries go where those of the document at the first "uri" go.
    Returns the keys, with commas between.  Raises a refusal for other arguments, for a work that is no longer in its
    list, if no entry can be added, or if the editor does not make the edit.
    """
    # All arguments are checked before anything is written: either all entries are added or none.
    works = [_read_accepted(ls, argument) for argument in arguments]
    if not works:
        raise refusal.make_refusal(_NO_WORKS)
    uri = works[0].uri
    keys = [work.key for work in works]
    records = await complete_accepted.records(ls, await snapshot.take(ls, uri), [work.record for work in works])
    await doubtful_export.ask_author(ls, await snapshot.take(ls, uri))
    # All this took seconds, in which the author wrote on: the change is made for the text as it is now.
    moment = await doubtful_export.use_answer(ls, await snapshot.take(ls, uri))
    change = insert_entry.add_records(moment.project, moment.path, records, keys)
    if isinstance(change, Refused):
        raise refusal.make_refusal(change.reason)
    await apply_edits.apply(ls, moment, change, f"Add {', '.join(keys)}")
    apply_edits.announce(ls, moment, change, keys)
    for record in records:
        apply_edits.caution(ls, record)
    return ",".join(keys)


class _Accepted(NamedTuple):
    """A work that was offered in the document at `uri`, and the key that was written there for it."""

    uri: str
    record: "Record"
    key: str


def _read_accepted(ls: "Server", argument: object) -> _Accepted:
    """Read an argument of `insert`; a refusal if it is another, or if its work is no longer in the list."""
    match argument:
        case {"uri": str(uri), "question": str(question), "work": str(work), "key": str(key)}:
            candidate = placeholder_completion.candidate_of(ls, question, work)
        case _:
            raise refusal.make_refusal(_NO_WORKS)
    if candidate is None:
        raise refusal.make_refusal("this suggestion has expired; trigger completion again")
    return _Accepted(uri, candidate.record, key)


async def check(ls: "Server", _: Sequence[object]) -> None:
    """Work out and show all findings anew."""
    diagnostics.refresh(ls)


async def sort(ls: "Server", arguments: Sequence[object]) -> None:
    """Sort the entries of a .bib file, given by its URI, by "key", "author" or "year"; by key if none is given.

    Any other file is left as it is.  Raises a refusal for other arguments, and if the file cannot be sorted, since an
    entry or a block in it is never closed.
    """
    match arguments:
        case [str(uri)]:
            order: sort_entries.Order = "key"
        case [str(uri), ("key" | "author" | "year") as order]:
            pass
        case _:
            raise refusal.make_refusal("citelsp.sort needs the URI of a .bib file, and perhaps key, author or year")
    moment = await snapshot.take(ls, uri)
    obstacle = sort_entries.obstacle(moment.project, moment.path)
    if obstacle:
        raise refusal.make_refusal(f"{file_name(moment.path)}: {obstacle}")
    edits = sort_entries.edits(moment.project, moment.path, order)
    await apply_edits.apply(ls, moment, Change(tuple(edits)), f"Sort by {order}")


async def suggest(ls: "Server", arguments: Sequence[object]) -> int:
    """Search works for every placeholder of a document, given by its URI; return for how many some fit.

    The services are asked too, unless online.suggest is off, and the model if one is set; nobody if offline is set.
    If something went wrong at placeholders that some works fit, the author is told at how many, and what at the first.
    """
    moment = await snapshot.take(ls, args.document("citelsp.suggest", arguments))
    source = moment.project.sources.get(moment.path)
    placeholders = source.syntax.placeholders if source else ()
    ls.online.wake()  # services that did not answer are asked again
    outside = placeholder_candidates.may_ask(moment)
    suggestions = await background_search.resolve_all(ls, moment, placeholders, outside=outside)
    diagnostics.refresh(ls)
    fitting = [it for it in suggestions if it.candidates and not it.abstained]
    troubles = [it.reason for it in fitting if it.reason]
    if troubles:
        of_all = write_count(len(suggestions), "placeholder")
        ls.warn(f"citelsp: {len(troubles)} of {of_all}: {troubles[0]}")
    return len(fitting)


async def search_online(ls: "Server", arguments: Sequence[object]) -> int:
    """Ask the services, and the model if one is set, for one placeholder, {"uri", "position"}.

    Returns how many works its next list offers.  Raises a refusal if nobody may be asked, or if no placeholder is
    there.  With "words" for these words, whatever the placeholder holds by now; with "title" for the work that a model
    named.  The author is told what came of it, unless the editor opens the list again, and the list shows all.
    """
    moment = await snapshot.take(ls, *args.place("citelsp.searchOnline", arguments))
    if not placeholder_candidates.may_ask(moment):
        raise refusal.make_refusal("online search is disabled by the settings online.suggest or offline")
    placeholder = moment.project.placeholder_at(moment.path, moment.offset)
    if placeholder is None:
        raise refusal.make_refusal("the placeholder has changed")
    # The author agreed to send the words that the label showed, not to what was typed since.
    placeholder = replace(placeholder, words=args.words(arguments, placeholder.words))
    ls.online.wake()  # services that did not answer are asked again
    title = args.title(arguments)
    if title:
        return await _look_up_title(ls, moment, placeholder, title)
    suggestion = await background_search.one(ls, moment, placeholder, outside=True)
    says_more = suggestion.abstained or suggestion.reason or suggestion.chosen or suggestion.silent
    if says_more or not ls.client.reopens:
        spent = background_search.spent(ls, moment, placeholder)
        ls.inform(f"citelsp: {_report_search(suggestion, spent)}")
    return len(suggestion.candidates)


async def _look_up_title(ls: "Server", moment: "Moment", placeholder: "Placeholder", title: str) -> int:
    """Look up the work that a model named; return how many works the next list offers.

    The author is told what came of it, unless it was found and the editor opens the list again.  Raises a refusal if no
    service may be asked, though a model may: the title goes to services alone.
    """
    if not placeholder_candidates.services_allowed(moment):
        raise refusal.make_refusal("online search is disabled by the settings online.suggest or offline")
    suggestion, problem = await background_search.look_up(ls, moment, placeholder, title)
    if problem:
        ls.inform(f"citelsp: {problem}.")
    elif not ls.client.reopens:
        ls.inform(f"citelsp: Found “{shorten(title, _TITLE)}”. Complete at the placeholder to see it.")
    return len(suggestion.candidates)


def _report_search(suggestion: "Suggestion", spent: str) -> str:
    """Say what a search came to, and what the model `spent`; the most important first, as some editors show no more."""
    outcome = _tell_outcome(suggestion)
    # What was chosen stands in the list, too, but not what it cost; that a service did not answer is more important.
    sentences = (outcome, spent) if suggestion.silent else (spent, outcome)
    return " ".join(filter(None, sentences))


def _tell_outcome(suggestion: "Suggestion") -> str:
    """Say what a search came to: what a model chose, and what went wrong; else how many works there are from where.

    What went wrong stands before these, too, such as that the model could not be asked.  Without works it is the reason
    for that alone, "" if none is known.
    """
    reason = f"{suggestion.reason[:1].upper()}{suggestion.reason[1:]}." if suggestion.reason else ""
    choice = popup_of_work.choice(suggestion)
    if choice:
        return " ".join(filter(None, (choice, reason)))
    if not suggestion.candidates:
        return reason
    # If nothing fits, the reason says just that, as the list does; with why no model chose (`undecided`) it says more.
    trouble = reason if suggestion.undecided or not suggestion.abstained else ""
    advice = "“Try again” in the list asks once more." if suggestion.silent else _HOW_TO_SEE
    return " ".join(filter(None, (trouble, f"{popup_of_work.outcome(suggestion)}. {advice}")))
