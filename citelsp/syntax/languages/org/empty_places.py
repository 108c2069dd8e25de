"""Places for keys in Org's citations at which none stands yet: `[cite:@a;]`, `[[cite:&a;]]` of org-ref."""

import re

from citelsp.base.text import Span
from citelsp.syntax.empty_places import CursorInBrackets, find_brackets
from citelsp.syntax.languages.latex.cite_commands import CITES
from citelsp.syntax.nodes import Placeholder

_REF = r"(?P<command>[a-zA-Z]{1,40})\*?:"  # the name of a link of org-ref
_LINK = re.compile(rf"(?<=\[)\[{_REF}")
_CITATION = re.compile(r"\[(?P<command>cite)(?:/[\w/-]+)?:")
_BARE_LINK = re.compile(rf"(?<![\w\\/.:&;,+-]){_REF}(?P<items>[\w:./+\-,;&]*[,;&])?\Z")
_LONGEST_BARE = 400  # characters
_KEY = re.compile(r"[\w&]")


def find(text: str, offset: int) -> Placeholder | None:
    """Return a placeholder for the keys that may stand at `offset` in a citation; None if none stands there."""
    in_link = find_brackets(text, offset, _LINK)
    if in_link and in_link.opening["command"] in CITES and "@" not in in_link.items.within(text):
        return _find_in_link(text, offset, in_link)
    brackets = find_brackets(text, offset, _CITATION)
    if brackets:
        return _find_in_citation(text, offset, brackets)
    return _find_in_bare_link(text, offset)


def _find_in_citation(text: str, offset: int, brackets: CursorInBrackets) -> Placeholder | None:
    """Return the place at the cursor in an empty item, or behind the words of an item, if no item has a key."""
    before, behind = brackets.part_item(text, offset, ";")
    words = (before + behind).rstrip()
    if not words:
        return _make_placeholder(brackets, Span(offset, offset), "@")
    has_key = "@" in brackets.items.within(text)  # then words without one are a note to all
    if has_key or not brackets.closed:
        return None
    item_start = offset - len(before)
    return _make_placeholder(brackets, Span(item_start + len(words), offset + len(behind)), " @")


def _find_in_link(text: str, offset: int, brackets: CursorInBrackets) -> Placeholder | None:
    """Return the place at the cursor in a link: behind an `&`, or in an empty item.

    Keys are marked by `&` and parted by `;`, or as org-ref had them before, parted by commas alone.
    """
    is_marked = "&" in brackets.items.within(text)
    before, behind = brackets.part_item(text, offset, ";" if is_marked else ",")
    if before.endswith("&"):
        return None if _KEY.match(behind) else _make_placeholder(brackets, Span(offset - 1, offset), "&")
    if (before + behind).strip():
        return None
    return _make_placeholder(brackets, Span(offset, offset), "&" if is_marked else "")


def _find_in_bare_link(text: str, offset: int) -> Placeholder | None:
    """Return the place at the cursor behind `cite:`, `cite:a,` or `cite:&a;&`; None if a key follows there."""
    link = _BARE_LINK.search(text, max(0, offset - _LONGEST_BARE), offset)
    if link is None or link["command"] not in CITES or _KEY.match(text, offset):
        return None
    items = link["items"] or ""
    start = offset - 1 if items.endswith("&") else offset
    sign = "&" if "&" in items else ""
    return Placeholder("", Span(start, offset), link["command"], Span(link.start(), offset), before=sign)


def _make_placeholder(brackets: CursorInBrackets, span: Span, before: str) -> Placeholder:
    end = brackets.items.end + 1 if brackets.closed else brackets.items.end
    whole = Span(brackets.opening.start(), end)
    return Placeholder("", span, brackets.opening["command"], whole, before=before)
