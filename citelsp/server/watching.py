"""Files that change outside the editor."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.server import configuration, diagnostics
from citelsp.server.uris import path_of

if TYPE_CHECKING:
    from citelsp.server.server import Server

_WATCHED = "**/*.{tex,ltx,md,markdown,qmd,Rmd,rmd,bib,json,yaml,yml,toml}"


async def register(ls: "Server") -> None:
    """Ask to be told, where the editor can; everything is looked at again when it is used anyway."""
    if not ls.client.watched_files:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(_WATCHED)])
    registration = types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await ls.client_register_capability_async(types.RegistrationParams([registration]))


async def changed(ls: "Server", params: types.DidChangeWatchedFilesParams) -> None:
    if any(configuration.is_settings_file(path_of(it.uri)) for it in params.changes):
        ls.jobs.start("settings", configuration.load(ls))
    ls.projects.files_changed()
    diagnostics.refresh(ls)
