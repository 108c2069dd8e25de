"""Entries without a title, as physicists, astronomers and chemists print references: their place in print names them.

At one page of one volume of a journal begins one work.  A record is believed to be that work if journal, volume, first
page and first author agree; a record of somebody else proves nothing, as it is by the place alone that it was found.
"""

import re
from typing import NamedTuple

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison.all_fields import Comparison
from citelsp.bibliography.tolerant_comparison.pages import begin_together
from citelsp.bibliography.tolerant_comparison.same_person import same_person
from citelsp.bibliography.tolerant_comparison.venue import find_venue_name
from citelsp.verification.publications import FRIENDLY
from citelsp.verification.question import Question


class _Place(NamedTuple):
    """What names a work in print; "" for what the entry does not say."""

    journal: str
    volume: str
    first_page: str

    @property
    def is_whole(self) -> bool:
        return all(self)


def has_no_title(entry: Entry) -> bool:
    """Without a title nothing can be searched for but what stands at a place in print."""
    return not words(entry.title)


def cites_a_place(entry: Entry) -> bool:
    """Whether the entry says all by which a work is found without its title."""
    return bool(entry.authors and entry.year) and _place_of(entry).is_whole


def search_at_place(service: str, entry: Entry) -> Question:
    """Return the search at a service for the work that stands at the entry's place in print."""
    journal, volume, first_page = _place_of(entry)
    value = venues.written_out(journal) or journal
    return Question(service, "place", value, entry.authors[:1], entry.year, place=(volume, first_page))


def _place_of(entry: Entry) -> _Place:
    first_page = re.split(r"\s*[-–—]", entry.text("pages"), maxsplit=1)[0].strip()
    return _Place(find_venue_name(entry), entry.text("volume"), first_page)


def stands_at_its_place(entry: Entry, record: Record, comparison: Comparison) -> bool:
    """Whether journal, volume, first page and first author's family name are the record's."""
    if any(comparison.outcome(it) not in FRIENDLY for it in ("venue", "volume")):
        return False
    return begin_together(entry.text("pages"), record.pages) and _has_first_author(entry, record)


def fits_its_identifier(entry: Entry, record: Record, comparison: Comparison) -> bool:
    """Whether the identifier leads to the first author's work: year or place agrees, and neither differs."""
    outcomes = [comparison.outcome(it) for it in ("year", "venue", "volume", "pages")]
    if "different" in outcomes or not any(it in FRIENDLY for it in outcomes):
        return False
    return _has_first_author(entry, record)


def _has_first_author(entry: Entry, record: Record) -> bool:
    return bool(entry.authors and record.authors) and same_person(entry.authors[0], record.authors[0])
