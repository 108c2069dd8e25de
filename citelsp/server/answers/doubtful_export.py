"""A bibliography that may be another program's export is not written to before its author says so."""

from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import on_one_line, unlinked
from citelsp.features import write_targets
from citelsp.features.values import file_name
from citelsp.server.wire import client

if TYPE_CHECKING:
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment


async def settled(ls: "Server", moment: "Moment") -> "Moment":
    """The moment with the bibliography that the author chose for new entries, asked once in a session."""
    doubt = await _doubt(ls, moment)
    if doubt is None:
        return moment
    export, other = doubt
    if export not in ls.chosen_targets:
        ls.chosen_targets[export] = export if await _is_own(ls, export, other) else other
    if (chosen := ls.chosen_targets[export]) == export:
        return moment
    writing = replace(moment.project.settings.writing, write_to=chosen)
    project = replace(moment.project, settings=replace(moment.project.settings, writing=writing))
    return replace(moment, project=project, places=replace(moment.places, project=project))


async def is_doubtful(ls: "Server", moment: "Moment") -> bool:
    """True if `settled` may ask."""
    return await _doubt(ls, moment) is not None


async def _doubt(ls: "Server", moment: "Moment") -> tuple[str, str] | None:
    return await ls.projects.work(lambda _: write_targets.doubtful(moment.project, moment.path))


async def _is_own(ls: "Server", export: str, other: str) -> bool:
    """False as well if the author does not answer: what is added beside an export is never lost."""
    name = file_name(export)
    question = (
        f"Is {name} exported by Better BibTeX? Its next export would drop what is added. writing.write_to settles it."
    )
    yes, no = f"Add to {name}", f"Add to {file_name(other)}"
    if ls.client.chooses:
        details = {yes: "I keep this file myself", no: "A new file, which the manuscript then names too"}
        choices = [{"label": it, "detail": details[it]} for it in (yes, no)]
        asked = {"question": on_one_line(question), "choices": choices}
        return bool(await ls.protocol.send_request_async(client.CHOOSE_OF, asked) == 0)
    answer = await ls.window_show_message_request_async(
        types.ShowMessageRequestParams(
            types.MessageType.Info, unlinked(question), [types.MessageActionItem(it) for it in (yes, no)]
        )
    )
    return bool(answer and answer.title == yes)
