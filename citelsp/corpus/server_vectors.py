"""Vectors on a server that has k-NN: an index of their own for each model, beside the works'.

A document has the name of its work, a vector of small whole numbers, and a digest of the text that was embedded: a run
that was killed goes on, and a new index of works needs no new vectors.  Only directions are compared, so that the
largest number of a vector may be 127 whatever it was.  The mean of all vectors lies in the mapping: as in the embedded
index, a work counts as near if it is at least halfway from a work by chance to the nearest.
"""

import math
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from operator import mul
from typing import Any, NamedTuple
from urllib.parse import quote

from citelsp.corpus import dense, server_index, server_writing
from citelsp.corpus.catalogue import Hits
from citelsp.corpus.server_writing import ServerWriter
from citelsp.corpus.work import Work
from citelsp.meaning.local_embedder import AnyEmbedder
from citelsp.sources.search_server import FOREIGN, ForeignAnswerError, SearchServer, UnavailableError

FORMAT = 1  # of mapping and documents: another one is an index of another name
_LARGEST_NUMBER = 127  # of a vector
_SECONDS = 120.0
_WORKS_AT_ONCE = 256  # between two writes
_BAD_REQUEST, _FORBIDDEN, _NOT_FOUND = 400, 403, 404  # HTTP's


class Direction(NamedTuple):
    """What a query means, as one index of vectors compares it."""

    within: str  # the index
    values: Sequence[int]
    by_chance: float  # cosine of a work by chance


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """The vectors of one model."""

    name: str
    works: int  # that the mean is of
    mean: Sequence[float]  # of vectors of length one

    def direction(self, values: Sequence[float]) -> Direction:
        """What a query's vector means here."""
        by_chance = sum(map(mul, _make_unit(values), self.mean))  # the mean of its cosines with all vectors
        return Direction(self.name, _round_to_bytes(values), by_chance)

    def with_more(self, added: Sequence[Sequence[float]]) -> "VectorIndex":
        """The same after some vectors were added; EndpointError if these are of another length."""
        for vector in added:
            dense.check(len(vector), len(self.mean), f"the index {self.name}")
        works = self.works + len(added)
        added_sums = map(math.fsum, zip(*map(_make_unit, added), strict=True))
        mean = [(old * self.works + new) / works for old, new in zip(self.mean, added_sums, strict=True)]
        return VectorIndex(self.name, works, mean)

    def meta(self) -> dict[str, object]:
        """What `find` reads of the index's mapping."""
        return {"citelsp": FORMAT, "works": self.works, "mean": [round(it, 6) for it in self.mean]}


def index_name(server: SearchServer, model: str) -> str:
    """The name of the index for a model: by the index of works, so that the same permissions hold, and by a hash."""
    return f"{server.setting.index}-vectors-{blake2b(f'{FORMAT} {model}'.encode(), digest_size=6).hexdigest()}"


async def find(server: SearchServer, model: str, seconds: float = _SECONDS) -> VectorIndex | None:
    """Ask the server for the index with the vectors of a model; None if there is none, or this user may not read it.

    The mapping of their index describes them: {NAME: {"mappings": {"_meta": {"works": 506, "mean": [0.02, …]}}}}.  The
    mean is that of the vectors of so many works.  UnavailableError if the server does not answer; ForeignAnswerError, a
    kind of it, if it answers something else.
    """
    name = index_name(server, model)
    try:
        answer = await server.root(f"/{quote(name)}/_mapping?filter_path=*.mappings._meta", seconds=seconds)
        meta = answer[name]["mappings"]["_meta"]
        works = int(meta["works"])
        mean = [float(it) for it in meta["mean"]]
        if not mean or not all(map(math.isfinite, mean)):
            raise ForeignAnswerError
    except FOREIGN as problem:  # raised by an answer of another form
        raise ForeignAnswerError from problem
    except UnavailableError as problem:
        if problem.status in {_FORBIDDEN, _NOT_FOUND}:
            return None
        raise
    return VectorIndex(name, works, mean)


async def count(server: SearchServer, model: str) -> int:
    """How many works have a vector of a model."""
    index = await find(server, model)
    if index is None:
        return 0
    body = {"size": 0, "track_total_hits": True}
    (counted,) = await server.searches([body], seconds=_SECONDS, indexes=[index.name])
    try:
        return int(counted["hits"]["total"]["value"])
    except FOREIGN as problem:  # raised by an answer of another form
        raise ForeignAnswerError from problem


