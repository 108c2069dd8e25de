"""Indented code in Markdown, also in lists, definitions and notes."""

import re

_LIST = re.compile(
    r"[ \t]*(?:[-*+]|\d{1,9}[.)]|\(?[@\w]{1,6}[.)]|(?P<note>\[\^[^\]\n]+\]:)|:|~)(?:(?P<gap>[ \t]+)(?=\S)|(?=\s|\Z))"
)
_WHITE = re.compile(r"[ \t]*")
_INDENT = 4  # columns

Placed = tuple[int, int]  # the column where what holds a line begins; the least one of its block's lines so far


def is_indented_code(text: str, start: int, known: dict[int, Placed]) -> bool:
    """True if the line that begins at `start` is code by its indentation, counted from the item that holds it.

    `known` keeps what was found of lines, by where they start: a line belongs to what the one above it belongs to.
    """
    # Wherever its item begins, a line with less than four columns is no code: most lines need no look above.
    if start not in known and _indent(text, start) < _INDENT:
        return False
    column, least = _placed(text, start, known)
    return least >= column + _INDENT


def _placed(text: str, start: int, known: dict[int, Placed]) -> Placed:
    """Place a line by the lines of its block: those above it up to a blank one."""
    if start in known:
        return known[start]
    offset = start
    least = _indent(text, start)
    found: Placed | None = None
    while found is None and offset > 0:
        previous = text.rfind("\n", 0, offset - 1) + 1
        if not text[previous : offset - 1].strip():
            break
        # What follows an item without a blank line continues it, however far to the right.
        if _LIST.match(text, previous, offset - 1):
            found = 0, 0
        elif previous in known:
            column, above = known[previous]
            found = column, min(least, above)
        least = min(least, _indent(text, previous))
        offset = previous
    known[start] = found or (_holder(text, offset, least, known), least)
    return known[start]


def _holder(text: str, offset: int, least: int, known: dict[int, Placed]) -> int:
    """The column where the text begins of the nearest item above `offset` that can hold a block so far to the right."""
    while offset > 0:
        previous = text.rfind("\n", 0, offset - 1) + 1
        line = text[previous : offset - 1]
        offset = previous
        if not line.strip():
            continue
        item = _LIST.match(line)
        if item and (column := _content(line, item)) <= least:
            return column
        if previous in known and known[previous][0] <= least:
            return known[previous][0]
        if not item and not _indent(text, previous):
            return 0
    return 0


def _content(line: str, item: re.Match[str]) -> int:
    if item["note"]:
        return _columns(line[: item.start("note")]) + _INDENT
    marker = _columns(line[: item.start("gap")] if item["gap"] else line.rstrip())
    # CommonMark, list items: text more than four columns behind the marker is code that begins one behind it.
    column = _columns(line[: item.end()])
    return column if item["gap"] and column <= marker + _INDENT else marker + 1


def _indent(text: str, start: int) -> int:
    match = _WHITE.match(text, start)
    return _columns(match[0] if match else "")


def _columns(text: str) -> int:
    return len(text.expandtabs(_INDENT))
