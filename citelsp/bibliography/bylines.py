"""Authors as BibTeX sorts and prints them right: `van Zuylen, Madeleine`, `King, Jr., Martin Luther`, `{A Team}`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from citelsp.bibliography.encode_tex import escape
from citelsp.bibliography.names import Name

_PARTICLE = (
    r"(?:van|von|der|den|de|la|le|lo|du|di|da|do|dos|das|del|della|degli|des|ten|ter|te|zu|zum|zur|el|al|bin|ibn|af|av"
    r"|vom|op|'t|’t|v\.|d['’])"
)
# Services that split names leave particles with the given names; BibTeX would sort and abbreviate them as such.
_PARTICLES_LAST = re.compile(rf"(?P<given>.*?\S)\s+(?P<particles>{_PARTICLE}(?:\s+{_PARTICLE})*)")
# `Davis Jr.`
_SUFFIX_LAST = re.compile(r"(?P<name>.*\S)[\s,]+(?P<suffix>(?:Jr|Sr)\.?|II|III|IV)")
_LONGEST_NAME = 300  # characters of a person's name
_TEAM = re.compile(
    r"(?:^the\s.*|.*\b(?:team|group|collaborations?|consortium|committee|initiative|network|association|society"
    r"|organi[sz]ation|foundation|institute|investigators|developers|contributors|university|agency|ministry))",
    re.IGNORECASE,
)
# `Smith and Sons`, `Engines, Inc.`: BibTeX would take them apart.
_NEEDS_BRACES = re.compile(r",|\sand\s|^and\s|\sand$", re.IGNORECASE)


def byline(authors: Sequence[Name], *, complete: bool = True) -> str:
    """Write a name list as BibTeX has it, in TeX already, so that the braces of a team survive.

    One that is not complete ends in `and others`.
    """
    names = [_written(with_parts_in_place(name)) for name in authors]
    if names and not complete:
        names.append("others")
    return " and ".join(names)


def with_parts_in_place(name: Name) -> Name:
    """Divide a name as BibTeX wants it: the particle before the family name, the suffix apart, a team undivided.

    Services leave particles with the given names (`Ludwig van`), and suffixes with either (`Davis Jr.`).
    """
    # A team has a word such as “group” or “consortium” in its name; what is very long is no person's.
    if name.literal or len(str(name)) > _LONGEST_NAME or _TEAM.fullmatch(str(name)):
        return Name(str(name), literal=True)
    if name.given and not name.suffix:  # a name without given ones is written whole, so nothing need be divided
        behind_family = _SUFFIX_LAST.fullmatch(name.family)
        behind_given = _SUFFIX_LAST.fullmatch(name.given)
        if behind_family:
            name = replace(name, family=behind_family["name"].rstrip(" ,"), suffix=behind_family["suffix"])
        elif behind_given:
            name = replace(name, given=behind_given["name"].rstrip(" ,"), suffix=behind_given["suffix"])
    with_particles = _PARTICLES_LAST.fullmatch(name.given)
    if with_particles:
        particles = with_particles["particles"]
        glue = "" if particles.endswith(("'", "’")) else " "  # `d'Alembert`
        name = replace(name, given=with_particles["given"], family=particles + glue + name.family)
    return name


def _written(name: Name) -> str:
    """Write a name as BibTeX wants it: `Family, Suffix, Given`; what it would take apart stands in braces."""
    family = escape(name.family)
    given = escape(name.given)
    if not given:
        # Without braces BibTeX would take a team apart, and “others” for a list that goes on.
        needs_braces = name.literal or re.search(r"[\s,]", family) or family.lower() in ("others", "and")
        return f"{{{family}}}" if needs_braces else family
    parts = (_braced(family), escape(name.suffix), _braced(given))
    return ", ".join(filter(None, parts))


def _braced(part: str) -> str:
    return f"{{{part}}}" if _NEEDS_BRACES.search(part) else part
