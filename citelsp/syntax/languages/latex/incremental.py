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
from citelsp.syntax.languages.latex import cite_arguments
from citelsp.syntax.languages.latex.cite_commands import CITES, pattern
from citelsp.syntax.languages.latex.grammar import is_escaped
from citelsp.syntax.languages.latex.literate import is_haskell
from citelsp.syntax.nodes import Citation, Ground, Heading, KeyArgument, Link, Placeholder, Syntax

_ROOT_WITHIN = 2000  # characters at the beginning, in which a comment may name the root
_DEFINITION_WITHIN = 1000  # characters before a paragraph, from which a definition may reach into it
# What may reach beyond its paragraph, or change how what is behind it reads.
_REACHING = re.compile(r"[%<>#]|^@|\\(?:if|else|fi|begin|end|nocite|[egx]?def|let)|ommand|cmd", re.MULTILINE)
# `\def`, `\newcommand`, `\newcmd` and their kind.
_DEFINING = re.compile(r"\\(?:[egx]?def|let)|ommand|cmd")

_Any = Citation | Placeholder | KeyArgument | Heading | Link
_Placed = TypeVar("_Placed", bound=_Any)


def reparse(old: Syntax, document: Document, span: Span, new_text: str) -> Syntax | None:
    """Return the syntax of `document` after an edit, by reading only the paragraph around it.

    `old` is the syntax before the edit, which replaced `span` of the old text by `new_text`.  What stands behind the
    paragraph is moved, and all else taken over.  None if the paragraph alone may not tell all, so that the whole
    document has to be parsed.
    """
    ground = old.ground  # the old text, where code in it is hidden, which commands it defines
    part = _find_paragraph(old, document, span)
    if ground is None or part is None:
        return None
    shift = len(new_text) - (span.end - span.start)
    # The old paragraph too: an edit that removes a definition or a comment sign also reaches beyond.
    before = _read(ground, ground.text, part)
    after = _read(ground, document.text, Span(part.start, part.end + shift))
    if before is None or after is None or not _stands_alone(ground.text, part.start):
        return None
    # Of each: what stands before the paragraph, what was read in it now, and what stands behind it, moved.
    return replace(
        old,
        citations=_spliced(old.citations, after.citations, part, partial(shifted_spans.citations, shift)),
        placeholders=_spliced(old.placeholders, after.placeholders, part, partial(shifted_spans.placeholders, shift)),
        arguments=_spliced(old.arguments, after.arguments, part, partial(shifted_spans.arguments, shift)),
        # `_read` gives up at a command that links or begins a section, so that the paragraph has none.
        links=_spliced(old.links, [], part, partial(shifted_spans.links, shift)),
        headings=_spliced(old.headings, [], part, partial(shifted_spans.headings, shift)),
        ground=replace(
            ground,
            text=document.text,
            hidden=tuple(hidden if hidden.end <= part.start else hidden.moved(shift) for hidden in ground.hidden),
        ),
    )


def _find_paragraph(old: Syntax, document: Document, span: Span) -> Span | None:
    """Return the paragraph of the old text around an edit at `span`; None if the edit cannot be read by itself.

    That is so if the document has what is not moved here, or if the paragraph is not sure to begin and end like one.
    """
    ground = old.ground
    # Entries within the document, files that it writes (`filecontents`) and suppressions are not moved here.
    if ground is None or old.entries is not None or old.written is not None or old.suppressions:
        return None
    # Where a chunk of R (`<<>>=`) or Haskell begins and ends shows only in the whole text.
    if ">>=" in document.text or is_haskell(document.path):
        return None
    start = ground.text.rfind("\n\n", 0, span.start) + len("\n\n")
    end = ground.text.find("\n\n", span.end)
    # In the first lines a comment may name the main document; without a blank line behind it the paragraph has no end.
    if start < _ROOT_WITHIN or end < 0:
        return None
    touches_hidden = any(hidden.start < end and hidden.end > start for hidden in ground.hidden)
    return None if touches_hidden else Span(start, end)


def _stands_alone(text: str, start: int) -> bool:
    """True if nothing before the paragraph that begins at `start` reaches into it.

    A comment on the line before the blank one would, and so would a definition.
    """
    blank = start - len("\n\n")
    line_before = text[text.rfind("\n", 0, blank) + 1 : blank]
    if "%" in line_before:
        return False
    return not _DEFINING.search(text, max(0, start - _DEFINITION_WITHIN), start)


def _read(ground: Ground, text: str, part: Span) -> cite_arguments.Gathering | None:
    """Read the citations in the paragraph `part` of `text`; None if something in it may do more than cite there.

    `ground` says which commands the document defines.
    """
    if _REACHING.search(text, *part):  # a comment, definition, condition or environment may reach beyond the paragraph
        return None
    gathering = cite_arguments.Gathering()
    for match in pattern(ground.own, ground.verbatim).finditer(text, *part):
        offset = match.start()
        name = match["name"]
        # What else the pattern finds (the author's own commands, `\input`, `\verb`; not `\emph` or `\ref`) may hide,
        # link or define: then the whole document is read anew.
        if name not in CITES:
            return None
        if not is_escaped(text, offset):
            cite_arguments.read(text, offset, match.end(), name, gathering)
    return None if gathering.opaque else gathering  # opaque: a macro stands for a key, `\cite{\mykey}`


def _spliced(
    old: tuple[_Placed, ...], new: list[_Placed], part: Span, move: Callable[[tuple[_Placed, ...]], list[_Placed]]
) -> tuple[_Placed, ...]:
    """Return the `old` values, in order, with those in the part replaced by `new`, and `move` done to those behind."""
    low = bisect_left(old, part.start, key=_start)
    high = bisect_right(old, part.end, lo=low, key=_start)
    return (*old[:low], *new, *move(old[high:]))


def _start(spanned: _Any) -> int:
    return spanned.span.start
