"""What is known of an entry, with its reference as the manuscript's own style prints it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from citelsp.workspace import csl_styles

if TYPE_CHECKING:
    from citelsp.knowledge import Knowledge
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment
    from citelsp.workspace.project import Place


async def knowledge(ls: "Server", moment: "Moment", place: "Place | None") -> "Knowledge":
    """Return the snapshot's knowledge, and in it, if it can be had, one entry printed in the manuscript's own style.

    `place` is the entry with where it stands.  The reference is put into `references` by the entry's content.  The
    knowledge is returned as it is if `place` is None, if the manuscript declares no style, or if no program prints the
    reference in time.
    """
    if place is None or not csl_styles.declares(moment.project):
        return moment.knowledge
    from citelsp.bibliography import biblatex_source

    folders, style = await ls.projects.work(
        lambda files: (files.folders(), csl_styles.find_declared(moment.project, files.folders()))
    )
    if not style:
        return moment.knowledge
    printed = await ls.printed.reference_of(biblatex_source.write(place.entry), style, folders)
    return replace(moment.knowledge, references={place.content: printed}) if printed else moment.knowledge
