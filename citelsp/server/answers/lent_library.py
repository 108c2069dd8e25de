"""A running Zotero's library, lent to manuscripts that name no bibliography."""

from typing import TYPE_CHECKING

from citelsp.knowledge import Unavailable
from citelsp.workspace import borrowing

if TYPE_CHECKING:
    from collections.abc import Callable

    from citelsp.base.settings import Settings
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment


def look(ls: "Server", at: "Moment", changed: "Callable[[Server], None]") -> None:
    """Have it lent if the manuscript has use for it, now and then; Zotero is on this machine, so nothing leaves it."""
    project = at.project
    if not (borrowing.wants(project) or ls.projects.lent in project.unnamed) or not ls.library.is_due():
        return
    from citelsp.sources import registry

    if not registry.refusal(project.settings, "zotero"):
        ls.jobs.start("zotero library", _lend(ls, project.settings, changed))


async def _lend(ls: "Server", settings: "Settings", changed: "Callable[[Server], None]") -> None:
    from citelsp.investigate import zotero_snapshot

    path = await zotero_snapshot.current((await ls.online.sources(settings)).client)
    if not isinstance(path, Unavailable) and ls.projects.lend(str(path)):
        changed(ls)
