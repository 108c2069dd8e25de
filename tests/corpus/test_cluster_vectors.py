"""A real node with k-NN: vectors are filled by the command, also if it is killed, and find what one's own do."""

import asyncio
import signal
import subprocess
import sys

import pytest

import opensearch_cluster
from citelsp.base.settings import CorpusServer, Embeddings, Settings
from citelsp.cli import main
from citelsp.corpus import dense, imports, search_place
from citelsp.corpus.ranking_endpoints import helpers
from citelsp.corpus.servers import ServerCorpus
from fixture_corpora import DEMONSTRATION, QUESTIONS
from model_endpoints import Directions, served
from relay import relaying

pytestmark = pytest.mark.cluster
VERSION = opensearch_cluster.WITH_VECTORS
WORKS = list(imports.read(DEMONSTRATION, pytest.fail))


@pytest.fixture(scope="module")
def node(node_folder):
    with opensearch_cluster.running(node_folder, 1, 19800, version=VERSION) as cluster:
        yield cluster.addresses[0]


def test_vectors_that_a_killed_command_left_are_completed_and_find_as_ones_own(
    node, corpus, tmp_path, capsys, monkeypatch
):
    # A server says which works lie nearest, and not how near: that weighs in the embedded index alone.
    monkeypatch.setattr(dense.Nearest, "nearness", lambda _, works: [None] * len(works))
    config = tmp_path / "config.toml"

    def to(address):
        config.write_text(
            f'[corpus.servers.lab]\nbase_url = "{address}"\nindex = "nearby"\nseconds = 60\n'
            f'[embeddings]\nbase_url = "{url}"\nname = "small"\n',
            encoding="utf-8",
        )
        return ["--to", "lab", "--config", str(config)]

    with served(Directions()) as url:
        assert main(["corpus", "add", str(DEMONSTRATION), *to(node)]) == 0
        with relaying(node, "/_bulk", 1) as relay:
            command = [sys.executable, "-m", "citelsp", "corpus", "embed", *to(relay.address)]
            cut = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            assert relay.withheld.wait(120)
            cut.kill()
            assert cut.wait() == -signal.SIGKILL
        capsys.readouterr()
        assert main(["corpus", "embed", *to(node)]) == 0
        assert capsys.readouterr().out == f"{len(WORKS) - 256} embedded\n"
        assert main(["corpus", "info", *to(node)]) == 0
        assert f"{len(WORKS)} works in nearby-1, health green, {len(WORKS)} have a vector\n" in capsys.readouterr().out
        assert main(["corpus", "search", WORKS[0].title, "--k", "1", *to(node)]) == 0
        assert WORKS[0].title in capsys.readouterr().out

        asyncio.run(find_alike(node, corpus, url))
        assert main(["corpus", "remove", WORKS[0].id, *to(node)]) == 0
        main(["corpus", "info", *to(node)])
        assert f"{len(WORKS) - 1} have a vector\n" in capsys.readouterr().out


async def find_alike(node, corpus, url):
    own = helpers(Settings(embeddings=Embeddings(url, "small")), pytest.fail)
    await own.embed(corpus, corpus.store.all_numbers(), lambda _: None)
    server = ServerCorpus("lab", CorpusServer(node, index="nearby", seconds=60.0))
    for question in QUESTIONS:
        here = corpus.catalogue()
        ours, _ = await search_place.rank_helped(corpus, here, question, own, ())
        there, theirs = await server.rank(question, helpers=own)
        assert first_five(there, theirs) == first_five(here, ours)
    await own.aclose()
    await server.aclose()


def first_five(catalogue, ranked):
    return catalogue.ids([ranked.pool.works[it].n for it in ranked.order[:5]])
