"""Works looked up and inserted: for a key without an entry, an identifier at the cursor, or what the author pastes."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import break_links, on_one_line
from citelsp.features import insert_entry, lookup_target
from citelsp.features.values import Refused, author_year, shorten
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

_BUTTONS = 5  # works to pick from
_ROWS = 20  # of them, where an editor shows a list
_TITLE = 70  # characters
_TEXT = 60  # characters of what is looked up, in a message


def offer(moment: Moment, uri: str, context: types.CodeActionContext, *, resolves: bool) -> list[types.CodeAction]:
    """Offer to look up the citekey without an entry, or the identifier, that is selected or stands at the cursor.

    Services are asked when the action is chosen, and nothing is sent before.  `resolves`: the editor asks for an
    action's edit once it is chosen; any other editor gets a command that makes it.  Empty if there is nothing to look
    up, or if the settings are offline.
    """
    if moment.project.settings.offline:
        return []
    target = lookup_target.find_target(moment.project, moment.path, moment.span)
    if target is None:
        return []
    argument = {"uri": uri, "range": to_lsp.write_range(moment.places.range(moment.path, moment.span))}
    action = types.CodeAction(
        title=on_one_line(f"Look up {target.text} and add its entry"),
        kind=types.CodeActionKind.QuickFix,
        # The finding that this ends, so that the editor lists the action among its fixes.
        diagnostics=[it for it in context.diagnostics if it.code == "undefined-citation"] or None,
    )
    if resolves:
        action.data = argument
    else:
        action.command = types.Command(title="Look up and add", command="citelsp.insert", arguments=[argument])
    return [action]


async def resolve(ls: "Server", argument: object) -> types.WorkspaceEdit:
    """The edit of an offered action that was chosen, by the argument that it was given.

    Says what speaks against the work.  A refusal if nothing was found or chosen.
    """
    looked_up = await _look_up(ls, [argument])
    if looked_up is None:
        raise refusal.make_refusal("no work was chosen")
    apply_edits.caution(ls, looked_up.record)
    return to_lsp.workspace_edit(looked_up.moment.places, looked_up.insertion.change, ls.client)


async def command(ls: "Server", arguments: Sequence[object]) -> str | None:
    """Look up a work and add its entry: {"uri", "range"} for what stands there, or a URI and the text to look up.

    The author is told what was added, and warned of a work that was retracted or the like.  Returns the key; None if
    he picks no work.  Raises a refusal if nothing is found, if no entry can be written, or if the editor does not make
    the edit.
    """
    looked_up = await _look_up(ls, arguments)
    if looked_up is None:
        return None
    await apply_edits.apply(ls, looked_up.moment, looked_up.insertion.change, looked_up.insertion.message)
    ls.inform(f"citelsp: {looked_up.insertion.message} {_write_title(looked_up.record)}")
    apply_edits.caution(ls, looked_up.record)
    return looked_up.insertion.key


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """A work with its insertion into the documents as they were when it was found."""

    record: "Record"
    moment: Moment
    insertion: "Insertion"


async def _look_up(ls: "Server", arguments: Sequence[object]) -> _LookedUp | None:
    """Look up what the arguments say; return the work with the edits that insert it.

    The arguments are {"uri", "range"} for what stands there, or a URI and the text to look up.  None if the author
    picks no work.  Raises a refusal if nothing is found, or for other arguments.  The edits are made for a snapshot
    that is taken after the look-up, as the author writes on meanwhile.
    """
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
            target = lookup_target.find_target(moment.project, moment.path, moment.span)
            if target is None:
                raise refusal.make_refusal("there is nothing to look up here")
            record = await _find_record(ls, moment, target.text, target)
            return await _insert(ls, lambda: snapshot.take(ls, uri, range_), target, record) if record else None
        case [str(uri), str(text)]:
            record = await _find_record(ls, await snapshot.take(ls, uri), text, target=None)
            return await _insert(ls, lambda: snapshot.take(ls, uri), None, record) if record else None
    raise refusal.make_refusal("citelsp.insert needs a URI and a text, or the argument of a code action")


async def _find_record(ls: "Server", moment: Moment, text: str, target: "Sought | None") -> "Record | None":
    """Return the work that `text` means: the first found if the answer is `certain`, else the one the author picks.

    None if he picks none.  `target`: what stands at the place; None for a text that was pasted.  Raises a refusal if
    nobody may be asked, if nothing is found, or if the project has no document for entries yet and none could be made.
    One that is there but cannot be written is refused later, by `_insert`.
    """
    if moment.project.settings.offline:
        raise refusal.make_refusal("nothing is looked up, because offline is set")
    # Before anybody is asked: where no entry can be written, nothing needs to leave the machine.
    if not moment.project.defining:  # no document of the project has entries yet
        hindrance = insert_entry.hindrance(moment.project, moment.path)
        if hindrance:
            raise refusal.make_refusal(hindrance)
    sources = await ls.online.sources(moment.project.settings)
    from citelsp.investigate import insert

    ls.online.tell("insert", insert.list_services(sources))
    async with progress(ls.work_done_progress, f"Looking up {shorten(text, _TEXT)}", shown=ls.client.progress):
        if target and target.key:  # a key without an entry: "vaswani2017attention" and its sentence say which work
            answer = await insert.find_by_key(target.key, target.sentence, sources)
        else:
            [answer] = await insert.find_all([text], sources)
    if not answer.candidates:
        raise refusal.make_refusal(answer.reason)
    return answer.candidates[0].record if answer.certain else await _ask_which(ls, text, answer)


async def _ask_which(ls: "Server", text: str, answer: "LookUp") -> "Record | None":
    """Let the author pick one of the works that may be meant; None if he picks none."""
    if ls.client.chooses:
        return await _ask_in_list(ls, text, answer)
    # The editor's dialogue answers the words on the button: they must say which work it is.  Works with the same words
    # share a button, which stands for the last of them.
    by_title = {_write_title(it.record): it.record for it in answer.candidates[:_BUTTONS]}
    question = types.ShowMessageRequestParams(
        types.MessageType.Info,
        break_links(f"Which work is {shorten(text, _TEXT)}?"),
        [types.MessageActionItem(title) for title in by_title],
    )
    button = await ls.window_show_message_request_async(question)
    # None if he chose no button; a malformed answer comes as it was sent, and has no title.
    return by_title.get(getattr(button, "title", ""))


async def _ask_in_list(ls: "Server", text: str, answer: "LookUp") -> "Record | None":
    """Let the author pick in a list of the editor, which has room for a line on each work; None if he picks none.

    The editor gets {"question", "choices": [{"label", "detail"}]}, and answers a choice's number from 0 on, or null.
    """
    records = [it.record for it in answer.candidates[:_ROWS]]
    choices = []
    for record in records:
        detail = ". ".join(filter(None, (author_year(record.authors, record.year), record.venue)))
        choices.append({"label": on_one_line(record.title), "detail": on_one_line(detail)})
    question = {"question": on_one_line(f"Which work is {shorten(text, _TEXT)}?"), "choices": choices}
    number = await ls.protocol.send_request_async(client.CHOOSE_OF, question)
    return records[number] if isinstance(number, int) and 0 <= number < len(records) else None


def _write_title(record: "Record") -> str:
    """`Vaswani et al. 2017: Attention Is All You Need`."""
    who = author_year(record.authors, record.year)
    return on_one_line(": ".join(filter(None, (who, shorten(record.title, _TITLE)))))


async def _insert(
    ls: "Server", take_snapshot: Callable[[], Awaitable[Moment]], target: "Sought | None", record: "Record"
) -> _LookedUp:
    """Ask the author which bibliography is meant, if that is in doubt; then return the work with its insertion.

    If `target`, what was looked up, still stands in the text, it is replaced by a citation; else only an entry is added
    (under the key that was to be defined, if it was one).  None: a pasted text, which stands nowhere.  `take_snapshot`
    takes a snapshot of the documents as they are when it is called.  Raises a refusal if no entry can be written.
    """
    await doubtful_export.ask_author(ls, await take_snapshot())
    # All this took seconds, in which the author wrote on: the change is made for the text as it is now.
    moment = await doubtful_export.use_answer(ls, await take_snapshot())
    still_there = target is not None and target == lookup_target.find_target(moment.project, moment.path, moment.span)
    insertion: Insertion | Refused
    if target and still_there:
        insertion = lookup_target.change(moment.project, moment.path, target, record)
    else:
        key = target.key if target else ""
        insertion = insert_entry.add_record(moment.project, moment.path, record, key)
    if isinstance(insertion, Refused):
        raise refusal.make_refusal(insertion.reason)
    return _LookedUp(record, moment, insertion)
