r"""Where a block of a .bib file ends: its braces counted as BibTeX and biber count them."""

import re

from citelsp.syntax.bibtex.fields import BRACE_IN_COMMENT, COMMENT

_NO_BRACE = bytes(set(range(256)) - set(b"{}"))
_NO_SIGN = bytes(set(range(256)) - set(b"{}@"))
_PLAIN = 1 << 15  # characters of an entry that are looked at together
_DELIMITER = re.compile(r'[{}()"%]')


def window_end(text: str, start: int, size: int) -> int:
    """The last @ in a window that begins with one, or the first after it, or the end of the text."""
    if start + size >= len(text):
        return len(text)
    last = text.rfind("@", start + 1, start + size)
    last = last if last >= 0 else text.find("@", start + size)
    return last if last >= 0 else len(text)


def plainly_closed(text: str, start: int, end: int) -> list[bool]:
    """Say of each @ from `start` on whether all braces up to the next one close in turn, or there is but one."""
    # bytes.translate drops all else in one pass of C; half a surrogate pair, which UTF-8 lacks, is no brace either.
    signs = text[start:end].encode(errors="replace").translate(None, _NO_SIGN) + b"@"
    signs = signs.replace(b"@{", b"@").replace(b"}@", b"@")  # what opens and closes the entry
    # Three times for braces three deep, as in `title = {{\'{E}}}`; what is deeper is read the slow way.
    signs = signs.replace(b"{}", b"").replace(b"{}", b"").replace(b"{}", b"")
    return [not within for within in signs.split(b"@")[1:-1]]


def plain_end(text: str, body: int, limit: int) -> int:
    """The offset after the last brace before `limit` if that one closes the entry, as it does in most; else 0."""
    if limit - body > _PLAIN:
        return 0
    signs = text[body:limit].encode(errors="replace").translate(None, _NO_BRACE)
    if signs[-1:] != b"}" or signs[:-1].replace(b"{}", b"").replace(b"{}", b"").replace(b"{}", b""):
        return 0
    return text.rfind("}", body, limit) + 1


def brace_in_comment(text: str, body: int, end: int) -> bool:
    """True if counting braces alone may go wrong, as one stands in a comment between the fields of an entry."""
    if text.find("%", body, end) < 0:
        return False
    depth = 0
    counted = body
    for comment in BRACE_IN_COMMENT.finditer(text, body, end):
        if comment[1]:
            depth += text.count("{", counted, comment.start()) - text.count("}", counted, comment.start())
            if not depth:
                return True
            counted = comment.start()
    return False


class State:
    """Where in a block a reader stands: braces open, in a quoted value or not.

    A comment between fields counts no braces, as in biber.  BibTeX reads no comment there, and no further either.
    """

    def __init__(self, opener: str) -> None:
        self._parenthesis = opener == "("
        self._depth = 0 if self._parenthesis else 1
        self._floor = self._depth
        self._quoted = False

    @property
    def in_value(self) -> bool:
        return self._quoted or self._depth > self._floor

    def advance(self, text: str, start: int, end: int) -> int:
        """Read on; return the offset after the closing delimiter, or 0 if the block is not closed by `end`."""
        commented = start
        for match in _DELIMITER.finditer(text, start, end):
            sign = match[0]
            if match.start() < commented:
                continue
            if sign == "%":
                if not self.in_value and COMMENT.match(text, match.start()):
                    commented = text.find("\n", match.end(), end)
                    if commented < 0:
                        return 0
            elif sign == "{":
                self._depth += 1
            elif sign == "}":
                self._depth -= 1
                if self._depth < self._floor:
                    return match.end()
            elif self._depth == self._floor:
                if sign == '"':
                    self._quoted = not self._quoted
                elif sign == ")" and self._parenthesis and not self._quoted:
                    return match.end()
        return 0
