"""An entry compared with a record, field by field.

A comparison only says how two writings stand to each other; what follows from it (a verdict, a finding) is decided by
those who know how the record was found and what other sources say.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal, NamedTuple

from citelsp.bibliography import (
    authors,
    names,
    own_commands,
    publishers,
    record_quality,
    titles,
    venues,
)
from citelsp.bibliography.as_recorded import as_recorded
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import bare_letters, fold
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record

FieldName = Literal["title", "authors", "year", "venue", "volume", "number", "pages", "publisher"]
Outcome = Literal["same", "looser", "preprint", "different", "unknown"]
# looser: less exact, not wrong (a subtitle left out, a first page alone, Findings for the conference)
# preprint: one side speaks of the preprint, the other of the publication
# unknown: one side says nothing, or nothing that could be compared

_ARTICLE_NUMBER = re.compile(r"[^\W\d_]{1,2}\d{3,}")  # `W05521`
_WITH_OPEN_EDITION = frozenset({"CVPR", "ICCV", "WACV"})  # of their own, which counts its pages in another order
_YEAR = re.compile(r"(?:19|20)\d\d")
# `Jr.`, `III`, `PhD`
_NAME_SUFFIX = re.compile(r"(?:[js]r|[ivx]+|ph\.?d|m\.?d)\.?", re.IGNORECASE)
# Crossref began in 2000; what is older was registered later, mostly from digital copies.
_SINCE_DOIS = 2000  # from when on works are registered in the year in which they come out
_MOST_ISSUES = 53  # of one year
_MOST_FRONT_MATTER = 60  # pages by which two editions of one volume may differ; else it is another paper
_LONGEST_TITLE = 1000  # characters that are looked at
_VENUE_FIELDS = ("journal", "journaltitle", "booktitle")


@dataclass(frozen=True, slots=True)
class FieldComparison:
    field: FieldName
    outcome: Outcome
    cited: str
    recorded: str
    rule: str = ""  # by which it is not plainly different


@dataclass(frozen=True, slots=True)
class Comparison:
    """All fields, the likeness of the titles, and the author lists in detail."""

    fields: tuple[FieldComparison, ...]
    likeness: float  # of the titles, 0 to 1
    people: authors.AuthorComparison
    is_listed: bool = False  # the entry's venue is one of those in which the record says that the work came out as well

    def field(self, name: FieldName) -> FieldComparison:
        return next(comparison for comparison in self.fields if comparison.field == name)

    def outcome(self, name: str) -> Outcome:
        return next((it.outcome for it in self.fields if it.field == name), "unknown")


def compare(entry: Entry, record: Record) -> Comparison:
    """Compare every field of an entry with the record's.

    An outcome is "same", "different", "looser" (less exact, not wrong), "preprint" (one side speaks of the preprint,
    the other of the publication) or "unknown" (one side says nothing that could be compared).  A printed reference is
    read anew by the record's title and venue first.  Fields are compared one by one; then VENUE_RULES and PLACE_RULES
    see several together: what they change in `outcomes`, and by which rule, is noted in `rules`.
    """
    entry = as_recorded(entry, record)
    title = entry.title[:_LONGEST_TITLE]
    recorded_title = record.title[:_LONGEST_TITLE]
    people = _compare_people(entry, record)
    place = find_venue_name(entry)  # what the entry calls the venue
    counted = _compare_counts(entry, record)
    # The titles also agree if the record's begins with the company that wrote it, or but for what an author's macro
    # prints.
    begins_with_company = _is_signed(title, recorded_title, entry.authors)
    titles_agree = begins_with_company or own_commands.agree(entry.value("title"), title, recorded_title)
    same_people = people.outcome == "same"
    outcomes: dict[FieldName, Outcome] = {
        "title": "looser" if titles_agree else _compare_titles(title, recorded_title, same_people=same_people),
        "authors": people.outcome,
        "year": _compare_years(entry.year, record, entry.identifiers.arxiv),
        "venue": _compare_venues(place, entry.text("volume"), record),
        "volume": counted.volume,
        "number": counted.number,
        "pages": "unknown",  # so far
        "publisher": _compare_publishers(entry.text("publisher"), record.publisher),
    }
    rules: dict[FieldName, str] = {"authors": people.rule}
    _apply(VENUE_RULES, _Draft(entry, record, place, outcomes), rules)
    # After the rules for venues: pages of one venue may count differently in two editions of it.
    outcomes["pages"] = _compare_pages(entry, record, outcomes["venue"])
    _apply(PLACE_RULES, _Draft(entry, record, place, outcomes), rules)

    fields = tuple(
        FieldComparison(name, outcomes[name], cited, recorded, rule=rules.get(name, ""))
        for name, (cited, recorded) in _write_both(entry, record, place).items()
    )
    is_listed = outcomes["venue"] != "same" and venues.compare(place, record.also_in) == "same"
    # LIKE is the least likeness from which on two titles name one work.
    likeness = titles.LIKE if titles_agree else titles.likeness(title, recorded_title)
    return Comparison(fields, likeness, people=people.detail, is_listed=is_listed)


def _write_both(entry: Entry, record: Record, place: str) -> dict[FieldName, tuple[str, str]]:
    """Return every field as the entry and as the record has it, "" if it has none; both as people are shown them.

    `place` is what the entry calls the venue.
    """
    return {
        "title": (entry.title[:_LONGEST_TITLE], record.title[:_LONGEST_TITLE]),
        "authors": (list_people(entry.authors), list_people(record.authors)),
        "year": (str(entry.year or ""), str(record.year or "")),
        "venue": (place, record.venue),
        "volume": (entry.text("volume"), record.volume),
        "number": (_number_of(entry), record.issue),
        "pages": (entry.text("pages"), record.pages),
        "publisher": (entry.text("publisher"), record.publisher),
    }


@dataclass(frozen=True, slots=True)
class _Draft:
    """Fields compared one by one, before it is asked what they say together."""

    entry: Entry
    record: Record
    place: str  # what the entry calls the venue
    outcomes: dict[FieldName, Outcome]

    def are(self, outcome: Outcome, *names: FieldName) -> bool:
        return all(self.outcomes[name] == outcome for name in names)


Changes = Mapping[FieldName, Outcome]
Override = Callable[[_Draft], Changes]


def _apply(overrides: Sequence[Override], draft: _Draft, rules: dict[FieldName, str]) -> None:
    """Change in the draft what each of these rules changes, and note in `rules` which one it was."""
    for rule in overrides:
        for name, outcome in rule(draft).items():
            if draft.outcomes[name] != outcome:
                draft.outcomes[name] = outcome
                rules[name] = rule.__name__


class ComparedPeople(NamedTuple):
    outcome: Outcome
    detail: authors.AuthorComparison
    rule: str = ""  # by which the lists could not be compared


def _compare_people(entry: Entry, record: Record) -> ComparedPeople:
    """Compare the authors; "unknown" if one side has none, none in the other's script, or a group for its members.

    So is a company that is the cited author and stands in the title on record, where its people may be listed.  A list
    that broke on its way into an index is "unknown", too, unless it happens to be the same.  The result names
    the rule by which lists could not be compared, if there is one.
    """
    cited = readable(entry)
    # In a name that holds commas stand several people, or an address.
    recorded = [name for name in record.authors if not authors.holds_commas(name)]
    # Letters of two scripts cannot be compared, and every transliteration is right: then nobody counts as cited.
    if recorded and _is_latin(cited) != _is_latin(recorded):
        cited = ()
    detail = authors.compare(
        cited, recorded, cited_cut=entry.authors_truncated, recorded_cut=not record.authors_complete
    )
    # The company that is the cited author stands in the recorded title; the recorded authors may be its people.
    is_signed = _is_signed(entry.title[:_LONGEST_TITLE], record.title[:_LONGEST_TITLE], entry.authors)
    if not cited or not recorded or is_signed:
        compared = ComparedPeople("unknown", detail)
    elif one_names_a_group(detail, cited, recorded):
        compared = ComparedPeople("unknown", detail, one_names_a_group.__name__)
    else:
        compared = ComparedPeople("same" if detail.same else "different", detail)
    if compared.outcome == "same" or not is_a_broken_list(record, cited):
        return compared
    # Whoever is named in a broken list, wherever it was cut, still confirms the entry.
    shared = max(detail.shared, record_quality.count_named(record.authors, cited))
    return ComparedPeople("unknown", replace(detail, shared=shared), is_a_broken_list.__name__)


def one_names_a_group(people: authors.AuthorComparison, cited: Sequence[Name], recorded: Sequence[Name]) -> bool:
    """One side names a group, the other its members: neither contradicts the other."""
    return not people.shared and authors.are_groups(cited) != authors.are_groups(recorded)


def is_a_broken_list(record: Record, cited: Sequence[Name]) -> bool:
    """An index cut off or garbled the list of names: whoever is in it confirms the entry, and nobody is missed."""
    return not record_quality.is_whole_list(record.authors, cited, record.source)


def is_named_as_a_book(draft: _Draft) -> Changes:
    """Proceedings that came out as a book may have a title of their own.  ESOP: `Programming Languages and Systems`."""
    is_so = draft.are("different", "venue") and _is_named_as_book(draft.entry, draft.record)
    return {"venue": "unknown"} if is_so else {}


def is_a_book_in_a_series(draft: _Draft) -> Changes:
    """A part of a book, as the ISBN in its DOI shows, which one calls by its title and the other by its series."""
    is_so = draft.are("different", "venue") and _is_book_in_series(draft.entry, draft.record)
    return {"venue": "unknown"} if is_so else {}


def is_no_name_of_a_venue(draft: _Draft) -> Changes:
    """An address, a publisher or half a name is no venue, but what an index made of one."""
    is_so = draft.are("different", "venue") and not record_quality.is_name_of_a_venue(draft.record.venue)
    return {"venue": "unknown"} if is_so else {}


def is_a_translated_journal(draft: _Draft) -> Changes:
    """A journal that is translated counts its volumes and pages anew, and translates its titles."""
    is_so = draft.are("unknown", "venue") and venues.are_original_and_translation(draft.place, draft.record.venue)
    if not is_so:
        return {}
    counted: tuple[FieldName, ...] = ("title", "volume", "number", "pages")
    return {name: "unknown" for name in counted if draft.are("different", name)}


def is_a_digital_copy(draft: _Draft) -> Changes:
    """The same volume or pages are the same print: the record's year is that of its scan."""
    is_same_print = draft.are("same", "volume") or draft.are("same", "pages")
    is_so = draft.are("different", "year") and is_same_print and _may_be_dated_by_copy(draft.entry, draft.record)
    return {"year": "looser"} if is_so else {}


