"""Rules that see several compared fields together, and take back what one of them alone seems to say."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from citelsp.bibliography import record_quality, venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import venue_names
from citelsp.bibliography.tolerant_comparison.outcome import FieldName, Outcome
from citelsp.bibliography.tolerant_comparison.venue import find_venue_name

# Crossref began in 2000; what is older was registered later, mostly from digital copies.
_SINCE_DOIS = 2000  # from when on works are registered in the year in which they come out


@dataclass(frozen=True, slots=True)
class Draft:
    """Fields compared one by one, before it is asked what they say together."""

    entry: Entry
    record: Record
    place: str  # what the entry calls the venue
    outcomes: dict[FieldName, Outcome]

    def are(self, outcome: Outcome, *names: FieldName) -> bool:
        return all(self.outcomes[name] == outcome for name in names)


Changes = Mapping[FieldName, Outcome]
Override = Callable[[Draft], Changes]


def apply_rules(overrides: Sequence[Override], draft: Draft, rules: dict[FieldName, str]) -> None:
    """Change in the draft what each of these rules changes, and note in `rules` which one it was."""
    for rule in overrides:
        for name, outcome in rule(draft).items():
            if draft.outcomes[name] != outcome:
                draft.outcomes[name] = outcome
                rules[name] = rule.__name__


def is_named_as_a_book(draft: Draft) -> Changes:
    """Proceedings that came out as a book may have a title of their own.  ESOP: `Programming Languages and Systems`."""
    is_so = draft.are("different", "venue") and _is_named_as_book(draft.entry, draft.record)
    return {"venue": "unknown"} if is_so else {}


def is_a_book_in_a_series(draft: Draft) -> Changes:
    """A part of a book, as the ISBN in its DOI shows, which one calls by its title and the other by its series."""
    is_so = draft.are("different", "venue") and _is_book_in_series(draft.entry, draft.record)
    return {"venue": "unknown"} if is_so else {}


def is_no_name_of_a_venue(draft: Draft) -> Changes:
    """An address, a publisher or half a name is no venue, but what an index made of one."""
    is_so = draft.are("different", "venue") and not record_quality.is_name_of_a_venue(draft.record.venue)
    return {"venue": "unknown"} if is_so else {}


def is_a_translated_journal(draft: Draft) -> Changes:
    """A journal that is translated counts its volumes and pages anew, and translates its titles."""
    is_so = draft.are("unknown", "venue") and venue_names.are_original_and_translation(draft.place, draft.record.venue)
    if not is_so:
        return {}
    counted: tuple[FieldName, ...] = ("title", "volume", "number", "pages")
    return {name: "unknown" for name in counted if draft.are("different", name)}


def is_a_digital_copy(draft: Draft) -> Changes:
    """The same volume or pages are the same print: the record's year is that of its scan."""
    is_same_print = draft.are("same", "volume") or draft.are("same", "pages")
    is_so = draft.are("different", "year") and is_same_print and _may_be_dated_by_copy(draft.entry, draft.record)
    return {"year": "looser"} if is_so else {}


def counts_volumes_by_series(draft: Draft) -> Changes:
    """Journals before 2000 count by series and from the first volume on: the same pages of a year are one print."""
    is_same_print = draft.are("same", "venue", "year") and draft.outcomes["pages"] in ("same", "looser")
    is_so = draft.are("different", "volume") and is_same_print and _is_old(draft.entry)
    return {"volume": "looser", "number": "unknown"} if is_so else {}


def is_registered_under_a_successor(draft: Draft) -> Changes:
    """Journals before 2000 are registered under the names of their successors: the same place is one journal."""
    is_same_print = draft.are("same", "volume", "pages") and draft.outcomes["year"] in ("same", "looser")
    is_so = draft.are("different", "venue") and is_same_print and _is_old(draft.entry)
    return {"venue": "unknown"} if is_so else {}


def is_a_volume_of_a_series(draft: Draft) -> Changes:
    """A volume of proceedings has a title of its own beside its series: the same pages of that volume are one print."""
    is_part = draft.record.type in ("paper-conference", "chapter")
    is_same_print = draft.are("same", "volume") and draft.outcomes["pages"] in ("same", "looser")
    is_so = draft.are("different", "venue") and is_same_print and is_part and _may_be_a_title(draft.place)
    return {"venue": "unknown"} if is_so else {}


VENUE_RULES: tuple[Override, ...] = (is_named_as_a_book, is_a_book_in_a_series, is_no_name_of_a_venue)
PLACE_RULES: tuple[Override, ...] = (
    is_a_translated_journal,
    is_a_digital_copy,
    counts_volumes_by_series,
    is_registered_under_a_successor,
    is_a_volume_of_a_series,
)


def _is_named_as_book(entry: Entry, record: Record) -> bool:
    """True for a conference paper whose proceedings one side calls by a title of their own, as if they were a book.

    `Programming Languages and Systems` for ESOP.  Such a title in the entry counts only if an ISBN in the DOI shows
    that the proceedings came out as a book.
    """
    is_gathering = venues.form(find_venue_name(entry)) in ("conference", "workshop")
    is_paper = entry.kind in ("inproceedings", "conference") or is_gathering
    if record.type not in ("paper-conference", "chapter") or not is_paper:
        return False
    is_in_book = "/978" in record.identifiers.doi
    return _may_be_a_title(record.venue) or (is_in_book and _may_be_a_title(entry.text("booktitle")))


def _may_be_a_title(venue: str) -> bool:
    """True if a venue's name says neither that it is a conference or a journal, nor which series it belongs to."""
    return bool(venue) and not (venues.form(venue) or venues.identify(venue).series)


def _is_book_in_series(entry: Entry, record: Record) -> bool:
    """True for a part of a book, as the ISBN in its DOI shows, which one side takes for an article of its series."""
    if "/978" not in record.identifiers.doi:
        return False
    if entry.kind == "article":
        return record.type in ("chapter", "book")
    return entry.kind in ("incollection", "inbook", "misc") and record.type == "article-journal"


def _is_old(entry: Entry) -> bool:
    """True for what was printed before there were DOIs, and registered by whoever holds it now."""
    return entry.year is not None and entry.year < _SINCE_DOIS


def _may_be_dated_by_copy(entry: Entry, record: Record) -> bool:
    """True if the record may have the year of a digital copy alone, as some publishers register old works."""
    return _is_old(entry) and min(record.years) >= _SINCE_DOIS
