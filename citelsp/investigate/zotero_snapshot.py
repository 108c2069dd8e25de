"""The user's Zotero libraries as a .bib in the cache, for manuscripts that cite by Zotero's keys and name no .bib.

Only what has a citation key is in it.  Nothing is written to Zotero.
"""

import asyncio
import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from citelsp.base import atomic, user_places
from citelsp.knowledge import Unavailable
from citelsp.received import zotero_library
from citelsp.sources import zotero
from citelsp.sources.client import Client


async def find_current(client: Client) -> Path | Unavailable:
    """Return the path of a snapshot of the libraries as they are now; it is written anew only if one of them changed.

    Unavailable if one of the libraries cannot be read: the rest would be taken for all.
    """
    libraries = await zotero.libraries(client)
    if isinstance(libraries, Unavailable):
        return libraries
    versions = await asyncio.gather(*(zotero.versions(client, library) for library in libraries))
    for version in versions:
        if isinstance(version, Unavailable):
            return version
    # Zotero counts a library's version up with every change.
    state = sha256(json.dumps([libraries, versions], sort_keys=True).encode()).hexdigest()
    path = user_places.cache_directory() / "zotero" / "library.bib"
    if await asyncio.to_thread(_is_current, path, state):
        return path
    items: list[zotero.Item] = []
    for items_of_library in await asyncio.gather(*(zotero.items(client, library) for library in libraries)):
        if isinstance(items_of_library, Unavailable):
            return items_of_library
        items += items_of_library
    await asyncio.to_thread(_write_snapshot, path, state, items)
    return path


def _is_current(path: Path, state: str) -> bool:
    """True if the snapshot was written in this state of the libraries: its first line, a comment, says so."""
    try:
        with path.open(encoding="utf-8") as file:
            return file.readline().strip() == f"% {state}"
    except (OSError, UnicodeDecodeError):
        return False


def _write_snapshot(path: Path, state: str, items: Sequence[zotero.Item]) -> None:
    """Write the items that have a key, behind a line that names the state of the libraries, in the place of the file.

    Of several items with one key the first counts: the user's own libraries come before their groups'.
    """
    by_key = {item.citekey: item for item in reversed(items) if item.citekey}
    text = f"% {state}\n{zotero_library.HEADER}{zotero_library.as_bibliography(reversed(by_key.values()))}"
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, text.encode())
