"""Names that stand for several people: teams, companies, and lists that were read as one name."""

import re
from collections.abc import Sequence

from citelsp.bibliography.fold import words
from citelsp.bibliography.names import Name

_TEAMS = frozenset(
    "team teams consortium collaboration collaborations collaborative collaborators group workgroup initiative network"
    " committee project program programme investigators trialists contributors members council society association"
    " federation institute organization organisation foundation alliance academy academies commission ministry"
    " department agency university laboratory taskforce survey registry".split()
)
_OF_GROUPS = frozenset("the for and on in".split())  # words that are in no person's name
_HOUSE = re.compile(r"(?!Mac|Mc|Le|La|De|Di|Du|Van|Fitz)(?=\w+\Z)\w*[a-z][A-Z].*|[\w-]+-AI")  # OpenAI, DeepSeek-AI


def is_team(name: Name) -> bool:
    """True for a group of people, some of whom may be listed as well."""
    written = str(name)
    parts = words(written)
    if not _TEAMS.isdisjoint(parts) or "task force" in " ".join(parts) or written.endswith(" Coll."):
        return True
    if not name.literal or len(parts) <= 2:
        return False
    # Among several words in braces, one that is in no person's name, or a number.
    return not _OF_GROUPS.isdisjoint(parts) or any(map(str.isdigit, parts))


def is_company(name: Name) -> bool:
    """True for a company, which some list beside its people and others do not."""
    return not name.given and _HOUSE.fullmatch(name.family) is not None


def is_house(people: Sequence[Name]) -> bool:
    """True if a company is the only author, and stands for its people."""
    return len(people) == 1 and is_company(people[0])


def are_teams(people: Sequence[Name]) -> bool:
    """True if all are groups, which stand for people who are not named."""
    return bool(people) and all(map(is_team, people))


def are_groups(people: Sequence[Name]) -> bool:
    """True for teams alone, or one company, whose people another list may name one by one."""
    return are_teams(people) or is_house(people)


def holds_commas(name: Name) -> bool:
    """True if several people, or an address, stand in one name."""
    return re.search(r",(?!\s*(?:[JjSs]r|[IVX]+)\b)", str(name)) is not None
