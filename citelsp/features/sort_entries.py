"""The entries of a .bib file in order: by key, author or year.

Comments travel with the entry below them, or with the one on their line, as a stray comma there does; what stands above
the first entry before a blank line stays there, as do @string, @preamble and @comment blocks, between which entries are
sorted.  Entries that others name in `crossref` come last, if BibTeX needs them; of several with one key the first stays
the first, as it is the one that is cited.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from citelsp.base.text import Edit, Span
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import fold
from citelsp.syntax.bibtex.blocks import IGNORE
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

Order = Literal["key", "author", "year"]
_MAX_DEPTH = 5  # of crossref
_NO_YEAR = 9999  # behind all years
_LAST = "\U0010ffff"  # behind all names
# Behind an entry on its line: a comment, or a sign that nothing needs, such as the comma of `},`
_REST_OF_LINE = re.compile(r"[^\S\n]*+(?:[^\w\s@%]++[^\S\n]*+)?(?:%[^\n]*|(?=\n)|\Z)")


@dataclass(frozen=True, slots=True)
class _Unit:
    """An entry with what moves with it."""

    index: int
    gap: str  # white space before; stays at its place
    text: str  # comments above, the entry, the comment behind it


def edits(project: Project, path: str, by: Order = "key") -> list[Edit]:
    """Return an edit for each run of entries that is not in order; none if the file cannot be sorted.

    A run is the entries between two of @string, @preamble and @comment.  Each entry moves with the comments above it
    and behind it, as one unit.  A run is left as it is if a `%` comment in it might, in some order, come to stand
    before something on the same line, which it would then swallow.
    """
    source = project.sources.get(path)
    if source is None or not isinstance(source.syntax.entries, BibEntries) or obstacle(project, path):
        return []
    entries = source.syntax.entries
    text = source.document.text
    depths = _measure_depths(entries)
    sort_key = _make_sort_key(source, by)

    def rank(unit: _Unit) -> tuple[object, ...]:
        # First by depth: BibTeX needs the entries that others name in `crossref` last.
        return (depths.get(entries.node(unit.index).key.lower(), 0), *sort_key(unit.index))

    changes: list[Edit] = []
    for run in _find_runs(entries):
        span, units = _cut_into_units(text, entries, run)
        in_order = sorted(units, key=rank)
        # The white space between them stays where it is.
        new_text = "".join(before.gap + unit.text for before, unit in zip(units, in_order, strict=True))
        is_changed = new_text != span.within(text)
        following = text[span.end : span.end + 2]  # as long as the end of a line may be
        if is_changed and _stand_apart(entries, units, following):
            changes.append(Edit(path, span, new_text))
    return changes


def obstacle(project: Project, path: str) -> str:
    """Why the file cannot be sorted; "" if it can."""
    source = project.sources.get(path)
    entries = source.syntax.entries if source else None
    if not isinstance(entries, BibEntries) or entries.first_unclosed is None:
        return ""
    index = bisect_left(entries.track.starts, entries.first_unclosed)
    is_entry = index < len(entries) and entries.start(index) == entries.first_unclosed
    unclosed = f"the entry “{entries.node(index).key}”" if is_entry else "a @string or another block"
    return f"it is not sorted, because {unclosed} is never closed"


def _make_sort_key(source: Source, order: Order) -> Callable[[int], tuple[object, ...]]:
    """Return a function from an entry's index to what it is sorted by.

    All entries with one key are sorted by the first of them, and so stay together in their order.  In the order by
    author, entries without authors (`_LAST`) come behind all others; by year, they are the first ones of their year, as
    an empty list sorts before any name.  Entries without year (`_NO_YEAR`) come behind those with one.
    """
    entries = source.syntax.entries
    strings = source.syntax.strings
    if entries is None:  # for the type checker: `edits` sorts no such file
        return lambda _: ()

    first: dict[str, int] = {}  # index of the first entry by its key in lower case, as BibTeX tells no case apart
    for index in range(len(entries)):
        first.setdefault(entries.node(index).key.lower(), index)

    def sort_key(index: int) -> tuple[object, ...]:
        node = entries.node(first[entries.node(index).key.lower()])
        by_key = (fold(node.key), node.key)
        if order == "key":
            return by_key
        entry = Entry(node, strings)
        authors = tuple(fold(str(name.family)) for name in entry.authors)
        year = entry.year or _NO_YEAR
        if order == "author":
            return (authors or (_LAST,), year, *by_key)
        return (year, authors, *by_key)

    return sort_key


def _measure_depths(entries: BibEntries) -> dict[str, int]:
    """Return for each key that a `crossref` names the length of the longest chain of `crossref`s that leads to it.

    Keys are in lower case, as BibTeX tells no case apart.  Chains are followed for fewer than _MAX_DEPTH steps.  BibTeX
    wants an entry behind all that name it, so entries with longer chains are sorted behind those with shorter.
    """
    # A quick look at the text: most entries have no such field, and need not be read.
    naming = [node for node in entries if "crossref" in node.source.lower()]
    parents = {node.key.lower(): node.raw("crossref").strip().lower() for node in naming}
    depths: dict[str, int] = {}
    for child in parents:
        key = child
        for depth in range(1, _MAX_DEPTH):  # entries may name each other in a circle
            key = parents.get(key, "")
            if not key:
                break
            depths[key] = max(depth, depths.get(key, 0))
    return depths


def _find_runs(entries: BibEntries) -> list[range]:
    """Indices of entries between which no @string, @preamble or @comment stands, of two entries at least."""
    starts = entries.track.starts
    cuts = {0, len(starts)}
    for node, start in zip(entries.specials.nodes, entries.specials.starts, strict=True):
        if node.kind != IGNORE:  # the comment `% citelsp: ignore`, which moves with its entry
            cuts.add(bisect_left(starts, start))
    return [range(low, high) for low, high in pairwise(sorted(cuts)) if high - low > 1]


def _cut_into_units(text: str, entries: BibEntries, run: Sequence[int]) -> tuple[Span, list[_Unit]]:
    """Return where the entries of a run stand, with what belongs to them, and that stretch cut into a unit for each."""
    begin = _find_beginning(text, entries, run[0])
    units = []
    start = begin
    for index in run:
        # Of a file that is one line, no more than up to the next entry is searched for a comment.
        limit = entries.start(index + 1) if index + 1 < len(entries) else None
        end = _find_line_end(text, entries.track.end(index), limit)
        stretch = text[start:end]
        gap = stretch[: len(stretch) - len(stretch.lstrip())]
        units.append(_Unit(index, gap, stretch[len(gap) :]))
        start = end
    return Span(begin, start), units


def _find_beginning(text: str, entries: BibEntries, first: int) -> int:
    """Return where the stretch of a run begins: behind the entry or block before its `first`, and the comment there.

    If there is a blank line in between, behind the last one: what stands above it is a heading, and stays.
    """
    begin = _find_line_end(text, entries.track.end(first - 1)) if first else 0
    # The last block before it that is no entry (`specials`), such as a @string.
    block = bisect_left(entries.specials.starts, entries.start(first)) - 1
    while block >= 0 and entries.specials.nodes[block].kind == IGNORE:  # `% citelsp: ignore` moves with its entry
        block -= 1
    if block >= 0:
        begin = max(begin, _find_line_end(text, entries.specials.end(block)))
    return _skip_header(text, min(begin, entries.start(first)), entries.start(first))


def _skip_header(text: str, low: int, high: int) -> int:
    """Behind the last blank line between two offsets, and the white space there; `low` if there is none."""
    between = text[low:high]
    blank = max(between.rfind("\n\n"), between.rfind("\n\r\n"))
    if blank < 0:
        return low
    behind_blank = between[blank:]
    return low + blank + len(behind_blank) - len(behind_blank.lstrip())


def _find_line_end(text: str, offset: int, limit: int | None = None) -> int:
    """The end of the line where only a comment or a stray sign follows, else the offset itself; at most `limit`."""
    rest = _REST_OF_LINE.match(text, offset, len(text) if limit is None else limit)
    if rest is None or not rest[0].strip():
        return offset
    return limit if rest.end() == limit else offset + len(rest[0].rstrip())


def _stand_apart(entries: BibEntries, units: Sequence[_Unit], following: str) -> bool:
    """True if no comment can swallow what comes to stand behind it.

    Each unit begins a line, and so does what follows them all (`following`: its first characters); or there are no
    comments.
    """
    ends_line = not following or following.startswith(("\n", "\r\n"))
    if ends_line and all("\n" in unit.gap for unit in units[1:]):
        return True
    return not any("%" in unit.text.replace(entries.node(unit.index).source, "", 1) for unit in units)
