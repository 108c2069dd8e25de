"""Politeness shared by every process of the user: when a service may be asked next, and until when it is left alone.

One small SQLite table in the cache directory.  Losing it costs nothing but politeness, so a broken or locked file, or a
directory that cannot be made, means "ask now".
"""

import asyncio
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from citelsp.base import bounds
from citelsp.base.user_places import cache_directory

_TABLE = """CREATE TABLE IF NOT EXISTS paces(
    place TEXT PRIMARY KEY, next REAL NOT NULL DEFAULT 0, interval REAL, shut REAL NOT NULL DEFAULT 0,
    why TEXT NOT NULL DEFAULT '', written REAL NOT NULL DEFAULT 0)"""
_INSERT = "INSERT OR IGNORE INTO paces(place) VALUES (?)"
_COLUMNS = "next, interval, shut, why, written"
_QUEUE = 40  # requests that wait for their turn at one place, all processes together


def limits_file() -> Path:
    """The table that all processes of the user share."""
    return cache_directory() / "limits.sqlite"


@dataclass(frozen=True, slots=True)
class Slot:
    """Permission to ask `wait` seconds from now, at a place where requests are `apart` seconds from each other."""

    wait: float
    apart: float = 0.0


@dataclass(frozen=True, slots=True)
class Shut:
    """The place is left alone until then (seconds since the epoch)."""

    until: float
    why: str


class Limits:
    """The table at `path`; without one, politeness within this process only."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._worker = ThreadPoolExecutor(1, "citelsp-limits")
        self._connection: sqlite3.Connection | None = None

    async def reserve(self, place: str, interval: float) -> Slot | Shut:
        """Take the next free moment at a place where requests are `interval` seconds apart, unless it said otherwise.

        Shut is returned, and no moment taken, while the place is left alone.
        """
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._reserve, place, interval)

    async def pace(self, place: str, interval: float) -> None:
        """Note the interval, in seconds, that the place itself said."""
        await self._write("UPDATE paces SET interval = ? WHERE place = ?", interval, place)

    async def paced(self, place: str) -> float | None:
        """Return the interval that `pace` noted; None if it noted none."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._paced, place)

    async def shut(self, place: str, until: float, why: str) -> None:
        now = time.time()
        statement = "UPDATE paces SET shut = max(min(shut, ?), ?), why = ?, written = ? WHERE place = ?"
        await self._write(statement, now + bounds.SHUT, until, why, now, place)

    async def reopen(self) -> None:
        """Forget every closure."""
        await self._write("UPDATE paces SET shut = 0 WHERE place = place OR place = ?", "")

    def close(self) -> None:
        if self._connection:
            self._worker.submit(self._connection.close)
        self._worker.shutdown(wait=True)

    def _reserve(self, place: str, interval: float) -> Slot | Shut:
        """Take the next free moment at a place (a host), and write into the table when the one after it will be.

        That is `interval` seconds later, or as many as the place itself said.  All processes of the user share the
        table.  While the place is left alone no moment is taken, and Shut returned.  If the table cannot be read or
        written, it is opened anew next time, and the moment is `interval` seconds from now.
        """
        try:
            with closing(self._open().cursor()) as cursor:
                # A writer's lock at once: two processes that both read before they write would share a slot.
                cursor.execute("BEGIN IMMEDIATE")
                now = time.time()  # not before: another process may have kept this one waiting
                cursor.execute(_INSERT, (place,))
                row = cursor.execute(f"SELECT {_COLUMNS} FROM paces WHERE place = ?", (place,)).fetchone()  # noqa: S608
                next_free, own_interval, shut, why, written = row
                # A row from the future was written before the clock was set back: its moments say nothing now.
                is_stale = written > now + 1 or shut > now + bounds.SHUT
                if shut > now and not is_stale:
                    cursor.execute("ROLLBACK")
                    return Shut(shut, why)
                apart = interval if own_interval is None else own_interval
                # At most as far as if _QUEUE requests waited: a wrong number in the table blocks nobody for long.
                moment = now if is_stale else max(now, min(next_free, now + _QUEUE * apart))
                shut = 0.0 if is_stale else shut
                changes = (moment + apart, shut, now, place)
                cursor.execute("UPDATE paces SET next = ?, shut = ?, written = ? WHERE place = ?", changes)
                cursor.execute("COMMIT")
                return Slot(moment - now, apart)
        except (sqlite3.Error, OSError):
            self._forget()
            return Slot(interval, interval)

    def _paced(self, place: str) -> float | None:
        try:
            with closing(self._open().cursor()) as cursor:
                row = cursor.execute("SELECT interval FROM paces WHERE place = ?", (place,)).fetchone()
        except (sqlite3.Error, OSError):
            self._forget()
            return None
        return row[0] if row else None

    async def _write(self, statement: str, *values: float | str) -> None:
        await asyncio.get_running_loop().run_in_executor(self._worker, self._run, statement, values)

    def _run(self, statement: str, values: tuple[float | str, ...]) -> None:
        """Change the row of a place, which is made if it is not there; the place is the last of the values."""
        try:
            with closing(self._open().cursor()) as cursor:
                cursor.execute(_INSERT, (values[-1],))
                cursor.execute(statement, values)
        except (sqlite3.Error, OSError):
            self._forget()

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            if self._path:
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._connection = sqlite3.connect(self._path or ":memory:", timeout=1.0, isolation_level=None)
            self._connection.execute(_TABLE)
        return self._connection

    def _forget(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None
