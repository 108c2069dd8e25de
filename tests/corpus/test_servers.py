"""Corpora on servers: the same ranking in two round trips; whoever does not answer is missing, and never absent."""

import asyncio
import json
import time
from dataclasses import replace

import httpx
import pytest

from citelsp.base.read_settings import read
from citelsp.base.settings import CorpusServer, CorpusSettings, Settings
from citelsp.corpus import imports, search_place, server_index, server_writing
from citelsp.corpus.place_query import Query
from citelsp.corpus.server_writing import ServerWriter
from citelsp.corpus.servers import ServerCorpus, servers
from citelsp.corpus.words import stems
from citelsp.corpus.work import Work
from citelsp.sources.search_server import UnavailableError
from citelsp.workspace.question import Question, read_marked
from fixture_corpora import DEMONSTRATION, QUESTIONS
from imitated_opensearch import Index
from round_trips import Trips

URL = "http://127.0.0.1:9200"
WORKS = list(imports.read(DEMONSTRATION, pytest.fail))


def served(index, **more):
    return ServerCorpus("lab", CorpusServer(base_url=URL, **more), index)


async def filled(index, works=WORKS, problem=pytest.fail, **more):
    """A corpus of these works on an imitated server."""
    corpus = served(index, **more)
    name = await server_writing.prepare(corpus.server, beside=False, shards=1, rest=at_once)
    await ServerWriter(corpus.server, name, at_once).add(works, problem)
    return corpus


async def at_once(_seconds):
    pass


@pytest.fixture(scope="module")
def full():
    """An imitated server that holds the works."""
    index = Index()
    asyncio.run(filled(index))
    return index


@pytest.fixture
def index(full):
    """A copy, as writing one analyses every word of the works."""
    return full.copy()


def named(catalogue, ranked):
    return catalogue.ids([ranked.pool.works[it].n for it in ranked.order])


@pytest.mark.parametrize("question", QUESTIONS)
async def test_a_server_ranks_as_the_embedded_index_does(index, corpus, question):
    server = served(index)
    here = corpus.catalogue()
    expected = search_place.rank(here, question)
    catalogue, ranked = await server.rank(question)
    assert named(catalogue, ranked)[:20] == named(here, expected)[:20]
    ours, theirs = ([it.probabilities[place] for place in it.order[:20]] for it in (expected, ranked))
    assert theirs == pytest.approx(ours, abs=2e-3)


ONE_WORD = Work("one", "Semisupervised Embeddings")
TWO_WORDS = Work("two", "Semi-Supervised Embeddings")


async def test_compounds_are_found_on_a_server_in_one_word_or_two():
    corpus = await filled(Index(), [ONE_WORD, TWO_WORDS, Work("fish", "Feeding Habits of Freshwater Fish")])
    for words in ("semi-supervised", "semi supervised"):
        assert {it.record.id for it in await corpus.search(words, 5)} == {"one", "two"}, words
    answer = await corpus.answer(read_marked(r"We train semi-supervised \cite<>."))
    assert {it.record.id for it in answer.candidates} == {"one", "two"}


async def test_a_server_is_not_asked_again_for_a_compound_that_no_work_has():
    asked = []
    index = Index(before=lambda path, body: asked.append(body) if path.endswith("_msearch") else None)
    corpus = await filled(index, [TWO_WORDS])
    place = read_marked(r"We train semi-supervised \cite<>.")
    for _ in range(2):
        await corpus.answer(place)
        asked.append("")
    end_of_first = asked.index("")
    first, second = asked[:end_of_first], asked[end_of_first:]
    assert any("semisupervis" in it for it in first)
    assert not any("semisupervis" in it for it in second)


TITLES = {it.id: it.title for it in WORKS}
CITING = [cited for it in WORKS if len(cited := [TITLES[id_] for id_ in it.references if id_ in TITLES]) > 1]
CITES = ("Not in any corpus", *(cited[0] for cited in CITING))


