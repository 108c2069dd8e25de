"""Changed texts in the editor, and changed files outside it."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.server.answers import diagnostics, settings_changes
from citelsp.server.state import configuration
from citelsp.server.wire.documents import path_of
from citelsp.syntax import languages

if TYPE_CHECKING:
    from citelsp.server.server import Server


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


async def files_changed(ls: "Server", params: types.DidChangeWatchedFilesParams) -> None:
    """Outside the editor."""
    if any(configuration.is_settings_file(path_of(it.uri)) for it in params.changes):
        ls.jobs.start("settings", settings_changes.load_settings(ls))
    ls.projects.files_changed()
    diagnostics.refresh(ls)


def text_changed(ls: "Server", _: object) -> None:
    """No coroutine, as a task would be a tenth of a keystroke."""
    ls.jobs.stir()
    diagnostics.schedule(ls)


async def watch_files(ls: "Server") -> None:
    """Ask to be told, if the editor can; everything is looked at again when it is used anyway."""
    # Neovim on Linux watches nothing; files are compared by their times whenever they are used.
    if not ls.client.watched_files:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
    registration = types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await ls.client_register_capability_async(types.RegistrationParams([registration]))
