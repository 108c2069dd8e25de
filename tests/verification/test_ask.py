"""Many entries verified together: who is asked, how often, what is kept."""

import asyncio
import json
from dataclasses import replace
from urllib.parse import unquote

import httpx
import pytest

from citelsp.bibliography.entry import fingerprint
from citelsp.knowledge import Found
from citelsp.verification import ask, control
from citelsp.verification.ask import verify
from citelsp.verification.question import Question
from function_network import page, reply
from written_references import PAPER, cited, read

NONE = httpx.Response(404, text="Resource not found.")
WORK = {
    "title": [PAPER.title],
    "type": "proceedings-article",
    "author": [{"family": it.family, "given": it.given} for it in PAPER.authors],
    "issued": {"date-parts": [[2016]]},
    "container-title": [PAPER.venue],
    "page": "770-778",
}


CONTROL = {"title": control.TITLE, "year": control.YEAR, "authors": [{"name": "Gao Huang"}]}


def known(request):
    """What a service that answers at all has."""
    path = unquote(request.url.path)
    if control.TITLE.casefold() not in unquote(str(request.url)).replace("+", " ").casefold():
        return None
    if path == "/crossref/works":
        return reply(
            {"message": {"items": [{"title": [control.TITLE], "DOI": control.DOI, "type": "journal-article"}]}}
        )
    if path == "/openalex/works":
        work = {"id": "https://openalex.org/W1", "title": control.TITLE, "display_name": control.TITLE}
        return reply({"results": [work], "meta": {"count": 1}})
    if path.startswith("/semantic_scholar"):
        return reply({"data": [CONTROL | {"paperId": "c"}]})
    hit = {"@id": "1", "info": {"title": control.TITLE, "year": "2017", "key": "conf/cvpr/H17"}}
    return reply({"result": {"hits": {"@total": "1", "@sent": "1", "hit": [hit]}}})


def crossref(request):
    """Every DOI that is asked for is PAPER, every search but that for the control finds nothing."""
    path, query = unquote(request.url.path), request.url.params
    if found := known(request):
        return found
    if path.startswith("/crossref/works/"):
        return reply({"message": WORK | {"DOI": path.removeprefix("/crossref/works/")}})
    if path == "/crossref/works":
        dois = [it.removeprefix("doi:") for it in query.get("filter", "").split(",") if it.startswith("doi:")]
        return reply({"message": {"items": [WORK | {"DOI": it} for it in dois]}})
    if path == "/openalex/works":
        return reply({"results": []})
    return reply({"data": []}) if path.startswith("/semantic_scholar") else reply({"result": {"hits": {}}})


async def kinds(entries, sources, services=("crossref", "semantic_scholar", "openalex", "dblp", "doi")):
    found = {key: it async for key, it in verify(entries, sources, services)}
    return [found[fingerprint(it)].kind for it in entries]


async def test_a_macro_that_nobody_defines_is_compared_with_nothing(sources):
    asked, _ = sources(crossref)
    fields = f"doi = {{10.1000/a}}, title = {{{PAPER.title}}}, author = HeK # {{ and }} # SunJ, booktitle = icml"
    entry = read(f"@inproceedings{{he, {fields}}}")
    assert await kinds([entry], asked) == ["verified"]


async def test_identifiers_share_requests(sources):
    asked, web = sources(crossref)
    entries = [cited(doi=f"10.1000/{number}") for number in range(100)]
    assert await kinds(entries, asked) == ["verified"] * 100
    assert len(web.requests) == 3


async def test_second_opinions_share_requests(sources):
    asked, web = sources(lambda it: NONE if "openalex" in it.url.path else crossref(it))
    entries = [cited(doi=f"10.1000/{number}", year="2014") for number in range(40)]
    assert await kinds(entries, asked, ("crossref", "openalex")) == ["mismatch"] * 40
    filters = [it.url.params.get("filter", "").count("10.1000/") for it in web.requests]
    assert filters[:2] == [40, 40]


async def test_the_same_search_is_sent_once_whoever_is_said_to_have_written_the_work_and_when(sources):
    asked, web = sources(crossref)
    title = "On the Dreams of Convolutional Sheep in Winter"
    entries = [cited(title=title), cited(title=title, year="2014"), cited(title=title, author="Roe, Jane and Doe, Ann")]
    assert await kinds(entries, asked) == ["not-found"] * 3
    sent = [str(it.url) for it in web.requests]
    assert len(sent) == len(set(sent)) == 2 + 6 + 3  # by title; by people too; controls


