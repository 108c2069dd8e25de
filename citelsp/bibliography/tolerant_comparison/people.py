"""The authors of an entry compared with the record's."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from citelsp.bibliography import names, record_quality
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import bare_letters, fold
from citelsp.bibliography.group_names import are_groups, holds_commas
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import author_lists, titles
from citelsp.bibliography.tolerant_comparison.author_lists import AuthorComparison
from citelsp.bibliography.tolerant_comparison.outcome import Outcome

# `Jr.`, `III`, `PhD`
_NAME_SUFFIX = re.compile(r"(?:[js]r|[ivx]+|ph\.?d|m\.?d)\.?", re.IGNORECASE)


class ComparedPeople(NamedTuple):
    outcome: Outcome
    detail: AuthorComparison
    rule: str = ""  # by which the lists could not be compared


def compare_people(entry: Entry, record: Record) -> ComparedPeople:
    """Compare the authors; "unknown" if one side has none, none in the other's script, or a group for its members.

    So is a company that is the cited author and stands in the title on record, where its people may be listed.  A list
    that broke on its way into an index is "unknown", too, unless it happens to be the same.  The result names
    the rule by which lists could not be compared, if there is one.
    """
    cited = read_authors(entry)
    # In a name that holds commas stand several people, or an address.
    recorded = [name for name in record.authors if not holds_commas(name)]
    # Letters of two scripts cannot be compared, and every transliteration is right: then nobody counts as cited.
    if recorded and _is_latin(cited) != _is_latin(recorded):
        cited = ()
    detail = author_lists.compare(
        cited, recorded, cited_cut=entry.authors_truncated, recorded_cut=not record.authors_complete
    )
    # The company that is the cited author stands in the recorded title; the recorded authors may be its people.
    is_signed = begins_with_house(entry.title[: titles.LONGEST], record.title[: titles.LONGEST], entry.authors)
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


def one_names_a_group(people: AuthorComparison, cited: Sequence[Name], recorded: Sequence[Name]) -> bool:
    """One side names a group, the other its members: neither contradicts the other."""
    return not people.shared and are_groups(cited) != are_groups(recorded)


def is_a_broken_list(record: Record, cited: Sequence[Name]) -> bool:
    """An index cut off or garbled the list of names: whoever is in it confirms the entry, and nobody is missed."""
    return not record_quality.is_whole_list(record.authors, cited, record.source)


def begins_with_house(cited: str, recorded: str, people: tuple[Name, ...]) -> bool:
    """True if a house that is the only author stands before the title on record, where its people may be listed."""
    is_house = len(people) == 1 and not people[0].given
    house = bare_letters(people[0].family) if is_house else ""
    return len(house) >= 3 and house + bare_letters(cited) == bare_letters(recorded)


def read_authors(entry: Entry) -> tuple[Name, ...]:
    """Return the authors; nobody, if several people stand in one name: `A. Ada, B. Byron, and C. Curie`."""
    holds_list = any(map(_is_list, names.split(entry.byline)))
    if holds_list or any(map(holds_commas, entry.authors)):
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


def list_people(people: Iterable[object]) -> str:
    return ", ".join(map(str, people))
