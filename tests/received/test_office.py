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


def test_coded_data_is_read_across_its_lines(tmp_path):
    """Word breaks it after 76 characters, which end in the midst of words and letters."""
    record = f"<record><titles><title>{'Über Würde und Łuftschiffe ' * 9}</title></titles></record>"
    coded = base64.encodebytes(f"<EndNote><Cite>{record}</Cite></EndNote>".encode()).decode()
    assert coded.count("\n") > 3
    path = word(tmp_path / "a.docx", f'<w:p><w:fldData xml:space="preserve">{coded}</w:fldData></w:p>')
    assert office.read_text(path) == f"<xml><records>{record}</records></xml>"


@pytest.mark.parametrize("title", ["Notes", "Notes!", "Notes!!", "Notes!!!"])
@pytest.mark.parametrize("filled", [True, False], ids=["filled with =", "bare"])
def test_coded_data_may_lack_the_signs_that_fill_its_end(tmp_path, title, filled):
    coded = base64.b64encode(json.dumps({"citationItems": [{"itemData": {"title": title}}]}).encode()).decode()
    coded = coded if filled else coded.rstrip("=")
    data, tag = f"<w:fldData>{coded}</w:fldData>", f'<w:tag w:val="MENDELEY_CITATION_v3_{coded}"/>'
    for body in (data, tag):
        assert items(word(tmp_path / "a.docx", body)) == [{"id": "1", "title": title}]


def test_what_only_seems_to_be_coded_is_passed_over(tmp_path):
    coded = "<w:fldData>&#233;</w:fldData><w:fldData>a</w:fldData><w:fldData>/v///w==</w:fldData>"
    path = word(tmp_path / "a.docx", f"{coded}<w:p><w:t>A. Byron. Notes.</w:t></w:p>")
    assert office.read_text(path) == "A. Byron. Notes."


def cited(*works):
    return {"citationItems": [{"itemData": it} for it in works]}


def test_a_work_is_listed_once_however_often_and_by_whatever_number_it_is_cited(tmp_path):
    notes, engines = {"title": "Notes", "type": "book"}, {"title": "Engines"}
    turned = {"type": "book", "id": 12, "title": "Notes"}
    body = "".join(
        field(f"CSL_CITATION {json.dumps(it)}") for it in (cited(notes, engines), cited(turned), cited({"id": 3}))
    )
    assert items(word(tmp_path / "a.docx", body)) == [
        {"id": "1", "title": "Notes", "type": "book"},
        {"id": "2", "title": "Engines"},
    ]


@pytest.mark.parametrize("code", ["ADDIN ZOTERO_ITEM CSL_CITATION", "ADDIN ZOTERO_ITEM", "ADDIN CSL_CITATION"])
def test_the_marks_before_a_citation(tmp_path, code):
    path = word(tmp_path / "a.docx", field(f"{code} {json.dumps(cited({'title': 'Notes'}))} RNDxyz"))
    assert items(path) == [{"id": "1", "title": "Notes"}]


NO_CITATIONS = {
    "a table of contents": "TOC \\o",
    "no mark": f"ADDIN {json.dumps(CITED)}",
    "cut off": f"CSL_CITATION {json.dumps(CITED)[:-9]}",
    "no object": 'CSL_CITATION {"a": 1',
    "no items": "CSL_CITATION {}",
    "a number of items": 'CSL_CITATION {"citationItems": 3}',
    "items by name": 'CSL_CITATION {"citationItems": {"itemData": {"title": "Notes"}}}',
    "items that are none": 'CSL_CITATION {"citationItems": [1, {"itemData": 2}, {}]}',
    "brackets without end": "CSL_CITATION {" + '"a":[' * 3000,
}


@pytest.mark.parametrize("code", NO_CITATIONS.values(), ids=NO_CITATIONS)
def test_a_field_that_cites_nothing_hides_no_reference_list(tmp_path, code):
    path = word(tmp_path / "a.docx", field(code).replace("<w:t>[1]</w:t>", "<w:t>A. Byron. Notes.</w:t>"))
    assert office.read_text(path) == "A. Byron. Notes."


def test_a_citation_behind_one_that_is_broken_is_read(tmp_path):
    body = field('CSL_CITATION {"citationItems": [') + field(f"CSL_CITATION {json.dumps(cited({'title': 'Notes'}))}")
    assert items(word(tmp_path / "a.docx", body)) == [{"id": "1", "title": "Notes"}]


