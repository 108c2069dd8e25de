"""Indented code in Markdown, also in lists, definitions and notes."""

import re
from typing import NamedTuple

# Also a definition's text, and a note.
_LIST_ITEM = re.compile(
    r"[ \t]*(?:[-*+]|\d{1,9}[.)]|\(?[@\w]{1,6}[.)]|(?P<note>\[\^[^\]\n]+\]:)|:|~)(?:(?P<gap>[ \t]+)(?=\S)|(?=\s|\Z))"
)
_WHITE = re.compile(r"[ \t]*")
_INDENT = 4  # columns

# What begins a block of its own right behind a line of text, without a blank line: heading, fence, quote, rule, HTML.
_BEGINS_BLOCK = re.compile(r"#{1,6}(?:\s|\Z)|```|~~~|[><]|(?:[-*_][ \t]*){3,}\Z")


class LinePlace(NamedTuple):
    """How a line lies in the list item that holds it, if one does."""

    column: int  # at which the item's text begins; 0 without an item
    least_indent: int  # of the block's lines up to this one; 0 if it goes on with an item's own text, and is no code


def is_indented_code(text: str, start: int, known: dict[int, LinePlace]) -> bool:
    """True if the line that begins at `start` is code by its indentation, counted from the item that holds it.

    `known` keeps what was found of lines, by where they start: a line belongs to what the one above it belongs to.
    """
    # Wherever its item begins, a line with less than four columns is no code: most lines need no look above.
    if start not in known and _indent(text, start) < _INDENT:
        return False
    place = _place_line(text, start, known)
    return place.least_indent >= place.column + _INDENT


def _place_line(text: str, start: int, known: dict[int, LinePlace]) -> LinePlace:
    """Return how the line at `start` lies in its list item; its block begins behind the nearest blank line above.

    Less indented lines above it in the block count (`least_indent`), as code cannot directly follow a line of prose.
    `known` holds the answers so far, by the line's offset; the new one is added.
    """
    if start in known:
        return known[start]
    offset = start
    least_indent = _indent(text, start)
    while offset > 0:
        previous = text.rfind("\n", 0, offset - 1) + 1
        line = text[previous : offset - 1]
        if not line.strip():
            break
        # A line that follows an item without a blank line continues it, however far to the right.
        item = _LIST_ITEM.match(line)
        if item:
            known[start] = LinePlace(_content_column(line, item), least_indent=0)
            return known[start]
        if previous in known:
            above = known[previous]
            known[start] = LinePlace(above.column, min(least_indent, above.least_indent))
            return known[start]
        least_indent = min(least_indent, _indent(text, previous))
        offset = previous
    known[start] = LinePlace(_holder_column(text, offset, least_indent, known), least_indent)
    return known[start]


def _holder_column(text: str, offset: int, least_indent: int, known: dict[int, LinePlace]) -> int:
    """Return the column at which the text of the list item begins that holds a block; 0 if no item holds it.

    The block begins at `offset`, and its least indent is `least_indent`.  The item is the nearest one above whose text
    begins no further to the right than the block.  `known` has the lines above that were placed before.
    """
    while offset > 0:
        previous = text.rfind("\n", 0, offset - 1) + 1
        line = text[previous : offset - 1]
        offset = previous
        if not line.strip():
            continue
        item = _LIST_ITEM.match(line)
        if item:
            column = _content_column(line, item)
            if column <= least_indent:
                return column
        elif _indent(text, previous) == 0 and not _may_continue(text, previous, line):
            return 0  # a line at the margin ends every item
        if previous in known:
            column = known[previous].column
            if column <= least_indent:  # what holds that line holds the block too: no item begins between them
                return column
    return 0


def _may_continue(text: str, start: int, line: str) -> bool:
    """True if the line that begins at `start` may go on with the text above it, and so belong to an item, unindented.

    CommonMark calls such a line lazy: it begins no block, and above it is neither a blank line, nor one that begins or
    ends a block, nor one that may be code.
    """
    if start == 0 or _BEGINS_BLOCK.match(line):
        return False
    start_above = text.rfind("\n", 0, start - 1) + 1
    text_above = text[start_above : start - 1].strip()
    return bool(text_above) and not _BEGINS_BLOCK.match(text_above) and _indent(text, start_above) < _INDENT


def _content_column(line: str, item: re.Match[str]) -> int:
    """Return the column at which the text of a list item begins; the indent of its further blocks counts from there."""
    if item["note"]:
        return _columns(line[: item.start("note")]) + _INDENT
    marker_end = _columns(line[: item.start("gap")] if item["gap"] else line.rstrip())
    if not item["gap"]:
        return marker_end + 1
    column = _columns(line[: item.end()])
    # CommonMark, list items: text more than four columns behind the marker is code that begins one behind it.
    return column if column <= marker_end + _INDENT else marker_end + 1


def _indent(text: str, start: int) -> int:
    match = _WHITE.match(text, start)
    return _columns(match[0] if match else "")


def _columns(text: str) -> int:
    return len(text.expandtabs(_INDENT))
