"""What an entry may take over from another one of the same work without coming to contradict itself."""

import re
from collections.abc import Sequence

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import bare_letters
from citelsp.bibliography.tolerant_comparison import venue_names
from citelsp.syntax.nodes import Field

_ALIASES = {
    "address": "location", "annote": "annotation", "archiveprefix": "eprinttype", "journal": "journaltitle",
    "key": "sortkey", "pdf": "file", "primaryclass": "eprintclass", "school": "institution", "year": "date",
}  # fmt: skip  # biblatex manual 2.2.5; a date holds the year
_SPEAK_OF = {  # fields that say something of the value of another one
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
_ON_ITS_STATE = frozenset({"note", "pubstate", "addendum"})  # such as “to appear”
_LOOSE = frozenset({"misc", "unpublished", "online", "electronic", "www"})
# Braces in pairs, two within each other at most.
_BALANCED = re.compile(r"(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*")
_LISTS = {"keywords": ", ", "groups": ", ", "file": ";"}


def find_missing(keep: Entry, others: Sequence[Entry]) -> list[tuple[int, Field]]:
    """Find the fields that `keep` lacks and may take over; return each with the index in `others` of its entry.

    Two names of one thing (`year` and `date`, `journal` and `journaltitle`) count as one field.  A field that speaks of
    another one, as volume and pages do of the venue, comes only from an entry that contradicts nothing there.
    """
    values = _values_by_name(keep)
    container = _container(keep)  # the journal or book that the work stands in
    lacking: list[tuple[int, Field]] = []
    # One after the other: what an earlier entry gives, such as a journal, decides what of a later one still fits.
    for index, other in enumerate(others):
        other_values = _values_by_name(other)
        other_container = _container(other)
        # “To appear” in another entry is outdated if the work has appeared by `keep`.
        outdated = _ON_ITS_STATE if other.is_pending and not keep.is_pending else frozenset()
        for field in other.fields:
            name = _ALIASES.get(field.name, field.name)
            is_lacking = name in other_values and name not in values
            if not is_lacking or name in outdated:
                continue
            if _fits(name, values, other_values) and _fits_venue(name, container, other_container):
                values[name] = other_values[name]
                lacking.append((index, field))
        container = container or other_container
    return lacking


def items_to_add(name: str, mine: str, theirs: str) -> str:
    """Return what to add behind a list of keywords, groups or files, `mine`, so that it also has the items of `theirs`.

    `name` is the field's; `a, b` and `b, c` give `, c`.  "" if the field is no such list, if `mine` is empty (a field
    that is lacking is taken over whole, by `find_missing`), or if nothing is missing.
    """
    # A semicolon in either list of keywords shows what parts both: commas may then belong to a keyword.
    separator = "; " if name == "keywords" and ";" in mine + theirs else _LISTS.get(name, "")
    if not separator or not mine:
        return ""
    # In JabRef's `file` field a `\;` belongs to a name.
    unescaped_separator = re.compile(rf"(?<!\\){separator.strip()}")
    known = {item.strip().lower() for item in unescaped_separator.split(mine)}
    added: dict[str, None] = {}  # in order and each once
    for written in unescaped_separator.split(theirs):
        item = written.strip()
        # One that has half a pair of braces would break the field.
        if item and item.lower() not in known and _BALANCED.fullmatch(item):
            added[item] = None
    return "".join(separator + item for item in added)


def is_published(entry: Entry) -> bool:
    """True if the entry says where it came out, as its type does, and that is no server of preprints."""
    if entry.kind in _LOOSE:
        return False
    names = ("journal", "journaltitle", "booktitle", "school", "institution", "publisher")
    place = next(filter(None, map(entry.text, names)), "")
    return bool(place) and not venues.is_preprint_server(place)


def _container(entry: Entry) -> str:
    """Return what the work stands in or where it came out; "" if the entry does not say it."""
    return next(filter(None, map(entry.text, _CONTAINERS)), "")


def _values_by_name(entry: Entry) -> dict[str, str]:
    """Return the text of each field that is not empty, under the one name of its aliases: `journal` as `journaltitle`.

    If an entry has both names, the first in it counts.  Of a date it is the year, if one can be read; `date` also
    stands under `month` and `day`, so that these do not seem to be lacking.  `ids`, the entry's other keys, is left
    out.
    """
    values: dict[str, str] = {}
    for name in entry.own:  # its own fields, without those that it inherits
        text = entry.text(name)
        if name == "ids" or not text:
            continue
        is_dated = name in ("year", "date") and entry.year
        values.setdefault(_ALIASES.get(name, name), str(entry.year) if is_dated else text)
        if name == "date":
            values |= {"month": text, "day": text}
    return values


def _fits(name: str, mine: dict[str, str], theirs: dict[str, str]) -> bool:
    """True if the field `name` of another entry contradicts nothing in this one.

    `mine` and `theirs` are the values of this entry and of the other one.  A field that speaks of another field, as the
    month does of the date, does not fit if both entries have that one, and not the same.
    """
    counterpart = _PEOPLE.get(name, "")
    if counterpart in mine and counterpart not in theirs:
        return False  # one entry calls editors whom the other calls authors
    subject = _SPEAK_OF.get(name, "")
    if subject not in mine or subject not in theirs:
        return True
    return bare_letters(mine[subject]) == bare_letters(theirs[subject])


def _fits_venue(name: str, mine: str, theirs: str) -> bool:
    """True if the field `name` of another entry, whose container is `theirs`, fits one whose container is `mine`.

    A container is the journal or book that the work stands in, "" if the entry names none.  Its own name is taken only
    for want of one.  What speaks of it, as the volume does, fits unless both name one, and these are not known to be
    the same, or nearly so.
    """
    if name in _VENUES:
        return not mine
    if name not in _OF_VENUE or not mine or not theirs or bare_letters(mine) == bare_letters(theirs):
        return True
    # A host, as `Lecture Notes in Computer Science`, prints the proceedings of many conferences: it contradicts none.
    if venues.is_host(mine) != venues.is_host(theirs):
        return True
    # "looser" is the same less exactly: the findings of a conference, or a companion volume, for its main volume.
    return venue_names.compare(mine, [theirs]) in ("same", "looser")
