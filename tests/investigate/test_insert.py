"""What texts and citekeys mean, before and after a service was asked."""

import httpx
import pytest

import zotero_server
from citelsp.base.settings import SERVICES, Service, Settings
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.investigate import guess, insert
from citelsp.knowledge import Candidate, Unavailable
from citelsp.sources import zotero as zotero_service
from citelsp.sources.ask_services import Sources
from function_network import Web, local, page, reply


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("https://doi.org/10.1145/12.3", "doi", "10.1145/12.3"),
        ("arXiv:1706.03762 [cs.CL]", "arxiv", "1706.03762"),
        ("ISBN 978-0-13-468599-1", "isbn", "9780134685991"),
        ("P19-1001", "acl", "P19-1001"),
        ("https://aclanthology.org/P19-1001/", "acl", "P19-1001"),
        ("12345678", "pmid", "12345678"),
        ("PMID: 1234567", "pmid", "1234567"),
        ("Attention is all you need", "doi", ""),
        ("On the reliability of 10.1145/12.3 in practice", "doi", ""),
    ],
)
def test_texts_that_are_identifiers(text, name, value):
    assert getattr(insert.read_identifiers(text), name) == value


@pytest.mark.parametrize(
    ("key", "names", "year", "title"),
    [
        ("vaswani2017attention", ("vaswani",), 2017, ("attention",)),
        ("Vaswani:2017", ("vaswani",), 2017, ()),
        ("DBLP:conf/nips/VaswaniSPUJGKP17", ("vaswani",), 2017, ()),
        ("smith-jones-2020-deep", ("smith", "jones"), 2020, ("deep",)),
        ("devlinEtAl2019BERT", ("devlin",), 2019, ("bert",)),
        ("knuth84", ("knuth",), 1984, ()),
        ("2017attention", ("attention",), 2017, ()),
        ("covid19vaccine2021", ("covid", "vaccine"), 2021, ()),
        ("", (), None, ()),
    ],
)
def test_keys_that_say_something(key, names, year, title):
    meant = guess.read(key)
    assert (meant.names, meant.year, meant.title) == (names, year, title)


def work(title, *families, year=2017, abstract=""):
    return Candidate(Record("crossref", title, title, tuple(map(Name, families)), years=(year,), abstract=abstract))


MEANT = work("Attention Is All You Need", "Vaswani", "Shazeer", abstract="A sequence model, the Transformer.")
OTHERS = [
    work("Attention in Early Childhood", "Vaswani", year=2003),
    work("Paying Attention", "Shazeer"),
    work("Attention as Resource", "Norman"),
]


def test_the_work_that_a_key_means_comes_first():
    meant = guess.read("vaswani2017attention", "We use a Transformer, a sequence model")
    order, certain = guess.rank(meant, [*OTHERS, MEANT])
    assert (order[0], certain) == (MEANT, True)


@pytest.mark.parametrize("key", ["vaswani2017", "shazeer2017attention", "vaswani2003attention", "attention"])
def test_a_key_that_says_little_makes_nothing_certain(key):
    assert not guess.rank(guess.read(key), [*OTHERS, MEANT])[1]


def test_a_search_uses_the_sentence_where_the_key_is_short():
    assert "transformer" in guess.read("vaswani17", "We use the Transformer model").wording
    assert guess.read("vaswani2017attention", "We use the Transformer model").strict == "attention vaswani"


async def test_a_key_of_the_author_s_own_zotero(tmp_path):
    items = [
        {"citekey": "lee2020troutand", "title": "Trout and Flies"},
        {"citekey": "lee2020trout", "title": "Trout", "author": [{"family": "Lee", "given": "Ann"}]},
    ]

    def answer(request):
        return reply({"result": items}) if request.url.path == "/zotero/better-bibtex/json-rpc" else page(status=404)

    sources = Sources(local(), directory=tmp_path, transport=Web(answer))
    found = await insert.find_by_key("lee2020trout", "Trout swim.", sources)
    assert found.certain
    assert (found.candidates[0].record.title, found.candidates[0].record.source) == ("Trout", "zotero")
    assert sources.client.transport.paths() == ["/zotero/better-bibtex/json-rpc"]
    assert not (await insert.find_by_key("lee2020", "Trout swim.", sources)).candidates
    await sources.aclose()