def counts_volumes_by_series(draft: _Draft) -> Changes:
    """Journals before 2000 count by series and from the first volume on: the same pages of a year are one print."""
    is_same_print = draft.are("same", "venue", "year") and draft.outcomes["pages"] in ("same", "looser")
    is_so = draft.are("different", "volume") and is_same_print and _is_old(draft.entry)
    return {"volume": "looser", "number": "unknown"} if is_so else {}


def is_registered_under_a_successor(draft: _Draft) -> Changes:
    """Journals before 2000 are registered under the names of their successors: the same place is one journal."""
    is_same_print = draft.are("same", "volume", "pages") and draft.outcomes["year"] in ("same", "looser")
    is_so = draft.are("different", "venue") and is_same_print and _is_old(draft.entry)
    return {"venue": "unknown"} if is_so else {}


def is_a_volume_of_a_series(draft: _Draft) -> Changes:
    """A volume of proceedings has a title of its own beside its series: the same pages of that volume are one print."""
    is_part = draft.record.type in ("paper-conference", "chapter")
    is_same_print = draft.are("same", "volume") and draft.outcomes["pages"] in ("same", "looser")
    is_so = draft.are("different", "venue") and is_same_print and is_part and _may_be_a_title(draft.place)
    return {"venue": "unknown"} if is_so else {}


