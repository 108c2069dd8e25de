"""Answers with status 200 that are not the service's own: nothing was learnt, and nothing is absent."""

import httpx
import pytest

from citelsp.base.settings import Service, Settings
from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask
from citelsp.sources.reference_query import ReferenceQuery
from citelsp.sources.retry_after import budget_closed_until, read_retry_after
from function_network import page, reply

QUESTION = ReferenceQuery(title="A Study of Bees and Wasps", authors=(Name("Doe", "Jane"),))
STRANGE = [
    {},
    [],
    None,
    "oops",
    {"error": "Internal"},
    {"errors": [{"status": "500"}]},
    {"message": "Too Many Requests", "code": "429"},
    {"version": "6.9", "errCode": 500, "errMsg": "no"},
    {"status": "failed", "message-type": "validation-failure", "message": [{"type": "x"}]},
    {"esearchresult": {"ERROR": "Search Backend failed"}},
]
SEARCHED = ("crossref", "openalex", "semantic_scholar", "europepmc", "datacite", "openlibrary")
LOOKED_UP = [
    ("crossref", ["10.1/a"]),
    ("crossref", ["10.1/a", "10.1/b"]),
    ("openalex", ["10.1/a"]),
    ("openalex", ["10.1/a", "10.1/b"]),
    ("semantic_scholar", ["DOI:10.1/a"]),
    ("europepmc", ["123"]),
    ("datacite", ["10.1/a"]),
    ("datacite", ["10.1/a", "10.1/b"]),
]


@pytest.mark.parametrize("data", STRANGE)
async def test_a_strange_answer_is_not_absence(sources, data):
    asking, _ = sources(lambda _: reply(data))
    for service in SEARCHED:
        assert isinstance(await asking.search_one(service, QUESTION), Unavailable), service
    for service, values in LOOKED_UP:
        assert {type(it) for it in (await asking.ask(service, values)).values()} == {Unavailable}, service


EMPTY = {
    "crossref": {"status": "ok", "message": {"items": [], "total-results": 0}},
    "openalex": {"meta": {"count": 0}, "results": []},
    "semantic_scholar": {"total": 0, "offset": 0},
    "europepmc": {"hitCount": 0, "resultList": {"result": []}},
    "datacite": {"data": [], "meta": {"total": 0}},
    "openlibrary": {"numFound": 0, "docs": []},
}


@pytest.mark.parametrize("service", EMPTY)
async def test_an_empty_list_is_absence(sources, service):
    asking, _ = sources(lambda _: reply(EMPTY[service]))
    assert isinstance(await asking.search_one(service, QUESTION), Absent)


@pytest.mark.parametrize("answer", [page(status=404), httpx.Response(404, text="Not Found")])
async def test_a_list_that_is_not_there_is_not_an_empty_one(sources, answer):
    asking, _ = sources(lambda _: answer)
    for service in ("crossref", "openalex", "europepmc", "datacite", "arxiv"):
        assert isinstance(await asking.search_one(service, QUESTION), Unavailable), service
    found = await asking.ask("arxiv", ["1706.03762", "1512.03385"])
    assert {type(it) for it in found.values()} == {Unavailable}


async def test_what_half_an_answer_lacks_is_not_absent(sources):
    bees = {"DOI": "10.1000/a", "title": ["Bees"], "type": "journal-article"}
    asking, _ = sources(lambda _: reply({"message": {"items": [bees], "total-results": 2}}))
    found = await asking.ask("crossref", ["10.1000/a", "10.1000/b"])
    assert isinstance(found["10.1000/a"], Found)
    assert isinstance(found["10.1000/b"], Unavailable)


def feed(total, tag="feed"):
    head = f'<{tag} xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/">'
    text = f"{head}<o:totalResults>{total}</o:totalResults></{tag}>"
    return httpx.Response(200, text=text, headers={"content-type": "application/atom+xml"})


@pytest.mark.parametrize(
    ("answer", "kind"), [(feed(0), Absent), (feed(2), Unavailable), (feed(0, "error"), Unavailable)]
)
async def test_feeds_of_arxiv(sources, answer, kind):
    asking, _ = sources(lambda _: answer)
    found = await asking.ask("arxiv", ["1706.03762", "1512.03385"])
    assert {type(it) for it in found.values()} == {kind}
    assert isinstance(await asking.search_one("arxiv", QUESTION), kind)


async def test_halves_of_characters_are_kept_from_the_cache(sources):
    text = b'{"message": {"items": [{"DOI": "10.1/a", "title": ["Bees \\ud83d and \\ud83d\\ude00"]}]}}'
    answer = httpx.Response(200, content=text, headers={"content-type": "application/json"})
    asking, _ = sources(lambda _: answer)
    found = await asking.search_one("crossref", QUESTION)
    assert [it.title for it in found.records] == ["Bees \ufffd and \U0001f600"]
    assert await asking.search_one("crossref", QUESTION) == found


