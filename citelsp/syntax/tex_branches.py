r"""Whether TeX surely comes to a place: not so between `\if…` and `\fi`, in `\IfFileExists{…}{…}`, in a definition."""

import re

from citelsp.syntax.tex_text import is_comment, is_escaped

_CONDITIONAL = re.compile(r"\\(?:if(?!thenelse)[a-zA-Z@]*(?!\s*\{)|fi)(?![a-zA-Z@])")
_NAMED = re.compile(r"\\(?:newif|let)\s*\Z")
_BRACE = re.compile(r"[{}]")
_OWNER = re.compile(r"(?P<definition>\\[a-zA-Z]+\*?\s*)?\\(?P<name>[a-zA-Z@]+)\*?\s*(?:#\d|<[^<>\n]*>|\s)*\Z")
_DEFINING = re.compile(r"\\?(?:[egx]?def|(?:[Nn]ew|[Rr]enew|[Pp]rovide|[Dd]eclare)[a-zA-Z]*)\*?\s*")
_FURTHEST = 5000  # characters back to the braces around a place
_NAME = 80  # characters of a command with its parameters


def is_optional(text: str, at: int) -> bool:
    """True if a condition decides whether TeX reads on at an offset, or whether a command is called."""
    return _is_in_branch(text, at) or any(_chooses(text, opener) for opener in _openers(text, at))


def _is_in_branch(text: str, at: int) -> bool:
    depth = 0
    for found in _CONDITIONAL.finditer(text, 0, at):
        line = text.rfind("\n", 0, found.start()) + 1
        if is_escaped(text, found.start()) or is_comment(text, line, found.start()):
            continue
        if found[0] == "\\fi":
            depth = max(depth - 1, 0)
        elif not _NAMED.search(text, max(found.start() - _NAME, 0), found.start()):
            depth += 1
    return depth > 0


def _openers(text: str, at: int) -> list[int]:
    """The braces that are open at an offset."""
    found: list[int] = []
    for brace in _BRACE.finditer(text, max(at - _FURTHEST, 0), at):
        if is_escaped(text, brace.start()):
            continue
        if brace[0] == "{":
            found.append(brace.start())
        elif found:
            found.pop()
    return found


def _chooses(text: str, opener: int) -> bool:
    """True if the group is an argument of a command that may leave it out, or the body of a definition."""
    end = opener
    # A choice may have its branch as any argument: back over the earlier ones to the command that owns them.
    while (before := text[:end].rstrip())[-1:] in ("}", "]"):
        start = _start_of(before)
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


def _start_of(text: str) -> int | None:
    """Where the argument that a text ends with begins."""
    if text.endswith("]"):
        found = text.rfind("[")
        return found if found >= 0 else None
    depth = 0
    for at in range(len(text) - 1, max(len(text) - _FURTHEST, -1), -1):
        depth += {"}": 1, "{": -1}.get(text[at], 0) if not is_escaped(text, at) else 0
        if depth == 0:
            return at
    return None
