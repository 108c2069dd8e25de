"""Which of the records that came back are the work that an entry means.

A record is bound before anything is compared: a search hit's rank counts for nothing, title and people decide.  The
rules are stricter for what a search found than for what the entry's own identifier leads to.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal

from citelsp.bibliography import authors, compare, titles, venues
from citelsp.bibliography.compare import Comparison
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import squeezed, words
from citelsp.bibliography.identifiers import normal_arxiv
from citelsp.bibliography.record import Record
from citelsp.knowledge import Absent, Found, Lookup, Traced, Unavailable
from citelsp.verification import publications
from citelsp.verification.publications import Publication
from citelsp.verification.question import Kind, Question

Binding = Literal["same", "reworded", "other people", "other"]
_TELLING = 12  # letters of a title that is seldom part of another
_LIKE = 0.55  # titles less alike than this are no candidates for one another
ARXIV_DOI = "10.48550/arxiv."
_BOOKS = frozenset("book mvbook collection mvcollection".split())
_PAPERS = frozenset("article inproceedings conference".split())
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_REGISTRARS = frozenset({"crossref", "datacite", "arxiv", "europepmc", "openlibrary"})


@dataclass(frozen=True, slots=True)
class Bound:
    """A record that is the entry's work."""

    record: Record
    comparison: Comparison
    binding: Binding
    by: Kind  # the entry's identifier that leads to it, else "title"
    cited_as: str = ""  # the entry's kind; `software` too for what a group brings out
    cited_in: bool = False  # the entry says where the work was published, if only by pages in a volume
    publication: Publication = "cited"

    @property
    def is_elsewhere(self) -> bool:
        """Of another publication of the work than the cited one."""
        return self.publication in ("another", "reprint")

    @property
    def tells_where(self) -> bool:
        """Whether what it says of time and place can contradict the entry."""
        return self.publication in ("cited", "unsure")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one service said, its records already compared with the entry."""

    lookup: Lookup
    bound: tuple[Bound, ...] = ()
    others: tuple[tuple[float, Record], ...] = ()  # with how near they are
    traced: Traced | None = None


Answers = Mapping[Question, Answer]


@dataclass(frozen=True, slots=True)
class Weighed:
    """All answers to one entry, sorted by what they mean."""

    bound: tuple[Bound, ...] = ()
    traced: tuple[Traced, ...] = ()
    near: tuple[Record, ...] = ()  # works of a like title or of the same people that are not this one, nearest first
    answered: tuple[str, ...] = ()  # services that said found or absent
    unavailable: tuple[tuple[str, str], ...] = ()  # (service, why)
    searched: tuple[str, ...] = ()  # services whose title search was answered


def judge(entry: Entry, question: Question, lookup: Lookup) -> Answer:
    """An answer with its records compared; to be done once for each, as comparing costs more than all the rest."""
    by = own(entry, question) or "title"
    bound, others = [], []
    for recorded in lookup.records if isinstance(lookup, Found) else ():
        record = _as_called(entry, recorded)
        comparison = compare.compare(entry, record)
        binding = bind(entry, record, comparison, by_identifier=by != "title")
        if binding == "other":
            others.append((_nearness(comparison), record))
        else:
            weighed_so = binding != "other people" and _is_of_the_work(by, comparison)
            publication = publications.which(record, comparison, entry.kind) if weighed_so else "cited"
            bound.append(Bound(record, comparison, binding, by, _kind(entry), _says_where(entry), publication))
    return Answer(lookup, tuple(bound), tuple(others), _traced(entry, question, lookup, bound))


def _kind(entry: Entry) -> str:
    """As `software`, what a group keeps bringing out under one name."""
    return "software" if entry.kind == "misc" and authors.are_teams(entry.authors) else entry.kind


def _as_called(entry: Entry, record: Record) -> Record:
    """The record under the one of its titles that the entry gives."""
    if not record.other_titles:
        return record
    alike = (it for it in (record.title, *record.other_titles) if titles.compare(entry.title, it) in ("same", "looser"))
    return replace(record, title=next(alike, record.title))


def _is_of_the_work(by: Kind, comparison: Comparison) -> bool:
    """Not led to by the cited publication's own identifier; an arXiv id leads aggregators to print of any place."""
    if by in ("title", "arxiv"):
        return by == "title" or comparison.outcome("venue") == "different"
    return publications.is_printed_twice(comparison)


