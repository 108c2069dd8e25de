"""Small pieces of TeX's grammar: spaces, groups, comments, plain words."""

import re

from citelsp.base.footprint import MB, remember
from citelsp.base.text import Span

_SPACE = re.compile(r"(?:[ \t\r]|(?:%[^\n]*)?\n(?![ \t\r]*\n))*")
# By the sign that opens a group, what has to be looked at to find its end.
_STEP = {
    "{": re.compile(r"\\.|%[^\n]*|\n[ \t\r]*\n|[{}]", re.DOTALL),
    "[": re.compile(r"\\.|%[^\n]*|\n[ \t\r]*\n|[{}\]]", re.DOTALL),
    "(": re.compile(r"\\.|%[^\n]*|\n[ \t\r]*\n|[{})]", re.DOTALL),
    "<": re.compile(r"\\.|%[^\n]*|\n[ \t\r]*\n|[{}>]", re.DOTALL),
}
_CLOSING = {"{": "}", "[": "]", "(": ")", "<": ">"}
_OPEN_URL = re.compile(  # up to a place in an address, where `%` is no comment
    r"\\(?:url|href|nolinkurl|path|hyperref|includegraphics|pdfmarkupcomment)[^{}\s]*\{[^{}\s]*\Z"
)
# Commands that go with their arguments.
_DROPPED = re.compile(r"\\(?:thanks|footnote(?:mark|text)?|label|[vh]space|index|inst|color)\b\*?")
# `\\[2pt]`, `\newline`, `\hskip 1em` or `~`: a space between words.
_BREAKS = re.compile(
    r"\\\\\*?(?:\[[^\]\n]{0,40}\])?|\\(?:newline|linebreak)\b"
    r"|\\[vh]skip(?:[ \t]*-?[0-9.]+[ \t]*[a-z]{2})?(?![a-zA-Z])|~"
)
# Before the comment may stand `\\`, which breaks the line and does not escape the `%`.
_COMMENT = re.compile(r"(?<!\\)(?P<breaks>(?>(?:\\\\)*))%[^\n]*\n?[ \t]*")
_COMMAND = re.compile(r"\\[a-zA-Z@]+\*?[ \t]*")
# Characters of an argument: one that is never closed would otherwise be read to the end at each command.
_LONGEST = {"{": 5000, "[": 2000, "(": 2000, "<": 500}
_DEEPEST = 20  # braces in braces, beyond which nobody writes: what is opened and never closed would be read every time
_LONGEST_URL = 2000  # characters, more than any address has
_LONGEST_TITLE = 1000  # characters


def skip_space(text: str, offset: int) -> int:
    """Return the offset behind spaces, comments and one line end, but not a blank line, which ends every argument."""
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


def group_end(text: str, offset: int, longest: int = 0) -> int | None:
    """Return where the group ends, behind its closing sign, that opens at `offset` with `{`, `[`, `(` or `<`.

    None if no group opens there, if braces in it are not balanced or nest deeper than _DEEPEST, if a blank line stands
    in it, or if it has more than `longest` characters (by default, more than an argument with this opener ever has).
    """
    opener = text[offset : offset + 1]
    if opener not in _STEP:
        return None
    closing = _CLOSING[opener]
    limit = min(offset + (longest or _LONGEST[opener]), len(text))
    # Most that is half typed has no closing sign near: seen at once, before anything is counted.
    if text.find(closing, offset + 1, limit) < 0:
        return None
    depth = 0  # of braces that are open in the group
    for match in _STEP[opener].finditer(text, offset + 1, limit):
        sign = match.group()
        if sign == closing and depth == 0:
            return match.end()
        if sign == "{":
            depth += 1
            if depth > _DEEPEST:
                return None
        elif sign == "}":
            depth -= 1
            if depth < 0:
                return None
        elif sign[0] == "\n":  # a blank line
            return None
    return None


def argument(text: str, offset: int, opener: str = "{") -> Span | None:
    """Return the span between the braces of the argument that follows `offset`; None if there is none.

    `opener` is another opening sign than a brace: `[`, say.
    """
    offset = skip_space(text, offset)
    if not text.startswith(opener, offset):
        return None
    end = group_end(text, offset)
    return None if end is None else Span(offset + 1, end - 1)


