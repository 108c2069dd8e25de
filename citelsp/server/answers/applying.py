"""Changes that the editor is to make, and what is said of the works that they cite."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.features import insert_entry
from citelsp.features.values import Change, shortened
from citelsp.server.wire import refusal, to_lsp
from citelsp.server.wire.places import Moment

if TYPE_CHECKING:
    from citelsp.bibliography.record import Record
    from citelsp.server.server import Server

_LABEL = 50  # characters: Neovim prints it while the author types, and waits for a key if it fills the line


def caution(ls: "Server", record: "Record") -> None:
    """Say of a work just cited what speaks against it."""
    if warning := insert_entry.caution(record):
        ls.warn(f"citelsp: {shortened(record.title, 70)}. {warning}")


async def apply(ls: "Server", at: Moment, change: Change, label: str) -> None:
    """Have the editor make a change, if there is one."""
    if not change:
        return
    if not ls.client.apply_edit:
        raise refusal.failed("this editor does not support edits made by the server")
    edit = to_lsp.workspace_edit(at.places, change, ls.client)
    answer = await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, shortened(label, _LABEL)))
    if not answer.applied:
        raise refusal.failed(answer.failure_reason or "the editor did not apply the change")
