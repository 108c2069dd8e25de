"""How long ago a work appeared, in months, and how long indexes may take to list it.

The calendar year says nothing of that: a paper of a conference in December is last year's after four weeks.
"""

from datetime import date

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry

# Publishers register an article when it appears; proceedings follow the conference, those that are registered first.
_JOURNAL, _REGISTERED, _PROCEEDINGS = 4, 6, 9  # months
_PUBLICATION = 24  # months after which the publication of a preprint is linked with it


def is_new(entry: Entry, today: date) -> bool:
    """True if indexes may not list the work yet; not of one that bears a year to come, which is wrong."""
    if not entry.year or entry.year > today.year:
        return False
    return _months_since(entry, entry.year, today) < _lag(entry)


def is_recent(entry: Entry, today: date) -> bool:
    """True if indexes may know the preprint alone, though the work has been published since."""
    return entry.year is not None and _months_since(entry, entry.year, today) <= _PUBLICATION


def _lag(entry: Entry) -> int:
    form = venues.form(entry.venue)
    if form in ("conference", "workshop") or entry.kind in ("inproceedings", "conference", "proceedings"):
        is_registered = entry.year is not None and venues.is_registered(entry.venue, entry.year)
        return _REGISTERED if is_registered else _PROCEEDINGS
    return _JOURNAL


def _months_since(entry: Entry, year: int, today: date) -> int:
    """Since the last month in which it may have appeared; of this year without a month, none has passed."""
    return 12 * (today.year - year) + today.month - (entry.month or 12)