def test_a_line_break_in_an_abstract_does_not_end_a_citation(tmp_path):
    work = {"title": "Notes", "abstract": "First.\nSecond.\tThird."}
    code = json.dumps(cited(work)).replace("\\n", "\n").replace("\\t", "\t")
    assert "\n" in code, "as some versions of Mendeley write it"
    assert items(word(tmp_path / "a.docx", field(f"CSL_CITATION {code}"))) == [{"id": "1", **work}]


def test_each_record_of_endnote_is_listed_once(tmp_path):
    first, second = ("<record>\n<title>Notes</title></record>", "<record><title>Engines</title></record>")
    body = "".join(field(f"ADDIN EN.CITE <EndNote>{it}</EndNote>") for it in (first + second, second, first))
    assert office.read_text(word(tmp_path / "a.docx", body)) == f"<xml><records>{first}{second}</records></xml>"


def test_the_code_of_a_field_ends_where_its_result_begins(tmp_path):
    """What is between is shown by Word, and is text."""
    code = f"CSL_CITATION {json.dumps(CITED)}".replace("&", "&amp;")
    begin, separate, end = (f'<w:fldChar w:fldCharType="{it}"/>' for it in ("begin", "separate", "end"))
    inner = f"{begin}<w:instrText> HYPERLINK </w:instrText>{separate}{end}"
    path = word(tmp_path / "a.docx", f"<w:p>{begin}<w:instrText>{code}</w:instrText>{separate}{inner}{end}</w:p>")
    assert items(path) == [{**WORK, "id": "1"}]


def test_bookmarks_of_opendocument(tmp_path):
    name = json.dumps(CITED).replace("&", "&amp;").replace('"', "&quot;")
    body = f'<text:p><text:bookmark-start text:name="ZOTERO_ITEM {name} RNDabc"/></text:p>'
    path = written(tmp_path / "a.odt", **{"content-xml": f'<d xmlns:text="t">{body}</d>'})
    assert items(path) == [{**WORK, "id": "1"}]


@pytest.mark.parametrize("gap", ["<text:tab/>", "<text:s/>", "<text:line-break/>"])
def test_gaps_of_opendocument_part_words(tmp_path, gap):
    body = f"<text:p>A. Byron.{gap}<text:a>Notes.</text:a></text:p>"
    path = written(tmp_path / "a.odt", **{"content-xml": f'<d xmlns:text="t">{body}</d>'})
    assert office.read_text(path) == "A. Byron. Notes."


def test_what_an_author_deleted_is_not_read(tmp_path):
    body = "<w:p><w:rPr>bold</w:rPr><w:t>A. Byron. </w:t><w:delText>Gone.</w:delText><w:t>Notes.</w:t></w:p>"
    assert office.read_text(word(tmp_path / "a.docx", body)) == "A. Byron. Notes."


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
    "cut off": "<d><e></e>",
    "deep": "<d>" * 3000,
}


REFUSALS = {
    "entities": "declares a document type, which no word processor does",
    "outside": "declares a document type, which no word processor does",
    "broken": "holds broken XML",
    "cut off": "holds broken XML",
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
    with pytest.raises(OfficeError, match=r"^is a broken or protected document$"):
        office.read_text(path)


def test_a_zip_of_other_things_is_no_document(tmp_path):
    with pytest.raises(OfficeError, match=r"^holds no document of Word or OpenDocument$"):
        office.read_text(written(tmp_path / "a.docx", **{"xl_workbook-xml": "<x/>"}))


def test_what_is_not_there_or_is_a_folder_cannot_be_opened(tmp_path):
    for path in (tmp_path / "none.docx", tmp_path):
        with pytest.raises(OfficeError, match=r"^cannot be opened$"):
            office.read_text(path)


def test_a_document_larger_than_any_is_not_read(tmp_path):
    path = tmp_path / "a.docx"
    with path.open("wb") as file:
        file.truncate((100 << 20) + 1)  # which takes no room on most disks
    with pytest.raises(OfficeError, match=r"^has more than 100 MB$"):
        office.read_text(path)


def test_a_list_of_parts_without_end_is_refused_unread(tmp_path):
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
        for number in range(40_000):
            archive.writestr(f"word/media/picture-with-a-long-name-{number}.png", b"")
    with pytest.raises(OfficeError, match=r"^holds more parts than any document$"):
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
