"""References without a title: found by their place in print, and never accused for what was not printed."""

from urllib.parse import unquote

import httpx
import pytest

from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry, fingerprint
from citelsp.syntax import parse
from citelsp.verification.ask import verify
from function_network import page, reply
from written_references import read

NONE = httpx.Response(404, text="Resource not found.")
SERVICES = ("crossref", "semantic_scholar", "openalex", "dblp", "arxiv", "doi", "datacite")
# As Crossref has an article of the American Physical Society: a number, and no pages.
LETTER = {
    "DOI": "10.1103/physrevlett.95.110405",
    "type": "journal-article",
    "title": ["Entangled engines"],
    "author": [
        {"given": "Ada", "family": "Byron", "sequence": "first", "affiliation": []},
        {"given": "Donald E.", "family": "Knuth", "sequence": "additional", "affiliation": []},
    ],
    "container-title": ["Physical Review Letters"],
    "short-container-title": ["Phys. Rev. Lett."],
    "issued": {"date-parts": [[2005, 9, 9]]},
    "volume": "95",
    "issue": "11",
    "article-number": "110405",
    "publisher": "American Physical Society (APS)",
}
OTHERS = LETTER | {"author": [{"given": "Vera", "family": "Roe", "sequence": "first", "affiliation": []}]}
# As OpenAlex has it.
WORK = {
    "id": "https://openalex.org/W7",
    "doi": "https://doi.org/10.1103/physrevlett.95.110405",
    "title": "Entangled engines",
    "display_name": "Entangled engines",
    "publication_year": 2005,
    "type": "article",
    "authorships": [{"author": {"display_name": "Ada Byron"}}, {"author": {"display_name": "Donald E. Knuth"}}],
    "primary_location": {"source": {"display_name": "Physical Review Letters", "type": "journal"}},
    "biblio": {"volume": "95", "issue": "11", "first_page": "110405", "last_page": "110405"},
}
PRINTED = "A. Byron and D. E. Knuth, Phys. Rev. Lett. 95, 110405 (2005)"


def printed(text):
    """The reference of a list of one."""
    found = parse(
        Document("x.bbl", rf"\begin{{thebibliography}}{{1}} \bibitem{{a}} {text} \end{{thebibliography}}", "bbl")
    )
    return Entry(found.entries.node(0), found.strings)


def services(*items, status=200):
    """Crossref that answers every search with these works, and OpenAlex with its own."""

    def answer(request):
        path = unquote(request.url.path)
        if path == "/crossref/works":
            return (
                reply({"message": {"items": list(items), "total-results": len(items)}})
                if status == 200
                else page("", status)
            )
        if path.startswith("/crossref/works/") and items and path.endswith(items[0]["DOI"]):
            return reply({"message": items[0]})
        if path == "/openalex/works":
            return reply({"meta": {"count": 1}, "results": [WORK]})
        return NONE

    return answer


async def judged(entry, asked):
    found = {key: it async for key, it in verify([entry], asked, SERVICES)}
    return found[fingerprint(entry)]


async def test_a_work_is_found_by_its_place(sources):
    asked, web = sources(services(OTHERS | {"DOI": "10.1000/x", "volume": "96"}, LETTER))
    verdict = await judged(printed(PRINTED), asked)
    assert (verdict.kind, verdict.record.title) == ("verified", "Entangled engines")
    assert verdict.reason.startswith("no title is given; journal, volume, first page and first author")
    [request] = web.requests
    assert request.url.params["query.bibliographic"] == "Physical Review Letters 95 110405 Byron 2005"
    assert "from-pub-date:2004" in request.url.params["filter"]


async def test_an_entry_of_a_bibliography_without_a_title_is_found_too(sources):
    asked, _ = sources(services(LETTER))
    fields = "author = {Byron, A. and Knuth, D. E.}, journal = {\\prl}, volume = 95, pages = {110405}, year = 2005"
    assert (await judged(read(f"@article{{a, {fields}}}"), asked)).kind == "verified"


