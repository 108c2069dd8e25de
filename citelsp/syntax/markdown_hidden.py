"""Where Markdown is not prose: code, comments, display mathematics, scripts."""

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator

from citelsp.syntax.commands import VERBATIM_ENVIRONMENTS
from citelsp.syntax.tex_text import is_escaped
from citelsp.text import Span

_MARK = re.compile(r"[`~<$]")
_OPENER = re.compile(
    r"(?P<fence>`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})(?P<info>[^\n]*)"
    r"|(?P<ticks>`+)|(?P<comment><!--)|(?P<raw><(?:style|script|pre|code)\b)|(?P<math>\$\$)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*\Z")
_BLANK = re.compile(r"\n[ \t\r]*\n")
_RUNS = re.compile(r"`+")
_TICKS = re.compile(r"(?P<ticks>`+)(?P<fence>)??(?P<info>)??(?P<comment>)??(?P<raw>)??(?P<math>)??")
_RAW = re.compile(r"[ \t]*\{=(?:la)?tex\}[ \t\r]*\Z")
_ENVIRONMENT = re.compile(r"^[ \t]*\\begin\{(?P<name>[a-zA-Z]+\*?)\}", re.MULTILINE)
_PROSE = re.compile(  # chunks that knitr and bookdown hand on to pandoc as Markdown
    r"[ \t]*\{(?:asis|block2?|theorem|lemma|corollary|proposition|conjecture|definition|example|exercise|hypothesis"
    r"|proof|remark|solution)(?=[\s,}])"
)
_CAPTION = re.compile(
    r"^(?:[#/%-]|--)\|[ \t]*(?:fig|tbl|tab|lst)-(?:sub)?cap[ \t]*:(?P<line>[^\n]*)"
    r"|\b(?:fig|tab|tbl)\.cap[ \t]*=[ \t]*(?P<quoted>\"[^\"\n]*\"|'[^'\n]*')",
    re.MULTILINE,
)


class Hidden:
    """Spans that hold no prose, in order and apart."""

    def __init__(self, spans: list[Span]) -> None:
        self.spans = spans
        self._starts = [it.start for it in spans]

    def covers(self, offset: int) -> bool:
        return self.around(offset) is not None

    def around(self, offset: int) -> Span | None:
        index = bisect_right(self._starts, offset) - 1
        return self.spans[index] if index >= 0 and offset < self.spans[index].end else None


def find(text: str, blocks: list[Span], *, chunks: bool = True) -> tuple[Hidden, list[tuple[str, int]]]:
    """What is hidden besides the `blocks` of metadata, and the info string of every fence with its offset.

    `chunks`: some hold prose.
    """
    spans: list[Span] = []
    infos: list[tuple[str, int]] = []
    ahead = deque(blocks)
    at, dead_runs = 0, set[int]()
    while mark := _MARK.search(text, at):
        if ahead and mark.start() >= ahead[0].start:
            spans.append(ahead[0])
            at = max(ahead.popleft().end, at)
            continue
        opener = _opener(text, mark.start())
        if opener is None:
            at = mark.end()
            continue
        end = _end(text, opener, dead_runs)
        if end is not None:
            whole = Span(opener.start(), end)
            may_hold = chunks and (opener["info"] or "").startswith("{")
            spans += without(whole, _prose(text, opener, whole)) if may_hold else [whole]
            if opener["fence"]:
                infos.append((opener["info"], opener.start("info")))
        at = opener.end("fence") if opener["fence"] else opener.end()
        at = at if end is None else end
        while ahead and ahead[0].start < at:
            ahead.popleft()
    return Hidden([*spans, *ahead]), infos


def without(span: Span, holes: Iterable[Span]) -> Iterator[Span]:
    """What is left of a span around the holes in it, which come in order."""
    start = span.start
    for hole in holes:
        yield Span(start, hole.start)
        start = hole.end
    yield Span(start, span.end)


def _prose(text: str, opener: re.Match[str], chunk: Span) -> Iterator[Span]:
    """What is prose in a chunk: its text, or what code gives its figures and tables for captions."""
    if _PROSE.match(opener["info"]):
        start, end = opener.end(), text.rindex("\n", opener.end(), chunk.end)
        hidden, _ = find(text[start:end], [], chunks=False)
        yield from without(Span(start, end), (it.moved(start) for it in hidden.spans))
        return
    for found in _CAPTION.finditer(text, *chunk):
        yield Span(*found.span(found.lastgroup or 0))


def raw(text: str, hidden: Hidden, infos: list[tuple[str, int]]) -> tuple[Hidden, Hidden]:
    """What pandoc hands on to LaTeX unread: fences that say so and environments, there but what is verbatim in them.

    Returns first the raw spans, then the verbatim ones.
    """
    fences = [hidden.around(at) for info, at in infos if _RAW.match(info)]
    environments, verbatim = list[Span](), list[Span]()
    at = 0
    while "\\begin{" in text and (begin := _ENVIRONMENT.search(text, at)):
        end = -1 if hidden.covers(begin.start()) else text.find(f"\\end{{{begin['name']}}}", begin.end())
        at = begin.end() if end < 0 else end
        if end >= 0:
            kept = verbatim if begin["name"] in VERBATIM_ENVIRONMENTS else environments
            kept.append(Span(begin.start(), end))
    return Hidden(sorted([*filter(None, fences), *environments])), Hidden(verbatim)


def _opener(text: str, at: int) -> re.Match[str] | None:
    opener = _OPENER.match(text, at)
    if opener is None or (at > 0 and text[at - 1] == "\\" and is_escaped(text, at)):
        return None
    if opener["fence"]:
        line = text.rfind("\n", 0, at) + 1
        if line < at and not _LEAD.match(text, line, at):
            return _TICKS.match(text, at)
    return opener


def _end(text: str, match: re.Match[str], dead_runs: set[int]) -> int | None:
    """Where the opened thing ends; None where it is never closed and so is prose."""
    if fence := match["fence"]:
        close = re.compile(rf"^[ \t>]*{re.escape(fence[0])}{{{len(fence)},}}[ \t\r]*$", re.MULTILINE).search(
            text, match.end()
        )
        return close.end() if close else None
    if match["ticks"]:
        return _ticks_end(text, match.end(), len(match["ticks"]), dead_runs)
    if match["raw"]:
        name = match["raw"][1:].lower()
        close = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, match.end())
        return close.end() if close else None
    mark = "-->" if match["comment"] else "$$"
    found = text.find(mark, match.end())
    if found < 0 or (mark == "$$" and _BLANK.search(text, match.end(), found)):
        return None
    return found + len(mark)


def _ticks_end(text: str, at: int, length: int, dead_runs: set[int]) -> int | None:
    """The end of a code span, which never leaves its paragraph."""
    if length in dead_runs and text.find("`" * length, at) < 0:
        return None
    blank = _BLANK.search(text, at)
    for run in _RUNS.finditer(text, at, blank.start() if blank else len(text)):
        if run.end() - run.start() == length:
            return run.end()
    dead_runs.add(length)
    return None
