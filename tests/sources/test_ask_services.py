"""Works by identifiers and by words: who is asked, how often, and what it comes to."""

import asyncio
import time
from dataclasses import replace
from urllib.parse import unquote

import httpx
import pytest

from citelsp.base.settings import SERVICES, Service
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Unavailable
from citelsp.sources import find_work, service_specs
from citelsp.sources.reference_query import ReferenceQuery
from function_network import page, reply

NONE = httpx.Response(404, text="Resource not found.")
TITLE = "A Neural Probabilistic Language Model"


def crossref_work(doi, title=TITLE, **more):
    return {"DOI": doi, "title": [title], "type": "journal-article", "issued": {"date-parts": [[2003]]}} | more


def openalex_work(doi, title=TITLE, **more):
    return {
        "id": "https://openalex.org/W1",
        "doi": f"https://doi.org/{doi}",
        "title": title,
        "publication_year": 2003,
    } | more


def library(*dois, exists=(), **others):
    """A world that holds these DOIs at Crossref and OpenAlex, and knows the agencies of `exists`."""

    def answer(request):
        path, query = unquote(request.url.path), request.url.params
        if path.startswith("/crossref/works/"):
            doi = path.removeprefix("/crossref/works/")
            return reply({"message": crossref_work(doi)}) if doi in dois else NONE
        if path == "/crossref/works" and "filter" in query:
            asked = [it.removeprefix("doi:") for it in query["filter"].split(",")]
            return reply({"message": {"items": [crossref_work(it.upper()) for it in asked if it in dois]}})
        if path.startswith("/openalex/works/doi:"):
            doi = path.removeprefix("/openalex/works/doi:")
            return reply(openalex_work(doi)) if doi in dois else page("<html>404</html>", 404)
        if path == "/openalex/works" and "filter" in query:
            asked = query["filter"].removeprefix("doi:").split("|")
            return reply({"results": [openalex_work(it) for it in asked if it in dois]})
        if path.startswith("/doi/doiRA/"):
            asked = path.removeprefix("/doi/doiRA/").split(",")
            known = dict(exists)
            return reply(
                [
                    {"DOI": it, "RA": known[it]} if it in known else {"DOI": it, "status": "DOI does not exist"}
                    for it in asked
                ]
            )
        if path.startswith("/datacite/dois/"):
            data = {"attributes": {"doi": path.removeprefix("/datacite/dois/"), "titles": [{"title": "Data"}]}}
            return reply({"data": data})
        return others.get("fallback", reply({}, 503))

    return answer


def said(lookups):
    return [(type(it).__name__, it.source) for it in lookups]


async def test_one_doi_takes_two_requests_and_then_none(sources):
    asked, web = sources(library("10.1000/a"))
    first = await asked.lookup(Identifiers(doi="10.1000/a"))
    assert said(first) == [("Found", "crossref"), ("Found", "openalex")]
    assert len(web.requests) == 2
    assert await asked.lookup(Identifiers(doi="10.1000/a")) == first
    assert len(web.requests) == 2


async def test_many_dois_share_their_requests(sources):
    dois = [f"10.1000/{number}" for number in range(30)]
    asked, web = sources(library(*dois))
    answers = await asked.lookup_many([Identifiers(doi=doi) for doi in dois])
    assert [it[0].records[0].identifiers.doi for it in answers] == dois
    assert len(web.requests) == 2


async def test_only_what_is_new_is_asked(sources):
    asked, web = sources(library("10.1000/a", "10.1000/b", "10.1000/c"))
    await asked.lookup_many([Identifiers(doi="10.1000/a"), Identifiers(doi="10.1000/b")])
    await asked.lookup_many([Identifiers(doi=f"10.1000/{name}") for name in "abc"])
    assert web.paths()[2:] == ["/crossref/works/10.1000/c", "/openalex/works/doi:10.1000/c"]


async def test_the_authority_says_that_a_doi_does_not_exist(sources):
    asked, web = sources(library())
    lookups = await asked.lookup(Identifiers(doi="10.1000/none"))
    assert said(lookups) == [("Absent", "crossref"), ("Absent", "openalex"), ("Absent", "doi")]
    assert len(web.requests) == 3
    assert await asked.lookup(Identifiers(doi="10.1000/none")) == lookups
    assert len(web.requests) == 3


async def test_a_doi_of_another_agency_is_asked_there(sources):
    asked, _ = sources(library(exists={"10.9999/data": "DataCite"}))
    lookups = await asked.lookup(Identifiers(doi="10.9999/data"))
    assert said(lookups) == [("Absent", "crossref"), ("Absent", "openalex"), ("Found", "datacite")]


