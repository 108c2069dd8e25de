r"""The blocks of a .bib file: where each `@word{…}` begins and ends."""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import repeat

from citelsp.base import bounds, effort
from citelsp.base.text import Span
from citelsp.syntax.bibtex.block_ends import (
    State,
    brace_in_comment,
    plain_end,
    plainly_closed,
    window_end,
)
from citelsp.syntax.bibtex.fields import (
    LONG,
    Braces,
    Place,
    block_trouble,
    brace_end,
    scan,
    stripped,
    trouble,
)
from citelsp.syntax.nodes import EntryProblem, Field

SUPPRESSION = re.compile(r"%+[ \t]*citelsp:[ \t]*ignore(?:\[([^\]\n]*)\])?[^\n]*")
IGNORE = "ignore"  # the kind of a suppression comment among the specials
STRAY, COMMENTED = "@", "%@"  # the kinds of an @ that begins no block, between entries and in a comment

# The commonest types: tens of thousands of entries share these strings instead of holding one each.
_KINDS = {it: it for it in ("article", "inproceedings", "book", "misc", "incollection", "phdthesis", "techreport")}
_SPECIAL = frozenset({"string", "preamble", "comment"})
_FAR = 1 << 60  # beyond the end of every text
_HEAD = re.compile(r"@[ \t]*+([A-Za-z][\w+-]*+)\s*+([{(])\s*+([^\s,{}\"]*+)")
_STRAY = re.compile(r"@(?:[ \t]*+([\w+-]++))?")
# Stricter than _HEAD, as it ends an entry that was never closed: an @ in the prose of an abstract must not.
_LINE_HEAD = re.compile(
    r"\n[ \t]*+@[ \t]*+(?:(?i:string|preamble|comment)\s*+[{(]"
    r"|[A-Za-z][\w+-]*+\s*+[{(][ \t]*+[^\s,{}()=\"]*+[ \t]*+(?:[,}\r\n]|\Z))"
)
_PLAIN_HEAD = re.compile(r"\s*+@([A-Za-z][\w+-]*+)\{[ \t]*+([^\s,{}\"]*+),")
# A window grows as long as all in it is plain: a file that is not should lose little at the first odd entry.
_NARROWEST, _WINDOW, _WIDEST = 1 << 8, 1 << 12, 1 << 15  # characters
_HEADS = 12  # lines that would begin an entry, and stand in a value if that is closed behind them
_FARTHEST = 1 << 18  # characters of an @comment that are searched for its end, once an entry begins in it


class BibNode:
    """One `@type{key, …}`.  Spans count from its `@`; equal only to itself."""

    __slots__ = ("__weakref__", "_at", "_inherited", "_places", "_text", "key", "key_start", "kind", "length", "reach")

    def __init__(self, text: str, offset: int, length: int, reach: int, kind: str, key: str, key_start: int) -> None:
        self._text = text
        self._at = offset
        self._inherited: dict[str, str] | None = None
        self._places: list[Place] | None = None
        self.length = length
        self.reach = reach  # how far from its start the text was looked at to find its end
        self.kind = kind
        self.key = key
        self.key_start = key_start

    def __repr__(self) -> str:
        return f"BibNode({self.kind}, {self.key!r}, {self.length})"

    @property
    def key_span(self) -> Span:
        return Span(self.key_start, self.key_start + len(self.key))

    @property
    def source(self) -> str:
        return self._text[self._at : self._at + self.length]

    @property
    def closed(self) -> bool:
        return self.reach == self.length

    @property
    def endless(self) -> bool:
        """True if it is not closed up to the end of the text."""
        return self.reach == _FAR

    def fields(self) -> list[Field]:
        return [
            Field(name.lower(), Span(offset, offset + len(name)), Span(start, end), Span(offset, end))
            for name, offset, start, end in self._scan(self.source)
        ]

    def _scan(self, source: str) -> list[Place]:
        if self._places is not None:
            return self._places
        found = scan(source, self.key_start + len(self.key), closed=self.closed)
        # Only then, as the fields of a whole library would take more memory than its text.
        if self.length > max(LONG, 500 * len(found)):
            self._places = found
        return found

    def values(self) -> dict[str, str]:
        """Every field as written, with its braces or quotes; of a repeated field the first, as BibTeX does."""
        source = self.source
        found: dict[str, str] = {}
        for name, _, start, end in self._scan(source):
            found.setdefault(name.lower(), source[start:end])
        return found

    @property
    def inherited(self) -> dict[str, str]:
        """The values of a parent, as thousands of entries may inherit from one."""
        if self._inherited is None:
            self._inherited = self.values()
        return self._inherited

    def written(self, name: str) -> str:
        """The value of a field with its braces, quotes and `#`; "" if absent."""
        return self.values().get(name, "")

    def raw(self, name: str) -> str:
        return stripped(self.values().get(name, ""))

    def problems(self) -> list[EntryProblem]:
        return trouble(self.source, self.key_span, closed=self.closed)

    def block_problem(self) -> EntryProblem | None:
        """What is malformed in a @string or @preamble."""
        return block_trouble(self.source, self.kind, self.key_start) if self.closed else None

    def detached(self) -> "BibNode":
        """The same entry holding its own source, so that it keeps no whole document alive."""
        return BibNode(self.source, 0, self.length, self.reach, self.kind, self.key, self.key_start)


