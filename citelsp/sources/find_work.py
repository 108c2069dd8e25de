"""Which work a title or a reference means: the services' hits merged, compared with the question, and weighed.

A service's own ranking is never trusted: a hit counts for what its title, authors and year say.
"""

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from citelsp.bibliography.fold import words
from citelsp.bibliography.merge_records import fuse, merge
from citelsp.bibliography.record import Record
from citelsp.bibliography.same_work import group_records
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.bibliography.tolerant_comparison.same_person import same_person
from citelsp.knowledge import Candidate, Found, Lookup, Unavailable
from citelsp.sources.reference_query import ReferenceQuery

CONFIDENT = 0.8  # the probability from which on a work counts as the one meant
_ENOUGH = math.log(CONFIDENT / (1 - CONFIDENT))  # the same in log odds, which is what evidence is counted in
# Log odds taken from a title without authors and year, given back for each further service that knows the work, and
# taken for each that answered without it.
_BARE_TITLE, _PER_SOURCE, _PER_SILENT = 1.7, 0.9, 0.45
_LEAST = 0.02  # the probability below which a hit has nothing to do with the question
_LEAST_LIKENESS = 0.5  # of titles, below which a hit is not compared further
_FUSION = 60  # of reciprocal rank fusion, by Cormack, Clarke and Büttcher, who proposed it (SIGIR 2009)
_NO_WORKS = frozenset({"review", "dataset", "component", "journal-issue"})
# Points by words of a title, which are taken from it: short ones name many works.
_SHORT_TITLES = {0: 4.0, 1: 3.0, 2: 2.0, 3: 0.8}
# Points for the likeness of titles from which on they are given; and for less.
_BY_LIKENESS, _UNLIKE = ((0.96, 1.5), (0.92, 0.8), (0.86, -0.5), (0.78, -2.0)), -5.0
# Points for so many years between reference and record; for a few more; and for any more.
_BY_YEARS_APART, _SOME_YEARS, _MANY_YEARS = {0: 1.0, 1: 0.3, 2: -0.3}, -1.2, -3.0


def rank(question: ReferenceQuery, lookups: Iterable[Lookup]) -> list[Candidate]:
    """List every work in the answers with the probability that it is the one meant, the likeliest first.

    Hits of one work are merged.  Left out is what has nothing to do with the question: a title less like than
    _LEAST_LIKENESS, and a work less likely than _LEAST.
    """
    # A service that answered without a work speaks against it; one that could not be asked does not.
    answered = [lookup for lookup in lookups if not isinstance(lookup, Unavailable)]
    services = {lookup.source for lookup in answered}
    near: list[Record] = []
    for lookup in answered:
        if isinstance(lookup, Found):
            # Crossref's first hits are often nonsense; without them there is far less to compare and merge.
            near += [record for record in lookup.records if _likeness(question, record) >= _LEAST_LIKENESS]
    candidates = [_candidate(question, work, services) for work in merge(near)]
    possible = [it for it in candidates if (it.probability or 0.0) >= _LEAST]
    # Of equally likely ones a publication comes before a preprint.
    return sorted(possible, key=lambda it: (-(it.probability or 0), it.record.type == "preprint"))


def is_settled(question: ReferenceQuery, candidates: Sequence[Candidate]) -> bool:
    """Whether asking further services would hardly change which work is meant; candidates come likeliest first.

    Of a title alone: if the first candidate alone has enough evidence, as two works may have one title.
    """
    if not candidates:
        return False
    if _is_bare(question):
        meant = [it for it in candidates if _evidence(question, it.record, len(it.origins)) >= _ENOUGH]
        return meant == [candidates[0]]
    return (candidates[0].probability or 0.0) >= CONFIDENT


def is_titled(title: str, work: Record) -> bool:
    """The title names this work and says enough to name one."""
    return _title_evidence(ReferenceQuery(title), work) >= _ENOUGH


def list_candidates(lookups: Iterable[Lookup]) -> list[Candidate]:
    """List every work in the answers to words that name no single work, the one that services put highest first.

    They are ordered by reciprocal rank fusion: a work gets 1 / (_FUSION + place) points from each service that has it.
    Their probability is None: how likely a work is meant is not asked here.
    """
    place_of: dict[int, int] = {}  # in its service's answer, from 0, by the record's identity
    records: list[Record] = []
    for lookup in lookups:
        if isinstance(lookup, Found):
            records += lookup.records
            place_of |= {id(record): place for place, record in enumerate(lookup.records)}
    records.sort(key=lambda record: place_of[id(record)])

    def score(group: Sequence[Record]) -> float:
        return sum(1 / (_FUSION + place_of[id(record)]) for record in group)

    groups = sorted(group_records(records), key=score, reverse=True)
    candidates = []
    for group in groups:
        sources = dict.fromkeys(record.source for record in group)
        candidates.append(Candidate(fuse(group), None, tuple(sources)))
    return candidates


def _candidate(question: ReferenceQuery, work: Record, services: AbstractSet[str]) -> Candidate:
    """Make a candidate of a work, with its probability; `services` are those that answered, which know it or do not."""
    every_source = dict.fromkeys(source for names in work.origins.values() for source in names)
    origins = tuple(every_source) or (work.source,)
    silent = services - set(origins)
    chance = probability(question, work, sources=len(origins), silent=len(silent))
    return Candidate(work, round(chance, 3), origins)


