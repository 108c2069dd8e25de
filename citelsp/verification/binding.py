"""Whether a record is the work that an entry means, by title and people.

A search hit's rank counts for nothing.  The rules are stricter for what a search found than for what the entry's own
identifier leads to; fields are compared only afterwards.  The first of `RULES` that holds decides.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import bare_letters, words
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.bibliography.tolerant_comparison.all_fields import Comparison
from citelsp.bibliography.tolerant_comparison.people import read_authors
from citelsp.verification import evidence, publications, untitled
from citelsp.verification.evidence import Binding

_LOOSE = frozenset({"manual", "misc", "online", "electronic", "www", "techreport", "unpublished"})
_SOFTWARE = re.compile(
    r"\b(?:(?:R|python|julia|perl) (?:package|module|library)|software|computer program|CRAN|Bioconductor|PyPI"
    r"|version \d+\.\d+)\b|(?:github|gitlab|bitbucket|sourceforge|pypi|npmjs|cran\.r-project)\.(?:com|org|net)",
    re.IGNORECASE,
)
_PRINTINGS = 10  # years within which an index may have somebody else's name for a work that is printed again
_VERY_LIKE = 0.9  # titles that differ in a word or two
_MOST, _ALL = 0.75, 0.99  # parts of a list of people
_TELLING = 12  # letters of a title that is seldom part of another
_BOOKS = frozenset("book mvbook collection mvcollection".split())
_THESES = frozenset("thesis phdthesis mastersthesis".split())
_PAPERS = frozenset("article inproceedings conference".split())
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True)
class Pairing:
    """An entry and a record that may be its work, with what the rules ask about the two."""

    entry: Entry
    record: Record
    comparison: Comparison
    by_identifier: bool  # whether the entry's own identifier leads to the record
    by_the_works_doi: bool = False  # whether it was asked for by the DOI that a record of the work bears

    @property
    def has_no_title(self) -> bool:
        return untitled.has_no_title(self.entry)

    @property
    def likeness(self) -> float:
        return self.comparison.likeness

    @property
    def is_alike(self) -> bool:
        """Whether the titles name one work."""
        return self.likeness >= titles.LIKE

    @cached_property
    def shared(self) -> float:
        """Return the part, from 0 to 1, of the shorter list of people that stands in both."""
        cited, recorded = len(read_authors(self.entry)), len(self.record.authors)
        return self.comparison.people.shared / max(1, min(cited, recorded))

    @property
    def names_nobody(self) -> bool:
        """Whether people cannot be compared."""
        return self.comparison.outcome("authors") == "unknown"

    @cached_property
    def length(self) -> int:
        """Count the words of the shorter title: one of few words, `Mind the gap`, belongs to several works."""
        title = self.comparison.field("title")
        return min(len(words(title.cited)), len(words(title.recorded)))

    @property
    def apart(self) -> int:
        """Return the number of years between entry and record; 0 if one of them has no year."""
        cited, recorded = self.entry.year, self.record.year
        return abs(cited - recorded) if cited and recorded else 0

    @property
    def titles(self) -> tuple[str, str]:
        title = self.comparison.field("title")
        return title.cited, title.recorded


@dataclass(frozen=True, slots=True)
class BindingRule:
    """What a record is to an entry if the rule holds."""

    holds: Callable[[Pairing], bool]
    binding: Binding


@dataclass(frozen=True, slots=True)
class Bond:
    """What a record is to an entry, and the name of the rule that says so."""

    binding: Binding
    rule: str


def bind(
    entry: Entry, record: Record, comparison: Comparison, *, by_identifier: bool, by_the_works_doi: bool = False
) -> Bond:
    """Whether a record is the entry's work, by title and people; fields are compared only afterwards."""
    pairing = Pairing(entry, record, comparison, by_identifier, by_the_works_doi)
    rule = next(it for it in RULES if it.holds(pairing))
    return Bond(rule.binding, rule.holds.__name__)


def names_itself(pairing: Pairing) -> bool:
    """The entry gives an identifier and nothing else, so it is what the identifier leads to."""
    return evidence.names_itself(pairing.entry)


def stands_at_the_place_that_is_cited(pairing: Pairing) -> bool:
    """The entry gives no title, and journal, volume, first page and first author are the record's."""
    return pairing.has_no_title and untitled.stands_at_its_place(pairing.entry, pairing.record, pairing.comparison)


def is_led_to_without_a_title(pairing: Pairing) -> bool:
    """The entry gives no title; its identifier leads to its first author, and no other place is told."""
    if not (pairing.has_no_title and pairing.by_identifier):
        return False
    return untitled.fits_its_identifier(pairing.entry, pairing.record, pairing.comparison)


def is_unproven_without_a_title(pairing: Pairing) -> bool:
    """The entry gives no title, and people or place are others, or not told."""
    return pairing.has_no_title


def is_no_program(pairing: Pairing) -> bool:
    """The entry means a program, and this is a book or is not called as the program is."""
    if pairing.by_identifier or not names_software(pairing.entry):
        return False
    return _is_no_program(pairing.record, pairing.comparison)