async def update(
    server: SearchServer, embedder: AnyEmbedder, problem: Callable[[str], None], report: Callable[[int], None]
) -> int:
    """Give a vector to each work that has none, or one of an older text; return how many works were given one.

    `problem` is called with a line for each work that the server rejects, `report` with the number of works looked at
    until then.  EndpointError if the model fails or its vectors have another size than those in the index,
    UnavailableError if the server fails: the vectors written until then stay, and are not computed again.
    """
    name = index_name(server, embedder.vectors)
    writer = ServerWriter(server, name)
    done = 0
    seen = 0
    index = await find(server, embedder.vectors)
    try:
        async for works in _read_in_parts(server_writing.works(server)):
            digests = await writer.digests([it.id for it in works]) if index else {}
            fresh = [it for it in works if digests.get(it.id) != _hash_text(it)]
            vectors = await dense.embed_works(embedder, fresh)
            index = await _count_in(server, name, index, vectors)
            lines = [_write_line(work, vector) for work, vector in zip(fresh, vectors, strict=True)]
            rejected = await writer.send(lines, problem)
            done += len(fresh) - len(rejected)
            seen += len(works)
            report(seen)
    finally:
        if index and done:
            await _write_meta(server, index)
            await writer.refresh()
    return done


async def _count_in(
    server: SearchServer, name: str, index: VectorIndex | None, added: Sequence[Sequence[float]]
) -> VectorIndex | None:
    """Return an index with some vectors more in its mean, as it is if there are none; it is made if it is not there."""
    if not added:
        return index
    if index is not None:
        return index.with_more(added)  # those that replace older ones count twice: the mean may be rough
    # Works come in the order of hashes, as by chance: if this is killed, the mean of the first of them, which is
    # written now, will do for all.
    made = VectorIndex(name, 0, [0.0] * len(added[0])).with_more(added)
    await _make_index(server, made)
    return made


def search(asked: Direction) -> dict[str, Any]:
    """The body that brings the nearest works; sent to the index of the vectors."""
    return {"query": {"knn": {"vector": {"vector": asked.values, "k": dense.NEAREST}}}, "size": dense.NEAREST}


def nearest_works(asked: Direction, hits: Hits) -> list[int]:
    """Numbers of those that lie at least halfway from a work by chance to the nearest, best first.

    Given the hits of `search`: the score of one is (1 + cosine) / 2.
    """
    cosines = [(n, 2 * score - 1) for n, score in hits]
    nearest = max((cosine for _, cosine in cosines), default=0.0)
    halfway = (asked.by_chance + nearest) / 2
    return [n for n, cosine in cosines if cosine >= halfway]


async def _make_index(server: SearchServer, index: VectorIndex) -> None:
    """Make an empty index of vectors, with as many shards as the works' index has, and wait until it is there.

    UnavailableError if the server lacks the plugin for vectors, or does not answer.
    """
    try:
        shards = len((await server.index("/_search_shards", seconds=_SECONDS))["shards"])
    except FOREIGN as problem:  # raised by an answer of another form
        raise ForeignAnswerError from problem
    method = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
    vector = {"type": "knn_vector", "dimension": len(index.mean), "data_type": "byte", "method": method}
    body = {
        "settings": {
            "index.knn": True, "number_of_shards": shards, "auto_expand_replicas": "0-1", "refresh_interval": "30s",
        },
        "mappings": {
            "dynamic": "strict",
            "_meta": index.meta(),
            "_source": {"excludes": ["vector"]},
            "properties": {
                "number": {"type": "long", "index": False},
                "digest": {"type": "keyword", "index": False, "doc_values": False},
                "vector": vector,
            },
        },
    }  # fmt: skip
    try:
        await server.root(f"/{quote(index.name)}", body, seconds=_SECONDS, method="PUT")
    except UnavailableError as problem:
        if problem.status != _BAD_REQUEST:
            raise
        # A server without the plugin does not know the type knn_vector.
        why = "it takes no vectors: install the plugin opensearch-knn on each of its nodes"
        raise UnavailableError(why, problem.status) from problem
    await server_writing.wait_until_made(server, index.name)


async def _write_meta(server: SearchServer, index: VectorIndex) -> None:
    await server.root(f"/{quote(index.name)}/_mapping", {"_meta": index.meta()}, seconds=_SECONDS, method="PUT")


async def _read_in_parts(works: AsyncIterator[Work]) -> AsyncIterator[list[Work]]:
    """Works in lists of _WORKS_AT_ONCE; the last one may be shorter."""
    part: list[Work] = []
    async for work in works:
        part.append(work)
        if len(part) == _WORKS_AT_ONCE:
            yield part
            part = []
    if part:
        yield part


def _write_line(work: Work, vector: Sequence[float]) -> server_writing.Line:
    """The id of a work and the lines that index its vector."""
    number = server_index.number(work.id)
    document = {"number": number, "digest": _hash_text(work), "vector": _round_to_bytes(vector)}
    return work.id, server_index.indexing_lines(number, document)


def _hash_text(work: Work) -> str:
    """Differs once another text of the work would be embedded."""
    return blake2b(dense.text(work).encode(), digest_size=8).hexdigest()


def _round_to_bytes(values: Sequence[float]) -> list[int]:
    """A vector of the same direction, of whole numbers from -127 to 127."""
    largest = max(map(abs, values)) or 1.0
    return [round(_LARGEST_NUMBER * it / largest) for it in values]


def _make_unit(values: Sequence[float]) -> list[float]:
    """A vector of the same direction and of length one; zeros stay zeros."""
    length = math.hypot(*values) or 1.0
    return [it / length for it in values]
