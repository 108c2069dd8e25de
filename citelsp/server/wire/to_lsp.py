"""What the house answers, in the words of the editor."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import Edit, Span, on_one_line
from citelsp.features import popup
from citelsp.server.wire import lines
from citelsp.server.wire.client import EditorClient
from citelsp.server.wire.documents import OpenDocuments, uri_of
from citelsp.server.wire.lines import Encoding, Landmarks
from citelsp.workspace.project import Project

if TYPE_CHECKING:
    from citelsp.features.document_links import DocumentLink
    from citelsp.features.document_symbols import Symbol
    from citelsp.features.values import Change, Location
    from citelsp.features.workspace_symbols import WorkspaceSymbol

START = types.Range(types.Position(0, 0), types.Position(0, 0))
_SYMBOLS = {
    "section": types.SymbolKind.Module,
    "entry": types.SymbolKind.Constant,
    "macro": types.SymbolKind.String,
}


@dataclass(frozen=True, slots=True)
class Places:
    """Turns paths and spans of a project into URIs and ranges in the client's units.

    `versions` are of the open documents when the project was asked for.
    """

    project: Project
    documents: OpenDocuments
    versions: Mapping[str, int]
    encoding: Encoding

    def uri(self, path: str) -> str:
        """The URI of a path, in the editor's own spelling if it holds the document."""
        buffer = self.documents.get(path)
        return buffer.uri if buffer else uri_of(path)

    def ranges(self, path: str, spans: Iterable[Span]) -> dict[Span, types.Range]:
        """All ranges of one document at once; in a file that was not read everything is at its start."""
        distinct = list(spans)
        source = self.project.source(path)
        text = source.document.text if source else ""
        offsets = [it for span in distinct for it in (span.start, span.end)]
        found = lines.positions(text, offsets, self.encoding, self._landmarks(path))
        return {it: types.Range(types.Position(*found[it.start]), types.Position(*found[it.end])) for it in distinct}

    def range(self, path: str, span: Span) -> types.Range:
        return self.ranges(path, [span])[span]

    def _landmarks(self, path: str) -> Landmarks:
        buffer = self.documents.get(path)
        # Landmarks of a later text would lead into the middle of lines.
        return buffer.landmarks if buffer and buffer.version == self.versions.get(path) else Landmarks()


def written(range_: types.Range) -> dict[str, dict[str, int]]:
    """A range as JSON."""
    start, end = ({"line": it.line, "character": it.character} for it in (range_.start, range_.end))
    return {"start": start, "end": end}


def locations(places: Places, found: "Iterable[Location]") -> list[types.Location]:
    grouped = _grouped((it.path, it.span) for it in found)
    return [
        types.Location(places.uri(path), range_)
        for path, spans in grouped.items()
        for range_ in places.ranges(path, spans).values()
    ]


def location_links(places: Places, targets: "Iterable[Location]", origin: types.Range) -> list[types.LocationLink]:
    links = []
    for target in targets:
        ranges = places.ranges(target.path, (target.whole, target.span))
        links.append(types.LocationLink(places.uri(target.path), ranges[target.whole], ranges[target.span], origin))
    return links


def workspace_edit(places: Places, change: "Change", client: EditorClient, confirm: str = "") -> types.WorkspaceEdit:
    """One edit of all documents.  `confirm` says why the author should look first, if the editor can ask."""
    grouped: dict[str, list[Edit]] = {}
    for edit in change.edits:
        grouped.setdefault(edit.path, []).append(edit)
    # Neovim takes edits by URI alone, without versions and new files.
    if not client.document_changes:
        return types.WorkspaceEdit(changes=_plain(places, change, grouped))
    # VS Code shows a change with an annotation as a diff first; others apply it, and undo takes it back.
    asked = "citelsp" if confirm and client.annotations else None
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for new in change.files:
        uri = places.uri(new.path)
        if client.create_files:
            # Somebody may have made the file since; it must not be emptied.
            options = types.CreateFileOptions(ignore_if_exists=True)
            changes.append(types.CreateFile(uri, options=options, annotation_id=asked))
        changes.append(_document_edit(uri, None, [types.TextEdit(START, new.text)], asked))
    for path, edits in grouped.items():
        changes.append(
            _document_edit(places.uri(path), places.versions.get(path), text_edits(places, path, edits), asked)
        )
    note = types.ChangeAnnotation("citelsp", needs_confirmation=True, description=on_one_line(confirm))
    return types.WorkspaceEdit(document_changes=changes, change_annotations={asked: note} if asked else None)


