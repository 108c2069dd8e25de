"""The beginning, settings, folders and documents: what every session needs before it asks anything."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from citelsp.base import extras
from citelsp.features import neighbours
from citelsp.server.answers import diagnostics, indexing
from citelsp.server.state import configuration, garbage
from citelsp.server.wire.documents import path_of, uri_of
from citelsp.syntax import languages

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.server.server import Server

logger = logging.getLogger(__name__)


def _make_watched_pattern() -> str:
    """Return a glob of the files that a project is made of, for the editor to watch: settings, and all languages.

    Most editors tell letter case apart in the names of files, and R's files often end in capitals: each ending is
    spelled in three ways, such as `rmd`, `Rmd` and `RMD`.
    """
    spellings: dict[str, None] = {}  # a set that keeps its order
    endings = ["toml"]
    for language in languages.ALL:
        if language.title:  # its name for people; what has none is no format of files of its own
            endings += language.endings
    for ending in endings:
        spellings |= dict.fromkeys((ending, ending.capitalize(), ending.upper()))
    return f"**/*.{{{','.join(spellings)}}}"


WATCHED = _make_watched_pattern()


async def initialized(ls: "Server", _: types.InitializedParams) -> None:
    """Read the user's settings, warm up what reads keystrokes, and start the first jobs.

    Some of these tell or ask the editor something once, others run as long as the server does.  The editor sends this
    notice once, after it got the server's capabilities; `_` holds nothing.
    """
    initial = ls.initial  # what the editor said of itself in its first request
    # `beside`: other programs that the editor says it runs, such as another language server for the same files.
    ls.configuration.start(_list_folders(initial), initial.initialization_options, ls.client.beside)
    # The user's file alone first: the editor is asked in the job `settings`, and may take its time to answer.
    ls.configuration.read(())
    _set_up(ls)
    ls.protocol.prepare()  # else the first keystroke would wait for what is set up at the first one
    ls.jobs.start("settings", _load_settings(ls))
    ls.jobs.start("watch files", _watch_files(ls))
    ls.jobs.start("formatting", _register_formatting(ls))
    ls.jobs.start("watched papers", indexing.follow(ls))
    ls.jobs.start("garbage", garbage.collect(ls.jobs))


async def configuration_changed(ls: "Server", params: types.DidChangeConfigurationParams) -> None:
    ls.jobs.start("settings", _load_settings(ls, [params.settings]))


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


async def _load_settings(ls: "Server", sent: Sequence[object] | None = None) -> None:
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
    _set_up(ls)
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


def _set_up(ls: "Server") -> None:
    """Read below the folders, knowing the commands and bibliographies to write to of all settings."""
    commands: dict[str, None] = {}  # sets that keep their order
    bibliographies: dict[str, None] = {}
    for settings in ls.configuration.all():
        commands |= dict.fromkeys(settings.syntax.cite_commands)
        if settings.writing.write_to:
            bibliographies[settings.writing.write_to] = None
    ls.projects.set_up(ls.configuration.folders, commands, bibliographies)


async def _watch_files(ls: "Server") -> None:
    """Ask to be told, if the editor can; everything is looked at again when it is used anyway."""
    # Neovim on Linux watches nothing; files are compared by their times whenever they are used.
    if not ls.client.watched_files:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
    registration = types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await ls.client_register_capability_async(types.RegistrationParams([registration]))


async def _register_formatting(ls: "Server") -> None:
    """Offer to lay out .bib files alone, if the editor can be told so.

    An editor that takes it for an offer to lay out manuscripts, too, wraps no paragraph by itself any more (Neovim's
    gq), or asks which of two programs shall format them (VS Code).
    """
    if not ls.client.formatting_by_document:
        return
    bibtex = languages.BIBTEX
    selector: list[types.DocumentFilter] = [
        types.TextDocumentFilterLanguage(language) for language in (*bibtex.endings, *bibtex.ids)
    ]
    selector.append(types.TextDocumentFilterPattern(f"**/*.{{{','.join(bibtex.endings)}}}"))
    options = types.DocumentFormattingRegistrationOptions(document_selector=selector)
    range_options = types.DocumentRangeFormattingRegistrationOptions(document_selector=selector)
    registrations = [
        types.Registration("formatting", types.TEXT_DOCUMENT_FORMATTING, options),
        types.Registration("range-formatting", types.TEXT_DOCUMENT_RANGE_FORMATTING, range_options),
    ]
    await ls.client_register_capability_async(types.RegistrationParams(registrations))


def _list_folders(params: types.InitializeParams) -> list[str]:
    """The workspace folders, or the one root that older editors send."""
    if params.workspace_folders:
        return [path_of(it.uri) for it in params.workspace_folders]
    if params.root_uri:
        return [path_of(params.root_uri)]
    return [params.root_path] if params.root_path else []