async def test_a_doi_that_its_agency_cannot_describe_exists_all_the_same(sources):
    def answer(request):
        if request.url.path == "/doi/10.1000/x":
            return httpx.Response(302, headers={"location": "https://api.crossref.org/v1/works/10.1000%2Fx/transform"})
        if request.url.path.startswith("/crossref/v1"):
            return NONE
        return library(exists={"10.1000/x": "Crossref"})(request)

    asked, _ = sources(answer)
    *_, last = await asked.lookup(Identifiers(doi="10.1000/x"))
    assert last == Unavailable("doi", "registered, but unknown to its agency")


async def test_a_doi_whose_agency_tells_no_title_exists_all_the_same(sources):
    def answer(request):
        if request.url.path == "/doi/10.1000/x":
            return reply({"DOI": "10.1000/x", "publisher": "Roe & Sons"})
        return library(exists={"10.1000/x": "mEDRA"})(request)

    asked, _ = sources(answer)
    *_, last = await asked.lookup(Identifiers(doi="10.1000/x"))
    assert last == Unavailable("doi", "registered, but no service describes it")


async def test_trouble_is_never_taken_for_absence(sources):
    asked, web = sources(lambda _: reply({}, 503))
    lookups = await asked.lookup(Identifiers(doi="10.1000/a"))
    assert {type(it) for it in lookups} == {Unavailable}
    count = len(web.requests)
    await asked.lookup(Identifiers(doi="10.1000/a"))
    assert len(web.requests) >= count


FEED = """<feed xmlns="http://www.w3.org/2005/Atom">{}</feed>"""
ENTRY = """<entry><id>http://arxiv.org/abs/{0}v2</id><title>Paper {0}</title><published>2017-06-12T00:00:00Z</published>
<author><name>Ann Lee</name></author></entry>"""


async def test_where_no_agency_can_be_asked_semantic_scholar_may_know_the_work(sources):
    def answer(request):
        known = request.url.path.endswith("/paper/batch")
        return (
            reply([{"paperId": "p", "title": TITLE, "externalIds": {"DOI": "10.1000/a"}}])
            if known
            else page(status=503)
        )

    asked, _ = sources(answer)
    *_, last = await asked.lookup(Identifiers(doi="10.1000/a"))
    assert (last.source, last.records[0].identifiers.doi) == ("semantic_scholar", "10.1000/a")


async def test_arxiv_ids_go_together_and_a_malformed_one_spoils_none(sources):
    def answer(request):
        ids = request.url.params.get("id_list", "").split(",")
        body = FEED.format("".join(ENTRY.format(it) for it in ids if it != "1706.00002"))
        return httpx.Response(200, text=body, headers={"content-type": "application/atom+xml"})

    asked, web = sources(lambda request: answer(request) if "arxiv" in request.url.path else reply([None] * 3))
    names = [Identifiers(arxiv=it) for it in ("1706.00001", "1706.00002", "junk")]
    first, second, third = await asked.lookup_many(names)
    assert said([first[0], second[0], third[0]]) == [("Found", "arxiv"), ("Absent", "arxiv"), ("Absent", "arxiv")]
    assert sum("arxiv" in path for path in web.paths()) == 1


async def test_a_search_stops_at_a_sure_answer(sources):
    def answer(request):
        if request.url.path == "/crossref/works":
            return reply(
                {"message": {"items": [crossref_work("10.1000/a", "Another thing"), crossref_work("10.1000/b")]}}
            )
        return reply({"error": "Title match not found"}, 404)

    asked, web = sources(answer)
    answers = await asked.search(ReferenceQuery(TITLE, (), 2003))
    assert answers.candidates[0].record.identifiers.doi == "10.1000/b"
    assert answers.candidates[0].probability > 0.8
    assert sorted(web.paths()) == ["/crossref/works", "/semantic_scholar/graph/v1/paper/search/match"]
    await asked.search(ReferenceQuery(TITLE, (), 2003))
    assert len(web.requests) == 2


async def test_a_sure_answer_is_not_asked_for_again_because_another_service_failed(sources):
    hits = {"message": {"items": [crossref_work("10.1000/b")]}}
    asked, web = sources(lambda request: reply(hits) if request.url.path == "/crossref/works" else reply({}, 503))
    first = await asked.search(ReferenceQuery(TITLE, (), 2003))
    count = len(web.requests)
    assert (await asked.search(ReferenceQuery(TITLE, (), 2003))).candidates == first.candidates
    assert len(web.requests) == count


async def test_a_doubtful_search_goes_on_and_says_who_did_not_answer(sources):
    def answer(request):
        path = request.url.path
        if path == "/openalex/works":
            return reply({"results": [openalex_work("10.1000/a")]})
        if path in {"/crossref/works", "/europepmc/search"}:
            return reply({"message": {"items": []}})
        return reply({}, 429)

    asked, _ = sources(answer)
    answers = await asked.search(ReferenceQuery(TITLE, (Name("Bengio", "Yoshua"),), 2003))
    assert [it.record.identifiers.doi for it in answers.candidates] == ["10.1000/a"]
    assert {it.source for it in answers.unavailable} >= {"semantic_scholar", "arxiv"}


