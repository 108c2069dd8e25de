"""The entries of a .bib file in order: by key, author or year.

Comments travel with the entry below them, or with the one on their line; what stands above the first entry before a
blank line stays there, as do @string, @preamble and @comment blocks, between which entries are sorted.  Entries that
others name in `crossref` come last, if BibTeX needs them; of several with one key the first stays the first, as it
is the one that is cited.
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
_COMMENT = re.compile(r"[^\S\n]*+%[^\n]*")


@dataclass(frozen=True, slots=True)
class _Unit:
    index: int
    gap: str  # white space before; stays at its place
    text: str  # comments above, the entry, the comment behind it


def edits(project: Project, path: str, by: Order = "key") -> list[Edit]:
    """Empty if the file is in order already, or cannot be sorted."""
    source = project.sources.get(path)
    if source is None or not isinstance(source.syntax.entries, BibEntries) or obstacle(project, path):
        return []
    entries = source.syntax.entries
    depths = _depths(entries)
    ordered = _sorting(source, by)
    found: list[Edit] = []
    for run in _runs(entries):
        span, units = _units(source.document.text, entries, run)
        placed = sorted(units, key=lambda it: (depths.get(entries.node(it.index).key, 0), *ordered(it.index)))
        texts = [gap.gap + unit.text for gap, unit in zip(units, placed, strict=True)]
        new_text = "".join(texts)
        if new_text != span.within(source.document.text) and _stand_apart(
            entries, units, source.document.text[span.end : span.end + 2]
        ):
            found.append(Edit(path, span, new_text))
    return found


def obstacle(project: Project, path: str) -> str:
    """Why the file cannot be sorted; "" if it can."""
    entries = project.sources[path].syntax.entries
    if not isinstance(entries, BibEntries) or not entries.track.watched:
        return ""
    return f"it is not sorted, because the entry “{entries.node(entries.track.watched[0]).key}” is never closed"


def _sorting(source: Source, order: Order) -> Callable[[int], tuple[object, ...]]:
    """What an entry is sorted by, as a function of its index; copies of one key stay together."""
    entries = source.syntax.entries
    strings = source.syntax.strings
    if entries is None:
        return lambda _: ()

    first: dict[str, int] = {}  # index of the first entry of each key; BibTeX tells no case apart
    for index in range(len(entries)):
        first.setdefault(entries.node(index).key.lower(), index)

    def sort_key(index: int) -> tuple[object, ...]:
        node = entries.node(first[entries.node(index).key.lower()])
        by_key = (fold(node.key), node.key)
        if order == "key":
            return by_key
        entry = Entry(node, strings)
        authors = tuple(fold(str(it.family)) for it in entry.authors)
        year = entry.year or _NO_YEAR
        if order == "author":
            return (authors or (_LAST,), year, *by_key)
        return (year, authors, *by_key)

    return sort_key


def _depths(entries: BibEntries) -> dict[str, int]:
    """How far a key stands above others through `crossref`; keys that nobody names are left out."""
    parents = {node.key: node.raw("crossref").strip() for node in entries if "crossref" in node.source.lower()}
    depths: dict[str, int] = {}
    for child in parents:
        key = child
        for depth in range(1, _MAX_DEPTH):
            key = parents.get(key, "")
            if not key:
                break
            depths[key] = max(depth, depths.get(key, 0))
    return depths


def _runs(entries: BibEntries) -> list[range]:
    """Indices of entries between which no other block stands."""
    starts = entries.track.starts
    blocks = zip(entries.specials.nodes, entries.specials.starts, strict=True)
    cuts = sorted({0, len(starts), *(bisect_left(starts, start) for node, start in blocks if node.kind != IGNORE)})
    return [range(low, high) for low, high in pairwise(cuts) if high - low > 1]


def _units(text: str, entries: BibEntries, run: Sequence[int]) -> tuple[Span, list[_Unit]]:
    """The stretch of text that holds these entries, cut into one unit for each."""
    begin = _line_end(text, entries.track.end(run[0] - 1)) if run[0] else 0
    special = bisect_left(entries.specials.starts, entries.start(run[0])) - 1
    while special >= 0 and entries.specials.nodes[special].kind == IGNORE:
        special -= 1
    if special >= 0:
        begin = max(begin, _line_end(text, entries.specials.end(special)))
    begin = _after_header(text, min(begin, entries.start(run[0])), entries.start(run[0]))
    units = []
    start = begin
    for index in run:
        limit = entries.start(index + 1) if index + 1 < len(entries) else None  # or one line would be read for each
        end = _line_end(text, entries.track.end(index), limit)
        whole = text[start:end]
        gap = whole[: len(whole) - len(whole.lstrip())]
        units.append(_Unit(index, gap, whole[len(gap) :]))
        start = end
    return Span(begin, start), units


def _after_header(text: str, low: int, high: int) -> int:
    """Behind the last blank line between two offsets; `low` if there is none."""
    lead = text[low:high]
    blank = max(lead.rfind("\n\n"), lead.rfind("\n\r\n"))
    return low + blank + len(lead[blank:]) - len(lead[blank:].lstrip()) if blank >= 0 else low


def _line_end(text: str, offset: int, limit: int | None = None) -> int:
    """The end of the line where only a comment follows, else the offset itself; at most `limit`."""
    comment = _COMMENT.match(text, offset, len(text) if limit is None else limit)
    if comment is None:
        return offset
    return limit if comment.end() == limit else offset + len(comment[0].rstrip())


def _stand_apart(entries: BibEntries, units: Sequence[_Unit], following: str) -> bool:
    """Whether no comment can swallow what comes to stand behind it."""
    if all("\n" in it.gap for it in units[1:]) and (not following or following.startswith(("\n", "\r\n"))):
        return True
    return not any("%" in it.text.replace(entries.node(it.index).source, "", 1) for it in units)
