"""Dense retrieval, if the user set an endpoint: vectors beside the index, exact search, fused with the words.

A directory `vectors-DIGEST` for each model holds `bytes`, one for each number of a vector, the largest of which is 127
or -127, and `keys`, eight bytes each: the number of the work and a hash of the text that was embedded.  Both only
grow; the last vector of a work counts, and what a killed writer left of one is not read.  A directory that 0.2 began
has `rows` in the place of `bytes`, little-endian float16, and goes on with them.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from citelsp.base import atomic
from citelsp.bibliography.record import Record
from citelsp.corpus.index import Corpus
from citelsp.corpus.store import Row
from citelsp.corpus.work import Work
from citelsp.meaning.local_embedder import AnyEmbedder
from citelsp.sources.model_endpoints import EndpointError

NEAREST = 200  # works that a search brings
# Of more vectors than these only one bit a number is compared first: 575,000 of 384 numbers take 9 ms instead of 500.
EXACT = 20_000
_SIFTED = 20_000  # the nearest by signs alone
_RESCORED = 4_000  # of those, the nearest by bits, are compared in full
_LEVELS = 3  # sizes that a number of a query may have beside zero: two bits
_LARGE = 2.5  # a number of a query has the largest size from so many spreads on
_BY_CHANCE = 1_000  # works by which it is known how near strangers lie
LONGEST = 4_000  # characters of one text
_BATCH = 32  # texts in one request
_AT_ONCE = 8192  # vectors compared, works looked at
_BLOCK = 32_768  # vectors whose bits are compared at once: as many as a processor has at hand
_LARGEST_BYTE = 127
_TINY = 1e-12  # keeps vectors of zeros from a division by zero
_DIGITS = 5  # of the size of a vector, at most
_KEY_BYTES = 8  # of a vector in `keys`
_BYTES_FILE, _HALVES_FILE = ("bytes", "i1"), ("rows", "<f2")  # names of a file of vectors, with numpy's of its numbers

Array = Any  # of numpy, which is imported when it is needed


@dataclass(frozen=True, slots=True)
class Vector:
    """What a query means to the model whose vectors have this name."""

    name: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of one name beside one corpus."""

    directory: Path

    @classmethod
    def open_named(cls, corpus: Corpus, name: str) -> "Vectors":
        return cls(corpus.path / f"vectors-{blake2b(name.encode(), digest_size=6).hexdigest()}")

    def size(self) -> int:
        """Return how many numbers a vector has; 0 if there are no vectors."""
        size, count = self._read_shape()
        return size if count else 0

    def marks(self) -> dict[int, int]:
        """Return the hash of what was embedded, by the number of each work that has a vector."""
        return {int(n): int(mark) for n, mark in self._read_keys(self._read_shape()[1])}

    def read(self, most: int | None = None) -> tuple[Array, Array, Array]:
        """Return three arrays: numbers of works, in order; the row of each one's vector; and the vectors, one a row.

        Vectors that later ones have replaced are among the rows, too, so that there may be more rows than numbers.
        Vectors are not normalised.  `most`: how many of the first rows count; None for all.
        """
        import numpy as np

        size, count = self._read_shape()
        if most is not None:
            count = min(count, most)
        name, kind = self._choose_file()
        if not count:
            return np.zeros(0, "<u4"), np.zeros(0, int), np.zeros((0, size), kind)
        numbers, places = _index_numbers(self.directory, count, self._time_of_change())
        # Opened for each question: on some systems a file that is mapped cannot be deleted.
        rows = np.memmap(self.directory / name, dtype=kind, mode="r", shape=(count, size))
        return numbers, places, rows

    def signs(self, count: int) -> "Signs":
        """Return one bit for each number of the vectors that `read` gives of the first `count` rows, in their order."""
        return _compute_signs(self, count, self._time_of_change())

    def _time_of_change(self) -> int:
        return (self.directory / "keys").stat().st_mtime_ns

    def _read_keys(self, count: int) -> Array:
        import numpy as np

        numbers = np.fromfile(self.directory / "keys", dtype="<u4", count=2 * count) if count else np.zeros(0, "<u4")
        return numbers.reshape(-1, 2)

    def append(self, keys: Sequence[tuple[int, int]], vectors: Sequence[Sequence[float]]) -> None:
        """Write one vector or more behind those that are there.  Only one process may do so at a time.

        All have as many numbers as those that are there, which callers see to.  A key is the number of a work, and the
        `mark` of the text that was embedded.  Only a vector's direction counts: it is scaled so that its largest number
        becomes the largest that the file's numbers can be.
        """
        import numpy as np

        rows = np.asarray(vectors, dtype=np.float32)
        self.directory.mkdir(mode=0o700, exist_ok=True)
        _, count = self._read_shape()
        if not count:  # a size without vectors is that of a writer that was killed
            atomic.write(self.directory / "size", str(rows.shape[1]).encode())
        name, kind = self._choose_file()
        largest = np.abs(rows).max(axis=1, keepdims=True) + _TINY
        scaled = np.rint(rows * (_LARGEST_BYTE / largest)) if kind == "i1" else rows / largest
        for file, added in ((name, scaled.astype(kind)), ("keys", np.array(keys, "<u4"))):
            with (self.directory / file).open("ab") as out:
                # What a killed writer left of a vector would shift all that follow.
                out.truncate(count * added[0].nbytes)
                out.write(added.tobytes())

    def _choose_file(self) -> tuple[str, str]:
        """Return the name of the file of vectors, and numpy's name of their numbers; its last letter is their bytes."""
        older, _ = _HALVES_FILE
        return _HALVES_FILE if (self.directory / older).exists() else _BYTES_FILE

    def _read_shape(self) -> tuple[int, int]:
        """Return how many numbers a vector has, and how many whole vectors with keys there are; 0 if there are none.

        If the file `size` is damaged, there are none: they are computed anew.
        """
        name, kind = self._choose_file()
        length = self.directory / "size"
        keys = self.directory / "keys"
        rows = self.directory / name
        written = length.read_bytes()[: _DIGITS + 1] if length.exists() else b""
        size = int(written) if written.isdigit() and len(written) <= _DIGITS else 0
        if not size or not keys.exists() or not rows.exists():
            return size, 0
        row_bytes = size * int(kind[-1])  # "i1", "<f2": the last letter is the bytes of a number
        return size, min(keys.stat().st_size // _KEY_BYTES, rows.stat().st_size // row_bytes)


def list_waiting(corpus: Corpus, name: str) -> list[int]:
    """List the numbers of the works without a vector of this name for their present text."""
    marks = Vectors.open_named(corpus, name).marks()
    return [it.n for it in _read_rows(corpus) if marks.get(it.n) != mark(text(it.work))]


async def update(corpus: Corpus, embedder: AnyEmbedder, numbers: Sequence[int], report: Callable[[int], None]) -> int:
    """Embed works, given by their numbers, and write their vectors; return how many numbers these were.

    Works that were removed since are passed over, but count.  `report` is told how many are done.  EndpointError if the
    endpoint fails, or if its vectors have another size than those that are there; what was embedded before stays.
    Another process may do the same at the same time.
    """
    vectors = Vectors.open_named(corpus, embedder.vectors)
    for start in range(0, len(numbers), _BATCH):
        rows = await asyncio.to_thread(corpus.rows, numbers[start : start + _BATCH])
        if rows:
            values = await embed_works(embedder, [it.work for it in rows])
            await asyncio.to_thread(_append_locked, corpus, vectors, rows, values)
        report(min(start + _BATCH, len(numbers)))
    return len(numbers)


async def embed_works(embedder: AnyEmbedder, works: Sequence[Work]) -> list[Sequence[float]]:
    """Return the vector of each work."""
    vectors: list[Sequence[float]] = []
    for start in range(0, len(works), _BATCH):
        vectors += await embedder.works([text(it) for it in works[start : start + _BATCH]])
    return vectors


def _read_rows(corpus: Corpus) -> Iterator[Row]:
    numbers = corpus.store.all_numbers()
    for start in range(0, len(numbers), _AT_ONCE):
        yield from corpus.rows(numbers[start : start + _AT_ONCE])


def _append_locked(corpus: Corpus, vectors: Vectors, rows: Sequence[Row], values: Sequence[Sequence[float]]) -> None:
    """Append a vector for each row under the corpus's own lock, as another process may embed too."""
    keys = [(it.n, mark(text(it.work))) for it in rows]
    with corpus.store.writing():
        check(len(values[0]), vectors.size(), str(vectors.directory))
        vectors.append(keys, values)


def check(size: int, before: int, where: str) -> None:
    """Raise EndpointError if vectors of `size` numbers cannot stand beside those of `before`; 0: there are none yet."""
    if before not in (0, size):
        raise EndpointError(f"vectors have {size} numbers now and had {before}: delete {where} to start again")


def count(corpus: Corpus, name: str) -> int:
    """Count the works of the corpus that have a vector of this name."""
    return len(Vectors.open_named(corpus, name).marks().keys() & set(corpus.store.all_numbers()))


@dataclass(frozen=True)
class Nearest:
    """What lies near a query among all works of a corpus that have vectors."""

    corpus: Corpus
    vector: Vector
    weight: float | None = None  # as of `search_place.Near`

    def works(self) -> list[int]:
        return self._nearest_works

    @cached_property
    def _nearest_works(self) -> list[int]:
        """The numbers of the nearest works, best first, at most NEAREST; empty if there are no vectors.

        Works that were removed from the corpus may be among them, as their vectors stay.  A work is near if the product
        of its unit vector and the query's is large.  Every work is at some distance, so those that lie no nearer than
        halfway between the mean and the nearest are left out.  Of more than EXACT vectors one bit a number is compared
        first (`signs`); only the nearest by these are compared in full, and the mean is that of a sample.
        """
        import numpy as np

        vectors = Vectors.open_named(self.corpus, self.vector.name)
        numbers, places, rows = vectors.read()
        if not len(numbers):
            return []
        query = np.asarray(self.vector.values, dtype=np.float32)
        if len(places) > EXACT:
            # Of the rows read above: another process may have added some since.
            chosen = vectors.signs(len(rows)).nearest(query, _RESCORED)
            numbers = numbers[chosen]
            products = _compute_products(rows, places[chosen], query)
            by_chance = places[:: len(places) // _BY_CHANCE]
            mean = _compute_products(rows, by_chance, query).mean()
        else:
            products = _compute_products(rows, places, query)
            mean = products.mean()
        # With one model unrelated texts lie nearer than with another: a fixed limit would let all works pass, or none.
        halfway = (mean + products.max()) / 2
        near = np.flatnonzero(products >= halfway)
        nearest_first = near[np.argsort(-products[near], kind="stable")]
        return [int(numbers[position]) for position in nearest_first[:NEAREST]]

    def nearness(self, works: Sequence[int]) -> list[float | None]:
        """Say how near each of these works, given by number, lies to the query; None for a work without a vector.

        Nearness is the product of the query's vector and the work's unit vector.
        """
        import numpy as np

        numbers, places, rows = Vectors.open_named(self.corpus, self.vector.name).read()
        if not len(numbers):
            return [None] * len(works)
        # Numbers are in order: look for each work at the only position where it can be.
        positions = np.minimum(np.searchsorted(numbers, works), len(numbers) - 1)
        has_vector = numbers[positions] == np.asarray(works)
        products = _compute_products(rows, places[positions], np.asarray(self.vector.values, dtype=np.float32))
        return [float(it) if has else None for it, has in zip(products, has_vector, strict=True)]


@dataclass(frozen=True, slots=True)
class Signs:
    """One bit for each number of each vector: whether it is above the mean of all."""

    spread: Array  # how far each number lies from its mean, as a rule
    bits: Array  # words of 64 bits, vectors by words

    def nearest(self, query: Array, most: int) -> Array:
        """Return the positions of the `most` vectors whose bits agree best with a query, in no order.

        A vector has one bit a number: its sign.  Each number of the query becomes a sign and a size from 0 to 3, and a
        vector with the other sign there pays that size; the `most` vectors that pay least are returned.  If every
        differing sign cost the same, three times as many of the truly nearest vectors would be missed.
        """
        import numpy as np

        signs, ones, twos = self._pack_query(query)
        # By signs alone first, in which all numbers count the same: that leaves out most, in a third of the time.
        sifted = _find_smallest(self._count_differing(signs), max(most, _SIFTED))
        costs = np.zeros(len(sifted), np.uint16)
        for column, sign, one, two in zip(self.bits.T, signs, ones, twos, strict=True):
            differing = column[sifted] ^ sign
            costs += np.bitwise_count(differing & one)
            costs += np.bitwise_count(differing & two) << 1
        return sifted[_find_smallest(costs, most)]

    def _pack_query(self, query: Array) -> Array:
        """Return three rows of bits: signs, also of numbers of size 0, and the two binary digits of the sizes."""
        import numpy as np

        worth = query * self.spread  # where vectors differ much, a number of the query decides more
        largest = _LARGE * worth.std() + _TINY  # from this on a number has the largest size
        levels = np.clip(np.rint(_LEVELS * worth / largest), -_LEVELS, _LEVELS).astype(np.int8)
        sizes = np.abs(levels)
        return _pack_signs(np.stack([worth, sizes & 1, sizes & 2]))

    def _count_differing(self, signs: Array) -> Array:
        """Count for each vector the numbers whose sign is not that of the query."""
        import numpy as np

        differing = np.zeros(len(self.bits), np.uint16)
        for start in range(0, len(differing), _BLOCK):
            block = differing[start : start + _BLOCK]  # a view: what is added to it is added there
            for column, sign in zip(self.bits[start : start + _BLOCK].T, signs, strict=True):
                block += np.bitwise_count(column ^ sign)
        return differing


def _find_smallest(counts: Array, most: int) -> Array:
    """Positions of so many of the smallest whole numbers, in no order; all if there are no more.

    There are few different ones, so that counting how often each occurs is faster than to partition them.
    """
    import numpy as np

    limit = np.searchsorted(np.cumsum(np.bincount(counts)), most)
    below = np.flatnonzero(counts < limit)
    at_limit = np.flatnonzero(counts == limit)
    return np.concatenate([below, at_limit[: most - len(below)]])


def _pack_signs(rows: Array) -> Array:
    """For each number of some rows one bit, set if it is above zero, in whole words of 64 bits."""
    import numpy as np

    bits = np.packbits(rows > 0, axis=1)
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))).view(np.uint64)


