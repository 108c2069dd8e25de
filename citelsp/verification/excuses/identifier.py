"""The identifier leads elsewhere, or nowhere."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import bare_letters, words
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles, venue_names
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from citelsp.knowledge import Absent, Lookup, Traced, Unavailable
from citelsp.verification.binding import discusses
from citelsp.verification.evidence import Answers, Bound, find_own_identifier
from citelsp.verification.question import Kind, Question
from citelsp.verification.untitled import has_no_title

_WHOLE_BOOKS = frozenset({"book", "collection", "mvbook"})
_REGISTRARS = frozenset({"crossref", "datacite", "arxiv", "europepmc", "openlibrary"})


def pmid_beside_a_doi_is_not_looked_up(entry: Entry) -> bool:
    """A PubMed id beside a DOI is not looked up."""
    own = entry.identifiers
    return bool(own.pmid and own.doi)


def isbn_is_looked_up_of_books_alone(entry: Entry) -> bool:
    """An ISBN is looked up only if the entry is a book, and has neither a DOI nor an arXiv id."""
    own = entry.identifiers
    is_asked = entry.kind in _WHOLE_BOOKS and not (own.doi or own.arxiv)
    return bool(own.isbn) and not is_asked


UNASKED = (pmid_beside_a_doi_is_not_looked_up, isbn_is_looked_up_of_books_alone)


@dataclass(frozen=True, slots=True)
class Trail:
    """Where an identifier leads, and the rule by which that is not held against the entry."""

    traced: Traced | None = None
    excuse: str = ""


@dataclass(frozen=True, slots=True)
class Lead:
    """One of the entry's identifiers, and the record of another work to which it leads."""

    entry: Entry
    name: Kind
    record: Record


def trace(entry: Entry, question: Question, lookup: Lookup, bound: list[Bound]) -> Trail:
    """Tell where one of the entry's own identifiers leads by this one answer: here, elsewhere, or nowhere.

    `bound` are the answer's records of the entry's work.  The trail is empty if the question is about no identifier of
    the entry, or was not answered, or if the service lacks it and the entry hardly claims it (`_is_claimed`).  If
    a rule of EXCUSES allows the identifier to lead elsewhere, the trail holds the rule's name alone.
    """
    name = find_own_identifier(entry, question)
    if name is None or isinstance(lookup, Unavailable):
        return Trail()
    service = question.service
    value = getattr(entry.identifiers, name)
    if isinstance(lookup, Absent):
        return Trail(Traced(name, value, "nowhere", service)) if _is_claimed(entry, name) else Trail()
    # An identifier is of one work.  What is found by a control, or by another kind of question, as `exists`, may have
    # no record; but `name` is None then.
    record = lookup.records[0]
    if any(_is_here(it) or _is_run_together(it) for it in bound):
        return Trail(Traced(name, value, "here", service, record))
    lead = Lead(entry, name, record)
    for excuse in EXCUSES:
        if excuse(lead):
            return Trail(excuse=excuse.__name__)
    return Trail(Traced(name, value, "elsewhere", service, record))


def belongs_to_the_article_it_is_about(lead: Lead) -> bool:
    """A comment or correction may stand under the identifier of the article that it is about."""
    return discusses(lead.entry.title, lead.record.title)


def belongs_to_the_whole(lead: Lead) -> bool:
    """A part may stand under the identifier of the volume in which it appeared."""
    venue, title = lead.entry.venue, lead.record.title
    return titles.compare(venue, title) in ("same", "looser") or venue_names.compare(venue, [title]) == "same"


def leads_to_another_script(lead: Lead) -> bool:
    """Titles in two scripts cannot be compared."""
    return titles.are_in_two_scripts(lead.entry.title, lead.record.title)


def leads_to_a_longer_title(lead: Lead) -> bool:
    """One title is a part of the other, as if the series is named, or by the same people an earlier title."""
    least = 2 if _shares_people(lead) else 5
    return _is_within(lead.entry.title, lead.record.title, least)


def leads_to_a_book_called_otherwise(lead: Lead) -> bool:
    """Libraries call books otherwise than title pages do: the same people, or nobody, are enough under an ISBN."""
    return lead.name == "isbn" and (_shares_people(lead) or not lead.record.authors)


def belongs_to_what_has_no_title(lead: Lead) -> bool:
    """Of an entry without a title nobody can tell whether its identifier leads to another work."""
    return has_no_title(lead.entry)


def has_a_title_that_was_misread(lead: Lead) -> bool:
    """A printed title that was not read for certain speaks against no identifier, if the people are not others."""
    names_nobody = not lead.entry.authors
    return "title" in lead.entry.unsure and (names_nobody or _shares_people(lead))


