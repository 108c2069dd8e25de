"""PDFs as a GROBID reads them that the user runs.  It is told to ask nobody, and sees nothing but the file."""

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from citelsp.bibliography.received import ReadCitation, ReadPaper, ReadReference
from citelsp.knowledge import Unavailable
from citelsp.sources.service_specs import Spec

if TYPE_CHECKING:
    from citelsp.sources.client import Client

SPEC = Spec("grobid", "http://127.0.0.1:8070", interval=0.0, concurrency=2, attempts=2, timeout=60)

NAME = "grobid"
_PATH = "/api/processFulltextDocument"
# Consolidation would send what was read to Crossref, whatever services the user has switched off.
_OPTIONS = {"includeRawCitations": "1", "consolidateHeader": "0", "consolidateCitations": "0"}
_BOUNDARY = "citelsp-2f1c7d94b6a84e0f"
_TEI = {"t": "http://www.tei-c.org/ns/1.0"}
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_MOST, _LONGEST = 2000, 1500  # references, characters of one


async def read_pdf(client: "Client", data: bytes) -> ReadPaper | Unavailable:
    """Have the user's GROBID read the paper in a PDF; Unavailable says why it did not."""
    from citelsp.sources.http_request import Ask
    from citelsp.sources.http_response import Missing

    kind = (("Content-Type", f"multipart/form-data; boundary={_BOUNDARY}"),)
    reply = await client.ask(Ask(NAME, _PATH, want="xml", body=_write_form(data), headers=kind))
    if isinstance(reply, Unavailable):
        return reply
    if isinstance(reply, Missing):
        return Unavailable(NAME, "no GROBID is at this address")
    return read_tei(reply.data)


def _write_form(data: bytes) -> bytes:
    """The file and the options as a browser's form sends them."""
    parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in _OPTIONS.items()]
    parts.append(b'name="input"; filename="paper.pdf"\r\nContent-Type: application/pdf\r\n\r\n' + data)
    start = f"--{_BOUNDARY}\r\nContent-Disposition: form-data; ".encode()
    return b"".join(start + it + b"\r\n" for it in parts) + f"--{_BOUNDARY}--\r\n".encode()


def read_tei(tei: ElementTree.Element) -> ReadPaper:
    """Read a paper from GROBID's XML (TEI); its references are labelled "1", "2", … as they stand in the list.

    Citations of references that the list does not have are left out, and references beyond _MOST with theirs.
    """
    listed = tei.findall(".//t:listBibl/t:biblStruct", _TEI)[:_MOST]
    references: list[ReadReference] = []
    labels: dict[str, str] = {}  # by the id that a citation points to
    for number, item in enumerate(listed, start=1):
        references.append(ReadReference(str(number), _reference_text(item)))
        if item.get(_ID):
            labels[item.get(_ID, "")] = str(number)
    cited = (it.get("target", "").removeprefix("#") for it in tei.findall(".//t:body//t:ref[@type='bibr']", _TEI))
    people = tei.findall(".//t:sourceDesc//t:analytic/t:author/t:persName", _TEI)
    date = tei.find(".//t:sourceDesc//t:imprint/t:date[@when]", _TEI)
    year = date.get("when", "")[:4] if date is not None else ""
    return ReadPaper(
        title=_text_of(tei.find(".//t:titleStmt/t:title", _TEI)),
        references=tuple(references),
        citations=tuple(ReadCitation(labels[it]) for it in cited if it in labels),
        authors=tuple(filter(None, map(_text_of, people))),
        year=int(year) if year.isdecimal() else None,
    )


def _reference_text(listed: ElementTree.Element) -> str:
    """A reference as it is printed; of a GROBID that does not say it, its parts in their order."""
    printed = listed.find("t:note[@type='raw_reference']", _TEI)
    return _text_of(printed if printed is not None else listed)[:_LONGEST]


def _text_of(element: ElementTree.Element | None) -> str:
    return " ".join(" ".join(element.itertext()).split()) if element is not None else ""
