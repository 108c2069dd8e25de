"""What a corpus on a real cluster finds and costs, beside the embedded index, on the same questions in the same run.

    python tests/benchmarks/institute.py --keep FOLDER [--works FILE.jsonl | --invented N] [--limit N]
        [--ask QUESTIONS.jsonl GOLD.jsonl]... [--answers FILE] [--sample N] [--costs N] [--alone] [--clients 4]
        [--cites] [--nodes 3] [--shards 1] [--port N] [--attach ADDRESS...]
    python tests/benchmarks/institute.py --keep FOLDER --works FILE.jsonl --ask QUESTIONS.jsonl GOLD.jsonl --grow N...

FOLDER holds both indexes, and a later run opens what is there, or goes on with it.  QUESTIONS are batch queries, GOLD
says what is right; without them places are invented, and only costs are measured.  `--sample` draws so many questions
of each set, and `--costs` so many of all whose cost is measured.  `--answers` writes down what each question found, and
a later run asks only the others.  `--grow` measures costs alone, in an index of its own that grows to each of these
sizes: the real works first, then others whose titles and abstracts are put together from halves of two; a later run
goes on where one was stopped.  Nodes run with the virtual machine's own settings, as an institute's do, and are asked
300 questions first.  Needs what `pytest --cluster` needs.
"""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import httpx
from papers import Stock, invented

sys.path.append(str(Path(__file__).parent.parent / "support"))
import institute_curve
import institute_recall
import opensearch_cluster
from citelsp.base.settings import CorpusServer
from citelsp.corpus import search_place, server_state, server_writing
from citelsp.corpus.catalogue import Wording
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.server_writing import ServerWriter
from citelsp.corpus.servers import ServerCorpus
from citelsp.evals import manuscripts, questions
from citelsp.evals.questions import LabelledPlace
from citelsp.workspace.question import MARKER
from institute_curve import Point
from institute_recall import Recalls
from opensearch_cluster import Cluster
from round_trips import Trips

_ALONE, _COPIED = "0-0", "0-1"  # an index without copies, or with one if there are several nodes
_SECONDS = 120.0
_WARM, _PLACES = 300, 200
_HITS = 10  # of a plain question, as a search box shows

T = TypeVar("T")
U = TypeVar("U")


def served(addresses: Sequence[str], index: str, network: httpx.AsyncBaseTransport | None = None) -> ServerCorpus:
    first, *others = addresses
    return ServerCorpus("cluster", CorpusServer(first, tuple(others), index=index, seconds=_SECONDS), network)


# Filling


async def fill(server: ServerCorpus, stock: Stock, cluster: Cluster, given: argparse.Namespace) -> None:
    """Add the works unless as many are there.  Prints what adding cost."""
    name = await server_writing.prepare(server.server, beside=False, shards=given.shards, replicas=_ALONE)
    settings = await server.server.root(f"/{name}/_settings", seconds=_SECONDS)
    is_whole = settings[name]["settings"]["index"]["auto_expand_replicas"] == _COPIED
    least = stock.stop if stock.grows and stock.stop else 1
    if not is_whole or (await server_state.read(server.server)).works < least:
        await set_copies(server, name, _ALONE)
        nodes = cluster.cpu()
        shares = [replace(stock, place=it, parts=given.clients) for it in range(given.clients)]
        act = partial(adding, cluster.addresses, server.server.setting.index, name)
        costs = await asyncio.to_thread(in_parts, act, shares, given.clients)
        spent = f"{sum(it for _, it in costs):.0f} s of CPU here, {cluster.cpu() - nodes:.0f} s on the nodes"
        print(f"Added {sum(it for it, _ in costs):,} works: {spent}.", flush=True)  # noqa: T201
        await server_writing.compact(server.server)
        # Copies are made of what is written: half the processor's time of writing everything twice.
        await set_copies(server, name, _COPIED)
        await asyncio.to_thread(cluster.wait)


def adding(addresses: Sequence[str], index: str, name: str, shares: Sequence[Stock]) -> list[tuple[int, float]]:
    """In a process of its own: of each share how many works are new, and what adding them cost."""

    async def run(stock: Stock) -> tuple[int, float]:
        server, own = served(addresses, index), time.process_time()
        added = await ServerWriter(server.server, name).add(stock.works(), sys.exit)
        await server.aclose()
        return added.new, time.process_time() - own

    return [asyncio.run(run(it)) for it in shares]


