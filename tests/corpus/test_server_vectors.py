"""Vectors on servers: computed once, weighed as the embedded index's are, in the same two round trips."""

from dataclasses import replace

import httpx
import pytest

from citelsp.base.settings import CorpusServer, Embeddings, Settings
from citelsp.corpus import dense, imports, search_place, server_vectors, server_writing
from citelsp.corpus.ranking_endpoints import helpers
from citelsp.corpus.server_writing import ServerWriter
from citelsp.corpus.servers import ServerCorpus
from citelsp.corpus.work import Work
from citelsp.sources.model_endpoints import Embedder, EndpointError
from citelsp.sources.search_server import UnavailableError
from citelsp.workspace.question import Question
from fixture_corpora import DEMONSTRATION, QUESTIONS
from imitated_opensearch import Index
from model_endpoints import Directions, Meanings, Transport
from round_trips import Trips

URL = "http://127.0.0.1:9200"
MODEL = Settings(embeddings=Embeddings("http://models.test/v1", "small"))
WORKS = list(imports.read(DEMONSTRATION, pytest.fail))
PETS = [Work("cat", "Cats and their ways"), Work("dog", "Dogs and their ways"), Work("car", "Engines of cars")]
FELINE = Question(before="What a feline does", after="")


def served(index):
    return ServerCorpus("lab", CorpusServer(base_url=URL), index)


async def filled(index, works):
    corpus = served(index)
    name = await server_writing.prepare(corpus.server, beside=False, shards=1)
    await ServerWriter(corpus.server, name).add(works, pytest.fail)
    return corpus


async def embed(corpus, meanings, problem=pytest.fail):
    """How many works got a vector."""
    remote = Embedder(MODEL.embeddings, Transport(meanings))
    return await server_vectors.update(corpus.server, remote, problem, lambda _: None)


def asking(meanings, tell=pytest.fail):
    return helpers(MODEL, tell, Transport(meanings))


async def first(corpus, meanings, tell=pytest.fail):
    answer = await corpus.answer(FELINE, helpers=asking(meanings, tell))
    assert not answer.why
    return [it.record.id for it in answer.candidates][:1]


async def test_what_the_server_rejects_has_no_vector(meanings):
    index, problems = Index(), []
    corpus = await filled(index, PETS)
    index.rejects = {None: [400]}  # a vector's document has no id: the first of them
    assert await embed(corpus, meanings, problems.append) == 2
    assert len(problems) == 1


async def test_a_work_that_shares_no_word_is_found_by_its_vector(meanings):
    index = Index()
    corpus = await filled(index, PETS)
    assert await first(corpus, meanings) == []
    assert await embed(corpus, meanings) == 3
    assert await first(served(index), meanings) == ["cat"]


async def test_vectors_find_what_the_embedded_ones_do(corpus, monkeypatch):
    """How near a work lies weighs in the embedded index alone: a server says no more than which lie nearest."""
    monkeypatch.setattr(dense.Nearest, "nearness", lambda _, works: [None] * len(works))
    meanings, index = Directions(), Index()
    server = await filled(index, WORKS)
    await embed(server, meanings)
    own = asking(meanings)
    await own.embed(corpus, corpus.store.all_numbers(), lambda _: None)
    for question in QUESTIONS:
        here = corpus.catalogue()
        ours, _ = await search_place.rank_helped(corpus, here, question, own, ())
        there, theirs = await server.rank(question, helpers=own)
        assert first_ten(there, theirs) == first_ten(here, ours)
        chances = ([it.probabilities[place] for place in it.order[:10]] for it in (ours, theirs))
        # Rounded, two vectors that are nearly as near may change places.
        assert next(chances) == pytest.approx(next(chances), abs=2e-2)


def first_ten(catalogue, ranked):
    return catalogue.ids([ranked.pool.works[it].n for it in ranked.order[:10]])


