"""The documents that the editor holds: by their URIs, kept in step with it, and what its positions in them mean.

A document without a file (`untitled:`) has a path that no file has.  Editors spell one file in several ways,
`file:///c%3A/a+b.tex`, `file:///C:/a%2Bb.tex`: paths are what documents are known by, and what is sent to the editor is
its own spelling, wherever it opened the document.

A text is kept in chunks of whole lines, so that a keystroke in 41 MB of BibTeX copies some kilobytes; the chunks are
joined when somebody asks for the document.
"""

import ntpath
import os
import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from citelsp.base.text import Document, Span
from citelsp.server.wire import text_positions
from citelsp.server.wire.text_positions import Encoding, Landmarks
from citelsp.syntax import languages
from citelsp.workspace.disk import identity
from citelsp.workspace.roots import NOWHERE

# Characters. A keystroke copies one chunk and the list of all, some 1,300 of them in 41 MB of BibTeX.
_CHUNK = 1 << 15

Place = tuple[int, int]  # line and column in the client's units
_DRIVE = re.compile(r"/*([A-Za-z])[:|](?=/|\Z)")  # `/c:` of `/c:/ada/a.tex`, or `/c|`
# VS Code ends a cell's fragment with the scheme of its notebook in Base64, here `file`.
_CELL_OF_FILE = "sZmlsZQ"
_NOT_UTF8 = "surrogateescape"  # as Python writes such bytes of a file name
_WINDOWS = os.name == "nt"


@dataclass(frozen=True, slots=True)
class TextChange:
    """`span` of the text before was replaced by so many characters."""

    span: Span
    inserted: int


class Buffer:
    """One open document.  `version` is the editor's; `document` is the same object until the next change.

    `pulled` becomes true once the editor has asked for its findings.
    """

    def __init__(self, path: str, uri: str, language: str, version: int, text: str, chunk: int = _CHUNK) -> None:
        self.path = path
        self.uri = uri
        self.language = language
        self.pulled = False
        self._chunk_size = chunk  # characters, at least
        self._document: Document | None = None  # None after a change, until somebody asks for it
        self._set(version, _clean(text))

    def replace(self, version: int, text: str) -> TextChange:
        """Replace the whole text; the change that is returned is only what really differs."""
        from citelsp.base.splice import difference

        text = _clean(text)
        span, new_text = difference(self.document.text, text)
        self._set(version, text)
        return TextChange(span, len(new_text))

    def edit(self, version: int, start: Place, end: Place, new_text: str, encoding: Encoding) -> TextChange:
        """Replace what stands between two positions, and return the span that was replaced and the new text's length.

        A position is a line and a column, both from 0; one outside the text is moved into it.  The text is held in
        chunks, of which only those that are touched are made anew.
        """
        self.version = version
        new_text = _clean(new_text)
        # Each position is found as the index of a chunk and an offset in that chunk.
        first, offset_in_first = self._locate(*start, encoding)
        # LSP wants the start first.  If a client sends the end first, what is between would else be doubled.
        last, offset_in_last = max(self._locate(*end, encoding), (first, offset_in_first))
        span = Span(self._offsets[first] + offset_in_first, self._offsets[last] + offset_in_last)
        stop = last + 1
        middle = self._chunks[first][:offset_in_first] + new_text + self._chunks[last][offset_in_last:]
        # A chunk is made of whole lines, else a \r\n that two of them share would count as two breaks.
        if stop < len(self._chunks) and not middle.endswith("\n"):
            middle += self._chunks[stop]
            stop += 1
        new_chunks = list(_chunks(middle, self._chunk_size)) if len(middle) > 2 * self._chunk_size else [middle]
        self._chunks[first:stop] = new_chunks
        self._breaks[first:stop] = map(text_positions.count_breaks, new_chunks)
        self._measure()  # where the chunks begin now
        self._document = None  # joined anew when somebody asks for it
        return TextChange(span, len(new_text))

    @property
    def document(self) -> Document:
        """The text now."""
        if self._document is None:
            self._document = Document(self.path, "".join(self._chunks), self.language)
        return self._document

    @property
    def landmarks(self) -> Landmarks:
        """Return the offset and the line at which each chunk begins."""
        return Landmarks(tuple(self._offsets[:-1]), tuple(self._lines[:-1]))

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """The offset of a position in the text."""
        chunk, offset_in_chunk = self._locate(line, character, encoding)
        return self._offsets[chunk] + offset_in_chunk

    def _locate(self, line: int, character: int, encoding: Encoding) -> tuple[int, int]:
        """Return the index of the chunk in which a position is, and its offset in that chunk."""
        chunk = bisect_right(self._lines, line, hi=len(self._chunks)) - 1
        return chunk, text_positions.find_offset(self._chunks[chunk], line - self._lines[chunk], character, encoding)

    def _measure(self) -> None:
        """Work out at which offset and line each chunk begins, and the text ends."""
        self._offsets = list(accumulate(map(len, self._chunks), initial=0))
        self._lines = list(accumulate(self._breaks, initial=0))

    def _set(self, version: int, text: str) -> None:
        self.version = version
        self._document = Document(self.path, text, self.language)
        self._chunks = list(_chunks(text, self._chunk_size))
        self._breaks = list(map(text_positions.count_breaks, self._chunks))  # of lines, in each chunk
        self._measure()