async def set_copies(server: ServerCorpus, name: str, copies: str) -> None:
    """An index without copies is being filled, and nobody asks it: parts are written out as large as they can be."""
    often = "-1" if copies == _ALONE else "30s"
    body = {"index": {"auto_expand_replicas": copies, "refresh_interval": often}}
    await server.server.root(f"/{name}/_settings", body, seconds=_SECONDS, method="PUT")


# What it costs


@dataclass(frozen=True)
class Cost:
    """Of one question, in milliseconds; medians on the clock, means of CPU."""

    client: float
    nodes: float
    requests: float
    trips: float
    wall: float
    wall_p95: float


async def plain(server: ServerCorpus, asked: LabelledPlace) -> None:
    """One BM25 question: the stems of title and sentence, ten works with their records."""
    wording = Wording("text", Query(asked.asked).plain, _HITS)
    catalogue = await server.catalogue()
    hits = await asyncio.to_thread(lambda: catalogue.search({"plain": wording}, ())["plain"])
    await asyncio.to_thread(catalogue.sketches, [n for n, _ in hits])


async def whole(server: ServerCorpus, asked: LabelledPlace) -> None:
    await server.rank(asked.asked, asked.exclude)


Ask = Callable[[ServerCorpus, LabelledPlace], Awaitable[None]]


async def cost(
    server: ServerCorpus, network: Trips, cluster: Cluster, ask: Ask, asked: Sequence[LabelledPlace]
) -> Cost:
    walls = []
    own, nodes, requests, trips = time.process_time(), cluster.cpu(), network.requests, network.trips
    for one in asked:
        began = time.perf_counter()
        await ask(server, one)
        walls.append(1000 * (time.perf_counter() - began))
    each = len(asked)
    client, nodes = time.process_time() - own, cluster.cpu() - nodes
    walls.sort()
    return Cost(
        1000 * client / each, 1000 * nodes / each, (network.requests - requests) / each, (network.trips - trips) / each,
        statistics.median(walls), walls[int(0.95 * each)],
    )  # fmt: skip


def embedded_cost(corpus: Corpus, asked: Sequence[LabelledPlace]) -> float:
    before = time.process_time()
    for one in asked:
        search_place.rank(corpus.catalogue(), one.asked, exclude=one.exclude)
    return 1000 * (time.process_time() - before) / len(asked)


def client(addresses: Sequence[str], index: str, kind: str, asked: Sequence[LabelledPlace]) -> list[float]:
    """In a process of its own: seconds on the clock that each question took, one after another."""

    async def run() -> list[float]:
        server, walls = served(addresses, index), []
        for one in asked[:5]:
            await _KINDS[kind](server, one)
        for one in asked:
            began = time.perf_counter()
            await _KINDS[kind](server, one)
            walls.append(1000 * (time.perf_counter() - began))
        await server.aclose()
        return walls

    return asyncio.run(run())


_KINDS: Mapping[str, Ask] = {"plain": plain, "whole": whole}


def together(
    cluster: Cluster, index: str, kind: str, asked: Sequence[LabelledPlace], clients: int
) -> tuple[float, float]:
    """Median and 95th percentile of milliseconds on the clock, if so many clients ask without a pause."""
    walls = sorted(in_parts(partial(client, cluster.addresses, index, kind), asked, clients))
    return statistics.median(walls), walls[int(0.95 * len(walls))]


def in_parts(act: Callable[[Sequence[U]], list[T]], asked: Sequence[U], count: int) -> list[T]:
    """What so many processes find, each for a part of what is asked."""
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as processes:
        running = [processes.submit(act, asked[it::count]) for it in range(count)]
        return list(chain.from_iterable(it.result() for it in running))


async def at_rest(cluster: Cluster, seconds: float = 5.0) -> float:
    before = cluster.cpu()
    await asyncio.sleep(seconds)
    return 1000 * (cluster.cpu() - before) / seconds