def is_escaped(text: str, offset: int, start: int = 0) -> bool:
    r"""True if an odd number of backslashes stands before `offset`; none before `start` is counted."""
    before = offset
    while before > start and text[before - 1] == "\\":
        before -= 1
    backslashes = offset - before
    return backslashes % 2 == 1


def is_comment(text: str, start: int, offset: int) -> bool:
    """True if an unescaped `%` stands on the line between `start` and `offset`; one in a URL does not count."""
    percent = text.find("%", start, offset)
    while percent >= 0:
        url_start = max(start, percent - _LONGEST_URL)
        if not is_escaped(text, percent, start) and not _OPEN_URL.search(text, url_start, percent):
            return True
        percent = text.find("%", percent + 1, offset)
    return False


class Comments:
    """Tells of places in a text whether they stand in a comment; they are asked about in the order of the text."""

    def __init__(self, text: str, start: int = 0) -> None:
        """The first place stands behind `start`, which is in no comment."""
        self._text = text
        # These spare looking back to the line's beginning at each place: a long line would be read once for each.
        self._uncommented = start  # no comment begins between the beginning of its line and this offset
        self._next_percent = -1  # where the next `%` stands: places before it stand in no comment
        self._comment_end = -1  # of the last comment that was met

    def cover(self, offset: int, hidden_to: int = 0) -> bool:
        """True if a comment begins before `offset`, on its line; not one in text that is hidden, up to `hidden_to`."""
        if offset < self._comment_end:
            return True
        if offset <= self._next_percent:
            return False
        line_start = self._text.rfind("\n", self._uncommented, offset) + 1
        if is_comment(self._text, max(line_start, self._uncommented, hidden_to), offset):
            self._comment_end = _find_or_end(self._text, "\n", offset)
            return True
        self._uncommented = offset
        self._next_percent = _find_or_end(self._text, "%", offset)
        return False


def _find_or_end(text: str, sign: str, start: int) -> int:
    """Return the offset of the first such sign from `start` on; the text's end if there is none."""
    offset = text.find(sign, start)
    return offset if offset >= 0 else len(text)


def without_comments(tex: str) -> str:
    """Return the text with its comments overwritten by spaces, so that offsets stay the same; line ends are kept."""
    return _COMMENT.sub(_blank, tex)


def _blank(comment: re.Match[str]) -> str:
    """Return as many spaces as a match of _COMMENT has signs, with the line end and the breaks before the `%`."""
    breaks = comment["breaks"]
    blanks = ("\n" if sign == "\n" else " " for sign in comment[0][len(breaks) :])
    return breaks + "".join(blanks)


@remember(2 * MB)
def plain(tex: str) -> str:
    """Return a heading or title as words: without footnotes, commands and braces, with accents as letters."""
    if "\\" in tex or "%" in tex or "~" in tex:
        tex = _BREAKS.sub(" ", _COMMENT.sub(r"\g<breaks>", _without_notes(tex)))
    if "\\" in tex:
        tex = _decoded(tex)
    return " ".join(tex.replace("{", "").replace("}", "").split())


def _without_notes(tex: str) -> str:
    """Return the text without footnotes, labels and their like; their arguments go with them."""
    while match := _DROPPED.search(tex):
        options = argument(tex, match.end(), "[")  # `\footnotemark[1]`
        end = options.end + len("]") if options else match.end()
        inner = argument(tex, end)
        if inner:
            end = inner.end + len("}")
        tex = tex[: match.start()] + tex[end:]
    return tex


def _decoded(tex: str) -> str:
    r"""Return `tex` as plain text, without commands and with accents as letters: `\emph{Erd\H{o}s}` as `Erdős`.

    From broken or very long TeX only the commands are removed.
    """
    # pylatexenc takes a millisecond for a title, and far longer for long text, which no title is.
    if len(tex) > _LONGEST_TITLE:
        return _COMMAND.sub("", tex)
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.latexwalker import LatexWalkerError

    try:
        decoded: str = LatexNodes2Text(math_mode="verbatim").latex_to_text(tex, tolerant_parsing=True)
    # On broken TeX pylatexenc raises what its handlers of macros happen to run into.
    except (LatexWalkerError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return _COMMAND.sub("", tex)
    return decoded
