"""The work is unknown: nobody who should have it has it.

Of the works that services need not have their silence says nothing; each rule here says which these are, and why.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from citelsp.base.settings import SERVICES
from citelsp.bibliography import listings, titles, venues
from citelsp.bibliography.compare import readable
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.bibliography.record import Record
from citelsp.verification import plan
from citelsp.verification.binding import discusses
from citelsp.verification.case import Case

_GREY = frozenset(
    "misc online electronic www software manual techreport report thesis phdthesis mastersthesis unpublished booklet"
    " dataset patent standard book inbook incollection proceedings".split()
)
_COMPUTING, _DIGITAL = 1980, 2000  # from when on indexes have everything of computing, and of other fields
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


@dataclass(frozen=True, slots=True)
class Excuse:
    """A rule by which silence says nothing, and the reason as people read it; `{kind}` is the entry's."""

    rule: Callable[[Entry], bool]
    reason: str


@dataclass(frozen=True, slots=True)
class CaseExcuse:
    """The same of a rule that looks at what was answered."""

    rule: Callable[[Case], bool]
    reason: Callable[[Case], str]


@dataclass(frozen=True, slots=True)
class Abstention:
    """Why nothing is said of a work that nobody has: the name of the rule, and its reason for people."""

    rule: str
    reason: str


def unfit(entry: Entry) -> Abstention | None:
    """Why silence of the services says nothing about this entry, whoever answered; None if they should know it."""
    for excuse in UNFIT:
        if excuse.rule(entry):
            return Abstention(excuse.rule.__name__, excuse.reason.format(kind=entry.kind))
    return None


def has_no_title(entry: Entry) -> bool:
    """Without a title nothing can be searched for."""
    return not words(entry.title)


def has_a_title_read_in_doubt(entry: Entry) -> bool:
    """Of a printed reference the title may be cut, or joined with what follows it."""
    return "title" in entry.unsure


def is_seldom_indexed(entry: Entry) -> bool:
    """Books, reports, theses, software, data, standards and web pages are often in no index, unless they have an id."""
    return entry.kind in _GREY and not any(plan.identifiers_of(entry))


def is_about_another_work(entry: Entry) -> bool:
    """Talks, comments, reviews, notices and corrections are often in no index."""
    return bool(titles.about(entry.title)) or _ABOUT.match(entry.title) is not None


def is_an_edited_volume(entry: Entry) -> bool:
    """Who is cited as an editor alone stands for a volume, and those are often in no index."""
    return not entry.value("author") and bool(entry.value("editor"))


def is_pending(entry: Entry) -> bool:
    """What is said to be submitted, in press or unpublished is in no index yet."""
    return entry.is_pending


def is_too_short(entry: Entry) -> bool:
    """A title of less than four words names no one work; of several people in a series of computing three will do."""
    length = len(words(entry.title))
    return length < 4 and not (length == 3 and _is_distinct(entry))


def is_older_than_any_index(entry: Entry) -> bool:
    """Before 1980 no index is complete."""
    return entry.year is not None and entry.year < _COMPUTING


def is_in_another_script(entry: Entry) -> bool:
    """Indexes transliterate or translate titles that have no Latin letter."""
    return not any(c.isascii() and c.isalpha() for c in entry.title)


def is_a_web_page(entry: Entry) -> bool:
    """Web pages are in no index."""
    if _ADDRESS.search(entry.venue):
        return True
    return not entry.venue and bool(entry.identifiers.url) and not entry.identifiers


UNFIT = (
    Excuse(has_no_title, "no title"),
    Excuse(has_a_title_read_in_doubt, "where its title begins and ends could not be read for certain"),
    Excuse(is_seldom_indexed, "@{kind} entries are often in no index"),
    Excuse(is_about_another_work, "talks, comments, reviews and corrections are often in no index"),
    Excuse(is_an_edited_volume, "edited volumes are often in no index"),
    Excuse(is_pending, "it is said to be unpublished"),
    Excuse(is_too_short, "the title is too short to name one work"),
    Excuse(is_older_than_any_index, "too old to be indexed for certain"),
    Excuse(is_in_another_script, "the title is not in Latin letters"),
    Excuse(is_a_web_page, "web pages are in no index"),
)


def excused(case: Case) -> Abstention | None:
    """Why the silence of those who answered, or were to be asked, says nothing; None if the work is unknown."""
    return _first(UNANSWERED, case) or unfit(case.entry) or _first(UNSAID, case) or uncovered(case)


def uncovered(case: Case) -> Abstention | None:
    """Why those who answered need not have the entry's work; None if it appeared in what they hold entirely."""
    return _first(UNCOVERED, case)


def _first(excuses: Iterable[CaseExcuse], case: Case) -> Abstention | None:
    for excuse in excuses:
        if excuse.rule(case):
            return Abstention(excuse.rule.__name__, excuse.reason(case))
    return None


