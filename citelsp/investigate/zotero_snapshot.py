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
from citelsp.sources.http import Client


async def find_current(client: Client) -> Path | Unavailable:
    """The snapshot as the libraries are now; they are read only if an item came, went or changed."""
    places = await zotero.libraries(client)
    if isinstance(places, Unavailable):
        return places
    versions = await asyncio.gather(*(zotero.versions(client, it) for it in places))
    if trouble := next((it for it in versions if isinstance(it, Unavailable)), None):
        return trouble
    state = sha256(json.dumps([places, versions], sort_keys=True).encode()).hexdigest()
    path = user_places.cache_directory() / "zotero" / "library.bib"
    if not await asyncio.to_thread(_is_of, path, state):
        read = await asyncio.gather(*(zotero.items(client, it) for it in places))
        known = [it for it in read if not isinstance(it, Unavailable)]
        if len(known) < len(read):
            return next(it for it in read if isinstance(it, Unavailable))
        await asyncio.to_thread(_write, path, state, [item for it in known for item in it])
    return path


def _is_of(path: Path, state: str) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return file.readline().strip() == f"% {state}"
    except (OSError, UnicodeDecodeError):
        return False


def _write(path: Path, state: str, items: Sequence[zotero.Item]) -> None:
    """Of several items with one key the first: the user's own libraries come before their groups'."""
    by_key = {it.citekey: it for it in reversed(items) if it.citekey}
    text = f"% {state}\n{zotero_library.HEADER}{zotero_library.as_bibliography(reversed(by_key.values()))}"
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, text.encode())
