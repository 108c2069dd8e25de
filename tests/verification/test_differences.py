"""On which fields an entry is wrong, by who says so."""

from dataclasses import replace
from datetime import date

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.verification.decide import verdict
from written_references import ALL, PAPER, answers, by, cited, found


def differing(entry, *said):
    return [(it.field, it.recorded) for it in verdict(entry, answers(entry, *said), ALL).differences]


def test_a_title_that_one_source_has_is_right_whatever_others_call_it():
    longer = cited(title=f"{PAPER.title}: A Study of Depth")
    reworded = replace(PAPER, title="Deep Residual Training for Image Recognition")
    assert differing(longer, reworded, by("openalex")) == []
    assert differing(longer, reworded, by("openalex", reworded))[0] == ("title", reworded.title)


@pytest.mark.parametrize(
    ("pages", "volume", "field"),
    [(None, None, []), ("770--778", None, ["year"]), (None, "3", ["year"]), ("1--2", None, [])],
)
def test_old_works_are_dated_by_who_has_the_very_place_in_print(pages, volume, field):
    entry = cited(year="1979", pages=pages, volume=volume)
    old = replace(
        PAPER, years=(1970,), identifiers=Identifiers(), volume=volume or "", pages=PAPER.pages if pages else ""
    )
    assert [it[0] for it in differing(entry, old, by("openalex", old)) if it[0] == "year"] == field
    new = replace(old, years=(1988,))
    assert [it[0] for it in differing(cited(year="1981", pages=None), new, by("openalex", new))] == ["year"]


def test_pages_in_a_wrong_venue_are_wrong_by_the_word_of_those_who_tell_them():
    entry = cited(booktitle="ICML", pages="12--19")
    said = [by("openalex", pages=""), by("dblp")]
    assert differing(entry, *said) == [("venue", PAPER.venue), ("pages", PAPER.pages)]
    assert differing(entry, *said, by("semantic_scholar", pages="12-19"))[1:] == []


@pytest.mark.parametrize(
    ("there", "fields"),
    [({}, []), ({"pages": "226--240"}, ["year"]), ({"volume": "14"}, ["year"])],
)
def test_an_article_is_dated_by_its_conference_unless_its_place_is_known(there, fields):
    """Aggregators add the journal to what they have from the conference, with the year of that."""
    entry = cited("article", booktitle=None, journal="Journal of Vision", **{"pages": None} | there)
    early = replace(PAPER, years=(2013,), venue="Journal of Vision", type="article-journal", identifiers=Identifiers())
    early = replace(early, volume="14", pages="226-240")
    assert [it[0] for it in differing(entry, by("openalex", early), by("semantic_scholar", early))] == fields


@pytest.mark.parametrize(("year", "is_wrong"), [("2016", False), ("2017", False), ("2018", True)])
def test_one_aggregator_has_the_year_of_the_preprint_for_the_publication(year, is_wrong):
    entry = cited(booktitle="ICLR", year=year, pages=None, doi="10.1000/iclr")
    known = replace(PAPER, years=(2015,), venue="ICLR", identifiers=Identifiers(doi="10.1000/iclr", arxiv="1512.03385"))
    said = [found(it, "doi", "10.1000/iclr", by(it, known)) for it in ("openalex", "semantic_scholar")]
    assert bool(differing(entry, said[0])) is is_wrong
    assert bool(differing(entry, *said)) is (year != "2016")


def test_the_year_of_what_is_recorded_as_a_book_may_be_that_of_another_edition():
    entry, doi = cited("misc", booktitle=None, pages=None, year="2013", doi="10.1000/a"), "10.1000/a"
    book = replace(PAPER, type="book", venue="", pages="", identifiers=Identifiers(doi=doi))
    assert differing(entry, found("crossref", "doi", doi, book)) == []
    assert differing(entry, found("crossref", "doi", doi, replace(book, type="report"))) == [("year", "2016")]


def test_another_printing_speaks_of_the_title():
    title = "Deep Residual Training for Image Recognition"
    entry, journal = cited(title=title), replace(PAPER, venue="Journal of Vision", years=(2020,), pages="1-9")
    told = verdict(entry, answers(entry, PAPER, by("openalex", journal, type="article-journal")), ALL).differences
    assert [(it.field, it.sources) for it in told] == [("title", ("crossref", "openalex"))]


@pytest.mark.parametrize(
    ("kind", "year", "fields"),
    [("book", "2012", []), ("book", "2015", []), ("book", "2011", ["authors"]), ("inproceedings", "2012", ["authors"])],
)
def test_a_later_edition_of_a_book_may_be_by_more_people(kind, year, fields):
    """Leskovec joined Rajaraman and Ullman in 2014."""
    entry = cited(kind, booktitle=None, pages=None, year=year, publisher="IEEE")
    first = replace(PAPER, authors=PAPER.authors[1:], years=(2011,), venue="", pages="", identifiers=Identifiers())
    assert [
        it[0] for it in differing(entry, by("openalex", first), by("semantic_scholar", first)) if it[0] != "year"
    ] == fields


def test_a_year_that_is_not_yet():
    said = answers(entry := cited(year="2034"), by("openalex"))
    assert [it.field for it in verdict(entry, said, ALL, date(2026, 1, 1)).differences] == ["year"]
    assert [it.field for it in verdict(entry, said, ALL, date(2032, 1, 1)).differences] == ["year"]
    assert verdict(entry, said, ALL, date(2033, 1, 1)).differences == ()
