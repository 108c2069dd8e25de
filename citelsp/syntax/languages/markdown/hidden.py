"""Where Markdown is not prose: code, comments, display mathematics, scripts."""

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import NamedTuple

from citelsp.base import effort
from citelsp.base.text import LineStarts, Span
from citelsp.syntax.languages.latex.cite_commands import VERBATIM_ENVIRONMENTS
from citelsp.syntax.languages.latex.grammar import is_escaped

_MARK = re.compile(r"[`~<$]")
# What opens something that is no prose: a fence, back ticks, a comment, an HTML element, mathematics.
_OPENER = re.compile(
    r"(?P<fence>`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})(?P<info>[^\n]*)"
    r"|(?P<ticks>`+)|(?P<comment><!--)|(?P<raw><(?:style|script|pre|code)\b)|(?P<math>\$\$)",
    re.IGNORECASE,
)
# Marks of quotations and lists.
_BEFORE_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*\Z")
_COMMENT_END, _MATH_END = re.compile("-->"), re.compile(r"\$\$")
_BLANK = re.compile(r"\n[ \t\r]*\n")
_RUNS = re.compile(r"`+")
# Only back ticks, with the other groups of _OPENER.
_TICKS = re.compile(r"(?P<ticks>`+)(?P<fence>)??(?P<info>)??(?P<comment>)??(?P<raw>)??(?P<math>)??")
_RAW_INFO = re.compile(r"[ \t]*\{=(?:la)?tex\}[ \t\r]*\Z")  # of a fence that holds LaTeX
_ENVIRONMENT = re.compile(r"^[ \t]*(?P<begin>\\begin\{(?P<name>[a-zA-Z]+\*?)\})", re.MULTILINE)
_BEGIN_OR_END = re.compile(r"\\(?P<command>begin|end)\{(?P<name>[a-zA-Z]+\*?)\}")
_PROSE_INFO = re.compile(  # of chunks that knitr and bookdown hand on to pandoc as Markdown
    r"[ \t]*\{(?:asis|block2?|theorem|lemma|corollary|proposition|conjecture|definition|example|exercise|hypothesis"
    r"|proof|remark|solution)(?=[\s,}])"
)
# `{note}` in the info string of a fence.
_DIRECTIVE = re.compile(r"[ \t]*\{(?P<name>[A-Za-z][\w:+-]*)\}")
_PROSE_DIRECTIVES = frozenset(
    """admonition attention caution danger error hint important note seealso tip warning todo versionadded
    versionchanged deprecated dropdown details toggle margin sidebar aside topic epigraph pull-quote blockquote figure
    figure-md subfigure table list-table csv-table glossary tab-set tab-item tab card grid grid-item grid-item-card
    div container panels exercise-start solution-start only centered hlist abstract rubric line-block compound
    footnote index quiz question answer objectives keypoints challenge callout discussion instructor-note type-along
    prereq demo homework""".split()
)
_DEEPEST = 8  # directives in directives
# `#| fig-cap: A caption` or `fig.cap = "A caption"` among the options of a program.
_CAPTION = re.compile(
    r"^(?:[#/%-]|--)\|[ \t]*(?:fig|tbl|tab|lst)-(?:sub)?cap[ \t]*:(?P<line>[^\n]*)"
    r"|\b(?:fig|tab|tbl)\.cap[ \t]*=[ \t]*(?P<quoted>\"[^\"\n]*\"|'[^'\n]*')",
    re.MULTILINE,
)


class InfoString(NamedTuple):
    """What stands behind the back ticks or tildes that open a block of code, a fence: `python`, `{note} Title`."""

    text: str
    offset: int


class Hidden:
    """Spans that hold no prose, in order and apart."""

    def __init__(self, spans: list[Span]) -> None:
        self.spans = spans
        self._starts = [it.start for it in spans]

    def covers(self, offset: int) -> bool:
        return self.span_around(offset) is not None

    def span_around(self, offset: int) -> Span | None:
        """Return the span in which an offset stands; None if it is in none."""
        index = bisect_right(self._starts, offset) - 1
        return self.spans[index] if index >= 0 and offset < self.spans[index].end else None


def find_hidden(text: str, blocks: list[Span], depth: int = _DEEPEST) -> tuple[Hidden, list[InfoString]]:
    """Find the spans of a Markdown text that hold no prose, and the info strings of the fences that are closed.

    `blocks` are spans, in order, that are known to hold no prose, such as metadata; they are among those returned.
    A chunk or directive may hold prose, and in this further chunks, and so on: they are looked into to this `depth`,
    below which a chunk counts as code.
    """
    spans: list[Span] = []
    infos: list[InfoString] = []
    next_blocks = deque(blocks)
    offset = 0
    lines = LineStarts(text)
    ends = _Ends(text)
    for _ in effort.iterate(repeat(None)):  # an endless loop, which is broken off if it takes too long
        mark = _MARK.search(text, offset)
        if mark is None:
            break
        if next_blocks and mark.start() >= next_blocks[0].start:  # a mark in a block, or behind it, opens nothing yet
            block = next_blocks.popleft()
            spans.append(block)
            offset = max(block.end, offset)
            continue
        opener = _opener(text, mark.start(), lines)
        if opener is None:
            offset = mark.end()
            continue
        end = ends.end_of(opener)
        if end is None:
            # What is never closed is prose to pandoc, but for its opener; the info string of a fence is prose then too.
            offset = opener.end("fence") if opener["fence"] else opener.end()
        else:
            spans += _without_prose(text, opener, Span(opener.start(), end), depth, infos)
            offset = end
        while next_blocks and next_blocks[0].start < offset:  # blocks within what was just hidden are none of their own
            next_blocks.popleft()
    return Hidden([*spans, *next_blocks]), infos


