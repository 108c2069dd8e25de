"""Comments that silence findings."""

import re

from citelsp.base import effort
from citelsp.base.text import LineStarts, Span
from citelsp.syntax.nodes import Suppression

IGNORE = r"citelsp:[ \t]*ignore(?![\w-])(?>[ \t]*)(?:\[(?P<codes>[^\]\n]*)\])?"
# From the first sign of a run, which `\\`, a break, does not escape.
_TEX = re.compile(rf"(?:(?<!\\)|(?<=(?<!\\)\\\\))(?:(?<!%)|(?<=\\%))%+[ \t]*{IGNORE}[^\n\r]*")
_ORG = re.compile(
    rf"(?:(?P<within>@@comment:)|^[ \t]*#[ \t])[ \t]*{IGNORE}(?(within)(?:(?!@@)[^\n\r])*@@|[^\n\r]*)", re.MULTILINE
)
_HTML = re.compile(rf"<!--\s*{IGNORE}(?:(?!-->)[\s\S]){{0,2000}}-->")

_WRITTEN = re.compile(r"\S")


def in_tex(text: str) -> list[Suppression]:
    """`% citelsp: ignore[code, code] reason`, also in .bib files."""
    return find(_TEX, text)


def in_html(text: str) -> list[Suppression]:
    """`<!-- citelsp: ignore[code] reason -->`."""
    return find(_HTML, text)


def in_org(text: str) -> list[Suppression]:
    """`# citelsp: ignore[code] reason` on a line of its own, `@@comment: citelsp: ignore[code] reason@@` anywhere."""
    return find(_ORG, text)


def find(pattern: re.Pattern[str], text: str) -> list[Suppression]:
    """Find the comments `citelsp: ignore[code]` that match `pattern`, with the lines that each silences.

    The pattern has a group `codes`.
    """
    if "citelsp:" not in text:
        return []
    suppressions: list[Suppression] = []
    lines = LineStarts(text)
    line_end = -1
    for match in effort.iterate(pattern.finditer(text)):
        # Many comments on one line would each look for its end anew.
        if line_end < match.end():
            line_end = _line_end(text, match.end())
        comment = Span(*match.span())
        line = Span(lines.before(match.start()), line_end)
        suppressions.append(Suppression(_codes(match["codes"]), comment, _covers(text, comment, line)))
    return suppressions


def _codes(written: str | None) -> tuple[str, ...]:
    """Return the codes between commas; empty if the comment has no brackets (None)."""
    stripped = (code.strip() for code in (written or "").split(","))
    return tuple(code for code in stripped if code)


def _covers(text: str, comment: Span, line: Span) -> Span:
    """Return the span that a comment silences: its own lines, or the next line with text if it stands alone.

    `line` reaches from the beginning of its first line to the end of its last.  An empty span at the text's end if no
    text follows.
    """
    if _WRITTEN.search(text, line.start, comment.start) or _WRITTEN.search(text, comment.end, line.end):
        return line
    last = line.end
    while last < len(text):
        first = last + 1
        last = _line_end(text, first)
        if text[first:last].strip():
            return Span(first, last)
    return Span(len(text), len(text))


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
