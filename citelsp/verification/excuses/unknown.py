"""The work is unknown: nobody who should have it has it.

That every index lacks it proves nothing if none need hold it; each rule here says of which works that is so.  Of an
article the registries are asked whether they hold its journal of that year.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from citelsp.base.settings import SERVICES
from citelsp.base.text import write_count
from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.bibliography.tolerant_comparison.people import is_a_broken_list
from citelsp.knowledge import VerdictKind, tell_why_silent
from citelsp.verification import age, journals, plan
from citelsp.verification.binding import discusses
from citelsp.verification.case import Case
from citelsp.verification.excuses.fitness import Abstention, find_doubt, find_exemption, is_short

_DIGITAL = 2000  # from when on indexes have everything of other fields than computing
_PROCEEDINGS = frozenset({"inproceedings", "conference"})  # written of nothing else, as @article is of whatever it be


@dataclass(frozen=True, slots=True)
class CaseExcuse:
    """A rule that looks at what was answered, and the reason for people."""

    rule: Callable[[Case], bool]
    reason: Callable[[Case], str]


def find_excuse(case: Case) -> Abstention | None:
    """Return why the silence of those who answered, or were to be asked, proves nothing; None if the work is unknown.

    The first reason counts.  The verdict is then "unchecked" if an identifier was not heard or nobody answered, if the
    work is of a kind that indexes seldom have, or if its identifier is registered or a broad index was not heard; it is
    "unconfirmed" if services may lack this very entry (`find_doubt`), and either if its gap is explained (`find_gap`).
    """
    return (
        _first(UNANSWERED, case, "unchecked")
        or find_exemption(case.entry)
        or _first(UNHEARD, case, "unchecked")
        or find_doubt(case.entry)
        or find_gap(case)
    )


def find_gap(case: Case) -> Abstention | None:
    """Return why those who answered may lack the entry's work; None if they hold all that appeared where it did.

    "unchecked" if more is to be heard of it (UNSETTLED), "unconfirmed" if no index need have it (UNCOVERED).
    """
    return _first(UNSETTLED, case, "unchecked") or _first(UNCOVERED, case, "unconfirmed")


def _first(excuses: Iterable[CaseExcuse], case: Case, kind: VerdictKind) -> Abstention | None:
    """Return the first excuse whose rule holds, as an abstention with this verdict; None if none holds."""
    for excuse in excuses:
        if excuse.rule(case):
            return Abstention(excuse.rule.__name__, excuse.reason(case), kind)
    return None


def identifier_was_not_heard(case: Case) -> bool:
    """Whoever could say where the entry's identifier leads could not be asked."""
    return bool(plan.list_unanswered(case.entry, case.answers))


def nobody_answered(case: Case) -> bool:
    """None of the services that were asked answered."""
    return bool(case.weighed.unavailable) and not case.weighed.answered


def is_registered(case: Case) -> bool:
    """Somebody knows one of the entry's identifiers, though not what of."""
    return plan.is_registered(case.entry, case.answers)


def broad_index_is_disabled(case: Case) -> bool:
    """Crossref, Semantic Scholar and OpenAlex each know works that nobody else has: all must have been asked."""
    return any(it not in case.services for it in plan.BROAD)


def broad_index_was_not_heard(case: Case) -> bool:
    """All broad indexes must have answered, and the one that is at home in the field.

    If the registry holds the journal of that year, it decides, with one of the two aggregators beside it.
    """
    if holding(case).state == "held" and journals.is_worth_asking(case.weighed):
        return False
    return any(it not in case.weighed.searched for it in plan.list_required(case.entry, case.services))


def tell_silence(silent: Iterable[str], case: Case) -> str:
    """Say of these services, which did not answer, why they did not."""
    known = dict(case.weighed.unavailable)
    return tell_why_silent((service, known.get(service, "not asked")) for service in silent)


def _identifier_unheard(case: Case) -> str:
    return tell_silence(plan.list_unanswered(case.entry, case.answers), case)


def _indexes_unheard(case: Case) -> str:
    required = plan.list_required(case.entry, case.services)
    return tell_silence((it for it in required if it not in case.weighed.searched), case)


def _indexes_disabled(case: Case) -> str:
    off = [SERVICES[it] for it in plan.BROAD if it not in case.services]
    return f"cannot be reported as unknown while {' and '.join(off)} {'is' if len(off) == 1 else 'are'} disabled"


def is_new(case: Case) -> bool:
    """Indexes lag: four months for articles, six for registered proceedings, nine for others, from the end of the year.

    If the entry names a month, from that month on.  What bears a year to come is not new but wrong.
    """
    return age.is_new(case.entry, case.today)


def is_short_beside_dblp(case: Case) -> bool:
    """A title of three words is believed to be unknown only if DBLP, which lists whole volumes, answered."""
    return is_short(case.entry) and "dblp" not in case.weighed.searched


def is_discussed(case: Case) -> bool:
    """A notice, comment or reply about the work is on record: it exists."""
    return any(discusses(it.title, case.entry.title) for it in case.weighed.near)


