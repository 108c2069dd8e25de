"""RIS bibliographies, which pandoc reads: `TY  - JOUR` to `ER  -`, one tag a line, the key in `ID`.

pandoc makes up keys for items without one, which have none here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from citelsp.base.text import Document, Span
from citelsp.syntax.formats.csl import as_tex
from citelsp.syntax.formats.items import BibItem, Placed, collect
from citelsp.syntax.nodes import Entries, Field, Syntax

# `TY  - JOUR`.
_LINE = re.compile(
    r"^[ \t]*(?P<tag>[A-Z][A-Z0-9])[ \t]+-[ \t]*(?P<value>(?:[^\r\n]*[^\r\n \t])?)[ \t]*\r?$", re.MULTILINE
)
_YEAR = re.compile(r"\d{4}")
_KINDS: Mapping[str, str] = {
    "JOUR": "article", "JFULL": "article", "EJOUR": "article", "MGZN": "article", "NEWS": "article", "BOOK": "book",
    "EBOOK": "book", "CHAP": "incollection", "ECHAP": "incollection", "CONF": "inproceedings",
    "CPAPER": "inproceedings", "THES": "thesis", "RPRT": "report", "ELEC": "online", "BLOG": "online",
    "COMP": "software", "DATA": "dataset", "UNPB": "unpublished", "PAT": "patent",
}  # fmt: skip
_NAMES: Mapping[str, str] = {
    "AU": "author", "A1": "author", "ED": "editor", "TI": "title", "T1": "title", "VL": "volume", "IS": "number",
    "DO": "doi", "UR": "url", "PB": "publisher", "CY": "location", "AB": "abstract", "N2": "abstract", "ET": "edition",
    "PY": "year", "Y1": "year", "SP": "pages", "EP": "pages", "JO": "venue", "JF": "venue", "T2": "venue",
    "BT": "venue", "JA": "venue",
}  # fmt: skip
_JOINS = {"author": " and ", "editor": " and ", "pages": "--"}  # what parts the values of several lines


def parse(document: Document, old: Entries | None = None) -> Syntax:
    return Syntax(entries=collect(_items(document.text), old))


def _items(text: str) -> Iterator[Placed]:
    """Yield the items, each from its `TY` to its `ER`; without an `ER` to the next `TY` or the text's end.

    `TY` says the kind of an item, the last `ID` its key, whose place is counted from the item's start; the key is empty
    without an `ID`.
    """
    start = -1  # where the item begins that is read; below 0 between items
    kind = ""
    key = Span(0, 0)
    for line in _LINE.finditer(text):
        tag = line["tag"]
        if start >= 0 and tag in ("TY", "ER"):
            end = line.end() if tag == "ER" else line.start()
            yield _item(text[start:end].rstrip(), start, kind, key)
            start = -1
        if tag == "TY":
            start = line.start()
            kind = _KINDS.get(line["value"], "misc")
            key = Span(0, 0)
        elif tag == "ID":
            key = Span(*line.span("value")).moved(-start)
    if start >= 0:
        yield _item(text[start:].rstrip(), start, kind, key)


def _item(source: str, start: int, kind: str, key: Span) -> Placed:
    return Placed(start, BibItem(kind, key.within(source), key, source, _values))


def _values(item: BibItem) -> Sequence[tuple[Field, str]]:
    """List the fields of an item, with their values as BibTeX writes them.

    Each field stands once, at the first of its lines, whose value counts; of people and pages the values of all lines
    are joined.  A year has to begin with four digits, which are its value.
    """
    by_name: dict[str, tuple[Field, list[str]]] = {}
    for line in _LINE.finditer(item.source):
        name = _name(item.kind, line["tag"])
        value = as_tex(line["value"], name)
        if name == "year":
            year = _YEAR.match(value)
            value = year[0] if year else ""
        if not name or not value or (name in by_name and name not in _JOINS):
            continue
        value_span = Span(*line.span("value"))
        field = Field(name, Span(*line.span("tag")), value_span, Span(line.start("tag"), value_span.end))
        _, values = by_name.setdefault(name, (field, []))
        if line["tag"] == "SP":  # the first page, which may stand behind the last, `EP`
            values.insert(0, value)
        else:
            values.append(value)
    return [(field, _JOINS.get(name, "").join(values)) for name, (field, values) in by_name.items()]


def _name(kind: str, tag: str) -> str:
    """The BibTeX field of a tag in an item of this kind; "" if it has none."""
    if tag == "A2" and kind in ("incollection", "inproceedings"):
        return "editor"
    name = _NAMES.get(tag, "")
    if name == "venue":
        return "journal" if kind == "article" else "booktitle"
    return name
