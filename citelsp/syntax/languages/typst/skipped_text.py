"""What every mode of Typst passes over in one way: comments, raw text, addresses, strings, spaces."""

import re

from citelsp.syntax.languages.typst.frames import TypstReading

STRING = re.compile(r"\"(?P<value>(?:[^\"\\]|\\.)*)\"", re.DOTALL)
_URL = re.compile(r"https?://(?:[\w!#$%&*+,\-./:;=?@~']++|\([^\s()\[\]]*+\)|\[[^\s()\[\]]*+\])*")
_COMMENT_SIGN = re.compile(r"/\*|\*/")
_TICKS = re.compile(r"`+")


def pass_comment(reading: TypstReading, offset: int) -> int:
    """Hide the comment at `offset` and return where it ends; `/* … */` may hold further such comments.

    One that is not closed reaches to the end of the text.
    """
    text = reading.text
    if text.startswith("//", offset):
        line_end = text.find("\n", offset)
        return reading.hide(offset, len(text) if line_end < 0 else line_end)
    depth = 0
    for sign in _COMMENT_SIGN.finditer(text, offset):
        depth += 1 if sign[0] == "/*" else -1
        if depth == 0:
            return reading.hide(offset, sign.end())
    return reading.hide(offset, len(text))


def pass_url(text: str, colon: int) -> int:
    """Return the offset behind the address (`https://…`) in which the colon stands, as nothing in it is markup.

    If it stands in none, return the offset behind the colon.
    """
    for scheme in ("https", "http"):
        start = colon - len(scheme)
        url = _URL.match(text, start) if text.startswith(scheme, start) else None
        if url:
            return url.end()
    return colon + 1


def pass_raw(reading: TypstReading, offset: int) -> int:
    """Hide the raw text that back ticks open at `offset`, and return where to read on."""
    text = reading.text
    ticks = _TICKS.match(text, offset)
    length = len(ticks[0]) if ticks else 1
    if length == len("``"):  # empty: opened and closed
        return offset + length
    end = text.find("`" * length, offset + length)
    # One that is never closed is being typed.
    return reading.hide(offset, end + length) if end >= 0 else offset + length


def string_end(text: str, offset: int) -> int:
    """Return where the string at `offset` ends; if nothing closes it, where its first line ends."""
    string = STRING.match(text, offset)
    if string:
        return string.end()
    line_end = text.find("\n", offset)
    return len(text) if line_end < 0 else line_end


def skip_space(text: str, offset: int) -> int:
    while text[offset : offset + 1].isspace():
        offset += 1
    return offset
