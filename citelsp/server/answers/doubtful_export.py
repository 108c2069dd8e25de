"""A bibliography that may be another program's export is not written to before its author says so."""

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from citelsp.base.text import break_links, on_one_line
from citelsp.features import write_targets
from citelsp.features.values import file_name
from citelsp.server.wire import client

if TYPE_CHECKING:
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment

logger = logging.getLogger(__name__)


async def ask_author(ls: "Server", moment: "Moment") -> None:
    """Ask, once in a session, whether the bibliography for new entries is an export; `use_answer` reads the answer.

    If the editor answers with an error, the file counts as an export.  Nobody is asked if there is no doubt.  The
    author may write on before he answers: take another snapshot then.
    """
    doubt = await _find_doubt(ls, moment)
    if doubt is None:
        return
    export, other = doubt
    if export in ls.chosen_targets:
        return
    try:
        keeps_it = await _is_own(ls, export, other)
    except JsonRpcException as error:  # the work was accepted, and its entry must not be missing
        logger.warning("the editor does not ask the author: %s", error)
        keeps_it = False
    ls.chosen_targets[export] = export if keeps_it else other


async def use_answer(ls: "Server", moment: "Moment") -> "Moment":
    """Return the snapshot with the setting `write_to` naming the bibliography that the author chose for new entries.

    The snapshot is returned as it is if no bibliography may be an export of another program, if the author said that he
    keeps the file himself, or if he was not asked (`ask_author`).
    """
    doubt = await _find_doubt(ls, moment)
    if doubt is None:
        return moment
    export, _ = doubt  # the file that may be an export
    chosen = ls.chosen_targets.get(export, export)
    if chosen == export:
        return moment
    settings = moment.project.settings
    settings = replace(settings, writing=replace(settings.writing, write_to=chosen))
    # Both the snapshot and its places hold the project.
    project = replace(moment.project, settings=settings)
    return replace(moment, project=project, places=replace(moment.places, project=project))


async def is_doubtful(ls: "Server", moment: "Moment") -> bool:
    """True if `ask_author` may ask."""
    return await _find_doubt(ls, moment) is not None


async def _find_doubt(ls: "Server", moment: "Moment") -> tuple[str, str] | None:
    """The bibliography that may be an export, and where entries would go instead; None if there is no doubt."""
    return await ls.projects.work(lambda _: write_targets.doubtful(moment.project, moment.path))


async def _is_own(ls: "Server", export: str, other: str) -> bool:
    """Ask the author whether he keeps the file `export` himself, in the editor's list or else by a message's buttons.

    True if he does, and entries may be added there; False if they are to go to the file `other`, and also if he does
    not answer: what is added to another file than an export is never lost.
    """
    name = file_name(export)
    question = (
        f"Is {name} exported by Better BibTeX? Its next export would drop what is added. writing.write_to settles it."
    )
    to_export = f"Add to {name}"
    to_other = f"Add to {file_name(other)}"
    if ls.client.chooses:
        choices = [
            {"label": to_export, "detail": "I keep this file myself"},
            {"label": to_other, "detail": "A new file, which the manuscript then names too"},
        ]
        request = {"question": on_one_line(question), "choices": choices}
        number = await ls.protocol.send_request_async(client.CHOOSE_OF, request)
        return bool(number == 0)  # the first choice
    buttons = [types.MessageActionItem(to_export), types.MessageActionItem(to_other)]
    button = await ls.window_show_message_request_async(
        types.ShowMessageRequestParams(types.MessageType.Info, break_links(question), buttons)
    )
    # A malformed answer comes as it was sent, and has no title.
    return getattr(button, "title", "") == to_export
