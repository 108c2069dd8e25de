import shutil

import pytest

from lab import printed_styles
from lab.printed_references import entries, table

BIB = """@article{a, author = {Byron, Ada}, title = {Notes on the engine}, journal = {Memoirs}, volume = 31,
  year = 1843, pages = {1--9}}
@article{b, author = {Knuth, Donald}, title = {Literate programming}, journal = {Journal}, volume = 27, year = 1984}"""
STYLE = """<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
  <info><title>Notes</title><id>notes</id><updated>2020-01-01T00:00:00+00:00</updated></info>
  <citation><layout><text variable="citation-number"/></layout></citation>
  <bibliography><layout suffix=".">
    <text variable="citation-number" suffix=". "/>
    <names variable="author" suffix=" "><name name-as-sort-order="all" initialize-with=". "/></names>
    <date variable="issued" prefix="(" suffix="). "><date-part name="year"/></date>
    <text variable="title" suffix=". "/>
    <text variable="container-title" suffix=", "/><text variable="volume" suffix=", "/><text variable="page"/>
  </layout></bibliography>
</style>"""


@pytest.mark.skipif(shutil.which("pandoc") is None, reason="pandoc prints the references")
def test_a_bibliography_in_a_style(tmp_path):
    bib = tmp_path / "refs.bib"
    style = tmp_path / "notes.csl"
    bib.write_text(BIB, encoding="utf-8")
    style.write_text(STYLE, encoding="utf-8")
    reads = list(printed_styles.read_style(dict(entries(BIB, "bibtex")), bib, style))
    assert sorted({it.field for it in reads}) == ["first author", "title", "volume", "year"]
    assert [it.key for it in reads if it.field == "title" and it.is_right] == ["a", "b"]
    assert table(reads).splitlines()[0].split() == "title 2 100.0 % right, 0.0 % wrong and sure".split()