@pytest.mark.parametrize("cites", [(), (WORKS[0].title, WORKS[1].title)])
async def test_vectors_take_no_further_round_trip(cites):
    meanings, index = Directions(), Index()
    await embed(await filled(index, WORKS), meanings)
    network = Trips(index)
    server = served(network)
    await server.rank(QUESTIONS[1], helpers=asking(meanings))
    requests, trips = network.requests, network.trips
    _, ranked = await server.rank(replace(QUESTIONS[0], cites=cites), helpers=asking(meanings))
    assert ranked.order
    assert (network.requests - requests, network.trips - trips) == (3, 2)


async def test_only_what_is_new_or_changed_is_embedded_again(meanings):
    server = await filled(Index(), PETS)
    assert await embed(server, meanings) == 3
    assert await embed(server, meanings) == 0
    await ServerWriter(server.server, "works-1").add([Work("dog", "Dogs, second edition")], pytest.fail)
    asked = len(meanings.embedded())
    assert await embed(server, meanings) == 1
    assert meanings.embedded()[asked:] == ["Dogs, second edition"]


async def test_what_was_embedded_before_a_failure_stays(meanings):
    works = [Work(f"w{n}", f"Cats and number {n}") for n in range(600)]
    server = await filled(Index(), works)
    answered = meanings.answer

    def failing(path, body):
        meanings.down = len(meanings.embedded()) > 300
        return answered(path, body)

    meanings.answer = failing
    with pytest.raises(EndpointError):
        await embed(server, meanings)
    meanings.answer, meanings.down = answered, False
    assert await server_vectors.count(server.server, "small") == 256
    assert await embed(server, meanings) == 600 - 256
    found = await server_vectors.find(server.server, "small")
    assert found.works == 600


async def test_a_server_without_k_nn_says_what_it_lacks(meanings):
    index = Index()
    index.has_vectors = False
    server = await filled(index, PETS)
    with pytest.raises(UnavailableError, match="install the plugin opensearch-knn on each of its nodes"):
        await embed(server, meanings)
    assert (await server.answer(FELINE, helpers=asking(meanings))).why == ""


async def test_vectors_of_another_length_are_not_mixed(meanings):
    index, told = Index(), []
    server = await filled(index, PETS)
    await embed(server, meanings)
    await ServerWriter(server.server, "works-1").add([Work("new", "Something new")], pytest.fail)
    with pytest.raises(EndpointError, match="have 1 numbers now and had 3: delete the index works-vectors-"):
        await embed(server, Meanings())
    assert await first(server, Meanings(), told.append) == []
    assert "delete the index works-vectors-" in told[0]


async def test_the_vectors_of_a_removed_work_are_removed(meanings):
    server = await filled(Index(), PETS)
    await embed(server, meanings)
    await ServerWriter(server.server, "works-1").remove(["cat"], pytest.fail)
    assert await server_vectors.count(server.server, "small") == 2


async def test_a_user_who_may_not_read_the_vectors_is_answered_by_words(meanings):
    index = Index()
    server = await filled(index, PETS)
    await embed(server, meanings)
    index.before = lambda path, _: httpx.Response(403, json={}) if "-vectors-" in path else None
    assert await first(server, meanings) == []


@pytest.mark.parametrize("wrong", [{}, {"works": 1, "mean": []}, {"works": "x", "mean": [1]}, {"works": 1, "mean": 7}])
async def test_a_mapping_of_the_wrong_form_is_no_answer(meanings, wrong):
    index = Index()
    server = await filled(index, PETS)
    await embed(server, meanings)
    index.mappings[server_vectors.index_name(server.server, "small")]["_meta"] = wrong
    assert "is not one of OpenSearch" in (await server.answer(FELINE, helpers=asking(meanings))).why


async def test_a_part_of_the_vectors_that_does_not_answer_is_no_answer(meanings):
    index = Index()
    server = await filled(index, PETS)
    await embed(server, meanings)
    searched = index.search

    def part(head, asked):
        return searched(head, asked) | ({"_shards": {"failed": 1}} if "-vectors-" in head["index"] else {})

    index.search = part
    assert (await server.answer(FELINE, helpers=asking(meanings))).why == "a part of its index did not answer"
