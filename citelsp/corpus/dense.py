"""Dense retrieval, where the user set an endpoint: vectors beside the index, exact search, fused with the words.

A directory `vectors-DIGEST` for each model holds `rows`, unit vectors as little-endian float16, and `keys`, eight bytes
each: the number of the work and a hash of the text that was embedded.  Both only grow; the last vector of a work
counts, and what a killed writer left of one is not read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from citelsp.corpus.index import Corpus
from citelsp.corpus.pool import reciprocal_ranks
from citelsp.corpus.store import Row
from citelsp.sources.models import EndpointError

EXACT = 200_000  # works; of a larger corpus only those that words find are compared
_BATCH = 64  # texts in one request
_LONGEST = 4_000  # characters of one text
_RERANKED = 50
_AT_ONCE = 8192  # vectors compared


class Embedder(Protocol):
    @property
    def name(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> list[list[float]]: ...


class Reranker(Protocol):
    def rerank(self, query: str, texts: Sequence[str]) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of one model beside one corpus."""

    directory: Path

    @classmethod
    def of(cls, corpus: Corpus, model: str) -> "Vectors":
        return cls(corpus.path / f"vectors-{blake2b(model.encode(), digest_size=6).hexdigest()}")

    def read(self) -> tuple[Any, Any]:
        """Keys (numbers and hashes, two columns) and rows, as many as both files hold whole; numpy arrays."""
        import numpy as np

        size, count = self._shape()
        if not count:
            return np.zeros((0, 2), dtype="<u4"), np.zeros((0, 1), dtype="<f2")
        rows = np.memmap(self.directory / "rows", dtype="<f2", mode="r", shape=(count, size))
        return np.fromfile(self.directory / "keys", dtype="<u4", count=2 * count).reshape(count, 2), rows

    def append(self, keys: Sequence[tuple[int, int]], vectors: Sequence[Sequence[float]]) -> None:
        """Keep vectors; ValueError where their length is not that of the others."""
        import numpy as np

        rows = np.asarray(vectors, dtype=np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True) + 1e-12
        self.directory.mkdir(mode=0o700, exist_ok=True)
        size, whole = self._shape()
        if size not in (0, rows.shape[1]):
            raise ValueError(f"vectors of {rows.shape[1]} numbers instead of {size}")
        (self.directory / "size").write_text(str(rows.shape[1]), encoding="ascii")
        for name, added, each in (("rows", rows.astype("<f2"), 2 * rows.shape[1]), ("keys", np.array(keys, "<u4"), 8)):
            with (self.directory / name).open("ab") as out:
                out.truncate(whole * each)
                out.write(added.tobytes())

    def _shape(self) -> tuple[int, int]:
        """How long a vector is, and how many there are whole; 0 where there are none."""
        length, keys, rows = (self.directory / it for it in ("size", "keys", "rows"))
        size = int(length.read_text(encoding="ascii")) if length.exists() else 0
        there = size and keys.exists() and rows.exists()
        return size, min(keys.stat().st_size // 8, rows.stat().st_size // (2 * size)) if there else 0


def update(corpus: Corpus, embedder: Embedder, report: Callable[[int], None] = lambda _: None) -> int:
    """Embed what is new or changed; how many works that were.  What was embedded before an exception is kept."""
    vectors, done = Vectors.of(corpus, embedder.name), 0
    known = {int(n): int(mark) for n, mark in vectors.read()[0]}
    for batch in _batches(corpus, known):
        texts = [_text(it) for it in batch]
        vectors.append([(it.n, _mark(text)) for it, text in zip(batch, texts, strict=True)], embedder.embed(texts))
        done += len(batch)
        report(done)
    return done


def _batches(corpus: Corpus, known: Mapping[int, int]) -> Iterator[list[Row]]:
    numbers, batch = corpus.store.all_numbers(), list[Row]()
    for start in range(0, len(numbers), 1000):
        for row in corpus.rows(numbers[start : start + 1000]):
            if known.get(row.n) != _mark(_text(row)):
                batch.append(row)
            if len(batch) == _BATCH:
                yield batch
                batch = []
    if batch:
        yield batch


def nearest(
    corpus: Corpus, embedder: Embedder, query: str, limit: int, among: Callable[[], Sequence[int]] = tuple
) -> list[tuple[int, float]]:
    """Numbers and cosines of the works nearest to a query, best first; only those `among` where there are too many."""
    import numpy as np

    keys, rows = Vectors.of(corpus, embedder.name).read()
    last = {int(n): place for place, n in enumerate(keys[:, 0])}
    many = len(last) > EXACT
    places = np.array([last[n] for n in among() if n in last] if many else list(last.values()), dtype=int)
    if not len(places):
        return []
    asked = np.asarray(embedder.embed([query[:_LONGEST]])[0], dtype=np.float32)
    asked /= np.linalg.norm(asked) + 1e-12
    parts = np.array_split(places, 1 + len(places) // _AT_ONCE)
    cosines = np.concatenate([rows[it].astype(np.float32) @ asked for it in parts])
    best = np.argsort(-cosines, kind="stable")[:limit]
    return [(int(keys[places[it], 0]), float(cosines[it])) for it in best]


class Helpers:
    """The endpoints that help to rank.  One that fails is told of once, and left alone from then on."""

    def __init__(
        self,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._embedder, self._reranker, self._tell = embedder, reranker, tell

    def nearest(self, corpus: Corpus, query: str, limit: int, among: Callable[[], Sequence[int]]) -> list[int]:
        """Numbers of the works nearest to a query, best first; nothing without vectors or an endpoint."""
        if self._embedder is None:
            return []
        try:
            return [n for n, _ in nearest(corpus, self._embedder, query, limit, among)]
        except EndpointError as problem:
            self._embedder = None
            self._tell(f"{problem}; searching by words alone")
            return []

    def ordered(self, corpus: Corpus, query: str, order: Sequence[int], near: Sequence[int]) -> list[int]:
        """A ranking of numbers fused with the nearest by reciprocal rank, its head ordered by the reranker."""
        there = set(order)
        ranks = reciprocal_ranks([(order, 1.0), ([it for it in near if it in there], 1.0)])
        fused = sorted(ranks, key=lambda it: -ranks[it])
        if self._reranker is None:
            return fused
        try:
            rows = corpus.rows(fused[:_RERANKED])
            scores = self._reranker.rerank(query, [_text(it) for it in rows])
        except EndpointError as problem:
            self._reranker = None
            self._tell(f"{problem}; not reranked")
            return fused
        said = dict(zip((it.n for it in rows), scores, strict=True))
        return [*sorted(said, key=lambda it: -said[it]), *(it for it in fused if it not in said)]


def _text(row: Row) -> str:
    return f"{row.work.title}\n{row.work.abstract}".strip()[:_LONGEST]


def _mark(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "little")
