"""Small pieces of TeX's grammar: spaces, groups, comments, plain words."""

import re

from citelsp.base.footprint import MB, remembered
from citelsp.base.text import Span

_SPACE = re.compile(r"(?:[ \t\r]|%[^\n]*\n|\n(?![ \t\r]*\n))*")
_STEP = {
    "{": re.compile(r"\\.|%[^\n]*|\n[ \t\r]*\n|[{}]", re.DOTALL),
    "[": re.compile(r"\\.|%[^\n]*|\n[ \t\r]*\n|[{}\]]", re.DOTALL),
    "(": re.compile(r"\\.|%[^\n]*|\n[ \t\r]*\n|[{})]", re.DOTALL),
    "<": re.compile(r"\\.|%[^\n]*|\n[ \t\r]*\n|[{}>]", re.DOTALL),
}
_CLOSING = {"{": "}", "[": "]", "(": ")", "<": ">"}
_VERBATIM_ARGUMENT = re.compile(
    r"\\(?:url|href|nolinkurl|path|hyperref|includegraphics|pdfmarkupcomment)[^{}\s]*\{[^{}\s]*\Z"
)
_DROPPED = re.compile(r"\\(?:thanks|footnote(?:mark|text)?|label|vspace|hspace|vskip|index|inst|color)\b\*?")
_BREAKS = re.compile(r"\\\\\*?(?:\[[^\]\n]{0,40}\])?|\\(?:newline|linebreak)\b|~")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?[ \t]*")
_COMMAND = re.compile(r"\\[a-zA-Z@]+\*?[ \t]*")
# Characters of an argument: one that is never closed would otherwise be read to the end at each command.
_LONGEST = {"{": 5000, "[": 2000, "(": 2000, "<": 500}
_DEEPEST = 20  # braces in braces, beyond which nobody writes: what is opened and never closed would be read every time
_URL = 2000  # characters, more than any address has


def skip_space(text: str, offset: int) -> int:
    """The offset after spaces, comments and a line end; a blank line ends every argument."""
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


def group_end(text: str, offset: int, longest: int = 0) -> int | None:
    """Where the group ends that opens at `offset` with `{`, `[`, `(` or `<`, braces balanced, no blank line in it.

    It may have `longest` characters, or as many as arguments have.
    """
    opener = text[offset : offset + 1]
    if opener not in _STEP:
        return None
    closing = _CLOSING[opener]
    depth = 0
    limit = min(offset + (longest or _LONGEST[opener]), len(text))
    # Most that is half typed has no closing sign near: seen at once, before anything is counted.
    if text.find(closing, offset + 1, limit) < 0:
        return None
    for match in _STEP[opener].finditer(text, offset + 1, limit):
        mark = match.group()
        if mark == closing and depth == 0:
            return match.end()
        if mark == "{":
            depth += 1
            if depth > _DEEPEST:
                return None
        elif mark == "}":
            depth -= 1
            if depth < 0:
                return None
        elif mark[0] == "\n":
            return None
    return None


def argument(text: str, offset: int, opener: str = "{") -> Span | None:
    """What stands between the braces of the argument that follows `offset`; None if there is none."""
    offset = skip_space(text, offset)
    if not text.startswith(opener, offset):
        return None
    end = group_end(text, offset)
    return None if end is None else Span(offset + 1, end - 1)


def is_escaped(text: str, offset: int, start: int = 0) -> bool:
    r"""True if a backslash stands before `offset` that no other one from `start` on takes for itself."""
    before = offset
    while before > start and text[before - 1] == "\\":
        before -= 1
    return (offset - before) % 2 == 1


def is_comment(text: str, start: int, offset: int) -> bool:
    """True if an unescaped `%` stands on the line between `start` and `offset`; one in a URL does not count."""
    percent = text.find("%", start, offset)
    while percent >= 0:
        url = max(start, percent - _URL)
        if not is_escaped(text, percent, start) and not _VERBATIM_ARGUMENT.search(text, url, percent):
            return True
        percent = text.find("%", percent + 1, offset)
    return False


def without_comments(tex: str) -> str:
    """The same text with its comments overwritten by spaces, line ends kept."""
    return _COMMENT.sub(lambda it: "".join("\n" if c == "\n" else " " for c in it.group()), tex)


@remembered(2 * MB)
def plain(tex: str) -> str:
    """A heading or title as words: footnotes, commands and braces removed, accents resolved, spaces collapsed."""
    if "\\" in tex or "%" in tex or "~" in tex:
        tex = _BREAKS.sub(" ", _COMMENT.sub("", _without_notes(tex)))
    if "\\" in tex:
        tex = _decoded(tex)
    return " ".join(tex.replace("{", "").replace("}", "").split())


def _without_notes(tex: str) -> str:
    while match := _DROPPED.search(tex):
        inner = argument(tex, match.end())
        tex = tex[: match.start()] + (tex[inner.end + 1 :] if inner else tex[match.end() :])
    return tex


def _decoded(tex: str) -> str:
    # pylatexenc takes a millisecond for a title and more than in proportion beyond; nothing so long is one.
    if len(tex) > 1000:
        return _COMMAND.sub("", tex)
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.latexwalker import LatexWalkerError

    try:
        decoded: str = LatexNodes2Text(math_mode="verbatim").latex_to_text(tex, tolerant_parsing=True)
    # On broken TeX pylatexenc raises what its handlers of macros happen to run into.
    except (LatexWalkerError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return _COMMAND.sub("", tex)
    return decoded
