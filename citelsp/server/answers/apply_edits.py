"""Changes that the editor is to make, and what is said of the works that they cite."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import Edit
from citelsp.features import insert_entry
from citelsp.features.values import Change, file_name, shorten
from citelsp.server.state.projects import Moment
from citelsp.server.wire import client, refusal, to_lsp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citelsp.bibliography.record import Record
    from citelsp.server.server import Server

_LABEL = 50  # characters: Neovim prints it while the author types, and waits for a key if it fills the line
_TITLE = 70  # characters


def caution(ls: "Server", record: "Record") -> None:
    """Warn the author of what speaks against a work just cited, such as a retraction; nothing if nothing does."""
    warning = insert_entry.caution(record)
    if warning:
        ls.warn(f"citelsp: {shorten(record.title, _TITLE)}. {warning}")


async def apply(ls: "Server", moment: Moment, change: Change, label: str) -> None:
    """Have the editor make a change, if there is one; a refusal if it cannot, or does not."""
    if not change:
        return
    if not ls.client.apply_edit:
        raise refusal.make_refusal("this editor does not support edits made by the server")
    edit = to_lsp.workspace_edit(moment.places, change, ls.client)
    answer = await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, shorten(label, _LABEL)))
    # A malformed answer comes as it was sent: it does not say that the change was made.
    is_applied = isinstance(answer, types.ApplyWorkspaceEditResult) and answer.applied
    if not is_applied:
        reason = getattr(answer, "failure_reason", None)
        raise refusal.make_refusal(reason or "the editor did not apply the change")


def announce(ls: "Server", moment: Moment, change: Change, keys: "Sequence[str]") -> None:
    """Notify the editor, if it shows such notices, to which files the entries of `keys` were added.

    Keys that had an entry before, at `moment`, are left out, as their works were only cited.  `change`: the additions
    alone, without the edit of the citation; nothing is sent if it is empty.  Sent are {"message", "manuscript", "keys",
    "files": the bibliographies, none if the list is in the text, "save": whether to save them}; if all was added by one
    edit of one bibliography, also what `_describe_edit` returns.
    """
    if not ls.client.shows_added or not change:
        return
    added = [key for key in keys if not moment.project.find(key)]
    in_bibliographies = [edit for edit in change.edits if edit.path in moment.project.bibliographies]
    changed_paths = [edit.path for edit in in_bibliographies] + [file.path for file in change.files]
    paths = list(dict.fromkeys(changed_paths))
    shown_paths = paths or list(dict.fromkeys(edit.path for edit in change.edits))  # a list in the text
    addition: dict[str, object] = {
        "message": f"Added {', '.join(added)} to {' and '.join(map(file_name, shown_paths))}",
        "manuscript": moment.places.uri(moment.path),
        "keys": added,
        "files": list(map(moment.places.uri, paths)),
        "save": moment.project.settings.writing.save,
    }
    is_single_insertion = len(change.edits) == len(in_bibliographies) == 1 and not change.files
    if is_single_insertion:
        addition |= _describe_edit(moment, in_bibliographies[0])
    ls.protocol.notify(client.ADDED_TO, addition)


def _describe_edit(moment: Moment, edit: Edit) -> dict[str, object]:
    """Return where an edit is made, and the text before and after, by which the editor can take it back."""
    document = moment.project.sources[edit.path].document
    return {
        "uri": moment.places.uri(edit.path),
        "position": to_lsp.write_range(moment.places.range(edit.path, edit.span))["start"],
        "old_text": edit.span.within(document.text),
        "new_text": edit.new_text,
    }
