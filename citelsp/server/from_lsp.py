"""What the editor says, in the words of the house."""

from lsprotocol import types

from citelsp.server.buffers import Buffer, OpenDocuments
from citelsp.server.lines import Encoding
from citelsp.server.uris import path_of
from citelsp.text import Span


def encoding(capabilities: types.ServerCapabilities) -> Encoding:
    match capabilities.position_encoding:
        case types.PositionEncodingKind.Utf8:
            return "utf-8"
        case types.PositionEncodingKind.Utf32:
            return "utf-32"
        case _:
            return "utf-16"


def open_document(documents: OpenDocuments, item: types.TextDocumentItem) -> None:
    documents.open(path_of(item.uri), item.uri, item.language_id, item.version, item.text)


def apply_changes(buffer: Buffer, params: types.DidChangeTextDocumentParams, encoding: Encoding) -> None:
    version = params.text_document.version
    for change in params.content_changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = change.range.start, change.range.end
            buffer.edit(version, (start.line, start.character), (end.line, end.character), change.text, encoding)
        else:
            buffer.replace(version, change.text)


def offset(buffer: Buffer, position: types.Position, encoding: Encoding) -> int:
    return buffer.offset(position.line, position.character, encoding)


def span(buffer: Buffer, range_: types.Range, encoding: Encoding) -> Span:
    return Span(offset(buffer, range_.start, encoding), offset(buffer, range_.end, encoding))
