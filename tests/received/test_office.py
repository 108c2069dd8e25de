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


def test_a_field_within_the_code_of_another(tmp_path):
    """Word writes cross-references and dates into the code of other fields."""
    begin, end = '<w:fldChar w:fldCharType="begin"/>', '<w:fldChar w:fldCharType="end"/>'
    inner = f"{begin}<w:instrText> DATE </w:instrText>{end}"
    code = json.dumps(CITED).replace("&", "&amp;")
    outer = f"{begin}{inner}<w:instrText>ADDIN CSL_CITATION {code}</w:instrText>{end}"
    later = field("ADDIN CSL_CITATION " + json.dumps({"citationItems": [{"itemData": {"title": "Notes"}}]}))
    assert items(word(tmp_path / "a.docx", f"<w:p>{outer}</w:p>{later}")) == [
        {**WORK, "id": "1"},
        {"id": "2", "title": "Notes"},
    ]


def test_a_field_in_one_attribute_and_one_in_coded_data(tmp_path):
    code = json.dumps(CITED).replace("&", "&amp;").replace('"', "&quot;")
    simple = f'<w:fldSimple w:instr="ADDIN CSL_CITATION {code}"/>'
    other = json.dumps({"citationItems": [{"itemData": {"title": "Notes"}}]})
    data = f"<w:fldData>{base64.b64encode(other.encode()).decode().rstrip('=')}</w:fldData>"
    assert items(word(tmp_path / "a.docx", simple + data)) == [{**WORK, "id": "1"}, {"id": "2", "title": "Notes"}]


def test_a_control_of_another_program_is_no_citation(tmp_path):
    tag = base64.b64encode(json.dumps(CITED).encode()).decode()
    body = f'<w:sdt><w:tag w:val="{tag}"/></w:sdt><w:p><w:t>References</w:t></w:p>'
    assert office.read_text(word(tmp_path / "a.docx", body)) == "References"


def test_letters_of_every_language_stay_as_they_are(tmp_path):
    work = {"title": "Über die Würde", "author": [{"family": "Łukasz"}]}
    text = office.read_text(
        word(tmp_path / "a.docx", field("CSL_CITATION " + json.dumps({"citationItems": [{"itemData": work}]})))
    )
    assert "Über die Würde" in text
    assert "Łukasz" in text


def test_citations_of_footnotes_are_read_behind_those_of_the_text(tmp_path):
    notes = json.dumps({"citationItems": [{"itemData": {"title": "Notes"}}]})
    parts = {
        name: f'<w:x xmlns:w="w">{field("CSL_CITATION " + cited)}</w:x>'
        for name, cited in (("word_footnotes-xml", notes), ("word_document-xml", json.dumps(CITED)))
    }
    assert [it["title"] for it in items(written(tmp_path / "a.docx", **parts))] == [WORK["title"], "Notes"]


def test_tabs_and_breaks_part_words(tmp_path):
    body = "<w:p><w:t>A. Byron.</w:t><w:tab/><w:t>Notes.</w:t><w:br/><w:t>1843.</w:t></w:p>"
    assert office.read_text(word(tmp_path / "a.docx", body)) == "A. Byron. Notes. 1843."


def test_paragraphs_of_opendocument(tmp_path):
    body = "<text:h>References</text:h><text:p>A. Byron.<text:s/><text:span>Notes.</text:span> 1843.</text:p>"
    path = written(tmp_path / "a.odt", **{"content-xml": f'<d xmlns:text="t">{body}</d>'})
    assert office.read_text(path) == "References\n\nA. Byron. Notes. 1843."


@pytest.mark.parametrize(("depth", "is_read"), [(200, True), (201, False)])
def test_elements_in_each_other(tmp_path, depth, is_read):
    path = written(tmp_path / "a.docx", **{"word_document-xml": "<d>" * depth + "</d>" * depth})
    if is_read:
        assert office.read_text(path) == ""
    else:
        with pytest.raises(OfficeError, match=r"^has more elements in each other than any document$"):
            office.read_text(path)


HOSTILE = {
    "entities": '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><d>&b;</d>',
    "outside": '<!DOCTYPE d SYSTEM "file:///etc/passwd"><d/>',
    "broken": "<d><e></d>",
    "deep": "<d>" * 3000,
}


REFUSALS = {
    "entities": "declares a document type, which no word processor does",
    "outside": "declares a document type, which no word processor does",
    "broken": "holds broken XML",
    "deep": "has more elements in each other than any document",
}


@pytest.mark.parametrize(("why", "xml"), HOSTILE.items(), ids=HOSTILE)
def test_hostile_xml_is_refused(tmp_path, why, xml):
    with pytest.raises(OfficeError, match=f"^{REFUSALS[why]}$"):
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
