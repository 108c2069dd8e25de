"""Volume and number of an entry compared with the record's."""

import re
from typing import NamedTuple

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison.outcome import Outcome

_ARTICLE_NUMBER = re.compile(r"[^\W\d_]{1,2}\d{3,}")  # `W05521`
_YEAR = re.compile(r"(?:19|20)\d\d")
_MOST_ISSUES = 53  # of one year


class Counted(NamedTuple):
    """How the two numbers of a journal compare."""

    volume: Outcome
    number: Outcome


def compare_counts(entry: Entry, record: Record) -> Counted:
    """Compare volume and number together, since sources may swap them or put year and month there.

    What is volume 05 of 2018 to some is issue 5 of volume 2018 to others.  Each is "same", "looser" (written otherwise
    and not wrong), "different", or "unknown" if it cannot be compared, or was compared as a part of the other.
    """
    volume = entry.text("volume")
    number = find_number(entry)
    # `0804` for April 2008, which others call volume 4, or issue 4.
    if _is_month_of_year(volume, entry.year, record.volume, record.issue):
        return Counted(volume="looser", number="unknown")
    if _is_month_of_year(record.volume, record.year, volume, number):
        return Counted(volume="looser", number="unknown")

    by_volume = _compare_numbers(volume, record.volume)
    by_number = _compare_numbers(number, record.issue)
    number_by_volume = _compare_numbers(number, record.volume)
    # Volume `2` and number `42` in the entry for the volume `s2-42` on record: series and volume.
    if by_volume == "looser" and by_number == "different" and number_by_volume == "looser":
        return Counted(volume="looser", number="unknown")
    # A record without an issue may give the issue's number as its volume.
    if by_volume == "different" and not record.issue and number_by_volume == "same":
        return Counted(volume="unknown", number="unknown")
    # One side counts issues from the journal's first one on, or gives the article's number: it is larger than the
    # issue of a year can be.
    if by_number == "different" and _is_running(number) != _is_running(record.issue):
        by_number = "unknown"
    straight = Counted(volume=by_volume, number=by_number)
    has_year = any(map(_YEAR.fullmatch, (volume, number, record.volume, record.issue)))
    # They count as swapped only if a year stands for a volume or number.
    if "different" not in straight or not has_year:
        return straight
    return _compare_swapped_counts(entry, record) or straight


def _compare_swapped_counts(entry: Entry, record: Record) -> Counted | None:
    """Compare volume with number, or both as year and month; None if they do not agree so either.

    One of them is a year: `2008` and `4` beside `4` and `2008`, or beside `04` alone, for April 2008.
    """
    volume = entry.text("volume")
    number = find_number(entry)
    crossed = (_compare_numbers(volume, record.issue), _compare_numbers(number, record.volume))
    if "same" in crossed and "different" not in crossed:
        return Counted(volume="looser", number="looser")
    cited_place = (volume, number)
    recorded_place = (record.volume, record.issue)
    if _is_month_beside_year(entry.year, cited_place, recorded_place):
        return Counted(volume="looser", number="unknown")
    if _is_month_beside_year(record.year, recorded_place, cited_place):
        return Counted(volume="looser", number="unknown")
    return None


def find_number(entry: Entry) -> str:
    return entry.text("number") or entry.text("issue")


def _is_running(number: str) -> bool:
    """True for the number of an article, or of an issue counted from the first one on: a year has 52 weeks."""
    if _YEAR.fullmatch(number):
        return False
    return any(int(count[:9]) > _MOST_ISSUES for count in _counts(number))


def _is_month_of_year(volume: str, year: int | None, *others: str) -> bool:
    """`0804` for April 2008, which others call volume 4, or issue 4 of volume 2008."""
    year_and_month = re.fullmatch(r"(\d\d)(0[1-9]|1[0-2])", volume.strip())
    if year_and_month is None or not year or year % 100 != int(year_and_month[1]):
        return False
    month = _counts(year_and_month[2])
    return any(_counts(other) == month for other in others)


def _is_month_beside_year(year: int | None, place: tuple[str, str], other: tuple[str, str]) -> bool:
    """True if one place has the year as its volume, and the other has the month there and no number.

    A place is volume and number: ("2008", "4") beside ("04", "") for April 2008.  False if the number of the first one
    is another month.
    """
    volume, number = place
    other_volume, other_number = other
    months = _counts(other_volume)
    if volume.strip() != str(year) or _counts(other_number):
        return False
    if len(months) != 1 or not _may_be_month(months[0]):
        return False
    issues = _counts(number)
    return issues == months or not any(map(_may_be_month, issues))


def _may_be_month(count: str) -> bool:
    return int(count[:9]) <= 12


def _compare_numbers(cited: str, recorded: str) -> Outcome:
    """Compare volumes or issues: `Vol. 46`, `046`, `1-2`; words of a series are left out.

    "looser" if only some of several numbers agree; "unknown" if one side has none or 0, or if they differ and one may
    be the number of an article.
    """
    cited_counts = _counts(cited)
    recorded_counts = _counts(recorded)
    if not cited_counts or not recorded_counts:
        return "unknown"
    if ["0"] in (cited_counts, recorded_counts):  # exports have 0 for what has no number yet
        return "unknown"
    if cited_counts == recorded_counts:
        return "same"
    if set(cited_counts) & set(recorded_counts):
        return "looser"
    has_article_number = _ARTICLE_NUMBER.search(cited) or _ARTICLE_NUMBER.search(recorded)
    return "unknown" if has_article_number else "different"


def _counts(written: str) -> list[str]:
    """Return the numbers in a text, without leading zeros."""
    return [digits.lstrip("0") or "0" for digits in re.findall(r"\d+", written)]
