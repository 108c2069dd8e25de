r"""Whether TeX surely comes to a place: not so between `\if…` and `\fi`, in `\IfFileExists{…}{…}`, in a definition."""

import re
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from citelsp.base.text import LineStarts
from citelsp.syntax.languages.latex.grammar import is_comment, is_escaped

_CONDITIONAL = re.compile(r"\\(?:if(?!f(?![a-zA-Z@])|thenelse)[a-zA-Z@]*(?!\s*\{)|fi)(?![a-zA-Z@])")
_NAMED = re.compile(r"\\(?:newif|let)\s*\Z")
_BRACE = re.compile(r"[{}]")
_OWNER = re.compile(r"(?P<definition>\\[a-zA-Z]+\*?\s*)?\\(?P<name>[a-zA-Z@]+)\*?\s*(?:#\d|<[^<>\n]*>|\s)*\Z")
_DEFINING = re.compile(r"\\?(?:[egx]?def|(?:[Nn]ew|[Rr]enew|[Pp]rovide|[Dd]eclare)[a-zA-Z]*)\*?\s*")
_FURTHEST = 5000  # characters back to the braces around a place
_ARGUMENTS = 9  # that a command of TeX takes at most
_DEEP = 30  # groups within each other
_MOST = 500_000  # braces; behind them everything may be a choice
_NONE = -1
_NAME = 80  # characters of a command with its parameters


def is_optional(text: str, offset: int) -> bool:
    """True if a condition decides whether TeX reads on at an offset, or whether a command is called."""
    return _is_in_branch(text, offset) or _is_in_choice(text, offset)


def _is_in_branch(text: str, offset: int) -> bool:
    starts, depths = _conditionals(text)
    index = bisect_left(starts, offset)
    return index > 0 and depths[index - 1] > 0


@lru_cache(maxsize=4)  # a document may ask about thousands of places
def _conditionals(text: str) -> tuple[list[int], list[int]]:
    """Where conditions begin and end, and how many are open from there on."""
    starts = list[int]()
    depths = list[int]()
    lines = LineStarts(text)
    looked, commented = 0, False  # up to there for a comment that begins on this line
    for match in _CONDITIONAL.finditer(text):
        line = lines.before(match.start())
        commented = (commented and line <= looked) or is_comment(text, max(line, looked), match.start())
        looked = match.start()
        if commented or is_escaped(text, looked):
            continue
        depth = depths[-1] if depths else 0
        if match[0] != "\\fi" and _NAMED.search(text, max(match.start() - _NAME, 0), match.start()):
            continue
        starts.append(match.start())
        depths.append(max(depth - 1, 0) if match[0] == "\\fi" else depth + 1)
    return starts, depths


def _is_in_choice(text: str, offset: int) -> bool:
    """True if one of the groups around an offset is one that TeX may leave out."""
    groups = _groups(text)
    if len(groups.braces) == _MOST and offset > groups.braces[-1]:
        return True
    index = bisect_left(groups.braces, offset)
    opener = groups.inner[index - 1] if index else _NONE
    for _ in range(_DEEP):
        if opener < max(offset - _FURTHEST, 0):
            break
        if opener not in groups.chosen:
            groups.chosen[opener] = _chooses(text, opener)
        if groups.chosen[opener]:
            return True
        opener = groups.outer[opener]
    return False


class _Groups(NamedTuple):
    """Where braces stand, and after each the innermost one that is open; around each opening one, the next."""

    braces: list[int]
    inner: list[int]
    outer: dict[int, int]
    chosen: dict[int, bool]  # what was found out of opening ones


@lru_cache(maxsize=4)
def _groups(text: str) -> _Groups:
    groups = _Groups([], [], {}, {})
    opener = _NONE
    for brace in _BRACE.finditer(text):
        if is_escaped(text, brace.start()):
            continue
        if len(groups.braces) == _MOST:
            break
        if brace[0] == "{":
            groups.outer[brace.start()], opener = opener, brace.start()
        else:
            opener = groups.outer.get(opener, _NONE)
        groups.braces.append(brace.start())
        groups.inner.append(opener)
    return groups


def _chooses(text: str, opener: int) -> bool:
    """True if the group is an argument of a command that may leave it out, or the body of a definition."""
    end = opener
    # A choice may have its branch as any argument: back over the earlier ones to the command that owns them.
    for _ in range(_ARGUMENTS):
        last = _last_sign(text, end)
        if last < 0 or text[last] not in "}]":
            break
        start = _start_of(text, last)
        if start is None:
            return False
        end = start
    owner = _OWNER.search(text, max(end - _NAME, 0), end)
    if owner is None:
        return False
    name = owner["name"]
    return (
        "if" in name.lower()
        # beamer's, which print what they hold in some versions or on some slides.
        or name in ("mode", "only")
        or any(it and _DEFINING.fullmatch(it) for it in (name, owner["definition"]))
    )


def _last_sign(text: str, end: int) -> int:
    """Where the last sign that is not white stands before `end`; -1 if there is none near."""
    return next((index for index in range(end - 1, max(end - _FURTHEST, 0) - 1, -1) if not text[index].isspace()), -1)


def _start_of(text: str, last: int) -> int | None:
    """Where the argument begins that the sign at `last` ends."""
    least = max(last - _FURTHEST, -1)
    if text[last] == "]":
        found = text.rfind("[", least + 1, last)
        return found if found >= 0 else None
    depth = 0
    for index in range(last, least, -1):
        depth += {"}": 1, "{": -1}.get(text[index], 0) if not is_escaped(text, index) else 0
        if depth == 0:
            return index
    return None
