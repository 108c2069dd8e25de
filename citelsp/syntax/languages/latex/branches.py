r"""Whether TeX surely comes to a place: not so between `\if…` and `\fi`, in `\IfFileExists{…}{…}`, in a definition."""

import re
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from citelsp.syntax.languages.latex.grammar import Comments, is_escaped

# `\ifdraft` and `\fi`; not the sign `\iff`, nor what has its branches in braces, `\ifthenelse{…}{…}{…}`.
_CONDITIONAL = re.compile(r"\\(?:if(?!f(?![a-zA-Z@])|thenelse)[a-zA-Z@]*(?!\s*\{)|fi)(?![a-zA-Z@])")
_DECLARING_CONDITION = re.compile(r"\\(?:newif|let)\s*\Z")  # `\newif\ifdraft` and `\let\ifdraft` begin no condition
_BRACE = re.compile(r"[{}]")
# What owns a group: `\name#1`, or `\newcommand\name#1` with `\newcommand` as group `definition`.
_OWNER = re.compile(r"(?P<definition>\\[a-zA-Z]+\*?\s*)?\\(?P<name>[a-zA-Z@]+)\*?\s*(?:#\d|<[^<>\n]*>|\s)*\Z")
# `\newcommand`, `\def`, `\DeclareRobustCommand*`.
_DEFINING_COMMAND = re.compile(r"\\?(?:[egx]?def|(?:[Nn]ew|[Rr]enew|[Pp]rovide|[Dd]eclare)[a-zA-Z]*)\*?\s*")
_FURTHEST = 5000  # characters back to the braces around a place
_MOST_ARGUMENTS = 9  # that a command of TeX takes
_DEEPEST = 30  # groups within each other
_MOST_BRACES = 500_000  # behind so many, everything may be a choice
_NO_GROUP = -1
_LONGEST_OWNER = 80  # characters of a command with its parameters


def is_optional(text: str, offset: int) -> bool:
    """True if a condition decides whether TeX reads on at an offset, or whether a command is called."""
    return _is_in_branch(text, offset) or _is_in_choice(text, offset)


def _is_in_branch(text: str, offset: int) -> bool:
    r"""True if an `\if…` before the offset has no `\fi` yet."""
    starts, depths = _list_conditionals(text)
    before = bisect_left(starts, offset)  # how many begin or end a condition before the offset
    return before > 0 and depths[before - 1] > 0


@lru_cache(maxsize=4)  # a document may ask about thousands of places
def _list_conditionals(text: str) -> tuple[list[int], list[int]]:
    r"""List where each `\if…` and `\fi` stands, in order, and in a second list how many conditions are open behind it.

    Those in comments do not count, nor do names of conditions that are only declared (`\newif\ifdraft`).
    """
    starts: list[int] = []
    depths: list[int] = []
    comments = Comments(text)
    for match in _CONDITIONAL.finditer(text):
        offset = match.start()
        if comments.cover(offset) or is_escaped(text, offset):
            continue
        open_before = depths[-1] if depths else 0
        if match[0] == "\\fi":
            depth = max(open_before - 1, 0)  # 0: one too many, as its condition is in another file or a macro
        elif _DECLARING_CONDITION.search(text, max(offset - _LONGEST_OWNER, 0), offset):
            continue
        else:
            depth = open_before + 1
        starts.append(offset)
        depths.append(depth)
    return starts, depths


