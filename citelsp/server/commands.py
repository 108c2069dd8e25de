"""Commands that the editor sends back; every editor can, as they are plain `workspace/executeCommand`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.features import insert_entry, sort_entries
from citelsp.features.values import Change, Refused
from citelsp.server import diagnostics, moment, offers, refusal, suggestions, to_lsp
from citelsp.server.jobs import progress

if TYPE_CHECKING:
    from citelsp.server.server import Server


async def insert(ls: "Server", arguments: Sequence[object]) -> str | None:
    """Add the entry of a work that was offered: one argument, {"uri", "question", "work", "key"}.  Returns the key."""
    match arguments:
        case [{"uri": str(uri), "question": str(question), "work": str(work), "key": str(key)}]:
            candidate = offers.candidate_of(ls, question, work)
        case _:
            raise refusal.failed("citelsp.insertEntry needs the argument of a completion item")
    if candidate is None:
        raise refusal.failed("this work was offered too long ago; complete the placeholder again")
    at = await moment.at(ls, uri)
    insertion = insert_entry.add_record(at.project, at.path, candidate.record, key)
    if isinstance(insertion, Refused):
        raise refusal.failed(insertion.reason)
    await apply(ls, at, insertion.change, insertion.message)
    return insertion.key


async def check(ls: "Server", _: Sequence[object]) -> None:
    """Work out and show all findings anew."""
    diagnostics.refresh(ls)


async def sort(ls: "Server", arguments: Sequence[object]) -> None:
    """Sort the entries of a .bib file, given by its URI, by "key", "author" or "year" (default: key)."""
    match arguments:
        case [str(uri)]:
            order: sort_entries.Order = "key"
        case [str(uri), ("key" | "author" | "year") as order]:
            pass
        case _:
            raise refusal.failed("citelsp.sort needs the URI of a .bib file, and perhaps key, author or year")
    at = await moment.at(ls, uri)
    edits = sort_entries.edits(at.project, at.path, order)
    await apply(ls, at, Change(tuple(edits)), f"Sort by {order}")


async def suggest(ls: "Server", arguments: Sequence[object]) -> int:
    """Search works for every placeholder of a document, given by its URI; returns for how many some were found.

    The services are asked too, unless online.suggest is off.
    """
    if not (arguments and isinstance(arguments[0], str)):
        raise refusal.failed("citelsp.suggest needs the URI of a document")
    at = await moment.at(ls, arguments[0])
    source = at.project.sources.get(at.path)
    placeholders = source.syntax.placeholders if source else ()
    answered = 0
    async with progress(ls.work_done_progress, "Searching works", shown=ls.client.progress) as report:
        for number, placeholder in enumerate(placeholders):
            report(f"{number + 1} of {len(placeholders)}", number / len(placeholders))
            if suggestions.allowed(at):
                found = await suggestions.ask_services(ls, at, placeholder, lambda _message, _part: None)
            else:
                found = await suggestions.search(ls, at, placeholder)
            answered += bool(found.candidates and not found.abstained)
    diagnostics.refresh(ls)
    return answered


async def search_online(ls: "Server", arguments: Sequence[object]) -> int:
    """Search the services for one placeholder: {"uri", "position"}.  Returns how many works the next list offers."""
    match arguments:
        case [{"uri": str(uri), "position": {"line": int(line), "character": int(character)}}]:
            at = await moment.at(ls, uri, types.Position(line, character))
        case _:
            raise refusal.failed("citelsp.searchOnline needs the argument of a completion item")
    if not suggestions.allowed(at):
        raise refusal.failed("searching online is switched off: online.suggest, offline")
    placeholder = at.project.placeholder_at(at.path, at.offset)
    if placeholder is None:
        raise refusal.failed("the placeholder has changed since")
    found = await suggestions.search_online(ls, at, placeholder)
    number = len(found.candidates)
    told = found.reason if found.abstained else f"{number} works to choose from: complete the placeholder again."
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"citelsp: {told}"))
    return number


async def apply(ls: "Server", at: moment.Moment, change: Change, label: str) -> None:
    """Have the editor make a change, if there is one."""
    if not change:
        return
    if not ls.client.apply_edit:
        raise refusal.failed("this editor lets no server change documents")
    edit = to_lsp.workspace_edit(at.places, change, ls.client)
    answer = await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label))
    if not answer.applied:
        raise refusal.failed(answer.failure_reason or "the editor did not apply the change")
