"""Corpora on servers, as the agent asks them: beside the embedded one, or in its stead; who is missing is named."""

import httpx
import pytest

from agent_works import WORKS, Shelf, candidate
from citelsp.agent import actions, calls, on_servers
from citelsp.agent.environment import Desk
from citelsp.agent.loop import find_works
from citelsp.agent.rules import Rules, first_actions
from citelsp.agent.steps import Action
from citelsp.base.settings import CorpusServer
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.corpus import server_writing
from citelsp.corpus.server_writing import ServerWriter
from citelsp.corpus.servers import ServerCorpus, Servers
from citelsp.corpus.work import Work
from citelsp.knowledge import Candidate
from imitated_opensearch import Index

TEXT = r"We train with the Adam optimizer \cite<> for ten epochs."
HERE, ELSEWHERE = "http://127.0.0.1:9200", "https://corpus.example"
OTHERS = [
    Work("adam", "Eve and the Adam Optimizer", "Adam and its optimizer, trained for many epochs.", year=2018),
    Work("w2", "Feeding Trout"),
]


async def served(url=HERE):
    """A server with these works, and the index that it asks."""
    index = Index()
    filling = ServerCorpus("lab", CorpusServer(base_url=HERE), index)
    name = await server_writing.prepare(filling.server, beside=False, shards=1)
    await ServerWriter(filling.server, name).add([*(Work(**it) for it in WORKS), *OTHERS], pytest.fail)
    return Servers((ServerCorpus("lab", CorpusServer(base_url=url), index),)), index


async def test_a_work_that_only_a_server_has_is_listed_and_its_id_is_none_of_the_corpus(environment):
    servers, _ = await served()
    found = (await actions.match_place(environment(TEXT, servers=servers))).works
    by_title = {it.record.title: it for it in found}
    eve = by_title["Eve and the Adam Optimizer"]
    assert (eve.record.source, eve.origins) == ("lab", ("lab",))
    assert by_title["Adam: A Method for Stochastic Optimization"].origins == ("corpus",)
    assert by_title["A Survey of Optimizers for Deep Learning"].origins == ("corpus", "lab")
    chances = [it.probability for it in found]
    assert chances == sorted(chances, reverse=True)


def test_of_one_short_title_only_works_by_the_same_people_are_joined():
    book = Record("corpus", "1", "Deep Learning", (Name("Goodfellow", "Ian"),), years=(2016,))
    article = Record(
        "lab",
        "2",
        "Deep learning",
        (Name("LeCun", "Yann"),),
        years=(2015,),
        identifiers=Identifiers(doi="10.1000/deep"),
    )
    known = Record("lab", "3", "Deep learning", book.authors, years=(2016,), publisher="MIT Press")
    works = [Candidate(it, chance, (it.source,)) for it, chance in ((book, 0.4), (article, 0.6), (known, 0.3))]
    joined = on_servers.join_rankings(works[:1], works[1:])
    assert [(it.record.id, it.record.identifiers.doi, it.record.publisher) for it in joined] == [
        ("2", "10.1000/deep", ""), ("1", "", "MIT Press"),
    ]  # fmt: skip


async def test_a_server_serves_without_a_corpus(environment):
    servers, _ = await served()
    place = environment(TEXT, servers=servers)
    place = type(place)(place.question, None, servers=servers)
    found = await find_works(place, Rules())
    assert found.candidates[0].record.title in {"Eve and the Adam Optimizer", WORKS[0]["title"]}
    assert found.candidates[0].probability
    assert [it.name for it in first_actions(place, 50)] == ["match_place"]


async def test_words_of_a_search_are_the_hint(environment):
    servers, _ = await served()
    found = await actions.search(environment(TEXT, servers=servers), "feeding trout")
    assert "Feeding Trout" in [it.record.title for it in found.works]


async def test_services_come_after_two_works_of_corpora(environment):
    servers, _ = await served()
    services = Shelf(candidate("Adam for Robots"))
    found = await actions.search(environment(TEXT, servers=servers, services=services), "adam optimizer")
    assert found.works[2].record.title == "Adam for Robots"


async def test_who_does_not_answer_is_named_with_the_list(environment):
    servers, index = await served()
    index.before = lambda *_: httpx.Response(503, json={})
    found = await find_works(environment(TEXT, servers=servers), Rules())
    assert found.candidates
    assert "the corpus lab did not answer: it is too busy (HTTP 503)" in found.reason


async def test_a_search_sends_no_more_of_the_manuscript_than_to_services(environment):
    servers, index = await served(url=ELSEWHERE)
    sent = []
    index.before = lambda _, body: sent.append(body)
    words = "zebra giraffe walrus ostrich pelican lemur badger ferret meerkat platypus"
    asked = Action("search", {"query": words})
    seen = await calls.perform(environment(TEXT, servers=servers, services=Shelf()), Desk(), asked)
    assert seen.requests == 2
    assert '"zebra"' in "".join(sent)
    assert "platypus" not in "".join(sent)