def weigh(answers: Answers) -> Weighed:
    """Sort the answers; the order in which they came does not matter."""
    ordered = sorted(answers.items(), key=lambda it: (it[0].is_search, it[0].service, it[0].kind, it[0].value))
    traced = [it.traced for _, it in ordered if it.traced]
    others = sorted((it for _, answer in ordered for it in answer.others if it[0] >= _LIKE), key=lambda it: -it[0])
    lookups = [(question, answer.lookup) for question, answer in ordered]
    return Weighed(
        bound=_without_reprints(_by_doi(_best([it for _, answer in ordered for it in answer.bound]))),
        traced=tuple(it for it in traced if _is_certain(it, traced, answers)),
        near=tuple(record for _, record in others[:8]),
        answered=tuple(dict.fromkeys(q.service for q, it in lookups if not isinstance(it, Unavailable))),
        unavailable=tuple(dict.fromkeys((q.service, it.why) for q, it in lookups if isinstance(it, Unavailable))),
        searched=tuple(q.service for q, it in lookups if q.kind == "title" and not isinstance(it, Unavailable)),
    )


def _nearness(comparison: Comparison) -> float:
    """A work of the very people from the same year and venue may be meant, whatever its title."""
    people = comparison.people
    known = people.same and people.shared >= 2 and comparison.outcome("year") in ("same", "looser")
    return comparison.likeness + (0.5 if known else 0) + (0.2 if known and comparison.outcome("venue") == "same" else 0)


def names_itself(entry: Entry) -> bool:
    """True if an entry says which work it means and nothing else, as a citation by identifier does."""
    known = entry.identifiers
    return not entry.title and not entry.authors and bool(known.doi or known.arxiv or known.pmid or known.isbn)


def bind(entry: Entry, record: Record, comparison: Comparison, *, by_identifier: bool) -> Binding:
    """Whether a record is the entry's work, by title and people; fields are compared only afterwards."""
    if names_itself(entry):
        return "same"
    people, cited = comparison.people, compare.readable(entry)
    unknown_people = comparison.outcome("authors") == "unknown"
    shared = people.shared / max(1, min(len(cited), len(record.authors)))
    title = comparison.fields[0]
    length = min(len(words(it)) for it in (title.cited, title.recorded))  # `Mind the gap` is no one's alone
    apart = abs(entry.year - record.year) if entry.year and record.year else 0
    if not by_identifier and comparison.likeness < 1 and _other_part(title.cited, title.recorded):
        return "other"
    if not (by_identifier or people.shared) and _is_review(entry, record):
        return "other"
    if not by_identifier and (discusses(title.cited, title.recorded) or discusses(title.recorded, title.cited)):
        return "other"
    if comparison.likeness >= titles.LIKE:
        if unknown_people and not people.shared:
            return "same" if by_identifier or (length >= 5 and apart <= 2) else "other"
        if people.shared:
            return "same" if by_identifier or shared >= 0.5 or length >= 4 else "other"
        return "other people" if by_identifier or (length >= 4 and _is_paper(entry)) else "other"
    if unknown_people:
        return "reworded" if comparison.likeness >= 0.9 and (by_identifier or (length >= 6 and apart <= 1)) else "other"
    if comparison.likeness >= 0.8 and shared >= 0.5:
        return "reworded"
    if by_identifier and (comparison.likeness >= 0.55 or _details_agree(comparison)) and shared >= 0.75:
        return "reworded"
    they = shared >= 0.99 and people.same and apart <= 1
    if people.same and shared >= 0.99 and _is_at_the_place(comparison):
        return "reworded"
    begun = _begins(title.cited, title.recorded) or _begins(title.recorded, title.cited)
    if they and ((people.shared >= 2 and _details_agree(comparison)) or (by_identifier and begun)):
        return "reworded"
    if by_identifier and title.outcome == "unknown" and shared >= 0.75 and apart <= 1:  # in another language
        return "reworded"
    if comparison.likeness >= 0.9 and length >= 6 and not people.shared and apart <= 1:
        return "other people" if by_identifier or _is_paper(entry) else "other"
    return "other"


def _is_paper(entry: Entry) -> bool:
    """Papers seldom share a title; books, their chapters, reports, data and web pages do, as they name a subject."""
    is_page = bool(entry.identifiers.url) and not (entry.venue or entry.identifiers)
    return not is_page and (entry.kind in _PAPERS or venues.is_preprint_server(entry.venue))


def _is_review(entry: Entry, record: Record) -> bool:
    """An article of a book's title by other people is about the book."""
    return entry.kind in _BOOKS and record.type in ("article-journal", "review", "review-book")


