"""PDFs read by a GROBID that the user runs."""

from email import message_from_bytes
from xml.etree import ElementTree

import httpx
import pytest

import pdf_files
from citelsp.base.settings import Service
from citelsp.bibliography.received import ReadCitation, ReadPaper, ReadReference
from citelsp.received import inputs
from citelsp.sources import grobid
from citelsp.sources.client import Client
from citelsp.sources.shared_pace import Limits
from function_network import QUICK, Web, local

HERE = "http://127.0.0.1/grobid"
TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Engines and Numbers</title></titleStmt>
<sourceDesc><biblStruct><analytic><author>
<persName><forename>Ada</forename> <surname>Byron</surname></persName></author>
</analytic><monogr><imprint><date type="published" when="2024-05-01"/></imprint></monogr></biblStruct></sourceDesc>
</fileDesc></teiHeader>
<text><body><p>As <ref type="bibr" target="#b1">[2]</ref> and <ref type="figure" target="#f">1</ref> show.</p></body>
<back><div><listBibl>
<biblStruct xml:id="b0"><monogr><title>X</title></monogr>
  <note type="raw_reference">D. Knuth, "Literate programming," The Computer
  Journal, 1984.</note></biblStruct>
<biblStruct xml:id="b1"><analytic><title>Notes</title><author><persName><surname>Byron</surname></persName></author>
</analytic></biblStruct></listBibl></div></back></text></TEI>"""


def answered(text, status=200):
    return httpx.Response(status, content=text, headers={"content-type": "application/xml"})


@pytest.fixture
def read(tmp_path):
    """read(answer) → what was read of paper.pdf, and the web that was asked."""
    lines = ["Words of prose."] * 9 + ["References", '[1] D. Knuth, "Own reading of it," Memoirs, 1984.']
    path = pdf_files.written(tmp_path / "paper.pdf", [pdf_files.stream(pdf_files.shown(lines))])

    async def run(answer, enabled=True):
        web = Web(lambda _: answer)
        settings = local(services={"grobid": Service(enabled=enabled, base_url=HERE)})
        client = Client(settings, Limits(tmp_path / "limits.sqlite"), web, QUICK)
        [found] = await inputs.collect_papers([str(path)], client)
        await client.aclose()
        return found, web

    return run


async def test_a_pdf_is_read_where_the_user_says(read, tmp_path):
    found, web = await read(answered(TEI))
    assert list(found.texts.values()) == [
        '[1] D. Knuth, "Literate programming," The Computer Journal, 1984.\n[2] Notes Byron'
    ]
    [request] = web.requests
    assert (request.method, str(request.url)) == ("POST", f"{HERE}/api/processFulltextDocument")
    assert (tmp_path / "paper.pdf").read_bytes() in request.content


def form_of(request):
    """Name of a part → its content type and its bytes, as a server that follows RFC 7578 reads them."""
    message = message_from_bytes(
        b"Content-Type: %s\r\n\r\n" % request.headers["content-type"].encode() + request.content
    )
    assert message.is_multipart() and not message.defects
    parts = message.get_payload()
    assert all(it.get_content_disposition() == "form-data" for it in parts)
    return {it.get_param("name", header="content-disposition"): it for it in parts}


async def test_it_gets_the_file_and_is_told_to_ask_nobody(read, tmp_path):
    [request] = (await read(answered(TEI)))[1].requests
    form = form_of(request)
    file = form.pop("input")
    assert (file.get_content_type(), file.get_filename()) == ("application/pdf", "paper.pdf")
    assert file.get_payload(decode=True) == (tmp_path / "paper.pdf").read_bytes()
    # It would ask Crossref by itself.
    assert {name: it.get_payload() for name, it in form.items()} == {
        "includeRawCitations": "1",
        "consolidateHeader": "0",
        "consolidateCitations": "0",
    }


async def test_it_is_asked_only_if_the_user_has_one(read):
    found, web = await read(answered(TEI), enabled=None)
    assert not web.requests and "Own reading" in next(iter(found.texts.values()))


FAILURES = {
    "nothing": (answered("", 204), ""),
    "busy": (answered("busy", 503), "503"),
    "another server": (answered("no such path", 404), "no GROBID is at this address"),
    "a page": (answered("<html>no</html>", 404), "404 page"),
    "no XML": (answered("not XML"), ""),
    "entities": (answered('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), ""),
}


@pytest.mark.parametrize(("answer", "why"), FAILURES.values(), ids=FAILURES)
async def test_what_it_does_not_read_citelsp_does(read, answer, why):
    found, _ = await read(answer)
    assert "Own reading" in next(iter(found.texts.values()))
    [note] = found.notes
    assert note.startswith("GROBID did not read it: ") and note.endswith("; citelsp did")
    assert why in note


async def test_what_is_no_pdf_or_no_file_it_never_sees(read, tmp_path):
    settings = local(services={"grobid": Service(enabled=True, base_url=HERE)})
    web = Web(lambda _: answered(TEI))
    client = Client(settings, Limits(tmp_path / "limits.sqlite"), web, QUICK)
    (tmp_path / "list.txt").write_text("A. Byron. Notes.")
    (tmp_path / "folder.pdf").mkdir()
    found = await inputs.collect_papers([str(tmp_path / it) for it in ("list.txt", "folder.pdf")], client)
    await client.aclose()
    assert not web.requests
    assert [bool(it.texts) for it in found] == [True, False]
    assert found[1].problem


async def test_where_it_finds_no_reference_citelsp_looks_itself(read):
    found, _ = await read(answered("<TEI/>"))
    assert "Own reading" in next(iter(found.texts.values())) and not found.notes


def read_tei(text):
    return grobid.read_tei(ElementTree.fromstring(text.encode()))  # noqa: S314  our own text


def test_what_is_read_of_a_paper():
    assert read_tei(TEI) == ReadPaper(
        title="Engines and Numbers",
        references=(
            ReadReference("1", 'D. Knuth, "Literate programming," The Computer Journal, 1984.'),
            ReadReference("2", "Notes Byron"),
        ),
        citations=(ReadCitation("2"),),
        authors=("Ada Byron",),
        year=2024,
    )


def test_the_people_and_the_year_of_a_reference_are_not_the_papers():
    cited = (
        '<analytic><author><persName>Donald Knuth</persName></author></analytic><monogr><imprint><date when="1984"/>'
    )
    text = TEI.replace('<biblStruct xml:id="b0"><monogr>', f'<biblStruct xml:id="b0">{cited}</imprint>')
    assert (read_tei(text).authors, read_tei(text).year) == (("Ada Byron",), 2024)


@pytest.mark.parametrize(
    ("date", "year"),
    {
        '<date type="published" when="2024"/>': 2024,
        '<date type="published">May</date>': None,
        '<date type="published" when="May"/>': None,
        '<date type="published"/><date when="1999-12"/>': 1999,
        "": None,
    }.items(),
)
def test_the_year_of_a_paper(date, year):
    assert read_tei(TEI.replace('<date type="published" when="2024-05-01"/>', date)).year == year


def test_of_a_paper_of_which_nothing_was_found_nothing_is_said():
    assert read_tei("<TEI/>") == ReadPaper()


def test_people_without_names_are_nobody():
    assert read_tei(TEI.replace("<forename>Ada</forename> <surname>Byron</surname>", "")).authors == ()


def test_a_citation_that_leads_to_no_reference_is_none():
    assert read_tei(TEI.replace('target="#b1"', 'target="#b7"')).citations == ()
    assert read_tei(TEI.replace(' target="#b1"', "")).citations == ()


def test_a_list_longer_than_any_paper_has_is_cut():
    listed = "<biblStruct><note type='raw_reference'>A. Byron. Notes.</note></biblStruct>" * 2001
    text = TEI.replace("<listBibl>", f"<listBibl>{listed}")
    assert len(read_tei(text).references) == 2000
    long = TEI.replace("D. Knuth,", "D. Knuth, " * 300)
    assert len(read_tei(long).references[0].text) == 1500


def test_references_without_ids_have_numbers_of_their_own_and_are_not_cited():
    text = TEI.replace(' xml:id="b0"', "").replace(' xml:id="b1"', "").replace(' target="#b1"', "")
    paper = read_tei(text)
    assert [it.label for it in paper.references] == ["1", "2"]
    assert paper.citations == ()