async def test_what_a_search_was_told_is_not_told_again_after_an_edit(sources):
    title = "On the Dreams of Convolutional Sheep in Winter"
    asked, web = sources(crossref)
    await kinds([cited(title=title)], asked)
    again, web = sources(crossref)
    assert await kinds([cited(title=title, year="2014")], again) == ["not-found"]
    assert web.paths() == ["/crossref/works", "/crossref/works"]


async def test_what_is_settled_is_not_asked_again(sources):
    asked, web = sources(crossref)
    entries = [cited(doi="10.1000/a"), cited(title="On the Dreams of Convolutional Sheep in Winter")]
    assert await kinds(entries, asked) == ["verified", "not-found"]
    before = len(web.requests)
    again, web = sources(crossref)
    assert await kinds(entries, again) == ["verified", "not-found"]
    assert (before, len(web.requests)) == (8, 0)


async def test_a_second_run_asks_what_was_missing_only(sources):
    entry = cited(title="On the Dreams of Convolutional Sheep in Winter")
    asked, _ = sources(lambda it: page(status=503) if "openalex" in it.url.path else crossref(it))
    assert await kinds([entry], asked) == ["unchecked"]
    await asked.client.limits.reopen()
    again, web = sources(crossref)
    assert await kinds([entry], again) == ["not-found"]
    assert web.paths() == ["/openalex/works", "/crossref/works", "/openalex/works"]  # the last is its control


def semantic_scholar(request):
    """Every search there finds PAPER under a DOI."""
    if not request.url.path.startswith("/semantic_scholar"):
        return crossref(request)
    work = {"title": PAPER.title, "year": 2016, "venue": PAPER.venue, "externalIds": {"DOI": "10.1000/a"}}
    return reply(
        {"data": [work | {"paperId": "s", "authors": [{"name": f"{it.given} {it.family}"} for it in PAPER.authors]}]}
    )


async def test_what_is_found_while_the_registry_is_silent_is_asked_again(sources):
    asked, web = sources(lambda it: page(status=503) if "crossref" in it.url.path else semantic_scholar(it))
    assert await kinds([cited()], asked) == ["verified"]
    await asked.client.limits.reopen()
    notice = {"update-to": [], "updated-by": [{"type": "retraction", "DOI": "10.1000/r", "source": "publisher"}]}
    told = {"message": {"items": [WORK | notice | {"DOI": "10.1000/a"}], **WORK, **notice, "DOI": "10.1000/a"}}
    again, web = sources(lambda it: reply(told) if it.url.path.startswith("/crossref") else semantic_scholar(it))
    assert await kinds([cited()], again) == ["retracted"]
    assert all(it.startswith("/crossref") for it in web.paths())


async def test_a_withdrawn_preprint_is_known_though_its_reference_prints_no_identifier(sources):
    """A reference list without DOIs, as plainnat prints it: the search finds the preprint, Crossref its withdrawal."""

    def world(request):
        if request.url.path.startswith("/crossref"):
            return reply({"message": {"items": [withdrawn], **withdrawn}})
        found = json.loads(semantic_scholar(request).content)
        for paper in found.get("data", ()):
            paper |= {"venue": "bioRxiv", "externalIds": {"DOI": "10.1101/2022.12.30"}}
        return reply(found)

    withdrawn = WORK | {"type": "posted-content", "container-title": [], "page": None, "DOI": "10.1101/2022.12.30"}
    withdrawn |= {"updated-by": [{"type": "withdrawal", "DOI": "10.1101/r", "source": "publisher"}]}
    entry = cited(kind="misc", booktitle=None, pages=None)
    asked, _ = sources(world)
    assert await kinds([entry], asked, ("semantic_scholar", "crossref")) == ["retracted"]


async def test_a_page_for_people_accuses_nobody(sources):
    asked, _ = sources(lambda _: page("<html>Making sure you're not a bot!</html>"))
    assert (
        await kinds([cited(), cited(doi="10.1000/a"), cited(title="Something Else Entirely Made Up")], asked)
        == ["unchecked"] * 3
    )


def found_by_title(request):
    """Semantic Scholar finds whatever it is asked for; Crossref is slow, and knows it too."""
    path, query = unquote(request.url.path), request.url.params
    if path.endswith("/paper/search/match"):
        people = [{"name": f"{it.given} {it.family}"} for it in PAPER.authors]
        paper = {"paperId": "1", "title": query["query"], "authors": people, "year": 2016, "venue": PAPER.venue}
        return reply({"data": [paper | {"externalIds": {"DOI": f"10.1000/{digest(query['query'])}"}}]})
    return crossref(request)


