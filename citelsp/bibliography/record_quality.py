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

from citelsp.bibliography import publishers, venues
from citelsp.bibliography.fold import bare_letters, words
from citelsp.bibliography.group_names import holds_commas, is_team
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.bibliography.tolerant_comparison.same_person import same_person

_OTHERS = re.compile(r"\b(?:et\.?\s+al|and others|co-?authors)\b|\(eds?\b", re.IGNORECASE)
_MOST_WORDS_OF_NAME = 5  # of one person, particles not counted
_RUN_TOGETHER = 5  # letters of a whole name, from which on it is looked for within another
_PARTICLES = frozenset("van von der den de la du di da do dos das del della e y bin ibn al".split())
_ADDRESS = re.compile(r"://|\bdoi\.org|\bwww\.|^10\.\d{4}", re.IGNORECASE)
# `(eds.) Byron, A.`
_EDITORS = re.compile(r"\W*eds?\b", re.IGNORECASE)
# `R.`, `J.-P.`, `JA`
_INITIALS = re.compile(r"(?:[A-Z]\.?[ -]?){1,3}")
# `The -calculus`
_FORMULA_LOST = re.compile(r"^\s*:|(?:^|\s)-(?=[^\W\d_]{3})")
# `Memoirs, vol. 12, …`, `<i>Memoirs</i>`
_MORE = re.compile(r"</?[A-Za-z]|,\s*vol(?:ume|\.)\s*\d+\s*,", re.IGNORECASE)
_FILE = re.compile(r"\.(?:pdf|ps|docx?|html?)$", re.IGNORECASE)
_WITHOUT_GAP = re.compile(r"(?<=[a-zà-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])")  # between two names that run together
# `“Engines,” Memoirs`
_QUOTED = re.compile(r"[“\"][^“”\"]+[.,][”\"]\s*\S")
COMPLETE = frozenset({"aclanthology", "arxiv", "dblp", "openreview"})  # list everybody whom the title page names


def is_whole_list(recorded: Sequence[Name], cited: Sequence[Name] = (), source: str = "") -> bool:
    """True if nothing shows that a list of authors broke, or was cut off, on its way into an index.

    It broke if somebody stands in it twice, or if a name is none of one person: digits, initials alone, letters lost,
    two people in one, one person in two.  It was cut off if it is the beginning of the `cited` list (as an empty one
    is), which goes on by two people at least, or if it is the first of them alone; whom the entry cites helps to see
    the other damage, too.  `source` is the index: some list everybody, so nobody was cut off there.
    """
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
    # One person who is missing may be an error of the citing author; several, or all but the first, were cut off.
    everybody = len(dict.fromkeys(cited))  # who is cited twice is not missing on record
    lacks_several = len(recorded) + 1 < everybody
    has_first_alone = len(recorded) == 1 < everybody
    are_the_first = all(map(same_person, cited, recorded))  # as far as the shorter list goes
    return not (are_the_first and (lacks_several or has_first_alone))


def count_named(recorded: Sequence[Name], cited: Sequence[Name]) -> int:
    """Count the cited people whose family names a list has, wherever it was cut, also run together: `ByronCharles`."""
    text = " ".join(map(str, recorded))
    recorded_words = {*words(text), *words(_WITHOUT_GAP.sub(" ", text))}
    families = map(_family, cited)
    return sum(1 for family in families if family and family <= recorded_words)


def is_address(text: str) -> bool:
    return _ADDRESS.search(text) is not None


def is_name_of_a_venue(name: str) -> bool:
    """False for an address, editors, a publisher, half a name, and one with tags or a volume behind it."""
    has_half_a_bracket = name.count("(") != name.count(")")
    if is_address(name) or _EDITORS.match(name) or _MORE.search(name) or has_half_a_bracket:
        return False
    if not publishers.is_house(name):
        return True
    # Some houses are called as venues are.
    return bool(venues.identify(name).series) or bool(venues.form(name))


def is_whole_title(text: str) -> bool:
    return not (_QUOTED.match(text) or any(it.search(text) for it in (_FORMULA_LOST, _FILE, titles.FOOTNOTE)))


def is_fit_to_write(name: str, record: Record, cited: Sequence[Name] = ()) -> bool:
    """Whether this part of a record may be written into an entry; parts other than these three always may."""
    match name:
        case "authors":
            return is_whole_list(record.authors, cited)
        case "venue":
            return is_name_of_a_venue(record.venue)
        case "title":
            return is_whole_title(record.title)
    return True