def _plain(places: Places, change: "Change", grouped: Mapping[str, list[Edit]]) -> dict[str, Sequence[types.TextEdit]]:
    edits: dict[str, Sequence[types.TextEdit]] = {
        places.uri(path): text_edits(places, path, of_path) for path, of_path in grouped.items()
    }
    return edits | {places.uri(it.path): [types.TextEdit(START, it.text)] for it in change.files}


def _document_edit(
    uri: str, version: int | None, edits: Sequence[types.TextEdit], asked: str | None
) -> types.TextDocumentEdit:
    written = [types.AnnotatedTextEdit(asked, it.range, it.new_text) for it in edits] if asked else edits
    return types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), list(written))


def text_edits(places: Places, path: str, edits: Sequence[Edit]) -> list[types.TextEdit]:
    ranges = places.ranges(path, (it.span for it in edits))
    return [types.TextEdit(ranges[it.span], it.new_text) for it in edits]


def symbols(
    places: Places, path: str, found: "Sequence[Symbol]", *, trees: bool
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """An outline; flat for an editor that knows no trees."""
    every = list(_flattened(found))
    ranges = places.ranges(path, (span for it in every for span in (it.span, it.selection)))
    if trees:
        return [_symbol_tree(ranges, it) for it in found]
    uri = places.uri(path)
    return [types.SymbolInformation(types.Location(uri, ranges[it.span]), it.name, _SYMBOLS[it.kind]) for it in every]


def _symbol_tree(ranges: Mapping[Span, types.Range], symbol: "Symbol") -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_SYMBOLS[symbol.kind],
        range=ranges[symbol.span],
        selection_range=ranges[symbol.selection],
        detail=symbol.detail or None,
        children=[_symbol_tree(ranges, it) for it in symbol.children],
    )


def _flattened(symbols: "Iterable[Symbol]") -> "Iterator[Symbol]":
    for symbol in symbols:
        yield symbol
        yield from _flattened(symbol.children)


def workspace_symbols(every: Iterable[Places], found: "Iterable[WorkspaceSymbol]") -> list[types.SymbolInformation]:
    """Entries and macros at their places, each in the first project that holds its document."""
    answer = []
    for symbol in found:
        places = next(places for places in every if places.project.source(symbol.path))
        location = types.Location(places.uri(symbol.path), places.range(symbol.path, symbol.span))
        kind = _SYMBOLS[symbol.kind]
        answer.append(types.SymbolInformation(location, symbol.key, kind, container_name=symbol.detail))
    return answer


def document_links(
    places: Places, path: str, links: "Sequence[DocumentLink]", *, tooltips: bool
) -> list[types.DocumentLink]:
    """With their tooltips, if the editor shows them."""
    ranges = places.ranges(path, (it.span for it in links))
    written = []
    for link in links:
        target = places.uri(link.target) if link.is_file else link.target
        tooltip = link.tooltip or None if tooltips else None
        written.append(types.DocumentLink(ranges[link.span], target, tooltip))
    return written


def folds(places: Places, path: str, spans: Sequence[Span]) -> list[types.FoldingRange]:
    """Whole lines, which every editor can fold."""
    ranges = places.ranges(path, spans)
    return [types.FoldingRange(ranges[it].start.line, ranges[it].end.line) for it in spans]


def markdown(blocks: Sequence[popup.Block], *, allowed: bool) -> types.MarkupContent:
    if allowed:
        return types.MarkupContent(types.MarkupKind.Markdown, popup.to_markdown(blocks))
    return types.MarkupContent(types.MarkupKind.PlainText, popup.to_plain(blocks))


def _grouped(pairs: Iterable[tuple[str, Span]]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for path, span in pairs:
        found.setdefault(path, []).append(span)
    return found