@pytest.mark.parametrize("question", [replace(it, cites=CITES) for it in QUESTIONS])
async def test_what_the_manuscript_cites_counts_as_in_the_embedded_index(index, corpus, question):
    server = served(index)
    here = corpus.catalogue()
    expected = search_place.rank(here, question)
    catalogue, ranked = await server.rank(question)
    assert bool(question.date) != any(ranked.pool.votes["bibliography"].values())  # all who cite these are later
    assert named(catalogue, ranked)[:20] == named(here, expected)[:20]
    ours, theirs = ([it.probabilities[place] for place in it.order[:20]] for it in (expected, ranked))
    assert theirs == pytest.approx(ours, abs=2e-3)


async def test_citers_of_what_no_shard_that_is_asked_knows_have_no_vote(index):
    """Of many shards five say how often a work is cited; one that is cited rarely may be in none of them."""
    statistics = index.statistics

    def forget_references(body):
        answer = statistics(body)
        for it in answer["docs"]:
            it["term_vectors"].pop("references", None)
        return answer

    index.statistics = forget_references
    _, ranked = await served(index).rank(replace(QUESTIONS[0], date="", cites=CITES))
    assert ranked.order
    assert not ranked.pool.votes["bibliography"]


@pytest.mark.parametrize(("cites", "words"), [((), ""), (CITES, ""), (CITES, "Words that no question had")])
async def test_a_question_takes_two_round_trips(index, cites, words):
    network = Trips(index)
    server = served(network)
    await server.rank(QUESTIONS[1])
    requests, trips = network.requests, network.trips
    await server.rank(replace(QUESTIONS[0], before=f"{QUESTIONS[0].before} {words}", cites=cites))
    assert (network.requests - requests, network.trips - trips) == (3, 2)


async def test_a_word_without_statistics_counts_as_a_likely_one_until_the_next_question(index, corpus):
    server = served(index)
    catalogue, _ = await server.rank(QUESTIONS[0])
    titles, abstracts = ({stem for it in WORKS for stem in stems(getattr(it, part))} for part in ("title", "abstract"))
    exact = corpus.catalogue().rarity
    unknown = min(abstracts - titles - Query(QUESTIONS[0]).stems, key=lambda it: exact("text", it))
    assert 0 < catalogue.rarity("text", unknown) <= exact("text", "nowhere")
    assert catalogue.rarity("text", unknown) != pytest.approx(exact("text", unknown))
    await server.rank(QUESTIONS[0])
    assert catalogue.rarity("text", unknown) == pytest.approx(exact("text", unknown))


def partial(answer):
    return lambda path, _: httpx.Response(200, json=answer) if path == "/_msearch" else None


def whole(**changes):
    return {"_shards": {"failed": 0}, "timed_out": False, "status": 200, "hits": {"hits": []}} | changes


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        (lambda *_: httpx.Response(302, headers={"location": "https://elsewhere.example"}), "a redirect"),
        (lambda *_: httpx.Response(200, text="<html>Welcome to our portal</html>"), "is not JSON (HTTP 200)"),
        (lambda *_: httpx.Response(401, json={"error": "Unauthorized"}), "check user and key_command"),
        (lambda *_: httpx.Response(403, json={"error": {"type": "security_exception"}}), "give it a role that reads"),
        (lambda *_: httpx.Response(503, text="<html>"), "is not JSON (HTTP 503)"),
        (lambda *_: httpx.Response(429, json={"error": {"type": "es_rejected"}}), "it is too busy (HTTP 429)"),
        (lambda *_: httpx.Response(404, json={"error": {"type": "index_not_found_exception"}}), "it has no such index"),
        (lambda *_: httpx.Response(200, json=[1, 2]), "is not one index that citelsp made"),
        (lambda *_: httpx.Response(200, json={"x": {"mappings": {"_meta": {}}}}), "another version of citelsp"),
        (lambda *_: httpx.Response(200, content=b"[" * 40_000_000), "an answer of more than 30 MB"),
        (lambda *_: httpx.Response(200, content=b"[" * 100_000), "is not JSON"),
        (partial({"responses": [whole(_shards={"failed": 1})] * 2}), "a part of its index did not answer"),
        (partial({"responses": [whole(timed_out=True)] * 2}), "it ran out of time"),
        (partial({"responses": [{"error": {"type": "no_shard_available"}, "status": 503}] * 2}), "it could not search"),
        (partial({"responses": "none"}), "is not one of OpenSearch"),
        (partial({"responses": [whole()]}), "is not one of OpenSearch"),
        (partial({"responses": [whole(hits={"hits": [{"_source": {}}], "total": {"value": 1}})] * 2}), "OpenSearch"),
        (partial({"responses": [whole(), whole(hits={"total": {"value": "many"}})]}), "is not one of OpenSearch"),
    ],
)  # fmt: skip
async def test_what_is_not_a_whole_answer_is_no_answer(index, answers, why):
    index.before = answers
    answer = await served(index).answer(QUESTIONS[0])
    assert why in answer.why
    assert not answer.candidates