def _is_broken(name: Name) -> bool:
    """True if a name shows that its list broke: initials alone, digits, several people or an address in one.

    Of a team only words such as “et al.”, and commas, show it.
    """
    written = str(name)
    if _OTHERS.search(written) or holds_commas(name):
        return True
    if is_team(name):  # which may be called by initials, numbers and many words
        return False
    parts = words(written)
    if all(len(part) == 1 for part in parts):
        return True
    if not name.given and written.isupper() and len(written) <= 3:  # `JRS`: initials without full stops
        return True
    if any(map(str.isdigit, written)):
        return True
    return sum(part not in _PARTICLES for part in parts) > _MOST_WORDS_OF_NAME


def _lost_letters(name: Name, cited: Sequence[Name]) -> bool:
    """`Zoltn Szab`, or with gaps, for Zoltán Szabó who is cited: letters beyond ASCII were dropped."""
    may_lose = [it for it in map(str, cited) if not it.isascii()]
    written = bare_letters(str(name)) if may_lose else ""
    return any(written != bare_letters(it) and re.fullmatch(_with_gaps(it), written) for it in may_lose)


def _with_gaps(name: str) -> str:
    """Return a pattern of the name in which letters beyond ASCII may be missing."""
    return "".join(bare_letters(c) if c.isascii() else f"(?:{bare_letters(c)})?" for c in name)


def _has_halves(recorded: Sequence[Name], cited: Sequence[Name]) -> bool:
    """True if two names that follow each other are those of one who is cited: `Kuhn and Max` for Max Kuhn."""
    lone_words = [set(words(name.family)) for name in recorded if not name.given]
    words_of_cited = [set(words(str(name))) for name in cited if name.given]
    for one, following in pairwise(lone_words):
        one_is_whole = one <= following or following <= one  # a name that holds the other is no half of one
        if not one_is_whole and one | following in words_of_cited:
            return True
    return False


def _repeats(recorded: Sequence[Name]) -> bool:
    """True if a whole name stands in two places; at one place registries list one person twice."""
    whole_names: list[Name] = []
    for place, name in enumerate(recorded):
        is_listed_twice = place > 0 and name == recorded[place - 1]
        if name.given and not is_listed_twice:
            whole_names.append(name)
    return len(set(whole_names)) < len(whole_names)


def _holds_two(name: Name, families: AbstractSet[str], cited: Sequence[Name]) -> bool:
    """True if one name on record holds the names of two people who are cited: `Ada Byron Charles Babbage`.

    `cited`: the people in the author's entry; `families` are their family names.  Two of these are enough, unless both
    are one person's, as those of García Márquez are; or one person's whole name behind another's.
    """
    written = words(str(name))
    may_hold_two = len(written) >= 4  # two names of two words each: `Sebastian Breßand Steffen Zeuch`
    if may_hold_two and any(_is_swallowed(words(str(person)), written) for person in cited):
        return True
    shared = families & set(written)
    are_of_one = any(shared <= set(words(str(person))) for person in cited)
    return len(shared) >= 2 and not are_of_one


def _runs_together(name: Name, cited: Sequence[Name]) -> bool:
    """`Ada ByronCharles Babbage` for two who are cited."""
    written = bare_letters(str(name))
    if len(written) < 2 * _RUN_TOGETHER:
        return False
    whole_names = {bare_letters(str(person)) for person in cited}
    lengths_within = [len(whole) for whole in whole_names if len(whole) >= _RUN_TOGETHER and whole in written]
    return len(lengths_within) >= 2 and sum(lengths_within) <= len(written)


def _is_swallowed(person: Sequence[str], name: Sequence[str]) -> bool:
    """`Sebastian Breßand Steffen Zeuch` holds Steffen Zeuch behind somebody else's name."""
    has_room_before = len(name) >= len(person) + 2 and person[:1] != name[:1]
    return len(person) >= 2 and has_room_before and set(person) <= set(name)


def _has_initials_of_others(name: Name, families: AbstractSet[str], cited: Sequence[Name]) -> bool:
    """`R., Parr` out of `Rosch, R., Parr, T.`; `Parr T` is a person.

    `families` are the family names of those who are cited.
    """
    if not _INITIALS.fullmatch(name.family) or families.isdisjoint(words(name.given)):
        return False
    return not any(same_person(name, person) for person in cited)


def _family(name: Name) -> set[str]:
    return {it for it in words(name.family) if len(it) > 1 and it not in _PARTICLES}