def compared(
    folder: Path, addresses: Sequence[str], index: str, notes: Path | None, asked: Sequence[LabelledPlace]
) -> list[Recalls]:
    """In a process of its own: what the embedded index in a folder finds, and the server."""
    return institute_recall.compare(folder, served(addresses, index), notes, asked)


async def costs(
    given: argparse.Namespace, index: str, corpus: Corpus | None, cluster: Cluster, asked: Sequence[LabelledPlace]
) -> tuple[str, Point]:
    """A Markdown table of both kinds of question, one by one and by several clients at once."""
    network = Trips(httpx.AsyncHTTPTransport())
    server = served(cluster.addresses, index, network)
    for one in islice(cycle(asked), _WARM):
        await whole(server, one)
        await plain(server, one)
    ours = f" (embedded: {embedded_cost(corpus, asked):.0f})" if corpus else ""
    less, more = [await cost(server, network, cluster, ask, asked) for ask in (plain, whole)]
    state = await server_state.read(server.server)
    size = await server.server.index("/_stats/store", seconds=_SECONDS)
    await server.aclose()
    idle = await at_rest(cluster)
    crowd = {it: await asyncio.to_thread(together, cluster, index, it, asked, given.clients) for it in _KINDS}
    rows = [
        (f"CPU of the client, ms{ours}", less.client, more.client),
        (f"CPU of all nodes, ms (at rest {idle:.0f} a second)", less.nodes, more.nodes),
        ("round trips", less.trips, more.trips),
        ("requests", less.requests, more.requests),
        ("on the clock, median ms", less.wall, more.wall),
        ("on the clock, 95th percentile ms", less.wall_p95, more.wall_p95),
        (f"{given.clients} clients: median ms", crowd["plain"][0], crowd["whole"][0]),
        (f"{given.clients} clients: 95th percentile ms", crowd["plain"][1], crowd["whole"][1]),
    ]
    lines = [f"{len(asked)} questions, {state.sentence()}", "", "| | one BM25 question | a question | ratio |"]
    lines += ["|---|--:|--:|--:|"]
    lines += [
        f"| {name} | {small:.1f} | {large:.1f} | {large / small if small else 0:.1f} |" for name, small, large in rows
    ]
    gigabytes = size["_all"]["primaries"]["store"]["size_in_bytes"] / 1e9
    return "\n".join(lines), Point(state.works, gigabytes, less.nodes, more.nodes, more.client, more.wall_p95)


# The run


def read(given: argparse.Namespace, corpus: Corpus | None) -> list[list[LabelledPlace]]:
    """The places of each set that is asked; without any, the words of works' abstracts around a marker."""
    chance = random.Random(7)  # noqa: S311
    if corpus and not given.ask:
        return [invented_places(corpus, chance)]
    asked = [it for pair in given.ask for it in questions.read(Path(pair[0]), Path(pair[1])) if it.text]
    sets = [[it for it in asked if it.set == name] for name in dict.fromkeys(it.set for it in asked)]
    if corpus and given.cites:
        sets = [manuscripts.citing(corpus, it) for it in sets]
    return [chance.sample(it, min(given.sample or len(it), len(it))) for it in sets]