@dataclass(frozen=True, slots=True)
class Track:
    """Blocks in their order with their places.  `watched`: indices of those that looked further than their end."""

    nodes: list[BibNode] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    watched: list[int] = field(default_factory=list)

    def first_touched(self, offset: int) -> int:
        """Index of the first block before `offset` that a change there may alter, else of the first not before it."""
        index = bisect_left(self.starts, offset)
        for watched in self.watched:
            if watched < index and self.starts[watched] + self.nodes[watched].reach > offset:
                return watched
        if index and self.starts[index - 1] + self.nodes[index - 1].reach > offset:
            return index - 1
        return index

    def end(self, index: int) -> int:
        return self.starts[index] + self.nodes[index].length

    def spliced(self, low: int, high: int, new: "Track", shift: int) -> "Track":
        """A track in which the blocks from low to high are replaced and the later ones moved."""
        starts = self.starts
        later = [start + shift for start in starts[high:]] if shift else starts[high:]
        moved = len(new.nodes) - (high - low)
        watched = [it for it in self.watched if it < low]
        watched += [it + low for it in new.watched]
        watched += [it + moved for it in self.watched if it >= high]
        return Track(self.nodes[:low] + new.nodes + self.nodes[high:], starts[:low] + new.starts + later, watched)

    def append(self, start: int, node: BibNode) -> None:
        if node.reach > node.length:
            self.watched.append(len(self.nodes))
        self.nodes.append(node)
        self.starts.append(start)

    def detached(self) -> "Track":
        return Track([node.detached() for node in self.nodes], self.starts, self.watched)


