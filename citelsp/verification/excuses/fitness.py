"""Works that services cannot be expected to know: of these their silence says nothing, whoever answered."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.bibliography.tolerant_comparison.people import read_authors
from citelsp.knowledge import VerdictKind
from citelsp.verification.evidence import identifiers_of
from citelsp.verification.untitled import cites_a_place, has_no_title

_GREY = frozenset(
    "misc online electronic www software manual techreport report thesis phdthesis mastersthesis unpublished booklet"
    " dataset patent standard book inbook incollection proceedings".split()
)
_PLACES = (
    "howpublished", "publisher", "organization", "institution", "school", "note", "url", "journal", "booktitle", "type",
    "number", "eprint", "version", "series", "addendum", "library", "location", "address", "file", "urldate",
)  # fmt: skip
SEARCHABLE = 3  # words of a title by which services are asked
_COMPUTING = 1980  # from when on indexes have everything of computing
_ADDRESS = re.compile(r"://|\bwww\.|\.(?:com|org|net|io|ai|edu|gov)\b", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:erratum|corrigendum|correction|addendum|editorial|preface|foreword|obituary|in memoriam"
    r"|(?:book )?reviews? of|book review|letter to|keynote|plenary|invited (?:talk|lecture)|tutorial\b|panel\b"
    r"|abstract (?:no\.? )?\w*\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Excuse:
    """A rule by which silence says nothing, and the reason as people read it; `{kind}` is the entry's."""

    rule: Callable[[Entry], bool]
    reason: str


@dataclass(frozen=True, slots=True)
class Abstention:
    """Why a work that nobody has is not called unknown: the name of the rule, its reason for people, and the verdict.

    `unconfirmed`: everybody was asked, and nobody lists it; `unchecked`: that says nothing.
    """

    rule: str
    reason: str
    kind: VerdictKind = "unchecked"


def find_abstention(entry: Entry) -> Abstention | None:
    """Return why the silence of services does not prove that there is no such work; None if it may prove that."""
    return find_exemption(entry) or find_doubt(entry)


def find_exemption(entry: Entry) -> Abstention | None:
    """Return why the silence of services says nothing at all about this entry; None if it does."""
    for excuse in UNJUDGED:
        if excuse.rule(entry):
            return Abstention(excuse.rule.__name__, excuse.reason.format(kind=entry.kind))
    return None


def find_doubt(entry: Entry) -> Abstention | None:
    """Return why services may lack this very entry, though they hold others of its kind; None if nothing says so."""
    for excuse in DOUBTFUL:
        if excuse.rule(entry):
            return Abstention(excuse.rule.__name__, excuse.reason, "unconfirmed")
    return None


def is_not_found_at_its_place(entry: Entry) -> bool:
    """Without a title a work is known by its place in print alone, which indexes do not have of all."""
    return has_no_title(entry) and cites_a_place(entry)


def has_a_title_read_in_doubt(entry: Entry) -> bool:
    """Of a printed reference the title may be cut, or joined with what follows it."""
    return "title" in entry.unsure


def is_too_short_to_search(entry: Entry) -> bool:
    """By a title of one or two words nothing can be found."""
    return len(words(entry.title)) < SEARCHABLE and not any(identifiers_of(entry))


def is_seldom_indexed(entry: Entry) -> bool:
    """Books, reports, theses, software, data, standards and web pages are often in no index, unless they have an id.

    Not what names no place at all: a `@misc` without address, publisher and note tells nobody where it is.
    """
    if any(identifiers_of(entry)) or entry.kind not in _GREY:
        return False
    return entry.kind != "misc" or any(map(entry.text, _PLACES)) or bool(entry.identifiers.url)


def is_about_another_work(entry: Entry) -> bool:
    """Talks, comments, reviews, notices and corrections are often in no index."""
    return bool(titles.about(entry.title)) or _ABOUT.match(entry.title) is not None


def is_an_edited_volume(entry: Entry) -> bool:
    """An entry with editors alone stands for a volume, and volumes are often in no index."""
    return not entry.value("author") and bool(entry.value("editor"))


def is_pending(entry: Entry) -> bool:
    """What is said to be submitted, in press or unpublished is in no index yet."""
    return entry.is_pending


def is_in_another_script(entry: Entry) -> bool:
    """Indexes transliterate or translate titles that have no Latin letter."""
    return not any(c.isascii() and c.isalpha() for c in entry.title)


def is_a_web_page(entry: Entry) -> bool:
    """Web pages are in no index."""
    if _ADDRESS.search(entry.venue):
        return True
    return not entry.venue and bool(entry.identifiers.url) and not entry.identifiers


def is_too_short(entry: Entry) -> bool:
    """Fewer than four words are too short a title to tell works apart.

    Three will do for several people in a series of computing.
    """
    length = len(words(entry.title))
    return length < 4 and not (length == 3 and _is_distinct(entry))


def is_older_than_any_index(entry: Entry) -> bool:
    """Before 1980 no index is complete."""
    return entry.year is not None and entry.year < _COMPUTING


def is_short(entry: Entry) -> bool:
    return len(words(entry.title)) < 4


def _is_distinct(entry: Entry) -> bool:
    """A short title by several people in one volume of a series that an index holds entirely."""
    return len(read_authors(entry)) >= 2 and entry.year is not None and venues.is_of_computing(entry.venue)


UNJUDGED = (
    Excuse(is_not_found_at_its_place, "no title is given, and nothing by its first author was found at its place"),
    Excuse(has_no_title, "no title"),
    Excuse(has_a_title_read_in_doubt, "where its title begins and ends could not be read for certain"),
    Excuse(is_too_short_to_search, "the title is too short to be searched for"),
    Excuse(is_seldom_indexed, "@{kind} entries are often in no index"),
    Excuse(is_about_another_work, "talks, comments, reviews and corrections are often in no index"),
    Excuse(is_an_edited_volume, "edited volumes are often in no index"),
    Excuse(is_pending, "it is said to be unpublished"),
    Excuse(is_in_another_script, "the title is not in Latin letters"),
    Excuse(is_a_web_page, "web pages are in no index"),
)
DOUBTFUL = (
    Excuse(is_too_short, "the title is too short to name one work"),
    Excuse(is_older_than_any_index, "too old to be indexed for certain"),
)
