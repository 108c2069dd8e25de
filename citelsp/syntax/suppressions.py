"""Comments that silence findings."""

import re

from citelsp.syntax.nodes import Suppression
from citelsp.text import Span

_IGNORE = r"citelsp:[ \t]*ignore(?![\w-])[ \t]*(?:\[(?P<codes>[^\]\n]*)\])?"
_TEX = re.compile(rf"(?<!\\)%+[ \t]*{_IGNORE}[^\n\r]*")
_HTML = re.compile(rf"<!--\s*{_IGNORE}(?:(?!-->)[\s\S]){{0,2000}}-->")


def in_tex(text: str) -> list[Suppression]:
    """`% citelsp: ignore[code, code] reason`, also in .bib files."""
    return _find(_TEX, text)


def in_html(text: str) -> list[Suppression]:
    """`<!-- citelsp: ignore[code] reason -->`."""
    return _find(_HTML, text)


def _find(pattern: re.Pattern[str], text: str) -> list[Suppression]:
    if "citelsp:" not in text:
        return []
    return [
        Suppression(_codes(it["codes"]), Span(it.start(), it.end()), _covers(text, it.start(), it.end()))
        for it in pattern.finditer(text)
    ]


def _codes(written: str | None) -> tuple[str, ...]:
    return tuple(code for part in (written or "").split(",") if (code := part.strip()))


def _covers(text: str, start: int, end: int) -> Span:
    """The comment's own lines, or the next line that is not blank where the comment stands alone."""
    first = text.rfind("\n", 0, start) + 1
    last = _line_end(text, end)
    if text[first:start].strip() or text[end:last].strip():
        return Span(first, last)
    while last < len(text):
        first, last = last + 1, _line_end(text, last + 1)
        if text[first:last].strip():
            return Span(first, last)
    return Span(len(text), len(text))


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
