"""Publishing houses, which have many imprints and are written with and without their legal form and places."""

import re
from functools import cache

from citelsp.bibliography import listings
from citelsp.bibliography.fold import words
from citelsp.bibliography.venues import shortens

_LEGAL = frozenset(
    "inc ltd llc bv gmbh co ag publishing publisher publishers publications press verlag group the of and for"
    " international sa plc kg company corp limited science business media".split()
)
_HOUSE = re.compile(
    r"ieee|acm|(?:springer|elsevier|wiley)(?: [\w&-]+){0,2}"
    r"|(?:[\w&-]+ ){1,3}(?:press|publishers|publishing(?: group)?|verlag)",
    re.IGNORECASE,
)


def is_house(name: str) -> bool:
    """Whether this is a publisher's name, which some records give for a venue: `Springer Netherlands`, `MIT Press`."""
    return _HOUSE.fullmatch(name) is not None


def same(cited: str, recorded: str) -> bool | None:
    """Whether two publishers' names mean the same house; None if they cannot be told apart for certain."""
    left, right = _house(cited), _house(recorded)
    if not left or not right:
        return None
    if left & right or any(shortens(a, b) or shortens(b, a) for a in left for b in right):
        return True
    mine, its = _words(cited), _words(recorded)
    return any(it in _initials(recorded) for it in mine) or any(it in _initials(cited) for it in its)


def _initials(name: str) -> tuple[str, str]:
    """The first letters of a publisher's words, legal forms left out (`ACM`, `AIP`) and with them (`MSP`)."""
    bare, whole = ("".join(it[0] for it in of) for of in (_words(name), words(name)))
    return bare, whole if len(whole) >= 3 else bare


def _words(name: str) -> list[str]:
    return [it for it in words(name) if it not in _LEGAL and not it.isdigit()]


def _house(name: str) -> set[str]:
    own = set(_words(name)) - {"association"}
    house = next((it for it in _houses() if own & it), frozenset())
    return own - house | {" ".join(sorted(house))} if house else own


@cache
def _houses() -> tuple[frozenset[str], ...]:
    """Words that name one publishing house, its imprints and its societies."""
    lines = listings.read("publishers.txt").splitlines()
    return tuple(frozenset(line.split()) for line in lines)
