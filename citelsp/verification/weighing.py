"""Which of the records that came back are the work that an entry means.

A record is bound before anything is compared: a search hit's rank counts for nothing, title and people decide.  The
rules are stricter for what a search found than for what the entry's own identifier leads to.
"""

from dataclasses import dataclass
from typing import Literal

from citelsp.bibliography import compare
from citelsp.bibliography.compare import Comparison
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.knowledge import Absent, Found, Record, Traced, Unavailable
from citelsp.verification.question import Answers, Kind, Question

Binding = Literal["same", "reworded", "other people", "other"]


@dataclass(frozen=True, slots=True)
class Bound:
    """A record that is the entry's work."""

    record: Record
    comparison: Comparison
    binding: Binding
    by: Kind  # of the question that found it


@dataclass(frozen=True, slots=True)
class Weighed:
    """All answers to one entry, sorted by what they mean."""

    bound: tuple[Bound, ...] = ()
    traced: tuple[Traced, ...] = ()
    near: tuple[Record, ...] = ()  # works that are not this one, nearest first
    answered: tuple[str, ...] = ()  # services that said found or absent
    unavailable: tuple[tuple[str, str], ...] = ()  # (service, why)
    searched: tuple[str, ...] = ()  # services whose title search was answered


def weigh(entry: Entry, answers: Answers) -> Weighed:
    """Sort the answers; the order in which they came does not matter."""
    ordered = sorted(answers.items(), key=lambda it: (it[0].kind == "title", it[0].service, it[0].value))
    bound: list[Bound] = []
    traced: list[Traced] = []
    others: list[tuple[float, Record]] = []
    for question, lookup in ordered:
        if question.kind != "title" and question.kind != "exists" and _is_own(entry, question):
            traced += _traced(entry, question, lookup)
        for record in lookup.records if isinstance(lookup, Found) else ():
            comparison = compare.compare(entry, record)
            binding = bind(entry, record, comparison, by_identifier=question.kind != "title")
            if binding != "other":
                bound.append(Bound(record, comparison, binding, question.kind))
            else:
                others.append((comparison.likeness, record))
    return Weighed(
        bound=_best(bound),
        traced=tuple(it for it in traced if _is_certain(it, answers)),
        near=tuple(record for _, record in sorted(others, key=lambda it: -it[0])[:5]),
        answered=tuple(dict.fromkeys(q.service for q, a in ordered if not isinstance(a, Unavailable))),
        unavailable=tuple(dict.fromkeys((q.service, a.why) for q, a in ordered if isinstance(a, Unavailable))),
        searched=tuple(q.service for q, a in ordered if q.kind == "title" and not isinstance(a, Unavailable)),
    )


def bind(entry: Entry, record: Record, comparison: Comparison, *, by_identifier: bool) -> Binding:
    """Whether a record is the entry's work, by title and people; fields are compared only afterwards."""
    people, cited = comparison.people, entry.authors
    unknown_people = not cited or not record.authors
    shared = people.shared / max(1, min(len(cited), len(record.authors)))
    length = len(words(entry.title))
    apart = abs(entry.year - record.year) if entry.year and record.year else 0
    if comparison.likeness >= 0.97:
        if unknown_people:
            return "same" if by_identifier or (length >= 5 and apart <= 2) else "other"
        if people.shared:
            return "same" if by_identifier or shared >= 0.5 or length >= 4 else "other"
        return "other people" if length >= 4 or by_identifier else "other"
    if unknown_people:
        return "reworded" if comparison.likeness >= 0.9 and (by_identifier or (length >= 6 and apart <= 1)) else "other"
    if comparison.likeness >= 0.8 and shared >= 0.5:
        return "reworded"
    if by_identifier and (comparison.likeness >= 0.55 or _details_agree(comparison)) and shared >= 0.75:
        return "reworded"
    if shared >= 0.99 and people.shared >= 2 and people.same and _details_agree(comparison) and apart <= 1:
        return "reworded"
    if comparison.likeness >= 0.9 and length >= 6 and not people.shared and apart <= 1:
        return "other people"
    return "other"


def _details_agree(comparison: Comparison) -> bool:
    """Same pages in the same volume or venue: the same place in print is the same work."""
    return comparison.outcome("pages") == "same" and "same" in (
        comparison.outcome("venue"),
        comparison.outcome("volume"),
    )


def _best(bound: list[Bound]) -> tuple[Bound, ...]:
    """Where one source or another has the very work, weaker bindings are other works of like title."""
    order: tuple[Binding, ...] = ("same", "reworded", "other people")
    best = next((it for it in order if any(one.binding == it for one in bound)), None)
    return tuple(it for it in bound if it.binding == best or it.by != "title")


def _is_own(entry: Entry, question: Question) -> bool:
    return question.value == getattr(entry.identifiers, question.kind, None)


def _traced(entry: Entry, question: Question, lookup: object) -> list[Traced]:
    """Where an identifier leads, as far as this one answer tells."""
    if isinstance(lookup, Absent):
        return [Traced(question.kind, question.value, "nowhere", question.service)]
    if not isinstance(lookup, Found):
        return []
    record = lookup.records[0]
    binding = bind(entry, record, compare.compare(entry, record), by_identifier=True)
    leads: Literal["here", "elsewhere"] = "elsewhere" if binding in ("other", "other people") else "here"
    return [Traced(question.kind, question.value, leads, question.service, record)]


def _is_certain(traced: Traced, answers: Answers) -> bool:
    """`nowhere` needs the authority: doi.org for a DOI, arXiv for its own numbers.  Other sources merely lack it."""
    if traced.leads != "nowhere" or (traced.name == "arxiv" and traced.source == "arxiv"):
        return True
    return traced.name == "doi" and isinstance(answers.get(Question("doi", "exists", traced.value)), Absent)