class Reader:
    """Reads blocks from `start` on."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.stopped = start
        # Entries; @string, @preamble, @comment and suppression comments; entries in comments; each @ that begins none.
        self.tracks = Track(), Track(), Track(), Track()
        self._closings: dict[str, tuple[int, Braces]] = {}  # from where on
        self._line_heads: deque[tuple[int, int]] = deque()  # start of the line break, end of the match
        self._looked = start
        self._window = _WINDOW
        self.cut = False  # a bound left the rest unread

    @property
    def count(self) -> int:
        return sum(len(it.nodes) for it in self.tracks)

    def read(self, resumes: Callable[[int], bool] | None = None) -> bool:
        """Read up to a head whose place `resumes`, which `stopped` then gives; False if the text ended first.

        Of more than anyone has written the beginning is read; TooLongError if it takes too long.
        """
        offset = self.stopped
        for _ in effort.iterate(repeat(None)):
            # After an edit the slow way is as quick: it reads a block or two, and windows could run past where to stop.
            if resumes is None:
                offset = self._plain_entries(offset)
            if bounds.are_crowded(self.count, offset):
                self.cut = True
                return False
            head = self._next_head(offset)
            if head is None:
                self.stopped = len(self.text)
                return False
            if resumes and resumes(head.start()):
                self.stopped = head.start()
                return True
            offset = self._block(head)
        return False

    def _plain_entries(self, offset: int) -> int:
        """Read on while there is nothing but white space between entries and no @ in them; return where that ends.

        What the slow way finds, in a third of the time: most files are such from end to end.
        """
        window = self._window
        begun = offset
        entries = self.tracks[0].starts
        while (start := self.text.find("@", offset)) >= 0 and not bounds.are_crowded(len(entries), start):
            until = window_end(self.text, start, window)
            for plain in plainly_closed(self.text, start, until):
                following = self.text.find("@", start + 1, until)
                end = plain and self._plain_entry(offset, start, following if following >= 0 else until)
                if not end:
                    # Among entries none of which is plain, a wide window for each would take longer than reading it.
                    self._window = _WINDOW if offset > begun else _NARROWEST
                    return offset
                offset = end
                start = following
            window = min(2 * window, _WIDEST)
        return offset

    def _plain_entry(self, offset: int, start: int, following: int) -> int:
        """The end of the entry whose @ is at `start`, which ends with the last brace before `following`; else 0."""
        head = _PLAIN_HEAD.match(self.text, offset)
        end = self.text.rfind("}", head.end(), following) + 1 if head else 0
        if not head or not end:
            return 0
        word, key = head.groups()
        kind = _kind(word)
        if kind in _SPECIAL or brace_in_comment(self.text, head.end(), end):
            return 0
        length = end - start
        key_start = head.start(2) - start
        self.tracks[0].nodes.append(BibNode(self.text, start, length, length, kind, key, key_start))
        self.tracks[0].starts.append(start)
        return end

    def _next_head(self, offset: int) -> re.Match[str] | None:
        """The first head from `offset` on that stands in no comment; suppression comments before it are kept."""
        text = self.text
        head = _HEAD.search(text, offset)
        while True:
            if head and head.start() < offset:
                head = _HEAD.search(text, offset)
            until = head.start() if head else len(text)
            percent = text.find("%", offset, until)
            self._strays(STRAY, offset, until if percent < 0 else percent)
            if percent < 0:
                # Prose between entries holds addresses: in `jane@mit (2001)` the parenthesis opens no entry.
                if head is None or head[2] == "{" or not text[until - 1 : until].isalnum():
                    return head
                offset = head.end(1)
                self._strays(STRAY, until, offset)
                continue
            end = text.find("\n", percent)
            offset = len(text) if end < 0 else end
            self._commented(percent, offset)
            # One character more than its length is watched: what is typed at the line's end belongs to the comment.
            comment = SUPPRESSION.match(text, percent, offset)
            if comment:
                length = comment.end() - percent
                self.tracks[1].append(percent, BibNode(text, percent, length, length + 1, IGNORE, comment[1] or "", 0))

    def _block(self, head: re.Match[str]) -> int:
        body = head.end(2)
        kind = _kind(head[1])
        if kind == "comment":
            end, reach = self._comment_end(body, head[2])
            self._commented(body, end)
        else:
            end, reach = self._end(body, head[2])
        self.tracks[kind in _SPECIAL].append(head.start(), self._node(head, kind, end, reach))
        return end

    def _node(self, head: re.Match[str], kind: str, end: int, reach: int) -> BibNode:
        start = head.start()
        after = head.end()
        key = head[3]
        if kind in _SPECIAL:
            key = ""
        elif after > end or head[2] == "(" or self.text[after : after + 1] != ",":
            key = self._odd_key(key, after, end, head[2])
        key_start = after - start - len(head[3])
        return BibNode(self.text, start, end - start, reach if reach == _FAR else reach - start, kind, key, key_start)

    def _commented(self, start: int, stop: int) -> None:
        """Note the entries in a comment, to which BibTeX pays no heed."""
        found = self.tracks[2].starts
        while (head := _HEAD.search(self.text, start, stop)) and not bounds.are_crowded(len(found), start):
            self._strays(COMMENTED, start, head.start())
            start = head.end(2)
            kind = _kind(head[1])
            if kind not in _SPECIAL:
                start = end = (brace_end(self.text, start, stop) if head[2] == "{" else 0) or stop
                self.tracks[2].append(head.start(), self._node(head, kind, end, end))
        self._strays(COMMENTED, start, stop)

    def _strays(self, kind: str, start: int, stop: int) -> None:
        found = self.tracks[3].starts
        while (start := self.text.find("@", start, stop)) >= 0 and not bounds.are_crowded(len(found), start):
            word = _STRAY.match(self.text, start, stop)
            if word and not self.text.startswith("@", start + 1):  # of two, both programs take the first for a letter
                length = len(word[0])
                self.tracks[3].append(start, BibNode(self.text, start, length, length, kind, word[1] or "", 0))
            start += 1

    def _odd_key(self, key: str, after: int, end: int, opener: str) -> str:
        """The key that no comma follows: if a field name stands in its place, it is missing."""
        start = after - len(key)
        if opener == "(":
            key = key.partition(")")[0]
        following = self.text[after : min(after + 8, end)]
        if not following.startswith(",") and ("=" in key or following.lstrip().startswith("=")):
            return ""
        return key[: max(0, end - start)] if after > end else key

    def _end(self, body: int, opener: str) -> tuple[int, int]:
        """Where a block ends, and how far the text was looked at to know it."""
        limit, _ = self._line_head(body)
        end = (plain_end(self.text, body, limit) or brace_end(self.text, body, limit)) if opener == "{" else 0
        if end and not brace_in_comment(self.text, body, end):
            return end, end
        return self._slow_end(body, opener)

    def _comment_end(self, body: int, opener: str) -> tuple[int, int]:
        """Where an @comment ends: any brace in it counts, and lines that would begin an entry do not end it."""
        limit, looked = self._line_head(body)
        end = brace_end(self.text, body, limit) if opener == "{" else 0
        end = end or self._closing(body, opener)
        if end:
            return end, end
        end = min(limit, len(self.text))
        farthest = body + _FARTHEST
        return body + len(self.text[body:end].rstrip()), _FAR if farthest > len(self.text) else max(looked, farthest)

    def _closing(self, body: int, opener: str) -> int:
        """The offset after what closes the block whose opener stands before `body`; 0 if it is not near."""
        # One pass over a stretch serves every block in it: many unclosed ones would each search as far again.
        start, braces = self._closings.get(opener, (-1, None))
        if braces is None or body > start + _FARTHEST:
            start = body - 1
            braces = Braces(self.text[start : start + 2 * _FARTHEST], "{}" if opener == "{" else "()")
            self._closings[opener] = start, braces
        closing = braces.closing(body - 1 - start)
        return 0 if closing is None or start + closing >= body + _FARTHEST else start + closing + 1

    def _slow_end(self, body: int, opener: str) -> tuple[int, int]:
        """Where an entry ends that is not plainly closed, and how far was looked for that."""
        state = State(opener)
        # A note may show BibTeX, with lines like heads: in a value that is closed they end no entry.
        first_head, looked = self._line_head(body)
        start = body
        head = first_head
        for number in range(1, _HEADS):
            end = state.advance(self.text, start, min(head, len(self.text)))
            if end:
                return end, end
            if head == _FAR or not state.in_value:
                break
            start = head
            head, looked = self._later_head(number)
        end = min(first_head, len(self.text))
        return body + len(self.text[body:end].rstrip()), looked

    def _line_head(self, offset: int) -> tuple[int, int]:
        """The first line break from `offset` on that a head follows, and where looking for it ended."""
        found = self._line_heads
        while found and found[0][0] < offset:
            found.popleft()
        if not found:
            self._looked = max(offset, self._looked)
        return self._later_head(0)

    def _later_head(self, number: int) -> tuple[int, int]:
        """The line break before the head that is `number` heads further, and where looking for it ended."""
        found = self._line_heads
        while len(found) <= number and (not found or found[-1][0] < _FAR):
            match = _LINE_HEAD.search(self.text, self._looked)
            # The match may have taken the line break that the next head needs before it.
            found.append((match.start(), match.end() + 1) if match else (_FAR, _FAR))
            self._looked = match.end() - 1 if match else len(self.text)
        return found[min(number, len(found) - 1)]


def _kind(word: str) -> str:
    return _KINDS.get(word) or word.lower()
