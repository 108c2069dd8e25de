"""Which fields of a record are whole: those that broke on their way into an index may agree with an entry, never
contradict it, and nothing is written from them.

Indexes make many of their records by machine, out of reference lists and title pages, and take each other's over; so
two of them may have one broken field.  What shows that it is broken holds of any list, venue and title:

- A name is one person's.  It says nothing of others ("et al.") or of what they did ("(eds.)"), has no digits and more
  than initials, and stands once in a list; one of six words and more is several people's, or an address.
- Letters beyond ASCII are dropped on the way: who is cited as Zoltán Szabó is no `Zoltn Szab`.
- A list in which one name holds the family names of two people who are cited, or of one beside the initials of another,
  was cut in the wrong places; one that is the first author alone, or lacks several at the end, was cut off, if its
  source is none that lists everybody.
- A venue has a name: an address, the editors, the publisher or the part of a name before a bracket are none, nor has
  a name tags, or the volume and more behind it.
- A title ends where its quotation marks close: what bibliographies put in quotes, and more behind, is a reference.
  One that ends as a file's name is that; a mark and a sentence at its end are a footnote.  A hyphen or a colon with
  nothing before it stood behind a formula that was dropped: `The -calculus`.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from citelsp.bibliography import authors as people
from citelsp.bibliography import publishers, titles, venues
from citelsp.bibliography.fold import squeezed, words
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record

_OTHERS = re.compile(r"\b(?:et\.?\s+al|and others|co-?authors)\b|\(eds?\b", re.IGNORECASE)
_LONGEST = 5  # words of one person's name, particles not counted
_RUN_TOGETHER = 5  # letters of a whole name, from which on it is looked for within another
_PARTICLES = frozenset("van von der den de la du di da do dos das del della e y bin ibn al".split())
_ADDRESS = re.compile(r"://|\bdoi\.org|\bwww\.|^10\.\d{4}", re.IGNORECASE)
_EDITORS = re.compile(r"\W*eds?\b", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[A-Z]\.?[ -]?){1,3}")
_FORMULA_LOST = re.compile(r"^\s*:|(?:^|\s)-(?=[^\W\d_]{3})")
_MORE = re.compile(r"</?[A-Za-z]|,\s*vol(?:ume|\.)\s*\d+\s*,", re.IGNORECASE)
_FILE = re.compile(r"\.(?:pdf|ps|docx?|html?)$", re.IGNORECASE)
_WITHOUT_GAP = re.compile(r"(?<=[a-zà-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])")  # between two names that run together
_QUOTED = re.compile(r"[“\"][^“”\"]+[.,][”\"]\s*\S")
COMPLETE = frozenset({"aclanthology", "arxiv", "dblp", "openreview"})  # list everybody whom the title page names


def is_whole_list(recorded: Sequence[Name], cited: Sequence[Name] = (), source: str = "") -> bool:
    """Whether the list is whole, as far as it and the cited one tell, and its source cuts lists off."""
    if _repeats(recorded) or _has_halves(recorded, cited):
        return False
    cited_families: set[str] = set()
    for name in cited:
        cited_families.update(_family(name))
    for name in recorded:
        if _is_broken(name) or _lost_letters(name, cited) or _runs_together(name, cited):
            return False
        if _holds_two(name, cited_families, cited) or _has_initials_of_others(name, cited_families, cited):
            return False
    if source in COMPLETE:
        return True
    # One who is missing may be the author's error; several at the end, or all but the first, were cut off.
    everybody = len(dict.fromkeys(cited))  # who is cited twice is not missing on record
    is_shorter = len(recorded) + 1 < everybody or len(recorded) == 1 < everybody
    return not (is_shorter and all(map(people.same_person, cited, recorded)))


def count_named(recorded: Sequence[Name], cited: Sequence[Name]) -> int:
    """How many of the cited people a list names, wherever it was cut and if names run together: `Ada ByronCharles`."""
    text = " ".join(map(str, recorded))
    known = {*words(text), *words(_WITHOUT_GAP.sub(" ", text))}
    return sum(bool(family := _family(it)) and family <= known for it in cited)


def is_address(text: str) -> bool:
    return _ADDRESS.search(text) is not None


def is_name_of_a_venue(name: str) -> bool:
    if is_address(name) or _EDITORS.match(name) or _MORE.search(name) or name.count("(") != name.count(")"):
        return False
    return not (publishers.is_house(name) and not venues.identify(name).series and not venues.form(name))


def is_whole_title(text: str) -> bool:
    return not (_QUOTED.match(text) or any(it.search(text) for it in (_FORMULA_LOST, _FILE, titles.FOOTNOTE)))


def is_fit_to_write(name: str, record: Record, cited: Sequence[Name] = ()) -> bool:
    """Whether this part of a record may be written into an entry."""
    match name:
        case "authors":
            return is_whole_list(record.authors, cited)
        case "venue":
            return is_name_of_a_venue(record.venue)
        case "title":
            return is_whole_title(record.title)
    return True


def _is_broken(name: Name) -> bool:
    """Whether a name shows that its list broke: initials alone, digits, several people in one."""
    written = str(name)
    if _OTHERS.search(written) or people.holds_commas(name):
        return True
    if people.is_team(name):
        return False
    parts = words(written)
    if all(len(part) == 1 for part in parts):
        return True
    if not name.given and written.isupper() and len(written) <= 3:  # `JRS`
        return True
    if any(map(str.isdigit, written)):
        return True
    return sum(part not in _PARTICLES for part in parts) > _LONGEST


def _lost_letters(name: Name, cited: Sequence[Name]) -> bool:
    """`Zoltn Szab`, or with gaps, for Zoltán Szabó who is cited: letters beyond ASCII were dropped."""
    may_lose = [it for it in map(str, cited) if not it.isascii()]
    written = squeezed(str(name)) if may_lose else ""
    return any(written != squeezed(it) and re.fullmatch(_with_gaps(it), written) for it in may_lose)


def _with_gaps(name: str) -> str:
    """A pattern of the name whose letters beyond ASCII may be missing."""
    return "".join(squeezed(c) if c.isascii() else f"(?:{squeezed(c)})?" for c in name)


def _has_halves(recorded: Sequence[Name], cited: Sequence[Name]) -> bool:
    """`Kuhn and Max` for Max Kuhn who is cited."""
    lone = [set(words(it.family)) for it in recorded if not it.given]
    people_cited = [set(words(str(it))) for it in cited if it.given]
    joined = [one | other for one, other in pairwise(lone) if not (one <= other or other <= one)]
    return any(it in people_cited for it in joined)


def _repeats(recorded: Sequence[Name]) -> bool:
    """Somebody stands in two places; at one place registries list one person twice."""
    whole = [it for place, it in enumerate(recorded) if it.given and (place == 0 or it != recorded[place - 1])]
    return len(set(whole)) < len(whole)


def _holds_two(name: Name, families: AbstractSet[str], cited: Sequence[Name]) -> bool:
    """True if a name holds those of two people who are cited; not if both are names of one."""
    written = words(str(name))
    may_swallow = len(written) >= 4  # somebody of two words, behind two of somebody else's
    if may_swallow and any(_swallowed(words(str(it)), written) for it in cited):
        return True
    shared = families & set(written)
    return len(shared) >= 2 and not any(shared <= set(words(str(it))) for it in cited)


def _runs_together(name: Name, cited: Sequence[Name]) -> bool:
    """`Ada ByronCharles Babbage` for two who are cited."""
    written = squeezed(str(name))
    if len(written) < 2 * _RUN_TOGETHER:
        return False
    whole_names = {squeezed(str(it)) for it in cited}
    within = [len(it) for it in whole_names if len(it) >= _RUN_TOGETHER and it in written]
    return len(within) >= 2 and sum(within) <= len(written)


def _swallowed(person: Sequence[str], name: Sequence[str]) -> bool:
    """`Sebastian Breßand Steffen Zeuch` holds Steffen Zeuch behind somebody else's name."""
    return len(person) >= 2 and len(name) >= len(person) + 2 and person[0] != name[0] and set(person) <= set(name)


def _has_initials_of_others(name: Name, families: AbstractSet[str], cited: Sequence[Name]) -> bool:
    """`R., Parr` out of `Rosch, R., Parr, T.`; `Parr T` is a person."""
    if not _INITIALS.fullmatch(name.family) or families.isdisjoint(words(name.given)):
        return False
    return not any(people.same_person(name, it) for it in cited)


def _family(name: Name) -> set[str]:
    return {it for it in words(name.family) if len(it) > 1 and it not in _PARTICLES}
