import asyncio

import pytest

from citelsp.agent import plain_fulltexts, services
from citelsp.agent.services import Scholarly
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.sources.ask_services import Sources
from citelsp.sources.fulltext import FullText
from citelsp.sources.retry_after import Retry
from function_network import Web, local, page, reply

PAGE = """<!DOCTYPE html><html><head><title>x</title><script>alert(1)</script></head><body><nav>menu</nav>
<h2>1 Introduction</h2><p>Trout eat many <b>flies</b> at dusk, as
everybody knows who ever fished for them.</p><p>The formula <math alttext="E=mc^2"><mi>E</mi></math> is well known to
every reader of this paper.</p><h2>References</h2><p>[1] Somebody, Something about trout and flies.</p></body></html>"""
JATS = b"""<article><front><article-title>T</article-title></front><body><sec><title>Methods</title><p>We caught
<italic>many</italic> trout in the river near the old bridge.</p></sec></body></article>"""


@pytest.fixture
async def scholarly(tmp_path):
    opened = []

    def start(handler, seconds=5.0):
        sources = Sources(local(), directory=tmp_path, transport=Web(handler))
        sources.client.retry = Retry(first=0.001, longest=0.01)
        opened.append(sources)
        return Scholarly(sources, seconds)

    yield start
    for it in opened:
        await it.aclose()


def paper(title, **more):
    return {"paperId": "a" * 40, "title": title, "externalIds": {}, "authors": [], "year": 2019} | more


async def test_a_search_names_the_services_that_were_away(scholarly):
    def answer(request):
        if request.url.path.startswith("/semantic_scholar"):
            return reply({"data": [paper("Trout and flies", abstract="Trout eat flies.")]})
        return reply({}, 500)

    found = await scholarly(answer).search("trout flies", 10)
    assert [it.record.title for it in found.works] == ["Trout and flies"]
    assert any(it.startswith("Crossref: 500") for it in found.notes)
    assert found.requests > 3


async def test_a_search_ends_with_its_time_and_says_so(scholarly):
    found = await scholarly(lambda _: asyncio.Event().wait(), seconds=0.01).search("trout flies", 10)
    assert not found.works
    assert found.notes[-1] == "other services: no answer within 0.01 s"


async def test_references_and_citations(scholarly):
    def answer(request):
        end = "citedPaper" if request.url.path.endswith("references") else "citingPaper"
        assert "ARXIV:1412.6980" in str(request.url.path)
        return reply({"data": [{end: paper("Linked by " + end), "contexts": []}]})

    services, record = scholarly(answer), Record("corpus", "x", "T", identifiers=Identifiers(arxiv="1412.6980"))
    assert (await services.references(record, 10)).works[0].record.title == "Linked by citedPaper"
    assert (await services.citations(record, 10)).works[0].record.title == "Linked by citingPaper"
    assert (await services.references(Record("corpus", "y", "T"), 10)).notes
    away = await scholarly(lambda _: reply({}, 500)).references(record, 10)
    assert [it.startswith("Semantic Scholar: 500") for it in away.notes] == [True]


async def test_the_same_passages_are_asked_for_once(scholarly):
    asked = []

    def answer(request):
        asked.append(request.url.path)
        return reply({"data": []})

    services = scholarly(answer)
    found = [await services.snippets(it, 5) for it in ("trout", "trout", "flies")]
    assert len([it for it in asked if "snippet" in it]) == 2
    assert [it.requests for it in found] == [1, 0, 1]  # where there are no passages, no works are asked for


async def test_snippets_come_with_their_works(scholarly):
    def answer(request):
        if "snippet" in request.url.path:
            snippet = {"text": "Trout eat flies at dusk.", "section": "2", "snippetKind": "body"}
            return reply({"data": [{"snippet": snippet, "paper": {"corpusId": "7", "title": "Trout"}}]})
        return reply([paper("Trout and flies", corpusId=7)])

    (work,) = (await scholarly(answer).snippets("trout", 5)).works
    assert work.evidence[0].quote == "Trout eat flies at dusk."


async def test_passages_are_asked_for_again_if_their_works_could_not_be(scholarly):
    def answer(request):
        if "snippet" in request.url.path:
            return reply({"data": [{"snippet": {"text": "Trout eat flies."}, "paper": {"corpusId": "7"}}]})
        return reply({}, 403)

    services = scholarly(answer)
    refused, again = [await services.snippets("trout", 5) for _ in range(2)]
    assert not refused.works
    assert refused.notes
    assert again.notes  # no empty answer was remembered


async def test_full_texts_are_fetched_once(scholarly):
    asked = []

    def answer(request):
        asked.append(request.url.path)
        return page(PAGE)

    services, record = scholarly(answer), Record("arxiv", "x", "T", identifiers=Identifiers(arxiv="1412.6980"))
    first, again = await services.text(record), await services.text(record)
    assert first.passages == again.passages
    assert len(asked) == 1
    assert (first.requests, again.requests) == (1, 0)
    assert first.passages[0].where == "Introduction"
    assert "Trout eat many flies at dusk, as everybody knows" in first.passages[0].quote
    assert not any("Somebody" in it.quote or "alert" in it.quote for it in first.passages)


async def test_two_works_without_identifiers_have_each_their_own_text(scholarly):
    services = scholarly(lambda request: page(PAGE.replace("flies", request.url.path.strip("/"))))
    first, second = (Record("openalex", it, "Trout", open_access=(f"https://93.184.216.34/{it}",)) for it in ("a", "b"))
    one, other = await services.text(first), await services.text(second)
    assert "Trout eat many a at dusk" in one.passages[0].quote
    assert "Trout eat many b at dusk" in other.passages[0].quote