def _compute_products(rows: Array, places: Array, query: Array) -> Array:
    """Multiply a query with the unit vector in each of some rows: their cosine, times the query's length."""
    import numpy as np

    parts = np.array_split(places, 1 + len(places) // _AT_ONCE)
    return np.concatenate([_multiply(rows[it].astype(np.float32), query) for it in parts])


def _multiply(rows: Array, query: Array) -> Array:
    import numpy as np

    # By einsum, as a product of matrices is shared out among all cores, which costs more than it saves.
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows)) + _TINY
    return np.einsum("ij,j->i", rows, query) / lengths


def _read_unit_vectors(rows: Array) -> Array:
    """Rows of a file of vectors as unit vectors."""
    import numpy as np

    numbers = rows.astype(np.float32)
    numbers /= np.sqrt(np.einsum("ij,ij->i", numbers, numbers))[:, None] + _TINY
    return numbers


@lru_cache(maxsize=2)  # the corpus in use, and one that is read beside it
def _index_numbers(directory: Path, count: int, changed: int) -> tuple[Array, Array]:  # noqa: ARG001  what changed is read anew
    """Return the numbers of works, in order, each once, and the row of each one's last vector."""
    import numpy as np

    keys = np.fromfile(directory / "keys", dtype="<u4", count=2 * count).reshape(-1, 2)
    # Backwards, as the first of several is found, and the last one counts.
    numbers, from_end = np.unique(keys[::-1, 0], return_index=True)
    return numbers, count - 1 - from_end


