"""What the editor says, in the words of the house."""

from collections.abc import Iterator

from lsprotocol import types

from citelsp.base.text import Span
from citelsp.server.wire import lines
from citelsp.server.wire.documents import Buffer, OpenDocuments, TextChange
from citelsp.server.wire.lines import Encoding
from citelsp.server.wire.uris import path_of_opened


def encoding(capabilities: types.ServerCapabilities) -> Encoding:
    match capabilities.position_encoding:
        case types.PositionEncodingKind.Utf8:
            return "utf-8"
        case types.PositionEncodingKind.Utf32:
            return "utf-32"
        case _:
            return "utf-16"


def open_document(documents: OpenDocuments, item: types.TextDocumentItem) -> Buffer:
    path = path_of_opened(item.uri, documents.folder)
    return documents.open(path, item.uri, item.language_id, item.version, item.text)


def apply_changes(
    buffer: Buffer, params: types.DidChangeTextDocumentParams, encoding: Encoding
) -> Iterator[TextChange]:
    """What each content change changed, one after the other."""
    version = params.text_document.version
    for change in params.content_changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = change.range.start, change.range.end
            yield buffer.edit(version, (start.line, start.character), (end.line, end.character), change.text, encoding)
        else:
            yield buffer.replace(version, change.text)


def span(buffer: Buffer, place: types.Position | types.Range, encoding: Encoding) -> Span:
    """The span of a range; of a position an empty one."""
    first, last = _ends(place)
    start = buffer.offset(first.line, first.character, encoding)
    return Span(start, max(start, buffer.offset(last.line, last.character, encoding)))


def span_in_text(text: str, place: types.Position | types.Range, encoding: Encoding) -> Span:
    """The span of a range or position in a document that is not open."""
    first, last = _ends(place)
    start = lines.offset(text, first.line, first.character, encoding)
    return Span(start, max(start, lines.offset(text, last.line, last.character, encoding)))


def _ends(place: types.Position | types.Range) -> tuple[types.Position, types.Position]:
    return (place, place) if isinstance(place, types.Position) else (place.start, place.end)
