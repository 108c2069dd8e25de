import base64
import json
import zipfile

import pytest

from citelsp.received import office
from citelsp.received.office import OfficeError

WORK = {"id": 7, "type": "article-journal", "title": "Literate programming & more", "DOI": "10.1093/comjnl/27.2.97"}
CITED = {"citationItems": [{"id": 7, "itemData": WORK}]}


def written(path, **parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name.replace("_", "/").replace("-xml", ".xml"), text)
    return path


def word(path, body):
    text = f'<?xml version="1.0"?><w:document xmlns:w="w">{body}</w:document>'
    return written(path, **{"word_document-xml": text})


def field(code):
    """A field as Word writes it, its code in two runs."""
    escaped = code.replace("&", "&amp;").replace("<", "&lt;")
    halves = escaped[: len(escaped) // 2], escaped[len(escaped) // 2 :]
    runs = "".join(f"<w:r><w:instrText>{it}</w:instrText></w:r>" for it in halves)
    begin, end = '<w:fldChar w:fldCharType="begin"/>', '<w:fldChar w:fldCharType="end"/>'
    separate = '<w:fldChar w:fldCharType="separate"/>'
    return f"<w:p>{begin}{runs}{separate}<w:r><w:t>[1]</w:t></w:r>{end}</w:p>"


def items(path):
    return json.loads(office.read_text(path))


def test_fields_of_zotero_and_mendeley(tmp_path):
    zotero = field(f"ADDIN ZOTERO_ITEM CSL_CITATION {json.dumps(CITED)}")
    mendeley = field(f"ADDIN CSL_CITATION {json.dumps(CITED)}")
    assert items(word(tmp_path / "a.docx", zotero + mendeley)) == [{**WORK, "id": "1"}]


def test_controls_of_mendeley(tmp_path):
    tag = base64.b64encode(json.dumps(CITED).encode()).decode()
    body = f'<w:sdt><w:sdtPr><w:tag w:val="MENDELEY_CITATION_v3_{tag}"/></w:sdtPr></w:sdt>'
    assert items(word(tmp_path / "a.docx", body)) == [{**WORK, "id": "1"}]


def test_fields_of_endnote(tmp_path):
    record = (
        "<record><rec-number>3</rec-number><ref-type>17</ref-type><titles><title>Literate</title></titles></record>"
    )
    path = word(tmp_path / "a.docx", field(f"ADDIN EN.CITE <EndNote><Cite>{record}</Cite></EndNote>"))
    assert office.read_text(path) == f"<xml><records>{record}</records></xml>"


def test_reference_marks_of_opendocument(tmp_path):
    name = json.dumps(CITED).replace("&", "&amp;").replace('"', "&quot;")
    mark = f'<text:reference-mark-start text:name="ZOTERO_ITEM CSL_CITATION {name} RNDabc"/>'
    path = written(tmp_path / "a.odt", **{"content-xml": f'<d xmlns:text="t"><text:p>{mark}</text:p></d>'})
    assert items(path) == [{**WORK, "id": "1"}]


def test_paragraphs_where_there_are_no_fields(tmp_path):
    body = "".join(f"<w:p><w:r><w:t>{it}</w:t></w:r></w:p>" for it in ("References", "", "A. Byron. Notes. 1843."))
    assert office.read_text(word(tmp_path / "a.docx", body)) == "References\n\nA. Byron. Notes. 1843."


HOSTILE = {
    "entities": '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><d>&b;</d>',
    "outside": '<!DOCTYPE d SYSTEM "file:///etc/passwd"><d/>',
    "broken": "<d><e></d>",
    "deep": "<d>" * 3000,
}


@pytest.mark.parametrize("xml", HOSTILE.values(), ids=HOSTILE)
def test_hostile_xml_is_refused(tmp_path, xml):
    with pytest.raises(OfficeError):
        office.read_text(written(tmp_path / "a.docx", **{"word_document-xml": xml}))


def test_what_unpacks_without_end(tmp_path):
    with pytest.raises(OfficeError, match="unpacks to more than 40 MB"):
        office.read_text(word(tmp_path / "a.docx", " " * (41 << 20)))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 broken", b"no archive"])
def test_what_is_no_document(tmp_path, data):
    path = tmp_path / "a.docx"
    path.write_bytes(data)
    with pytest.raises(OfficeError):
        office.read_text(path)


def test_a_list_of_parts_without_end_is_refused_unread(tmp_path):
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
        for number in range(40_000):
            archive.writestr(f"word/media/picture-with-a-long-name-{number}.png", b"")
    with pytest.raises(OfficeError, match="more parts"):
        office.read_text(path)


def test_a_part_that_is_packed_wrongly(tmp_path):
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", "<w:document/>" * 9)
    start = 30 + len("word/document.xml")
    bent = bytearray(path.read_bytes())
    bent[start : start + 4] = b"\xff" * 4
    path.write_bytes(bent)
    with pytest.raises(OfficeError, match="broken"):
        office.read_text(path)
