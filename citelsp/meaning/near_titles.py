"""How near the author's own titles lie to what a place says: vectors by content, in memory and on this disk."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any

from citelsp.base.footprint import MB, Shelf
from citelsp.base.user_places import cache_directory

_MEMORY = 24 * MB  # of vectors: 10,000 titles and more
_ASKED = 4 * MB
_ON_DISK = 100_000  # titles of one model, 80 MB; the oldest go
_FEWEST = 2  # works that are told apart
_OVERHEAD = 300  # bytes that Python takes for a title and its vector, beside their contents
_SPREAD = 0.02  # by which nearness differs at least, so that chance is not stretched to a difference


@dataclass(frozen=True, slots=True)
class NearTitles:
    """What is known at one moment of the nearness of titles to some texts of a place."""

    texts: tuple[str, ...]
    count: int  # titles whose vectors are known
    _asked: Any = field(repr=False, compare=False)  # numpy array: a row for each text
    _titles: dict[str, Any] = field(repr=False, compare=False)

    def compare(self, titles: Sequence[str]) -> list[tuple[float, ...]]:
        """Return a row for each title with a number for each text: how much nearer it lies than the average title.

        The average is that of these titles.  Counted in standard deviations, as models differ in how near unrelated
        texts lie to each other.  A title whose vector is not known counts as average, 0; so do all if fewer than
        _FEWEST are known.
        """
        import numpy as np

        nearness = np.zeros((len(titles), len(self.texts)), np.float32)
        known = [index for index, title in enumerate(titles) if title in self._titles]
        if len(known) < _FEWEST:
            return [tuple(row) for row in nearness.tolist()]
        vectors = np.stack([self._titles[titles[index]] for index in known]).astype(np.float32)
        products = vectors @ self._asked.T
        # _SPREAD is added so that titles which all lie about as near are not torn apart.
        nearness[known] = (products - products.mean(0)) / (products.std(0) + _SPREAD)
        return [tuple(row) for row in nearness.tolist()]


class TitleVectors:
    """The vectors of one model, by the text that each is of.  Any thread may use them."""

    def __init__(self, name: str, directory: Path | None = None) -> None:
        """`name` of the vectors; `directory` of the caches, by default the user's."""
        digest = blake2b(name.encode(), digest_size=6).hexdigest()
        self._path = (directory or cache_directory()) / "vectors" / f"titles-{digest}.sqlite"
        self._titles: dict[str, Any] = {}
        self._asked: dict[str, Any] = {}
        self._length: int | None = None  # numbers in a vector of this model; None until it has made one
        self._title_shelf, self._asked_shelf, self._lock = Shelf[str](_MEMORY), Shelf[str](_ASKED), Lock()

    def known(self, texts: Sequence[str]) -> NearTitles | None:
        """The nearness of all known titles to texts; None if one of these has no vector yet."""
        import numpy as np

        asked = self._asked
        if any(it not in asked for it in texts):
            return None
        return NearTitles(tuple(texts), len(self._titles), np.stack([asked[it] for it in texts]), self._titles)

    def unasked(self, texts: Sequence[str]) -> list[str]:
        return [it for it in dict.fromkeys(texts) if it not in self._asked]

    def unknown(self, titles: Sequence[str]) -> list[str]:
        """Those without a vector in memory or on the disk; what the disk has is read into memory."""
        missing = [it for it in dict.fromkeys(titles) if it not in self._titles]
        vectors = self._read_vectors(missing) if missing else {}
        if vectors:
            self._keep_in_memory(vectors)
        return [it for it in missing if it not in self._titles]

    def ask(self, texts: Sequence[str], make: Callable[[Sequence[str]], Any]) -> None:
        """Give texts of a place their vectors."""
        vectors = dict(zip(texts, make(texts), strict=True))
        self._drop_damaged(vectors)
        with self._lock:
            self._asked = self._asked_shelf.joined(self._asked, vectors)

    def add(self, titles: Sequence[str], make: Callable[[Sequence[str]], Any]) -> None:
        """Give titles their vectors, for this and later processes."""
        import numpy as np

        vectors = dict(zip(titles, make(titles).astype(np.float16), strict=True))
        self._drop_damaged(vectors)
        self._keep_in_memory(vectors)
        self._write_vectors({_key(it): vector.tobytes() for it, vector in vectors.items()})

    def _drop_damaged(self, made: dict[str, Any]) -> None:
        """Note the length of vectors that the model has just made, by text; forget titles whose vector has another.

        Of a damaged vector that was read alone nothing else shows that its length is wrong.
        """
        if not made:
            return
        length = len(next(iter(made.values())))
        if length == self._length:
            return
        with self._lock:
            self._length = length
            self._titles = {title: vector for title, vector in self._titles.items() if len(vector) == length}

    def _keep_in_memory(self, vectors: dict[str, Any]) -> None:
        """Add vectors, by title, to those in memory; those added first go if they take too much room.

        Those whose length is not that of the model's vectors are left out.
        """
        with self._lock:
            known = dict(self._titles)
            gone = list[str]()
            for title, vector in vectors.items():
                if self._length is not None and len(vector) != self._length:
                    continue
                known[title] = vector
                size = vector.nbytes + len(title) + _OVERHEAD
                gone += self._title_shelf.note(title, size)
            for title in gone:
                known.pop(title, None)
            self._titles = known

    def _read_vectors(self, titles: Sequence[str]) -> dict[str, Any]:
        """Return the vectors of these titles that are on the disk, by title, as far as it can be read.

        If one of them is damaged, none is used.  What is missing is computed again.
        """
        import numpy as np

        if not self._path.is_file():
            return {}
        vector_of: dict[str, Any] = {}
        with suppress(sqlite3.Error, OSError, ValueError), closing(sqlite3.connect(self._path, timeout=1.0)) as disk:
            for title in titles:
                row = disk.execute("SELECT vector FROM titles WHERE key = ?", (_key(title),)).fetchone()
                if row and isinstance(row[0], bytes):
                    vector_of[title] = np.frombuffer(row[0], np.float16)
        # A damaged file may hold anything: unless all vectors have one length and finite numbers, none is used.
        sizes = {len(it) for it in vector_of.values()}
        is_sound = len(sizes) == 1 and all(np.isfinite(it).all() for it in vector_of.values())
        return vector_of if is_sound else {}

    def _write_vectors(self, rows: dict[bytes, bytes]) -> None:
        """What cannot be written is computed again by the next process."""
        with suppress(sqlite3.Error, OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with closing(sqlite3.connect(self._path, timeout=1.0)) as disk, disk:
                disk.execute("CREATE TABLE IF NOT EXISTS titles (key BLOB PRIMARY KEY, vector BLOB)")
                disk.executemany("INSERT OR REPLACE INTO titles VALUES (?, ?)", rows.items())
                disk.execute("DELETE FROM titles WHERE rowid <= (SELECT MAX(rowid) FROM titles) - ?", (_ON_DISK,))


def _key(title: str) -> bytes:
    return blake2b(title.encode("utf-8", "replace"), digest_size=16).digest()
