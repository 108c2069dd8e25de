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
from citelsp.sources.client import Client
from citelsp.syntax import languages
from citelsp.workspace.disk import decode
from citelsp.workspace.project import Project

_FRESH = 3600.0  # seconds for which a copy is used without asking again
_NO_COPY = float("inf")  # the age of a copy that is not there
_MOST = 20  # addresses of a project that are read


def addresses(project: Project, settings: Settings) -> list[str]:
    """The addresses of bibliographies that are not read yet and may be: the user's own settings name their hosts.

    Each once, at most so many.
    """
    hosts = settings.online.bibliographies
    targets = [it.link.target.strip() for it in project.unresolved if it.why == "remote"]
    allowed = [address for address in dict.fromkeys(targets) if remote_bibliography.may_be_asked(address, hosts)]
    return allowed[:_MOST]


async def fetch_all(client: Client, unread: Iterable[str]) -> Mapping[str, str]:
    """By address the path of its copy; what cannot be had is left out, unless an earlier copy is there."""
    path_of = {}
    for address in unread:
        path = await _fetch(client, address)
        if path:
            path_of[address] = path
    return path_of


async def _fetch(client: Client, address: str) -> str:
    """The path of a copy, downloaded anew if it is not fresh; an old one if that fails; "" if there is none."""
    path = _choose_path(address)
    age = await asyncio.to_thread(_read_age, path)
    if age > _FRESH:
        data = await remote_bibliography.download(client, address, client.settings.online.bibliographies)
        if not isinstance(data, Unavailable) and decode(data) is not None:
            await asyncio.to_thread(_write_copy, path, data)
        elif age == _NO_COPY:
            return ""
    return str(path)


def _choose_path(address: str) -> Path:
    """Where the copy lies: a digest as its name, with the address's ending if that is a bibliography's, else .bib."""
    name = PurePosixPath(urlsplit(address).path).name
    is_bibliography = languages.language_of_path(name).bibliography is not None
    ending = PurePosixPath(name).suffix if is_bibliography else ""
    digest = sha256(address.encode()).hexdigest()[:32]
    return user_places.cache_directory() / "remote" / f"{digest}{ending or '.bib'}"


def _read_age(path: Path) -> float:
    """Seconds since a copy was written; _NO_COPY if there is none."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return _NO_COPY


def _write_copy(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, data)
