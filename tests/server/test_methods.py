"""Every method, as Neovim (utf-8, no documentChanges), VS Code (utf-16) and Emacs (utf-32, nothing resolved) ask it."""

import asyncio

import pytest
from lsprotocol import types
from pygls.uris import to_fs_path

import real_server
from citelsp.base import docs
from real_server import EDITORS, MAIN, NOTES, REFS

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_encoding_is_the_clients_first(client):
    assert client.encoding == EDITORS[client.editor]


async def test_completion(client):
    text = MAIN.replace("textcite{lamport94}", "textcite{literate kn}")
    uri = real_server.show(client, "typing.tex", text)
    where = real_server.behind(client, text, "literate kn")
    found = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(uri), where)
    )
    assert found.is_incomplete
    item = found.items[0]
    assert (item.label, item.filter_text, item.sort_text) == ("knuth84", "literate kn", "0000")
    assert item.text_edit == types.TextEdit(real_server.around(client, text, "literate kn"), "knuth84")
    assert item.documentation is None
    resolved = await client.completion_item_resolve_async(item)
    assert "The Computer Journal" in str(resolved.documentation)
    real_server.hide(client, uri)


async def test_a_key_with_a_space_that_does_not_break_is_documented(client):
    bibliography = real_server.show(client, "spaced.json", '[{"id": "doe\u00a099", "title": "On Kites"}]')
    text = "---\nbibliography: spaced.json\n---\n[@kites]\n"
    uri = real_server.show(client, "spaced.md", text)
    found = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(uri), real_server.behind(client, text, "kites"))
    )
    [item] = found.items
    assert (item.label, item.text_edit.new_text) == ("doe 99", "{doe\u00a099}")
    assert "On Kites" in str((await client.completion_item_resolve_async(item)).documentation)
    real_server.hide(client, uri)
    real_server.hide(client, bibliography)


async def test_completion_in_prose_is_nothing(client):
    where = real_server.behind(client, MAIN, "We weave")
    assert not await client.text_document_completion_async(
        types.CompletionParams(real_server.document(client, "main.tex"), where)
    )


@pytest.mark.parametrize(
    ("name", "text"), [("t.tex", "\\addbibresource{re}"), ("t.md", "---\nbibliography: re\n---\n")]
)
async def test_names_of_bibliographies(client, name, text):
    uri = real_server.show(client, name, text)
    where = real_server.behind(client, text, "bibliography: re" if name == "t.md" else "{re")
    found = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(uri), where)
    )
    assert "refs.bib" in [it.label for it in found.items]
    real_server.hide(client, uri)


async def test_accepting_a_work_adds_its_entry(client):
    where = real_server.behind(client, MAIN, "<transformer")
    found = await client.text_document_completion_async(
        types.CompletionParams(real_server.document(client, "main.tex"), where)
    )
    item = found.items[0]
    assert item.text_edit == types.TextEdit(
        real_server.around(client, MAIN, "<transformer attention>"), "{vaswani2017attention}"
    )
    assert "based solely on attention" in str((await client.completion_item_resolve_async(item)).documentation)
    client.applied.clear()
    await client.workspace_execute_command_async(
        types.ExecuteCommandParams(item.command.command, item.command.arguments)
    )
    [(uri, edits)] = changes(client.applied[0].edit).items()
    assert uri == real_server.document(client, "refs.bib").uri
    assert "@inproceedings{vaswani2017attention," in edits[0].new_text
    assert edits[0].range.start.line == REFS.count("\n") - 1


async def ghosts(client, name, text, words):
    asked = types.InlineCompletionParams(
        types.InlineCompletionContext(types.InlineCompletionTriggerKind.Automatic),
        real_server.document(client, name),
        real_server.behind(client, text, words),
    )
    return await client.text_document_inline_completion_async(asked)


async def test_the_first_work_of_the_list_as_ghost_text(client):
    [ghost] = await ghosts(client, "main.tex", MAIN, "<transformer")
    assert ghost.insert_text == "{vaswani2017attention}"
    assert ghost.range == real_server.around(client, MAIN, "<transformer attention>")
    client.applied.clear()
    accepted = types.ExecuteCommandParams(ghost.command.command, ghost.command.arguments)
    assert (await client.workspace_execute_command_async(accepted)) == "vaswani2017attention"
    [(uri, edits)] = changes(client.applied[0].edit).items()
    assert uri == real_server.document(client, "refs.bib").uri
    assert "@inproceedings{vaswani2017attention," in edits[0].new_text


async def test_no_ghost_text_where_the_list_says_that_nothing_fits(client):
    text = MAIN.replace("<transformer attention>", "<>").replace(
        "Attention is all one needs in sequence models", "Bread"
    )
    uri = real_server.show(client, "doubt.tex", text)
    found = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(uri), real_server.behind(client, text, "<"))
    )
    assert found.items[0].command is None
    assert found.items[0].label.startswith(("Nothing fits", "Neither"))
    assert await ghosts(client, "doubt.tex", text, "<") == []
    assert await ghosts(client, "main.tex", MAIN, "We weave") == []
    real_server.hide(client, uri)


