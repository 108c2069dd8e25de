"""Whether a record is the work that an entry means, by title and people.

A search hit's rank counts for nothing.  The rules are stricter for what a search found than for what the entry's own
identifier leads to; fields are compared only afterwards.
"""

import re

from citelsp.bibliography import compare, titles, venues
from citelsp.bibliography.compare import Comparison
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import squeezed, words
from citelsp.bibliography.record import Record
from citelsp.verification import publications
from citelsp.verification.evidence import Binding, names_itself

_LOOSE = frozenset({"manual", "misc", "online", "electronic", "www", "techreport", "unpublished"})
_SOFTWARE = re.compile(
    r"\b(?:(?:R|python|julia|perl) (?:package|module|library)|software|computer program|CRAN|Bioconductor|PyPI"
    r"|version \d+\.\d+)\b|(?:github|gitlab|bitbucket|sourceforge|pypi|npmjs|cran\.r-project)\.(?:com|org|net)",
    re.IGNORECASE,
)
_PRINTINGS = 10  # years within which an index may have somebody else's name for a work that is printed again
_TELLING = 12  # letters of a title that is seldom part of another
_BOOKS = frozenset("book mvbook collection mvcollection".split())
_PAPERS = frozenset("article inproceedings conference".split())
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def bind(entry: Entry, record: Record, comparison: Comparison, *, by_identifier: bool) -> Binding:
    """Whether a record is the entry's work, by title and people; fields are compared only afterwards."""
    if names_itself(entry):
        return "same"
    if not by_identifier and names_software(entry) and _is_no_program(record, comparison):
        return "other"
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
            return "same" if by_identifier or (length >= 5 and apart <= 2 and _agrees_beside(comparison)) else "other"
        if people.shared:
            return "same" if by_identifier or shared >= 0.5 or length >= 4 else "other"
        if not by_identifier and _is_of_another_time_and_place(comparison, apart):
            return "other"
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
        if not by_identifier and "different" in (comparison.outcome("venue"), comparison.outcome("pages")):
            return "other"  # where title, people and place all differ it is another work, whoever has it
        return "other people" if by_identifier or _is_paper(entry) else "other"
    return "other"


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


def _is_of_another_time_and_place(comparison: Comparison, apart: int) -> bool:
    """Years apart, and in another venue: by other people that is another work of the same title."""
    return apart > _PRINTINGS and comparison.outcome("venue") == "different"


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


def discusses(notice: str, title: str) -> bool:
    """A comment on that article or a correction of it, which journals may print under the article's own DOI."""
    about, whole = titles.about(notice), squeezed(title)
    quoted = len(whole) >= _TELLING and whole in squeezed(about)  # `Comment on “A Study” by A. Ada`
    return bool(about) and (quoted or titles.compare(about, title) in ("same", "looser"))