def _is_in_choice(text: str, offset: int) -> bool:
    """True if one of the groups around an offset is one that TeX may leave out, as a branch of `\\ifthenelse{…}{…}{…}`.

    Looked at are the groups that begin within _FURTHEST characters, from the innermost outwards, and at most _DEEPEST.
    A group is named by the offset of its opening brace.
    """
    groups = _read_groups(text)
    is_unread = len(groups.braces) == _MOST_BRACES and offset > groups.braces[-1]
    if is_unread:
        return True  # nothing is known there, and of text that TeX may skip checks say nothing
    before = bisect_left(groups.braces, offset)  # how many braces stand before the offset
    opener = groups.inner[before - 1] if before else _NO_GROUP  # the innermost group that is open at the offset
    for _ in range(_DEEPEST):
        if opener < max(offset - _FURTHEST, 0):  # too far away, or below 0: there is no further group
            break
        if opener not in groups.chosen:
            groups.chosen[opener] = _may_be_left_out(text, opener)
        if groups.chosen[opener]:
            return True
        opener = groups.outer[opener]
    return False


class _Groups(NamedTuple):
    """The groups of a text; each is named by the offset of its opening brace, _NO_GROUP if there is none."""

    braces: list[int]  # where braces stand, in order
    inner: list[int]  # behind each of these braces, the innermost group that is open
    outer: dict[int, int]  # the group around each group
    chosen: dict[int, bool]  # whether TeX may leave a group out, of those that were asked for


@lru_cache(maxsize=4)
def _read_groups(text: str) -> _Groups:
    """Find the groups of a text, by its first _MOST_BRACES braces; one behind a backslash is none.

    A group is named by the offset of its opening brace.  `inner` has for each brace the innermost group that is open
    behind it, `outer` for each group the one around it.
    """
    groups = _Groups(braces=[], inner=[], outer={}, chosen={})
    innermost = _NO_GROUP
    for brace in _BRACE.finditer(text):
        offset = brace.start()
        if is_escaped(text, offset):
            continue
        if len(groups.braces) == _MOST_BRACES:
            break
        if brace[0] == "{":
            groups.outer[offset] = innermost
            innermost = offset
        else:
            innermost = groups.outer.get(innermost, _NO_GROUP)
        groups.braces.append(offset)
        groups.inner.append(innermost)
    return groups


def _may_be_left_out(text: str, opener: int) -> bool:
    """True if the group is an argument of a command that may leave it out, or the body of a definition."""
    end = opener
    # The group may be any argument of a command, as in `\iftoggle{draft}{no}{yes}`: go back over those before it.
    for _ in range(_MOST_ARGUMENTS):
        last = _last_sign(text, end)
        if last < 0 or text[last] not in "}]":
            break
        start = _argument_start(text, last)
        if start is None:  # no sign near opens the argument, so no command is known that could leave out the group
            return False
        end = start
    owner = _OWNER.search(text, max(end - _LONGEST_OWNER, 0), end)
    if owner is None:
        return False
    name = owner["name"]
    # `\ifthenelse`, `\IfFileExists`, and the author's own; of a name too many (`\modified`) only less is reported.
    if "if" in name.lower():
        return True
    # `\mode<article>{…}` and `\only<2>{…}` of beamer, which print it in some versions or on some slides.
    if name in ("mode", "only"):
        return True
    definition = owner["definition"] or ""  # `\newcommand` in `\newcommand\name{…}`, where `\name` is the owner
    return any(_DEFINING_COMMAND.fullmatch(command) for command in (name, definition))


def _last_sign(text: str, end: int) -> int:
    """Find the last sign before `end` that is not white space; -1 if there is none near."""
    for index in range(end - 1, max(end - _FURTHEST, 0) - 1, -1):
        if not text[index].isspace():
            return index
    return -1


def _argument_start(text: str, last: int) -> int | None:
    """Return the offset at which the argument begins that the `}` or `]` at `last` ends; None if that is not near."""
    furthest = max(last - _FURTHEST, -1)
    if text[last] == "]":  # options, in which brackets within brackets are not counted
        opening = text.rfind("[", furthest + 1, last)
        return opening if opening >= 0 else None
    depth = 0  # braces that are closed behind `index`, and not opened yet
    for index in range(last, furthest, -1):
        if text[index] in "{}" and not is_escaped(text, index):
            depth += 1 if text[index] == "}" else -1
        if depth == 0:
            return index
    return None
