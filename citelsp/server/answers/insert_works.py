"""Works looked up and inserted: for a key without an entry, an identifier at the cursor, or what the author pastes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import on_one_line, unlinked
from citelsp.features import insert_entry, lookup_target
from citelsp.features.values import Refused, author_year, shortened
from citelsp.server.answers import apply_edits, doubtful_export
from citelsp.server.jobs import progress
from citelsp.server.state import snapshot
from citelsp.server.state.projects import Moment
from citelsp.server.wire import client, refusal, to_lsp

if TYPE_CHECKING:
    from citelsp.bibliography.record import Record
    from citelsp.features.insert_entry import Insertion
    from citelsp.features.lookup_target import Sought
    from citelsp.investigate.insert import LookUp
    from citelsp.server.server import Server

_SHOWN = 5  # works to pick from, as buttons
_LISTED = 20  # as a list
_TITLE = 70  # characters


def offer(moment: Moment, uri: str, context: types.CodeActionContext, *, resolves: bool) -> list[types.CodeAction]:
    """An action that asks the services when it is chosen; nothing is sent before.

    An editor that resolves actions gets the edit then, any other the command that makes it.
    """
    if moment.project.settings.offline:
        return []
    target = lookup_target.find_target(moment.project, moment.path, moment.span)
    if target is None:
        return []
    argument = {"uri": uri, "range": to_lsp.written(moment.places.range(moment.path, moment.span))}
    action = types.CodeAction(
        title=f"Look up {target.text} and add its entry",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[it for it in context.diagnostics if it.code == "undefined-citation"] or None,
    )
    if resolves:
        action.data = argument
    else:
        action.command = types.Command(title="Look up and add", command="citelsp.insert", arguments=[argument])
    return [action]


async def resolve(ls: "Server", argument: object) -> types.WorkspaceEdit:
    """What choosing an offered action changes."""
    found = await _looked_up(ls, [argument])
    if found is None:
        raise refusal.failed("no work was chosen")
    apply_edits.caution(ls, found.record)
    return to_lsp.workspace_edit(found.moment.places, found.insertion.change, ls.client)


async def command(ls: "Server", arguments: Sequence[object]) -> str | None:
    """Insert a work: {"uri", "range"} for what stands there, or a URI and the text to look up.  Returns the key."""
    found = await _looked_up(ls, arguments)
    if found is None:
        return None
    await apply_edits.apply(ls, found.moment, found.insertion.change, found.insertion.message)
    ls.inform(f"citelsp: {found.insertion.message} {_title(found.record)}")
    apply_edits.caution(ls, found.record)
    return found.insertion.key


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """A work with its insertion into the documents as they were when it was found."""

    record: "Record"
    moment: Moment
    insertion: "Insertion"


async def _looked_up(ls: "Server", arguments: Sequence[object]) -> _LookedUp | None:
    """The work found with its insertion; None if the author picks none."""
    match arguments:
        case [
            {
                "uri": str(uri),
                "range": {
                    "start": {"line": int(line), "character": int(column)},
                    "end": {"line": int(last_line), "character": int(last_column)},
                },
            }
        ]:
            range_ = types.Range(types.Position(line, column), types.Position(last_line, last_column))
            moment = await snapshot.take(ls, uri, range_)
            found = lookup_target.find_target(moment.project, moment.path, moment.span)
            if found is None:
                raise refusal.failed("there is nothing to look up here")
            record = await _record(ls, moment, found.text, found)
            # Looking up took seconds, in which the author wrote on: the change is made for the text as it is now.
            return await _inserted(ls, await snapshot.take(ls, uri, range_), found, record) if record else None
        case [str(uri), str(text)]:
            record = await _record(ls, await snapshot.take(ls, uri), text, None)
            return await _inserted(ls, await snapshot.take(ls, uri), None, record) if record else None
    raise refusal.failed("citelsp.insert needs a URI and a text, or the argument of a code action")


async def _record(ls: "Server", moment: Moment, text: str, target: "Sought | None") -> "Record | None":
    """The work meant: the certain one, or the one that the author picks; None if he picks none."""
    if moment.project.settings.offline:
        raise refusal.failed("nothing is looked up, because offline is set")
    # Before anybody is asked: where no entry can be written, nothing needs to leave the machine.
    if not moment.project.defining:
        hindrance = insert_entry.hindrance(moment.project, moment.path)
        if hindrance:
            raise refusal.failed(hindrance)
    sources = await ls.online.sources(moment.project.settings)
    from citelsp.investigate import insert

    ls.online.tell("insert", insert.asked(sources))
    async with progress(ls.work_done_progress, f"Looking up {shortened(text, 60)}", shown=ls.client.progress):
        if target and target.key:
            answer = await insert.keyed(target.key, target.sentence, sources)
        else:
            [answer] = await insert.find_all([text], sources)
    if not answer.candidates:
        raise refusal.failed(answer.reason)
    return answer.candidates[0].record if answer.certain else await _picked(ls, text, answer)


async def _picked(ls: "Server", text: str, answer: "LookUp") -> "Record | None":
    if ls.client.chooses:
        return await _chosen(ls, text, answer)
    # The answer of the editor's dialogue is the words on the button alone.
    titles = {_title(it.record): it.record for it in answer.candidates[:_SHOWN]}
    asked = types.ShowMessageRequestParams(
        types.MessageType.Info,
        unlinked(f"Which work is {shortened(text, 60)}?"),
        [types.MessageActionItem(it) for it in titles],
    )
    chosen = await ls.window_show_message_request_async(asked)
    return titles.get(chosen.title) if chosen else None


async def _chosen(ls: "Server", text: str, answer: "LookUp") -> "Record | None":
    """Of a list in which each work has room: {"question", "choices": [{"label", "detail"}]} → its number, or null."""
    records = [it.record for it in answer.candidates[:_LISTED]]
    choices = [
        {
            "label": on_one_line(record.title),
            "detail": on_one_line(". ".join(filter(None, (author_year(record.authors, record.year), record.venue)))),
        }
        for record in records
    ]
    asked = {"question": on_one_line(f"Which work is {shortened(text, 60)}?"), "choices": choices}
    number = await ls.protocol.send_request_async(client.CHOOSE_OF, asked)
    return records[number] if isinstance(number, int) and 0 <= number < len(records) else None


def _title(record: "Record") -> str:
    who = author_year(record.authors, record.year)
    return on_one_line(": ".join(filter(None, (who, shortened(record.title, _TITLE)))))


async def _inserted(ls: "Server", moment: Moment, target: "Sought | None", record: "Record") -> _LookedUp:
    """The insertion into the documents as they are by now; what no longer stands where it stood is left alone."""
    moment = await doubtful_export.settled(ls, moment)
    key = target.key if target else ""
    stands_there = target and target == lookup_target.find_target(moment.project, moment.path, moment.span)
    insertion: Insertion | Refused
    if target and stands_there:
        insertion = lookup_target.change(moment.project, moment.path, target, record)
    else:
        insertion = insert_entry.add_record(moment.project, moment.path, record, key)
    if isinstance(insertion, Refused):
        raise refusal.failed(insertion.reason)
    return _LookedUp(record, moment, insertion)