@pytest.mark.parametrize(
    "change",
    [
        {"author": OTHERS["author"]},
        {"volume": "94"},
        {"article-number": "110406"},
        {"container-title": ["Physical Review D"], "short-container-title": ["Phys. Rev. D"]},
        {"author": []},
    ],
)
async def test_what_is_not_the_very_place_by_the_same_proves_nothing(sources, change):
    asked, web = sources(services(LETTER | change))
    verdict = await judged(printed(PRINTED), asked)
    assert (verdict.kind, verdict.record) == ("unchecked", None)
    assert "found at its place" in verdict.reason
    assert len(web.requests) == 1


async def test_another_service_is_asked_if_the_first_does_not_answer(sources):
    asked, web = sources(services(status=503))
    assert (await judged(printed(PRINTED), asked)).kind == "verified"
    said = [it.url.params["filter"] for it in web.requests if it.url.path == "/openalex/works"]
    assert said == ["publication_year:2004-2006,biblio.volume:95,biblio.first_page:110405"]


# Who dropped a space before “and” has a title read in the middle of the people.
MISREAD = printed(
    r"A. Byron, D. E.and Knuth and V. Roe,"
    r" \bibinfo{journal}{Physical Review Letters} \bibinfo{volume}{95}, \bibinfo{pages}{110405} (2005)"
)


async def test_of_a_title_that_was_not_read_for_certain_the_place_is_asked_first(sources):
    assert "title" in MISREAD.unsure and MISREAD.title
    asked, web = sources(services(LETTER))
    verdict = await judged(MISREAD, asked)
    assert (verdict.kind, verdict.record.title) == ("verified", "Entangled engines")
    assert verdict.reason.startswith("no title was read for certain; journal, volume, first page and first author")
    [request] = web.requests
    assert request.url.params["query.bibliographic"] == "Physical Review Letters 95 110405 Byron 2005"


async def test_what_others_wrote_at_that_place_proves_nothing_of_a_misread_title(sources):
    crossref = services(OTHERS)
    asked, _ = sources(lambda it: NONE if it.url.path.startswith("/openalex") else crossref(it))
    verdict = await judged(MISREAD, asked)
    assert (verdict.kind, verdict.record) == ("unchecked", None)


async def test_an_identifier_is_asked_for_first(sources):
    asked, web = sources(services(LETTER))
    verdict = await judged(printed(PRINTED + " doi:10.1103/physrevlett.95.110405"), asked)
    assert (verdict.kind, web.paths()) == ("verified", ["/crossref/works/10.1103/physrevlett.95.110405"])
    assert "its identifier leads to a work by its first author" in verdict.reason


@pytest.mark.parametrize("change", [{"author": OTHERS["author"]}, {"volume": "94", "article-number": "7"}])
async def test_nobody_is_accused_of_an_identifier_by_a_reference_without_a_title(sources, change):
    asked, _ = sources(services(LETTER | change))
    assert (await judged(printed(PRINTED + " doi:10.1103/physrevlett.95.110405"), asked)).kind == "unchecked"


@pytest.mark.parametrize("text", ["A. Byron, Phys. Rev. Lett. 95 (2005)", "A. Byron, Phys. Rev. Lett. 95, 110405"])
async def test_nothing_is_asked_about_half_a_place(sources, text):
    asked, web = sources(services(LETTER))
    assert (await judged(printed(text), asked)).kind == "unchecked"
    assert not web.requests


async def test_people_who_differ_are_said_by_the_registry(sources):
    asked, _ = sources(services(LETTER))
    verdict = await judged(printed(PRINTED.replace("D. E. Knuth", "V. Roe")), asked)
    assert (verdict.kind, [it.field for it in verdict.differences]) == ("mismatch", ["authors"])


async def test_a_title_that_was_not_read_for_certain_accuses_no_identifier(sources):
    asked, _ = sources(services(LETTER))
    text = "Byron, A. and Knuth, D. E. (2005). On engines. A second sentence of it? Or a house"
    assert (await judged(printed(text + " doi:10.1103/physrevlett.95.110405"), asked)).kind == "unchecked"
