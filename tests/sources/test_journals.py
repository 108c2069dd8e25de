"""Registries asked whether they have a journal, and for an article within it."""

import pytest

from citelsp.bibliography.names import Name
from citelsp.bibliography.registered_journal import Journal
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.sources import crossref, openalex
from citelsp.sources.ask_services import Sources
from citelsp.sources.reference_query import ReferenceQuery
from function_network import QUICK, Web, local, page, reply


def by_year(*pairs):
    return {"dois-by-issued-year": [list(it) for it in pairs]}


CROSSREF = [
    {"title": "Energy", "ISSN": ["1111-1111"], "breakdowns": by_year((2021, 900))},
    {
        "title": "The Energy Policy",
        "ISSN": ["0301-4215", "1873-6777"],
        "breakdowns": {"dois-by-issued-year": [[2021, 812]]},
    },
]
OPENALEX = [
    {
        "id": "https://openalex.org/S1", "display_name": "Energy Policy", "type": "journal", "issn": ["0301-4215"],
        "abbreviated_title": "Energ. Pol.", "alternate_titles": [],
        "counts_by_year": [{"year": 2021, "works_count": 800}],
    },
    {"id": "https://openalex.org/S2", "display_name": "Energy Policy", "type": "repository"},
]  # fmt: skip


def opened(tmp_path, handler):
    web = Web(handler)
    found = Sources(local(), directory=tmp_path, transport=web)
    found.client.retry = QUICK
    return found, web


async def test_crossref_tells_how_many_works_of_each_year(tmp_path):
    asked, web = opened(tmp_path, lambda _: reply({"message": {"items": CROSSREF}}))
    found = await crossref.journals(asked.client, "Energy Policy")
    issns = ("0301-4215", "1873-6777")
    known = Journal("crossref", issns[0], "The Energy Policy", issns=issns, works=((2021, 812),))
    assert isinstance(found, Found)
    assert found.journals == (known,)
    assert (await crossref.journals(asked.client, "energy policy")).journals == (known,)  # from the cache
    assert len(web.requests) == 1
    await asked.aclose()


async def test_openalex_knows_abbreviations_and_no_repositories(tmp_path):
    asked, _ = opened(tmp_path, lambda _: reply({"results": OPENALEX, "meta": {"count": 2}}))
    found = await openalex.journals(asked.client, "Energ. Pol.")
    assert [(it.id, it.count(2021)) for it in found.journals] == [("S1", 800)]
    await asked.aclose()


async def test_no_journal_of_this_name_is_absent_and_a_failure_is_not(tmp_path):
    asked, _ = opened(tmp_path, lambda _: reply({"message": {"items": CROSSREF}}))
    assert isinstance(await crossref.journals(asked.client, "Journal of Imaginary Pastures"), Absent)
    await asked.aclose()
    failing, _ = opened(tmp_path / "other", lambda _: page(status=503))
    assert isinstance(await crossref.journals(failing.client, "Energy Policy"), Unavailable)
    await failing.aclose()


@pytest.mark.parametrize("registry", [crossref, openalex])
async def test_an_answer_of_another_form_is_no_word_on_journals(tmp_path, registry):
    asked, _ = opened(tmp_path, lambda _: reply({"status": "failed", "message": "maintenance"}))
    assert isinstance(await registry.journals(asked.client, "Energy Policy"), Unavailable)
    await asked.aclose()


async def test_an_article_is_looked_for_within_its_journal_about_its_year(tmp_path):
    empty = {"message": {"items": []}, "results": [], "meta": {"count": 0}}
    asked, web = opened(tmp_path, lambda _: reply(empty))
    people = (Name("Marsh", "A."),)
    within = ReferenceQuery(title="Ride Hailing", authors=people, year=2021, rows=20, within=("0301-4215",))
    await crossref.search(asked.client, within)
    filters = "issn:0301-4215,from-pub-date:2020,until-pub-date:2022"
    assert web.requests[-1].url.params["filter"] == filters
    await openalex.search(asked.client, ReferenceQuery(title="T", authors=people, year=2021, within=("S1",)))
    parts = web.requests[-1].url.params["filter"].split(",")
    assert parts == ["publication_year:2020-2022", "primary_location.source.id:S1", "raw_author_name.search:Marsh"]
    await asked.aclose()
