r"""The blocks of a .bib file: where each `@word{…}` begins and ends."""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import repeat

from citelsp.base import bounds, effort
from citelsp.base.text import Span
from citelsp.syntax import suppressions
from citelsp.syntax.bibtex.brace_counts import (
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
    brace_end,
    find_block_problem,
    find_problems,
    scan_fields,
    strip_delimiters,
)
from citelsp.syntax.nodes import EntryProblem, Field

_SUPPRESSION = re.compile(rf"%+[ \t]*{suppressions.IGNORE}[^\n]*")  # `% citelsp: ignore[code, code]`
IGNORE = "ignore"  # the kind of a suppression comment among the specials
STRAY = "@"  # the kind of an @ between entries that begins no block
COMMENTED = "%@"  # and of one in a comment

# The commonest types: tens of thousands of entries share these strings instead of holding one each.
_KINDS = {it: it for it in ("article", "inproceedings", "book", "misc", "incollection", "phdthesis", "techreport")}
_SPECIAL = frozenset({"string", "preamble", "comment"})
_BEYOND = 1 << 60  # an offset behind the end of every text
# The head of a block: its word, what opens it, its key.
_HEAD = re.compile(r"@[ \t]*+([A-Za-z][\w+-]*+)\s*+([{(])\s*+([^\s,{}\"]*+)")
_STRAY_SIGN = re.compile(r"@(?:[ \t]*+([\w+-]++))?")
# Stricter than _HEAD, as it ends an entry that was never closed: an @ in the prose of an abstract must not.
_LINE_HEAD = re.compile(
    r"\n[ \t]*+@[ \t]*+(?:(?i:string|preamble|comment)\s*+[{(]"
    r"|[A-Za-z][\w+-]*+\s*+[{(][ \t]*+[^\s,{}()=\"]*+[ \t]*+(?:[,}\r\n]|\Z))"
)
_PLAIN_HEAD = re.compile(r"\s*+@([A-Za-z][\w+-]*+)\{[ \t]*+([^\s,{}\"]*+),")  # `@article{knuth84,`
# A window grows as long as all in it is plain: a file that is not should lose little at the first odd entry.
_NARROWEST_WINDOW = 1 << 8  # characters
_FIRST_WINDOW = 1 << 12
_WIDEST_WINDOW = 1 << 15
_LOOK_AHEAD = 8  # characters behind a key: the next sign, if no more spaces than usual stand before it
_MOST_LINE_HEADS = 12  # looked for in an entry: ten may stand in a value that is closed behind them
_FARTHEST = 1 << 18  # characters of an @comment that are searched for its end, once an entry begins in it


class BibNode:
    """One `@type{key, …}`.  Spans count from its `@`; equal only to itself."""

    __slots__ = ("__weakref__", "_at", "_inherited", "_places", "_text", "key", "key_start", "kind", "length", "reach")

    def __init__(self, text: str, offset: int, length: int, reach: int, kind: str, key: str, key_start: int) -> None:
        self._text = text
        self._at = offset  # of its `@` in the text
        self._inherited: dict[str, str] | None = None
        self._places: list[Place] | None = None
        self.length = length
        self.reach = reach  # how far from its start the text was looked at to find its end
        self.kind = kind  # in lower case
        self.key = key
        self.key_start = key_start  # from its `@`

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
        return self.reach == _BEYOND

    def fields(self) -> list[Field]:
        return [
            Field(name.lower(), Span(offset, offset + len(name)), Span(start, end), Span(offset, end))
            for name, offset, start, end in self._scan_fields(self.source)
        ]

    def _scan_fields(self, source: str) -> list[Place]:
        """The places of the fields in the entry's source."""
        if self._places is not None:
            return self._places
        places = scan_fields(source, self.key_start + len(self.key), closed=self.closed)
        # Long ones alone remember them, as the fields of a whole library would take more memory than its text.
        if self.length > max(LONG, 500 * len(places)):
            self._places = places
        return places

    def values(self) -> dict[str, str]:
        """Every field as written, with its braces or quotes; of a repeated field the first, as BibTeX does."""
        source = self.source
        values: dict[str, str] = {}
        for name, _, start, end in self._scan_fields(source):
            values.setdefault(name.lower(), source[start:end])
        return values

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
        return strip_delimiters(self.values().get(name, ""))

    def problems(self) -> list[EntryProblem]:
        return find_problems(self.source, self.key_span, closed=self.closed)

    def block_problem(self) -> EntryProblem | None:
        """Return what is malformed in a @string or @preamble; None if nothing is, or if it is not closed."""
        return find_block_problem(self.source, self.kind, self.key_start) if self.closed else None

    def detached(self) -> "BibNode":
        """The same entry holding its own source, so that it keeps no whole document alive."""
        return BibNode(self.source, 0, self.length, self.reach, self.kind, self.key, self.key_start)


