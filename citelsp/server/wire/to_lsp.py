"""What the house answers, in the words of the editor."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import Edit, Span, on_one_line
from citelsp.features import popup_markdown
from citelsp.server.wire import text_positions
from citelsp.server.wire.client import EditorClient
from citelsp.server.wire.documents import OpenDocuments, uri_of
from citelsp.server.wire.text_positions import Encoding, Landmarks
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
        """Return the range of each span of the document at `path`; if it was not read, every range is at its start.

        All at once, as the text is read once for all of them, from known starts of lines (landmarks) on.
        """
        all_spans = list(spans)
        source = self.project.source(path)
        text = source.document.text if source else ""
        offsets: list[int] = []
        for span in all_spans:
            offsets += (span.start, span.end)
        positions = text_positions.find_positions(text, offsets, self.encoding, self._find_landmarks(path))
        return {
            span: types.Range(types.Position(*positions[span.start]), types.Position(*positions[span.end]))
            for span in all_spans
        }

    def range(self, path: str, span: Span) -> types.Range:
        return self.ranges(path, [span])[span]

    def _find_landmarks(self, path: str) -> Landmarks:
        """Return the buffer's landmarks, by which lines are counted faster; none if its text is not the project's."""
        buffer = self.documents.get(path)
        is_same_text = buffer is not None and buffer.version == self.versions.get(path)
        return buffer.landmarks if buffer and is_same_text else Landmarks()


def write_range(range_: types.Range) -> dict[str, dict[str, int]]:
    """A range as JSON."""
    start, end = ({"line": it.line, "character": it.character} for it in (range_.start, range_.end))
    return {"start": start, "end": end}


def locations(places: Places, targets: "Iterable[Location]") -> list[types.Location]:
    """Write locations for the editor, grouped by document; a place that is given twice comes once."""
    spans_by_path: dict[str, list[Span]] = {}
    for target in targets:
        spans_by_path.setdefault(target.path, []).append(target.span)
    written = []
    for path, spans in spans_by_path.items():
        uri = places.uri(path)
        written += [types.Location(uri, range_) for range_ in places.ranges(path, spans).values()]
    return written


def location_links(places: Places, targets: "Iterable[Location]", origin: types.Range) -> list[types.LocationLink]:
    """Write links that lead from one range, `origin`, each to a target's span within the whole of the target."""
    links = []
    for target in targets:
        ranges = places.ranges(target.path, (target.whole, target.span))
        links.append(types.LocationLink(places.uri(target.path), ranges[target.whole], ranges[target.span], origin))
    return links


def workspace_edit(places: Places, change: "Change", client: EditorClient, confirm: str = "") -> types.WorkspaceEdit:
    """Write a change as one edit of all its documents, new files first, in the form that the editor understands.

    `confirm` tells the author why to look before the edit is made; editors that cannot ask make it at once, as all do
    if it is "".
    """
    edits_by_path: dict[str, list[Edit]] = {}
    for edit in change.edits:
        edits_by_path.setdefault(edit.path, []).append(edit)
    # Neovim takes edits by URI alone, without versions and new files.
    if not client.document_changes:
        return types.WorkspaceEdit(changes=_group_by_uri(places, change, edits_by_path))
    # VS Code shows a change with an annotation as a diff first; others apply it, and undo takes it back.
    annotation = "citelsp" if confirm and client.annotations else None
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for new in change.files:
        uri = places.uri(new.path)
        # Without that ability the editor gets the text alone, as an edit of a file that is not there yet.
        if client.create_files:
            # Somebody may have made the file since; it must not be emptied.
            options = types.CreateFileOptions(ignore_if_exists=True)
            changes.append(types.CreateFile(uri, options=options, annotation_id=annotation))
        # Without a version, as no editor has the file open.
        changes.append(_make_document_edit(uri, None, [types.TextEdit(START, new.text)], annotation))
    for path, edits in edits_by_path.items():
        version = places.versions.get(path)
        changes.append(_make_document_edit(places.uri(path), version, text_edits(places, path, edits), annotation))
    if annotation is None:
        return types.WorkspaceEdit(document_changes=changes)
    note = types.ChangeAnnotation("citelsp", needs_confirmation=True, description=on_one_line(confirm))
    return types.WorkspaceEdit(document_changes=changes, change_annotations={annotation: note})


