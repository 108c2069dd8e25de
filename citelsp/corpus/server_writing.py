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

from citelsp.base.text import write_count
from citelsp.corpus import server_index
from citelsp.corpus.index import Added
from citelsp.corpus.work import Work
from citelsp.sources.search_server import FOREIGN, NO_INDEX, ForeignAnswerError, SearchServer, UnavailableError

_BATCH = 1000  # works; with abstracts some 3 MB
_REQUEST_BYTES = 8_000_000
_SECONDS, _SECONDS_TO_COMPACT = 120.0, 86_400.0  # until an answer
_TRIES = 9
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0  # seconds, if the server is busy
_MOST_ROUTINGS = 1000  # that are tried until each shard has one
_NOT_FOUND, _TOO_MANY, _FIRST_SERVER_ERROR = 404, 429, 500  # HTTP's; errors of the server begin with the last
_BUSY = frozenset({_TOO_MANY, 502, 503, 504})

Line = tuple[str, bytes]  # a work's id, and what is sent of it: a line of _bulk, or two


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
        """Add works and replace those that changed; return how many were new, changed or the same.

        `problem` is called with a line for each work that the server rejects, which counts as none of these; `report`
        is called with the number of works read until then.  A work has changed if its digest has, which is made of all
        that it says.  Of several works with one id in a batch the last one is written, and the others count as the
        same.
        """
        added = Added()
        done = 0
        for batch in _read_batches(works):
            latest = {it.id: it for it in batch}
            digests = await self.digests(list(latest))
            fresh = [it for it in latest.values() if digests.get(it.id) != server_index.digest(it)]
            rejected = await self.send(server_index.bulk_lines(fresh), problem)
            changed = sum(it.id in digests and it.id not in rejected for it in fresh)
            new = len(fresh) - changed - len(rejected)
            added = added.plus(Added(new, changed, same=len(batch) - len(fresh)))
            done += len(batch)
            report(done)
        await self.refresh()
        return added

    async def remove(self, ids: Sequence[str], problem: Callable[[str], None]) -> list[str]:
        """Remove works, and the vectors of all models for them; the ids of those that were there and are gone.

        `problem` is called with a line for each work whose removal the server rejects; its vectors stay.
        """
        digests = await self.digests(ids)
        if not digests:
            return []
        rejected = await self.send([(it, server_index.deletion(it)) for it in digests], problem)
        removed = [it for it in ids if it in digests and it not in rejected]
        await self._remove_vectors(removed)
        await self.refresh()
        return removed

    async def _remove_vectors(self, ids: Sequence[str]) -> None:
        """Remove works from the indexes of vectors of all models, which server_vectors.index_name names."""
        query = {"ids": {"values": [server_index.name(server_index.number(it)) for it in ids]}}
        path = f"/{quote(self._server.setting.index)}-vectors-*/_delete_by_query?conflicts=proceed&refresh=true"
        await self._server.root(path, {"query": query}, seconds=_SECONDS)

    async def digests(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the digests of those of these works that are in the index, by their ids.

        The server answers {"docs": [{"_id": "00ff…", "_source": {"digest": "a1b2"}}]}, without _source for a work that
        is not there, and with "error" while a part of the index is on its way to another node: then it is asked again,
        for minutes.
        """
        if not ids:
            return {}
        id_of = {server_index.name(server_index.number(it)): it for it in ids}
        path = f"/{quote(self._index)}/_mget?_source_includes=digest&filter_path=docs._id,docs._source,docs.error.type"
        content = json.dumps({"ids": list(id_of)}).encode()
        documents: list[Any] = []
        try:
            for attempt in range(_TRIES):
                documents = (await self._ask_patiently(path, content))["docs"]
                if not any("error" in it for it in documents):
                    break
                await self._rest(_choose_pause(attempt))
            else:
                raise UnavailableError("a part of its index did not answer for minutes")
            if len(documents) != len(id_of):
                raise ForeignAnswerError
            return {id_of[it["_id"]]: str(it["_source"].get("digest")) for it in documents if "_source" in it}
        except FOREIGN as error:  # raised by an answer of another form
            raise ForeignAnswerError from error

    async def send(self, lines: Sequence[Line], problem: Callable[[str], None]) -> set[str]:
        """Send lines; return the ids of the works that the server rejects.  `problem` is called with each reason.

        Lines for which the server has no room are sent again, for minutes; then UnavailableError.
        """
        rejected: set[str] = set()
        for part in _split_by_size(lines):
            left = part
            for attempt in range(_TRIES):
                left = await self._send_once(left, rejected, problem)
                if not left:
                    break
                await self._rest(_choose_pause(attempt))
            else:
                works = write_count(len(left), "work")
                raise UnavailableError(f"it had no room for {works} for minutes: add what is missing later")
        return rejected

    async def _send_once(self, lines: Sequence[Line], rejected: set[str], problem: Callable[[str], None]) -> list[Line]:
        """Send lines in one request; return those to be sent again.  The ids of rejected works are added to `rejected`.

        The server answers for each line, in their order: {"errors": true, "items": [{"index": {"status": 400, "error":
        {"type": "…", "reason": "…"}}}]}.  A line without an error is done.
        """
        path = f"/{quote(self._index)}/_bulk?filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason"
        answer = await self._ask_patiently(path, b"".join(content for _, content in lines))
        try:
            if not answer["errors"]:
                return []
            outcomes = [next(iter(it.values())) for it in answer["items"]]
            again = []
            for outcome, line in zip(outcomes, lines, strict=True):
                status = int(outcome["status"])
                # The server had no room or failed: the line itself may be fine.
                if status == _TOO_MANY or status >= _FIRST_SERVER_ERROR:
                    again.append(line)
                elif "error" in outcome:
                    id_, _ = line
                    error = outcome["error"]
                    rejected.add(id_)
                    problem(f"{id_}: rejected: {error.get('reason') or error.get('type')}")
        except FOREIGN as error:  # raised by an answer of another form
            raise ForeignAnswerError from error
        return again

    async def _ask_patiently(self, path: str, content: bytes) -> Any:  # noqa: ANN401
        """Ask the server, and again with growing pauses while it is busy or cannot be reached; return its answer.

        UnavailableError if it still fails at the last try, or at once if it fails for another reason.
        """
        for attempt in range(_TRIES):
            try:
                return await self._server.ask(path, content, seconds=_SECONDS)
            except UnavailableError as problem:
                # Without a status it could not be reached.  Who answers something else than OpenSearch does it again.
                may_recover = not problem.status or problem.status in _BUSY
                if not may_recover or isinstance(problem, ForeignAnswerError) or attempt + 1 == _TRIES:
                    raise
            await self._rest(_choose_pause(attempt))
        raise ForeignAnswerError  # never reached: for the type checker

    async def refresh(self) -> None:
        """Let searches find what was written."""
        await self._server.root(f"/{quote(self._index)}/_refresh", {}, seconds=_SECONDS)


async def prepare(
    server: SearchServer,
    *,
    beside: bool,
    shards: int,
    replicas: str = "0-1",
    rest: Callable[[float], Any] = asyncio.sleep,
) -> str:
    """Return the name of the index to write to, which is made if it is not there.

    This is the index in use; if there is none, it is `NAME-1`, which is in use from now on.  With `beside` it is the
    one after that in use, `NAME-2`, which `switch` puts to use later.  Its mapping then has a routing for each shard: a
    value that leads to it.  A new index is cut into `shards`, with as many copies of each as `replicas` says, in
    OpenSearch's words.  `rest` waits so many seconds.  UnavailableError if the server fails, or if another version of
    citelsp made the index.
    """
    alias = server.setting.index
    current = await current_index(server)
    if current is None:
        index = f"{alias}-1"
        is_missing = True
    elif beside:
        index = _name_following(current)
        is_missing = not await _exists(server, index)
    else:
        index = current
        is_missing = False
    if is_missing:
        body = server_index.body(shards, replicas, ())
        if current is None:
            body |= {"aliases": {alias: {}}}
        await server.root(f"/{quote(index)}", body, seconds=_SECONDS, method="PUT")
        await wait_until_made(server, index, rest)
    await _write_routings(server, index)
    return index


async def wait_until_made(server: SearchServer, index: str, rest: Callable[[float], Any] = asyncio.sleep) -> None:
    """Wait for a new index, as a busy cluster answers before it has made it; UnavailableError after some minutes."""
    for attempt in range(_TRIES):
        if await _exists(server, index):
            return
        await rest(_choose_pause(attempt))
    raise UnavailableError("it did not make the index for minutes: run the same command again later")


def _choose_pause(attempt: int) -> float:
    """Seconds to wait after an attempt, counted from 0: twice as long each time."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0**attempt)


async def compact(server: SearchServer) -> str:
    """Have the index in use written anew in one segment for each part; its name.  Hours for hundreds of gigabytes."""
    index = await index_in_use(server)
    await server.root(f"/{quote(index)}/_forcemerge?max_num_segments=1", {}, seconds=_SECONDS_TO_COMPACT)
    await server.root(f"/{quote(index)}/_refresh", {}, seconds=_SECONDS)
    return index


async def switch(server: SearchServer) -> tuple[str, str]:
    """Let the alias lead to the index that was built beside; return the names of the one before it and of this one.

    UnavailableError if none was built beside.
    """
    alias = server.setting.index
    current = await current_index(server)
    following = _name_following(current) if current else ""
    if not current or not await _exists(server, following):
        raise UnavailableError("no index was built beside the one in use: use `citelsp corpus add --beside` first")
    actions = [
        {"remove": {"index": current, "alias": alias}},
        {"add": {"index": following, "alias": alias}},
    ]
    await server.root("/_aliases", {"actions": actions}, seconds=_SECONDS)
    return current, following


async def current_index(server: SearchServer) -> str | None:
    """Return the name of the index that the alias, the name in the settings, leads to; None if there is no such name.

    An index that itself has that name is given, too.  UnavailableError if the alias leads to several, or to one without
    the `_meta` that citelsp writes, or if the server fails.  What `_meta` says, as its format, is not looked at.
    """
    try:
        answer = await server.index("/_mapping?filter_path=*.mappings._meta", seconds=_SECONDS)
    except UnavailableError as problem:
        if problem.status == _NOT_FOUND:
            return None
        raise
    # {"NAME-1": {"mappings": …}}
    if not isinstance(answer, dict) or len(answer) != 1:
        raise UnavailableError(f"{server.setting.index} is not one index that citelsp made: check index")
    return str(next(iter(answer)))


async def index_in_use(server: SearchServer) -> str:
    """The same; UnavailableError if there is none."""
    index = await current_index(server)
    if index is None:
        raise UnavailableError(NO_INDEX, _NOT_FOUND)
    return index


async def works(server: SearchServer) -> AsyncIterator[Work]:
    """Yield every work of the index, in the order of their numbers, which are hashes; they are asked for in batches.

    A hit is {"_source": {"number": 17, "record": {…}}, "fields": {"cited": ["id", …]}}, without fields if the work's
    references are not known.  UnavailableError if the server fails, perhaps after some of the works.
    """
    after: list[int] = []  # the number of the last work so far
    while True:
        columns = {"_source": ["number", "record"], "stored_fields": [server_index.CITED]}
        body = {"size": _BATCH, "sort": ["number"], "track_total_hits": False, **columns}
        if after:
            body["search_after"] = after
        (answer,) = await server.searches([body], seconds=_SECONDS)
        hits = answer.get("hits", {}).get("hits", [])
        try:
            for hit in hits:
                references = hit.get("fields", {}).get(server_index.CITED, ())
                yield server_index.work(hit["_source"], references)
            after = [int(hits[-1]["_source"]["number"])] if hits else []
        except FOREIGN as error:  # raised by an answer of another form
            raise ForeignAnswerError from error
        if len(hits) < _BATCH:
            return


async def _write_routings(server: SearchServer, index: str) -> None:
    """Write into the mapping a value for each shard that leads to it, unless it has them: readers look there for them.

    The server takes the hash of such a routing to choose a shard: "0", "1", "2", … are tried until each shard has one.
    A shard that none of `_MOST_ROUTINGS` leads to, as may happen if there are more than a hundred, gets no value, and
    is not counted in statistics.
    """
    answer = await server.root(f"/{quote(index)}/_mapping?filter_path=*.mappings._meta", seconds=_SECONDS)
    try:
        meta = answer[index]["mappings"]["_meta"]
        if meta["citelsp"] != server_index.FORMAT:
            raise UnavailableError(f"another version of citelsp made {index}: build a new index with --beside")
        if meta["routings"]:
            return
        # {"shards": [[{"shard": 3, …}, …], …]}: a list for each shard, with an item for each copy of it.
        every_shard = (await server.root(f"/{quote(index)}/_search_shards", seconds=_SECONDS))["shards"]
        routing_of: dict[int, str] = {}  # by number of the shard
        for routing in map(str, range(_MOST_ROUTINGS)):
            routed = await server.root(f"/{quote(index)}/_search_shards?routing={routing}", seconds=_SECONDS)
            shard = int(routed["shards"][0][0]["shard"])
            routing_of.setdefault(shard, routing)
            if len(routing_of) == len(every_shard):
                break
    except FOREIGN as error:  # raised by an answer of another form
        raise ForeignAnswerError from error
    body = {"_meta": meta | {"routings": [routing_of[it] for it in sorted(routing_of)]}}
    await server.root(f"/{quote(index)}/_mapping", body, seconds=_SECONDS, method="PUT")


async def _exists(server: SearchServer, index: str) -> bool:
    try:
        await server.root(f"/{quote(index)}/_mapping", seconds=_SECONDS)
    except UnavailableError as problem:
        if problem.status == _NOT_FOUND:
            return False
        raise
    return True


def _name_following(index: str) -> str:
    """The name after this one: "works-2" after "works-1", and after a name without a number, "works"."""
    base, _, number = index.rpartition("-")
    return f"{base}-{int(number) + 1}" if base and number.isdigit() else f"{index}-2"


def _read_batches(works: Iterable[Work]) -> Iterator[list[Work]]:
    iterator = iter(works)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


def _split_by_size(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines in parts of at most _REQUEST_BYTES bytes; a longer line makes a part alone."""
    part: list[Line] = []
    size = 0
    for line in lines:
        _, content = line
        if part and size + len(content) > _REQUEST_BYTES:
            yield part
            part = []
            size = 0
        part.append(line)
        size += len(content)
    if part:
        yield part
