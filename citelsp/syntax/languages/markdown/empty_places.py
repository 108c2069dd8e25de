"""Places for keys in Markdown's citations at which none stands yet: `[@a; ]`, and an empty role of MyST's."""

import re

from citelsp.base.text import Span
from citelsp.syntax.empty_places import find_brackets
from citelsp.syntax.nodes import Placeholder

_ROLE = re.compile(r"\{(?P<command>(?:foot)?cite(?::[a-z]{1,12})?)\}`(?P<keys> *)`(?!`)")  # of MyST
_OPENING = re.compile(r"\[")
_CITED = re.compile(r"(?:^|[;\s-])@[\w{]")


def find(text: str, offset: int) -> Placeholder | None:
    """Return a placeholder for the keys that may stand at `offset` in a citation; None if none stands there."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:].partition("\n")[0]
    for role in _ROLE.finditer(line):
        if role.start() < offset - start < role.end():
            keys, whole = (Span(*role.span(group)).moved(start) for group in ("keys", 0))
            return Placeholder("", keys, role["command"], whole)
    return _find_in_brackets(text, offset)


def _find_in_brackets(text: str, offset: int) -> Placeholder | None:
    """Return the place in an item that is empty, of several that cite."""
    brackets = find_brackets(text, offset, _OPENING)
    if brackets is None or not _CITED.search(brackets.items.within(text)):
        return None
    before, behind = brackets.part_item(text, offset, ";")
    if (before + behind).strip():
        return None
    whole = Span(brackets.opening.start(), brackets.items.end + brackets.closed)
    return Placeholder("", Span(offset, offset), "@", whole, before="@")
