"""The beginning, settings, folders and documents: what every session needs before it asks anything."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.server import configuration, indexing, watching
from citelsp.server.uris import path_of

if TYPE_CHECKING:
    from citelsp.server.server import Server


async def initialized(ls: "Server", _: types.InitializedParams) -> None:
    configuration.start(ls)
    ls.protocol.prepare()
    ls.jobs.start("settings", configuration.load(ls))
    ls.jobs.start("watch files", watching.register(ls))
    ls.jobs.start("watched papers", indexing.follow(ls))


async def configuration_changed(ls: "Server", params: types.DidChangeConfigurationParams) -> None:
    ls.jobs.start("settings", configuration.load(ls, params.settings))


async def folders_changed(ls: "Server", params: types.DidChangeWorkspaceFoldersParams) -> None:
    removed = {path_of(it.uri) for it in params.event.removed}
    kept = [it for it in ls.configuration.folders if it not in removed]
    ls.configuration.folders = [*kept, *(path_of(it.uri) for it in params.event.added)]
    ls.jobs.start("settings", configuration.load(ls))
