"""What stands around a cursor in the brackets of a citation: where a key may stand, and none does yet."""

import re
from typing import NamedTuple

from citelsp.base.text import Span

_LONGEST = 2000  # characters before the cursor
_END = re.compile(r"[\[\]]|\n[ \t\r]*\n|\Z")
_LINE_END = re.compile(r"\n|\Z")


class CursorInBrackets(NamedTuple):
    """A cursor in a bracket `[…]`, behind what the citation begins with."""

    opening: re.Match[str]
    items: Span  # all that stands in the bracket behind its opening
    closed: bool  # False if the bracket is still being typed: then it reaches to the end of the line

    def part_item(self, text: str, offset: int, sign: str) -> tuple[str, str]:
        """Return what stands before and behind the cursor of its item; `sign` parts the items."""
        before = text[self.items.start : offset].rpartition(sign)[2]
        behind = text[offset : self.items.end].partition(sign)[0]
        return before, behind


def find_brackets(text: str, offset: int, opening: re.Pattern[str]) -> CursorInBrackets | None:
    """Return the innermost bracket around `offset`; None if it does not begin with `opening`, or the cursor is in that.

    No bracket reaches beyond its paragraph.
    """
    start = text.rfind("[", max(0, offset - _LONGEST), offset)
    begins = opening.match(text, start) if start >= 0 else None
    if begins is None or begins.end() > offset:
        return None
    end = _END.search(text, begins.end())
    closed = end is not None and end[0] == "]"
    if not closed:
        end = _LINE_END.search(text, begins.end())
    if end is None or end.start() < offset:
        return None
    return CursorInBrackets(begins, Span(begins.end(), end.start()), closed)