VENUE_RULES: tuple[Override, ...] = (is_named_as_a_book, is_a_book_in_a_series, is_no_name_of_a_venue)
PLACE_RULES: tuple[Override, ...] = (
    is_a_translated_journal,
    is_a_digital_copy,
    counts_volumes_by_series,
    is_registered_under_a_successor,
    is_a_volume_of_a_series,
)


def _compare_titles(cited: str, recorded: str, *, same_people: bool) -> Outcome:
    """Compare titles; if the authors are the same, even a very short one may lack the subtitle: `GIAnT`.

    "looser" is a title less exact and not wrong.  A translation, or a title that broke on its way to the record, is
    "unknown".  `same_people`: the authors are the same.
    """
    outcome = titles.compare(cited, recorded)
    if outcome != "different":
        return outcome
    cited_main = titles.key(titles.parts(cited)[0])
    recorded_main = titles.key(titles.parts(recorded)[0])
    one_lacks_subtitle = cited_main == recorded_main and cited_main in (titles.key(cited), titles.key(recorded))
    if same_people and one_lacks_subtitle:
        return "looser"
    if titles.are_translations(cited, recorded) or not record_quality.is_whole_title(recorded):
        return "unknown"
    return outcome


def _is_signed(cited: str, recorded: str, people: tuple[Name, ...]) -> bool:
    """True if a house that is the only author stands before the title on record, where its people may be listed."""
    is_house = len(people) == 1 and not people[0].given
    house = bare_letters(people[0].family) if is_house else ""
    return len(house) >= 3 and house + bare_letters(cited) == bare_letters(recorded)