EXCUSES = (
    belongs_to_what_has_no_title,
    has_a_title_that_was_misread,
    belongs_to_the_article_it_is_about,
    belongs_to_the_whole,
    leads_to_another_script,
    leads_to_a_longer_title,
    leads_to_a_book_called_otherwise,
)


def _shares_people(lead: Lead) -> bool:
    return compare(lead.entry, lead.record).people.shared > 0


def _is_here(bound: Bound) -> bool:
    """True if this record, to which an identifier leads, is the cited work.

    If its authors are others than those cited, it has to have the same title, of four words or more, and either a
    family name in common (as given names are often garbled), or two of year, venue and pages.
    """
    if bound.binding != "other people":  # a rule has said that it is the work
        return True
    comparison = bound.comparison
    if comparison.outcome("title") != "same" or len(words(bound.record.title)) < 4:
        return False
    # `replaced` pairs a cited name with the recorded one that stands in its place.
    cited_families = {bare_letters(cited.family) for cited, _ in comparison.people.replaced}
    recorded_families = {bare_letters(recorded.family) for _, recorded in comparison.people.replaced}
    if not cited_families.isdisjoint(recorded_families):
        return True
    return [comparison.outcome(name) for name in ("year", "venue", "pages")].count("same") >= 2


def _is_run_together(bound: Bound) -> bool:
    """True for the very title and year, if the authors' names stand in the entry without gaps: `Yiwei CaoRalf Klamma`.

    A family name of less than three letters may be in the text by chance.
    """
    has_title_and_year = bound.comparison.outcome("title") == bound.comparison.outcome("year") == "same"
    families = [bare_letters(name.family) for name in bound.record.authors]
    cited_names = bare_letters(bound.comparison.field("authors").cited)
    are_all_there = all(len(family) >= 3 and family in cited_names for family in families)
    return has_title_and_year and len(families) >= 2 and are_all_there


def _is_within(title: str, other: str, least: int) -> bool:
    """Whether one title is a part of the other, of so many words at least."""
    part, whole = sorted((words(titles.without_markup(text)) for text in (title, other)), key=len)
    if not least <= len(part) < len(whole):
        return False
    starts = range(len(whole) - len(part) + 1)
    return any(whole[start : start + len(part)] == part for start in starts)


def _is_claimed(entry: Entry, name: str) -> bool:
    """Whether the entry says that it is one: a number in a publisher's address need be no DOI."""
    if name != "doi" or entry.own.get("doi"):
        return True
    return any(re.search(r"doi(?:\.org|:)", text) for text in entry.own.values())


@dataclass(frozen=True, slots=True)
class Doubt:
    """An identifier that goes astray according to one answer, and all that was answered."""

    traced: Traced
    everything: Sequence[Traced]
    answers: Answers

    @property
    def bound(self) -> Iterator[Bound]:
        """The records that are the entry's work."""
        return chain.from_iterable(answer.bound for answer in self.answers.values())


def doubt(traced: Traced, everything: Sequence[Traced], answers: Answers) -> str:
    """The rule by which it is not certain that an identifier goes astray; "" if it is, or leads to the work."""
    if traced.leads == "here":
        return ""
    about = Doubt(traced, everything, answers)
    return next((rule.__name__ for rule in DOUBTS if rule(about)), "")


def another_source_leads_to_the_work(about: Doubt) -> bool:
    """Some source leads from the identifier to the work; others lack it, or hold another work's record under it."""
    return any(it.leads == "here" and it.name == about.traced.name for it in about.everything)


def is_no_word_of_the_registrar(about: Doubt) -> bool:
    """Only the identifier's own registrar knows where it leads, and whether it exists."""
    traced = about.traced
    if traced.leads == "elsewhere":
        return traced.source not in _REGISTRARS
    if traced.name == "arxiv":
        return traced.source != "arxiv"
    exists = about.answers.get(Question("doi", "exists", traced.value))
    is_absent = exists is not None and isinstance(exists.lookup, Absent)
    return not (traced.name == "doi" and is_absent)


def lost_signs_in_print(about: Doubt) -> bool:
    """Signs get lost between a page and its text: the work's identifier is this one but for signs or its end."""
    name = about.traced.name
    read = bare_letters(about.traced.value)
    of_the_work = (getattr(it.record.identifiers, name) for it in about.bound if name in it.unsure)
    return any(bare_letters(identifier).startswith(read) for identifier in of_the_work)


DOUBTS = (another_source_leads_to_the_work, is_no_word_of_the_registrar, lost_signs_in_print)
