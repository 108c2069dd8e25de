"""Text and places in it.  Offsets count characters; lines, columns and UTF-16 belong to the server."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

_BLANK = frozenset(" \t\r\f\v")
_QUOTING = frozenset('"\\')
MOVING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def still(text: str) -> str:
    """The text without what moves a terminal's cursor or turns the direction of writing; line breaks and tabs stay."""
    return text if text.isprintable() else MOVING.sub("", text)


def whole(text: str) -> str:
    """The text without half characters, which JSON may hold and no file and no database can."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def on_one_line(text: str) -> str:
    """Words of files, services and models as a label or title: on one line, moving no cursor."""
    return " ".join(still(text).split()) if not text.isprintable() else text


def break_links(text: str) -> str:
    """A stranger's words for a message: `](` becomes `] (`, as VS Code makes links of `[…](…)`, also to commands."""
    return still(text).replace("](", "] (")


def quote_name(name: str) -> str:
    """The name of a file on one line: in quotes, with escapes, if it holds what cannot be seen."""
    if name.isprintable():
        return name
    return f'"{"".join(it if it.isprintable() and it not in _QUOTING else _escape(it) for it in name)}"'


def _escape(character: str) -> str:
    r"""`\n`, `\x1b`, `\u202e`, `\"`; of a byte that is no text its number."""
    if character in _QUOTING:
        return f"\\{character}"
    byte = ord(character) - 0xDC00
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else ascii(character)[1:-1]


class Span(NamedTuple):
    """Characters start (included) to end (excluded)."""

    start: int
    end: int

    def touches(self, offset: int) -> bool:
        """True if a cursor at `offset` stands in the span or at one of its ends."""
        return self.start <= offset <= self.end

    def within(self, text: str) -> str:
        return text[self.start : self.end]

    def moved(self, shift: int) -> "Span":
        return Span(self.start + shift, self.end + shift)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Document:
    """A path and its text at one moment.  Documents are equal only to themselves, so facts can be kept per document."""

    path: str
    text: str = field(repr=False)
    language: str = "other"  # its name; `citelsp.syntax.languages` knows it


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `span` of the document at `path` by `new_text`."""

    path: str
    span: Span
    new_text: str


def enumerate_names(names: Iterable[str]) -> str:
    """`Crossref, DBLP and OpenAlex`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def end_with_stop(text: str) -> str:
    """Return the text with a full stop at its end, unless it ends with a stop, `?` or `!`; "" stays."""
    return text + "." * bool(text and not text.endswith((".", "?", "!")))


def write_count(count: int, one: str, several: str = "") -> str:
    """`1 entry`, `1,200 entries`; without a word for `several` it is that for `one` with an s."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def is_package(path: str) -> bool:
    """True for the classes and packages of LaTeX, which hold no manuscript."""
    return path.lower().endswith((".sty", ".cls"))


def newline_of(text: str) -> str:
    """The line break that what is added to a text should have."""
    return "\r\n" if "\r\n" in text else "\n"


def blank_before(text: str, offset: int) -> int:
    """Where the blanks that stand before `offset` on its line begin.

    Sign by sign: a text may be one line, which would be looked through for each place in it.
    """
    while offset and text[offset - 1] in _BLANK:
        offset -= 1
    return offset


def begins_line(text: str, offset: int) -> bool:
    """True if nothing but blanks stands before `offset` on its line."""
    start = blank_before(text, offset)
    return start == 0 or text[start - 1] == "\n"


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits.  Spans count in the text before; overlapping edits are a ValueError."""
    parts = []
    end = 0
    for edit in sorted(edits, key=lambda it: (it.span.start, it.span.end)):
        if edit.span.start < end:
            raise ValueError(f"edits overlap at offset {edit.span.start}")
        parts += [text[end : edit.span.start], edit.new_text]
        end = edit.span.end
    return "".join([*parts, text[end:]])


class LineStarts:
    """Where the lines of a text begin that hold given offsets, which must rise: a long line is looked through once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = 0
        self._seen = 0

    def before(self, offset: int) -> int:
        found = self._text.rfind("\n", self._seen, offset)
        if found >= 0:
            self._start = found + 1
        self._seen = max(self._seen, offset)
        return self._start
