"""Bibliographies that manuscripts name by their addresses, kept in the cache for an hour."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from citelsp.base import atomic, user_places
from citelsp.base.settings import Settings
from citelsp.knowledge import Unavailable
from citelsp.sources import remote_bibliography
from citelsp.sources.http import Client
from citelsp.syntax import languages
from citelsp.workspace.disk import decode
from citelsp.workspace.project import Project

_FRESH = 3600.0  # seconds
_MOST = 20  # addresses of a project


def addresses(project: Project, settings: Settings) -> list[str]:
    """Those that are not read yet and may be: the user's own settings name their hosts."""
    hosts = settings.online.bibliographies
    named = (it.link.target.strip() for it in project.unresolved if it.why == "remote")
    return [it for it in dict.fromkeys(named) if remote_bibliography.may_be_asked(it, hosts)][:_MOST]


async def fetch_all(client: Client, unread: Iterable[str]) -> Mapping[str, str]:
    """Address → file; what cannot be had is left out, unless an earlier copy is there."""
    found = {}
    for address in unread:
        if path := await _fetched(client, address):
            found[address] = path
    return found


async def _fetched(client: Client, address: str) -> str:
    path = _place(address)
    age = await asyncio.to_thread(_age, path)
    if age > _FRESH:
        data = await remote_bibliography.download(client, address, client.settings.online.bibliographies)
        if not isinstance(data, Unavailable) and decode(data) is not None:
            await asyncio.to_thread(_write, path, data)
        elif age == float("inf"):
            return ""
    return str(path)


def _place(address: str) -> Path:
    name = PurePosixPath(urlsplit(address).path).name
    known = languages.language_of_path(name).bibliography is not None
    ending = PurePosixPath(name).suffix if known and PurePosixPath(name).suffix else ".bib"
    return user_places.cache_directory() / "remote" / f"{sha256(address.encode()).hexdigest()[:32]}{ending}"


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return float("inf")


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, data)
