"""The beginning, settings, folders and documents: what every session needs before it asks anything."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base import extras
from citelsp.features import neighbours
from citelsp.server.answers import diagnostics, indexing
from citelsp.server.state import configuration, garbage
from citelsp.server.wire.documents import path_of, uri_of
from citelsp.syntax import languages

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.server.server import Server

_ENDINGS = ("toml", *(ending for it in languages.ALL if it.title for ending in it.endings))
# Most editors tell letters apart in the names of files: R's own are often in capitals.
WATCHED = f"**/*.{{{','.join(dict.fromkeys(way for it in _ENDINGS for way in (it, it.capitalize(), it.upper())))}}}"


async def initialized(ls: "Server", _: types.InitializedParams) -> None:
    initial = ls.initial
    ls.configuration.start(_folder_paths(initial), initial.initialization_options, ls.client.beside)
    # Before the editor is asked, which may take its time: the user's file holds meanwhile.
    ls.configuration.read(())
    _set_up(ls)
    ls.protocol.prepare()
    ls.jobs.start("settings", _load_settings(ls))
    ls.jobs.start("watch files", _watch_files(ls))
    ls.jobs.start("watched papers", indexing.follow(ls))
    ls.jobs.start("garbage", garbage.collect(ls.jobs))


async def configuration_changed(ls: "Server", params: types.DidChangeConfigurationParams) -> None:
    ls.jobs.start("settings", _load_settings(ls, params.settings))


async def folders_changed(ls: "Server", params: types.DidChangeWorkspaceFoldersParams) -> None:
    removed = {path_of(it.uri) for it in params.event.removed}
    remaining = [it for it in ls.configuration.folders if it not in removed]
    ls.configuration.folders = [*remaining, *(path_of(it.uri) for it in params.event.added)]
    ls.jobs.start("settings", _load_settings(ls))


def text_changed(ls: "Server", _: object) -> None:
    """No coroutine, as a task would be a tenth of a keystroke."""
    ls.jobs.stir()
    diagnostics.schedule(ls)


async def files_changed(ls: "Server", params: types.DidChangeWatchedFilesParams) -> None:
    """Outside the editor."""
    if any(configuration.is_settings_file(path_of(it.uri)) for it in params.changes):
        ls.jobs.start("settings", _load_settings(ls))
    ls.projects.files_changed()
    diagnostics.refresh(ls)


async def _load_settings(ls: "Server", sent: object = None) -> None:
    """Ask the editor for its settings, or take what it `said` unasked; tell the author what is wrong in them."""
    folders = ls.configuration.folders
    answers: Sequence[object] = [sent]
    # Asked for each folder, as VS Code may have settings in each; what is sent unasked is for no folder.
    if ls.client.configuration:
        items = [types.ConfigurationItem(section=configuration.SECTION)]
        items += [types.ConfigurationItem(scope_uri=uri_of(it), section=configuration.SECTION) for it in folders]
        answer = await ls.workspace_configuration_async(types.ConfigurationParams(items))
        answers = answer if isinstance(answer, Sequence) and not isinstance(answer, str) else [answer]
    before = list(map(_reach, ls.configuration.all()))
    problems = ls.configuration.read(answers)
    if list(map(_reach, ls.configuration.all())) != before:
        # What was answered, or not, under other settings says nothing of who would answer now.
        ls.knowledge = replace(ls.knowledge, answers={})
        ls.asking.forget()
    _set_up(ls)
    if beside := [it for it in ls.configuration.all() if ls.client.beside and it.beside == ls.client.beside]:
        remark = neighbours.remark(ls.client.beside, keys=not any(it.completion.keys for it in beside))
        ls.online.say_once(f"beside-{'-'.join(ls.client.beside)}", remark)
    diagnostics.refresh(ls)
    if ls.client.refresh_hints:  # an editor that asked for them before knew none
        ls.workspace_inlay_hint_refresh(None)
    await ls.endpoints.keep(ls.configuration.all())
    if any(it.model.base_url and it.model.name for it in ls.configuration.all()) and extras.missing("model"):
        ls.warn(f"Your model needs the package openai. Run {extras.command('model')}")
    if problems:
        ls.warn("citelsp settings: " + " ".join(problems))


def _reach(settings: "Settings") -> tuple[object, ...]:
    """Who may be asked, and how."""
    online = (settings.offline, settings.email, settings.proxy, settings.services, settings.online)
    return *online, settings.model, settings.embeddings, settings.rerank


def _set_up(ls: "Server") -> None:
    """Read below the folders, knowing the commands of all settings."""
    every = ls.configuration.all()
    commands = dict.fromkeys(name for it in every for name in it.syntax.cite_commands)
    written = dict.fromkeys(it.writing.write_to for it in every if it.writing.write_to)
    ls.projects.set_up(ls.configuration.folders, commands, written)


async def _watch_files(ls: "Server") -> None:
    """Ask to be told, if the editor can; everything is looked at again when it is used anyway."""
    # Neovim on Linux watches nothing; files are compared by their times whenever they are used.
    if not ls.client.watched_files:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
    registration = types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await ls.client_register_capability_async(types.RegistrationParams([registration]))


def _folder_paths(params: types.InitializeParams) -> list[str]:
    """The workspace folders, or the one root that older editors send."""
    if params.workspace_folders:
        return [path_of(it.uri) for it in params.workspace_folders]
    if params.root_uri:
        return [path_of(params.root_uri)]
    return [params.root_path] if params.root_path else []