def _group_by_uri(
    places: Places, change: "Change", edits_by_path: Mapping[str, list[Edit]]
) -> dict[str, Sequence[types.TextEdit]]:
    """Write the text edits of each document by its URI; a new file is a text that is put at its start."""
    edits: dict[str, Sequence[types.TextEdit]] = {}
    for path, of_path in edits_by_path.items():
        edits[places.uri(path)] = text_edits(places, path, of_path)
    for new in change.files:
        edits[places.uri(new.path)] = [types.TextEdit(START, new.text)]
    return edits


def _make_document_edit(
    uri: str, version: int | None, edits: Sequence[types.TextEdit], annotation: str | None
) -> types.TextDocumentEdit:
    """The edits of one document; `version` None if the editor does not hold it, `annotation` None for none."""
    document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    if annotation is None:
        return types.TextDocumentEdit(document, list(edits))
    annotated = [types.AnnotatedTextEdit(annotation, edit.range, edit.new_text) for edit in edits]
    return types.TextDocumentEdit(document, list(annotated))


def text_edits(places: Places, path: str, edits: Sequence[Edit]) -> list[types.TextEdit]:
    ranges = places.ranges(path, (it.span for it in edits))
    return [types.TextEdit(ranges[it.span], it.new_text) for it in edits]


def symbols(
    places: Places, path: str, roots: "Sequence[Symbol]", *, trees: bool
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """Write the outline of a document: as `trees`, or as a flat list for an editor that knows no trees.

    A symbol's span is all of it, its selection the name to which the editor jumps.
    """
    all_symbols = list(_flatten(roots))
    spans: list[Span] = []
    for symbol in all_symbols:
        spans += (symbol.span, symbol.selection)
    ranges = places.ranges(path, spans)
    if trees:
        return [_make_symbol_tree(ranges, root) for root in roots]
    uri = places.uri(path)
    flat: list[types.SymbolInformation] = []
    for symbol in all_symbols:
        location = types.Location(uri, ranges[symbol.span])
        flat.append(types.SymbolInformation(location, _show_name(symbol), _SYMBOLS[symbol.kind]))
    return flat


def _make_symbol_tree(ranges: Mapping[Span, types.Range], symbol: "Symbol") -> types.DocumentSymbol:
    """A symbol with those below it."""
    return types.DocumentSymbol(
        name=_show_name(symbol),
        kind=_SYMBOLS[symbol.kind],
        range=ranges[symbol.span],
        selection_range=ranges[symbol.selection],
        detail=on_one_line(symbol.detail) or None,
        children=[_make_symbol_tree(ranges, it) for it in symbol.children],
    )


def _show_name(symbol: "Symbol") -> str:
    return on_one_line(symbol.name) or "…"  # VS Code drops the whole outline for one name that is empty


def _flatten(symbols: "Iterable[Symbol]") -> "Iterator[Symbol]":
    for symbol in symbols:
        yield symbol
        yield from _flatten(symbol.children)


def workspace_symbols(every: Iterable[Places], symbols: "Iterable[WorkspaceSymbol]") -> list[types.SymbolInformation]:
    """Entries and macros at their places, each in the first project that holds its document; one of `every` does."""
    written = []
    for symbol in symbols:
        places = next(places for places in every if places.project.source(symbol.path))
        location = types.Location(places.uri(symbol.path), places.range(symbol.path, symbol.span))
        kind = _SYMBOLS[symbol.kind]
        name, detail = on_one_line(symbol.key), on_one_line(symbol.detail)
        written.append(types.SymbolInformation(location, name, kind, container_name=detail))
    return written


def document_links(
    places: Places, path: str, links: "Sequence[DocumentLink]", *, tooltips: bool
) -> list[types.DocumentLink]:
    """Write the links in a document, with their tooltips if the editor shows them."""
    ranges = places.ranges(path, (link.span for link in links))
    written = []
    for link in links:
        target = places.uri(link.target) if link.is_file else link.target
        tooltip = link.tooltip if tooltips else ""
        written.append(types.DocumentLink(ranges[link.span], target, tooltip or None))
    return written


def folds(places: Places, path: str, spans: Sequence[Span]) -> list[types.FoldingRange]:
    """Write spans as ranges of whole lines, which every editor can fold."""
    ranges = places.ranges(path, spans)
    return [types.FoldingRange(ranges[it].start.line, ranges[it].end.line) for it in spans]


def markdown(blocks: Sequence[popup_markdown.Block], *, allowed: bool) -> types.MarkupContent:
    if allowed:
        return types.MarkupContent(types.MarkupKind.Markdown, popup_markdown.to_markdown(blocks))
    return types.MarkupContent(types.MarkupKind.PlainText, popup_markdown.to_plain(blocks))