@pytest.mark.parametrize("wrong", ["x", None, {"number": ["one"]}, {"number": [1], "title_key": [1], "cites": ["?"]}])
async def test_a_hit_of_the_wrong_form_spoils_the_answer(index, wrong):
    server = served(index)
    await server.rank(QUESTIONS[0])
    index.hit = lambda *_: {"_score": 1.0, "fields": wrong}
    assert "is not one of OpenSearch" in (await server.answer(QUESTIONS[0])).why


BOUNDLESS = '{"hits": {"total": {"value": 1e999}}, "_shards": {"failed": 0}, "timed_out": false}'


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/_msearch", f'{{"responses": [{BOUNDLESS}, {BOUNDLESS}]}}'),
        ("/_msearch", json.dumps({"responses": [whole(hits={"total": {"value": 3}}, aggregations={"latest": 7})] * 2})),
        ("/_mtermvectors", '{"docs": [7]}'),
        ("/_mtermvectors", '{"docs": [{"term_vectors": ["text"]}]}'),
        ("/_mtermvectors", '{"docs": [{"term_vectors": {"text": {"terms": {"relev": {"doc_freq": 1e999}}}}}]}'),
        ("/_mtermvectors", '{"docs": [{"term_vectors": {"text": {"terms": {"relev": {"doc_freq": "many"}}}}}]}'),
    ],
)
async def test_statistics_of_the_wrong_form_are_no_answer(path, answer):
    index = Index()
    await filled(index)
    index.before = lambda asked, _: httpx.Response(200, text=answer) if asked == path else None
    assert "is not one of OpenSearch" in (await served(index).answer(QUESTIONS[0])).why


async def test_citations_of_the_wrong_form_are_no_answer():
    index = Index()
    server = await filled(index)
    await server.rank(QUESTIONS[0])
    wrong = '{"docs": [{"term_vectors": {"references": {"terms": {"x": {"doc_freq": 1e999}}}}}]}'
    index.before = lambda path, _: httpx.Response(200, text=wrong) if path == "/_mtermvectors" else None
    assert "is not one of OpenSearch" in (await server.answer(QUESTIONS[0])).why


async def test_a_slow_drip_ends_after_its_time(index):
    async def drip():
        while True:
            yield b" "
            await asyncio.sleep(0.01)

    server = served(index, seconds=0.2)
    await server.rank(QUESTIONS[0])
    index.before = lambda *_: httpx.Response(200, content=drip())
    began = time.monotonic()
    assert (await server.answer(QUESTIONS[0])).why == "it did not answer within 0.2 s"
    assert time.monotonic() - began < 5


