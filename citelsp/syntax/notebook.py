"""Jupyter notebooks (nbformat 4): the text of their Markdown cells, and where each character of it stands in the file.

A text that is no notebook is read as Markdown, as are its cells while an editor shows them one by one.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

from citelsp.base.text import Document, Span
from citelsp.syntax import identified, markdown
from citelsp.syntax.items import collected
from citelsp.syntax.nodes import Entries, Ground, KeyArgument, Link, Placeholder, Suppression, Syntax

_CELLS = re.compile(r"\"cells\"\s*:\s*\[")
_SPACE = re.compile(r"[\s,]*")
_MEMBER = re.compile(r"[\s,{]*+\"(?P<name>[^\"\\]*(?:\\.[^\"\\]*)*)\"\s*:\s*")
_STRING = re.compile(r"\"(?P<text>[^\"\\]*(?:\\.[^\"\\]*)*)\"", re.DOTALL)
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)
_READ = frozenset({"markdown", "raw"})


_ESCAPES = {r"\n": "\n", r"\"": '"', r"\\": "\\", r"\/": "/", r"\t": "\t", r"\r": "\r", r"\b": "\b", r"\f": "\f"}
_SOURCES = 4096  # of cells, which most keystrokes leave as they are


@dataclass(frozen=True, slots=True)
class CellSource:
    """The text of one cell, and its pieces as they stand in the file, from where its source begins there."""

    text: str
    starts: tuple[int, ...]  # of the pieces in the text, rising
    sizes: tuple[int, ...]  # of the pieces in the text
    places: tuple[Span, ...]  # of the pieces in the file: as long, but for a character that is an escape there

    def at(self, character: int, offset: int) -> int:
        """Where an offset stands, as an edge of the character at another."""
        index = max(bisect_right(self.starts, character) - 1, 0)
        place, into = self.places[index], offset - self.starts[index]
        if self.sizes[index] == place.end - place.start:
            return min(place.start + into, place.end)
        return place.end if into else place.start


@dataclass(frozen=True, slots=True)
class Cells:
    """The text of the Markdown cells, parted by blank lines, and where each stands in it and in the file."""

    text: str
    sources: tuple[CellSource, ...]
    starts: tuple[int, ...]  # in the text, rising
    places: tuple[int, ...]  # in the file

    def start(self, offset: int) -> int:
        """Where the character at an offset begins in the file."""
        return self._at(offset, offset)

    def end(self, offset: int) -> int:
        """Where the character before an offset ends in the file."""
        return self._at(max(offset - 1, 0), offset)

    def span(self, span: Span) -> Span:
        """The same in the file; most lie in one piece, which is looked for once."""
        index = bisect_right(self.starts, span.start) - 1
        if index >= 0 and span.end > span.start:
            source, into = self.sources[index], span.start - self.starts[index]
            piece = bisect_right(source.starts, into) - 1
            place, into = source.places[piece], into - source.starts[piece]
            size = span.end - span.start
            if into + size <= source.sizes[piece] == place.end - place.start:
                start = self.places[index] + place.start + into
                return Span(start, start + size)
        start = self.start(span.start)
        return Span(start, max(start, self.end(span.end))) if span.end > span.start else Span(start, start)

    def _at(self, character: int, offset: int) -> int:
        if not self.sources:
            return 0
        index = max(bisect_right(self.starts, character) - 1, 0)
        start = self.starts[index]
        return self.places[index] + self.sources[index].at(character - start, offset - start)

    def around(self, length: int) -> Iterator[Span]:
        """What stands in the file, of this length, before, between and behind the sources of the cells."""
        end = 0
        for source, place in zip(self.sources, self.places, strict=True):
            yield Span(end, place + source.places[0].start)
            end = place + source.places[-1].end
        yield Span(end, length)


def parse(document: Document, cite_commands: tuple[str, ...] = (), _: Entries | None = None) -> Syntax:
    """What is written in the Markdown cells, at its places in the file."""
    found = cells(document.text)
    if found is None:
        return markdown.parse(Document(document.path, document.text), cite_commands)
    inner = markdown.parse(Document(document.path, found.text), cite_commands)
    citations = tuple(it._replace(span=found.span(it.span), whole=found.span(it.whole)) for it in inner.citations)
    entries = collected(identified.entries(it for it in citations if it.span.within(document.text) == it.key))
    return replace(
        inner,
        citations=citations,
        placeholders=tuple(_placeholder(it, found) for it in inner.placeholders),
        arguments=tuple(KeyArgument(found.span(it.span), it.command, it.opener) for it in inner.arguments),
        links=tuple(_link(it, found) for it in inner.links),
        headings=tuple(replace(it, span=found.span(it.span)) for it in inner.headings),
        suppressions=tuple(_suppression(it, found) for it in inner.suppressions),
        entries=entries,
        opaque=inner.opaque or len(inner.entries or ()) > len(entries or ()),
        ground=Ground(document.text, tuple(_hidden(document.text, inner, found)), (), ()),
    )


@lru_cache(maxsize=4)
def cells(text: str) -> Cells | None:
    """The Markdown cells of a notebook, and raw ones, which may hold metadata; None if the text is no notebook."""
    first = _CELLS.search(text) if text.lstrip()[:1] == "{" else None
    if first is None:
        return None
    sources, starts, places = list[CellSource](), list[int](), list[int]()
    at = 0
    for place in _cells(text, first.end()):
        start, source = _source(place.within(text))
        if source.places:
            at += 2 * bool(sources)  # the blank line between two cells
            sources.append(source)
            starts.append(at)
            places.append(place.start + start)
            at += len(source.text)
    return Cells("\n\n".join(it.text for it in sources), tuple(sources), tuple(starts), tuple(places))


def _cells(text: str, at: int) -> Iterator[Span]:
    decoder = json.JSONDecoder(strict=False)
    while text.startswith("{", at := _after_space(text, at)):
        end = _value_end(decoder, text, at)
        if end < 0:
            return
        yield Span(at, end)
        at = end


@lru_cache(maxsize=_SOURCES)
def _source(cell: str) -> tuple[int, CellSource]:
    """Where the source of a cell begins in it, if the cell is one that is read, and what it says."""
    decoder = json.JSONDecoder(strict=False)
    kind, source = "", Span(0, 0)
    member = _MEMBER.match(cell)
    while member:
        value = _value_end(decoder, cell, member.end())
        if value < 0:
            break
        if member["name"] == "cell_type":
            kind = cell[member.end() : value].strip('"')
        elif member["name"] == "source":
            source = Span(member.end(), value)
        member = _MEMBER.match(cell, value)
    pieces = list(_pieces(source.within(cell))) if kind in _READ else []
    texts, places = tuple(it for it, _ in pieces), tuple(it for _, it in pieces)
    starts = tuple(accumulate(map(len, texts), initial=0))[:-1]
    return source.start, CellSource("".join(texts), starts, tuple(map(len, texts)), places)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value_end(decoder: json.JSONDecoder, text: str, at: int) -> int:
    """Where the value ends that begins at an offset; -1 if there is none."""
    try:
        return decoder.raw_decode(text, at)[1]
    except (ValueError, RecursionError):
        return -1


def _pieces(text: str) -> Iterator[tuple[str, Span]]:
    """The text of a source, one string or a list of lines, in pieces without escapes and single escaped characters."""
    for string in _STRING.finditer(text):
        at, end = string.span("text")
        for escape in _ESCAPE.finditer(text, at, end):
            if escape.start() > at:
                yield text[at : escape.start()], Span(at, escape.start())
            yield _unescaped(escape[0]), Span(*escape.span())
            at = escape.end()
        if end > at:
            yield text[at:end], Span(at, end)


def _unescaped(escape: str) -> str:
    if plain := _ESCAPES.get(escape):
        return plain
    try:
        return str(json.loads(f'"{escape}"'))
    except ValueError:
        return "\ufffd"


def _placeholder(placeholder: Placeholder, found: Cells) -> Placeholder:
    return replace(placeholder, span=found.span(placeholder.span), whole=found.span(placeholder.whole))


def _link(link: Link, found: Cells) -> Link:
    insert_at = None if link.insert_at is None else found.start(link.insert_at)
    return replace(link, span=found.span(link.span), insert_at=insert_at)


def _suppression(suppression: Suppression, found: Cells) -> Suppression:
    return replace(suppression, span=found.span(suppression.span), covers=found.span(suppression.covers))


def _hidden(text: str, inner: Syntax, found: Cells) -> Iterator[Span]:
    """What is no prose: code, and what stands in the file around the cells' text."""
    spans = [found.span(it) for it in inner.ground.hidden] if inner.ground else []
    spans += found.around(len(text))
    last = 0
    for span in sorted(spans):
        if span.end > last:
            yield Span(max(span.start, last), span.end)
            last = span.end
