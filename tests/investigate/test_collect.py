"""Works for the corpus from identifiers: what they are, what they cite, their texts; and nothing twice."""

from contextlib import closing

import httpx
import pytest

import pdf_files
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.investigate import collect, fulltexts
from citelsp.sources.ask_services import Sources
from citelsp.sources.fulltext import FullText
from function_network import QUICK, Web, local, page, reply

TROUT, SALMON = "10.1000/trout", "10.1000/salmon"
FEED = """<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2101.00001v2</id>
<title>On Trout</title><summary>Trout swim.</summary><published>2021-01-01T00:00:00Z</published>
<updated>2021-01-02T00:00:00Z</updated><author><name>Ann Lee</name></author></entry></feed>"""
PAGE = """<html><body><h1>On Trout</h1><h2>1 Introduction</h2><p>Trout swim in rivers and eat flies.</p>
<h2>References</h2><ul><li>B. Bear. Salmon in the wild. doi:10.1000/salmon</li><li>tiny</li></ul>
<h2>Appendix</h2><p>More of trout.</p></body></html>"""
JATS = b"""<article><body><sec><title>Methods</title><p>We caught trout.</p></sec></body><back><ref-list>
<ref><name>Bear</name> <article-title>Salmon in the wild</article-title>. <pub-id>10.1000/salmon</pub-id></ref>
</ref-list></back></article>"""


def world(request):
    """arXiv with a preprint and its page; Crossref with two articles, one citing the other; OpenAlex with nothing."""
    path = request.url.path
    if path == "/arxiv/api/query":
        return httpx.Response(200, content=FEED, headers={"content-type": "application/atom+xml"})
    if path == "/arxiv/html/2101.00001":
        return page(PAGE)
    if path.startswith("/crossref/works"):
        items = [article(TROUT, "Trout Again", SALMON), article(SALMON, "Salmon in the Wild")]
        named = [it for it in items if path.endswith(it["DOI"])]
        return reply({"message": named[0] if named else {"items": items}})
    if path.endswith("/paper/batch"):
        return reply([None])
    if path == "/openalex/works":
        return reply({"results": []})
    return page(status=404)


def article(doi, title, *cited):
    return {
        "DOI": doi, "title": [title], "type": "journal-article", "issued": {"date-parts": [[2020]]},
        "reference": [{"DOI": it} for it in cited],
    }  # fmt: skip


@pytest.fixture
async def shelf(tmp_path):
    """shelf(handler) → Sources, and the corpus, empty at first."""
    opened = []

    def start(handler):
        opened.append(Sources(local(), directory=tmp_path / "cache", transport=Web(handler)))
        opened[-1].client.retry = QUICK
        return opened[-1]

    with closing(Corpus(tmp_path / "corpus", create=True)) as corpus:
        yield start, corpus
    for it in opened:
        await it.aclose()


async def collected(names, sources, corpus):
    """(what was added, problems, what was unchanged)"""
    problems, known = [], []
    works = collect.find_works(names, sources, corpus, problems.append, known.append)
    added = corpus.add([it async for it in works])
    return added.new + added.changed, problems, known


async def test_a_preprint_comes_with_its_text_and_what_it_cites(shelf):
    start, corpus = shelf
    assert await collected(["arXiv:2101.00001", f"https://doi.org/{SALMON}"], start(world), corpus) == (2, [], [])
    [trout] = corpus.lookup(arxiv="2101.00001")
    [salmon] = corpus.lookup(doi=SALMON)
    assert (trout.record.abstract, trout.record.date) == ("Trout swim.", "2021-01-01")
    works = {it.title: it for it in corpus.works()}
    assert works["On Trout"].text.endswith("## Appendix\n\nMore of trout.")
    assert "Bear" not in works["On Trout"].text
    assert works["On Trout"].references == (salmon.record.id,)