def probability(question: ReferenceQuery, work: Record, sources: int = 1, silent: int = 0) -> float:
    """Return how likely the question means this work: a logistic sum of evidence, weighed on recorded answers.

    So many `sources` know the work, so many `silent` ones answered without it.  If a title is all that is known, one
    service's word is not enough to be confident: reference lists give real titles to other people.  Only then the
    `silent` ones count.
    """
    if _is_bare(question):
        # The sources count here by _PER_SOURCE, so the evidence is summed up as if one alone had the work.
        doubt = _BARE_TITLE - _PER_SOURCE * (sources - 1) + _PER_SILENT * silent
        return 1 / (1 + math.exp(doubt - _evidence(question, work, 1)))
    return 1 / (1 + math.exp(-_evidence(question, work, sources)))


def _is_bare(question: ReferenceQuery) -> bool:
    return bool(question.title) and not question.authors and question.year is None


def _evidence(question: ReferenceQuery, work: Record, sources: int) -> float:
    """Sum up, in log odds, what speaks for a work that so many sources know; what speaks against it is negative."""
    return (
        _title_evidence(question, work)
        + _author_evidence(question, work)
        + _year_evidence(question, work)
        + min(1.0, 0.5 * (sources - 1))
        - (2.0 if work.type in _NO_WORKS else 0.0)
    )


def _likeness(question: ReferenceQuery, work: Record) -> float:
    """Return from 0 to 1 how like the work's title is to the one asked for.

    If the question has a text instead, it is the share of the title's words that stand side by side in the text.
    """
    if question.title:
        return titles.likeness(question.title, work.title)
    text = words(question.text)
    title = words(work.title)
    return _longest_run(text, title) / len(title) if title else 0.0


def _longest_run(text: Sequence[str], title: Sequence[str]) -> int:
    """The most words of the title that stand side by side in the text."""
    longest = 0
    # How many words up to each place of the title end at the present word of the text; before the first place, none.
    runs = [0] * (len(title) + 1)
    for word in text:
        runs = [0, *(runs[place] + 1 if word == title_word else 0 for place, title_word in enumerate(title))]
        longest = max(longest, *runs)
    return longest


def _title_evidence(question: ReferenceQuery, work: Record) -> float:
    """Points for a title that is alike; less for short ones, which name many works: “Introduction”, “Deep learning”."""
    likeness = _likeness(question, work)
    if question.title:
        # "same", "looser" if one lacks a subtitle, remarks or formulas, "different", or "unknown" if one is empty.
        outcome = titles.compare(question.title, work.title)
        points_of = {"same": 3.0, "looser": 0.7}
        points = points_of[outcome] if outcome in points_of else _points_for_likeness(likeness)
    else:
        # A part of a title within a text says a little less than a title that is alike.
        points = 2.0 if likeness == 1.0 else _points_for_likeness(likeness - 0.05)
    return points - _SHORT_TITLES.get(len(words(work.title)), 0.0)


def _points_for_likeness(likeness: float) -> float:
    return next((points for least, points in _BY_LIKENESS if likeness >= least), _UNLIKE)


def _author_evidence(question: ReferenceQuery, work: Record) -> float:
    """Give points, in log odds, for how well the cited authors agree with the work's; other people speak against it.

    From -4 if none is shared to 2.5 if all are and the first is the same; half of the shorter list shared count 0, or 1
    with the first, fewer -3.5.  If nobody is cited by a family name, the question's text is searched for the work's
    authors instead.
    """
    cited = [name for name in question.authors if name.family]
    if not cited:
        return _evidence_of_text(question, work)
    if not work.authors:
        return -0.5  # nothing agrees, and nobody else is named
    shared = sum(any(same_person(name, author) for author in work.authors) for name in cited)
    if not shared:
        return -4.0
    # Of the shorter list, as references cut lists of people with “and others” and services cut long ones.
    # Two that are cited may be the same author, as “Wang, X.” twice among ten: that makes no more than all.
    share = min(shared / min(len(cited), len(work.authors)), 1.0)
    if share < 0.5:  # most of the people are others: hardly better than none shared
        return -3.5
    for_first = 1.0 if same_person(cited[0], work.authors[0]) else 0.0
    return for_first + 3.0 * (share - 0.5)


def _evidence_of_text(question: ReferenceQuery, work: Record) -> float:
    """A point if the first author's name stands beside the title in a whole reference."""
    if not question.text or not work.authors:
        return 0.0
    beside_title = set(words(question.text)) - set(words(work.title))
    return 1.0 if set(words(work.authors[0].family)) & beside_title else 0.0


def _year_evidence(question: ReferenceQuery, work: Record) -> float:
    """Points for the year; none if the reference or the record has none."""
    if question.year is None or not work.years:
        return 0.0
    # Preprint, online first and print are years apart, so the nearest of a record's years counts, and one off is usual.
    apart = min(abs(question.year - year) for year in work.years)
    return _BY_YEARS_APART.get(apart, _SOME_YEARS if apart <= 4 else _MANY_YEARS)
