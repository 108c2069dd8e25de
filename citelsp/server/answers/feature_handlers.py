"""One function a method of the protocol: from the editor's words to a feature and back."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import Span, on_one_line, write_count
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
from citelsp.server.state.projects import Moment
from citelsp.server.wire import client, refusal, to_lsp

if TYPE_CHECKING:
    from citelsp.bibliography.completion_search.libraries import Library
    from citelsp.server.server import Server

_KEY = r"[^\s\"#%'(),={}\\~]+"  # what linked editing may make of a key
_WIDEST_INDENT = 16  # spaces


async def show_hover(ls: "Server", params: types.HoverParams) -> types.Hover | None:
    moment = await snapshot.take(ls, params.text_document.uri, params.position)
    entry = hover.entry_at(moment.project, moment.path, moment.offset)
    knowledge = await styled.knowledge(ls, moment, entry)
    shown = hover.find(moment.project, knowledge, moment.path, moment.offset, moment.lists)
    if shown is None:
        return None
    content = to_lsp.markdown(shown.blocks, allowed=ls.client.markdown_hovers)
    return types.Hover(content, moment.places.range(moment.path, shown.span))


async def go_to_definition(
    ls: "Server", params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Where the key, macro or file name at the place is defined; empty if nowhere, None if none of them is there."""
    moment = await snapshot.take(ls, params.text_document.uri, params.position)
    link = definition.find(moment.project, moment.path, moment.offset)
    if link is None:
        return None
    if ls.client.definition_links:
        origin = moment.places.range(moment.path, link.origin)
        return to_lsp.location_links(moment.places, link.targets, origin)
    return to_lsp.locations(moment.places, link.targets)


async def find_references(ls: "Server", params: types.ReferenceParams) -> list[types.Location]:
    moment = await snapshot.take_with_sharers(ls, params.text_document.uri, params.position)
    declaration = params.context.include_declaration
    return to_lsp.locations(
        moment.places, references.find(moment.project, moment.path, moment.offset, declaration=declaration)
    )


