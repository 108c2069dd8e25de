"""EndNote's XML, read record by record."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp import syntax
from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry
from citelsp.features import popup_reference_line

XML = """<?xml version="1.0" encoding="UTF-8" ?>
<xml><records>
<record><rec-number>42</rec-number><ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal" size="100%">Watson, J. D.</style></author>
<author>Crick, F. H. C.</author></authors></contributors>
<titles><title><style>Structure of </style><style face="italic">Nucleic</style> Acids &amp; 5%</title>
<secondary-title>Nature</secondary-title></titles><isbn>0028-0836</isbn>
<pages>737-738</pages><volume>171</volume><number>4356</number><dates><year>1953</year></dates>
<electronic-resource-num>10.1038/171737a0</electronic-resource-num></record>
<record><rec-number>43</rec-number><ref-type name="Report">27</ref-type>
<contributors><authors><author>World Health and Aid,</author></authors></contributors>
<titles><title>Salt</title></titles></record>
<record><ref-type>6</ref-type><titles><title>Unclosed
</records></xml>
"""


def parsed(text):
    entries = syntax.parse(Document("library.xml", text, "endnote")).entries
    return [entries.node(at) for at in range(len(entries))] if entries else []


def test_records_are_entries():
    article, report, broken = parsed(XML)
    assert [(it.kind, it.key) for it in (article, report, broken)] == [
        ("article", "42"),
        ("report", "43"),
        ("book", ""),
    ]
    entry = Entry(article)
    assert entry.title == "Structure of Nucleic Acids & 5%" and entry.identifiers.doi == "10.1038/171737a0"
    assert popup_reference_line.line(entry) == ("J. D. Watson and F. H. C. Crick (1953). Nature, 171(4356), 737–738.")
    assert [str(it) for it in Entry(report).authors] == ["World Health and Aid"]
    spans = {it.name: it.value_span.within(article.source) for it in article.fields()}
    assert entry.text("issn") == "0028-0836"
    assert spans["year"] == "<year>1953</year>" and spans["journal"] == "<secondary-title>Nature</secondary-title>"
    assert all(it.name_span.within(article.source) in it.value_span.within(article.source) for it in article.fields())
    assert [it.name_span.within(article.source) for it in article.fields()][:3] == [
        "authors",
        "title",
        "secondary-title",
    ]
    assert not broken.fields()


@pytest.mark.parametrize(
    "text", ["", "<a/>", "<records", "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><xml><records><record/>"]
)
def test_another_xml_is_no_bibliography(text):
    assert parsed(text) == []


@pytest.mark.parametrize(
    "title",
    [
        "<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><title>&a;</title>",
        "<title>&a;</title>",
        "<title>" * 100_000,
        "<title>" * 50_000 + "</title>" * 50_000,
    ],
)
def test_a_hostile_record_has_no_fields_or_a_harmless_title(title):
    [node] = parsed(f"<xml><records><record><titles>{title}</titles></record></records></xml>")
    assert node.raw("title") == ""


@given(st.text(alphabet=st.sampled_from("<>/record xml&;-s!DOCTYPE[]\n"), max_size=200))
def test_no_text_is_too_strange(text):
    for node in parsed(f"<xml><records>{text}"):
        assert node.fields() is not None


def test_time_grows_with_length():
    for part in ("<record>", "<record", "<rec-number>", "</record>"):
        start = time.process_time()
        nodes = parsed("<xml><records>" + part * (2_000_000 // len(part)))
        assert time.process_time() - start < 3 and len(nodes) >= 0


@pytest.mark.parametrize(
    ("kind", "record", "values"),
    [
        ("17", "<titles><secondary-title>J</secondary-title></titles><isbn>1</isbn>", {"journal": "J", "issn": "1"}),
        ("5", "<titles><secondary-title>B</secondary-title></titles><isbn>9</isbn>", {"booktitle": "B", "isbn": "9"}),
        ("6", "<titles><secondary-title>no</secondary-title></titles>", {}),
        ("47", "<periodical><full-title>P</full-title></periodical>", {"booktitle": "P"}),
        ("99", "<dates><year>2020-05</year></dates><edition> 2 </edition>", {"year": "2020", "edition": "2"}),
        ("6", "<dates><year>c. 2020</year></dates><volume></volume>", {}),
        ("6", "<urls><related-urls><url>https://a.org/b_c</url><url>no</url></related-urls></urls>",
         {"url": "https://a.org/b_c"}),
        ("6", "<contributors><secondary-authors><author>A, B.</author><author>X and Y,</author></secondary-authors>"
         "</contributors>", {"editor": "A, B. and {X and Y}"}),
    ],
)  # fmt: skip
def test_values_by_kind(kind, record, values):
    [node] = parsed(f"<xml><records><record><ref-type>{kind}</ref-type>{record}</record></records></xml>")
    assert {it.name: node.raw(it.name) for it in node.fields()} == values


def test_records_and_their_places():
    text = "<xml><records>\n<record>\n<rec-number> 7 </rec-number></record > <record a='b'><record><rec-number>8"
    entries = syntax.parse(Document("library.xml", text, "endnote")).entries
    sources = [entries.node(at).source for at in range(3)]
    assert sources == ["<record>\n<rec-number> 7 </rec-number></record >", "<record a='b'>", "<record><rec-number>8"]
    assert all(text.startswith(it, entries.start(at)) for at, it in enumerate(sources))
    assert entries.node(0).key_span.within(sources[0]) == "7"
    broken = "<xml><records><record><volume>7</volume><pages>3"
    [node] = parsed(broken)
    assert not node.fields()
