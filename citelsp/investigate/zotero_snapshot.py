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
    libraries = await zotero.libraries(client)
    if isinstance(libraries, Unavailable):
        return libraries
    versions = await asyncio.gather(*(zotero.versions(client, it) for it in libraries))
    for version in versions:
        if isinstance(version, Unavailable):
            return version
    state = sha256(json.dumps([libraries, versions], sort_keys=True).encode()).hexdigest()
    path = user_places.cache_directory() / "zotero" / "library.bib"
    if await asyncio.to_thread(_is_of, path, state):
        return path
    items: list[zotero.Item] = []
    for of_library in await asyncio.gather(*(zotero.items(client, it) for it in libraries)):
        if isinstance(of_library, Unavailable):
            return of_library
        items += of_library
    await asyncio.to_thread(_write, path, state, items)
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
