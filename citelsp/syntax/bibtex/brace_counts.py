r"""Braces of a .bib file counted as BibTeX and biber count them, which tells where its blocks end."""

import re

from citelsp.syntax.bibtex.fields import BRACE_IN_COMMENT, COMMENT

_ALL_BUT_BRACES = bytes(set(range(256)) - set(b"{}"))
_ALL_BUT_BRACES_AND_AT = bytes(set(range(256)) - set(b"{}@"))
_LONGEST_PLAIN = 1 << 15  # characters of an entry that are looked at together
_DELIMITER = re.compile(r'[{}()"%]')


def window_end(text: str, start: int, size: int) -> int:
    """The end of a window of about `size` characters, which begins with an @ and ends before one.

    That is the last @ in it, or else the first behind it, or the end of the text.
    """
    if start + size >= len(text):
        return len(text)
    at_sign = text.rfind("@", start + 1, start + size)
    if at_sign < 0:
        at_sign = text.find("@", start + size)
    return at_sign if at_sign >= 0 else len(text)


def plainly_closed(text: str, start: int, end: int) -> list[bool]:
    """Say of each @ from `start` on whether all braces up to the next @ close in turn.

    Also True if a single brace stands there, so that the caller has to see whether anything closes; False also if they
    nest deeper than `_drop_pairs` looks, so that the caller has to read the entry in another way.
    """
    # bytes.translate drops all else in one pass of C; half a surrogate pair, which UTF-8 lacks, is no brace either.
    signs = text[start:end].encode(errors="replace").translate(None, _ALL_BUT_BRACES_AND_AT) + b"@"
    signs = signs.replace(b"@{", b"@").replace(b"}@", b"@")  # what opens and closes the entry
    signs = _drop_pairs(signs)
    between_at_signs = signs.split(b"@")[1:-1]
    return [not unpaired for unpaired in between_at_signs]


def _drop_pairs(signs: bytes) -> bytes:
    """Braces without those that close in turn, three deep, as in `title = {{\\'{E}}}`; deeper ones are read slowly."""
    return signs.replace(b"{}", b"").replace(b"{}", b"").replace(b"{}", b"")


def plain_end(text: str, body: int, limit: int) -> int:
    """Return the offset after the last brace before `limit` if that one closes the entry, as it does in most; else 0.

    `body` is where the entry's opening brace ends.  0 also for an entry that is very long or whose braces nest deeply,
    which is read more slowly.
    """
    if limit - body > _LONGEST_PLAIN:
        return 0
    signs = text[body:limit].encode(errors="replace").translate(None, _ALL_BUT_BRACES)
    # It does if it is a `}`, and all braces before it close in turn, so that nothing is left without the pairs.
    inner = signs.removesuffix(b"}")
    is_closing = inner != signs
    if not is_closing or _drop_pairs(inner):
        return 0
    return text.rfind("}", body, limit) + 1


def brace_in_comment(text: str, body: int, end: int) -> bool:
    """True if counting braces alone may go wrong, as one stands in a comment between the fields of an entry.

    Such a comment is `% {`, whose brace biber does not count.  Only “may”, as quotes are not looked at, in which a `%`
    begins no comment.  `body` is where the entry's opening brace ends.
    """
    if text.find("%", body, end) < 0:
        return False
    depth = 0  # braces that are open at `counted`: in a value, `%` begins no comment
    counted = body
    for comment in BRACE_IN_COMMENT.finditer(text, body, end):
        has_brace = comment[1]
        if has_brace:
            depth += text.count("{", counted, comment.start()) - text.count("}", counted, comment.start())
            if depth == 0:
                return True
            counted = comment.start()
    return False


class State:
    """Where in a block a reader stands: braces open, in a quoted value or not.

    Braces in a comment between fields do not count, as in biber.  BibTeX, which allows no comment there, skips the rest
    of the entry.
    """

    def __init__(self, opener: str) -> None:
        self._in_parentheses = opener == "("
        self._depth_between_fields = 0 if self._in_parentheses else 1  # braces that are open between fields
        self._depth = self._depth_between_fields  # braces that are open
        self._quoted = False

    @property
    def in_value(self) -> bool:
        return self._quoted or self._depth > self._depth_between_fields

    def advance(self, text: str, start: int, end: int) -> int:
        """Read the text from `start` to `end`; return the offset behind what closes the block, 0 if nothing does there.

        A `}` closes it that is one more than were opened, even in quotes and whatever opened the block; if that was a
        parenthesis, also a `)` outside of braces and quotes.  What is open at `end` is remembered: a further call goes
        on from there.  Delimiters in comments between fields do not count.
        """
        comment_end = start
        for match in _DELIMITER.finditer(text, start, end):
            sign = match[0]
            if match.start() < comment_end:  # within a comment
                continue
            if sign == "%":
                if not self.in_value and COMMENT.match(text, match.start()):
                    comment_end = text.find("\n", match.end(), end)
                    if comment_end < 0:  # it ends at `end`, a line break or the end of the text
                        return 0
            elif sign == "{":
                self._depth += 1
            elif sign == "}":
                self._depth -= 1
                if self._depth < self._depth_between_fields:
                    return match.end()
            # Quotes and parentheses within braces are text.
            elif self._depth == self._depth_between_fields:
                if sign == '"':
                    self._quoted = not self._quoted
                elif sign == ")" and self._in_parentheses and not self._quoted:
                    return match.end()
        return 0