async def test_a_passing_failure_is_asked_again_before_giving_up(sources):
    failures = iter([429] * 2)

    def answer(request):
        if "semantic_scholar" not in request.url.path:
            return reply({"message": {"items": []}})
        if status := next(failures, 0):
            return reply({}, status)
        return reply({"data": [{"paperId": "a", "title": TITLE, "authors": [{"name": "Yoshua Bengio"}]}]})

    asked, _ = sources(answer)
    answers = await asked.search(ReferenceQuery(TITLE))
    assert [it.record.title for it in answers.candidates] == [TITLE]
    assert "semantic_scholar" not in {it.source for it in answers.unavailable}


async def test_what_is_switched_off_is_not_asked(sources):
    asked, web = sources(
        lambda _: reply({"message": {"items": []}}),
        services={"crossref": Service(enabled=False), "dblp": Service(enabled=True, base_url="http://127.0.0.1/dblp")},
    )
    await asked.search(ReferenceQuery(TITLE))
    assert not any(path.startswith("/crossref") for path in web.paths())
    assert any(path.startswith("/dblp") for path in web.paths())


@pytest.mark.parametrize("status", [429, 500, 403])
async def test_no_candidate_out_of_nothing(sources, status):
    slow = {it for it in SERVICES if service_specs.find_spec(it).interval > 0.5}  # a 429 makes them keep their pace
    off = {it: Service(enabled=False) for it in (slow if status == 429 else ())}
    asked, _ = sources(lambda _: reply({"title": TITLE}, status), services=off)
    answers = await asked.search(ReferenceQuery(TITLE))
    assert (answers.candidates, {type(it) for it in answers.lookups}) == ((), {Unavailable})


async def test_browsing_joins_services_by_rank(sources):
    def answer(request):
        if request.url.path == "/openalex/works":
            return reply(
                {"results": [openalex_work("10.1000/only"), openalex_work("10.1000/both", "Both know this one")]}
            )
        if request.url.path == "/crossref/works":
            return reply({"message": {"items": [crossref_work("10.1000/both", "Both know this one")]}})
        return reply({}, 503)

    asked, _ = sources(answer)
    answers = [it async for it in asked.browse("neural language models")]
    assert sorted(name for name, _ in answers) == sorted(asked.browsed())
    works = find_work.list_candidates(lookup for _, lookup in answers)
    assert [it.record.identifiers.doi for it in works] == ["10.1000/both", "10.1000/only"]
    assert set(works[0].origins) == {"crossref", "openalex"}


async def test_browsing_takes_no_more_works_than_were_asked_for(sources):
    works = [crossref_work(f"10.1000/{number}", f"Work number {number}") for number in range(400)]
    asked, _ = sources(lambda _: reply({"message": {"items": works}}))
    answers = dict([it async for it in asked.browse("neural language models", 15)])
    assert [it.id for it in answers["crossref"].records] == [f"10.1000/{number}" for number in range(15)]


async def test_a_search_keeps_no_more_works_than_it_could_have_asked_for(sources):
    works = [crossref_work(f"10.1000/{number}", f"Work number {number}") for number in range(400)]
    asked, web = sources(lambda _: reply({"message": {"items": works}}))
    question = ReferenceQuery(title="Neural language models")
    first, again = [await asked.search_one("crossref", question) for _ in range(2)]
    assert first == again and len(web.requests) == 1
    assert [it.id for it in first.records] == [f"10.1000/{number}" for number in range(8)]


async def test_leaving_a_browse_ends_its_requests(sources):
    async def hang(_):
        await asyncio.Event().wait()

    asked, _ = sources(lambda request: hang(request) if "arxiv" in request.url.path else reply({}))
    start = time.process_time()
    answers = asked.browse("words")
    await anext(answers)
    await answers.aclose()
    assert time.process_time() - start < 1
    assert len(asyncio.all_tasks()) == 1


def test_absent_is_not_unavailable():
    assert Absent("crossref") != Unavailable("crossref", "")


@pytest.mark.parametrize("name", ["crossref", "datacite", "openlibrary", "semantic_scholar", "openalex", "arxiv"])
async def test_a_search_is_told_as_many_people_as_its_answers_are_kept_by(sources, name):
    asked, web = sources(lambda _: reply({"data": [], "results": [], "docs": [], "message": {"items": []}}))
    people = tuple(Name(it, "A.") for it in ("Roe", "Doe", "Poe", "Moe"))
    reference = ReferenceQuery(TITLE, people, 2003)
    edits = [reference, replace(reference, year=2004)]
    edits += [replace(reference, authors=(*people[:it], Name("Loe", "B."), *people[it + 1 :])) for it in range(4)]
    sent = []
    asked.client.cache = None
    for edited in edits:
        await asked.search_one(name, edited)
        sent.append(str(web.requests[-1].url))
    told = service_specs.find_spec(name).people
    assert [it == sent[0] for it in sent[2:]] == [place >= told for place in range(4)]
    assert sent[1] == sent[0] or told
