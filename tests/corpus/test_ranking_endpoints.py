import asyncio
import sys

import httpx
import pytest

from citelsp.base.read_settings import read
from citelsp.base.settings import Embeddings, Endpoint
from citelsp.corpus.ranking_endpoints import Careful, Helpers, helpers
from citelsp.corpus.search_place import suggest, suggest_with_helpers
from citelsp.corpus.work import Work
from citelsp.sources.model_endpoints import Embedder, EndpointError, Reranker
from citelsp.workspace.question import read_marked
from model_endpoints import Transport

WORKS = [
    Work("cat", "Cats and their ways", year=2001),
    Work("dog", "Dogs and their ways", year=2002),
    Work("car", "Engines of cars", year=2003),
]
FELINE = read_marked(r"What a feline does \cite<>.", title="Animals")
WAYS = read_marked(r"Ways of cats, dogs and cars \cite<>.", title="Animals")


def made(meanings, *parts, tell=lambda _: None, host="models.test", **more):
    """Helpers of these parts of the settings."""
    said = {"base_url": f"http://{host}/v1", "name": "small", "key": "k"}
    settings, problems = read({**dict.fromkeys(parts, said), **more})
    assert not problems
    return helpers(settings, tell, Transport(meanings))


def ids(found):
    return [it.record.id for it in found.candidates]


async def embedded(corpus, found):
    assert await found.embed(corpus, corpus.store.all_numbers(), lambda _: None)
    return found


async def test_a_work_that_shares_no_word_is_found_by_its_vector(corpus, meanings):
    assert not suggest(corpus, FELINE).candidates
    found = await suggest_with_helpers(corpus, FELINE, await embedded(corpus, made(meanings, "embeddings")))
    assert ids(found)[0] == "cat"
    chances = [it.probability for it in found.candidates]
    assert chances == sorted(chances, reverse=True)


async def test_what_is_excluded_stays_out(corpus, meanings):
    corpus.add([Work("more", "More cats", year=2002), Work("late", "Cats again", year=2004)])
    place = read_marked(r"What a feline does \cite<>.", title="Animals", date="2002")
    found = await suggest_with_helpers(
        corpus, place, await embedded(corpus, made(meanings, "embeddings")), exclude=("cat",)
    )
    assert ids(found) == ["more"]


@pytest.mark.parametrize("shape", ["results", "texts"])
async def test_a_reranker_orders_the_head_in_either_shape(corpus, meanings, shape):
    meanings.shape = shape
    found = await suggest_with_helpers(corpus, WAYS, made(meanings, "rerank"))
    lengths = [len(it.record.title) for it in found.candidates]
    assert lengths == sorted(lengths, reverse=True) and len(lengths) == 3


@pytest.mark.parametrize(("host", "requests"), [("models.test", 2), ("127.0.0.1:9", 0), ("localhost", 0), ("[::1]", 0)])
async def test_requests_count_that_leave_this_machine(corpus, meanings, host, requests):
    found = await embedded(corpus, made(meanings, "embeddings", "rerank", host=host))
    assert (await suggest_with_helpers(corpus, WAYS, found)).usage["requests"] == requests
    assert bool(found.on_other_machines()) == bool(requests)
    assert (found.on_this_machine() == Helpers()) == bool(requests)


async def test_nobody_is_asked_without_vectors_or_when_offline(corpus, meanings):
    assert await made(meanings, "embeddings").vector(corpus, "feline") is None
    assert made(meanings, "embeddings", "rerank", offline=True) == Helpers()
    assert not meanings.asked


async def test_an_endpoint_that_is_down_is_told_of_once(corpus, meanings):
    told = []
    found = await embedded(corpus, made(meanings, "embeddings", "rerank", tell=told.append))
    meanings.down = True
    before = len(meanings.asked)
    for _ in range(3):
        assert ids(await suggest_with_helpers(corpus, WAYS, found)) == ids(suggest(corpus, WAYS))
    assert len(meanings.asked) == before + 2, "it is left alone"
    assert len(told) == 2 and "only keyword search" in told[0] and "results are not reranked" in told[1]