def find_venue_name(entry: Entry) -> str:
    """Return what the entry calls the venue, "" if it names none; addresses and words in `howpublished` are none."""
    names = [entry.text(field) for field in _VENUE_FIELDS]
    published = entry.text("howpublished")
    is_venue = venues.form(published) or venues.identify(published).series
    if is_venue:
        names.append(published)
    return next((name for name in names if name and not record_quality.is_address(name)), "")


def readable(entry: Entry) -> tuple[Name, ...]:
    """Return the authors; nobody, if several people stand in one name: `A. Ada, B. Byron, and C. Curie`."""
    holds_list = any(map(_is_list, names.split(entry.byline)))
    if holds_list or any(map(authors.holds_commas, entry.authors)):
        return ()
    return entry.authors


def _is_latin(people: Iterable[Name]) -> bool:
    """True if anybody's name has a letter that a transliteration could be compared with."""
    letters = fold(" ".join(map(str, people)))
    return any(sign.isascii() and sign.isalpha() for sign in letters)


def _is_list(written: str) -> bool:
    """True if several people stand in what BibTeX reads as one name; `Family, Jr, Given` is one."""
    if "=" in written or written.startswith("{"):  # biblatex's `family=…`, and what is meant as one
        return False
    between_commas = [part.strip() for part in written.split(",")][1:-1]
    return not all(map(_NAME_SUFFIX.fullmatch, between_commas))


def _compare_venues(cited: str, volume: str, record: Record) -> Outcome:
    """Compare venues; a section may be told with the volume: D86 of `Phys. Rev.` is 86 of `Phys. Rev. D`."""
    recorded = (record.venue, *record.venue_aliases, *_venues_in_doi(record.identifiers.doi))
    outcome = venues.compare(cited, recorded)
    if outcome != "different":
        return outcome
    cited_section = _with_section(cited, volume)
    recorded_section = _with_section(record.venue, record.volume)
    if not cited_section and not recorded_section:
        return outcome
    return venues.compare(cited_section, (recorded_section, *recorded))


def _with_section(journal: str, volume: str) -> str:
    """Return the journal with the letter of the section that stands before its volume, if one does."""
    letter = re.match(r"([A-Z])\s*\d", volume)
    return f"{journal} {letter[1]}" if journal and letter else journal


def _venues_in_doi(doi: str) -> list[str]:
    """Return the venue in a DOI, where some publishers write it: `10.1109/cvpr.2016.90`; empty if there is none."""
    match = re.match(r"10\.(?:1109/|1609/|18653/v1/\d{4}\.)([a-z]+)", doi)
    acronym = match[1].upper() if match else ""
    is_venue = bool(acronym) and bool(venues.identify(acronym).series)
    return [acronym] if is_venue else []


