"""A real cluster of three nodes: it ranks as the embedded index does, and loses nothing, whatever happens to nodes."""

import asyncio
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from itertools import count, cycle
from pathlib import Path

import httpx
import pytest

import opensearch_cluster
from citelsp.base.settings import CorpusServer
from citelsp.cli import main
from citelsp.corpus import imports, search_place, server_state, server_writing
from citelsp.corpus.index import Corpus
from citelsp.corpus.server_writing import ServerWriter
from citelsp.corpus.servers import ServerCorpus
from citelsp.corpus.work import Work
from fixture_corpora import DEMONSTRATION, QUESTIONS
from relay import relaying

pytestmark = pytest.mark.cluster
WORKS = list(imports.read(DEMONSTRATION, pytest.fail))
MANY = 4000
_SECONDS = 20.0
_ASKERS = 3


@pytest.fixture(scope="module")
def cluster():
    if why := opensearch_cluster.missing():
        pytest.skip(why)
    folder = Path(tempfile.mkdtemp(prefix="citelsp-cluster-"))
    folder.chmod(0o755)  # for the user that the nodes run as
    try:
        with opensearch_cluster.running(folder, port=19600) as nodes:
            yield nodes
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def served(cluster, index, **more):
    first, *others = cluster.addresses
    return ServerCorpus("lab", CorpusServer(first, tuple(others), index=index, seconds=_SECONDS, **more))


async def filled(cluster, index):
    corpus = served(cluster, index)
    name = await server_writing.prepare(corpus.server, beside=False, shards=3)
    await ServerWriter(corpus.server, name).add(WORKS, pytest.fail)
    return corpus


async def test_three_shards_rank_as_the_embedded_index_does(cluster, tmp_path):
    server = await filled(cluster, "alike")
    cluster.wait()  # until the copies are made as well
    state = await server_state.read(server.server)
    assert (state.engine, state.works, state.health) == (
        f"opensearch {opensearch_cluster.VERSION}",
        len(WORKS),
        "green",
    )
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add(WORKS)
        for question in QUESTIONS:
            here = corpus.catalogue()
            ours = search_place.rank(here, question)
            there, theirs = await server.rank(question)
            names = [
                catalogue.ids([it.pool.works[place].n for place in it.order[:10]])
                for catalogue, it in ((here, ours), (there, theirs))
            ]
            assert names[0] == names[1]
            chances = [[it.probabilities[place] for place in it.order[:10]] for it in (ours, theirs)]
            assert chances[0] == pytest.approx(chances[1], abs=1e-3)
    await server.aclose()


async def exported(cluster, index):
    corpus = served(cluster, index)
    found = {it.id: it async for it in server_writing.works(corpus.server)}
    await corpus.aclose()
    return found


def documents(cluster, index):
    """By name, everything that the server keeps of each document."""
    columns = {"docvalue_fields": ["title_key", "year", "cites"], "stored_fields": ["_source", "cited"]}
    asked = {"size": 10_000, "query": {"match_all": {}}, **columns}
    answer = httpx.post(f"{cluster.addresses[0]}/{index}/_search", json=asked, timeout=60).raise_for_status().json()
    return {it["_id"]: (it["_source"], it["fields"]) for it in answer["hits"]["hits"]}


async def test_a_bulk_that_is_killed_at_every_step_and_begun_anew_is_as_one_that_was_not(cluster, tmp_path):
    lines, settings = tmp_path / "works.jsonl", tmp_path / "config.toml"
    titles = [it.title for it in WORKS]
    works = (
        {
            "id": f"w{n}",
            "title": f"{titles[n % 320]} {titles[n // 320 + 7]}",
            "year": 2000,
            "references": [f"w{n // 2}"],
        }
        for n in range(MANY)
    )
    lines.write_text("".join(json.dumps(it) + "\n" for it in works), encoding="utf-8")

    def adding(index, address=cluster.addresses[0]):
        settings.write_text(f'[corpus.servers.lab]\nbase_url = "{address}"\nindex = "{index}"\n', encoding="utf-8")
        command = [sys.executable, "-m", "citelsp", "corpus", "add", lines, "--to", "lab", "--config", settings]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def finished(process):
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        return output

    assert f"{MANY} new, 0 changed, 0 unchanged" in finished(adding("whole"))
    kills = 0
    for step in count(1):  # each time one request further, with all that was written before
        with relaying(cluster.addresses[0], "", step) as relay:
            cut = adding("cut", relay.address)
            while cut.poll() is None and not relay.withheld.wait(0.1):
                pass
            cut.kill()
            output, _ = cut.communicate()
        if cut.returncode != -signal.SIGKILL:
            break
        kills += 1
    assert kills > MANY / 1000, "it was not killed in every batch"
    assert f"0 new, 0 changed, {MANY} unchanged" in output
    there = documents(cluster, "cut")
    assert len(there) == MANY
    assert there == documents(cluster, "whole")
    assert await exported(cluster, "cut") == await exported(cluster, "whole")