async def test_hover_on_exactly_the_key(client):
    document = real_server.document(client, "main.tex")
    shown = await client.text_document_hover_async(
        types.HoverParams(document, real_server.behind(client, MAIN, "\\cite{knu"))
    )
    assert "Literate Programming" in shown.contents.value
    assert shown.range == real_server.around(client, MAIN, "knuth84")
    beside = real_server.behind(client, MAIN, "We wea")
    assert await client.text_document_hover_async(types.HoverParams(document, beside)) is None


@pytest.mark.parametrize(("name", "text"), [("main.tex", MAIN), ("notes.md", NOTES)])
async def test_definition(client, name, text):
    found = await client.text_document_definition_async(
        types.DefinitionParams(real_server.document(client, name), real_server.behind(client, text, "knuth"))
    )
    target = found[0]
    uri, selected = (
        (target.target_uri, target.target_selection_range)
        if isinstance(target, types.LocationLink)
        else (target.uri, target.range)
    )
    assert (uri, selected) == (
        real_server.document(client, "refs.bib").uri,
        real_server.around(client, REFS, "knuth84"),
    )


async def test_references(client):
    found = await client.text_document_references_async(
        types.ReferenceParams(
            types.ReferenceContext(include_declaration=True),
            real_server.document(client, "refs.bib"),
            types.Position(0, 10),
        )
    )
    assert {it.uri.rpartition("/")[2] for it in found} == {"main.tex", "notes.md", "refs.bib"}


async def test_highlights_and_what_may_be_typed_over_at_once(client):
    document, where = real_server.document(client, "refs.bib"), types.Position(0, 10)
    [found] = await client.text_document_document_highlight_async(types.DocumentHighlightParams(document, where))
    assert (found.range, found.kind) == (real_server.around(client, REFS, "knuth84"), types.DocumentHighlightKind.Write)
    linked = types.LinkedEditingRangeParams(document, where)
    assert await client.text_document_linked_editing_range_async(linked) is None  # others cite it
    text = "@string{x = {X}}\n@misc{a, note = x}\n"
    uri = real_server.show(client, "macros.bib", text)
    linked = types.LinkedEditingRangeParams(
        types.TextDocumentIdentifier(uri), real_server.behind(client, text, "note = x")
    )
    assert len((await client.text_document_linked_editing_range_async(linked)).ranges) == 2
    real_server.hide(client, uri)


async def test_macros(client):
    """Completed, explained, found, outlined and renamed as keys are."""
    text = "@string{jm = {Journal of Maps}}\n@article{a, journal = jm, note = jm # { and more}}\n@misc{b, note = j}\n"
    uri = real_server.show(client, "strings.bib", text)
    document, where = types.TextDocumentIdentifier(uri), real_server.behind(client, text, "journal = jm")
    explained = await client.text_document_hover_async(types.HoverParams(document, where))
    assert "Journal of Maps" in str(explained.contents)
    found = await client.text_document_definition_async(types.DefinitionParams(document, where))
    assert real_server.around(client, text, "jm") in [
        getattr(it, "target_selection_range", None) or it.range for it in found
    ]
    outline = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert [it.name for it in outline] == ["jm", "a", "b"]
    typed = real_server.behind(client, text, "{b, note = j")
    offered = await client.text_document_completion_async(types.CompletionParams(document, typed))
    assert [it.label for it in offered.items][:2] == ["jm", "jan"]
    edit = await client.text_document_rename_async(types.RenameParams(document, where, "maps"))
    assert [it.new_text for it in changes(edit)[uri]] == ["maps"] * 3
    real_server.hide(client, uri)


async def test_rename(client):
    document, where = real_server.document(client, "main.tex"), real_server.behind(client, MAIN, "\\cite{knu")
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, where))
    assert (prepared.range, prepared.placeholder) == (real_server.around(client, MAIN, "knuth84"), "knuth84")
    edit = await client.text_document_rename_async(types.RenameParams(document, where, "knuth1984"))
    written = changes(edit)
    assert {it.rpartition("/")[2] for it in written} == {"main.tex", "notes.md", "refs.bib"}
    assert {it.new_text for edits in written.values() for it in edits} == {"knuth1984"}
    assert (edit.document_changes is None) == (client.editor == "neovim@v0.11.0")


async def test_rename_to_a_taken_key_is_refused_with_the_reason(client):
    document, where = real_server.document(client, "main.tex"), real_server.behind(client, MAIN, "\\cite{knu")
    with pytest.raises(Exception, match="already an entry"):
        await client.text_document_rename_async(types.RenameParams(document, where, "lamport94"))


async def test_document_symbols(client):
    found = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(real_server.document(client, "main.tex"))
    )
    assert [it.name for it in found] == ["Weaving"]
    entries = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(real_server.document(client, "refs.bib"))
    )
    assert [it.name for it in entries] == ["knuth84", "lamport94"]


async def test_workspace_symbols(client):
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("literate knuth"))
    assert (found[0].name, found[0].location.range) == ("knuth84", real_server.around(client, REFS, "knuth84"))


