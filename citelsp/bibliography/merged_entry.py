"""What an entry may take over from another one of the same work without coming to contradict itself."""

import re
from collections.abc import Sequence

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import squeezed
from citelsp.syntax.nodes import Field

_ALIASES = {
    "address": "location", "annote": "annotation", "archiveprefix": "eprinttype", "journal": "journaltitle",
    "key": "sortkey", "pdf": "file", "primaryclass": "eprintclass", "school": "institution", "year": "date",
}  # fmt: skip  # biblatex manual 2.2.5; a date holds the year
_SPEAK_OF = {
    "month": "date", "day": "date", "subtitle": "title", "titleaddon": "title", "booksubtitle": "booktitle",
    "booktitleaddon": "booktitle", "mainsubtitle": "maintitle", "maintitleaddon": "maintitle",
    "journalsubtitle": "journaltitle", "journaltitleaddon": "journaltitle", "issuesubtitle": "issuetitle",
    "urldate": "url", "lastchecked": "url", "eprinttype": "eprint", "eprintclass": "eprint", "location": "publisher",
}  # fmt: skip
_CONTAINERS = ("journaltitle", "journal", "booktitle", "howpublished", "institution", "school")
_OF_VENUE = frozenset(
    """volume number issue pages articleno eid series chapter part volumes edition editor publisher location
    organization issn isbn maintitle eventtitle eventdate venue issuetitle type journalsubtitle booksubtitle
    shortjournal
    """.split()
)
_VENUES = frozenset({"journaltitle", "booktitle", "howpublished", "institution", "crossref"})
_PEOPLE = {"author": "editor", "editor": "author"}
_ON_ITS_STATE = frozenset({"note", "pubstate", "addendum"})
_LOOSE = frozenset({"misc", "unpublished", "online", "electronic", "www"})
_BALANCED = re.compile(r"(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*")
_LISTS = {"keywords": ", ", "groups": ", ", "file": ";"}


def missing(keep: Entry, others: Sequence[Entry]) -> list[tuple[int, Field]]:
    """The fields that `keep` lacks, each with the index of the entry that has it.

    Two names of one thing (`year` and `date`, `journal` and `journaltitle`) count as one field.  What speaks of another
    field, as volume and pages of the venue, comes only from an entry that agrees in that one.
    """
    values = _values(keep)
    container = _container(keep)
    lacking: list[tuple[int, Field]] = []
    # One after the other: what an earlier entry gave, as a journal, decides what of a later one still fits.
    for index, other in enumerate(others):
        other_values = _values(other)
        other_container = _container(other)
        outdated = _ON_ITS_STATE if other.is_pending and not keep.is_pending else frozenset()
        new: dict[str, str] = {}
        for field in other.fields:
            name = _ALIASES.get(field.name, field.name)
            is_lacking = name in other_values and name not in values and name not in new
            if not is_lacking or name in outdated:
                continue
            if _fits(name, values, other_values) and _fits_venue(name, container, other_container):
                new[name] = other_values[name]
                lacking.append((index, field))
        values |= new
        container = container or other_container
    return lacking


def further(name: str, mine: str, theirs: str) -> str:
    """What is to be added behind a list of keywords, groups or files for it to hold the other one's items too."""
    separator = "; " if name == "keywords" and ";" in mine + theirs else _LISTS.get(name, "")
    if not separator or not mine:
        return ""
    part = re.compile(rf"(?<!\\){separator.strip()}")
    known = {it.strip().lower() for it in part.split(mine)}
    items = dict.fromkeys(it.strip() for it in part.split(theirs))
    return "".join(separator + it for it in items if it and it.lower() not in known and _BALANCED.fullmatch(it))


def is_published(entry: Entry) -> bool:
    """True if the entry says where it came out, as its type does, and that is no server of preprints."""
    if entry.kind in _LOOSE:
        return False
    named = next(filter(None, map(entry.text, ("journal", "journaltitle", "booktitle", "school", "institution"))), "")
    named = named or entry.text("publisher")
    return bool(named) and not venues.is_preprint_server(named)


def _container(entry: Entry) -> str:
    return next(filter(None, map(entry.text, _CONTAINERS)), "")


def _values(entry: Entry) -> dict[str, str]:
    """What each field that is not empty says, under the one name that its aliases share."""
    values: dict[str, str] = {}
    for name in entry.own:
        text = entry.text(name)
        if name == "ids" or not text:
            continue
        is_dated = name in ("year", "date") and entry.year
        values.setdefault(_ALIASES.get(name, name), str(entry.year) if is_dated else text)
        if name == "date":
            values |= {"month": text, "day": text}
    return values


def _fits(name: str, mine: dict[str, str], theirs: dict[str, str]) -> bool:
    if name in _PEOPLE and (other := _PEOPLE[name]) in mine and other not in theirs:
        return False  # one entry calls editors whom the other calls authors
    of = _SPEAK_OF.get(name, "")
    return of not in mine or of not in theirs or squeezed(mine[of]) == squeezed(theirs[of])


def _fits_venue(name: str, mine: str, its: str) -> bool:
    if name in _VENUES:
        return not mine
    if name not in _OF_VENUE or not mine or not its or squeezed(mine) == squeezed(its):
        return True
    return venues.compare(mine, [its]) in ("same", "looser") or venues.is_host(mine) != venues.is_host(its)
