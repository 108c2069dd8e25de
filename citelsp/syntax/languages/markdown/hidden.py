"""Where Markdown is not prose: code, comments, display mathematics, scripts."""

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import repeat

from citelsp.base import effort
from citelsp.base.text import LineStarts, Span
from citelsp.syntax.languages.latex.cite_commands import VERBATIM_ENVIRONMENTS
from citelsp.syntax.languages.latex.grammar import is_escaped

_MARK = re.compile(r"[`~<$]")
_OPENER = re.compile(
    r"(?P<fence>`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})(?P<info>[^\n]*)"
    r"|(?P<ticks>`+)|(?P<comment><!--)|(?P<raw><(?:style|script|pre|code)\b)|(?P<math>\$\$)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*\Z")
_COMMENT_END, _MATH_END = re.compile("-->"), re.compile(r"\$\$")
_BLANK = re.compile(r"\n[ \t\r]*\n")
_RUNS = re.compile(r"`+")
_TICKS = re.compile(r"(?P<ticks>`+)(?P<fence>)??(?P<info>)??(?P<comment>)??(?P<raw>)??(?P<math>)??")
_RAW = re.compile(r"[ \t]*\{=(?:la)?tex\}[ \t\r]*\Z")
_ENVIRONMENT = re.compile(r"^[ \t]*\\begin\{(?P<name>[a-zA-Z]+\*?)\}", re.MULTILINE)
_PROSE = re.compile(  # chunks that knitr and bookdown hand on to pandoc as Markdown
    r"[ \t]*\{(?:asis|block2?|theorem|lemma|corollary|proposition|conjecture|definition|example|exercise|hypothesis"
    r"|proof|remark|solution)(?=[\s,}])"
)
_DIRECTIVE = re.compile(r"[ \t]*\{(?P<name>[A-Za-z][\w:+-]*)\}")
_PROSE_DIRECTIVES = frozenset(
    """admonition attention caution danger error hint important note seealso tip warning todo versionadded
    versionchanged deprecated dropdown details toggle margin sidebar aside topic epigraph pull-quote blockquote figure
    figure-md subfigure table list-table csv-table glossary tab-set tab-item tab card grid grid-item grid-item-card
    div container panels exercise-start solution-start only centered hlist abstract rubric line-block compound
    footnote index quiz question answer objectives keypoints challenge callout discussion instructor-note type-along
    prereq demo homework""".split()
)
_DEPTH = 8  # of directives in directives
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
        return self.span_around(offset) is not None

    def span_around(self, offset: int) -> Span | None:
        index = bisect_right(self._starts, offset) - 1
        return self.spans[index] if index >= 0 and offset < self.spans[index].end else None


def find(text: str, blocks: list[Span], depth: int = _DEPTH) -> tuple[Hidden, list[tuple[str, int]]]:
    """What is hidden besides the `blocks` of metadata, and the info string of every fence with its offset.

    `depth`: of chunks and directives in others that may hold prose.
    """
    spans: list[Span] = []
    infos: list[tuple[str, int]] = []
    ahead = deque(blocks)
    offset = 0
    lines = LineStarts(text)
    ends = _Ends(text)
    for _ in effort.iterate(repeat(None)):
        mark = _MARK.search(text, offset)
        if mark is None:
            break
        if ahead and mark.start() >= ahead[0].start:
            spans.append(ahead[0])
            offset = max(ahead.popleft().end, offset)
            continue
        opener = _opener(text, mark.start(), lines)
        if opener is None:
            offset = mark.end()
            continue
        # What is never closed is prose to pandoc, but for its opener.
        end = ends.end_of(opener)
        if end is not None:
            whole = Span(opener.start(), end)
            if opener["fence"]:
                infos.append((opener["info"], opener.start("info")))
            may_hold = depth and (opener["info"] or "").lstrip().startswith("{")
            spans += cut_holes(whole, _prose(text, opener, whole, depth - 1, infos)) if may_hold else [whole]
        offset = opener.end("fence") if opener["fence"] else opener.end()
        offset = offset if end is None else end
        while ahead and ahead[0].start < offset:
            ahead.popleft()
    return Hidden([*spans, *ahead]), infos


def cut_holes(span: Span, holes: Iterable[Span]) -> Iterator[Span]:
    """What is left of a span around the holes in it, which come in order."""
    start = span.start
    for hole in holes:
        yield Span(start, hole.start)
        start = hole.end
    yield Span(start, span.end)


