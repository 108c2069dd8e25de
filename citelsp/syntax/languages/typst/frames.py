"""What a reading of Typst has open and has found."""

import re
from dataclasses import dataclass, field
from typing import Literal

from citelsp.base.text import Span
from citelsp.syntax.nodes import Heading, KeyArgument, Link, Placeholder

# What Typst would read as the rest of a call that it stands behind: arguments, a field, the sign that ends the call.
CONTINUES_CALL = re.compile(r"[(\[;]|\.[^\W\d]")
# What Typst would read as more of a key behind an at sign.
CONTINUES_KEY = re.compile(r"[\w:.\-]*[\w\-]")

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


def open_math(reading: TypstReading, offset: int) -> int:
    """Open mathematics at `$`, if anything closes it; return where to read on."""
    if reading.text.find("$", offset + 1) >= 0:
        reading.frames.append(Frame("math", "$", offset))
    return offset + 1
