r"""An edit of a LaTeX manuscript, read in its own paragraph if nothing in it reaches beyond.

No argument crosses a blank line.  What may (comments, definitions, conditionals, environments, `<`) has everything read
anew; so have bibliographies written in LaTeX, suppressions and the first lines.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from citelsp.base.text import Document, Span
from citelsp.syntax import shifted_spans
from citelsp.syntax.languages.latex import cites
from citelsp.syntax.languages.latex.cite_commands import CITES, pattern
from citelsp.syntax.languages.latex.grammar import is_escaped
from citelsp.syntax.languages.latex.literate import is_haskell
from citelsp.syntax.nodes import Citation, Ground, Heading, KeyArgument, Link, Placeholder, Syntax

_FIRST = 2000  # characters in which a comment may name the root
_BEHIND = 1000  # characters before a paragraph from which a definition may reach into it
_REACHING = re.compile(r"[%<>#]|^@|\\(?:if|else|fi|begin|end|nocite|[egx]?def|let)|ommand|cmd", re.MULTILINE)
_DEFINING = re.compile(r"\\(?:[egx]?def|let)|ommand|cmd")

_Any = Citation | Placeholder | KeyArgument | Heading | Link
_Placed = TypeVar("_Placed", bound=_Any)


def reparse(old: Syntax, document: Document, span: Span, new_text: str) -> Syntax | None:
    """Equal to parsing all of `document`; None if only that can tell.  `old` is of the text before the edit."""
    ground = old.ground
    if ground is None or old.entries is not None or old.written is not None or old.suppressions:
        return None
    # Where a chunk of R or Haskell begins and ends shows only in the whole text.
    if ">>=" in document.text or is_haskell(document.path):
        return None
    start = ground.text.rfind("\n\n", 0, span.start) + 2
    end = ground.text.find("\n\n", span.end)
    if start < _FIRST or end < 0 or any(it.start < end and it.end > start for it in ground.hidden):
        return None
    by = len(new_text) - (span.end - span.start)
    # The old paragraph too: an edit that removes a definition or a comment sign also reaches beyond.
    before = _read(ground, ground.text, Span(start, end))
    after = _read(ground, document.text, Span(start, end + by))
    if before is None or after is None or not _stands_alone(ground.text, start):
        return None
    part = Span(start, end)
    return replace(
        old,
        citations=_spliced(old.citations, after.citations, part, partial(shifted_spans.citations, by)),
        placeholders=_spliced(old.placeholders, after.placeholders, part, partial(shifted_spans.placeholders, by)),
        arguments=_spliced(old.arguments, after.arguments, part, partial(shifted_spans.arguments, by)),
        links=_spliced(old.links, [], part, partial(shifted_spans.links, by)),
        headings=_spliced(old.headings, [], part, partial(shifted_spans.headings, by)),
        ground=replace(
            ground,
            text=document.text,
            hidden=tuple(it if it.end <= start else it.moved(by) for it in ground.hidden),
        ),
    )


def _stands_alone(text: str, start: int) -> bool:
    """True if nothing before a paragraph reaches into it: no comment over the blank line, no definition."""
    line = text[text.rfind("\n", 0, start - 2) + 1 : start - 2]
    return "%" not in line and not _DEFINING.search(text, max(0, start - _BEHIND), start)


def _read(ground: Ground, text: str, part: Span) -> cites.Gathering | None:
    """The cite commands of a paragraph; None if something in it may reach beyond, or is not a finished citation."""
    if _REACHING.search(text, *part):
        return None
    found = cites.Gathering()
    for match in pattern(ground.own, ground.verbatim).finditer(text, *part):
        offset = match.start()
        name = match["name"]
        # Own commands and all others may hide, link or define; they are rare enough to read everything.
        if name not in CITES:
            return None
        if not is_escaped(text, offset):
            cites.read(text, offset, match.end(), name, found)
    return None if found.opaque else found


def _spliced(
    old: tuple[_Placed, ...], new: list[_Placed], part: Span, move: Callable[[tuple[_Placed, ...]], list[_Placed]]
) -> tuple[_Placed, ...]:
    """The values with those in the part replaced and those behind it moved."""
    low = bisect_left(old, part.start, key=_start)
    high = bisect_right(old, part.end, lo=low, key=_start)
    return (*old[:low], *new, *move(old[high:]))


def _start(spanned: _Any) -> int:
    return spanned.span.start
