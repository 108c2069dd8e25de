"""Add to Zotero: an entry goes there through Zotero's connector, on this machine."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import on_one_line
from citelsp.bibliography import entry_record
from citelsp.bibliography.fold import bare_letters
from citelsp.features import export_entries, key_mentions
from citelsp.knowledge import Unavailable
from citelsp.server.state import snapshot
from citelsp.server.wire import refusal, to_lsp

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.bibliography.record import Record
    from citelsp.server.server import Server
    from citelsp.server.state.projects import Moment
    from citelsp.workspace.project import Place


def offer(ls: "Server", moment: "Moment", uri: str) -> list[types.Command]:
    """Return the command that adds the entry at the cursor, or of the citation there, to Zotero.

    Empty if there is no entry, if the settings forbid to ask Zotero, or if it did not answer when it was asked last, or
    was never asked: it is asked once in a while, in the background, and the answer counts for the next offer.
    """
    from citelsp.sources import service_specs

    settings = moment.project.settings
    place = _find_entry(moment)
    if place is None or service_specs.refusal(settings, "zotero"):
        return []
    if ls.zotero.is_due():
        ls.jobs.start("zotero", _look_for_zotero(ls, settings))
    if not ls.zotero.answers:
        return []
    start = to_lsp.write_range(moment.places.range(moment.path, moment.span))["start"]
    title = on_one_line(f"Add {place.node.key} to Zotero")
    return [types.Command(title, "citelsp.addToZotero", arguments=[{"uri": uri, "position": start}])]


async def command(ls: "Server", arguments: Sequence[object]) -> str:
    """Add the entry at {"uri", "position"} to the collection that is open in Zotero, unless it has the work already.

    It has the work if a search for the title finds one of the same title and year; an entry without a title is added
    unseen.  Tells the author whether it was added or there already, and returns the entry's key.  Raises a refusal if
    there is no entry there, or if Zotero does not take it, also because the settings forbid to ask it.
    """
    from citelsp.server.wire import arguments as args
    from citelsp.sources import zotero

    moment = await snapshot.take(ls, *args.place("citelsp.addToZotero", arguments))
    place = _find_entry(moment)
    if place is None:
        raise refusal.make_refusal("there is no entry here")
    key = place.node.key
    record = entry_record.from_entry(place.entry)
    client = (await ls.online.sources(moment.project.settings)).client
    if record.title:
        candidates = await zotero.search(client, record.title)
        # If Zotero does not answer the search, the message of `zotero.add` below says why.
        if not isinstance(candidates, Unavailable) and any(_is_same(record, it.record) for it in candidates):
            ls.inform(f"citelsp: Zotero has {key} already.")
            return key
    trouble = await zotero.add(client, export_entries.export_one(moment.project, place))
    if trouble:
        raise refusal.make_refusal(f"Zotero did not take {key}: {trouble.why}")
    ls.inform(f"citelsp: Added {key} to Zotero.")
    return key


def _is_same(record: "Record", other: "Record") -> bool:
    return bare_letters(record.title) == bare_letters(other.title) and record.year == other.year


def _find_entry(moment: "Moment") -> "Place | None":
    """The entry at the moment's place, or that a citation there cites; None if there is none."""
    mention = key_mentions.mention_at(moment.project, moment.path, moment.offset)
    if mention is None or mention.role not in ("citation", "entry"):
        return None
    return moment.project.find_first(mention.key)


async def _look_for_zotero(ls: "Server", settings: "Settings") -> None:
    from citelsp.sources import zotero

    ls.zotero.answers = await zotero.is_running((await ls.online.sources(settings)).client)