def _other_part(cited: str, recorded: str) -> bool:
    """Numbers of the parts of a series, and years of what comes yearly, which the other title has nowhere."""
    mine, its = (titles.part_numbers(it) | set(_YEAR.findall(it)) for it in (cited, recorded))
    return any(_is_missing(it, recorded) for it in mine - its) or any(_is_missing(it, cited) for it in its - mine)


def _is_missing(number: str, title: str) -> bool:
    """Neither in Roman nor in Arabic numerals."""
    return number not in map(titles.arabic, words(title))


def _begins(short: str, whole: str) -> bool:
    """A title that was cut off on its way, as at the first brace of a formula, or lacks its subtitle."""
    short = squeezed(titles.without_markup(short))
    return len(short) >= 5 and squeezed(titles.without_markup(whole)).startswith(short)


def _details_agree(comparison: Comparison) -> bool:
    """Same pages in the same volume or venue: the same place in print is the same work."""
    return comparison.outcome("pages") == "same" and "same" in (
        comparison.outcome("venue"),
        comparison.outcome("volume"),
    )


def _is_at_the_place(comparison: Comparison) -> bool:
    """At those pages of that venue of that year stands one work, even of somebody who has written others."""
    same = all(comparison.outcome(it) == "same" for it in ("venue", "year", "pages"))
    return same and not publications.counts_from_one(comparison.field("pages").cited)


def _best(bound: list[Bound]) -> tuple[Bound, ...]:
    """If one source or another has the very work, weaker bindings are other works of like title.

    Not if it has the work under the very DOI, and names nobody: that record is silent on whose work it is.
    """
    order: tuple[Binding, ...] = ("same", "reworded", "other people")
    best = next((it for it in order if any(one.binding == it for one in bound)), None)
    nameless = {it.record.identifiers.doi for it in bound if it.binding == best and not it.record.authors} - {""}
    certain = (it.binding == best or it.by != "title" or it.record.identifiers.doi in nameless for it in bound)
    return tuple(compress(bound, certain))


def _by_doi(bound: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """A DOI is of one publication: who does not say where it came out has it from where others say that it did."""
    elsewhere = {it.record.identifiers.doi: it.publication for it in bound if it.is_elsewhere}
    places = (elsewhere.get(it.record.identifiers.doi) if it.record.identifiers.doi else None for it in bound)
    silent = (it.publication == "unsure" and it.comparison.outcome("venue") == "unknown" for it in bound)
    joined = zip(bound, places, silent, strict=True)
    return tuple(replace(it, publication=place) if place and is_silent else it for it, place, is_silent in joined)


def _without_reprints(bound: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """DBLP lists every printing in the venues that it holds: if it has the work, and not that one, there is none."""
    listed = [it for it in bound if it.record.source == "dblp" and it.record.type != "preprint"]
    if not listed or not all(it.publication == "reprint" and _is_in_dblp(it) for it in listed):
        return bound
    return tuple(replace(it, publication="unsure") if it.publication == "reprint" else it for it in bound)


def _is_in_dblp(bound: Bound) -> bool:
    return venues.is_of_computing(bound.comparison.field("venue").cited)


def _says_where(entry: Entry) -> bool:
    place = compare.named_place(entry)
    return not venues.is_preprint_server(place) if place else bool(entry.text("volume") and entry.text("pages"))


def own(entry: Entry, question: Question) -> Kind | None:
    """Which of the entry's own identifiers is asked about; an arXiv id also under its DOI."""
    known = entry.identifiers
    if question.kind == "doi" and known.arxiv and question.value == ARXIV_DOI + known.arxiv:
        return "arxiv"
    value = normal_arxiv(question.value) if question.kind == "arxiv" else question.value
    return question.kind if value and value == getattr(known, question.kind, "") else None


def _traced(entry: Entry, question: Question, lookup: Lookup, bound: list[Bound]) -> Traced | None:
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


def discusses(notice: str, title: str) -> bool:
    """A comment on that article or a correction of it, which journals may print under the article's own DOI."""
    about, whole = titles.about(notice), squeezed(title)
    quoted = len(whole) >= _TELLING and whole in squeezed(about)  # `Comment on “A Study” by A. Ada`
    return bool(about) and (quoted or titles.compare(about, title) in ("same", "looser"))


def _is_certain(traced: Traced, all_traced: list[Traced], answers: Answers) -> bool:
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