def _prose(text: str, opener: re.Match[str], chunk: Span, depth: int, infos: list[tuple[str, int]]) -> Iterator[Span]:
    """What is prose in a chunk: its text, or what code gives its figures and tables for captions.

    The fences in it are added to `infos`.
    """
    directive = _DIRECTIVE.match(opener["info"])
    prose = directive and (directive["name"].lower() in _PROSE_DIRECTIVES or ":" in directive["name"])
    if prose or _PROSE.match(opener["info"]):
        # A directive's title is prose; the line of the closing fence would open one here.
        start = opener.start("info") + directive.end() if directive else opener.end()
        end = text.rindex("\n", opener.end(), chunk.end)
        hidden, inner = find(text[start:end], [], depth if directive else 0)  # knitr reads none in its blocks
        infos += ((info, offset + start) for info, offset in inner)
        yield from cut_holes(Span(start, end), (it.moved(start) for it in hidden.spans))
        return
    for match in _CAPTION.finditer(text, *chunk):
        yield Span(*match.span(match.lastgroup or 0))


def raw(text: str, hidden: Hidden, infos: list[tuple[str, int]]) -> tuple[Hidden, Hidden]:
    """What pandoc hands on to LaTeX unread: fences that say so and environments, there but what is verbatim in them.

    Returns first the raw spans, then the verbatim ones.
    """
    fences = [hidden.span_around(offset) for info, offset in infos if _RAW.match(info)]
    environments = list[Span]()
    verbatim = list[Span]()
    offset = 0
    endless = set[str]()
    while "\\begin{" in text and (begin := _ENVIRONMENT.search(text, offset)):
        name = begin["name"]
        offset = begin.end()
        if name in endless or hidden.covers(begin.start()):
            continue
        end = text.find(f"\\end{{{name}}}", offset)
        if end < 0:
            endless.add(name)
            continue
        offset = end
        spans = verbatim if name in VERBATIM_ENVIRONMENTS else environments
        spans.append(Span(begin.start(), end))
    return Hidden(sorted([*filter(None, fences), *environments])), Hidden(verbatim)


def _opener(text: str, offset: int, lines: LineStarts) -> re.Match[str] | None:
    if offset > 0 and text[offset - 1] == "\\" and is_escaped(text, offset):
        return None
    if text.startswith(("```", "~~~"), offset):
        line = lines.before(offset)
        # In the middle of a line three back ticks begin code within it; tildes begin nothing.
        if line < offset and not _LEAD.match(text, line, offset):  # no fence
            return _TICKS.match(text, offset)
    return _OPENER.match(text, offset)


class _Ends:
    """Where opened things end; what is known to be never closed is not looked for again."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._never: set[str] = set()
        self._fences: dict[str, int] = {}  # the shortest that is never closed, of back ticks and of tildes
        self._runs: set[int] = set()  # of back ticks
        self._blank = -1  # the first blank line from where it was last looked for

    def end_of(self, match: re.Match[str]) -> int | None:
        """The end of what opens here; None if it is never closed and so is prose."""
        fence = match["fence"]
        if fence:
            return self._fence(fence, match.end())
        if match["ticks"]:
            return self._ticks(len(match["ticks"]), match.end())
        if match["raw"]:
            name = match["raw"][1:].lower()
            return self._found(name, re.compile(rf"</{name}\s*>", re.IGNORECASE), match.end())
        if match["comment"]:
            return self._found("comment", _COMMENT_END, match.end())
        end = self._found("math", _MATH_END, match.end())
        return None if end is None or self._paragraph(match.end()) < end else end

    def _found(self, name: str, closing: re.Pattern[str], offset: int) -> int | None:
        found = None if name in self._never else closing.search(self._text, offset)
        if found is None:
            self._never.add(name)
        return found.end() if found else None

    def _fence(self, fence: str, offset: int) -> int | None:
        sign = fence[0]
        length = len(fence)
        # A longer fence closes a shorter one: where none closes the short, none closes the long.
        if length >= self._fences.get(sign, length + 1):
            return None
        close = re.compile(rf"^[ \t>]*{re.escape(sign)}{{{length},}}[ \t\r]*$", re.MULTILINE).search(self._text, offset)
        if close is None:
            self._fences[sign] = length
        return close.end() if close else None

    def _ticks(self, length: int, offset: int) -> int | None:
        """The end of a code span, which never leaves its paragraph."""
        if length in self._runs and self._text.find("`" * length, offset) < 0:
            return None
        for run in _RUNS.finditer(self._text, offset, self._paragraph(offset)):
            if run.end() - run.start() == length:
                return run.end()
        self._runs.add(length)
        return None

    def _paragraph(self, offset: int) -> int:
        """Where the paragraph of an offset ends; offsets rise."""
        if self._blank < offset:
            blank = _BLANK.search(self._text, offset)
            self._blank = blank.start() if blank else len(self._text)
        return self._blank