@pytest.mark.parametrize("said", ["9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_no_service_is_left_alone_for_ever(said):
    assert read_retry_after({"retry-after": said}) == 86400
    closed = budget_closed_until({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9" * 13})
    assert closed == pytest.approx(
        budget_closed_until({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "86400"}), abs=5
    )


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("0", 0), ("1.5", 1.5), ("120", 120), ("1e9", None), ("-1", None), ("", None), ("soon", None), ("²", None),
     ("٣", None), ("1.2.3", None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 21 Oct 2999999999 07:28:00 GMT", None),
     ("Mon, 01 Jan 0001 00:00:00 +2359", 0), ("1, 2", None), ("nan", None), ("inf", None)],
)  # fmt: skip
def test_what_a_service_says_of_waiting_is_read_or_left(said, seconds):
    """RFC 9110, 10.2.3: a number of seconds or a date; anything else says nothing."""
    assert read_retry_after({"retry-after": said}) == seconds


async def test_a_proxy_that_cannot_be_used_is_said():
    client = Client(Settings(proxy="gopher://127.0.0.1:1"))
    found = await client.ask(Ask("crossref", "/works/10.1/x"))
    assert isinstance(found, Unavailable)
    assert found.why.startswith("the proxy cannot be used: ")
    await client.aclose()


@pytest.mark.parametrize(
    "work",
    [
        {"title": ["word " * 500]},
        {"title": ["Bees"], "container-title": ["Journal of " + "x" * 2000]},
        {"title": ["Bees"], "author": [{"family": "Doe" * 200, "given": "Jane"}]},
        {"title": ["Bees"], "author": [{"family": "Doe", "given": "J."}] * 10_001},
    ],
    ids=["title", "venue", "name", "people"],
)
async def test_a_record_longer_than_any_work_has_is_not_compared(sources, work):
    item = {"DOI": "10.1000/a", "type": "journal-article", **work}
    asking, _ = sources(lambda _: reply({"status": "ok", "message": {"items": [item], "total-results": 1}}))
    assert isinstance((await asking.ask("crossref", ["10.1000/a"]))["10.1000/a"], Unavailable)
    assert isinstance(await asking.search_one("crossref", QUESTION), Unavailable)


def crossref_list(*works):
    return {"status": "ok", "message": {"items": list(works), "total-results": len(works)}}


def crossref_work(name, **more):
    return {"DOI": f"10.1000/{name}", "title": [f"Work {name}"], "author": [{"family": "Doe"}], **more}


ODD = {
    "no object": "oops",
    "a title that is none": crossref_work("b", title=[{"x": 1}]),
    "people that are none": crossref_work("b", author=["Doe"]),
    "a title that is too long": crossref_work("b", title=["x" * 3000]),
    "no identifier": {"title": ["Work b"]},
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("place", [0, 1, 2])
async def test_one_odd_record_spoils_no_other(sources, odd, place):
    """Nor is the one absent that it may be of, nor any that is lacking beside it."""
    works = [crossref_work("a"), crossref_work("c")]
    works.insert(place, ODD[odd])
    asking, _ = sources(lambda _: reply(crossref_list(*works)))
    answers = await asking.ask("crossref", ["10.1000/a", "10.1000/b", "10.1000/c", "10.1000/d"])
    found = {name: isinstance(it, Found) for name, it in answers.items()}
    assert found == {"10.1000/a": True, "10.1000/b": False, "10.1000/c": True, "10.1000/d": False}
    assert not any(isinstance(it, Absent) for it in answers.values())


async def test_one_odd_record_of_openalex_spoils_no_other(sources):
    works = [{"id": f"W{it}", "doi": f"https://doi.org/10.1000/{it}", "title": f"Work {it}"} for it in "ac"]
    odd = {"id": "Wb", "doi": "https://doi.org/10.1000/b", "title": "x" * 3000}
    data = {"meta": {"count": 3}, "results": [works[0], odd, works[1]]}
    asking, _ = sources(lambda _: reply(data))
    answers = await asking.ask("openalex", ["10.1000/a", "10.1000/b", "10.1000/c"])
    assert [type(it) for it in answers.values()] == [Found, Unavailable, Found]


async def test_dblp_is_asked_for_a_doi_with_signs_that_no_address_has(sources):
    """It knows the address of `…:6<391::AID-ASI1>…` in its percent-encoded form alone, as RDF has no other."""
    doi = "10.1002/(sici)1097-4571(199009)41:6<391::aid-asi1>3.0.co;2-9"
    address = "https://doi.org/" + doi.replace("<", "%3C").replace(">", "%3E")
    pair = {"doi": {"value": address}, "pub": {"value": "https://dblp.org/rec/journals/jasis/D90"}}
    row = pair | {"title": {"value": "Indexing by Latent Semantic Analysis."}, "ord": {"value": "1"}}
    row |= {"name": {"value": "Scott C. Deerwester"}}

    def answer(request):
        query = request.url.params["query"]
        known = f"<{address}>" in query or "dblp:title" in query
        return reply({"results": {"bindings": [row if "dblp:title" in query else pair] if known else []}})

    asked = {"dblp_sparql": Service(enabled=True, base_url="http://127.0.0.1/sparql")}
    asking, _ = sources(answer, services=asked)
    found = await asking.ask("dblp", [doi])
    assert isinstance(found[doi], Found)