def list_people(people: Iterable[object]) -> str:
    return ", ".join(map(str, people))


def _compare_years(cited: int | None, record: Record, arxiv: str) -> Outcome:
    """Compare the cited year with every year in which the work came out, also those that DOI and arXiv id tell.

    `arxiv` is the id in the entry, "" if it has none.  A year that the venue names is the same.  One year off is
    "looser" (not wrong), since sources rarely know all years: of the conference, the proceedings, online and in print;
    but it is "different" before the first of several, or between print and a later digital copy.  "unknown" if one side
    has no year.
    """
    if cited is None or not record.years:
        return "unknown"
    years = set(_versions(record))
    years.update(_submitted(record.identifiers.arxiv), _submitted(arxiv))
    years.update(map(int, re.findall(r"[./]((?:19|20)\d\d)\.", record.identifiers.doi)))  # `10.1109/CVPR.2016.90`
    if cited in years or _is_named(cited, record.venue):
        return "same"
    # The years of print and of a digital copy are decades apart; being near one of them excuses nothing.
    if is_between(cited, record):
        return "different"
    is_near = cited - 1 in years or cited + 1 in years
    # A year before all that is known is near only if one year is known: there may be an earlier one.
    is_before_all = cited < min(years)
    return "looser" if is_near and (len(years) == 1 or not is_before_all) else "different"


def _is_named(year: int, venue: str) -> bool:
    """True if the venue names the year, in which the conference met, whenever its proceedings came out: `COLOG-88`."""
    return re.search(rf"\b{year}\b|[a-z] ?['’-]{year % 100:02d}\b", venue, re.IGNORECASE) is not None


def _versions(record: Record) -> Iterable[int]:
    """Return the record's years; of a preprint also those between, in which there may be versions."""
    return range(min(record.years), max(record.years) + 1) if record.type == "preprint" else record.years


def _submitted(arxiv: str) -> tuple[int, ...]:
    """Return the year that an arXiv id tells, `0709.2092`, `hep-ph/9709356`; empty if there is none."""
    year_and_month = re.match(r"(?:[a-z.-]+/)?(\d\d)(?:0[1-9]|1[0-2])", arxiv, re.IGNORECASE)
    if year_and_month is None:
        return ()
    year = int(year_and_month[1])
    century = 1900 if year > 90 else 2000  # arXiv began in 1991
    return (century + year,)


def is_between(cited: int, record: Record) -> bool:
    """True for a year after the print and before a digital copy made later: the work did not come out then."""
    if record.source != "crossref" or len(record.years) < 2:
        return False
    in_print, online = record.years[:2]  # the order of Crossref's years, if it has both
    return in_print < cited < online


def _is_named_as_book(entry: Entry, record: Record) -> bool:
    """True for a conference paper whose proceedings one side calls by a title of their own, as if they were a book.

    `Programming Languages and Systems` for ESOP.  Such a title in the entry counts only if an ISBN in the DOI shows
    that the proceedings came out as a book.
    """
    is_gathering = venues.form(find_venue_name(entry)) in ("conference", "workshop")
    is_paper = entry.kind in ("inproceedings", "conference") or is_gathering
    if record.type not in ("paper-conference", "chapter") or not is_paper:
        return False
    is_in_book = "/978" in record.identifiers.doi
    return _may_be_a_title(record.venue) or (is_in_book and _may_be_a_title(entry.text("booktitle")))


def _may_be_a_title(venue: str) -> bool:
    """True if a venue's name says neither that it is a conference or a journal, nor which series it belongs to."""
    return bool(venue) and not (venues.form(venue) or venues.identify(venue).series)


def _is_book_in_series(entry: Entry, record: Record) -> bool:
    """True for a part of a book, as the ISBN in its DOI shows, which one side takes for an article of its series."""
    if "/978" not in record.identifiers.doi:
        return False
    if entry.kind == "article":
        return record.type in ("chapter", "book")
    return entry.kind in ("incollection", "inbook", "misc") and record.type == "article-journal"


