"""An entry of one bibliography, to be written into another."""

import pytest

from citelsp.base.text import Document
from citelsp.bibliography import datamodel
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.entry_record import from_entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.syntax.bibtex import parsing


def record(fields, kind="article"):
    syntax = parsing.parse(Document("r.bib", f"@{kind}{{k, {fields}}}\n", "bibtex"))
    return from_entry(Entry(syntax.entries.node(0), syntax.strings))


def test_all_that_an_entry_says_of_its_work():
    found = record(
        "title = {On Bees}, author = {Doe, Jane and others}, journal = {Apidologie}, year = 2019, volume = 7,"
        " number = 2, pages = {12--34}, publisher = {North Press}, abstract = {They fly.}, doi = {10.1000/a},"
        " url = {https://a.org/b}"
    )
    assert (found.source, found.id, found.title, found.type) == ("library", "k", "On Bees", "article-journal")
    assert (found.authors, found.authors_complete) == ((Name("Doe", "Jane"),), False)
    assert (found.years, found.date, found.venue) == ((2019,), "2019", "Apidologie")
    assert (found.volume, found.issue, found.pages, found.publisher) == ("7", "2", "12-34", "North Press")
    assert (found.abstract, found.url) == ("They fly.", "https://a.org/b")
    assert found.identifiers == Identifiers(doi="10.1000/a", url="https://a.org/b")


@pytest.mark.parametrize(
    ("kind", "fields", "type_", "venue"),
    [
        ("inproceedings", "booktitle = {ICML}, publisher = {P}", "paper-conference", "ICML"),
        ("phdthesis", "school = {MIT}", "thesis", "MIT"),
        ("techreport", "institution = {MIT}", "report", "MIT"),
        ("misc", "howpublished = {In a box}", "", "In a box"),
        ("online", "journaltitle = {J}, booktitle = {B}", "webpage", "J"),
    ],
)
def test_what_it_is_and_where_it_appeared(kind, fields, type_, venue):
    found = record(fields, kind)
    assert (found.type, found.venue, found.years, found.date) == (type_, venue, (), "")


@pytest.mark.parametrize(
    ("pages", "written"), [("12 -- 34", "12-34"), ("12–34", "12-34"), ("12---34", "12-34"), ("e12", "e12")]
)
def test_pages_have_one_dash(pages, written):
    assert record(f"pages = {{{pages}}}").pages == written


def test_another_name_of_an_issue():
    assert record("issue = {Spring}").issue == "Spring"


def test_bibtex_reads_no_field_by_the_name_that_biblatex_has_for_it():
    journal, year = datamodel.required_fields("article", "bibtex")[2:]
    assert (datamodel.read_by_bibtex(journal), datamodel.read_by_bibtex(year)) == (("journal",), ("year",))
    people = datamodel.required_fields("book", "bibtex")[0]
    assert datamodel.read_by_bibtex(people) == people == ("author", "editor")
