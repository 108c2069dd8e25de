"""The venue of an entry compared with those that the record names."""

import re

from citelsp.bibliography import record_quality, venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import venue_names
from citelsp.bibliography.tolerant_comparison.outcome import Outcome

_VENUE_FIELDS = ("journal", "journaltitle", "booktitle")


def find_venue_name(entry: Entry) -> str:
    """Return what the entry calls the venue, "" if it names none; addresses and words in `howpublished` are none."""
    names = [entry.text(field) for field in _VENUE_FIELDS]
    published = entry.text("howpublished")
    is_venue = venues.form(published) or venues.identify(published).series
    if is_venue:
        names.append(published)
    return next((name for name in names if name and not record_quality.is_address(name)), "")


def compare_venues(cited: str, volume: str, record: Record) -> Outcome:
    """Compare venues; a section may be told with the volume: D86 of `Phys. Rev.` is 86 of `Phys. Rev. D`."""
    recorded = (record.venue, *record.venue_aliases, *_find_venues_in_doi(record.identifiers.doi))
    outcome = venue_names.compare(cited, recorded)
    if outcome != "different":
        return outcome
    cited_section = _add_section(cited, volume)
    recorded_section = _add_section(record.venue, record.volume)
    if not cited_section and not recorded_section:
        return outcome
    return venue_names.compare(cited_section, (recorded_section, *recorded))


def _add_section(journal: str, volume: str) -> str:
    """Return the journal with the letter of the section that stands before its volume, if one does."""
    letter = re.match(r"([A-Z])\s*\d", volume)
    return f"{journal} {letter[1]}" if journal and letter else journal


def _find_venues_in_doi(doi: str) -> list[str]:
    """Return the venue in a DOI, where some publishers write it: `10.1109/cvpr.2016.90`; empty if there is none."""
    match = re.match(r"10\.(?:1109/|1609/|18653/v1/\d{4}\.)([a-z]+)", doi)
    acronym = match[1].upper() if match else ""
    is_venue = bool(acronym) and bool(venues.identify(acronym).series)
    return [acronym] if is_venue else []
