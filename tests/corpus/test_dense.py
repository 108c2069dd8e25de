import asyncio
import json

import httpx
import pytest

from citelsp.corpus import dense
from citelsp.corpus.dense import Helpers, Vectors
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import marked
from citelsp.corpus.suggest import suggest
from citelsp.corpus.work import Work
from citelsp.settings import read
from citelsp.sources import models

WORKS = [
    Work("cat", "Cats and their ways", year=2001),
    Work("dog", "Dogs and their ways", year=2002),
    Work("car", "Engines of cars", year=2003),
]
FELINE = {"cat": (1.0, 0.0), "cats": (1.0, 0.0), "feline": (0.9, 0.1), "dogs": (0.2, 0.8)}


def vector(text):
    words = [FELINE[it] for it in text.lower().replace(".", " ").split() if it in FELINE]
    return [sum(it[0] for it in words), sum(it[1] for it in words) + 0.01, 0.1]


class Endpoint(httpx.BaseTransport):
    """Embeddings by a few known words; a reranker that likes long texts, in one of two shapes."""

    def __init__(self, *, shape="results", down=False):
        self.asked, self.shape, self.down = [], shape, down

    def handle_request(self, request):
        body = json.loads(request.content)
        self.asked.append((request.url.path, body, request.headers.get("authorization")))
        if self.down:
            raise httpx.ConnectError("refused")
        if request.url.path.endswith("embeddings"):
            rows = [{"index": n, "embedding": vector(it)} for n, it in enumerate(body["input"])]
            return httpx.Response(200, json={"data": rows[::-1]})
        if self.shape == "texts" and "texts" not in body:
            return httpx.Response(422, json={"error": "missing field `texts`"})
        texts = body.get("texts") or body["documents"]
        name = "score" if self.shape == "texts" else "relevance_score"
        rows = [{"index": n, name: len(it)} for n, it in enumerate(texts)]
        return httpx.Response(200, json=rows if self.shape == "texts" else {"results": rows})


@pytest.fixture
def corpus(tmp_path):
    with Corpus(tmp_path / "corpus", create=True) as opened:
        opened.add(WORKS)
        yield opened


def remotes(transport, **more):
    said = {"base_url": "http://models.test/v1", "name": "small", "key": "k"}
    settings, problems = read({"embeddings": said, "rerank": said, **more})
    assert not problems

    async def opened():
        async with models.opened(settings, transport) as found:
            return found

    return asyncio.run(opened())


def embedder(transport):
    return models.Remote("small", "http://models.test/v1/embeddings", httpx.Client(transport=transport))


def reranker(transport):
    return models.Remote("small", "http://models.test/v1/rerank", httpx.Client(transport=transport))


def test_only_what_changed_is_embedded_again(corpus):
    endpoint = Endpoint()
    assert dense.update(corpus, embedder(endpoint)) == 3
    corpus.add([Work("dog", "Dogs, second edition", year=2002), *WORKS[2:]])
    assert dense.update(corpus, embedder(endpoint)) == 1
    assert endpoint.asked[-1][1] == {"model": "small", "input": ["Dogs, second edition"]}
    assert dense.update(corpus, embedder(endpoint)) == 0


def test_half_a_vector_of_a_killed_writer_is_not_read(corpus):
    remote = embedder(Endpoint())
    dense.update(corpus, remote)
    vectors = Vectors.of(corpus, "small")
    with (vectors.directory / "rows").open("ab") as rows:
        rows.write(b"\1\2\3")
    corpus.add([Work("new", "Dogs too")])
    assert dense.update(corpus, remote) == 1
    assert corpus.store.ids([dense.nearest(corpus, remote, "feline", 4)[0][0]]) == ["cat"]
    assert len(vectors.read()[0]) == 4


def test_a_work_that_shares_no_word_is_found_by_its_vector(corpus):
    place = marked(r"What a feline does \cite<>.", title="Animals")
    assert not suggest(corpus, place).candidates
    remote = embedder(Endpoint())
    dense.update(corpus, remote)
    found = suggest(corpus, place, helpers=Helpers(remote))
    assert found.candidates[0].record.id == "cat"
    chances = [it.probability for it in found.candidates]
    assert chances == sorted(chances, reverse=True)


def test_what_is_excluded_stays_out_of_dense_results(corpus):
    remote = embedder(Endpoint())
    dense.update(corpus, remote)
    place = marked(r"What a feline does \cite<>.", title="Animals", date="2002")
    found = suggest(corpus, place, exclude=("cat",), helpers=Helpers(remote))
    assert [it.record.id for it in found.candidates] == ["dog"]


@pytest.mark.parametrize("shape", ["results", "texts"])
def test_a_reranker_orders_the_head_in_either_shape(corpus, shape):
    place = marked(r"Ways of cats, dogs and cars \cite<>.", title="Animals")
    found = suggest(corpus, place, helpers=Helpers(None, reranker(Endpoint(shape=shape))))
    lengths = [len(it.record.title) for it in found.candidates]
    assert lengths == sorted(lengths, reverse=True) and len(lengths) == 3


def test_an_endpoint_that_is_down_is_told_of_once(corpus):
    place, told = marked(r"Ways of cats \cite<>."), []
    down = Endpoint(down=True)
    helpers = Helpers(embedder(down), reranker(down), told.append)
    words_alone = [it.record.id for it in suggest(corpus, place).candidates]
    Vectors.of(corpus, "small").append([(1, 1)], [[1.0, 0.0]])
    for _ in range(3):
        assert [it.record.id for it in suggest(corpus, place, helpers=helpers).candidates] == words_alone
    assert len(told) == 2 and "by words alone" in told[0] and "not reranked" in told[1]


def test_addresses_and_keys_come_from_the_settings_and_offline_asks_nobody():
    transport = Endpoint()
    first, second = remotes(transport)
    assert (first.address, second.address) == ("http://models.test/v1/embeddings", "http://models.test/v1/rerank")
    assert remotes(transport, offline=True) == (None, None)
    assert not transport.asked


def test_nonsense_is_an_endpoint_error():
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json={"data": [{"index": 0}]}))
    with pytest.raises(models.EndpointError, match="not embeddings"):
        embedder(transport).embed(["a"])