async def test_after_a_rest_it_is_asked_again_and_told_of_anew_only_once_it_worked(meanings):
    told = []
    careful = Careful(embedder(meanings), "no vectors", told.append, rest=0.0)
    for down in (True, True, False, True):
        meanings.down = down
        assert (await careful.ask(lambda it: it.works(["cat"])) is None) == down
    assert len(meanings.asked) == 4 and len(told) == 2


async def test_an_endpoint_that_does_not_answer_is_not_waited_for(meanings):
    told = []
    careful = Careful(embedder(meanings), "no vectors", told.append)
    assert await careful.ask(lambda _: asyncio.Event().wait(), 0.01) is None
    assert told == ["http://models.test/v1/embeddings: no answer for 0.01 s; no vectors"]


async def test_vectors_of_another_length_are_no_help(corpus, meanings):
    told = []
    found = await embedded(corpus, made(meanings, "embeddings", tell=told.append))
    meanings.topics = ()
    assert ids(await suggest_with_helpers(corpus, WAYS, found)) == ids(suggest(corpus, WAYS))
    assert "start again" in told[0]


async def test_keys_go_along_and_connections_end(meanings):
    transport = Transport(meanings)
    remote = Embedder(
        Embeddings("http://models.test/v1", key_command=(sys.executable, "-c", "print('s3cret')")), transport
    )
    await remote.aclose()
    await remote.query("cat")
    assert transport.headers[0]["authorization"] == "Bearer s3cret"
    await remote.aclose()
    assert transport.closed == 1


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([{"index": 0}], "not embeddings"),
        ([{"index": 0, "embedding": []}], "1 vectors for 1"),
        ([], "0 vectors for 1"),
        ([{"index": 0, "embedding": ["NaN"]}], "vectors without numbers"),
    ],
)
async def test_nonsense_is_an_endpoint_error(rows, problem):
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json={"data": rows}))
    with pytest.raises(EndpointError, match=problem):
        await Embedder(Embeddings("http://models.test/v1"), transport).query("a")


async def test_scores_that_are_no_numbers_are_an_endpoint_error():
    content = '[{"index": 0, "score": NaN}, {"index": 1, "score": 0.5}]'
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=content))
    with pytest.raises(EndpointError, match="scores without numbers"):
        await Reranker(Endpoint("http://models.test/v1"), transport).scores("a", ["b", "c"])


async def test_half_a_character_spoils_no_question():
    ranked = httpx.MockTransport(lambda _: httpx.Response(200, json=[{"index": 0, "score": 0.5}]))
    assert await Reranker(Endpoint("http://models.test/v1"), ranked).scores("a", ["\ud83d b"]) == [0.5]
    embedded = httpx.MockTransport(lambda _: httpx.Response(200, json={"data": [{"index": 0, "embedding": [1.0]}]}))
    assert await Embedder(Embeddings("http://models.test/v1"), embedded).works(["\ud83d b"]) == [[1.0]]


def embedder(meanings):
    return Embedder(Embeddings("http://models.test/v1", "small"), Transport(meanings))


@pytest.mark.parametrize("address", ["http://[", "http://x:y/", "http:///v1"])
async def test_an_address_that_is_none_is_an_endpoint_error(address):
    remote = Embedder(Embeddings(address))
    assert not remote.is_here
    with pytest.raises(EndpointError):
        await remote.query("a")
    await remote.aclose()


async def test_what_an_endpoint_complains_of_is_told_without_the_key():
    transport = httpx.MockTransport(lambda _: httpx.Response(401, text="wrong\n key s3cret, " + "x" * 1000))
    with pytest.raises(EndpointError, match=r"HTTP 401 wrong key …, x{80,120}$"):
        await Embedder(Embeddings("http://models.test/v1", key="s3cret"), transport).query("a")


async def test_an_error_without_words_is_told_by_its_name():
    def fail(_):
        raise httpx.ReadTimeout("")

    embedder = Embedder(Embeddings(base_url="http://models.test/v1"), httpx.MockTransport(fail))
    with pytest.raises(EndpointError, match=r": ReadTimeout$"):
        await embedder.works(["A work"])
    await embedder.aclose()