def _is_old(entry: Entry) -> bool:
    """True for what was printed before there were DOIs, and registered by whoever holds it now."""
    return entry.year is not None and entry.year < _SINCE_DOIS


def _may_be_dated_by_copy(entry: Entry, record: Record) -> bool:
    """True if the record may have the year of a digital copy alone, as some publishers register old works."""
    return _is_old(entry) and min(record.years) >= _SINCE_DOIS


def _number_of(entry: Entry) -> str:
    return entry.text("number") or entry.text("issue")


class Counted(NamedTuple):
    """How the two numbers of a journal compare."""

    volume: Outcome
    number: Outcome


def _compare_counts(entry: Entry, record: Record) -> Counted:
    """Compare volume and number together, since sources may swap them or put year and month there.

    What is volume 05 of 2018 to some is issue 5 of volume 2018 to others.  Each is "same", "looser" (written otherwise
    and not wrong), "different", or "unknown" if it cannot be compared, or was compared as a part of the other.
    """
    volume = entry.text("volume")
    number = _number_of(entry)
    # `0804` for April 2008, which others call volume 4, or issue 4.
    if _is_month_of_year(volume, entry.year, record.volume, record.issue):
        return Counted(volume="looser", number="unknown")
    if _is_month_of_year(record.volume, record.year, volume, number):
        return Counted(volume="looser", number="unknown")

    by_volume = _compare_numbers(volume, record.volume)
    by_number = _compare_numbers(number, record.issue)
    number_by_volume = _compare_numbers(number, record.volume)
    # Volume `2` and number `42` in the entry for the volume `s2-42` on record: series and volume.
    if by_volume == "looser" and by_number == "different" and number_by_volume == "looser":
        return Counted(volume="looser", number="unknown")
    # A record without an issue may give the issue's number as its volume.
    if by_volume == "different" and not record.issue and number_by_volume == "same":
        return Counted(volume="unknown", number="unknown")
    # One side counts issues from the journal's first one on, or gives the article's number: it is larger than the
    # issue of a year can be.
    if by_number == "different" and _is_running(number) != _is_running(record.issue):
        by_number = "unknown"
    straight = Counted(volume=by_volume, number=by_number)
    has_year = any(map(_YEAR.fullmatch, (volume, number, record.volume, record.issue)))
    # They count as swapped only if a year stands for a volume or number.
    if "different" not in straight or not has_year:
        return straight
    return _compare_swapped_counts(entry, record) or straight


def _compare_swapped_counts(entry: Entry, record: Record) -> Counted | None:
    """Compare volume with number, or both as year and month; None if they do not agree so either.

    One of them is a year: `2008` and `4` beside `4` and `2008`, or beside `04` alone, for April 2008.
    """
    volume = entry.text("volume")
    number = _number_of(entry)
    crossed = (_compare_numbers(volume, record.issue), _compare_numbers(number, record.volume))
    if "same" in crossed and "different" not in crossed:
        return Counted(volume="looser", number="looser")
    cited_place = (volume, number)
    recorded_place = (record.volume, record.issue)
    if _is_month_beside_year(entry.year, cited_place, recorded_place):
        return Counted(volume="looser", number="unknown")
    if _is_month_beside_year(record.year, recorded_place, cited_place):
        return Counted(volume="looser", number="unknown")
    return None


def _is_running(number: str) -> bool:
    """True for the number of an article, or of an issue counted from the first one on: a year has 52 weeks."""
    if _YEAR.fullmatch(number):
        return False
    return any(int(count[:9]) > _MOST_ISSUES for count in _counts(number))


def _is_month_of_year(volume: str, year: int | None, *others: str) -> bool:
    """`0804` for April 2008, which others call volume 4, or issue 4 of volume 2008."""
    year_and_month = re.fullmatch(r"(\d\d)(0[1-9]|1[0-2])", volume.strip())
    if year_and_month is None or not year or year % 100 != int(year_and_month[1]):
        return False
    month = _counts(year_and_month[2])
    return any(_counts(other) == month for other in others)