def is_another_part(pairing: Pairing) -> bool:
    """Its title has the number of another part, or another year of what comes yearly."""
    if pairing.by_identifier or pairing.likeness == 1:
        return False
    return _other_part(*pairing.titles)


def is_a_review_of_it(pairing: Pairing) -> bool:
    """An article of a book's title by other people is about the book."""
    if pairing.by_identifier or pairing.comparison.people.shared:
        return False
    return _is_review(pairing.entry, pairing.record)


def is_a_paper_of_the_thesis(pairing: Pairing) -> bool:
    """A thesis has one author: a paper of another title that others signed as well came out of it."""
    cites_a_thesis = pairing.entry.kind in _THESES and len(pairing.entry.authors) == 1
    is_joint_work = pairing.record.type != "thesis" and len(pairing.record.authors) > 1
    is_called_so = pairing.comparison.outcome("title") == "same"
    return cites_a_thesis and is_joint_work and not pairing.by_identifier and not is_called_so


def is_a_notice_about_it(pairing: Pairing) -> bool:
    """One is a comment on the other, or a correction of it."""
    cited, recorded = pairing.titles
    return not pairing.by_identifier and (discusses(cited, recorded) or discusses(recorded, cited))


def has_the_title_and_names_nobody(pairing: Pairing) -> bool:
    """The title agrees, no people can be compared, and year, venue or pages agree, or the work has its DOI."""
    if not (pairing.is_alike and pairing.names_nobody) or pairing.comparison.people.shared:
        return False
    if pairing.by_identifier or pairing.by_the_works_doi:
        return True
    return pairing.length >= 5 and pairing.apart <= 2 and _agrees_beside(pairing.comparison)


def has_the_title_alone(pairing: Pairing) -> bool:
    """The title agrees and nothing else can be compared, which is too little."""
    return pairing.is_alike and pairing.names_nobody and not pairing.comparison.people.shared


def has_title_and_people(pairing: Pairing) -> bool:
    """The title agrees, and at least some of the people do."""
    if not (pairing.is_alike and pairing.comparison.people.shared):
        return False
    return pairing.by_identifier or pairing.shared >= 0.5 or pairing.length >= 4


def has_a_short_title_and_few_people(pairing: Pairing) -> bool:
    """Many works have so short a title, and most of the people are others."""
    return pairing.is_alike and pairing.comparison.people.shared > 0


def is_of_another_time_and_place(pairing: Pairing) -> bool:
    """Years apart, in another venue and by other people it is another work of the same title."""
    if pairing.by_identifier or not pairing.is_alike:
        return False
    return pairing.apart > _PRINTINGS and pairing.comparison.outcome("venue") == "different"


def has_the_title_of_a_deposit(pairing: Pairing) -> bool:
    """The identifier leads to software or data of that title, which those who deposit it sign as they like."""
    return pairing.by_identifier and pairing.is_alike and _is_deposit(pairing)


def has_the_title_by_other_people(pairing: Pairing) -> bool:
    """It has the very title, which papers seldom share; other people are named."""
    if not pairing.is_alike:
        return False
    return pairing.by_identifier or (pairing.length >= 4 and _is_paper(pairing.entry))


def has_a_title_that_many_have(pairing: Pairing) -> bool:
    """Books, reports and web pages by other people share titles, as these name a subject."""
    return pairing.is_alike


def names_nobody_under_a_like_title(pairing: Pairing) -> bool:
    """The title is much alike, about that year, and no people can be compared."""
    if not pairing.names_nobody or pairing.likeness < _VERY_LIKE:
        return False
    return pairing.by_identifier or (pairing.length >= 6 and pairing.apart <= 1)


def names_nobody_under_another_title(pairing: Pairing) -> bool:
    """The title is another, and no people can be compared."""
    return pairing.names_nobody


def has_a_like_title_by_half_the_people(pairing: Pairing) -> bool:
    """The title is alike, and at least half of the people are the same."""
    return pairing.likeness >= 0.8 and pairing.shared >= 0.5


def is_led_to_by_the_identifier(pairing: Pairing) -> bool:
    """The identifier leads there, most of the people are the same, and the title is like or the place the same."""
    if not pairing.by_identifier or pairing.shared < _MOST:
        return False
    return pairing.likeness >= 0.55 or _details_agree(pairing.comparison)


def stands_at_the_very_pages(pairing: Pairing) -> bool:
    """These people have one work at those pages of that venue and year, whatever it is called."""
    return pairing.comparison.people.same and pairing.shared >= _ALL and _is_at_the_place(pairing.comparison)


def stands_in_the_same_volume(pairing: Pairing) -> bool:
    """The same people, about the same year, at the same pages of that volume or venue."""
    people = pairing.comparison.people
    return _is_by_the_same(pairing) and people.shared >= 2 and _details_agree(pairing.comparison)


def begins_alike(pairing: Pairing) -> bool:
    """The identifier leads to the same people about the same year, and one title was cut off on its way."""
    cited, recorded = pairing.titles
    has_begun = _begins(cited, recorded) or _begins(recorded, cited)
    return pairing.by_identifier and has_begun and _is_by_the_same(pairing)