async def highlight_mentions(
    ls: "Server", params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """Where the key at the place is mentioned in the document: its entry as written, citations as read."""
    moment = await snapshot.take(ls, params.text_document.uri, params.position)
    mentions = highlight.find(moment.project, moment.path, moment.offset)
    ranges = moment.places.ranges(moment.path, (it.span for it in mentions))
    kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
    return [types.DocumentHighlight(ranges[it.span], kinds[it.defines]) for it in mentions] or None


async def link_mentions(ls: "Server", params: types.LinkedEditingRangeParams) -> types.LinkedEditingRanges | None:
    """The mentions of a key that the editor changes together while one is typed over."""
    moment = await snapshot.take(ls, params.text_document.uri, params.position)
    spans = highlight.find_linked(moment.project, moment.path, moment.offset)
    ranges = moment.places.ranges(moment.path, spans)
    return types.LinkedEditingRanges([ranges[span] for span in spans], _KEY) if spans else None


async def prepare_rename(ls: "Server", params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The key at the place with its range; None if there is none, a refusal if it cannot be renamed."""
    moment = await snapshot.take(ls, params.text_document.uri, params.position)
    target = rename.prepare(moment.project, moment.path, moment.offset)
    if isinstance(target, Refused):
        raise refusal.make_refusal(target.reason)
    if target is None:
        return None
    return types.PrepareRenamePlaceholder(moment.places.range(moment.path, target.span), target.key)


async def rename_key(ls: "Server", params: types.RenameParams) -> types.WorkspaceEdit:
    moment = await snapshot.take_with_sharers(ls, params.text_document.uri, params.position)
    edits = rename.edits_for(moment.project, moment.path, moment.offset, params.new_name)
    if isinstance(edits, Refused):
        raise refusal.make_refusal(edits.reason)
    return to_lsp.workspace_edit(moment.places, Change(edits), ls.client)


async def outline(
    ls: "Server", params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    moment = await snapshot.take(ls, params.text_document.uri)
    symbols = document_symbols.find(moment.project, moment.path)
    return to_lsp.symbols(moment.places, moment.path, symbols, trees=ls.client.symbol_trees)


async def link_documents(ls: "Server", params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    moment = await snapshot.take(ls, params.text_document.uri)
    return to_lsp.document_links(
        moment.places, moment.path, document_links.find(moment.project, moment.path), tooltips=ls.client.link_tooltips
    )


async def hint(ls: "Server", params: types.InlayHintParams) -> list[types.InlayHint]:
    """Texts that the editor shows within the range that it asks about, each behind its place."""
    moment = await snapshot.take(ls, params.text_document.uri, params.range)
    hints = inlay_hints.find(moment.project, moment.path, moment.span)
    ranges = moment.places.ranges(moment.path, (Span(it.offset, it.offset) for it in hints))
    written = []
    for inlay in hints:
        start = ranges[Span(inlay.offset, inlay.offset)].start
        written.append(types.InlayHint(start, on_one_line(inlay.text), padding_left=True))
    return written


async def fold_document(ls: "Server", params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    moment = await snapshot.take(ls, params.text_document.uri)
    return to_lsp.folds(moment.places, moment.path, folding_ranges.find(moment.project, moment.path))


async def format_document(ls: "Server", params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    moment = await snapshot.take(ls, params.text_document.uri)
    return to_lsp.text_edits(
        moment.places, moment.path, format_entries.edits(moment.project, moment.path, None, _read_indent(params))
    )


async def format_range(ls: "Server", params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    moment = await snapshot.take(ls, params.text_document.uri, params.range)
    return to_lsp.text_edits(
        moment.places, moment.path, format_entries.edits(moment.project, moment.path, moment.span, _read_indent(params))
    )


def _read_indent(params: types.DocumentFormattingParams | types.DocumentRangeFormattingParams) -> str:
    """The indentation of the editor, for a file that does not show its own."""
    options = params.options
    return " " * min(options.tab_size, _WIDEST_INDENT) if options.insert_spaces else "\t"


async def summarise(ls: "Server", params: types.CodeLensParams) -> list[types.CodeLens]:
    """Return lenses: on the first line an offer of evidence and a summary of verdicts, then one above each paragraph.

    Each lens runs a command when it is chosen: to verify, or to show evidence, by a command of the editor if it has
    one.  Empty if the settings switch lenses off.
    """
    uri = params.text_document.uri
    moment = await snapshot.take(ls, uri)
    if not moment.project.settings.lenses:
        return []
    lenses = []
    show_evidence = client.READ if ls.client.reads else "citelsp.evidence"
    count = code_lens.count_cited(moment.project, moment.path)
    if count:
        title = f"Show evidence for {write_count(count, 'citation')}"
        lenses.append(_make_lens(to_lsp.START, title, show_evidence, {"uri": uri}))
    summary = code_lens.find(moment.project, moment.knowledge, moment.path)
    if summary:  # behind the other lens of this line, which is short: this one may reach beyond the editor's edge
        lenses.append(_make_lens(to_lsp.START, str(summary), "citelsp.verify", uri))
    return [*lenses, *_make_paragraph_lenses(moment, uri, show_evidence)]


def _make_paragraph_lenses(moment: Moment, uri: str, show_evidence: str) -> list[types.CodeLens]:
    """Return a lens above each paragraph that has a citation with evidence; it runs the command `show_evidence`."""
    paragraphs = code_lens.evidence(moment.project, moment.knowledge, moment.path)
    spans = [it.span for it in paragraphs]
    lines = [Span(it.above, it.above) for it in paragraphs]
    ranges = moment.places.ranges(moment.path, [*spans, *lines])
    lenses = []
    for paragraph, span, line in zip(paragraphs, spans, lines, strict=True):
        argument = {"uri": uri, "position": to_lsp.write_range(ranges[span])["start"]}
        lenses.append(_make_lens(ranges[line], paragraph.text, show_evidence, argument))
    return lenses


def _make_lens(range_: types.Range, title: str, command: str, argument: object) -> types.CodeLens:
    return types.CodeLens(
        range_, command=types.Command(title=on_one_line(title), command=command, arguments=[argument])
    )


async def search_entries(ls: "Server", params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """Return the entries and macros that match the words of `params` in bibliographies of the open documents' projects.

    The search runs in the worker thread that reads projects, outside of the event loop.
    """
    moments = await snapshot.take_all(ls)

    def search(_: object) -> list[workspace_symbols.WorkspaceSymbol]:
        libraries: dict[str, Library] = {}  # by path: a bibliography that two projects share is searched once
        for moment in moments:
            libraries |= moment.project.libraries(ls.libraries)
        return workspace_symbols.find(libraries.items(), params.query)

    symbols = await ls.projects.work(search)
    return to_lsp.workspace_symbols([moment.places for moment in moments], symbols)