async def test_a_key_of_dblp_with_an_arxiv_id_is_that_preprint(tmp_path):
    entry = "<id>http://arxiv.org/abs/2010.11929v2</id><title>Trout</title><published>2020-10-22T00:00:00Z</published>"
    feed = (
        f'<feed xmlns="http://www.w3.org/2005/Atom"><entry>{entry}<author><name>Ann Lee</name></author></entry></feed>'
    )

    def answer(request):
        is_of_arxiv = request.url.path.startswith("/arxiv") and "2010.11929" in str(request.url)
        found = httpx.Response(200, content=feed, headers={"content-type": "application/atom+xml"})
        return found if is_of_arxiv else page(status=404)

    sources = Sources(local(), directory=tmp_path, transport=Web(answer))
    found = await insert.find_by_key("DBLP:journals/corr/abs-2010-11929", "Trout swim.", sources)
    assert (found.certain, [it.record.title for it in found.candidates]) == (True, ["Trout"])
    await sources.aclose()


@pytest.mark.parametrize("result", [{"no": "list"}, [{"title": {"no": "text"}}]])
async def test_an_answer_of_another_form_is_no_search(tmp_path, result):
    def answer(request):
        return reply({"result": result}) if request.url.path == "/zotero/better-bibtex/json-rpc" else page(status=404)

    sources = Sources(local(), directory=tmp_path, transport=Web(answer))
    assert isinstance(await zotero_service.search(sources.client, "trout"), Unavailable)
    await sources.aclose()


@pytest.fixture
def zotero():
    running = zotero_server.Zotero()
    yield running
    running.close()


async def found_in(zotero, tmp_path, key):
    others = {name: Service(enabled=False) for name in SERVICES}
    settings = Settings(services=others | {"zotero": Service(enabled=True, base_url=zotero.address)})
    sources = Sources(settings, directory=tmp_path)
    try:
        return await insert.find_by_key(key, "Trout swim.", sources)
    finally:
        await sources.aclose()


async def test_a_key_of_zotero_itself(zotero, tmp_path):
    zotero.items = [
        zotero_server.item("A", "Trout and Flies", "Lee", "Ann", 2020, citationKey="lee2020troutand"),
        zotero_server.item("B", "Trout", "Lee", "Ann", 2020, citationKey="lee2020trout"),
    ]
    zotero.groups = {7: [zotero_server.item("C", "Trout of the Group", "Lee", "Ann", 2020, citationKey="lee2020trout")]}
    found = await found_in(zotero, tmp_path, "lee2020trout")
    assert found.certain
    assert [it.record.title for it in found.candidates] == ["Trout"]  # the author's own before a group's


async def test_a_key_of_a_group_alone(zotero, tmp_path):
    zotero.groups = {7: [zotero_server.item("C", "Trout of the Group", "Lee", "Ann", 2020, citationKey="qqq1")], 8: []}
    found = await found_in(zotero, tmp_path, "qqq1")
    assert (found.certain, found.candidates[0].record.title) == (True, "Trout of the Group")


async def test_a_key_that_two_works_have_is_not_guessed(zotero, tmp_path):
    zotero.items = [zotero_server.item(it, f"Trout {it}", "Lee", "Ann", 2020, citationKey="qqq1") for it in "AB"]
    found = await found_in(zotero, tmp_path, "qqq1")
    assert (found.certain, [it.record.title for it in found.candidates]) == (False, ["Trout A", "Trout B"])


async def test_a_key_in_the_notes_of_zotero_7(zotero, tmp_path):
    zotero.items = [zotero_server.item("A", "Trout", "Lee", "Ann", 2020, extra="tex.x: 1\nCitation Key: qqq1")]
    assert (await found_in(zotero, tmp_path, "qqq1")).certain


async def test_a_key_that_no_item_has(zotero, tmp_path):
    zotero.items = [zotero_server.item("A", "Trout", "Lee", "Ann", 2020, citationKey="qqq12")]
    assert not (await found_in(zotero, tmp_path, "qqq1")).candidates


async def test_better_bibtex_is_asked_alone_as_it_works_without_the_api(zotero, tmp_path):
    zotero.keyed, zotero.open = [], False
    assert not (await found_in(zotero, tmp_path, "qqq1")).candidates
    assert zotero.asked == []
