"""One function a method of the protocol: from the editor's words to a feature and back."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import Span, on_one_line
from citelsp.features import (
    code_lens,
    definition,
    document_links,
    document_symbols,
    folding_ranges,
    format_entries,
    highlight,
    hover,
    inlay_hints,
    references,
    rename,
    workspace_symbols,
)
from citelsp.features.values import Change, Refused
from citelsp.server.answers import styled
from citelsp.server.state import snapshot
from citelsp.server.wire import client, refusal, to_lsp

if TYPE_CHECKING:
    from citelsp.server.server import Server

_KEY = r"[^\s\"#%'(),={}\\~]+"  # what may be typed over
_WIDEST_INDENT = 16


async def show_hover(ls: "Server", params: types.HoverParams) -> types.Hover | None:
    at = await snapshot.take(ls, params.text_document.uri, params.position)
    known = await styled.knowledge(ls, at, hover.entry_at(at.project, at.path, at.offset))
    found = hover.find(at.project, known, at.path, at.offset, at.lists)
    if found is None:
        return None
    content = to_lsp.markdown(found.blocks, allowed=ls.client.markdown_hovers)
    return types.Hover(content, at.places.range(at.path, found.span))


async def go_to_definition(
    ls: "Server", params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    at = await snapshot.take(ls, params.text_document.uri, params.position)
    found = definition.find(at.project, at.path, at.offset)
    if found is None:
        return None
    if ls.client.definition_links:
        return to_lsp.location_links(at.places, found.targets, at.places.range(at.path, found.origin))
    return to_lsp.locations(at.places, found.targets)


async def find_references(ls: "Server", params: types.ReferenceParams) -> list[types.Location]:
    at = await snapshot.take_with_sharers(ls, params.text_document.uri, params.position)
    declaration = params.context.include_declaration
    return to_lsp.locations(at.places, references.find(at.project, at.path, at.offset, declaration=declaration))


async def highlight_mentions(
    ls: "Server", params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    at = await snapshot.take(ls, params.text_document.uri, params.position)
    found = highlight.find(at.project, at.path, at.offset)
    ranges = at.places.ranges(at.path, (it.span for it in found))
    kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
    return [types.DocumentHighlight(ranges[it.span], kinds[it.defines]) for it in found] or None


async def link_mentions(ls: "Server", params: types.LinkedEditingRangeParams) -> types.LinkedEditingRanges | None:
    at = await snapshot.take(ls, params.text_document.uri, params.position)
    found = highlight.linked(at.project, at.path, at.offset)
    ranges = at.places.ranges(at.path, found)
    return types.LinkedEditingRanges([ranges[it] for it in found], _KEY) if found else None


async def prepare_rename(ls: "Server", params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    at = await snapshot.take(ls, params.text_document.uri, params.position)
    found = rename.prepare(at.project, at.path, at.offset)
    if isinstance(found, Refused):
        raise refusal.failed(found.reason)
    if found is None:
        return None
    return types.PrepareRenamePlaceholder(at.places.range(at.path, found.span), found.key)


async def rename_key(ls: "Server", params: types.RenameParams) -> types.WorkspaceEdit:
    at = await snapshot.take_with_sharers(ls, params.text_document.uri, params.position)
    edits = rename.edits_for(at.project, at.path, at.offset, params.new_name)
    if isinstance(edits, Refused):
        raise refusal.failed(edits.reason)
    return to_lsp.workspace_edit(at.places, Change(edits), ls.client)


async def outline(
    ls: "Server", params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    at = await snapshot.take(ls, params.text_document.uri)
    found = document_symbols.find(at.project, at.path)
    return to_lsp.symbols(at.places, at.path, found, trees=ls.client.symbol_trees)


async def link_documents(ls: "Server", params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    at = await snapshot.take(ls, params.text_document.uri)
    return to_lsp.document_links(
        at.places, at.path, document_links.find(at.project, at.path), tooltips=ls.client.link_tooltips
    )


async def hint(ls: "Server", params: types.InlayHintParams) -> list[types.InlayHint]:
    at = await snapshot.take(ls, params.text_document.uri, params.range)
    found = inlay_hints.find(at.project, at.path, at.span)
    ranges = at.places.ranges(at.path, (Span(it.offset, it.offset) for it in found))
    places = ((ranges[Span(it.offset, it.offset)].start, on_one_line(it.text)) for it in found)
    return [types.InlayHint(start, text, padding_left=True) for start, text in places]


async def fold_document(ls: "Server", params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    at = await snapshot.take(ls, params.text_document.uri)
    return to_lsp.folds(at.places, at.path, folding_ranges.find(at.project, at.path))


async def format_document(ls: "Server", params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    at = await snapshot.take(ls, params.text_document.uri)
    return to_lsp.text_edits(at.places, at.path, format_entries.edits(at.project, at.path, None, _indent(params)))


async def format_range(ls: "Server", params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    at = await snapshot.take(ls, params.text_document.uri, params.range)
    return to_lsp.text_edits(at.places, at.path, format_entries.edits(at.project, at.path, at.span, _indent(params)))


def _indent(params: types.DocumentFormattingParams | types.DocumentRangeFormattingParams) -> str:
    """The indentation of the editor, for a file that does not show its own."""
    options = params.options
    return " " * min(options.tab_size, _WIDEST_INDENT) if options.insert_spaces else "\t"


async def summarise(ls: "Server", params: types.CodeLensParams) -> list[types.CodeLens]:
    uri = params.text_document.uri
    at = await snapshot.take(ls, uri)
    if not at.project.settings.lenses:
        return []
    command = client.READ if ls.client.reads else "citelsp.evidence"
    summary = code_lens.find(at.project, at.knowledge, at.path)
    lenses = [_lens(to_lsp.START, str(summary), "citelsp.verify", uri)] if summary else []
    if count := code_lens.claimed(at.project, at.path):
        noun = "citation" if count == 1 else "citations"
        lenses.append(_lens(to_lsp.START, f"Show evidence for {count} {noun}", command, {"uri": uri}))
    found = code_lens.evidence(at.project, at.knowledge, at.path)
    places = [(Span(it.above, it.above), it.span) for it in found]
    ranges = at.places.ranges(at.path, (span for pair in places for span in pair))
    for lens, (above, span) in zip(found, places, strict=True):
        argument = {"uri": uri, "position": to_lsp.written(ranges[span])["start"]}
        lenses.append(_lens(ranges[above], lens.text, command, argument))
    return lenses


def _lens(range_: types.Range, title: str, command: str, argument: object) -> types.CodeLens:
    return types.CodeLens(
        range_, command=types.Command(title=on_one_line(title), command=command, arguments=[argument])
    )


async def search_entries(ls: "Server", params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """Entries of all bibliographies that belong to open documents."""
    moments = await snapshot.take_all(ls)

    def search() -> list[workspace_symbols.WorkspaceSymbol]:
        libraries = {path: it for at in moments for path, it in at.project.libraries(ls.libraries)}
        return workspace_symbols.find(libraries.items(), params.query)

    return to_lsp.workspace_symbols([it.places for it in moments], await ls.projects.work(lambda _: search()))
