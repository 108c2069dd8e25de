"""Bibliographies in EndNote's XML, which pandoc reads: a `<record>` for each work, its number the key.

Each record is parsed by itself and only when asked.  It can have no document type, hence no entities but XML's own:
nothing outside of it is ever read, and nothing grows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from xml.etree import ElementTree

from citelsp.base.text import Document, Span
from citelsp.syntax.formats.csl import as_tex
from citelsp.syntax.formats.items import BibItem, Placed, collect
from citelsp.syntax.nodes import Entries, Field, Syntax

_LIST = re.compile(r"(?:\ufeff)?\s*(?:<\?xml[^<>]*\?>\s*)?(?:<xml>\s*)?<records[\s>]")
_RECORD = re.compile(r"<record[\s>]|</record\s*>")
_KEY = re.compile(r"<rec-number>\s*(?P<key>[^\s<>&]+)\s*</rec-number>")
_KIND = re.compile(r"<ref-type\b[^<>]*>\s*(?P<number>\d+)")
_YEAR = re.compile(r"\d{4}")
_KINDS: Mapping[str, str] = {  # by the numbers of EndNote's reference types
    "17": "article", "19": "article", "23": "article", "43": "article", "6": "book", "28": "book", "44": "book",
    "5": "incollection", "60": "incollection", "7": "incollection", "10": "inproceedings", "47": "inproceedings",
    "32": "thesis", "27": "report", "12": "online", "16": "online", "56": "online", "9": "software", "59": "dataset",
    "34": "unpublished", "36": "unpublished", "25": "patent", "58": "standard",
}  # fmt: skip
_NAMES = (  # elements, the name of their field, where that stands
    ("contributors/authors/author", "author", "authors"),
    ("contributors/secondary-authors/author", "editor", "secondary-authors"),
    ("titles/title", "title", "title"),
    ("titles/secondary-title", "venue", "secondary-title"),
    ("periodical/full-title", "venue", "full-title"),
    ("volume", "volume", "volume"),
    ("number", "number", "number"),
    ("pages", "pages", "pages"),
    ("dates/year", "year", "year"),
    ("publisher", "publisher", "publisher"),
    ("pub-location", "location", "pub-location"),
    ("edition", "edition", "edition"),
    ("isbn", "isbn", "isbn"),
    ("electronic-resource-num", "doi", "electronic-resource-num"),
    ("abstract", "abstract", "abstract"),
    ("urls/related-urls/url", "url", "related-urls"),
)
_PEOPLE = frozenset({"author", "editor"})
_IN_BOOK = frozenset({"incollection", "inproceedings"})


def parse(document: Document, old: Entries | None = None) -> Syntax:
    text = document.text
    return Syntax(entries=collect(_items(text), old)) if is_list(text) else Syntax()


def is_list(text: str) -> bool:
    """True for an export of EndNote, by the beginning of its text."""
    return _LIST.match(text) is not None


def _items(text: str) -> Iterator[Placed]:
    """Yield the items, each from its `<record>` to its end, or to the next one if the end is missing."""
    start = -1  # where the record begins that is read; below 0 between records
    for tag in _RECORD.finditer(text):
        closes = tag[0].startswith("</")
        if start >= 0:
            yield _item(text[start : tag.end() if closes else tag.start()].rstrip(), start)
        start = -1 if closes else tag.start()
    if start >= 0:
        yield _item(text[start:].rstrip(), start)


def _item(source: str, start: int) -> Placed:
    key = _KEY.search(source)
    key_span = Span(*key.span("key")) if key else Span(0, 0)
    reference_type = _KIND.search(source)
    kind = _KINDS.get(reference_type["number"], "misc") if reference_type else "misc"
    return Placed(start, BibItem(kind, key_span.within(source), key_span, source, _values))


def _values(item: BibItem) -> Sequence[tuple[Field, str]]:
    """List the fields of a record, with their values as BibTeX writes them; each once, at its element.

    Of several rows of _NAMES for one field the first counts whose element gives a value, and of several such elements
    the first; people are joined.  A year has to begin with four digits, which are its value.  The list is empty if the
    XML cannot be parsed.
    """
    try:
        # One `<record>` alone can have no document type, hence no entities that grow or read files.
        record = ElementTree.fromstring(item.source)  # noqa: S314
    except (ElementTree.ParseError, ValueError):
        return []
    values: dict[str, tuple[Field, str]] = {}
    for path, written, tag in _NAMES:  # elements, the name of their field, the element that is the field's place
        name = _name(item.kind, written)
        if not name or name in values:
            continue
        texts = [" ".join("".join(element.itertext()).split()) for element in record.findall(path)]
        texts = [text for text in texts if text]
        if not texts:
            continue
        value = " and ".join(map(_person, texts)) if name in _PEOPLE else as_tex(texts[0], name)
        if name == "year":
            year = _YEAR.match(value)
            value = year[0] if year else ""
        if value:
            values[name] = _field(item.source, name, tag), value
    return list(values.values())


def _name(kind: str, written: str) -> str:
    """The BibTeX field of what _NAMES calls `written`, in a record of this kind; "" if it has none."""
    if written == "venue":
        if kind == "article":
            return "journal"
        return "booktitle" if kind in _IN_BOOK else ""
    return "issn" if written == "isbn" and kind == "article" else written


def _person(text: str) -> str:
    """Write a name as BibTeX does; a comma at its end says that it is an organisation's, which needs braces."""
    name = as_tex(text.rstrip(", "))
    return f"{{{name}}}" if text.endswith(",") else name


def _field(source: str, name: str, tag: str) -> Field:
    """A field at the place of the whole element, found by its tags."""
    opening = re.search(rf"<{tag}(?=[\s>])", source)
    start = opening.start() if opening else 0
    closing_tag = f"</{tag}>"
    closing = source.find(closing_tag, start)
    span = Span(start, closing + len(closing_tag) if closing >= 0 else len(source))
    tag_start = start + len("<")
    return Field(name, Span(tag_start, tag_start + len(tag)), span, span)
