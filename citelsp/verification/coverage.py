"""Which works the services can be expected to know: of all others their silence says nothing."""

import re
from functools import cache

from citelsp.bibliography import listings, titles, venues
from citelsp.bibliography.compare import readable
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.bibliography.record import Record
from citelsp.verification import plan
from citelsp.verification.weighing import Answers, Weighed, discusses

_GREY = frozenset(
    "misc online electronic www software manual techreport report thesis phdthesis mastersthesis unpublished booklet"
    " dataset patent standard book inbook incollection proceedings".split()
)
_COMPUTING, _DIGITAL = 1980, 2000  # from when on indexes have everything of computing, and of other fields
_OLD = "too old to be indexed for certain"
_ADDRESS = re.compile(r"://|\bwww\.|\.(?:com|org|net|io|ai|edu|gov)\b", re.IGNORECASE)
_HOUSE = re.compile(  # houses and societies all of whose journals register their articles
    r"^(?:the )?(?:annual reviews? (?:of|in)|(?:ieee|acm)(?:/\w+)* trans|nature\b|npj|lancet|jama|frontiers in|bmc|plos"
    r"|cell\b|current biology|trends in|current opinion in|physical review|siam j|acs|elife|jmir"
    r"|journal of the american (?:chemical|medical|statistical|college|society|heart))",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:erratum|corrigendum|correction|addendum|editorial|preface|foreword|obituary|in memoriam"
    r"|(?:book )?reviews? of|book review|letter to|keynote|plenary|invited (?:talk|lecture)|tutorial\b|panel\b"
    r"|abstract (?:no\.? )?\w*\d)",
    re.IGNORECASE,
)
_PROCEEDINGS = frozenset({"inproceedings", "conference"})  # written of nothing else, as @article is of whatever it be
_NEAR = 3  # years between two works of which one shows that an index holds the other's venue


def unfit(entry: Entry) -> str:
    """Why silence of the services says nothing about this entry, whoever answered; "" if they should know it."""
    length = len(words(entry.title))
    if not length:
        return "no title"
    if entry.kind in _GREY and not any(plan.identifiers_of(entry)):
        return f"@{entry.kind} entries are often in no index"
    if titles.about(entry.title) or _ABOUT.match(entry.title):
        return "talks, comments, reviews and corrections are often in no index"
    if not entry.value("author") and entry.value("editor"):
        return "edited volumes are often in no index"
    if entry.is_pending:
        return "it is said to be unpublished"
    if length < 4 and not (length == 3 and _is_distinct(entry)):
        return "the title is too short to name one work"
    if entry.year and entry.year < _COMPUTING:
        return _OLD
    if not any(c.isascii() and c.isalpha() for c in entry.title):
        return "the title is not in Latin letters"
    if _ADDRESS.search(entry.venue) or (not entry.venue and entry.identifiers.url and not entry.identifiers):
        return "web pages are in no index"
    return ""


def uncovered(entry: Entry, weighed: Weighed, answers: Answers) -> str:
    """Why those who answered need not have the entry's work; "" if it appeared in what they hold entirely.

    That is a known series, a journal of a large house, or a venue of whose works a search showed one of that time.
    """
    if is_short(entry) and "dblp" not in weighed.searched:
        return "the title is too short to name one work"
    if any(discusses(it.title, entry.title) for it in weighed.near):
        return "a notice, comment or reply about it is on record"
    if any(_is_of_this_name(entry, it) for it in weighed.near):
        return "a work of this very title is on record, by others as it seems"
    name, venue = entry.venue, venues.identify(entry.venue)
    if not entry.year:
        return "without a year it may be anything"
    if not name and entry.kind not in _PROCEEDINGS:
        return "no venue is named, so no service need know it"
    if entry.year < _DIGITAL and not venues.is_of_computing(name):
        return _OLD
    scattered = venue.satellite == "workshop" or (venue.series and _is_gathering_elsewhere(name))
    if not name or (venue.series and not scattered) or _HOUSE.match(name) or _is_large(name):
        return ""
    if not scattered and any(_shows(entry, it) for answer in answers.values() for _, it in answer.others):
        return ""
    return f"no service is known to have everything of {name}"


def _is_gathering_elsewhere(venue: str) -> bool:
    """A conference of a field other than computing: no index is at home there, and few of its works have DOIs."""
    return venues.form(venue) == "conference" and not venues.is_of_computing(venue)


def _is_of_this_name(entry: Entry, record: Record) -> bool:
    """The title, and about the year: who is said to have written it may be wrong in the index."""
    apart = min((abs(it - entry.year) for it in record.years), default=0) if entry.year else 0
    return apart <= 1 and titles.compare(entry.title, record.title) in ("same", "looser")


def _shows(entry: Entry, record: Record) -> bool:
    """Another work of the entry's venue, registered about the time when the entry's should have been."""
    if not record.identifiers.doi or not entry.year or not record.year or abs(entry.year - record.year) > _NEAR:
        return False
    return venues.compare(entry.venue, (record.venue, *record.venue_aliases)) == "same"


def is_short(entry: Entry) -> bool:
    return len(words(entry.title)) < 4


def _is_distinct(entry: Entry) -> bool:
    """A short title by several people in one volume of a series that an index holds entirely."""
    return len(readable(entry)) >= 2 and entry.year is not None and venues.is_of_computing(entry.venue)


def _is_large(venue: str) -> bool:
    return any(venues.compare(venue, [it]) == "same" for it in _journals())


@cache
def _journals() -> tuple[str, ...]:
    """Large journals whose names do not tell that they are journals."""
    return tuple(listings.read("journals.txt").splitlines())