def _is_month_beside_year(year: int | None, place: tuple[str, str], other: tuple[str, str]) -> bool:
    """True if one place has the year as its volume, and the other has the month there and no number.

    A place is volume and number: ("2008", "4") beside ("04", "") for April 2008.  False if the number of the first one
    is another month.
    """
    volume, number = place
    other_volume, other_number = other
    months = _counts(other_volume)
    if volume.strip() != str(year) or _counts(other_number):
        return False
    if len(months) != 1 or not _may_be_month(months[0]):
        return False
    issues = _counts(number)
    return issues == months or not any(map(_may_be_month, issues))


def _may_be_month(count: str) -> bool:
    return int(count[:9]) <= 12


def _compare_numbers(cited: str, recorded: str) -> Outcome:
    """Compare volumes or issues: `Vol. 46`, `046`, `1-2`; words of a series are left out.

    "looser" if only some of several numbers agree; "unknown" if one side has none or 0, or if they differ and one may
    be the number of an article.
    """
    cited_counts = _counts(cited)
    recorded_counts = _counts(recorded)
    if not cited_counts or not recorded_counts:
        return "unknown"
    if ["0"] in (cited_counts, recorded_counts):  # exports have 0 for what has no number yet
        return "unknown"
    if cited_counts == recorded_counts:
        return "same"
    if set(cited_counts) & set(recorded_counts):
        return "looser"
    has_article_number = _ARTICLE_NUMBER.search(cited) or _ARTICLE_NUMBER.search(recorded)
    return "unknown" if has_article_number else "different"


def _counts(written: str) -> list[str]:
    """Return the numbers in a text, without leading zeros."""
    return [digits.lstrip("0") or "0" for digits in re.findall(r"\d+", written)]


def _compare_pages(entry: Entry, record: Record, venue: Outcome) -> Outcome:
    """Compare the pages of an entry and a record; `venue` is how their venues compare.

    Pages that differ may be one work's, and are "looser" then.  An article has pages from 1 on until it is printed: on
    the side that has these there is no volume.  Two editions of one volume of proceedings, such as the conference's and
    the publisher's, count the same pages from different places; an open edition may have another order.
    """
    outcome = pages(entry.text("pages"), record.pages)
    if outcome != "different":
        return outcome
    cited = _range(entry.text("pages"))
    recorded = _range(record.pages)
    # The papers of a conference never have such pages.
    is_early_on_record = recorded[:1] == ["1"] and not record.volume and record.type != "paper-conference"
    is_early_in_entry = cited[:1] == ["1"] and not entry.text("volume")
    if entry.kind == "article" and (is_early_on_record or is_early_in_entry):
        return "looser"
    # `13` for article 579: ACM's own BibTeX gives the number of pages beside it.
    may_be_number_of_pages = len(cited) == 1 and re.fullmatch(r"\d{1,2}", cited[0])
    if len(recorded) == 1 and may_be_number_of_pages:
        return "looser"
    if venue != "same" or entry.kind == "article":
        return outcome
    are_ranges = len(cited) == len(recorded) == 2
    if not are_ranges or not all(map(str.isdigit, (*cited, *recorded))):
        return outcome
    first_shift = int(cited[0]) - int(recorded[0])
    last_shift = int(cited[1]) - int(recorded[1])
    has_open_edition = not _WITH_OPEN_EDITION.isdisjoint(venues.identify(record.venue).series)
    if first_shift == last_shift and (has_open_edition or abs(first_shift) <= _MOST_FRONT_MATTER):
        return "looser"
    return outcome