def invented_places(corpus: Corpus, chance: random.Random) -> list[LabelledPlace]:
    rows = corpus.rows(corpus.store.all_numbers()[: 20 * _PLACES])
    found = []
    for row in chance.sample(rows, min(_PLACES, len(rows))):
        words = (row.work.abstract or row.work.title).split()
        text = " ".join([*words[: len(words) // 2], MARKER, *words[len(words) // 2 :]])
        found.append(LabelledPlace(row.work.id, "invented", row.work.id, "", "", text, "", (row.work.id,), ()))
    return found


async def run(given: argparse.Namespace, folder: Path, scratch: Path, cluster: Cluster | None) -> None:
    """Without a cluster of its own, at the addresses to attach to: what is found, and no costs."""
    stock = Stock(given.works or invented(scratch / "works.jsonl", given.invented), stop=given.limit)
    embedded, addresses = folder / "embedded" / given.index, cluster.addresses if cluster else given.attach
    with ExitStack() as stack:
        corpus = None if given.alone else stack.enter_context(Corpus(embedded, create=True))
        if corpus and not corpus.info().works:
            corpus.add(stock.works())
        server = served(addresses, given.index)
        if cluster:
            await fill(server, stock, cluster, given)
        sets = read(given, corpus)
        everything = list(chain.from_iterable(sets))
        chance = random.Random(8)  # noqa: S311
        drawn = chance.sample(everything, min(given.costs, len(everything)))
        if cluster:
            print((await costs(given, given.index, corpus, cluster, drawn))[0], flush=True)  # noqa: T201
        if given.ask and corpus:
            known = institute_recall.noted(given.answers, everything)
            told = {it.asked for it in known}
            left = [it for it in everything if it not in told]
            act = partial(compared, embedded, addresses, given.index, given.answers)
            judged = [*known, *await asyncio.to_thread(in_parts, act, left, given.clients)]
            print("\n" + institute_recall.table(judged), flush=True)  # noqa: T201
        await server.aclose()


async def grow(given: argparse.Namespace, folder: Path, cluster: Cluster) -> None:
    """Costs in an index that grows to each of the sizes asked for, and what they say of larger ones."""

    index, notes = f"{given.index}-grown", folder / f"{given.index}-grown.jsonl"
    server = served(cluster.addresses, index)
    everything = list(chain.from_iterable(read(given, None)))
    drawn = random.Random(8).sample(everything, min(given.costs, len(everything)))  # noqa: S311
    known = {it.works for it in institute_curve.noted(notes)}
    for size in (it for it in sorted(given.grow) if it not in known):
        there = max((it for it in known if it < size), default=0)
        await fill(server, Stock(given.works, there, size, grows=True), cluster, given)
        known.add(size)
        told, point = await costs(given, index, None, cluster, drawn)
        print(told + "\n", flush=True)  # noqa: T201
        institute_curve.note(notes, point)
    print(institute_curve.table(institute_curve.noted(notes)))  # noqa: T201
    await server.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of both indexes; else they are made for this run")
    parser.add_argument("--works", type=Path, help="JSON lines as `citelsp corpus add` reads them")
    parser.add_argument("--invented", type=int, default=5_000, metavar="N", help="works, where none are given")
    parser.add_argument("--limit", type=int, metavar="N", help="of the works only so many")
    parser.add_argument(
        "--grow", type=int, nargs="+", default=(), metavar="N", help="works; costs alone, among more and more"
    )
    parser.add_argument("--index", default="works", help="name of the index, for several in one folder")
    parser.add_argument("--alone", action="store_true", help="the cluster, without an embedded index beside it")
    parser.add_argument("--ask", nargs=2, action="append", metavar=("QUESTIONS", "GOLD"))
    parser.add_argument("--cites", action="store_true", help="say what each question's manuscript cites elsewhere")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="what each question found; it is not asked again")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="questions of each set; else all")
    parser.add_argument("--costs", type=int, default=_PLACES, metavar="N", help="questions whose cost is measured")
    parser.add_argument("--clients", type=int, default=4, metavar="N")
    parser.add_argument("--nodes", type=int, default=3, metavar="N")
    parser.add_argument("--shards", type=int, default=1, metavar="N")
    parser.add_argument("--port", type=int, default=19200, metavar="N", help="of the first node")
    parser.add_argument("--attach", nargs="+", metavar="ADDRESS", help="of a cluster that has the index; without costs")
    given = parser.parse_args()
    if (given.alone or given.grow) and not given.ask:
        parser.error("--alone and --grow need questions: --ask")
    if given.grow and not given.works:
        parser.error("--grow needs real works: --works")
    if not given.attach and (why := opensearch_cluster.missing()):
        sys.exit(f"no cluster can run here: {why}")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        scratch.chmod(0o755)  # for the user that the nodes run as
        folder = given.keep or scratch
        if given.attach:
            asyncio.run(run(given, folder, scratch, None))
            return
        nodes = folder / "nodes"
        nodes.mkdir(parents=True, exist_ok=True)
        with opensearch_cluster.running(nodes.absolute(), given.nodes, given.port, java="") as cluster:
            asyncio.run(grow(given, folder, cluster) if given.grow else run(given, folder, scratch, cluster))


if __name__ == "__main__":
    main()
