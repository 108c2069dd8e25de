r"""Lines and columns of a text, as the Language Server Protocol counts them.

Lines end at \n, \r\n and \r and nowhere else (not at form feeds or U+2028, where str.splitlines would).  A column
counts code units of the negotiated encoding; one beyond the line's end is its end, one inside a character is that
character's start.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_BREAK = re.compile(r"\r\n?|\n")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")  # two units of UTF-16


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Offsets where lines start, in their order, and the number of each of those lines."""

    offsets: tuple[int, ...] = (0,)
    lines: tuple[int, ...] = (0,)


def count_breaks(text: str) -> int:
    """Count the line breaks that the text holds."""
    return text.count("\n") + (text.count("\r") - text.count("\r\n") if "\r" in text else 0)


def find_offset(text: str, line: int, character: int, encoding: Encoding) -> int:
    """The offset of a position; one after the last line is the text's end."""
    start = _find_line_start(text, line)
    if start is None:
        return len(text)
    line_break = _BREAK.search(text, start)
    content = text[start : line_break.start() if line_break else len(text)]
    return start + _count_characters(content, max(0, character), encoding)


def find_positions(
    text: str, offsets: Iterable[int], encoding: Encoding, landmarks: Landmarks = Landmarks()
) -> dict[int, tuple[int, int]]:
    """Return the line and column of each offset, from 0, the column in code units of the encoding.

    `landmarks` are known starts of lines: from one to the next offset the text is read, what lies before is skipped.
    """
    answer: dict[int, tuple[int, int]] = {}
    # How far the text is counted: `counted` is on `line`, `column` units behind its start.
    counted = 0
    line = 0
    column = 0
    # In order, so that a long text is read once, however many findings it has.
    for offset in sorted(set(offsets)):
        # Offsets outside the text are moved into it, and one within a \r\n before that.
        target = _leave_break(text, min(max(0, offset), len(text)))
        mark = bisect_right(landmarks.offsets, target) - 1
        if landmarks.offsets[mark] > counted:
            counted = landmarks.offsets[mark]
            line = landmarks.lines[mark]
            column = 0
        line_start = max(text.rfind("\n", counted, target), text.rfind("\r", counted, target)) + 1
        if line_start > counted:
            line += count_breaks(text[counted:line_start])
            counted = line_start
            column = 0
        column += _count_units(text[counted:target], encoding)
        counted = max(counted, target)
        answer[offset] = line, column
    return answer


def _leave_break(text: str, offset: int) -> int:
    """Return the offset; if it lies within a `\\r\\n`, the one before that."""
    is_within_break = offset > 0 and text[offset - 1 : offset + 1] == "\r\n"
    return offset - 1 if is_within_break else offset


def _find_line_start(text: str, line: int) -> int | None:
    """The offset at which a line begins, counted from 0; None if there are fewer lines."""
    if line <= 0:
        return 0
    break_before = next(islice(_BREAK.finditer(text), line - 1, None), None)
    return break_before.end() if break_before else None


def _count_characters(content: str, units: int, encoding: Encoding) -> int:
    """Count the characters of a line, without its break, that lie wholly within its first `units` code units."""
    if encoding == "utf-32" or content.isascii():
        return min(units, len(content))
    if encoding == "utf-8":
        encoded = content.encode()
        # Back to the first byte of a character: those that continue one are 10xxxxxx.
        while 0 < units < len(encoded) and encoded[units] & 0xC0 == 0x80:
            units -= 1
        return len(encoded[:units].decode())
    # UTF-16 has two units for a character beyond U+FFFF: a column between them belongs to the character.
    pairs = 0
    for astral in _ASTRAL.finditer(content):
        if astral.start() + pairs >= units:
            break
        pairs += 1
    return min(units - pairs, len(content))


def _count_units(content: str, encoding: Encoding) -> int:
    """Count the code units that a text takes."""
    if encoding == "utf-32" or content.isascii():
        return len(content)
    return len(content.encode()) if encoding == "utf-8" else len(content) + len(_ASTRAL.findall(content))