def _without_prose(
    text: str, opener: re.Match[str], whole: Span, depth: int, infos: list[InfoString]
) -> Iterator[Span]:
    """Yield the spans without prose of what `opener` opens, and which reaches over `whole`: code, a comment, a chunk.

    A chunk is code whose info string begins with a brace: `{r}`, `{note}`.  It may hold prose, which is looked for down
    to this `depth` of chunks in chunks; at 0 all of it counts as code.  Info strings of fences are added to `infos`.
    """
    if opener["fence"]:
        infos.append(InfoString(opener["info"], opener.start("info")))
    is_chunk = (opener["info"] or "").lstrip().startswith("{")
    if is_chunk and depth > 0:
        yield from cut_holes(whole, _find_prose(text, opener, whole, depth - 1, infos))
    else:
        yield whole


def cut_holes(span: Span, holes: Iterable[Span]) -> Iterator[Span]:
    """Yield the parts of a span that are left around the holes in it, which come in order."""
    start = span.start
    for hole in holes:
        yield Span(start, hole.start)
        start = hole.end
    yield Span(start, span.end)


def _find_prose(text: str, opener: re.Match[str], chunk: Span, depth: int, infos: list[InfoString]) -> Iterator[Span]:
    """Find the prose in a chunk: the text of a directive or note, or the captions among the options of a program.

    `chunk` reaches from its `opener` to the end of its closing fence.  What it holds may be chunks in turn, down to
    this `depth`.  The info strings of the fences within are added to `infos`.
    """
    directive = _DIRECTIVE.match(opener["info"])
    # A name with a colon, `prf:theorem`, is an extension's; most of them hold prose.
    is_prose_directive = directive and (directive["name"].lower() in _PROSE_DIRECTIVES or ":" in directive["name"])
    if not is_prose_directive and not _PROSE_INFO.match(opener["info"]):  # a program, `{r, fig.cap = "A caption"}`
        for caption in _CAPTION.finditer(text, *chunk):  # on a line `#| fig-cap: …`, or in quotes
            yield Span(*caption.span(caption.lastgroup or 0))
        return
    # A directive's title, behind its name, is prose; a note's options are not.  The closing fence is left out: here it
    # would open a new one.
    start = opener.start("info") + directive.end() if directive else opener.end()
    end = text.rindex("\n", opener.end(), chunk.end)
    # Unlike directives of MyST, notes of knitr, `{block, type="x"}`, hold no further chunks; one without options,
    # `{block}`, looks like a directive and is read as such.
    hidden, inner_infos = find_hidden(text[start:end], [], depth if directive else 0)
    infos += (InfoString(info.text, info.offset + start) for info in inner_infos)
    yield from cut_holes(Span(start, end), (span.moved(start) for span in hidden.spans))


def find_raw_tex(text: str, hidden: Hidden, infos: list[InfoString]) -> tuple[Hidden, Hidden]:
    r"""Find what pandoc hands on to LaTeX unread: fences that say so, `{=latex}`, and environments outside of `hidden`.

    Two lists are returned: first the fences and environments that LaTeX reads, then the environments that are verbatim
    in LaTeX.  A fence is a span from its opening to its closing line.  An environment begins a line, and its span
    ends before `\end{…}`, in which nothing can be cited.  `infos` are the info strings of all fences.
    """
    # The block of code around each such info string, which `hidden` has as a whole.
    fences = [hidden.span_around(info.offset) for info in infos if _RAW_INFO.match(info.text)]
    environments: list[Span] = []
    verbatim: list[Span] = []
    if "\\begin{" in text:
        ends = _find_ends(text, hidden)
        outer_end = 0  # of the last environment: those within it are parts of it
        for begin in effort.iterate(_ENVIRONMENT.finditer(text)):
            end = ends.get(begin.start("begin"), -1)  # -1: nothing closes it, and it is prose
            if begin.start() < outer_end or end < 0:
                continue
            outer_end = end
            spans = verbatim if begin["name"] in VERBATIM_ENVIRONMENTS else environments
            spans.append(Span(begin.start(), end))
    return Hidden(sorted([*filter(None, fences), *environments])), Hidden(verbatim)


