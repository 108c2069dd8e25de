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

_TABLE = """CREATE TABLE IF NOT EXISTS pace(
    place TEXT PRIMARY KEY, next REAL NOT NULL DEFAULT 0, interval REAL, shut REAL NOT NULL DEFAULT 0,
    why TEXT NOT NULL DEFAULT '')"""
_INSERT = "INSERT OR IGNORE INTO pace(place) VALUES (?)"


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
        """The next free moment at a place where requests are `interval` seconds apart, unless it said otherwise."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._reserve, place, interval)

    async def pace(self, place: str, interval: float) -> None:
        """What the place itself said of its interval."""
        await self._write("UPDATE pace SET interval = ? WHERE place = ?", interval, place)

    async def paced(self, place: str) -> float | None:
        """What `pace` wrote."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._paced, place)

    async def shut(self, place: str, until: float, why: str) -> None:
        await self._write("UPDATE pace SET shut = max(shut, ?), why = ? WHERE place = ?", until, why, place)

    async def reopen(self) -> None:
        """Forget every closure."""
        await self._write("UPDATE pace SET shut = 0 WHERE place = place OR place = ?", "")

    def close(self) -> None:
        if self._connection:
            self._worker.submit(self._connection.close)
        self._worker.shutdown(wait=True)

    def _reserve(self, place: str, interval: float) -> Slot | Shut:
        try:
            with closing(self._open().cursor()) as cursor:
                # A writer's lock at once: two processes that both read before they write would share a slot.
                cursor.execute("BEGIN IMMEDIATE")
                now = time.time()  # not before: another process may have kept this one waiting
                cursor.execute(_INSERT, (place,))
                row = cursor.execute("SELECT next, interval, shut, why FROM pace WHERE place = ?", (place,)).fetchone()
                if row[2] > now:
                    cursor.execute("ROLLBACK")
                    return Shut(row[2], row[3])
                # A clock that was set back must not close a service for years.
                at = max(now, min(row[0], now + 3600))
                step = interval if row[1] is None else row[1]
                cursor.execute("UPDATE pace SET next = ? WHERE place = ?", (at + step, place))
                cursor.execute("COMMIT")
                return Slot(at - now, step)
        except (sqlite3.Error, OSError):
            self._forget()
            return Slot(interval, interval)

    def _paced(self, place: str) -> float | None:
        try:
            with closing(self._open().cursor()) as cursor:
                row = cursor.execute("SELECT interval FROM pace WHERE place = ?", (place,)).fetchone()
        except (sqlite3.Error, OSError):
            self._forget()
            return None
        return row[0] if row else None

    async def _write(self, statement: str, *values: float | str) -> None:
        await asyncio.get_running_loop().run_in_executor(self._worker, self._run, statement, values)

    def _run(self, statement: str, values: tuple[float | str, ...]) -> None:
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
