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
from citelsp.bibliography.journal import Journal
from citelsp.knowledge import AGGREGATORS, Found, Unavailable
from citelsp.verification.evidence import Answers, Weighed
from citelsp.verification.question import Question, articles

REGISTRIES = ("crossref", "openalex")
MANY = 20  # works of three years, from which on a registry has the journal's works of the middle one
_LEAST_OF_THE_YEAR = 5  # works of the cited year, below which a registry lacks too many of it

_BEHIND = re.compile(r"(?<![\s,;(])[\s,;(]++(?:(?:19|20)\d\d\b|(?:vol|no|issue)\b\.?\s*\d).*$", re.IGNORECASE)
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


def questions(entry: Entry, answers: Answers, services: Collection[str]) -> list[Question]:
    """The next thing to ask of a registry about the journal of a work that nobody has; nothing once it is settled."""
    if not names_a_journal(entry):
        return []
    for service in REGISTRIES:
        if service not in services:
            continue
        asked = _asked(service, entry)
        if asked not in answers:
            return [asked]
        if search := _search_within(entry, answers, service):
            return [search] if search not in answers else []
    return []


def has_the_year(known: Collection[Journal], year: int) -> bool:
    """Whether a registry has the journal's works of that year: many of three years, and no gap in the one cited."""
    before, count, after = (_count_works(known, it) for it in (year - 1, year, year + 1))
    return count >= _LEAST_OF_THE_YEAR and before + count + after >= MANY and 2 * count >= max(before, after)


def _count_works(known: Collection[Journal], year: int) -> int:
    return sum(it.count(year) for it in known)


def coverage(entry: Entry, answers: Answers, services: Collection[str]) -> Coverage:
    """What is known of the entry's journal by these answers: of the first registry that has the cited year's works."""
    if not names_a_journal(entry):
        return Coverage()
    if questions(entry, answers, services):
        return Coverage("unasked")
    lookups = {it: answers[it].lookup for it in answers if it.kind in ("journal", "articles")}
    found: list[Journal] = []
    for service in REGISTRIES:
        known = _journals(entry, answers, service)
        found += known
        if search := _search_within(entry, answers, service):
            count = _count_works(known, entry.year or 0)
            state: State = "unheard" if isinstance(lookups[search], Unavailable) else "held"
            return Coverage(state, service, known[0].title, count)
    if silent := [it.service for it, lookup in lookups.items() if isinstance(lookup, Unavailable)]:
        return Coverage("unheard", silent[0])
    if not found:
        return Coverage("unlisted")
    fullest = max(found, key=lambda it: it.count(entry.year or 0))
    return Coverage("thin", fullest.source, fullest.title, fullest.count(entry.year or 0))


def _asked(service: str, entry: Entry) -> Question:
    """For the journal by its name, without the year, volume and number that may stand behind it."""
    return Question(service, "journal", _BEHIND.sub("", entry.venue) or entry.venue)


def _journals(entry: Entry, answers: Answers, service: str) -> tuple[Journal, ...]:
    answer = answers.get(_asked(service, entry))
    return answer.lookup.journals if answer and isinstance(answer.lookup, Found) else ()


def _search_within(entry: Entry, answers: Answers, service: str) -> Question | None:
    """The question for this article at a registry that has many of its journal and year; None if it has not."""
    known = _journals(entry, answers, service)
    if not has_the_year(known, entry.year or 0):
        return None
    within = set[str]()
    for journal in known:
        within |= set(journal.issns) if service == "crossref" else {journal.id}
    return articles(service, entry, tuple(sorted(within)))
