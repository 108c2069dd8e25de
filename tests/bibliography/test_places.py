"""Where a work stands in print, as sources that count otherwise tell it."""

from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from written_references import PAPER, cited


def _article(**changes):
    return cited("article", **({"booktitle": None, "journal": "JHEP", "year": "2008", "pages": None} | changes))


@pytest.mark.parametrize(
    ("volume", "number", "recorded", "issue", "outcome"),
    [
        ("0804", None, "04", "", "looser"),
        ("04", None, "0804", "", "looser"),
        ("2008", "4", "0804", "", "looser"),
        ("0804", None, "2008", "4", "looser"),
        ("0804", None, "05", "", "different"),
        ("0704", None, "04", "", "different"),
    ],
)
def test_a_volume_may_be_the_month_of_a_year(volume, number, recorded, issue, outcome):
    record = replace(PAPER, volume=recorded, issue=issue, years=(2008,), type="article-journal")
    assert compare(_article(volume=volume, number=number), record).outcome("volume") == outcome


@pytest.mark.parametrize(("number", "outcome"), [("213", "unknown"), ("MAY 2014", "unknown"), ("3", "different")])
def test_a_number_beyond_the_weeks_of_a_year_is_that_of_an_article(number, outcome):
    record = replace(PAPER, volume="4", issue="1", type="article-journal")
    assert compare(_article(volume="4", number=number), record).outcome("number") == outcome
    assert compare(_article(volume="4", number="1"), replace(record, issue=number)).outcome("number") == outcome


def test_pages_on_record_may_have_been_counted_before_the_article_was_printed():
    record = replace(PAPER, volume="", pages="1-38", type="article-journal")
    assert compare(_article(volume="16", pages="667--718"), record).outcome("pages") == "looser"
    for printed in (replace(record, pages="2-38"), replace(record, volume="16")):
        assert compare(_article(volume="16", pages="667--718"), printed).outcome("pages") == "different"


def test_a_book_and_the_series_that_it_stands_in_are_one_place():
    book = replace(PAPER, venue="Perturbative QCD", type="chapter", identifiers=Identifiers(doi="10.1142/9789814503_1"))
    entry = cited("article", booktitle=None, journal="Advanced Series on High Energy Physics")
    assert compare(entry, book).outcome("venue") == "unknown"
    series = replace(book, venue="Advanced Series on High Energy Physics", type="article-journal")
    assert compare(cited("incollection", booktitle="Perturbative QCD"), series).outcome("venue") == "unknown"
    assert compare(entry, replace(book, identifiers=PAPER.identifiers)).outcome("venue") == "different"


@pytest.mark.parametrize(
    ("journal", "volume", "outcome"),
    [("Phys. Rev.", "D86", "same"), ("Phys. Rev.", "B86", "different"), ("Phys. Rev.", "86", "different")],
)
def test_the_letter_of_a_journals_section_may_stand_with_the_volume(journal, volume, outcome):
    section = replace(PAPER, venue="Physical Review D", volume="86", type="article-journal")
    entry = cited("article", booktitle=None, journal=journal, volume=volume)
    assert compare(entry, section).outcome("venue") == outcome
    other = cited("article", booktitle=None, journal="Physical Review D", volume="86")
    assert compare(other, replace(section, venue="Phys. Rev.", volume=volume)).outcome("venue") == outcome


def test_who_gives_one_number_may_give_that_of_the_issue():
    entry = cited("article", booktitle=None, journal="Journal of Open Source Software", volume="6", number="66")
    record = replace(PAPER, venue="Journal of Open Source Software", volume="66")
    assert compare(entry, record).outcome("volume") == "unknown"
    assert compare(entry, replace(record, issue="12")).outcome("volume") == "different"


@pytest.mark.parametrize(("issue", "outcome"), [("063", "looser"), ("", "looser"), ("5", "different")])
@pytest.mark.parametrize("month", ["04", "4", "12"])
def test_the_month_is_the_volume_where_the_year_is(month, issue, outcome):
    paper, entry = replace(PAPER, volume="2016", issue=issue), cited(kind="article", volume=month)
    assert compare(entry, paper).outcome("volume") == outcome
    other = cited(kind="article", volume="2016", number=issue or None)
    assert compare(other, replace(PAPER, volume=month)).outcome("volume") == outcome
    assert compare(cited(kind="article", volume="13"), paper).outcome("volume") == "different"


def test_the_year_of_the_preprint_that_the_entry_names():
    paper = replace(PAPER, years=(2019,))
    assert compare(cited(year="2015", eprint="1512.03385"), paper).outcome("year") == "same"
    assert compare(cited(year="2014", eprint="1512.03385"), paper).outcome("year") == "different"


def test_proceedings_that_came_out_as_a_book_have_a_title_of_their_own():
    book = replace(
        PAPER, venue="Programming Languages and Systems", identifiers=Identifiers(doi="10.1007/978-3-642-00590")
    )
    assert compare(cited(booktitle="European Symposium on Programming (ESOP)"), book).outcome("venue") == "unknown"
    article = cited("article", booktitle=None, journal="Proceedings of the Workshop on Vision Algorithms")
    assert compare(article, book).outcome("venue") == "unknown"
    assert compare(cited("article", booktitle=None, journal="Acta Informatica"), book).outcome("venue") != "unknown"
    named = replace(book, venue="European Symposium on Programming (ESOP)")
    assert compare(cited(booktitle="Programming Languages and Systems"), named).outcome("venue") == "unknown"
    elsewhere = replace(named, identifiers=Identifiers(doi="10.1145/1"))
    assert compare(cited(booktitle="Programming Languages and Systems"), elsewhere).outcome("venue") == "different"
    article = replace(book, type="article-journal")
    assert compare(cited(booktitle="Symposium on Human Memory"), article).outcome("venue") == "different"

    chapter = replace(book, type="chapter")
    assert compare(cited("conference", booktitle="Symposium on Programming"), chapter).outcome("venue") == "unknown"


def test_a_journal_and_its_translation_count_on_their_own():
    original = replace(PAPER, venue="Izv. Akad. Nauk SSSR Ser. Mat.", volume="53", issue="6", pages="1183-1205")
    place = {"booktitle": None, "volume": "35", "number": "3", "pages": "519--541"}
    found = compare(cited("article", journal="Mathematics of the USSR-Izvestiya", **place), original)
    assert {found.outcome(it) for it in ("venue", "volume", "number", "pages")} == {"unknown"}
    assert compare(cited("article", journal="Izv. Akad. Nauk SSSR", **place), original).outcome("volume") == "different"


def test_a_translated_journal_words_its_titles_anew():
    entry = cited("article", title="Functors and Reconstructions", journal="Izv. Akad. Nauk SSSR", booktitle=None)
    record = replace(PAPER, title="Functors and Mutations", venue="Mathematics of the USSR")
    assert compare(entry, record).outcome("title") == "unknown"
    assert compare(entry, replace(record, venue="Izvestiya Akademii Nauk SSSR")).outcome("title") == "different"