def is_called_otherwise_in_another_language(pairing: Pairing) -> bool:
    """The identifier leads to a title in another language, by most of these people about that year."""
    if not pairing.by_identifier or pairing.comparison.outcome("title") != "unknown":
        return False
    return pairing.shared >= _MOST and pairing.apart <= 1


def is_a_deposit_by_most_of_them(pairing: Pairing) -> bool:
    """The identifier leads to software or data by most of these people: each release has a title of its own."""
    return pairing.by_identifier and pairing.shared >= _MOST and _is_deposit(pairing)


def differs_in_title_people_and_place(pairing: Pairing) -> bool:
    """Where title, people and place all differ it is another work, whoever has it."""
    if pairing.by_identifier or not _is_nearly_called_so(pairing):
        return False
    return "different" in (pairing.comparison.outcome("venue"), pairing.comparison.outcome("pages"))


def has_nearly_the_title_by_other_people(pairing: Pairing) -> bool:
    """The title of a paper of that year nearly agrees; other people are named."""
    return _is_nearly_called_so(pairing) and (pairing.by_identifier or _is_paper(pairing.entry))


def is_another_work(_pairing: Pairing) -> bool:
    """Title or people differ too much."""
    return True


RULES = (
    BindingRule(names_itself, "same"),
    BindingRule(stands_at_the_place_that_is_cited, "same"),
    BindingRule(is_led_to_without_a_title, "same"),
    BindingRule(is_unproven_without_a_title, "other"),
    BindingRule(is_no_program, "other"),
    BindingRule(is_another_part, "other"),
    BindingRule(is_a_review_of_it, "other"),
    BindingRule(is_a_paper_of_the_thesis, "other"),
    BindingRule(is_a_notice_about_it, "other"),
    BindingRule(has_the_title_and_names_nobody, "same"),
    BindingRule(has_the_title_alone, "other"),
    BindingRule(has_title_and_people, "same"),
    BindingRule(has_a_short_title_and_few_people, "other"),
    BindingRule(is_of_another_time_and_place, "other"),
    BindingRule(has_the_title_of_a_deposit, "same"),
    BindingRule(has_the_title_by_other_people, "other people"),
    BindingRule(has_a_title_that_many_have, "other"),
    BindingRule(names_nobody_under_a_like_title, "reworded"),
    BindingRule(names_nobody_under_another_title, "other"),
    BindingRule(has_a_like_title_by_half_the_people, "reworded"),
    BindingRule(is_led_to_by_the_identifier, "reworded"),
    BindingRule(stands_at_the_very_pages, "reworded"),
    BindingRule(stands_in_the_same_volume, "reworded"),
    BindingRule(begins_alike, "reworded"),
    BindingRule(is_called_otherwise_in_another_language, "reworded"),
    BindingRule(is_a_deposit_by_most_of_them, "reworded"),
    BindingRule(differs_in_title_people_and_place, "other"),
    BindingRule(has_nearly_the_title_by_other_people, "other people"),
    BindingRule(is_another_work, "other"),
)


def _is_deposit(pairing: Pairing) -> bool:
    """Software or data of an archive, which no paper is cited for."""
    is_one = pairing.record.type in ("software", "dataset") or titles.names_a_repository(pairing.titles[1])
    return is_one and not _is_paper(pairing.entry)


def _is_by_the_same(pairing: Pairing) -> bool:
    """All of the people, about the same year."""
    return pairing.shared >= _ALL and pairing.comparison.people.same and pairing.apart <= 1


def _is_nearly_called_so(pairing: Pairing) -> bool:
    """A title of some length but for a word or two, about that year, and none of the people."""
    is_like = pairing.likeness >= _VERY_LIKE and pairing.length >= 6
    return is_like and not pairing.comparison.people.shared and pairing.apart <= 1


def names_software(entry: Entry) -> bool:
    """Whether an entry says that it means a program: no book about it is that."""
    if entry.kind in ("software", "softwareversion"):
        return True
    description = " ".join(map(entry.text, ("note", "howpublished", "url", "organization", "publisher", "type")))
    return entry.kind in _LOOSE and _SOFTWARE.search(description) is not None


def _is_no_program(record: Record, comparison: Comparison) -> bool:
    """A book, or a work that is not called as the program is: `Regression Modeling Strategies` is not `rms: …`."""
    return record.type in ("book", "chapter") or comparison.outcome("title") not in ("same", "looser")


def _agrees_beside(comparison: Comparison) -> bool:
    """Year, venue or pages: where nobody is named, a title alone makes no work."""
    return any(comparison.outcome(it) in ("same", "looser") for it in ("year", "venue", "pages"))


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
    short = bare_letters(titles.without_markup(short))
    return len(short) >= 5 and bare_letters(titles.without_markup(whole)).startswith(short)


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


def discusses(notice: str, title: str) -> bool:
    """A comment on that article or a correction of it, which journals may print under the article's own DOI."""
    about, whole = titles.about(notice), bare_letters(title)
    quoted = len(whole) >= _TELLING and whole in bare_letters(about)  # `Comment on “A Study” by A. Ada`
    return bool(about) and (quoted or titles.compare(about, title) in ("same", "looser"))
