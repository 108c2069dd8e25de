"""What services answered, kept in the user's cache directory: JSON text only, private, shared by several processes.

Found and absent have lifetimes of their own; unavailable is never kept.  A broken or locked cache is an empty one.
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from citelsp.base.user_places import cache_directory
from citelsp.knowledge import Absent, Found, Lookup, Unavailable
from citelsp.sources import codec
from citelsp.sources.reference_query import chunks

if TYPE_CHECKING:
    import diskcache

_T = TypeVar("_T")
_DAY = 86400.0
# Records change seldom, but retractions are noted in them; searches rank anew, and what is absent may be registered.
FOUND_SECONDS = 21 * _DAY
SEARCHED_SECONDS = 7 * _DAY
ABSENT_SECONDS = 2 * _DAY
JOURNAL_SECONDS = 90 * _DAY  # which journals have a name, and how many works of each year
# Bytes; at about 2 kB an answer a quarter of a million of them.
SIZE_LIMIT = 500_000_000
_PAGES = 64  # of 4 kB that each thread keeps in memory; the system keeps the others
_FILE = "cache.db"  # by diskcache
_MAGIC = b"SQLite format 3\0"
_LOCK_PATIENCE = 2.0  # seconds to wait for another process that writes, when the cache is opened
_PRIMARY = 0xFF  # bits of SQLite's code of an error without its details
_LEFT_ALONE_FOR = 60.0  # seconds for which a cache that stayed locked counts as empty, before it is tried again
# SQLite before 3.32 takes 999 parameters at most.
_TOGETHER = 400  # keys in a statement
_ANY = "SELECT 1 FROM Cache WHERE key > ? AND key < ? LIMIT 1"  # "!" comes next to the blank behind a service's name
_SELECT = (
    "SELECT key, value FROM Cache WHERE key IN ({}) AND raw = 1 AND mode = 1 AND filename IS NULL AND expire_time > ?"
)


@dataclass(frozen=True, slots=True)
class CacheInfo:
    directory: Path
    answers: int
    bytes: int
    oldest: float | None  # seconds since the epoch
    newest: float | None


class Cache:
    """Answers by (service, question) in `directory`, read and written by one thread of its own."""

    def __init__(self, directory: Path | None = None) -> None:
        """By default the user's."""
        self._directory = directory or cache_directory() / "answers"
        self._worker = ThreadPoolExecutor(1, "citelsp-cache")
        self._disk: diskcache.Cache | None = None
        self._left_alone_until = 0.0  # by time.monotonic(), after another process kept it locked

    async def get(self, service: str, question: str) -> Lookup | None:
        """The kept answer; None if none is, or it is too old or cannot be read."""
        text = await self._run_in_worker(lambda: self._read(f"{service} {question}"))
        return codec.lookup(service, text) if text else None

    async def get_many(self, service: str, questions: Sequence[str]) -> dict[str, Lookup]:
        """Of many questions those that have a kept answer, read at one go."""
        stored = await self.get_texts(service, questions)
        found = {question: codec.lookup(service, text) for question, text in stored.items()}
        return {question: lookup for question, lookup in found.items() if lookup is not None}

    async def put(
        self, service: str, question: str, answer: Lookup, *, search: bool = False, seconds: float = 0.0
    ) -> None:
        """Store what was found or is absent, for `seconds`; if these are 0, for as long as is usual.

        `search` says that it answers a search, which is stored for a shorter time than what an identifier led to.
        Unavailable is no answer, and is not stored.
        """
        if isinstance(answer, Unavailable):
            return
        usual_if_found = SEARCHED_SECONDS if search else FOUND_SECONDS
        usual = ABSENT_SECONDS if isinstance(answer, Absent) else usual_if_found
        text = codec.dumps(answer)
        await self._run_in_worker(lambda: self._write(f"{service} {question}", text, seconds or usual))

    async def get_text(self, service: str, question: str) -> str | None:
        """A kept answer that is no lookup; None if none is."""
        return await self._run_in_worker(lambda: self._read(f"{service} {question}")) or None

    async def get_texts(self, service: str, questions: Sequence[str]) -> dict[str, str]:
        """Of many questions those that have a kept answer, read at one go."""
        return await self._run_in_worker(lambda: self._texts(service, questions))

    def texts(self, service: str, questions: Sequence[str]) -> dict[str, str]:
        """The same, for those who may wait for it."""
        return self._worker.submit(self._texts, service, questions).result()

    def holds_any(self, service: str) -> bool:
        """True if an answer of this service is kept, however old."""
        return self._worker.submit(self._holds_any, service).result()

    async def put_text(self, service: str, question: str, text: str, seconds: float) -> None:
        """`text` is not empty."""
        await self._run_in_worker(lambda: self._write(f"{service} {question}", text, seconds))

    def info(self) -> CacheInfo:
        """Describe what is cached; CacheLockedError if nobody can tell now."""
        return self._worker.submit(self._info).result()

    def clear(self) -> int:
        """Forget every answer; return how many there were.  CacheLockedError if nobody can do so now."""
        return self._worker.submit(self._clear).result()

    def close(self) -> None:
        self._worker.submit(self._close)
        self._worker.shutdown(wait=True)

    def _texts(self, service: str, questions: Sequence[str]) -> dict[str, str]:
        found = self._read_many([f"{service} {it}" for it in questions])
        return {key.removeprefix(f"{service} "): text for key, text in found.items()}

    async def _run_in_worker(self, call: Callable[[], _T]) -> _T:
        import asyncio

        return await asyncio.get_running_loop().run_in_executor(self._worker, call)

    def _read(self, key: str) -> str:
        import diskcache

        try:
            found = self._open().get(key, default="")
        except (diskcache.Timeout, sqlite3.Error, OSError, CachedFormError):
            return ""
        return found if isinstance(found, str) else ""

    def _read_many(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the texts stored under these keys, by key; keys with none, or with one that is too old, are left out.

        They are read in a few statements, as a statement costs as much as reading what is stored.  If the file fails,
        those that were read so far are returned.
        """
        if self._is_missing():  # then nothing is cached, and no file is made to find that out
            return {}
        import diskcache

        text_of: dict[str, str] = {}
        try:
            # diskcache reads one key at a time; its table is asked directly, for text alone, as `_disk` writes it.
            run = self._open()._sql
            for part in chunks(keys, _TOGETHER):
                rows = run(_SELECT.format(", ".join("?" * len(part))), (*part, time.time())).fetchall()
                text_of |= {key: text for key, text in rows if isinstance(text, str) and text}
        except (diskcache.Timeout, sqlite3.Error, OSError, CachedFormError):
            return text_of
        return text_of

    def _holds_any(self, service: str) -> bool:
        if self._is_missing():
            return False
        import diskcache

        try:
            return self._open()._sql(_ANY, (f"{service} ", f"{service}!")).fetchone() is not None
        except (diskcache.Timeout, sqlite3.Error, OSError, CachedFormError):
            return False

    def _is_missing(self) -> bool:
        return self._disk is None and not (self._directory / _FILE).exists()

    def _write(self, key: str, text: str, seconds: float) -> None:
        import diskcache

        try:
            self._open().set(key, text, expire=seconds)
        except (diskcache.Timeout, sqlite3.Error, OSError, CachedFormError):
            return

    def _info(self) -> CacheInfo:
        try:
            disk = self._open()
            (oldest, newest) = disk._sql("SELECT MIN(store_time), MAX(store_time) FROM Cache").fetchone()
            return CacheInfo(self._directory, len(disk), disk.volume(), oldest, newest)
        except CacheLockedError:
            raise
        except (sqlite3.Error, OSError, CachedFormError):
            return CacheInfo(self._directory, 0, 0, None, None)

    def _clear(self) -> int:
        """A database that cannot be opened or emptied is removed, its answers not counted; one in use is not."""
        try:
            return int(self._open().clear(retry=True))
        except CacheLockedError:
            raise
        except (sqlite3.Error, OSError, CachedFormError):
            self._close()
            for path in self._directory.glob(f"{_FILE}*"):
                path.unlink(missing_ok=True)
            return 0

    def _close(self) -> None:
        if self._disk is not None:
            self._disk.close()
            self._disk = None

    def _open(self) -> "diskcache.Cache":
        """Return the cache's database, opened at first use.

        sqlite3.Error if the file is no database; CacheLockedError, a kind of it, if another process keeps it locked, or
        did so within the last _LEFT_ALONE_FOR seconds; OSError if the folder cannot be made.
        """
        import diskcache

        if self._disk is None:
            if time.monotonic() < self._left_alone_until:
                raise CacheLockedError
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            # What somebody cites before publication is private: no other user of the machine may read it.
            if os.name == "posix":
                self._directory.chmod(0o700)
            if _is_foreign(self._directory / _FILE):  # the file there is no database
                raise sqlite3.DatabaseError("no database")  # diskcache would raise too, but leave the file open
            # To open it, diskcache waits a minute for a lock, whatever its timeout; asking the service anew is quicker.
            if _is_locked(self._directory / _FILE):
                self._left_alone_until = time.monotonic() + _LEFT_ALONE_FOR
                raise CacheLockedError
            self._disk = diskcache.Cache(
                str(self._directory),
                timeout=0.5,
                disk=_disk(),
                size_limit=SIZE_LIMIT,
                eviction_policy="least-recently-stored",
                disk_min_file_size=1 << 40,  # every answer lies in the database itself
                sqlite_cache_size=_PAGES,
                sqlite_mmap_size=0,
            )
        return self._disk


def _is_foreign(path: Path) -> bool:
    """A file is there that is no database (SQLite file format, section 1.3)."""
    if not path.exists():
        return False
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) not in (b"", _MAGIC)


def _is_locked(path: Path) -> bool:
    """True if another process keeps the database from being written, as one that hangs does, or a network's disk."""
    if not path.exists():
        return False
    try:
        with closing(sqlite3.connect(path, timeout=_LOCK_PATIENCE, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.OperationalError as problem:
        return problem.sqlite_errorcode & _PRIMARY in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return False


class CacheLockedError(sqlite3.OperationalError):
    """Another process keeps the cache locked."""


class CachedFormError(Exception):
    """Something else than text lies in the cache, or was to be put there."""


def _disk() -> type[Any]:
    """Make the class by which diskcache stores keys and values: as text in the database, never as a pickle or a file.

    It is made here, not at the top of the module, so that diskcache is imported only when the cache is used.
    """
    import diskcache
    from diskcache.core import MODE_RAW

    # diskcache unpickles what it reads, and a row that somebody planted would run its code; JSONDisk does so too.
    class TextDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache has no types
        def put(self, key: object) -> tuple[str, bool]:
            return _text(key), True

        def get(self, key: object, raw: bool) -> str:
            if not raw:
                raise CachedFormError("pickled key")
            return _text(key)

        def store(self, value: object, read: bool, key: object = None) -> tuple[int, int, None, str]:  # noqa: ARG002
            # With `read` diskcache would store the content of an open file, and `fetch` give back an open file.
            text = _text(None if read else value)
            return 0, MODE_RAW, None, text  # size of a file, how it is stored, name of a file, what the database holds

        def fetch(self, mode: int, filename: str | None, value: object, read: bool) -> str:
            if mode != MODE_RAW or filename is not None or read:
                raise CachedFormError("pickled value or file")
            return _text(value)

    return TextDisk


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise CachedFormError("not text")
    return value


def today() -> str:
    """The date of an answer."""
    return time.strftime("%Y-%m-%d")


def digest(value: object) -> str:
    """JSON of a question in a stable order, for keys."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def found(source: str, records: tuple[Any, ...]) -> Found | Absent:
    """Return Found with these records, or Absent if there are none, as the service answered honestly."""
    return Found(source, records, today()) if records else Absent(source, today())