def digest(title):
    return title.rpartition(" ")[2].lower()


async def slow(request):
    if request.url.params.get("query.bibliographic"):
        await asyncio.sleep(0.2)
    return found_by_title(request)


async def test_who_is_free_earlier_searches(sources):
    asked, web = sources(slow)
    entries = [cited(title=f"Deep Residual Learning for Image {it}") for it in "abcdefghijklmnopqrst"]
    assert await kinds(entries, asked) == ["verified"] * 20
    searches = [it for it in web.requests if "query" in str(it.url)]
    assert sum("semantic_scholar" in it.url.path for it in searches) > 10
    assert sum("crossref" in it.url.path for it in searches) < 10


async def test_a_search_is_not_lost_where_one_of_two_fails(sources):
    asked, _ = sources(lambda it: page(status=503) if "semantic" in it.url.path else crossref(it))
    entry = cited(title="On the Dreams of Convolutional Sheep in Winter")
    assert await kinds([entry], asked, ("crossref", "semantic_scholar")) == ["unchecked"]
    other, web = sources(lambda it: page(status=503) if "crossref" in it.url.path else found_by_title(it))
    assert await kinds([cited()], other, ("crossref", "semantic_scholar")) == ["verified"]
    assert any("semantic_scholar" in it for it in web.paths())


def of_no_registry(request):
    """Crossref has no DOI; somebody registered 10.1000/a."""
    path = unquote(request.url.path)
    if path.startswith("/doi/"):
        other = {"DOI": "10.1000/b", "status": "DOI does not exist"}
        return reply([{"DOI": "10.1000/a", "RA": "mEDRA"}, other])
    return NONE if path.startswith("/datacite") or "doi:" in str(request.url.params) else crossref(request)


async def test_a_doi_that_nobody_registered_is_told_from_one_of_an_unknown_work(sources):
    asked, _ = sources(
        lambda it: reply({"message": {"items": []}}) if "/crossref" in it.url.path else of_no_registry(it)
    )
    entries = [cited(doi=f"10.1000/{it}", title="On the Dreams of Convolutional Sheep in Winter") for it in "ab"]
    found = {key: it async for key, it in verify(entries, asked)}
    assert [found[fingerprint(it)].reason for it in entries] == [
        "its identifier is registered, but no service says for what",
        "the DOI does not exist",
    ]


async def test_if_nobody_has_the_title_its_people_are_looked_for_among_many_hits(sources):
    asked, web = sources(crossref)
    await kinds([cited(title="On the Dreams of Convolutional Sheep in Winter")], asked)
    (last,) = [it.url.params for it in web.requests if int(it.url.params.get("rows", 0)) > 50]
    assert last["query.bibliographic"].startswith("On the Dreams of Convolutional Sheep in Winter")