class PowerCut(httpx.AsyncHTTPTransport):
    """Kills a node while the so-many-th request with works is out."""

    def __init__(self, cluster, node, after):
        super().__init__()
        self.cluster, self.node, self.left = cluster, node, after

    async def handle_async_request(self, request):
        self.left -= request.url.path.endswith("_bulk")
        if self.left:
            return await super().handle_async_request(request)
        self.left = -1
        await asyncio.to_thread(self.cluster.wait)  # with copies, as before any power cut that loses nothing
        asked = asyncio.ensure_future(super().handle_async_request(request))
        await asyncio.sleep(0)
        await asyncio.to_thread(self.cluster.kill, self.node)
        return await asked


@pytest.mark.parametrize("node", [0, 1])  # the one that is asked, and another
async def test_no_work_is_lost_if_a_node_is_killed_while_works_are_added(cluster, node):
    index, network = f"cut-off-{node}", PowerCut(cluster, node, after=2)
    first, *others = cluster.addresses
    setting = CorpusServer(first, tuple(others), index=index, seconds=_SECONDS)
    corpus = ServerCorpus("lab", setting, network)
    works = [Work(f"w{n}", f"{WORKS[n % 320].title} {n}", year=2000, references=(f"w{n + 1}",)) for n in range(4000)]
    name = await server_writing.prepare(corpus.server, beside=False, shards=3)
    added = await ServerWriter(corpus.server, name).add(works, pytest.fail)
    assert network.left < 0
    # Of a batch that was written before its answer was lost, nothing is written again.
    assert added.new + added.same == len(works)
    cluster.start(node)
    await asyncio.to_thread(cluster.wait)
    assert await exported(cluster, index) == {it.id: it for it in works}
    await corpus.aclose()


def test_the_commands_build_an_index_beside_and_change_over(cluster, tmp_path, capsys):
    settings, lines = tmp_path / "config.toml", tmp_path / "one.jsonl"
    first, *_ = cluster.addresses
    settings.write_text(f'[corpus.servers.lab]\nbase_url = "{first}"\nindex = "built"\n', encoding="utf-8")
    lines.write_text(json.dumps({"id": "one", "title": "The only work"}), encoding="utf-8")
    to = ("--to", "lab", "--config", str(settings))
    assert main(["corpus", "add", str(DEMONSTRATION), *to]) == 0
    assert main(["corpus", "add", str(lines), "--beside", *to]) == 0
    assert main(["corpus", "compact", *to]) == 0
    assert "built-1 was rewritten" in capsys.readouterr().out
    main(["corpus", "info", *to])
    assert "320 works in built-1, health" in capsys.readouterr().out
    assert main(["corpus", "switch", *to]) == 0
    main(["corpus", "info", *to])
    assert "1 work in built-2, health" in capsys.readouterr().out
    assert main(["corpus", "remove", "one", *to]) == 0
    capsys.readouterr()
    assert main(["corpus", "export", *to]) == 0
    assert not capsys.readouterr().out


async def asked_meanwhile(cluster, index, act):
    """How many questions were asked during an act, and why some were answered without the server."""
    server = await filled(cluster, index)
    expected = {question: await server.answer(question) for question in QUESTIONS}
    asked, missing, over = 0, [], asyncio.Event()

    async def ask():
        nonlocal asked
        for question in cycle(QUESTIONS):
            if over.is_set():
                return
            answer = await server.answer(question)
            asked += 1
            if answer.why:
                missing.append(answer.why)
            else:
                found, wanted = ([it.record.id for it in one.candidates] for one in (answer, expected[question]))
                assert found == wanted
            await asyncio.sleep(0.05)

    askers = [asyncio.ensure_future(ask()) for _ in range(_ASKERS)]
    try:
        await act()
    finally:
        over.set()
        await asyncio.gather(*askers)
        await server.aclose()
    print(f"{asked} questions, {len(missing)} without the server: {set(missing)}")  # noqa: T201
    return asked, missing


async def test_questions_are_answered_wholly_or_not_at_all_while_a_node_is_killed(cluster):
    async def cut():
        await asyncio.to_thread(cluster.kill, 0)
        await asyncio.sleep(2)
        cluster.start(0)
        await asyncio.to_thread(cluster.wait)

    asked, missing = await asked_meanwhile(cluster, "steady", cut)
    assert asked > len(missing)


async def test_one_question_in_a_hundred_at_most_lacks_the_server_while_all_nodes_are_restarted_in_turn(cluster):
    async def restarted():
        for node in range(len(cluster.addresses)):
            await asyncio.to_thread(cluster.stop, node)
            cluster.start(node)
            await asyncio.to_thread(cluster.wait)

    asked, missing = await asked_meanwhile(cluster, "rolling", restarted)
    assert asked >= 100
    assert len(missing) <= asked / 100
