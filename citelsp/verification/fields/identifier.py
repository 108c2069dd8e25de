"""The identifier leads elsewhere, or nowhere."""

import re
from typing import Literal

from citelsp.bibliography import compare, titles, venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import squeezed, words
from citelsp.bibliography.record import Record
from citelsp.knowledge import Absent, Lookup, Traced, Unavailable
from citelsp.verification.binding import discusses
from citelsp.verification.evidence import Answers, Bound, own
from citelsp.verification.question import Question

_REGISTRARS = frozenset({"crossref", "datacite", "arxiv", "europepmc", "openlibrary"})


def trace(entry: Entry, question: Question, lookup: Lookup, bound: list[Bound]) -> Traced | None:
    """Where one of the entry's own identifiers leads, as far as this one answer tells."""
    name = own(entry, question)
    if name is None or isinstance(lookup, Unavailable):
        return None
    value = getattr(entry.identifiers, name)
    if isinstance(lookup, Absent):
        return Traced(name, value, "nowhere", question.service) if _is_claimed(entry, name) else None
    here = any(_is_here(it) or _is_run_together(it) for it in bound)
    leads: Literal["here", "elsewhere"] = "here" if here else "elsewhere"
    if leads == "elsewhere" and _is_excused(entry, name, lookup.records[0]):
        return None
    return Traced(name, value, leads, question.service, lookup.records[0])


def _is_here(bound: Bound) -> bool:
    """The work itself; if nobody is an author of it who is cited, one of the same title, year and place.

    Instead of the place, people of the same family names will do: given names are mangled on the way.
    """
    agreed = (bound.comparison.outcome(name) for name in ("year", "venue", "pages"))
    same = bound.comparison.outcome("title") == "same" and len(words(bound.record.title)) >= 4
    people = bound.comparison.people
    namesakes = {squeezed(it.family) for it, _ in people.replaced} & {squeezed(it.family) for _, it in people.replaced}
    return bound.binding != "other people" or (same and (bool(namesakes) or list(agreed).count("same") >= 2))


def _is_run_together(bound: Bound) -> bool:
    """The very title and year, by people whose names stand in the entry without gaps: `Yiwei CaoRalf Klamma`."""
    same = bound.comparison.outcome("title") == bound.comparison.outcome("year") == "same"
    families = [squeezed(it.family) for it in bound.record.authors]
    written = squeezed(bound.comparison.field("authors").cited)
    return same and len(families) >= 2 and all(len(it) >= 3 and it in written for it in families)


def _is_excused(entry: Entry, name: str, record: Record) -> bool:
    """A comment under its article's DOI, a part under its volume's; a book that libraries call otherwise.

    Nor what has the title within its own, where its series is named, or an earlier title of the same people.
    """
    if discusses(entry.title, record.title) or _is_the_whole(entry.venue, record.title):
        return True
    if titles.are_in_two_scripts(entry.title, record.title):
        return True
    shared = compare.compare(entry, record).people.shared > 0
    if _is_within(entry.title, record.title, 2 if shared else 5):
        return True
    return name == "isbn" and (shared or not record.authors)


def _is_within(title: str, other: str, least: int) -> bool:
    """Whether one title is a part of the other, of so many words at least."""
    short, whole = sorted((words(titles.without_markup(it)) for it in (title, other)), key=len)
    starts = range(len(whole) - len(short) + 1)
    return least <= len(short) < len(whole) and any(whole[it : it + len(short)] == short for it in starts)


def _is_the_whole(venue: str, title: str) -> bool:
    return titles.compare(venue, title) in ("same", "looser") or venues.compare(venue, [title]) == "same"


def _is_claimed(entry: Entry, name: str) -> bool:
    """Whether the entry says that it is one: a number in a publisher's address need be no DOI."""
    return (
        name != "doi"
        or bool(entry.own.get("doi"))
        or any(re.search(r"doi(?:\.org|:)", it) for it in entry.own.values())
    )


def is_certain(traced: Traced, all_traced: list[Traced], answers: Answers) -> bool:
    """An identifier goes astray by the word of its registrar, and if no source leads from it to the work.

    Other sources merely lack it, or hold another work's record under it.
    """
    if traced.leads == "here":
        return True
    if any(it.leads == "here" and it.name == traced.name for it in all_traced):
        return False
    if traced.leads == "elsewhere":
        return traced.source in _REGISTRARS
    if traced.name == "arxiv":
        return traced.source == "arxiv"
    exists = answers.get(Question("doi", "exists", traced.value))
    return traced.name == "doi" and exists is not None and isinstance(exists.lookup, Absent)
