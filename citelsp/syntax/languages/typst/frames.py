"""What a reading of Typst has open and has found, and what every mode of it passes over in one way."""

import re
from dataclasses import dataclass, field
from typing import Literal

from citelsp.base.text import Span
from citelsp.syntax.nodes import Heading, KeyArgument, Link, Placeholder

STRING = re.compile(r"\"(?P<value>(?:[^\"\\]|\\.)*)\"", re.DOTALL)
_URL = re.compile(r"https?://(?:[\w!#$%&*+,\-./:;=?@~']++|\([^\s()\[\]]*+\)|\[[^\s()\[\]]*+\])*")
# What Typst would read as the rest of a call that it stands behind: arguments, a field, the sign that ends the call.
CONTINUES_CALL = re.compile(r"[(\[;]|\.[^\W\d]")
# What Typst would read as more of a key behind an at sign.
CONTINUES_KEY = re.compile(r"[\w:.\-]*[\w\-]")
_COMMENT_SIGN = re.compile(r"/\*|\*/")
_TICKS = re.compile(r"`+")

Mode = Literal["markup", "plain", "code", "statement", "expression", "math"]


@dataclass(slots=True)
class Frame:
    """What was opened and is not closed yet."""

    mode: Mode  # "plain": markup in brackets that belongs to no code
    closer: str  # "" if no sign closes it
    start: int
    name: str = ""  # of the function that is called
    cited: list[int] = field(default_factory=list)  # indices of the citations that end where it ends
    form: str = ""  # of these, if it is given: "prose", or "none", with which they print nothing


@dataclass(slots=True)
class CitedKey:
    """A citation as far as it was read."""

    key: str
    span: Span
    command: str  # "nocite" if it only lists the work
    start: int  # of the whole citation, with its arguments
    end: int
    narrative: bool = False


@dataclass(slots=True)
class TypstReading:
    """What is open at a place of a document, and what was found up to there."""

    text: str
    frames: list[Frame] = field(default_factory=lambda: [Frame("markup", "", 0)])
    cited: list[CitedKey] = field(default_factory=list)
    placeholders: list[Placeholder] = field(default_factory=list)
    arguments: list[KeyArgument] = field(default_factory=list)  # where keys are typed
    links: list[Link] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)  # of figures and sections, to which `@label` refers
    # Labels that code names, as values: of figures, or keys for functions of the author's own.
    named: set[str] = field(default_factory=set)
    hidden: list[Span] = field(default_factory=list)  # comments, raw text and code, which are no prose
    cites_all: bool = False  # every entry, as by `bibliography(full: true)`
    opaque: bool = False  # only Typst can tell some of its labels or files: then no key is called undefined
    word: tuple[str, int] = ("", -1)  # the last name in code, and where it ends

    @property
    def top(self) -> Frame:
        return self.frames[-1]

    def hide(self, start: int, end: int) -> int:
        self.hidden.append(Span(start, end))
        return end


def close(reading: TypstReading, end: int) -> None:
    """Close what was opened last: its citations end there and have its form, and code is hidden."""
    frame = reading.frames.pop()
    for index in frame.cited:
        cited = reading.cited[index]
        cited.end = end
        cited.narrative = frame.form == "prose"
        if frame.form == "none":
            cited.command = "nocite"
    if frame.mode in ("code", "statement"):
        reading.hide(frame.start, end)


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


def open_math(reading: TypstReading, offset: int) -> int:
    """Open mathematics at `$`, if anything closes it; return where to read on."""
    if reading.text.find("$", offset + 1) >= 0:
        reading.frames.append(Frame("math", "$", offset))
    return offset + 1


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
