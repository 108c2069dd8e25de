"""Changed settings and folders: settings are asked for and read anew, and everything follows them."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from citelsp.base import extras
from citelsp.features import neighbours
from citelsp.server.answers import diagnostics
from citelsp.server.state import configuration
from citelsp.server.wire.documents import path_of, uri_of

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.server.server import Server

logger = logging.getLogger(__name__)


async def configuration_changed(ls: "Server", params: types.DidChangeConfigurationParams) -> None:
    ls.jobs.start("settings", load_settings(ls, [params.settings]))


async def folders_changed(ls: "Server", params: types.DidChangeWorkspaceFoldersParams) -> None:
    removed = {path_of(it.uri) for it in params.event.removed}
    remaining = [it for it in ls.configuration.folders if it not in removed]
    ls.configuration.folders = [*remaining, *(path_of(it.uri) for it in params.event.added)]
    ls.jobs.start("settings", load_settings(ls))


async def load_settings(ls: "Server", sent: Sequence[object] | None = None) -> None:
    """Ask the editor for its settings; if it cannot be asked, take what it `sent` unasked.  Read all settings anew.

    `sent` is None if the editor says nothing now: what it said last holds.  What services answered is forgotten if
    others may be asked now; then everything else follows (`_follow_settings`), and the author is told what is wrong in
    the settings.
    """
    if ls.client.configuration:
        answers = await _ask_for_settings(ls)
    else:
        answers = ls.configuration.from_editor if sent is None else sent
    reach_before = list(map(_read_reach, ls.configuration.all()))
    problems = ls.configuration.read(answers)
    if list(map(_read_reach, ls.configuration.all())) != reach_before:
        # Other services may be asked now: answers, and silences, from before are forgotten.
        ls.knowledge = replace(ls.knowledge, answers={})
        ls.asking.forget()
    await _follow_settings(ls)
    if problems:
        ls.warn("citelsp settings: " + " ".join(problems))


async def _follow_settings(ls: "Server") -> None:
    """Make projects, findings, hints and connections to models anew, as the settings now are.

    The author is told what is left to other programs, and if a package is missing that his model needs.
    """
    set_up(ls)
    _tell_of_programs_beside(ls)
    diagnostics.refresh(ls)
    if ls.client.refresh_hints:  # the settings say whether there are hints: what was shown before may be wrong now
        ls.workspace_inlay_hint_refresh(None)
    await ls.endpoints.keep(ls.configuration.all())
    uses_model = any(it.model.base_url and it.model.name for it in ls.configuration.all())
    if uses_model and extras.is_missing("model"):
        ls.warn(f"Your model needs the package openai. Run {extras.command('model')}")


async def _ask_for_settings(ls: "Server") -> Sequence[object]:
    """Ask the editor for its settings, for no folder and then for each, as VS Code may have settings in each.

    If it answers with an error, return what it said last: services that the author switched off stay off.
    """
    items = [types.ConfigurationItem(section=configuration.SECTION)]
    items += [types.ConfigurationItem(uri_of(it), configuration.SECTION) for it in ls.configuration.folders]
    try:
        answer = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    except JsonRpcException as error:
        logger.warning("the editor does not tell its settings: %s", error)
        return ls.configuration.from_editor
    # One that is no list is malformed, and counts as one set of settings for all folders.
    return answer if isinstance(answer, Sequence) and not isinstance(answer, str) else [answer]


def _tell_of_programs_beside(ls: "Server") -> None:
    """Tell the author once what is left to the programs that the editor runs beside, unless other ones are set."""
    programs = ls.client.beside
    concerned = [it for it in ls.configuration.all() if programs and it.beside == programs]
    if concerned:
        remark = neighbours.remark(programs, keys=not any(it.completion.keys for it in concerned))
        ls.online.say_once(f"beside-{'-'.join(programs)}", remark)


def _read_reach(settings: "Settings") -> tuple[object, ...]:
    """What of the settings says who may be asked, and how."""
    online = (settings.offline, settings.email, settings.proxy, settings.services, settings.online)
    return *online, settings.model, settings.embeddings, settings.rerank


def set_up(ls: "Server") -> None:
    """Read below the folders, knowing the commands and bibliographies to write to of all settings."""
    commands: dict[str, None] = {}  # sets that keep their order
    bibliographies: dict[str, None] = {}
    for settings in ls.configuration.all():
        commands |= dict.fromkeys(settings.syntax.cite_commands)
        if settings.writing.write_to:
            bibliographies[settings.writing.write_to] = None
    ls.projects.set_up(ls.configuration.folders, commands, bibliographies)
