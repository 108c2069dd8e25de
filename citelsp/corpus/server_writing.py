"""Writing works to a server's index: whole batches, as often as needed; what the server rejects is listed.

Documents are named by their works, and each has a digest: adding again what is there changes nothing and is not sent,
so that a run that was killed is begun anew.  The name in the settings is an alias of an index `NAME-1`, `NAME-2` and so
on: a new one is built beside the one that is asked, and then switched to.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any
from urllib.parse import quote

from citelsp.corpus import server_index
from citelsp.corpus.index import Added
from citelsp.corpus.work import Work
from citelsp.sources.search_server import FOREIGN, NO_INDEX, ForeignAnswerError, SearchServer, UnavailableError

_BATCH = 1000  # works; with abstracts some 3 MB
_BYTES = 8_000_000  # of one request
_SECONDS, _HOURS = 120.0, 86_400.0
_TRIES = 9
_FIRST, _LONGEST = 1.0, 60.0  # seconds of rest if the server is busy
_ROUTINGS = 1000  # that are tried until each shard has one
_TOO_MANY, _ERRORS = 429, 500


class ServerWriter:
    """Adds to and removes from one index; UnavailableError if the server fails for minutes, with all before it done."""

    def __init__(self, server: SearchServer, index: str, rest: Callable[[float], Any] = asyncio.sleep) -> None:
        """`rest` waits so many seconds."""
        self._server = server
        self._index = index
        self._rest = rest

    async def add(
        self, works: Iterable[Work], problem: Callable[[str], None], report: Callable[[int], None] = lambda _: None
    ) -> Added:
        added = Added()
        done = 0
        for batch in _batches(works):
            latest = {it.id: it for it in batch}
            digests = await self.digests(list(latest))
            fresh = [it for it in latest.values() if digests.get(it.id) != server_index.digest(it)]
            rejected = await self.send(server_index.bulk_lines(fresh), problem)
            changed = sum(it.id in digests and it.id not in rejected for it in fresh)
            new = len(fresh) - changed - len(rejected)
            added = added.plus(new, changed, len(batch) - len(fresh))
            done += len(batch)
            report(done)
        await self.refresh()
        return added

    async def remove(self, ids: Sequence[str], problem: Callable[[str], None]) -> list[str]:
        """Forget works; the ids that were known."""
        known = await self.digests(ids)
        if not known:
            return []
        rejected = await self.send([(it, server_index.deletion(it)) for it in known], problem)
        await self._forget_vectors(list(known))
        await self.refresh()
        return [it for it in ids if it in known and it not in rejected]

    async def _forget_vectors(self, ids: Sequence[str]) -> None:
        """Those of all models: server_vectors.index_name names their indexes."""
        query = {"ids": {"values": [server_index.name(server_index.number(it)) for it in ids]}}
        path = f"/{quote(self._server.setting.index)}-vectors-*/_delete_by_query?conflicts=proceed&refresh=true"
        if ids:
            await self._server.root(path, {"query": query}, seconds=_SECONDS)

    async def digests(self, ids: Sequence[str]) -> dict[str, str]:
        """The digests of the works that are there."""
        if not ids:
            return {}
        names = {server_index.name(server_index.number(it)): it for it in ids}
        path = f"/{quote(self._index)}/_mget?_source_includes=digest&filter_path=docs._id,docs._source,docs.error.type"
        documents: list[Any] = []
        try:
            for attempt in range(_TRIES):
                documents = (await self._patiently(path, json.dumps({"ids": list(names)}).encode()))["docs"]
                if not any("error" in it for it in documents):
                    break
                await self._rest(_pause(attempt))  # a part of the index is on its way to a node
            else:
                raise UnavailableError("a part of its index did not answer for minutes")
            if len(documents) != len(names):
                raise ForeignAnswerError
            return {names[it["_id"]]: str(it["_source"].get("digest")) for it in documents if "_source" in it}
        except FOREIGN as error:
            raise ForeignAnswerError from error

    async def send(self, lines: Sequence[tuple[str, bytes]], problem: Callable[[str], None]) -> set[str]:
        """Send lines; what is rejected goes to `problem`, and what the server has no room for is sent again."""
        rejected: set[str] = set()
        for part in _parts(lines):
            left = part
            for attempt in range(_TRIES):
                left = await self._write_once(left, rejected, problem)
                if not left:
                    break
                await self._rest(_pause(attempt))
            else:
                raise UnavailableError(f"it had no room for {len(left)} works for minutes: add them again later")
        return rejected

    async def _write_once(
        self, lines: Sequence[tuple[str, bytes]], rejected: set[str], problem: Callable[[str], None]
    ) -> list[tuple[str, bytes]]:
        path = f"/{quote(self._index)}/_bulk?filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason"
        answer = await self._patiently(path, b"".join(line for _, line in lines))
        try:
            if not answer["errors"]:
                return []
            items = [next(iter(it.values())) for it in answer["items"]]
            again = []
            for item, line in zip(items, lines, strict=True):
                status = int(item["status"])
                if status == _TOO_MANY or status >= _ERRORS:
                    again.append(line)
                elif "error" in item:
                    rejected.add(line[0])
                    error = item["error"]
                    problem(f"{line[0]}: rejected: {error.get('reason') or error.get('type')}")
        except FOREIGN as error:
            raise ForeignAnswerError from error
        return again

    async def _patiently(self, path: str, content: bytes) -> Any:  # noqa: ANN401
        """The answer, asked for again while the server is busy or away."""
        for attempt in range(_TRIES):
            try:
                return await self._server.ask(path, content, seconds=_SECONDS)
            except UnavailableError as busy:
                known = busy.status and busy.status not in {429, 502, 503, 504}
                if known or isinstance(busy, ForeignAnswerError) or attempt + 1 == _TRIES:
                    raise
            await self._rest(_pause(attempt))
        raise ForeignAnswerError

    async def refresh(self) -> None:
        await self._server.root(f"/{quote(self._index)}/_refresh", {}, seconds=_SECONDS)


async def prepare(
    server: SearchServer,
    *,
    beside: bool,
    shards: int,
    replicas: str = "0-1",
    rest: Callable[[float], Any] = asyncio.sleep,
) -> str:
    """The index to write to, made if it is not there; `beside`: the one after that which is asked."""
    alias = server.setting.index
    current = await current_index(server)
    index = f"{alias}-1" if current is None else _following(current) if beside else current
    if current is None or (beside and not await _exists(server, index)):
        made = server_index.body(shards, replicas, ()) | ({} if current else {"aliases": {alias: {}}})
        await server.root(f"/{quote(index)}", made, seconds=_SECONDS, method="PUT")
        await until_made(server, index, rest)
    await _name_shards(server, index)
    return index


async def until_made(server: SearchServer, index: str, rest: Callable[[float], Any] = asyncio.sleep) -> None:
    """A busy cluster answers before it has made an index."""
    for attempt in range(_TRIES):
        if await _exists(server, index):
            return
        await rest(_pause(attempt))
    raise UnavailableError("it did not make the index for minutes: run the same command again later")


def _pause(attempt: int) -> float:
    return min(_LONGEST, _FIRST * 2.0**attempt)


async def compact(server: SearchServer) -> str:
    """Have the index in use written anew in one segment for each part; its name.  Hours for hundreds of gigabytes."""
    index = await index_in_use(server)
    await server.root(f"/{quote(index)}/_forcemerge?max_num_segments=1", {}, seconds=_HOURS)
    await server.root(f"/{quote(index)}/_refresh", {}, seconds=_SECONDS)
    return index


async def switch(server: SearchServer) -> tuple[str, str]:
    """Let the alias lead to the index that was built beside; the names of the one before and of this one."""
    alias = server.setting.index
    current = await current_index(server)
    following = _following(current) if current else ""
    if not current or not await _exists(server, following):
        raise UnavailableError("no index was built beside the one in use: use `citelsp corpus add --beside` first")
    actions = [
        {"remove": {"index": current, "alias": alias}},
        {"add": {"index": following, "alias": alias}},
    ]
    await server.root("/_aliases", {"actions": actions}, seconds=_SECONDS)
    return current, following


async def current_index(server: SearchServer) -> str | None:
    """The index that the alias leads to; None if there is none."""
    try:
        answer = await server.index("/_mapping?filter_path=*.mappings._meta", seconds=_SECONDS)
    except UnavailableError as problem:
        if problem.status == 404:
            return None
        raise
    if not isinstance(answer, dict) or len(answer) != 1:
        raise UnavailableError(f"{server.setting.index} is not one index that citelsp made: check index")
    return str(next(iter(answer)))


async def index_in_use(server: SearchServer) -> str:
    """The same; UnavailableError if there is none."""
    index = await current_index(server)
    if index is None:
        raise UnavailableError(NO_INDEX, 404)
    return index


async def works(server: SearchServer) -> AsyncIterator[Work]:
    """Everything in the index."""
    after: list[int] = []
    while True:
        columns = {"_source": ["number", "record"], "stored_fields": [server_index.CITED]}
        body = {"size": _BATCH, "sort": ["number"], "track_total_hits": False, **columns}
        (answer,) = await server.searches([{**body, **({"search_after": after} if after else {})}], seconds=_SECONDS)
        hits = answer.get("hits", {}).get("hits", [])
        try:
            for hit in hits:
                yield server_index.work(hit["_source"], hit.get("fields", {}).get(server_index.CITED, ()))
            after = [int(hits[-1]["_source"]["number"])] if hits else []
        except FOREIGN as error:
            raise ForeignAnswerError from error
        if len(hits) < _BATCH:
            return


async def _name_shards(server: SearchServer, index: str) -> None:
    """Write into the mapping which routing leads to which shard, so that readers need not look for them."""
    answer = await server.root(f"/{quote(index)}/_mapping?filter_path=*.mappings._meta", seconds=_SECONDS)
    try:
        meta = answer[index]["mappings"]["_meta"]
        if meta["citelsp"] != server_index.FORMAT:
            raise UnavailableError(f"another version of citelsp made {index}: build a new index with --beside")
        if meta["routings"]:
            return
        count = len((await server.root(f"/{quote(index)}/_search_shards", seconds=_SECONDS))["shards"])
        found: dict[int, str] = {}
        for routing in map(str, range(_ROUTINGS)):
            shards = await server.root(f"/{quote(index)}/_search_shards?routing={routing}", seconds=_SECONDS)
            found.setdefault(int(shards["shards"][0][0]["shard"]), routing)
            if len(found) == count:
                break
    except FOREIGN as error:
        raise ForeignAnswerError from error
    body = {"_meta": meta | {"routings": [found[it] for it in sorted(found)]}}
    await server.root(f"/{quote(index)}/_mapping", body, seconds=_SECONDS, method="PUT")


async def _exists(server: SearchServer, index: str) -> bool:
    try:
        await server.root(f"/{quote(index)}/_mapping", seconds=_SECONDS)
    except UnavailableError as problem:
        if problem.status == 404:
            return False
        raise
    return True


def _following(index: str) -> str:
    base, _, number = index.rpartition("-")
    return f"{base}-{int(number) + 1}" if base and number.isdigit() else f"{index}-2"


def _batches(works: Iterable[Work]) -> Iterator[list[Work]]:
    iterator = iter(works)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


def _parts(lines: Sequence[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    """Lines in requests of so many bytes."""
    part: list[tuple[str, bytes]] = []
    size = 0
    for line in lines:
        if part and size + len(line[1]) > _BYTES:
            yield part
            part = []
            size = 0
        part.append(line)
        size += len(line[1])
    if part:
        yield part