@pytest.mark.parametrize(
    "heading",
    ["Bibliography", "Literature Cited", "5 References and Notes", "Notes and References:", "Literaturverzeichnis"],
)
def test_the_reference_list_of_a_page_is_no_text_whatever_it_is_called(heading):
    text, listed = fulltexts.read(FullText("html", PAGE.replace("References", heading).encode(), ""))
    assert "Bear" not in text and listed == ("B. Bear. Salmon in the wild. doi:10.1000/salmon",)


async def test_references_come_from_the_registry_too(shelf):
    start, corpus = shelf
    await collected([TROUT, SALMON], start(world), corpus)
    assert {it.title: it.references for it in corpus.works()} == {
        "Trout Again": (f"doi:{SALMON}",), "Salmon in the Wild": (),
    }  # fmt: skip


async def test_a_second_time_nobody_is_asked_and_nothing_is_written(shelf):
    start, corpus = shelf
    names = ["2101.00001", TROUT, SALMON]
    await collected(names, start(world), corpus)
    again = start(world)
    assert await collected(names, again, corpus) == (0, [], names)
    assert not again.client.transport.requests


async def test_what_is_not_found_is_said(shelf):
    start, corpus = shelf
    added, [problem], _ = await collected(["10.1000/none"], start(lambda _: page(status=503)), corpus)
    assert added == 0
    assert problem.startswith("10.1000/none: could not be looked up (")


async def test_a_text_that_cannot_be_had_is_asked_for_again(shelf):
    start, corpus = shelf

    def busy(request):
        return page(status=503) if "/html/" in request.url.path or "/pdf/" in request.url.path else world(request)

    added, [problem], _ = await collected(["2101.00001"], start(busy), corpus)
    assert (added, problem[:37]) == (1, "2101.00001: its text is not available")
    assert (await collected(["2101.00001"], start(world), corpus))[0] == 1
    assert next(corpus.works()).text


def write_pdf(path, title):
    lines = [title, *["Trout swim in rivers and eat flies, as anglers have known since the days of Walton."] * 4]
    return pdf_files.written(path, [pdf_files.stream(pdf_files.shown(lines))])


async def test_items_that_share_a_new_pdf_all_have_its_text(shelf, tmp_path):
    pytest.importorskip("pypdfium2")
    _, corpus = shelf
    file = write_pdf(tmp_path / "a.pdf", "On Trout")
    items = [collect.ZoteroItem(Work(title, title), file) for title in ("On Trout", "Of Trout")]
    problems = []
    new = list(collect.find_new_works(items, corpus, problems.append, problems.append))
    assert [(work.title, "eat flies" in work.text) for work in new] == [
        ("On Trout", False), ("Of Trout", False), ("On Trout", True), ("Of Trout", True),
    ]  # fmt: skip
    assert not problems


async def test_a_pdf_that_changes_before_it_is_read_is_a_problem(shelf, tmp_path):
    pytest.importorskip("pypdfium2")
    _, corpus = shelf
    file = write_pdf(tmp_path / "a.pdf", "On Trout")
    problems = []
    new = collect.find_new_works([collect.ZoteroItem(Work("1", "On Trout"), file)], corpus, problems.append, print)
    assert next(new).title == "On Trout"
    write_pdf(tmp_path / "a.pdf", "On Salmon")
    assert list(new) == []
    assert problems == ["A PDF in Zotero changed while it was read: add the library again."]


def test_reference_lists_of_several_kinds():
    assert fulltexts.read(FullText("jats", JATS, "")) == (
        "## Methods\n\nWe caught trout.",
        ("Bear “Salmon in the wild” . 10.1000/salmon",),
    )
    assert fulltexts.read(FullText("jats", b"<article><body>", "")) == ("", ())
    assert fulltexts.read(FullText("html", PAGE.encode(), ""))[1] == (
        "B. Bear. Salmon in the wild. doi:10.1000/salmon",
    )
    assert fulltexts.read(FullText("pdf", b"%PDF-1.4 broken", "")) == ("", ())
