"""A library of Zotero, or a collection of one, as a bibliography in memory; nothing is written to Zotero."""

from typing import TYPE_CHECKING

from citelsp.bibliography import write_entry
from citelsp.bibliography.file_style import Style
from citelsp.knowledge import Unavailable
from citelsp.received.inputs import FIELD_OF_ZOTERO, Received
from citelsp.sources import zotero

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citelsp.sources.client import Client
    from citelsp.sources.zotero import Item

NAME = "Zotero"
HEADER = "% Exported from Zotero by citelsp: changes to this file will be lost.\n\n"
_STYLE = Style(dialect="biblatex", trailing_comma=False)


async def read_library(client: "Client", *, collection: str = "", groups: bool = False) -> Received:
    """Return the user's own Zotero library as a bibliography; with `groups` one for each group library, too.

    If `collection` is a name, only the items of the collections of that name are in them.  A library without items,
    or without such a collection, gets no bibliography.  If none gets one, or if Zotero does not answer for any of them,
    `problem` of the result says so, and there are no texts.
    """
    places = await zotero.libraries(client) if groups else (zotero.OWN,)
    if isinstance(places, Unavailable):
        return unavailable(places)
    texts = {}
    for place in places:
        parts = await zotero.collections(client, place, collection) if collection else (place,)
        if isinstance(parts, Unavailable):
            return unavailable(parts)
        items: dict[str, Item] = {}  # by id, as an item may be in several collections
        for part in parts:  # the collections, or the whole library
            items_of_part = await zotero.items(client, part)
            if isinstance(items_of_part, Unavailable):
                return unavailable(items_of_part)
            items |= {it.record.id: it for it in items_of_part}
        if items:
            name = (await zotero.name_of(client, place)).replace("/", "-").replace("\\", "-")
            path = f"{NAME}/{name}.bib"
            if path in texts:  # another group has this name: the group's number tells them apart
                path = f"{NAME}/{name} {place.rpartition('/')[2]}.bib"
            texts[path] = as_bibliography(items.values())
    if not texts:
        what = f"has no collection “{collection}” with items" if collection else "has no items"
        return Received(NAME, problem=what)
    return Received(NAME, texts)


def as_bibliography(items: "Iterable[Item]") -> str:
    """An entry for each item, under its citekey or else the item's key."""
    return "\n".join(map(_entry, items))


def _entry(item: "Item") -> str:
    written = write_entry.write_work(item.record, item.citekey or item.record.id, _STYLE)
    return f"{written[: written.rindex('}')].rstrip()},\n  {FIELD_OF_ZOTERO} = {{{item.address}}}\n}}\n"


def unavailable(trouble: Unavailable) -> Received:
    """Why there is no library."""
    problem = f"did not answer ({trouble.why}): start it, and let other applications communicate with it"
    return Received(NAME, problem=problem)