def _find_ends(text: str, hidden: Hidden) -> dict[int, int]:
    r"""Map each `\begin{name}` outside of `hidden` to its `\end{name}`, by their offsets; left out are the unclosed.

    An environment may hold others of its name and ends behind them; a verbatim one ends at the first `\end`.
    """
    ends: dict[int, int] = {}
    unclosed: dict[str, list[int]] = {}  # by name, where the environments begin that are still open
    verbatim_end = 0  # of the last verbatim environment: what it holds is text
    endless: set[str] = set()  # names of verbatim environments of which no further \end follows
    for match in effort.iterate(_BEGIN_OR_END.finditer(text)):
        if match.start() < verbatim_end or hidden.covers(match.start()):
            continue
        name = match["name"]
        if match["command"] == "end":
            begins = unclosed.get(name)
            if begins:
                ends[begins.pop()] = match.start()
        elif name not in VERBATIM_ENVIRONMENTS:
            unclosed.setdefault(name, []).append(match.start())
        elif name not in endless:
            end = text.find(f"\\end{{{name}}}", match.end())
            if end < 0:
                endless.add(name)
            else:
                ends[match.start()] = verbatim_end = end
    return ends


def _opener(text: str, offset: int, lines: LineStarts) -> re.Match[str] | None:
    """Match what the mark at `offset` opens, a fence, say; None if it is escaped or opens nothing."""
    if offset > 0 and text[offset - 1] == "\\" and is_escaped(text, offset):
        return None
    if text.startswith(("```", "~~~"), offset):
        line = lines.before(offset)
        is_fence = line >= offset or _BEFORE_FENCE.match(text, line, offset)
        # In the middle of a line three back ticks begin code within it; tildes begin nothing.
        if not is_fence:
            return _TICKS.match(text, offset)
    return _OPENER.match(text, offset)


class _Ends:
    """Where opened things end; what is known to be never closed is not looked for again."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._never: set[str] = set()  # kinds of which none further on is closed
        self._fences: dict[str, int] = {}  # the shortest that is never closed, of back ticks and of tildes
        self._runs: set[int] = set()  # lengths of runs of back ticks that closed nothing in some paragraph
        self._paragraph_end = -1  # of the paragraph that was last looked at

    def end_of(self, opener: re.Match[str]) -> int | None:
        """Return the end of what a match of _OPENER opens; None if it is never closed and so is prose.

        It opens a block of code (a fence), a span of code (back ticks), raw HTML such as `<pre>`, a comment, or else
        mathematics (`$$`).
        """
        start = opener.end()
        if opener["fence"]:
            return self._fence_end(opener["fence"], start)
        if opener["ticks"]:
            return self._code_span_end(len(opener["ticks"]), start)
        if opener["raw"]:
            name = opener["raw"].removeprefix("<").lower()
            return self._end_behind(name, re.compile(rf"</{name}\s*>", re.IGNORECASE), start)
        if opener["comment"]:
            return self._end_behind("comment", _COMMENT_END, start)
        end = self._end_behind("math", _MATH_END, start)
        # Mathematics ends with its paragraph at the latest: a `$$` further on does not close it.
        return None if end is None or self._end_of_paragraph(start) < end else end

    def _end_behind(self, kind: str, closing: re.Pattern[str], offset: int) -> int | None:
        """Return where the first `closing` from `offset` on ends; None if there is none.

        If nothing closes one of a `kind`, nothing closes any further on, and it is not looked for again.
        """
        closer = None if kind in self._never else closing.search(self._text, offset)
        if closer is None:
            self._never.add(kind)
            return None
        return closer.end()

    def _fence_end(self, fence: str, offset: int) -> int | None:
        """Return the end of code behind the opening `fence`: of the next line of only its signs, as many or more.

        Marks of a quotation may stand before these.  The search begins at `offset`; None if no such line follows.
        """
        sign = fence[0]
        length = len(fence)
        # Whatever closes a long fence would close a shorter one too: if nothing closed the short, nothing closes this.
        if sign in self._fences and length >= self._fences[sign]:
            return None
        closing = re.compile(rf"^[ \t>]*{re.escape(sign)}{{{length},}}[ \t\r]*$", re.MULTILINE)
        closer = closing.search(self._text, offset)
        if closer is None:
            self._fences[sign] = length
            return None
        return closer.end()

    def _code_span_end(self, length: int, offset: int) -> int | None:
        """Return the end of a code span behind `length` back ticks: the same number of them, in its paragraph.

        None if its paragraph does not close it.  Lengths that some paragraph did not close are noted (`_runs`): of
        these the paragraph is searched only if so many back ticks follow anywhere, which one quick look tells.
        """
        if length in self._runs and self._text.find("`" * length, offset) < 0:
            return None
        for run in _RUNS.finditer(self._text, offset, self._end_of_paragraph(offset)):
            if run.end() - run.start() == length:
                return run.end()
        self._runs.add(length)
        return None

    def _end_of_paragraph(self, offset: int) -> int:
        """Return where the paragraph of an offset ends; offsets must rise from call to call."""
        if self._paragraph_end < offset:
            blank_line = _BLANK.search(self._text, offset)
            self._paragraph_end = blank_line.start() if blank_line else len(self._text)
        return self._paragraph_end
