"""biblatex's granular xdata: `xdata=key-field` or `xdata=key-field-2` in place of a value or a name in a list."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from citelsp.base.text import Span

_REFERENCE = r"xdata=(?P<key>[^\s{},\"]+)-(?P<field>[A-Za-z]+)(?:-(?P<number>[1-9][0-9]*))?"
_WHOLE = re.compile(rf"\s*{_REFERENCE}\s*")
# As a whole value, or an item of a list.  In a group within one biber takes it for text.
_WRITTEN = re.compile(rf"(?:=\s*[{{\"]|\sand\s)\s*{_REFERENCE}(?=\s*[}}\"]|\sand\s)")


class DataReference(NamedTuple):
    """A value of another entry: its key, the field, and which item of it counts, from 1; 0 for all of it."""

    key: str
    field: str
    number: int


def read(written: str) -> DataReference | None:
    """Read a value, or an item of a list; None if it is no such reference."""
    found = _WHOLE.fullmatch(written)
    return DataReference(found["key"], found["field"].lower(), int(found["number"] or 0)) if found else None


def find_key_spans(source: str) -> Iterator[Span]:
    """Yield where the keys stand to which an entry refers in this way, counted from the start of its source."""
    if "xdata=" in source:
        yield from (Span(*found.span("key")) for found in _WRITTEN.finditer(source))
