"""The year of an entry compared with all in which the work came out."""

import re
from collections.abc import Iterable

from citelsp.bibliography.identifiers import tell_arxiv_year
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison.outcome import Outcome


def compare_years(cited: int | None, record: Record, arxiv: str) -> Outcome:
    """Compare the cited year with every year in which the work came out, also those that DOI and arXiv id tell.

    `arxiv` is the id in the entry, "" if it has none.  A year that the venue names is the same.  One year off is
    "looser" (not wrong), since sources rarely know all years: of the conference, the proceedings, online and in print;
    but it is "different" before the first of several, or between print and a later digital copy.  "unknown" if one side
    has no year.
    """
    if cited is None or not record.years:
        return "unknown"
    years = set(_list_years(record))
    years.update(filter(None, map(tell_arxiv_year, (record.identifiers.arxiv, arxiv))))
    years.update(map(int, re.findall(r"[./]((?:19|20)\d\d)\.", record.identifiers.doi)))  # `10.1109/CVPR.2016.90`
    if cited in years or _is_named(cited, record.venue):
        return "same"
    # The years of print and of a digital copy are decades apart; being near one of them excuses nothing.
    if is_between_print_and_copy(cited, record):
        return "different"
    is_near = cited - 1 in years or cited + 1 in years
    # A year before all that is known is near only if one year is known: there may be an earlier one.
    is_before_all = cited < min(years)
    return "looser" if is_near and (len(years) == 1 or not is_before_all) else "different"


def _is_named(year: int, venue: str) -> bool:
    """True if the venue names the year, in which the conference met, whenever its proceedings came out: `COLOG-88`."""
    return re.search(rf"\b{year}\b|[a-z] ?['’-]{year % 100:02d}\b", venue, re.IGNORECASE) is not None


def _list_years(record: Record) -> Iterable[int]:
    """Return the record's years; of a preprint also those between, in which there may be versions."""
    return range(min(record.years), max(record.years) + 1) if record.type == "preprint" else record.years


def is_between_print_and_copy(cited: int, record: Record) -> bool:
    """True for a year after the print and before a digital copy made later: the work did not come out then."""
    if record.source != "crossref" or len(record.years) < 2:
        return False
    in_print, online = record.years[:2]  # the order of Crossref's years, if it has both
    return in_print < cited < online