async def test_after_two_silences_a_server_is_left_alone(index):
    server = served(index)
    await server.rank(QUESTIONS[0])

    def silent(*_):
        raise httpx.ReadError("reset")

    index.before = silent
    for _ in range(2):
        assert "broken connection" in (await server.answer(QUESTIONS[0])).why
    asked = len(index.requests)
    assert "broken connection" in (await server.answer(QUESTIONS[0])).why
    assert len(index.requests) == asked


async def test_a_server_that_was_down_is_asked_as_soon_as_it_is_up(index):
    server = served(index)

    def down(*_):
        raise httpx.ConnectError("refused")

    index.before = down
    for _ in range(5):
        assert "no connection" in (await server.answer(QUESTIONS[0])).why
    index.before = lambda *_: None
    assert (await server.answer(QUESTIONS[0])).candidates


async def test_a_node_that_hangs_leaves_time_for_another():
    class Nodes(Index):
        async def handle_async_request(self, request):
            if request.url.port == 9200 and self.hangs:
                await asyncio.Event().wait()
            return await super().handle_async_request(request)

    index = Nodes()
    index.hangs = False
    server = await filled(index, other_urls=("http://127.0.0.1:9201",), seconds=2.0)
    await server.answer(QUESTIONS[0])
    index.hangs = True
    assert (await server.answer(QUESTIONS[0])).candidates


async def test_another_node_answers_for_one_that_does_not():
    class Nodes(Index):
        async def handle_async_request(self, request):
            if request.url.port == 9200 and self.down:
                raise httpx.ConnectError("refused")
            return await super().handle_async_request(request)

    index = Nodes()
    index.down = False
    server = await filled(index, other_urls=("http://127.0.0.1:9201",))
    index.down = True
    assert (await server.answer(QUESTIONS[0])).candidates


async def test_plain_http_is_for_this_machine_alone():
    found = await ServerCorpus("lab", CorpusServer(base_url="http://corpus.example:9200"), Index()).answer(QUESTIONS[0])
    assert "use https" in found.why


async def test_a_ca_file_that_is_not_there_is_named(tmp_path):
    setting = CorpusServer(base_url="https://corpus.example", ca_file=str(tmp_path / "ca.pem"))
    assert "ca_file cannot be read" in (await ServerCorpus("lab", setting, Index()).answer(QUESTIONS[0])).why


def test_nothing_is_asked_offline():
    setting = CorpusSettings(servers={"lab": CorpusServer(base_url=URL)})
    assert servers(Settings(corpus=setting)).corpora
    assert not servers(Settings(corpus=setting, offline=True)).corpora


def test_a_workspace_names_no_server():
    found, problems = read({"corpus": {"servers": {"lab": {"base_url": "https://evil.example"}}}}, trusted=False)
    assert not found.corpus.servers
    assert "counts only in your own settings" in problems[0]


@pytest.mark.parametrize("name", ["openalex", "corpus", "Our Lab", ""])
def test_a_server_has_a_name_of_its_own(name):
    found, problems = read({"corpus": {"servers": {name: {"base_url": URL}}}})
    assert not found.corpus.servers
    assert "named in small letters" in problems[0]


async def test_adding_again_adds_nothing(index):
    server = served(index)
    writer = ServerWriter(server.server, index.aliased, at_once)
    changed = Work(WORKS[0].id, "Another title altogether")
    added = await writer.add([*WORKS[1:], changed, Work("new", "A new work")], pytest.fail)
    assert (added.new, added.changed, added.same) == (1, 1, len(WORKS) - 1)
    assert "/works-1/_bulk" in index.requests


async def test_what_is_killed_and_begun_anew_is_as_if_it_had_not_been():
    whole_index, cut = Index(), Index()
    await filled(whole_index)

    def killed():
        yield from WORKS[:200]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await filled(cut, killed())
    await filled(cut)
    assert cut.works == whole_index.works


async def test_what_a_busy_server_puts_off_is_sent_again_and_what_it_rejects_is_listed():
    index, problems = Index(), []
    index.rejects = {WORKS[0].id: [429, 429], WORKS[1].id: [400]}
    await filled(index, problem=problems.append)
    assert len(index.works) == len(WORKS) - 1
    assert problems == [f"{WORKS[1].id}: rejected: because of 400"]


