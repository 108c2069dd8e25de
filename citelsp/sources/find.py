"""Which work a title or a reference means: the services' hits merged, compared with the question, and weighed.

A service's own ranking is never trusted: a hit counts for what its title, authors and year say.
"""

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from citelsp.bibliography import titles
from citelsp.bibliography.authors import same_person
from citelsp.bibliography.fold import words
from citelsp.bibliography.merge import fused, merge
from citelsp.bibliography.record import Record
from citelsp.bibliography.same_work import grouped
from citelsp.knowledge import Candidate, Found, Lookup, Unavailable
from citelsp.sources.reference_query import ReferenceQuery

CONFIDENT = 0.8
_ENOUGH = math.log(CONFIDENT / (1 - CONFIDENT))
_UNCERTAIN, _AGREEING, _SILENT = 1.7, 0.9, 0.45  # of a title without authors and year; of each service about it
_LEAST = 0.02  # below, a hit has nothing to do with the question
_NEAR = 0.5  # likeness of titles below which a hit is not compared further
_FUSION = 60  # of reciprocal rank fusion, by Cormack, Clarke and Büttcher, who proposed it (SIGIR 2009)
_NO_WORKS = frozenset({"review", "dataset", "component", "journal-issue"})


def rank(question: ReferenceQuery, lookups: Iterable[Lookup]) -> list[Candidate]:
    """Every work in the answers with the probability that it is the one meant, the likeliest first."""
    answered = [lookup for lookup in lookups if not isinstance(lookup, Unavailable)]
    services = {lookup.source for lookup in answered}
    near: list[Record] = []
    for lookup in answered:
        if isinstance(lookup, Found):
            # Crossref's first hits are often nonsense; without them there is far less to compare and merge.
            near += [record for record in lookup.records if _alike(question, record) >= _NEAR]
    candidates = [_candidate(question, work, services) for work in merge(near)]
    offered = filter(_offered, candidates)
    return sorted(offered, key=lambda it: (-(it.probability or 0), it.record.type == "preprint"))


def settled(question: ReferenceQuery, candidates: Sequence[Candidate]) -> bool:
    """Asking further services would not change which work is meant; of a title alone, no two works may have it."""
    if not candidates:
        return False
    if _is_bare(question):
        meant = [it for it in candidates if _evidence(question, it.record, len(it.origins)) >= _ENOUGH]
        return meant[:1] == [candidates[0]] and len(meant) == 1
    return (candidates[0].probability or 0.0) >= CONFIDENT


def is_titled(title: str, work: Record) -> bool:
    """The title names this work and says enough to name one."""
    return _title_evidence(ReferenceQuery(title), work) >= _ENOUGH


def listed(lookups: Iterable[Lookup]) -> list[Candidate]:
    """Every work in the answers to words that name no single work: by reciprocal rank over the services."""
    places: dict[int, int] = {}  # in its service's answer, by the record's identity
    records: list[Record] = []
    for lookup in lookups:
        if isinstance(lookup, Found):
            records += lookup.records
            places |= {id(record): place for place, record in enumerate(lookup.records)}
    records.sort(key=lambda record: places[id(record)])

    def score(group: Sequence[Record]) -> float:
        return sum(1 / (_FUSION + places[id(record)]) for record in group)

    groups = sorted(grouped(records), key=score, reverse=True)
    candidates = []
    for group in groups:
        sources = dict.fromkeys(record.source for record in group)
        candidates.append(Candidate(fused(group), None, tuple(sources)))
    return candidates


def _offered(candidate: Candidate) -> bool:
    return (candidate.probability or 0.0) >= _LEAST


def _candidate(question: ReferenceQuery, work: Record, services: AbstractSet[str]) -> Candidate:
    origins = tuple(dict.fromkeys(source for names in work.origins.values() for source in names)) or (work.source,)
    silent = len(services - set(origins))
    return Candidate(work, round(probability(question, work, len(origins), silent), 3), origins)