async def test_document_links(client):
    found = await client.text_document_document_link_async(
        types.DocumentLinkParams(real_server.document(client, "refs.bib"))
    )
    assert [it.target for it in found] == ["https://doi.org/10.1093/comjnl/27.2.97"]
    [link] = await client.text_document_document_link_async(
        types.DocumentLinkParams(real_server.document(client, "main.tex"))
    )
    assert link.target == real_server.document(client, "refs.bib").uri


async def test_inlay_hints(client):
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    asked = types.InlayHintParams(real_server.document(client, "main.tex"), whole)
    for _ in range(1000):  # the settings that switch them on come after the answer to `initialize`
        if found := await client.text_document_inlay_hint_async(asked):
            break
        await asyncio.sleep(0.02)
    assert [(it.label, it.position) for it in found] == [
        ("Knuth 1984", real_server.behind(client, MAIN, "knuth84")),
        ("Lamport 1994", real_server.behind(client, MAIN, "lamport94")),
    ]


async def test_code_lens_says_nothing_before_anything_was_verified(client):
    assert not await client.text_document_code_lens_async(
        types.CodeLensParams(real_server.document(client, "refs.bib"))
    )


async def test_folding(client):
    found = await client.text_document_folding_range_async(
        types.FoldingRangeParams(real_server.document(client, "refs.bib"))
    )
    assert [(it.start_line, it.end_line) for it in found] == [(0, 6), (7, 12)]


async def test_formatting_one_entry_leaves_the_other(client):
    text = "@book{a,title={A},year=1999}\n@book{b,title={B},year=2000}\n"
    uri = real_server.show(client, "layout.bib", text)
    edits = await client.text_document_range_formatting_async(
        types.DocumentRangeFormattingParams(
            types.TextDocumentIdentifier(uri),
            real_server.around(client, text, "book{b"),
            types.FormattingOptions(4, True),
        )
    )
    assert {it.new_text for it in edits} == {",\n    ", " = ", "  = ", "\n"}
    assert {it.range.start.line for it in edits} == {1}
    real_server.hide(client, uri)


async def test_completion_of_field_names(client):
    text = "@article{a,\n  title = {A},\n  jour\n}\n"
    uri = real_server.show(client, "typing.bib", text)
    found = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(uri), real_server.behind(client, text, "jour"))
    )
    journal = next(it for it in found.items if it.label == "journal")
    assert journal.text_edit == types.TextEdit(real_server.around(client, text, "jour"), "journal")
    real_server.hide(client, uri)


async def test_completion_inside_an_entry_type_replaces_it_whole(client):
    text = "@misc{😀}\n\n@article{a}\n"
    uri = real_server.show(client, "typing.bib", text)
    found = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(uri), real_server.behind(client, text, "@ar"))
    )
    book = next(it for it in found.items if it.label == "book")
    assert book.text_edit == types.TextEdit(real_server.around(client, text, "article"), "book")
    assert book.filter_text == "book"
    real_server.hide(client, uri)


async def test_findings_reach_the_editor_once(client):
    document = real_server.document(client, "main.tex")
    await real_server.until(lambda: document.uri in client.diagnostics)
    items = client.diagnostics[document.uri]
    [nope] = [it for it in items if it.code == "undefined-citation"]
    assert (nope.range, nope.severity, nope.source) == (
        real_server.around(client, MAIN, "nope"),
        types.DiagnosticSeverity.Warning,
        "citelsp",
    )
    if client.editor == "visual-studio-code":  # the others open no links of codes
        assert to_fs_path(nope.code_description.href) == str(docs.finding_page("undefined-citation"))


async def test_code_action_cites_a_work_and_adds_its_entry(client):
    document = real_server.document(client, "main.tex")
    await client.workspace_execute_command_async(types.ExecuteCommandParams("citelsp.suggest", [document.uri]))
    found = await client.text_document_code_action_async(
        types.CodeActionParams(
            document, real_server.around(client, MAIN, "<transformer attention>"), types.CodeActionContext([])
        )
    )
    action = next(it for it in found if "Vaswani" in it.title)
    if client.editor == "emacs":
        assert action.edit
    else:
        action = await client.code_action_resolve_async(action)
    assert {it.rpartition("/")[2] for it in changes(action.edit)} == {"main.tex", "refs.bib"}


async def test_kinds_of_actions_that_were_not_asked_for_stay_away(client):
    context = types.CodeActionContext([], only=[types.CodeActionKind.SourceOrganizeImports])
    document = real_server.document(client, "main.tex")
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    assert not await client.text_document_code_action_async(types.CodeActionParams(document, whole, context))


def changes(edit):
    """The text edits of a WorkspaceEdit by URI, in whichever form the editor understands."""
    if edit.changes is not None:
        return edit.changes
    return {it.text_document.uri: it.edits for it in edit.document_changes if isinstance(it, types.TextDocumentEdit)}


async def test_overview(client):
    asked = types.ExecuteCommandParams("citelsp.overview", [real_server.document(client, "main.tex").uri])
    found = await client.workspace_execute_command_async(asked)
    found = found if isinstance(found, dict) else found._asdict()
    assert found["references"][0]
    assert str(found["gaps"]).count("transformer attention") == 1
