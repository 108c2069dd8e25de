"""Works read from PDFs: what services say of them is what is written."""

from dataclasses import replace

import pytest

import crossref_server
from citelsp.base.settings import SERVICES, Service
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.investigate import complete_records
from citelsp.sources.ask_services import Sources
from function_network import Web, local, page, reply

GRAPHS = crossref_server.work(
    "10.1000/graphs", "Fast and Deep Graph Neural Networks", "Gallicchio", "Claudio", 2020,
    **{"container-title": ["Things"]},
)  # fmt: skip
CODE = crossref_server.work("10.1000/code", "Code for Everything", "Nobody", "N.", 2001)
READ = Record("corpus", "doi:10.1000/graphs", GRAPHS["title"][0])


@pytest.fixture
async def sources(tmp_path):
    """Crossref alone, which knows both works; nobody answers a search for the second by the first one's title."""

    def answer(request):
        for work in (GRAPHS, CODE):
            if request.url.path.endswith(work["DOI"]):
                return reply({"message": work})
        if "/crossref/works" in request.url.path:
            asked = str(request.url)
            found = [it for it in (GRAPHS, CODE) if it["DOI"] in asked or it["title"][0].split()[0] in asked]
            return reply({"message": {"items": found}})
        return page(status=404)

    services = {name: Service(enabled=name == "crossref") for name in SERVICES}
    services["crossref"] = Service(base_url="http://127.0.0.1/crossref")
    opened = Sources(local(services=services), directory=tmp_path, transport=Web(answer))
    yield opened
    await opened.aclose()


@pytest.mark.parametrize(
    "names", [Identifiers(doi="10.1000/graphs"), Identifiers()], ids=["by its DOI", "by its title"]
)
async def test_what_is_known_of_a_work_is_written(sources, names):
    [found] = await complete_records.complete_all([replace(READ, identifiers=names)], sources)
    assert (found.source, found.id) == (READ.source, READ.id)
    assert (str(found.authors[0]), found.year, found.venue) == ("Claudio Gallicchio", 2020, "Things")
    assert found.identifiers.doi == "10.1000/graphs"


async def test_an_identifier_of_another_work_is_left_out(sources):
    read = replace(READ, identifiers=Identifiers(doi="10.1000/code"))
    [found] = await complete_records.complete_all([read], sources)
    assert (found.title, found.identifiers.doi) == (GRAPHS["title"][0], "10.1000/graphs")
    [unknown] = await complete_records.complete_all([replace(read, title="Zebras of Kenya")], sources)
    assert (unknown.title, unknown.identifiers.doi, unknown.authors) == ("Zebras of Kenya", "", ())


async def test_a_title_that_was_misread_is_mended_where_the_people_agree(sources):
    read = replace(READ, title="Things Journal Fast", identifiers=Identifiers(doi="10.1000/graphs"))
    [found] = await complete_records.complete_all([replace(read, authors=(Name("Gallicchio", "Claudio"),))], sources)
    assert found.title == GRAPHS["title"][0]


async def test_what_is_whole_or_unknown_stays_and_nothing_else_is_asked(sources):
    whole = replace(READ, authors=(Name("Gallicchio", "C."),), years=(2020,), venue="AAAI")
    unknown, entry = replace(READ, title="Zebras of Kenya"), replace(READ, source="library")
    assert await complete_records.complete_all([whole, unknown, entry], sources) == [whole, unknown, entry]
    assert not any("Graph" in str(it.url) for it in sources.client.transport.requests)