async def test_no_text_is_said(scholarly):
    services = scholarly(lambda _: reply({}, 404))
    assert (await services.text(Record("arxiv", "x", "T", identifiers=Identifiers(arxiv="1412.6980")))).notes
    assert (await services.text(Record("corpus", "y", "T"))).notes == ("full text: none of this work is known",)


def test_texts_of_several_kinds():
    assert "## 1 Introduction\n\nTrout eat" in plain_fulltexts.read_text(FullText("html", PAGE.encode(), ""))
    assert "E=mc^2" in plain_fulltexts.read_text(FullText("html", PAGE.encode(), ""))
    assert plain_fulltexts.read_text(FullText("jats", JATS, "")).startswith("## Methods\n\nWe caught many trout")
    assert plain_fulltexts.read_text(FullText("jats", b"<article><body>", "")) == ""
    assert plain_fulltexts.read_text(FullText("pdf", b"%PDF-1.7 and no more", "")) == ""
    assert plain_fulltexts.read_text(FullText("html", b"\xff" * 1000 + b"<p" * 100_000, "")) is not None


TROUT = Record("corpus", "x", "Feeding habits of trout", identifiers=Identifiers(arxiv="1412.6980", doi="10.1/a"))


@pytest.mark.parametrize(
    ("names", "asked"),
    [
        ({"s2": "a" * 40, "arxiv": "1412.6980"}, "a" * 40),
        ({"arxiv": "1412.6980", "doi": "10.1/a"}, "ARXIV:1412.6980"),
        ({"doi": "10.1/a", "acl": "P19-1001"}, "DOI:10.1/a"),
        ({"acl": "P19-1001", "pmid": "7"}, "ACL:P19-1001"),
        ({"pmid": "7"}, "PMID:7"),
    ],
)
async def test_a_work_is_asked_for_by_the_name_that_says_most(scholarly, names, asked):
    paths = []

    def answer(request):
        paths.append(request.url.path)
        return reply({"data": []})

    services, record = scholarly(answer), Record("corpus", "x", "T", identifiers=Identifiers(**names))
    assert (await services.references(record, 10)).requests == (await services.citations(record, 10)).requests == 1
    assert [it.partition("/paper/")[2] for it in paths] == [f"{asked}/references", f"{asked}/citations"]


async def test_a_work_without_a_name_has_no_links_and_nobody_is_asked(scholarly):
    services = scholarly(pytest.fail)
    for ask in (services.references, services.citations):
        found = await ask(Record("corpus", "y", "T"), 10)
        assert (found.works, found.notes, found.requests) == ((), ("no identifier of this work is known",), 0)


async def test_who_does_not_answer_in_twice_its_time_is_said_to_be_silent(scholarly):
    services = scholarly(lambda _: asyncio.Event().wait(), seconds=0.01)
    silent = ("services: no answer within 0.02 s",)
    answers = [
        await services.snippets("trout", 5), await services.references(TROUT, 5), await services.citations(TROUT, 5),
        await services.text(TROUT),
    ]  # fmt: skip
    assert [(it.works, it.passages, it.notes, it.requests) for it in answers] == [((), (), silent, 1)] * 4


async def test_passages_whose_works_do_not_come_in_time_are_left_out(scholarly):
    async def answer(request):
        if "snippet" in request.url.path:
            return reply({"data": [{"snippet": {"text": "Trout eat flies."}, "paper": {"corpusId": "7"}}]})
        return await asyncio.Event().wait()

    found = await asyncio.wait_for(scholarly(answer, seconds=0.1).snippets("trout", 5), 2)
    assert (found.works, found.notes, found.requests) == ((), ("services: no answer within 0.2 s",), 2)


async def test_passages_whose_work_nobody_knows_are_left_out(scholarly):
    def answer(request):
        if "snippet" in request.url.path:
            assert dict(request.url.params)["limit"] == "5"
            rows = [(7, "Trout eat flies at dusk."), (8, "Salmon too.")]
            return reply({"data": [{"snippet": {"text": it}, "paper": {"corpusId": str(n)}} for n, it in rows]})
        return reply([paper("Trout and flies", corpusId=7), None])

    found = await scholarly(answer).snippets("trout", 5)
    assert [(it.record.title, it.origins, it.evidence[0].quote) for it in found.works] == [
        ("Trout and flies", ("semantic_scholar",), "Trout eat flies at dusk.")
    ]
    assert found.requests == 2


async def test_linked_works_and_texts_say_where_they_come_from(scholarly):
    services = scholarly(lambda _: reply({"data": [{"citedPaper": paper("Of flies"), "contexts": []}]}))
    (work,) = (await services.references(TROUT, 10)).works
    assert (work.record.title, work.origins, work.probability) == ("Of flies", ("semantic_scholar",), None)
    text = await scholarly(lambda _: page(PAGE)).text(TROUT)
    assert {it.source for it in text.passages} == {"127.0.0.1"}
    assert text.requests == 1
    away = await scholarly(lambda _: reply({}, 404)).text(TROUT)
    assert (away.notes, away.requests) == (("full text: none of this work is free",), 1)


async def test_of_a_search_so_many_works_are_listed(scholarly):
    def answer(request):
        if request.url.path.startswith("/semantic_scholar"):
            return reply({"data": [paper(f"Trout number {it} of rivers", paperId=f"{it:040}") for it in range(9)]})
        return reply({}, 404)

    found = await scholarly(answer).search("trout", 4)
    assert [it.record.title for it in found.works] == [f"Trout number {it} of rivers" for it in range(4)]


def test_a_text_without_an_address_is_one():
    assert [services._name_host(it) for it in ("https://x.org/a/b", "http://x.org", "")] == [
        "x.org",
        "x.org",
        "full text",
    ]