class OpenDocuments:
    """The buffers of all open documents, by path; two spellings of one path are one document, spelled as it was last.

    `identity` gives what the spellings have in common.
    """

    def __init__(self, identity: Callable[[str], str] = identity) -> None:
        self.folder = NOWHERE  # that of documents without a file
        self._identity = identity
        self._buffers: dict[str, Buffer] = {}
        self._paths: dict[str, str] = {}  # by URI, of documents without a file

    def __iter__(self) -> Iterator[Buffer]:
        return iter(self._buffers.values())

    def open(self, path: str, uri: str, language_id: str, version: int, text: str) -> Buffer:
        """Hold a document, whose language the editor names as it likes; instead of another of the same path."""
        # Metadata may stand in a raw cell of a notebook.
        language = languages.language_of_path(path, "markdown" if language_id == "raw" else language_id)
        buffer = Buffer(path, uri, language.name, version, text)
        if path != path_of(uri):
            self._paths[uri] = path
        self._buffers[self._identity(path)] = buffer
        return buffer

    def path_of(self, uri: str) -> str:
        """The path of a document, open or not."""
        return self._paths.get(uri) or path_of(uri)

    def get(self, path: str) -> Buffer | None:
        return self._buffers.get(self._identity(path))

    def close(self, path: str) -> None:
        buffer = self._buffers.pop(self._identity(path), None)
        if buffer:
            self._paths.pop(buffer.uri, None)


def _chunks(text: str, size: int) -> Iterator[str]:
    """The text in parts of at least `size` characters, each of whole lines; the last has what is left, or nothing."""
    start = 0
    while len(text) - start > size:
        end = text.find("\n", start + size) + 1
        if not end:
            break
        yield text[start:end]
        start = end
    yield text[start:]