@lru_cache(maxsize=2)
def _compute_signs(vectors: Vectors, count: int, changed: int) -> Signs:  # noqa: ARG001
    """Compute the signs of all vectors: whether each number lies above the mean, which a sample of them gives.

    Half a million vectors take a second, so the signs are cached.  `count`: how many rows count, the first ones.
    `changed` only tells the cache that vectors were written.
    """
    import numpy as np

    _, places, rows = vectors.read(count)
    parts = np.array_split(places, 1 + len(places) // _AT_ONCE)
    by_chance = _read_unit_vectors(rows[places[:: len(parts)]])  # as many as one part has
    mean = by_chance.mean(0)
    spread = by_chance.std(0)
    bits = np.concatenate([_pack_signs(_read_unit_vectors(rows[it]) - mean) for it in parts])
    # Searches go through the bits column by column.
    return Signs(spread, np.asfortranarray(bits))


def text(work: Work | Record) -> str:
    """Return the text that stands for a work when it is embedded or reranked."""
    return f"{work.title}\n{work.abstract}".strip()[:LONGEST]


def mark(embedded: str) -> int:
    """Return a hash of the text that was embedded, to see later whether a work's vector is of its present text."""
    return int.from_bytes(blake2b(embedded.encode(), digest_size=4).digest(), "little")
