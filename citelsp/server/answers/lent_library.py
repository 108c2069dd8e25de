"""Bibliographies from elsewhere: a running Zotero's library for manuscripts that name none, and those at an address."""

from typing import TYPE_CHECKING

from citelsp.knowledge import Unavailable
from citelsp.workspace import borrowing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from citelsp.base.settings import Settings
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment


def look_for_library(ls: "Server", moment: "Moment", changed: "Callable[[Server], None]") -> None:
    """Ask Zotero on this machine for its library if the manuscript has use for it; in the background, once in a while.

    A manuscript has use for it if it cites and has no bibliography, or if it has been lent that library before: then
    the copy is renewed, and read when somebody asks for the project next.  `changed` is called if the library is there
    now and was not before.  Nothing is done if the settings forbid to ask Zotero.
    """
    project = moment.project
    has_use = borrowing.wants(project) or ls.projects.lent in project.unnamed  # unnamed: read, though not named by it
    if not has_use or not ls.library.is_due():
        return
    from citelsp.sources import service_specs

    if not service_specs.refusal(project.settings, "zotero"):
        ls.jobs.start("zotero library", _lend_zotero(ls, project.settings, changed))


def fetch_bibliographies(ls: "Server", moment: "Moment", changed: "Callable[[Server], None]") -> None:
    """Read bibliographies at the addresses that the user's settings allow; in the background, once in a while.

    `changed` is called if a new one came.
    """
    settings = moment.project.settings
    if not settings.online.bibliographies or settings.offline:
        return
    from citelsp.investigate import remote_bibliographies

    unread = remote_bibliographies.addresses(moment.project, settings)
    if unread and ls.remote.is_due():
        ls.jobs.start("remote bibliographies", _fetch_bibliographies(ls, settings, unread, changed))


async def _fetch_bibliographies(
    ls: "Server", settings: "Settings", unread: "Sequence[str]", changed: "Callable[[Server], None]"
) -> None:
    from citelsp.investigate import remote_bibliographies

    client = (await ls.online.sources(settings)).client
    if ls.projects.provide(await remote_bibliographies.fetch_all(client, unread)):
        changed(ls)


async def _lend_zotero(ls: "Server", settings: "Settings", changed: "Callable[[Server], None]") -> None:
    from citelsp.investigate import zotero_snapshot

    path = await zotero_snapshot.find_current((await ls.online.sources(settings)).client)
    if not isinstance(path, Unavailable) and ls.projects.lend(str(path)):
        changed(ls)