def probability(question: ReferenceQuery, work: Record, sources: int = 1, silent: int = 0) -> float:
    """How likely the question means this work; a logistic sum of what speaks for it, weighed on recorded answers.

    `sources` know the work, `silent` answered without it.  If a title is all that is known, one service's word is
    not enough to be confident: reference lists give real titles to other people.
    """
    if _is_bare(question):
        doubt = _UNCERTAIN - _AGREEING * (sources - 1) + _SILENT * silent
        return 1 / (1 + math.exp(doubt - _evidence(question, work, 1)))
    return 1 / (1 + math.exp(-_evidence(question, work, sources)))


def _is_bare(question: ReferenceQuery) -> bool:
    return bool(question.title) and not question.authors and question.year is None


def _evidence(question: ReferenceQuery, work: Record, sources: int) -> float:
    return (
        _title_evidence(question, work)
        + _author_evidence(question, work)
        + _year_evidence(question, work)
        + min(1.0, 0.5 * (sources - 1))
        - (2.0 if work.type in _NO_WORKS else 0.0)
    )


def _alike(question: ReferenceQuery, work: Record) -> float:
    """Likeness to the title asked for; in a longer text, the share of the title's words that stand there in order."""
    if question.title:
        return titles.likeness(question.title, work.title)
    asked = words(question.text)
    title = words(work.title)
    return 0.0 if not title else _longest_run(asked, title) / len(title)


def _longest_run(text: Sequence[str], title: Sequence[str]) -> int:
    """The most words of the title that stand side by side in the text."""
    best = 0
    row = [0] * (len(title) + 1)
    for word in text:
        row = [0, *(row[place] + 1 if word == its else 0 for place, its in enumerate(title))]
        best = max(best, *row)
    return best


def _title_evidence(question: ReferenceQuery, work: Record) -> float:
    """Points for a title that is alike; less for short ones, which name many works: “Introduction”, “Deep learning”."""
    alike = _alike(question, work)
    outcome = titles.compare(question.title, work.title) if question.title else ""
    if outcome == "same":
        score = 3.0
    elif outcome == "looser":
        score = 0.7
    elif outcome:
        score = _order_by_likeness(alike)
    else:
        score = 2.0 if alike == 1.0 else _order_by_likeness(alike - 0.05)
    by_length = {0: 4.0, 1: 3.0, 2: 2.0, 3: 0.8}
    return score - by_length.get(len(words(work.title)), 0.0)


def _order_by_likeness(alike: float) -> float:
    steps = ((0.96, 1.5), (0.92, 0.8), (0.86, -0.5), (0.78, -2.0))
    return next((score for least, score in steps if alike >= least), -5.0)


def _author_evidence(question: ReferenceQuery, work: Record) -> float:
    """Points for authors that agree, most of them negative: people who are not the work's speak against it."""
    cited = [name for name in question.authors if name.family]
    if not cited:
        return _named_in_text(question, work)
    if not work.authors:
        return -0.5
    shared = sum(any(same_person(name, author) for author in work.authors) for name in cited)
    if not shared:
        return -4.0
    # Of the shorter list, as references cut lists of people with “and others” and services cut long ones.
    share = shared / min(len(cited), len(work.authors))
    if share < 0.5:
        return -3.5
    for_first = 1.0 if same_person(cited[0], work.authors[0]) else 0.0
    return for_first + 3.0 * (share - 0.5)


def _named_in_text(question: ReferenceQuery, work: Record) -> float:
    """What it counts that the first author's name stands beside the title in a whole reference."""
    if not question.text or not work.authors:
        return 0.0
    asked = set(words(question.text)) - set(words(work.title))
    return 1.0 if set(words(work.authors[0].family)) & asked else 0.0


def _year_evidence(question: ReferenceQuery, work: Record) -> float:
    if question.year is None or not work.years:
        return 0.0
    # Preprint, online first and print are years apart, so the nearest of a record's years counts, and one off is usual.
    apart = min(abs(question.year - year) for year in work.years)
    return {0: 1.0, 1: 0.3, 2: -0.3}.get(apart, -1.2 if apart <= 4 else -3.0)