def pages(cited: str, recorded: str) -> Outcome:
    """Compare pages as they are written; "unknown" if one side has none.

    Understood are any dash, shortened ends (`123-30`), first pages alone, article numbers (`e12`, `12:1-12:20`).  Pages
    are "looser", not wrong, if one side gives less of them, or counts them in another way.
    """
    left = _range(cited)
    right = _range(recorded)
    if not left or not right:
        return "unknown"
    if left == right:
        return "same"
    if left[0] == right[0]:
        # A first page alone; or `12-19; discussion 20`, of which sources give the first part or the whole.
        if len(left) == 1 or len(right) == 1 or _is_interrupted(cited) or _is_interrupted(recorded):
            return "looser"
        return _compare_ends(left[1], right[1])
    # `1-9`, as before an article got its place in print, and `436-444`.
    if _is_early(left, right) or _is_early(right, left):
        return "looser"
    if _without_letters(left) == _without_letters(right):  # `e12` and `12`
        return "looser"
    # One page in common, or the number of an article beside its pages.
    if set(left) & set(right) or _is_article_number(left) != _is_article_number(right):
        return "looser"
    if len(left) == len(right) == 1 and _is_long(left[0]) != _is_long(right[0]):  # `107031A` and `42`
        return "looser"
    return "different"


def begin_together(cited: str, recorded: str) -> bool:
    """True if both begin on one page, or are one article's number; some leave out the letter before it: `L9`, `A16`."""
    first = _range(cited)[:1]
    recorded_first = _range(recorded)[:1]
    if not first or not recorded_first:
        return False
    return first == recorded_first or _without_letters(first) == _without_letters(recorded_first)


def _compare_ends(cited: str, recorded: str) -> Outcome:
    """Compare last pages, which may be shortened (`123-30`); some count a blank last page, others do not."""
    if cited.isdigit() and recorded.isdigit() and abs(int(cited) - int(recorded)) == 1:
        return "looser"
    return "same" if cited.endswith(recorded) or recorded.endswith(cited) else "different"


def _is_interrupted(text: str) -> bool:
    """`123-125, 130`, `12-19; discussion 20`: sources give the first part or the whole."""
    return re.search(r"\d[a-z]?\s*[,;+]\s*(?:[a-z]+\s*)?\d", text, re.IGNORECASE) is not None


def _without_letters(pages: list[str]) -> list[str]:
    """Drop the letters before pages, which many leave out: `e12`, `S103-S115`; leave of `12:1-12:30` the article."""
    bare = [page.lstrip("abcdefghijklmnopqrstuvwxyz0") for page in pages]
    articles = {page.partition(":")[0] for page in bare if ":" in page}
    return list(articles) if len(articles) == 1 else bare


def _is_early(online: list[str], printed: list[str]) -> bool:
    """True for pages counted from 1, as before an article got its place in print: about as many as there."""
    are_ranges = len(online) == len(printed) == 2
    if not are_ranges or online[0] != "1" or not all(map(str.isdigit, (*online, *printed))):
        return False
    printed_count = int(printed[1]) - int(printed[0]) + 1
    return abs(printed_count - int(online[1])) <= 2


def _range(text: str) -> list[str]:
    """Return first and last page, one alone if there is no range; `12.1` as `12:1`.

    Without volume and issue before them and pages of a supplement behind.
    """
    bare = re.sub(r"^\s*\d+\s*\(\d+\)\s*[,:]\s*|\.e\d+\b", "", text.lower())
    numbers = re.findall(r"[a-z]{0,2}\d+(?:[a-z]{2}\d+)?(?:[:.]\d+)*", bare)
    # An article, whose number may hold letters: `283rv3-283rv3`; and what some programs export, `759-759-771-771`.
    numbers = [number for number, _ in groupby(numbers)]
    return [number.lstrip("0").replace(".", ":") for number in numbers[:2] if number.strip("0")]


def _is_long(number: str) -> bool:
    """True for the whole number of an article, `107031A`; others have only its number within the volume, `42`."""
    return len(number) >= 5


def _is_article_number(pages: list[str]) -> bool:
    return len(pages) == 1 or ":" in pages[0]


def _compare_publishers(cited: str, recorded: str) -> Outcome:
    """Compare publishers; a server of preprints is that of another version."""
    if venues.is_preprint_server(cited) != venues.is_preprint_server(recorded):
        return "unknown"
    is_same = publishers.same(cited, recorded) if cited and recorded else None
    if is_same is None:
        return "unknown"
    return "same" if is_same else "different"
