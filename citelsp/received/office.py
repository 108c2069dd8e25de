"""What a document of Word or OpenDocument cites: the fields of Zotero, Mendeley and EndNote, else its reference list.

The XML is read by expat alone, which is told to refuse every document type: no entity grows, nothing outside is read.
"""

import base64
import binascii
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from citelsp.base import regular_files
from citelsp.received import archives

_LARGEST = 100 << 20  # bytes of a file
_PART = 40 << 20  # bytes of one part of it, unpacked
_PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml", "content.xml")
_CITED = re.compile(r"(?:ZOTERO_ITEM\s+)?CSL_CITATION\s+(?=\{)|ZOTERO_ITEM\s+(?=\{)")
_MENDELEY = "MENDELEY_CITATION_v3_"
_RECORD = re.compile(r"<record>(?>(?:(?!</?record>).)*)</record>", re.DOTALL)
_ITEMS = 5000
_DEEPEST = 200  # elements in each other
_PARAGRAPHS = frozenset({"w:p", "text:p", "text:h"})
_TEXTS = frozenset({"w:t", "text:p", "text:h", "text:span", "text:a"})


class OfficeError(Exception):
    """Why a document is not read, to be put behind its name."""


def read_text(path: Path) -> str:
    """Return what a document cites as the text of a bibliography; OfficeError if it cannot be read.

    The items in the fields of Zotero or Mendeley are returned as CSL-JSON; else the records in those of EndNote, as its
    XML; else, from a document without such fields, its paragraphs.
    """
    try:
        data = regular_files.read(path, _LARGEST + 1)  # one more byte, by which a larger file is seen
    except (OSError, ValueError) as problem:
        raise OfficeError("cannot be opened") from problem
    if len(data) > _LARGEST:
        raise OfficeError(f"has more than {_LARGEST >> 20} MB")
    reader = _Reader()
    for part in _read_parts(data):
        reader.read(part)
    items = _items(reader.fields)
    if items:
        return json.dumps(items, ensure_ascii=False, indent=0)
    records = dict.fromkeys(it for field in reader.fields for it in _RECORD.findall(field))
    if records:
        return f"<xml><records>{''.join(records)}</records></xml>"
    return "\n\n".join(filter(None, reader.paragraphs))


def _read_parts(data: bytes) -> Iterator[bytes]:
    """Yield the XML of text, footnotes and endnotes; OfficeError if there is none, or it is broken or too large."""
    if not archives.has_short_list(data):
        raise OfficeError("holds more parts than any document")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [it for it in _PARTS if it in archive.namelist()]
            if not names:
                raise OfficeError("holds no document of Word or OpenDocument")
            for name in names:
                with archive.open(name) as file:
                    part = file.read(_PART + 1)
                if len(part) > _PART:
                    raise OfficeError(f"unpacks to more than {_PART >> 20} MB")
                yield part
    except archives.BROKEN as problem:
        raise OfficeError("is a broken or protected document") from problem


class _Reader:
    """Gathers fields and paragraphs from the parts of one document."""

    def __init__(self) -> None:
        self.fields: list[str] = []
        self.paragraphs: list[str] = []
        self._open: list[str] = []
        self._field: list[str] = []  # the code of the field that is open
        self._data: list[str] = []  # the lines of coded data that are open
        self._texts: list[str] = []

    def read(self, part: bytes) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        try:
            parser.Parse(part, True)
        except expat.ExpatError as problem:
            raise OfficeError("holds broken XML") from problem

    def _refuse(self, *_: object) -> None:
        raise OfficeError("declares a document type, which no word processor does")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Note an element that begins; some hold a whole field in an attribute."""
        self._open.append(name)
        if len(self._open) > _DEEPEST:
            raise OfficeError("has more elements in each other than any document")
        if name == "w:fldChar":  # begins, divides or ends a field whose code stands in `w:instrText`
            self._mark(attributes.get("w:fldCharType", ""))
        elif name == "w:fldSimple":
            self.fields.append(attributes.get("w:instr", ""))
        elif name == "w:tag" and attributes.get("w:val", "").startswith(_MENDELEY):
            self.fields.append(_decode(attributes["w:val"].removeprefix(_MENDELEY)))
        elif name in ("text:reference-mark-start", "text:bookmark-start"):  # OpenDocument: the name is the code
            self.fields.append(attributes.get("text:name", ""))
        elif name in ("w:tab", "text:tab", "text:s", "w:br", "text:line-break"):
            self._texts.append(" ")

    def _mark(self, kind: str) -> None:
        if self._field and kind in ("separate", "end"):
            self.fields.append("".join(self._field))
            self._field = []

    def _end(self, name: str) -> None:
        self._open.pop()
        if name in _PARAGRAPHS:
            self.paragraphs.append(" ".join("".join(self._texts).split()))
            self._texts = []
        elif name == "w:fldData":
            self.fields.append(_decode("".join(self._data)))
            self._data = []

    def _characters(self, text: str) -> None:
        inner = self._open[-1]
        if inner == "w:instrText":
            self._field.append(text)
        elif inner == "w:fldData":
            self._data.append(text)
        elif inner in _TEXTS:
            self._texts.append(text)


def _decode(text: str) -> str:
    """What is coded as base64, with or without line breaks and the signs that fill its end; "" if it is none."""
    try:
        return base64.b64decode(text + "==").decode("utf-8", errors="replace")
    except (binascii.Error, ValueError):
        return ""


def _items(fields: list[str]) -> list[dict[str, Any]]:
    """The works that the fields cite, each once, numbered as they come."""
    found: dict[str, dict[str, Any]] = {}
    for field in fields:
        for item in _cited_items(field):
            work = {name: value for name, value in item.items() if name != "id"}
            mark = json.dumps(work, sort_keys=True, default=str)
            if work and mark not in found and len(found) < _ITEMS:
                found[mark] = {"id": str(len(found) + 1), **work}
    return list(found.values())


def _cited_items(field: str) -> Iterator[dict[str, Any]]:
    """Yield the CSL items that the code of a field cites; none if it is another program's, or its JSON is broken.

    `ADDIN ZOTERO_ITEM CSL_CITATION {"citationItems": [{"itemData": {"title": …}}]}`; Mendeley writes the JSON alone.
    """
    mark = _CITED.search(field)  # `CSL_CITATION`
    if mark is None and not field.startswith("{"):
        return
    start = mark.end() if mark else 0
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(field, start)
    except (ValueError, RecursionError):
        return
    listed = value.get("citationItems") if isinstance(value, dict) else None
    for cited in listed if isinstance(listed, list) else ():
        data = cited.get("itemData") if isinstance(cited, dict) else None
        if isinstance(data, dict):
            yield data
