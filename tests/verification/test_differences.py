"""On which fields an entry is wrong, by who says so."""

from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.verification.decide import verdict
from written_references import ALL, PAPER, answers, by, cited


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


@pytest.mark.parametrize(
    ("kind", "year", "fields"),
    [("book", "2012", []), ("book", "2011", ["authors"]), ("inproceedings", "2012", ["authors"])],
)
def test_a_later_edition_of_a_book_may_be_by_more_people(kind, year, fields):
    """Leskovec joined Rajaraman and Ullman in 2014."""
    entry = cited(kind, booktitle=None, pages=None, year=year, publisher="IEEE")
    first = replace(PAPER, authors=PAPER.authors[1:], years=(2011,), venue="", pages="", identifiers=Identifiers())
    assert [
        it[0] for it in differing(entry, by("openalex", first), by("semantic_scholar", first)) if it[0] != "year"
    ] == fields