def _clean(text: str) -> str:
    """Replace lone surrogates, which JSON can carry and no file can, by U+FFFD, which is as wide in every encoding."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def path_of(uri: str, *, windows: bool = _WINDOWS) -> str:
    """Return the normal path of a file URI (RFC 8089).

    Any other URI is normalised as if it were a path, and given back: no file has such a path.  A cell of a notebook has
    the path of its file with the cell's fragment, `/home/ada/a.ipynb#W0s`.  The host `localhost` is this machine.
    """
    parts = urlsplit(uri)
    normalise = ntpath.normpath if windows else posixpath.normpath
    if _is_cell(uri):
        # VS Code also names the machine on which it works, as `ssh-remote+desk`: that is no host of a share.
        share = parts.netloc if _CELL_OF_FILE in parts.fragment else ""
        return f"{path_of(f'file://{share}{parts.path}', windows=windows)}#{quote(parts.fragment, safe='')}"
    if parts.scheme != "file":
        return normalise(uri)
    path = unquote(parts.path, errors=_NOT_UTF8)
    host = unquote(parts.netloc, errors=_NOT_UTF8)
    if host.lower() == "localhost":
        host = ""
    if windows and _DRIVE.match(host):  # `file://c:/…`, as some write it
        path = f"/{host}{path}"
        host = ""
    if windows and not host:
        # VS Code writes drives in small letters and with %3A: one spelling, or a file would be two documents.
        drive = _DRIVE.match(path)
        if drive:
            path = f"{drive[1].upper()}:{path[drive.end() :]}"
    # A share of Windows, `file://server/share`, or WSL's `file://wsl$/`.
    if host:
        path = f"//{host}{path}"
    return normalise(path)


def path_of_opened(uri: str, folder: str = NOWHERE, *, windows: bool = _WINDOWS) -> str:
    """Return the path by which an opened document is known.

    One without a file is taken to stand in `folder`, under its URI as a name; if the URI says where it is to be saved,
    `untitled:/home/ada/new.tex`, then there: `/home/ada/untitled:new.tex`, which is not yet the path of a file.
    """
    join = ntpath.join if windows else posixpath.join
    split = ntpath.split if windows else posixpath.split
    path = path_of(uri, windows=windows)
    scheme, _, address = uri.partition(":")
    is_file = scheme == "file" and path != "."  # Neovim calls a buffer without a name `file://`
    if is_file or _is_cell(uri):
        return path
    if scheme == "untitled" and address.startswith("/"):
        target_folder, name = split(path_of(f"file://{address}", windows=windows))
        return join(target_folder, f"untitled:{name}")
    return join(folder, quote(uri, safe=":"))


def _is_cell(uri: str) -> bool:
    """True for a cell of a notebook, `vscode-notebook-cell:/home/ada/a.ipynb#W0s…`, which stands beside its file."""
    return ".ipynb#" in uri.lower()


def uri_of(path: str, *, windows: bool = _WINDOWS) -> str:
    """The URI of an absolute path; what is no absolute path is a URI already, and stays."""
    if not (ntpath if windows else posixpath).isabs(path):
        return path
    slashed = path.replace("\\", "/") if windows else path
    if slashed.startswith("//"):  # a share of Windows: its host is the URI's
        return "file:" + quote(slashed, errors=_NOT_UTF8)
    absolute = slashed if slashed.startswith("/") else f"/{slashed}"
    return "file://" + quote(absolute, safe="/:" if windows else "/", errors=_NOT_UTF8)


def encoding(capabilities: types.ServerCapabilities) -> Encoding:
    """Return the encoding whose units positions count, as agreed upon with the editor; UTF-16 if nothing was."""
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
    """Make the editor's changes in the buffer, one by one, and yield what each of them changed.

    A change has a range of the text that the changes before it left, or else replaces all of the text.
    """
    version = params.text_document.version
    for change in params.content_changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            start = change.range.start
            end = change.range.end
            yield buffer.edit(version, (start.line, start.character), (end.line, end.character), change.text, encoding)
        else:
            yield buffer.replace(version, change.text)


def span_of(buffer: Buffer, place: types.Position | types.Range, encoding: Encoding) -> Span:
    """The span of a range; of a position an empty one."""
    first, last = _split_place(place)
    start = buffer.offset(first.line, first.character, encoding)
    return Span(start, max(start, buffer.offset(last.line, last.character, encoding)))


def span_in_text(text: str, place: types.Position | types.Range, encoding: Encoding) -> Span:
    """The span of a range or position in a document that is not open."""
    first, last = _split_place(place)
    start = text_positions.find_offset(text, first.line, first.character, encoding)
    return Span(start, max(start, text_positions.find_offset(text, last.line, last.character, encoding)))


def _split_place(place: types.Position | types.Range) -> tuple[types.Position, types.Position]:
    return (place, place) if isinstance(place, types.Position) else (place.start, place.end)