async def test_works_are_removed_and_exported(index):
    server = served(index)
    writer = ServerWriter(server.server, index.aliased, at_once)
    assert await writer.remove([WORKS[0].id, "nobody"], pytest.fail) == [WORKS[0].id]
    exported = {it.id: it async for it in server_writing.works(server.server)}
    assert exported == {it.id: it for it in WORKS[1:]}


async def test_a_new_index_is_built_beside_the_one_in_use_and_then_switched_to(index):
    server = served(index)
    name = await server_writing.prepare(server.server, beside=True, shards=1)
    await ServerWriter(server.server, name, at_once).add([Work("one", "The only one")], pytest.fail)
    assert (name, index.aliased) == ("works-2", "works-1")
    assert await server_writing.switch(server.server) == ("works-1", "works-2")
    assert [it.id async for it in server_writing.works(server.server)] == ["one"]


async def test_an_index_is_waited_for_that_a_busy_server_has_not_made_yet():
    index = Index()
    late = [httpx.Response(404, json={"error": {"type": "index_not_found_exception"}}) for _ in range(3)]
    index.before = lambda path, _: late.pop() if path == "/works-1/_mapping" and late else None
    await filled(index)
    assert len(index.works) == len(WORKS)
    assert not late


@pytest.mark.parametrize(
    ("since", "until", "latest", "expected"),
    [
        (2016, 2019, 2025, ["2016", "2017", "2018", "2019"]),
        (2018, 2025, 2025, ["2018", "2019", "202"]),  # of a decade that is not over, all there is
        (1999, 2021, 2025, ["1999", "200", "201", "2020", "2021"]),
        (2024, 2031, 2025, ["2024", "2025"]),
        (2026, 2025, 2025, []),
    ],
)
def test_years_are_asked_for_as_few_decades_and_years(since, until, latest, expected):
    assert server_index.periods(since, until, latest) == expected


@pytest.mark.parametrize(("date", "known"), [("", 5), ("2012", 0), ("2021-06", 3), ("2024", 5), ("3000", 5)])
async def test_citations_of_any_years_are_counted_as_the_embedded_index_counts_them(index, corpus, date, known):
    server = served(index)
    question = replace(QUESTIONS[1], date=date)
    ours = search_place.rank(corpus.catalogue(), question)
    catalogue, theirs = await server.rank(question)
    counts = [
        {name: it.pool.cited.get(work.n) for name, work in zip(named_works(where, it), it.pool.works, strict=True)}
        for where, it in ((corpus.catalogue(), ours), (catalogue, theirs))
    ]
    both = counts[0].keys() & counts[1].keys()  # the last works of the two pools may differ
    assert sum(counts[0][it] is not None for it in both) >= known
    assert {it: counts[0][it] for it in both} == {it: counts[1][it] for it in both}


def named_works(catalogue, ranked):
    return catalogue.ids([it.n for it in ranked.pool.works])


async def test_an_index_is_compacted_by_its_own_name(index):
    assert await server_writing.compact(served(index).server) == "works-1"
    assert "/works-1/_forcemerge" in index.requests


@pytest.mark.parametrize("use", [server_writing.compact, server_writing.index_in_use])
async def test_an_index_that_is_not_there_is_not_made_by_using_it(use):
    index = Index()
    with pytest.raises(UnavailableError, match="it has no such index"):
        await use(served(index).server)
    assert not index.mappings


async def test_only_words_of_the_question_are_sent(index):
    server = served(index)
    sent = []
    index.before = lambda _, body: sent.append(body)
    secret = Question(
        before="Nobody else has measured glaciers like ours. Relevance ranking is probabilistic", after=""
    )
    await server.rank(secret)
    assert "Nobody else has measured" not in "".join(sent)
    assert json.dumps("relev") in "".join(sent)
