"""Publishing houses, which have many imprints and are written with and without their legal form and places."""

import re
from functools import cache
from itertools import product

from citelsp.bibliography import shipped_lists
from citelsp.bibliography.fold import words
from citelsp.bibliography.venues import shortens

_LEGAL = frozenset(
    "inc ltd llc bv gmbh co ag publishing publisher publishers publications press verlag group the of and for"
    " international sa plc kg company corp limited science business media".split()
)
# `Springer Netherlands`, `MIT Press`
_HOUSE = re.compile(
    r"ieee|acm|(?:springer|elsevier|wiley)(?:[ -][\w&-]{1,40}){0,2}"
    r"|(?!in press)(?:[\w&-]{1,40} ){1,3}(?:press|publishers|publishing(?: group)?|verlag|publ?)"
    r"(?:[.,]{0,2} (?:co|company|inc|ltd)\b\.?){0,2}",
    re.IGNORECASE,
)


def is_house(name: str) -> bool:
    """Whether this is a publisher's name, which some records give for a venue: `Springer Netherlands`, `MIT Press`."""
    return _HOUSE.fullmatch(name) is not None


def same(cited: str, recorded: str) -> bool | None:
    """True if two publishers' names mean the same house; None if one is empty or has only words that many houses have.

    They do if they share a telling word, abbreviated or not (those of one house, its imprints and societies count as
    one), or if one has the other's initials as a word.
    """
    cited_house = _house(cited)
    recorded_house = _house(recorded)
    if not cited_house or not recorded_house:
        return None
    if cited_house & recorded_house:
        return True
    # `Oxf.` for `Oxford`
    if any(shortens(word, other) or shortens(other, word) for word, other in product(cited_house, recorded_house)):
        return True
    # `ACM` and `Association for Computing Machinery`
    if not _initials(recorded).isdisjoint(_words(cited)):
        return True
    return not _initials(cited).isdisjoint(_words(recorded))


def _initials(name: str) -> set[str]:
    """Return the first letters of a publisher's words, without legal forms (`ACM`, `AIP`) and with them (`MSP`)."""
    bare = "".join(word[0] for word in _words(name))
    whole = "".join(word[0] for word in words(name))
    return {bare, whole} if len(whole) >= 3 else {bare}


def _words(name: str) -> list[str]:
    return [it for it in words(name) if it not in _LEGAL and not it.isdigit()]


def _house(name: str) -> set[str]:
    """Return the telling words of a name; those of a house whose imprints and societies are known count as one."""
    own = set(_words(name)) - {"association"}
    for house in _houses():
        if own & house:
            return own - house | {" ".join(sorted(house))}
    return own


@cache
def _houses() -> tuple[frozenset[str], ...]:
    """Return the words that name one publishing house, its imprints and its societies."""
    lines = shipped_lists.read("publishers.txt").splitlines()
    return tuple(frozenset(line.split()) for line in lines)