FEED = f"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/1512.03385v1</id>
<title>{PAPER.title}</title><published>2015-12-10T00:00:00Z</published>
{"".join(f"<author><name>{it.given} {it.family}</name></author>" for it in PAPER.authors)}</entry></feed>"""


async def test_whether_a_preprint_was_published_is_asked_by_its_number(sources):
    feed = httpx.Response(200, content=FEED, headers={"content-type": "application/atom+xml"})
    asked, web = sources(lambda it: feed if it.url.path.startswith("/arxiv") else crossref(it))
    entry = cited(kind="misc", booktitle=None, pages=None, eprint="1512.03385", archiveprefix="arXiv")
    assert await kinds([entry], asked, ("arxiv", "semantic_scholar")) == ["verified"]
    assert b"ARXIV:1512.03385" in web.requests[-1].content


async def test_who_failed_in_passing_is_asked_once_more(sources):
    failed = []

    def shaky(request):
        if "openalex" in request.url.path and len(failed) < 3:
            failed.append(request)
            return page(status=503)
        return crossref(request)

    asked, _ = sources(shaky)
    assert await kinds([cited(title="On the Dreams of Convolutional Sheep in Winter")], asked) == ["not-found"]


async def test_entries_of_one_content_are_one(sources):
    asked, web = sources(crossref)
    await kinds([cited(doi="10.1000/a"), cited(doi="10.1000/a"), cited(doi="https://doi.org/10.1000/A")], asked)
    assert len(web.requests) <= 2


async def test_cancelling_leaves_nothing_running(sources):
    reached = asyncio.Event()

    async def hang():
        reached.set()
        await asyncio.Event().wait()

    asked, _ = sources(lambda _: hang())
    task = asyncio.ensure_future(kinds([cited(), cited(doi="10.1000/a")], asked))
    await reached.wait()
    task.cancel()
    await asyncio.wait([task], timeout=30)
    assert task.cancelled()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_one_identifier_that_spoils_a_batch_stands_alone(sources):
    def spoilt(request):
        return page(status=500) if "10.1000/7" in unquote(str(request.url)) else crossref(request)

    asked, _ = sources(spoilt)
    entries = [cited(doi=f"10.1000/{number}") for number in (1, 2, 3, 4, 5, 6, 7, 8)]
    found = await kinds(entries, asked, ("crossref", "doi"))
    assert found == ["verified"] * 6 + ["unchecked", "verified"]


async def test_a_service_that_fails_altogether_is_left_alone(sources):
    asked, web = sources(lambda _: page(status=500))
    entries = [cited(doi=f"10.1000/{number}") for number in range(40)]
    assert set(await kinds(entries, asked, ("crossref",))) == {"unchecked"}
    assert len(web.requests) < 30


DREAMS = "On the Dreams of Convolutional Sheep in Winter"


async def test_a_service_that_finds_nothing_not_even_what_it_has_is_not_believed(sources):
    mute = reply({"results": [], "meta": {"count": 0}})
    asked, _ = sources(lambda it: mute if "openalex" in it.url.path else crossref(it))
    found = [it async for _, it in verify([cited(title=DREAMS)], asked)]
    assert [it.kind for it in found] == ["unchecked"]
    assert "OpenAlex: its answers cannot be trusted now" in found[0].reason


async def test_who_has_found_anything_in_a_run_is_asked_for_nothing_it_certainly_has(sources):
    hits = reply({"message": {"items": [WORK | {"DOI": "10.1000/a", "author": []}]}})
    asked, web = sources(lambda it: hits if "crossref" in it.url.path else crossref(it))
    assert await kinds([cited(title=DREAMS)], asked) == ["not-found"]
    sought = [it.url.params.get("query.bibliographic", "") for it in web.requests]
    assert not any(control.TITLE in it for it in sought)


@pytest.mark.parametrize("count", [1, 7])
async def test_a_list_of_invented_dois_is_judged_one_by_one(sources, count):
    def agency(request):
        path = unquote(request.url.path)
        if not path.startswith("/doi/"):
            is_lookup = "doi:" in str(request.url.params) or "works/" in path
            return NONE if is_lookup else crossref(request)
        others = [it for it in path.removeprefix("/doi/doiRA/").split(",") if it != control.DOI]
        known = {"DOI": control.DOI, "RA": "Crossref"}
        return reply([known, *({"DOI": it, "status": "DOI does not exist"} for it in others)])

    asked, _ = sources(agency)
    entries = [
        cited(title=f"{DREAMS} {number}", author="Doe, Jane", doi=f"10.1000/{number}") for number in range(count)
    ]
    assert await kinds(entries, asked) == ["conflict"] * count


@pytest.mark.parametrize(("agency", "kind"), [("DataCite", "unchecked"), ("Crossref", "conflict")])
async def test_doi_org_is_asked_for_what_the_same_registrar_has(sources, agency, kind):
    """It has lost what DataCite registered, and knows what Crossref did."""

    def registrar(request):
        path = unquote(request.url.path)
        if not path.startswith("/doi/"):
            is_lookup = "doi:" in str(request.url.params) or "works/" in path
            return NONE if is_lookup else crossref(request)
        agencies = {"10.1000": agency, control.DOI: "Crossref"}
        dois = path.removeprefix("/doi/doiRA/").split(",")
        return reply(
            [
                {"DOI": it} | ({"RA": agencies[it]} if it in agencies else {"status": "DOI does not exist"})
                for it in dois
            ]
        )

    asked, web = sources(registrar)
    assert await kinds([cited(title=DREAMS, author="Doe, Jane", doi="10.1000/a")], asked) == [kind]
    sought = [it for it in map(unquote, web.paths()) if "doiRA" in it]
    assert sought == [f"/doi/doiRA/{it}" for it in ("10.1000/a", "10.1000", control.AGENCIES[agency])]


async def test_one_identifier_asked_for_as_an_entrys_own_and_as_a_control_answers_both(sources):
    """A question without an answer would leave its entry without a verdict."""
    asked, _ = sources(lambda _: reply([{"DOI": control.DOI, "RA": "Crossref"}]))
    own = Question("doi", "exists", control.DOI)
    as_control = replace(own, is_control=True)
    lookups = await ask._ask_at_once([own, as_control], asked)
    assert lookups == dict.fromkeys([own, as_control], Found("doi", (), agency="Crossref"))
