"""PDFs read by a GROBID that the user runs."""

from xml.etree import ElementTree

import httpx
import pytest

import pdf_files
from citelsp.base.settings import Service
from citelsp.received import grobid, inputs
from citelsp.sources.http import Client
from citelsp.sources.limits import Limits
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
    # It would ask Crossref by itself.
    assert b'name="consolidateCitations"\r\n\r\n0' in request.content


async def test_it_is_asked_only_if_the_user_has_one(read):
    found, web = await read(answered(TEI), enabled=None)
    assert not web.requests and "Own reading" in next(iter(found.texts.values()))


@pytest.mark.parametrize(
    "answer",
    [
        answered("", 204),
        answered("busy", 503),
        answered("<html>no</html>", 404),
        answered("not XML"),
        answered('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    ],
)
async def test_what_it_does_not_read_citelsp_does(read, answer):
    found, _ = await read(answer)
    assert "Own reading" in next(iter(found.texts.values()))
    assert len(found.notes) == 1 and found.notes[0].startswith("GROBID did not read it: ")


async def test_where_it_finds_no_reference_citelsp_looks_itself(read):
    found, _ = await read(answered("<TEI/>"))
    assert "Own reading" in next(iter(found.texts.values())) and not found.notes


def test_references_without_ids_have_numbers_of_their_own_and_are_not_cited():
    text = TEI.replace(' xml:id="b0"', "").replace(' xml:id="b1"', "").replace(' target="#b1"', "")
    paper = grobid.read_tei(ElementTree.fromstring(text.encode()))  # noqa: S314  our own text
    assert [it.label for it in paper.references] == ["1", "2"]
    assert paper.citations == ()
