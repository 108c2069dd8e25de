"""Jupyter notebooks (nbformat 4): the text of their Markdown cells, and where each character of it stands in the file.

A text that is no notebook is read as Markdown, as are its cells while an editor shows them one by one.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, repeat
from typing import NamedTuple

from citelsp.base import effort
from citelsp.base.footprint import MB, remember
from citelsp.base.text import Document, Span
from citelsp.syntax import shifted_spans
from citelsp.syntax.formats.items import collect
from citelsp.syntax.languages.markdown import identifier_citations
from citelsp.syntax.languages.markdown import parsing as markdown
from citelsp.syntax.nodes import Citation, Entries, Ground, Heading, KeyArgument, Link, Placeholder, Suppression, Syntax

_CELL_LIST = re.compile(r"\"cells\"\s*:\s*\[")
_SPACE = re.compile(r"[\s,]*")
# `"cell_type": ` in an object of JSON.
_MEMBER = re.compile(r"[\s,{]*+\"(?P<name>[^\"\\]*(?:\\.[^\"\\]*)*)\"\s*:\s*")
_BETWEEN = re.compile(  # escapes, and what parts two strings
    r"(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|\"[^\"]*\")", re.DOTALL
)
_KINDS_READ = frozenset({"markdown", "raw"})
_ESCAPES = {r"\n": "\n", r"\"": '"', r"\\": "\\", r"\/": "/", r"\t": "\t", r"\r": "\r", r"\b": "\b", r"\f": "\f"}


@dataclass(frozen=True, slots=True)
class CellSource:
    """The text of one cell, and its pieces as they stand in the file, from where its source begins there.

    A piece is plain text, an escape, which is one character of the text, or what parts two strings, which is none.
    """

    text: str
    starts: Sequence[int]  # of the pieces in the text, and where the last ends
    places: Sequence[int]  # the same in the file

    def span(self, span: Span) -> Span:
        """Return where a span of the cell's text stands in the file, counted from where the source begins there.

        The text is made of pieces: plain text, as long in the file, and escapes of JSON, each one character of the
        text.  `starts` has where each piece begins in the text, `places` where in the file.
        """
        index = self._piece(span.start)
        place = self.places[index]
        into_piece = span.start - self.starts[index]
        size = span.end - span.start
        # Most spans lie in one piece of plain text, in which characters are as far apart in the file as in the text.
        text_size = self.starts[index + 1] - self.starts[index]
        file_size = self.places[index + 1] - place
        if into_piece + size <= text_size == file_size:
            return Span(place + into_piece, place + into_piece + size)
        start = self._find_character(span.start).start
        if size <= 0:
            return Span(start, start)
        return Span(start, max(start, self._find_character(span.end - 1).end))

    def offset(self, place: int) -> int:
        """Return the offset in the text of what stands at a place of the file, counted from where the source begins."""
        index = min(max(bisect_right(self.places, place) - 1, 0), len(self.places) - 2)
        text_size = self.starts[index + 1] - self.starts[index]
        is_plain = text_size == self.places[index + 1] - self.places[index]
        return self.starts[index] + (place - self.places[index] if is_plain else 0)

    def _piece(self, character: int) -> int:
        """Return the index of the piece in which a character of the text stands; behind the text, of the last."""
        return min(bisect_right(self.starts, character) - 1, len(self.starts) - 2)

    def _find_character(self, offset: int) -> Span:
        """Return where the character at `offset` of the text stands in the file; behind the text, where that ends."""
        index = self._piece(offset)
        place = self.places[index]
        end = self.places[index + 1]
        into_piece = offset - self.starts[index]
        text_size = self.starts[index + 1] - self.starts[index]
        if into_piece >= text_size:
            return Span(end, end)
        is_plain = text_size == end - place
        # An escape, `\\u00e9`, is one character.
        return Span(place + into_piece, place + into_piece + 1) if is_plain else Span(place, end)


_NO_SOURCE = CellSource("", (0, 0), (0, 0))


class Cell(NamedTuple):
    """A cell of a kind that is read."""

    written: str  # all of it, as JSON
    place: int  # where its source begins in the file
    source: CellSource


def parse(document: Document, cite_commands: tuple[str, ...] = (), _: Entries | None = None) -> Syntax:
    """Read what is written in the Markdown cells, with offsets of the file; what is no notebook is read as Markdown."""
    read_cells = cells(document.text)
    if read_cells is None:
        return markdown.parse(Document(document.path, document.text), cite_commands)
    return _join_cells(document, cite_commands, read_cells, known={})


def reparse(old: Syntax, document: Document) -> Syntax | None:
    """Equal to parsing all of `document`, but only cells that `old` does not have are read; None if it has none."""
    ground = old.ground
    read_cells = cells(document.text)
    if read_cells is None or ground is None or not ground.parts:
        return None
    return _join_cells(document, ground.own, read_cells, known=ground.parts)


def _join_cells(
    document: Document,
    cite_commands: tuple[str, ...],
    read_cells: Sequence[Cell],
    known: Mapping[tuple[str, bool], Syntax],
) -> Syntax:
    """Join what all cells say into the syntax of the notebook, with offsets of the file.

    `known` holds what was read of cells before, by their JSON and whether the cell is the first, which alone may begin
    with metadata; such cells are not read again.  The result holds the same for the next time, as `ground.parts`.
    """
    text = document.text
    by_cell = _parts_of_cells(document.path, cite_commands, read_cells, known)
    # Where the source of each cell begins, and what it says.
    placed = [(cell.place, by_cell[cell.written, index == 0]) for index, cell in enumerate(effort.iterate(read_cells))]
    citations: list[Citation] = []
    placeholders: list[Placeholder] = []
    arguments: list[KeyArgument] = []
    links: list[Link] = []
    headings: list[Heading] = []
    suppressions: list[Suppression] = []
    for place, part in placed:
        citations += shifted_spans.citations(place, part.citations)
        placeholders += shifted_spans.placeholders(place, part.placeholders)
        arguments += shifted_spans.arguments(place, part.arguments)
        links += shifted_spans.links(place, part.links)
        headings += shifted_spans.headings(place, part.headings)
        suppressions += shifted_spans.suppressions(place, part.suppressions)
    parts = [part for _, part in placed]
    return Syntax(
        citations=tuple(_leave_out_examples(citations, text, read_cells)),
        placeholders=tuple(placeholders),
        arguments=tuple(arguments),
        links=tuple(links),
        headings=tuple(headings),
        suppressions=tuple(suppressions),
        entries=collect(identifier_citations.entries(_find_identifiers(text, placed))),
        title=next((part.title for part in parts if part.title), ""),
        date=next((part.date for part in parts if part.date), ""),
        csl=next((part.csl for part in parts if part.csl), ""),
        citation_style=next((part.citation_style for part in parts if part.citation_style), ""),
        lang=next((part.lang for part in parts if part.lang), ""),
        is_root=any(part.is_root for part in parts),
        cites_all=any(part.cites_all for part in parts),
        labels=frozenset[str]().union(*(part.labels for part in parts)),
        opaque=any(part.opaque for part in parts),
        ground=Ground(
            text,
            tuple(_find_hidden(text, read_cells, placed)),
            own=cite_commands,  # with which `reparse` goes on
            verbatim=(),
            parts=by_cell,
        ),
    )


def _find_identifiers(text: str, placed: Iterable[tuple[int, Syntax]]) -> Iterator[Citation]:
    """Yield the citations of the cells in which some key is an identifier, `@doi:10.1/x`, and so is an entry.

    `placed` holds for each cell where its source begins in the file, and its syntax.  A key with an escape of JSON in
    it is left out: it does not stand in the file as it reads, so that no entry is made of it.
    """
    for place, part in placed:
        if part.entries:
            for citation in shifted_spans.citations(place, part.citations):
                if citation.span.within(text) == citation.key:
                    yield citation


def _leave_out_examples(citations: list[Citation], text: str, read_cells: Sequence[Cell]) -> list[Citation]:
    """Return the citations without references to examples of another cell's list, `@label`, which read as citations.

    In brackets, `[@label]`, they are citations to pandoc, too.
    """
    examples = markdown.examples(text_of(read_cells)) if "(@" in text else frozenset()
    return [
        citation
        for citation in citations
        if citation.key not in examples or citation.command != "@" or text.startswith("[", citation.whole.start)
    ]


def _parts_of_cells(
    path: str, cite_commands: tuple[str, ...], read_cells: Sequence[Cell], known: Mapping[tuple[str, bool], Syntax]
) -> dict[tuple[str, bool], Syntax]:
    """Read each cell, by its JSON and whether it is the first; equal and `known` cells are not read again."""
    by_cell: dict[tuple[str, bool], Syntax] = {}
    for index, cell in enumerate(effort.iterate(read_cells)):
        is_first = index == 0
        key = (cell.written, is_first)
        by_cell[key] = by_cell.get(key) or known.get(key) or _read_cell(path, cell.source, cite_commands, is_first)
    return by_cell


def _read_cell(path: str, source: CellSource, cite_commands: tuple[str, ...], is_first: bool) -> Syntax:
    """Read one cell as Markdown; offsets in the result count in the file, from where the cell's source begins there.

    `path` is the notebook's; `is_first` is True for the first cell, which may begin with metadata.
    """
    # In a later cell metadata counts as it does further down in a document, where a blank line has to stand before it.
    before = "" if is_first else "\n\n"
    inner = markdown.parse(Document(path, before + source.text), cite_commands)

    def place(span: Span) -> Span:
        start = max(span.start - len(before), 0)
        end = max(span.end - len(before), 0)
        return source.span(Span(start, end))

    citations = tuple(it._replace(span=place(it.span), whole=place(it.whole)) for it in effort.iterate(inner.citations))
    # Entries are made of cited identifiers alone, as entries in metadata and printed lists stay unread.  A key with an
    # escape in it makes none, as it does not stand in the file as it reads.  A cell that loses entries so is opaque:
    # keys may be defined that are not seen here.
    plain_citations = [it for it in citations if it.span.end - it.span.start == len(it.key)]
    entries = collect(identifier_citations.entries(plain_citations))
    entries_lost = len(inner.entries or ()) > len(entries or ())
    hidden = inner.ground.hidden if inner.ground else ()
    return replace(
        inner,
        citations=citations,
        placeholders=tuple(replace(it, span=place(it.span), whole=place(it.whole)) for it in inner.placeholders),
        arguments=tuple(it._replace(span=place(it.span)) for it in effort.iterate(inner.arguments)),
        links=tuple(_moved_link(it, place) for it in inner.links),
        headings=tuple(replace(it, span=place(it.span)) for it in effort.iterate(inner.headings)),
        suppressions=tuple(_suppression(it, place) for it in effort.iterate(inner.suppressions)),
        entries=entries,
        opaque=inner.opaque or entries_lost,
        # The text, and the commands of the settings, stand in the ground of the whole notebook.
        ground=Ground(text="", hidden=tuple(place(it) for it in effort.iterate(hidden)), own=(), verbatim=()),
    )


def text_of(read_cells: Iterable[Cell]) -> str:
    """Return the text of all cells, parted by blank lines."""
    return "\n\n".join(cell.source.text for cell in read_cells)


@lru_cache(maxsize=4)
def cells(text: str) -> tuple[Cell, ...] | None:
    """Return the Markdown cells of a notebook, and the raw ones, which may hold metadata; None if it is no notebook.

    Cells without text are left out, and all behind one whose JSON is broken.
    """
    first = _CELL_LIST.search(text) if text.lstrip()[:1] == "{" else None
    if first is None:
        return None
    read_cells: list[Cell] = []
    for span in effort.iterate(_cell_spans(text, first.end())):
        written = span.within(text)
        source_start, source = _read_source(written)
        if source.text:
            read_cells.append(Cell(written, span.start + source_start, source))
    return tuple(read_cells)


def _cell_spans(text: str, offset: int) -> Iterator[Span]:
    """Yield the spans of the JSON objects in a list, the first one behind `offset`; one that is cut off ends them."""
    decoder = json.JSONDecoder(strict=False)
    while True:
        start = _after_space(text, offset)
        end = _value_end(decoder, text, start) if text.startswith("{", start) else -1
        if end < 0:
            return
        yield Span(start, end)
        offset = end


@remember(32 * MB)  # most keystrokes leave most cells as they are
def _read_source(cell: str) -> tuple[int, CellSource]:
    """Return where the source of a cell begins in its JSON, and the source's text.

    The text is empty if the cell is of a kind that isn't read, such as code, or if it has no source.
    """
    decoder = json.JSONDecoder(strict=False)
    kind = ""
    source = Span(0, 0)
    member = _MEMBER.match(cell)
    for _ in effort.iterate(repeat(None)):  # an endless loop, which is broken off if it takes too long
        if member is None:
            break
        value_end = _value_end(decoder, cell, member.end())
        if value_end < 0:
            break
        value = Span(member.end(), value_end)
        if member["name"] == "cell_type":
            kind = value.within(cell).strip('"')
        elif member["name"] == "source":
            source = value
        member = _MEMBER.match(cell, value_end)
    if kind not in _KINDS_READ:
        return source.start, _NO_SOURCE
    return source.start, _decode_source(source.within(cell))


def _after_space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


def _value_end(decoder: json.JSONDecoder, text: str, offset: int) -> int:
    """Return where the JSON value ends that begins at `offset`; -1 if none does."""
    try:
        return decoder.raw_decode(text, offset)[1]
    except (ValueError, RecursionError):
        return -1


def _decode_source(written: str) -> CellSource:
    """Return the text of a source, which is `written` in JSON as one string or as a list of lines.

    It is empty if no string is there.
    """
    first = written.find('"') + 1
    last = written.rfind('"')
    if not first or last < first:
        return _NO_SOURCE
    # At even indexes plain text; at odd ones what stands between: an escape, or what parts two strings, `",\n "`.
    pieces = _BETWEEN.split(written[first:last])
    # A source may be one line of millions of escapes: `set` and `map` are quick where a loop that decodes each is not.
    characters = {between: "" if between[0] == '"' else _unescaped(between) for between in set(pieces[1::2])}
    places = list(accumulate(map(len, pieces), initial=first))
    pieces[1::2] = map(characters.__getitem__, pieces[1::2])
    starts = list(accumulate(map(len, pieces), initial=0))
    return CellSource("".join(pieces), starts, places)


def _unescaped(escape: str) -> str:
    """Return the character that an escape of JSON stands for; for a wrong escape U+FFFD, the replacement character."""
    plain = _ESCAPES.get(escape)
    if plain:
        return plain
    try:
        return str(json.loads(f'"{escape}"'))
    except ValueError:
        return "\ufffd"


def _moved_link(link: Link, place: Callable[[Span], Span]) -> Link:
    insert_at = None if link.insert_at is None else place(Span(link.insert_at, link.insert_at)).start
    return replace(link, span=place(link.span), insert_at=insert_at)


def _suppression(suppression: Suppression, place: Callable[[Span], Span]) -> Suppression:
    return replace(suppression, span=place(suppression.span), covers=place(suppression.covers))


def _find_hidden(text: str, read_cells: Sequence[Cell], placed: Iterable[tuple[int, Syntax]]) -> Iterator[Span]:
    """Yield the spans of the file that hold no prose: code in cells, and all that stands around the cells' text.

    What parts the lines of one source in JSON, `",`, is not among them.  `placed` holds for each cell where its source
    begins in the file, and its syntax.
    """
    end = 0
    for cell, (place, part) in zip(read_cells, placed, strict=True):
        source_places = cell.source.places
        yield Span(end, place + source_places[0])
        if part.ground:
            yield from (span.moved(place) for span in part.ground.hidden)
        end = place + source_places[-1]
    yield Span(end, len(text))
