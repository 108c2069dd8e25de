"""Whether the silence of indexes about an article decides: a registry is asked whether it has the journal of that year.

First Crossref, by its own list of journals, then OpenAlex, which also knows abbreviations and journals without DOIs.
Who has the journal, and many works of that year, is asked for this one among them.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.registered_journal import Journal
from citelsp.knowledge import AGGREGATORS, Found, Unavailable
from citelsp.verification.evidence import Answers, Weighed
from citelsp.verification.question import Question, articles

REGISTRIES = ("crossref", "openalex")
_LEAST_OF_THREE_YEARS = 20  # works of the cited year and its neighbours, below which a registry lacks too many
_LEAST_OF_THE_YEAR = 5  # works of the cited year, below which a registry lacks too many of it

# `, vol. 3, 2017` behind the name of a journal
_YEAR_OR_VOLUME_BEHIND = re.compile(
    r"(?<![\s,;(])[\s,;(]++(?:(?:19|20)\d\d\b|(?:vol|no|issue)\b\.?\s*\d).*$", re.IGNORECASE
)
State = Literal["", "unasked", "unheard", "unlisted", "thin", "held"]
# unasked: there is more to ask
# unheard: a registry could not be asked
# unlisted: no registry knows a journal of this name
# thin: the journal is known, with few works of that year or none
# held: the registry has that year's works, and was asked for this one


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the registries say of an entry's journal in its year; "" if it names none to be asked about."""

    state: State = ""
    service: str = ""  # who holds the journal, or could not be asked
    title: str = ""  # of the journal, as the registry has it
    count: int = 0  # works of that year


def names_a_journal(entry: Entry) -> bool:
    """Whether registries are asked about the venue; of conferences there is no registry."""
    venue = venues.identify(entry.venue)
    if not entry.venue or not entry.year or venue.series or venue.satellite or venues.is_preprint_server(entry.venue):
        return False
    return venues.form(entry.venue) == "journal" or (entry.kind == "article" and not venues.form(entry.venue))


def is_worth_asking(weighed: Weighed) -> bool:
    """Whether the silence of Crossref and of one aggregator beside is known already."""
    return "crossref" in weighed.searched and not AGGREGATORS.isdisjoint(weighed.searched)


def next_questions(entry: Entry, answers: Answers, services: Collection[str]) -> list[Question]:
    """Return the next question to a registry about the journal of a work that nobody has.

    Empty if all is asked, or if the entry names no journal to be asked about.
    Each registry in turn is asked whether it has the journal.  The first that has the works of the cited year is asked
    for this work among them, and that is the last question.
    """
    if not names_a_journal(entry):
        return []
    for service in REGISTRIES:
        if service not in services:
            continue
        about_journal = _question_about_journal(service, entry)
        if about_journal not in answers:
            return [about_journal]
        search = _search_within(entry, answers, service)
        if search:
            return [search] if search not in answers else []
    return []


def has_the_year(known: Collection[Journal], year: int) -> bool:
    """Whether a registry has the journal's works of that year: enough of three years, and no gap in the one cited."""
    before = _count_works(known, year - 1)
    count = _count_works(known, year)
    after = _count_works(known, year + 1)
    are_enough = count >= _LEAST_OF_THE_YEAR and before + count + after >= _LEAST_OF_THREE_YEARS
    is_gap = 2 * count < max(before, after)
    return are_enough and not is_gap


def _count_works(known: Collection[Journal], year: int) -> int:
    return sum(journal.count(year) for journal in known)


def coverage(entry: Entry, answers: Answers, services: Collection[str]) -> Coverage:
    """Tell what these answers say of the entry's journal.

    "" if the entry names none, "unasked" while there is more to ask of `services`.  Then the first registry that has
    the cited year's works decides: "held" if it was asked for this one, "unheard" if it was not or did not answer.  If
    none has them it is "unheard" if some registry could not be asked, "unlisted" if none knows the journal, or "thin":
    known, with few works of that year, counted where most are.
    """
    if not names_a_journal(entry):
        return Coverage()
    if next_questions(entry, answers, services):
        return Coverage("unasked")
    year = entry.year or 0  # never 0 here: an entry without a year names no journal to be asked about
    journals: list[Journal] = []
    for service in REGISTRIES:
        known = _journals_of_name(entry, answers, service)
        journals += known
        search = _search_within(entry, answers, service)
        if search:  # then `known` has one journal at least, with many works of that year
            answer = answers.get(search)  # None if the registry has been switched off since it told of the journal
            is_unheard = answer is None or isinstance(answer.lookup, Unavailable)
            state: State = "unheard" if is_unheard else "held"
            return Coverage(state, service, known[0].title, _count_works(known, year))
    for question, reply in answers.items():
        if question.kind in ("journal", "articles") and isinstance(reply.lookup, Unavailable):
            return Coverage("unheard", question.service)
    if not journals:
        return Coverage("unlisted")
    fullest = max(journals, key=lambda journal: journal.count(year))
    return Coverage("thin", fullest.source, fullest.title, fullest.count(year))


def _question_about_journal(service: str, entry: Entry) -> Question:
    """For the journal by its name, without the year, volume and number that may stand behind it."""
    return Question(service, "journal", _YEAR_OR_VOLUME_BEHIND.sub("", entry.venue) or entry.venue)


def _journals_of_name(entry: Entry, answers: Answers, service: str) -> tuple[Journal, ...]:
    """Return the journals of the cited name that a registry has; empty too if it was not asked or did not answer."""
    answer = answers.get(_question_about_journal(service, entry))
    return answer.lookup.journals if answer and isinstance(answer.lookup, Found) else ()


def _search_within(entry: Entry, answers: Answers, service: str) -> Question | None:
    """Return the search for this article at a registry, if that has many of its journal and year; else None."""
    known = _journals_of_name(entry, answers, service)
    if not has_the_year(known, entry.year or 0):
        return None
    within = set[str]()
    for journal in known:
        within |= set(journal.issns) if service == "crossref" else {journal.id}
    return articles(service, entry, tuple(sorted(within)))