def is_on_record_by_others(case: Case) -> bool:
    """A record has this very title, and no year far from it: the people in it may be wrong, or missing."""
    return bool(list_namesakes(case))


def list_namesakes(case: Case) -> list[Record]:
    """Return the records of other works that have the very title of the entry, and about its year."""
    return [it for it in case.weighed.near if _is_of_this_name(case.entry, it)]


def has_no_year(case: Case) -> bool:
    """Without a year it may be anything."""
    return not case.entry.year


def names_no_venue(case: Case) -> bool:
    """A work for which no venue is given may be in no index, unless it stands in proceedings."""
    return not case.entry.venue and case.entry.kind not in _PROCEEDINGS


def is_older_than_indexes_of_its_field(case: Case) -> bool:
    """Before 2000 indexes are complete for computing only, unless a registry has that year of the journal."""
    year = case.entry.year
    if year is None or year >= _DIGITAL or venues.is_of_computing(case.entry.venue):
        return False
    return holding(case).state != "held"


def registry_was_not_heard(case: Case) -> bool:
    """Whether a registry holds the journal of that year, and this article, could not be asked."""
    return holding(case).state in ("unasked", "unheard")


def no_index_has_all_of_its_venue(case: Case) -> bool:
    """No index is known to list everything from its venue.

    Of a series that is known all is held, workshops and conferences outside computing excepted.  Any other journal is
    held if a registry has twenty works of that year and the two beside it, and five of that year itself.  The registry
    is then asked for this article, by its title and first author.
    """
    name = case.entry.venue
    if not name or _is_whole_in_indexes(name):
        return False
    return holding(case).state != "held"


def _is_whole_in_indexes(name: str) -> bool:
    """True for a known series of which indexes have all: no workshop, and no conference outside computing."""
    venue = venues.identify(name)
    return bool(venue.series) and venue.satellite != "workshop" and not _is_gathering_elsewhere(name)


def holding(case: Case) -> journals.Coverage:
    """Tell what the registries say of the entry's journal."""
    return journals.coverage(case.entry, case.answers, case.services)


def _registry_unheard(case: Case) -> str:
    found = holding(case)
    return tell_silence([found.service], case) if found.service else "its journal was not looked up"


def _what_is_known(case: Case) -> str:
    """Say, in the words of a report, what is known of the venue."""
    entry, found = case.entry, holding(case)
    if found.state == "unlisted":
        return f"no index knows a journal called {entry.venue}"
    if found.state == "thin":
        works = write_count(found.count, "work") if found.count else "no works"
        return f"{SERVICES[found.service]} has {works} of {entry.year} from {found.title}"
    if entry.venue == entry.text("publisher"):
        return f"no service is known to list all that {entry.venue} published"
    return f"no service is known to list everything from {entry.venue}"


def _who_is_on_record(case: Case) -> str:
    """Say, in the words of a report, which source has this title, and by whom."""
    namesakes = list_namesakes(case)
    by_others = [it for it in namesakes if it.authors and not is_a_broken_list(it, case.entry.authors)]
    if by_others:
        return f"{SERVICES[by_others[0].source]} has this very title by other people"
    return f"{SERVICES[namesakes[0].source]} has this very title, but does not say clearly by whom"


def _is_gathering_elsewhere(venue: str) -> bool:
    """A conference of a field other than computing: no index is at home there, and few of its works have DOIs."""
    return venues.form(venue) == "conference" and not venues.is_of_computing(venue)


def _is_of_this_name(entry: Entry, record: Record) -> bool:
    """The title, and about the year: who is said to have written it may be wrong in the index."""
    apart = min((abs(it - entry.year) for it in record.years), default=0) if entry.year else 0
    return apart <= 1 and titles.compare(entry.title, record.title) in ("same", "looser")


UNANSWERED = (
    CaseExcuse(identifier_was_not_heard, _identifier_unheard),
    CaseExcuse(nobody_answered, lambda case: tell_silence(dict(case.weighed.unavailable), case)),
)
UNHEARD = (
    CaseExcuse(is_registered, lambda _: "its identifier is registered, but no service says for what"),
    CaseExcuse(broad_index_is_disabled, _indexes_disabled),
    CaseExcuse(broad_index_was_not_heard, _indexes_unheard),
)
UNSETTLED = (
    CaseExcuse(is_discussed, lambda _: "a notice, comment or reply about it is on record"),
    CaseExcuse(registry_was_not_heard, _registry_unheard),
)
UNCOVERED = (
    CaseExcuse(is_new, lambda _: "too new to be indexed for certain"),
    CaseExcuse(is_short_beside_dblp, lambda _: "the title is too short to name one work"),
    CaseExcuse(is_on_record_by_others, _who_is_on_record),
    CaseExcuse(has_no_year, lambda _: "without a year it may be anything"),
    CaseExcuse(names_no_venue, lambda _: "no venue is given, so it may be in no index"),
    CaseExcuse(is_older_than_indexes_of_its_field, lambda _: "too old to be indexed for certain"),
    CaseExcuse(no_index_has_all_of_its_venue, _what_is_known),
)