@dataclass(frozen=True, slots=True)
class Track:
    """Blocks in their order with their places."""

    nodes: list[BibNode] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    watched: list[int] = field(default_factory=list)  # indices of the blocks for whose end one looked further

    def first_touched(self, offset: int) -> int:
        """Return the index of the first block before `offset` that a change there may alter.

        To find a block's end the text was looked at up to `reach` characters from its start, and a change within these
        may alter it.  If there is no such block, the index of the first that does not begin before `offset`, or the
        number of blocks if all do.
        """
        index = bisect_left(self.starts, offset)
        # Watched blocks, which are not plainly closed, may depend on text far behind them; any other only on its own.
        for watched in self.watched:
            if watched < index and self.starts[watched] + self.nodes[watched].reach > offset:
                return watched
        last = index - 1
        if last >= 0 and self.starts[last] + self.nodes[last].reach > offset:
            return last
        return index

    def end(self, index: int) -> int:
        return self.starts[index] + self.nodes[index].length

    def spliced(self, low: int, high: int, new: "Track", shift: int) -> "Track":
        """Return a track in which `new` replaces the blocks from index `low` to before `high`.

        Later blocks are moved by `shift` characters of the text, below 0 if it became shorter.  `watched` are the
        indices of the blocks to find whose end one looked further than they reach; they move with their blocks.
        """
        starts = self.starts
        later_starts = [start + shift for start in starts[high:]] if shift else starts[high:]
        index_shift = len(new.nodes) - (high - low)
        watched = [index for index in self.watched if index < low]
        watched += [index + low for index in new.watched]
        watched += [index + index_shift for index in self.watched if index >= high]
        return Track(
            nodes=self.nodes[:low] + new.nodes + self.nodes[high:],
            starts=starts[:low] + new.starts + later_starts,
            watched=watched,
        )

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
        self._entries = Track()
        self._specials = Track()  # @string, @preamble, @comment and suppression comments
        self._commented = Track()  # entries in comments
        self._strays = Track()  # each @ that begins no block
        self.tracks = self._entries, self._specials, self._commented, self._strays
        self._closings: dict[str, tuple[int, Braces]] = {}  # by what opens: where a stretch begins, and its braces
        # The next lines that would begin an entry: where the line break stands, and how far was looked for the line.
        self._line_heads: deque[tuple[int, int]] = deque()
        self._looked = start  # up to there they were looked for
        self._window = _FIRST_WINDOW
        self.cut = False  # a bound left the rest unread

    @property
    def count(self) -> int:
        return sum(len(it.nodes) for it in self.tracks)

    def read(self, resumes: Callable[[int], bool] | None = None) -> bool:
        """Read blocks up to the first head (`@word{`) whose offset `resumes` accepts; False if the text ended before.

        None accepts none, to read all the text.  `stopped` is then the offset of that head, or the text's end.  If
        there are more blocks than anyone has written, reading ends early with False: `cut` becomes true, and `stopped`
        stays as it was.  TooLongError if it takes too long.
        """
        offset = self.stopped
        for _ in effort.iterate(repeat(None)):  # an endless loop, which is broken off if it takes too long
            # Entry by entry is slower, but after an edit a block or two are read; many at a time could run past the
            # stop.
            if resumes is None:
                offset = self._read_plain_entries(offset)
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
            offset = self._read_block(head)
        return False  # never reached

    def _read_plain_entries(self, offset: int) -> int:
        """Read plain entries, with only white space between them and no @ in them; return where the last of them ends.

        That is `offset` if the first one is not plain.  A window, a stretch of text up to an @, is looked at at once:
        this finds what `_read_block` would, in a third of the time, as most files are plain from end to end.  The
        window is doubled as long as all entries in it are plain.
        """
        begin = offset
        size = self._window
        entries = self._entries.starts  # all that is added here: the caller counts the other blocks too
        while (start := self.text.find("@", offset)) >= 0 and not bounds.are_crowded(len(entries), start):
            offset, are_all_plain = self._read_window(offset, start, window_end(self.text, start, size))
            if not are_all_plain:
                # Among entries none of which is plain, a wide window for each would take longer than reading it.
                self._window = _FIRST_WINDOW if offset > begin else _NARROWEST_WINDOW
                break
            size = min(2 * size, _WIDEST_WINDOW)
        return offset

    def _read_window(self, offset: int, start: int, end: int) -> tuple[int, bool]:
        """Read entries up to the first that is not plain; return where the last one ends, and whether all were plain.

        `start` and `end` are those of the window; `start` is the first @ from `offset` on, where reading goes on.
        """
        for is_closed in plainly_closed(self.text, start, end):  # for each @: its braces close before the next @
            next_at_sign = self.text.find("@", start + 1, end)
            if next_at_sign < 0:
                next_at_sign = end
            entry_end = self._read_plain_entry(offset, start, next_at_sign) if is_closed else 0
            if not entry_end:
                return offset, False
            offset = entry_end
            start = next_at_sign
        return offset, True

    def _read_plain_entry(self, offset: int, start: int, limit: int) -> int:
        """Read the entry whose @ is at `start`, the first from `offset` on; return its end.

        All its braces up to `limit`, the next @, are known to close in turn, so that the last of them closes it.
        0, and nothing is read, if anything but white space stands between `offset` and it, or if it is not plain: no
        `@word{key,`, no closing brace, an @string or the like, or with a brace in a comment.
        """
        head = _PLAIN_HEAD.match(self.text, offset)
        end = self.text.rfind("}", head.end(), limit) + 1 if head else 0
        if not head or not end:
            return 0
        word, key = head.groups()
        kind = _kind(word)
        if kind in _SPECIAL or brace_in_comment(self.text, head.end(), end):
            return 0
        length = end - start
        key_start = head.start(2) - start
        self._entries.nodes.append(BibNode(self.text, start, length, length, kind, key, key_start))
        self._entries.starts.append(start)
        return end

    def _next_head(self, offset: int) -> re.Match[str] | None:
        """Find the first head of a block, `@word{`, from `offset` on; None if there is none.

        One in a comment or an e-mail address is passed over.  What stands before the head is added to the tracks:
        suppression comments (`% citelsp: ignore`), entries in comments, and stray at signs, which begin no block.
        """
        text = self.text
        head = _HEAD.search(text, offset)
        while True:
            if head and head.start() < offset:  # the one found before stands in a comment or an address
                head = _HEAD.search(text, offset)
            until = head.start() if head else len(text)
            percent = text.find("%", offset, until)
            self._add_stray_at_signs(STRAY, offset, until if percent < 0 else percent)
            if percent < 0:
                # Prose between entries holds addresses: in `jane@mit (2001)` the parenthesis opens no entry.
                is_address = head is not None and head[2] == "(" and text[until - 1 : until].isalnum()
                if head is None or not is_address:
                    return head
                offset = head.end(1)
                self._add_stray_at_signs(STRAY, until, offset)
                continue
            offset = self._read_comment(percent)

    def _read_comment(self, percent: int) -> int:
        """Add the entries in the comment that begins at `percent`, and the comment itself if it is a suppression.

        Return where its line ends.
        """
        text = self.text
        line_end = text.find("\n", percent)
        line_end = len(text) if line_end < 0 else line_end
        self._add_entries_in_comment(percent, line_end)
        suppression = _SUPPRESSION.match(text, percent, line_end)
        if suppression:
            length = suppression.end() - percent
            # One character more than its length is watched: what is typed at the line's end belongs to the comment.
            reach = length + 1
            self._specials.append(percent, BibNode(text, percent, length, reach, IGNORE, suppression["codes"] or "", 0))
        return line_end

    def _read_block(self, head: re.Match[str]) -> int:
        """Add the block that begins with a head, `@article{key`, to its track; return where it ends."""
        body = head.end(2)
        opener = head[2]
        kind = _kind(head[1])
        if kind == "comment":
            end, reach = self._find_comment_end(body, opener)
            self._add_entries_in_comment(body, end)
        else:
            end, reach = self._find_end(body, opener)
        track = self._specials if kind in _SPECIAL else self._entries
        track.append(head.start(), self._make_node(head, kind, end, reach))
        return end

    def _make_node(self, head: re.Match[str], kind: str, end: int, reach: int) -> BibNode:
        """Make the node of the block that ends at `end`.

        `reach` is the offset up to which the text was looked at to know that end: an edit before it may move the end.
        """
        start = head.start()
        key = head[3]
        key_end = head.end()
        key_start = key_end - start - len(key)
        # `@article{key,` within the block; the pattern of heads takes more for a key than is one.
        is_plain = key_end <= end and head[2] == "{" and self.text.startswith(",", key_end)
        if kind in _SPECIAL:
            key = ""  # an @string, @preamble or @comment has none
        elif not is_plain:
            key = self._read_odd_key(key, key_end, end, head[2])
        reach_from_start = reach if reach == _BEYOND else reach - start
        return BibNode(self.text, start, end - start, reach_from_start, kind, key, key_start)

    def _add_entries_in_comment(self, start: int, stop: int) -> None:
        """Add the entries in a comment to their track: BibTeX, which knows no comments there, reads them."""
        starts = self._commented.starts
        while (head := _HEAD.search(self.text, start, stop)) and not bounds.are_crowded(len(starts), start):
            self._add_stray_at_signs(COMMENTED, start, head.start())
            start = head.end(2)
            kind = _kind(head[1])
            if kind in _SPECIAL:  # no entry, but entries may stand in it
                continue
            closed_end = brace_end(self.text, start, stop) if head[2] == "{" else 0
            end = closed_end or stop  # one that is not closed, or is in parentheses, ends with the comment
            self._commented.append(head.start(), self._make_node(head, kind, end, reach=end))
            start = end
        self._add_stray_at_signs(COMMENTED, start, stop)

    def _add_stray_at_signs(self, kind: str, start: int, stop: int) -> None:
        """Add each @ of a stretch in which no block begins to their track, with the word behind it, as of this kind."""
        starts = self._strays.starts
        while (start := self.text.find("@", start, stop)) >= 0 and not bounds.are_crowded(len(starts), start):
            sign = _STRAY_SIGN.match(self.text, start, stop)
            if sign and not self.text.startswith("@", start + 1):  # of two, both programs take the first for a letter
                length = len(sign[0])
                self._strays.append(start, BibNode(self.text, start, length, length, kind, sign[1] or "", 0))
            start += 1

    def _read_odd_key(self, key: str, key_end: int, end: int, opener: str) -> str:
        """Return the key of an entry in parentheses, or without a comma behind the key, or that ends before `key_end`.

        `key` is what the pattern of heads takes for it, up to `key_end`; `end` lies behind the entry.  "" if a field's
        name stands in its place, as in `@article{title = …`.
        """
        key_start = key_end - len(key)
        if opener == "(":  # `@article(key)`: the head's pattern takes the parenthesis for a part of the key
            key = key.partition(")")[0]
        following = self.text[key_end : min(key_end + _LOOK_AHEAD, end)]
        is_field = "=" in key or following.lstrip().startswith("=")
        if is_field and not following.startswith(","):  # in `@article(a=b,` the key is `a=b`
            return ""
        # None of it lies behind the entry's end: of `@article{` before a line `@book{b,`, the pattern takes `@book`.
        return key[: max(0, end - key_start)] if key_end > end else key

    def _find_end(self, body: int, opener: str) -> tuple[int, int]:
        """Find where an entry, @string or @preamble ends; return that, and how far the text was looked at to know it.

        `body` is where its `opener` ends.  Nearly every block ends at the brace that closes it before the next line
        that would begin an entry; any other, such as one in parentheses or with a brace in a comment, is read sign by
        sign.
        """
        limit, _ = self._first_line_head(body)
        end = 0
        if opener == "{":  # `plain_end` is the quicker way, for most
            end = plain_end(self.text, body, limit) or brace_end(self.text, body, limit)
        if end and not brace_in_comment(self.text, body, end):
            return end, end
        return self._find_end_slowly(body, opener)

    def _find_comment_end(self, body: int, opener: str) -> tuple[int, int]:
        """Find where an @comment ends; return that, and how far the text was looked at to know it.

        `body` is where its `opener` ends.  Any brace in it counts, or any parenthesis if one opened it.  Lines that
        would begin an entry do not end it; only if nothing closes it before them or within _FARTHEST characters, it
        ends before the first of them, or with the text if there is none.
        """
        limit, looked = self._first_line_head(body)
        end = brace_end(self.text, body, limit) if opener == "{" else 0
        end = end or self._find_closing(body, opener)
        if end:
            return end, end
        # Text that is added at the end of a short file may close it: its end depends on all that may follow (_BEYOND).
        farthest = body + _FARTHEST
        reach = _BEYOND if farthest > len(self.text) else max(looked, farthest)
        return self._end_of_unclosed(body, limit), reach

    def _find_closing(self, body: int, opener: str) -> int:
        """Return the offset after what closes the block whose opener ends at `body`; 0 if nothing does so near.

        Near is what stands within _FARTHEST characters.
        """
        # One pass over a stretch serves every block in its first half, to which all that is near lies within it: many
        # unclosed ones would each search as far again.
        start, braces = self._closings.get(opener, (-1, None))
        if braces is None or body > start + _FARTHEST:
            start = body - len(opener)
            braces = Braces(self.text[start : start + 2 * _FARTHEST], "{}" if opener == "{" else "()")
            self._closings[opener] = start, braces
        closing = braces.closing(body - len(opener) - start)
        is_near = closing is not None and start + closing < body + _FARTHEST
        return start + closing + 1 if closing is not None and is_near else 0

    def _find_end_slowly(self, body: int, opener: str) -> tuple[int, int]:
        """Find where an entry ends that is not plainly closed; return that, and how far the text was looked at for it.

        It is read up to one line after another that would begin an entry (a line head).  If it is closed by then, it
        ends there.  If a line head stands outside of its values, if too many are passed, or if the text ends, it is
        never closed, and ends before the first line head, or with the text if there is none.
        """
        state = State(opener)
        # A note may show BibTeX, with lines like heads: in a value that is closed they end no entry.
        first_head, looked = self._first_line_head(body)
        start = body
        head = first_head  # _BEYOND, which is behind every text, if there is none
        for number in range(1, _MOST_LINE_HEADS):
            end = state.advance(self.text, start, min(head, len(self.text)))
            if end:
                return end, end
            if head == _BEYOND or not state.in_value:
                break
            start = head
            head, looked = self._further_line_head(number)
        return self._end_of_unclosed(body, first_head), looked

    def _end_of_unclosed(self, body: int, limit: int) -> int:
        """The end of a block that is never closed: before `limit` or the text's end, and the white space there."""
        return body + len(self.text[body : min(limit, len(self.text))].rstrip())

    def _first_line_head(self, offset: int) -> tuple[int, int]:
        """Find the first line break from `offset` on that a head follows; return it, and how far was looked for it.

        Both are _BEYOND if there is none.
        """
        heads = self._line_heads
        while heads and heads[0][0] < offset:
            heads.popleft()
        if not heads:
            self._looked = max(offset, self._looked)
        return self._further_line_head(0)

    def _further_line_head(self, number: int) -> tuple[int, int]:
        """Find the line break before the head that is the `number`th after the one that `_first_line_head` found last.

        Returned with it is how far was looked: one character further than the head, as another there could make it
        none.  Both are _BEYOND if there is none.  Heads are found one by one and cached, as several blocks ask for the
        same ones.
        """
        heads = self._line_heads
        while len(heads) <= number and (not heads or heads[-1][0] < _BEYOND):
            match = _LINE_HEAD.search(self.text, self._looked)
            if match is None:
                heads.append((_BEYOND, _BEYOND))
                self._looked = len(self.text)
            else:
                heads.append((match.start(), match.end() + 1))
                # The match may have taken the line break that the next head needs before it.
                self._looked = match.end() - 1
        return heads[min(number, len(heads) - 1)]  # behind the last head, _BEYOND, follows no other


def _kind(word: str) -> str:
    return _KINDS.get(word) or word.lower()