def identifier_was_not_heard(case: Case) -> bool:
    """Whoever could say where the entry's identifier leads could not be asked."""
    return bool(plan.unanswered(case.entry, case.answers))


def is_new(case: Case) -> bool:
    """Of this year: indexes lag.  What bears a later year is not new but wrong."""
    return case.entry.year == case.today.year


def is_registered(case: Case) -> bool:
    """Somebody knows one of the entry's identifiers, though not what of."""
    return plan.is_registered(case.entry, case.answers)


def broad_index_is_disabled(case: Case) -> bool:
    """Crossref, Semantic Scholar and OpenAlex each know works that nobody else has: all must have been asked."""
    return any(it not in case.services for it in plan.BROAD)


def broad_index_was_not_heard(case: Case) -> bool:
    """All of the broad indexes must have answered, and who is at home in the field."""
    return any(it not in case.weighed.searched for it in plan.required(case.entry, case.services))


def why(silent: Iterable[str], case: Case) -> str:
    """Which of these services did not answer, and why."""
    known = dict(case.weighed.unavailable)
    return "; ".join(f"{SERVICES[it]}: {known.get(it, 'not asked')}" for it in silent)


def _identifier_unheard(case: Case) -> str:
    return why(plan.unanswered(case.entry, case.answers), case)


def _indexes_unheard(case: Case) -> str:
    required = plan.required(case.entry, case.services)
    return why((it for it in required if it not in case.weighed.searched), case)


def _indexes_disabled(case: Case) -> str:
    off = [SERVICES[it] for it in plan.BROAD if it not in case.services]
    return f"cannot be reported as unknown while {' and '.join(off)} {'is' if len(off) == 1 else 'are'} disabled"


def is_short_beside_dblp(case: Case) -> bool:
    """A title of three words is believed to be unknown only if DBLP, which lists whole volumes, answered."""
    return is_short(case.entry) and "dblp" not in case.weighed.searched


def is_discussed(case: Case) -> bool:
    """A notice, comment or reply about the work is on record: it exists."""
    return any(discusses(it.title, case.entry.title) for it in case.weighed.near)


def is_on_record_by_others(case: Case) -> bool:
    """A work of this very title and about that year is on record: who wrote it may be wrong in the index."""
    return any(_is_of_this_name(case.entry, it) for it in case.weighed.near)


def has_no_year(case: Case) -> bool:
    """Without a year it may be anything."""
    return not case.entry.year


def names_no_venue(case: Case) -> bool:
    """Where no venue is named no service need know it, but of papers in proceedings."""
    return not case.entry.venue and case.entry.kind not in _PROCEEDINGS


def is_older_than_indexes_of_its_field(case: Case) -> bool:
    """Before 2000 indexes have everything of computing alone."""
    year = case.entry.year
    return year is not None and year < _DIGITAL and not venues.is_of_computing(case.entry.venue)


def no_index_has_all_of_its_venue(case: Case) -> bool:
    """Its venue is no series of conferences or journal whose works are all indexed, as far as is known.

    Known are series by name, journals of large houses, and venues of whose works a search showed one of that time.
    """
    name = case.entry.venue
    venue = venues.identify(name)
    is_scattered = venue.satellite == "workshop" or (bool(venue.series) and _is_gathering_elsewhere(name))
    if not name or (venue.series and not is_scattered) or _HOUSE.match(name) or _is_large(name):
        return False
    others = (it for answer in case.answers.values() for _, it in answer.others)
    return is_scattered or not any(_shows(case.entry, it) for it in others)


UNANSWERED = (CaseExcuse(identifier_was_not_heard, _identifier_unheard),)
UNSAID = (
    CaseExcuse(is_new, lambda _: "too new to be indexed for certain"),
    CaseExcuse(is_registered, lambda _: "its identifier is registered, but no service says for what"),
    CaseExcuse(broad_index_is_disabled, _indexes_disabled),
    CaseExcuse(broad_index_was_not_heard, _indexes_unheard),
)
UNCOVERED = (
    CaseExcuse(is_short_beside_dblp, lambda _: "the title is too short to name one work"),
    CaseExcuse(is_discussed, lambda _: "a notice, comment or reply about it is on record"),
    CaseExcuse(is_on_record_by_others, lambda _: "a work of this very title is on record, by others as it seems"),
    CaseExcuse(has_no_year, lambda _: "without a year it may be anything"),
    CaseExcuse(names_no_venue, lambda _: "no venue is named, so no service need know it"),
    CaseExcuse(is_older_than_indexes_of_its_field, lambda _: "too old to be indexed for certain"),
    CaseExcuse(
        no_index_has_all_of_its_venue, lambda case: f"no service is known to have everything of {case.entry.venue}"
    ),
)


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
