"""What the editor can do, read once from its capabilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from lsprotocol import types

from citelsp.base import settings

# What an editor may say that it can, as commands of its own:
PICK = "citelsp.pickWorks"  # gets {"uri", "position"} of a placeholder
REOPEN = "citelsp.reopenList"  # opens the list at a placeholder again once a search has ended
ADDED = "citelsp.showAdded"  # shows what the notification ADDED_TO says, and takes it back with its citation
READ = "citelsp.readEvidence"  # shows what `citelsp.reading` answers, for {"uri"} or {"uri", "position"}
CHOOSE = "citelsp.choose"  # answers the request CHOOSE_OF with one of several choices
CHOOSE_OF = "citelsp/choose"
ADDED_TO = "citelsp/added"


@dataclass(frozen=True, slots=True)
class EditorClient:
    """True if the editor announced the ability."""

    document_changes: bool = False
    create_files: bool = False
    annotations: bool = False  # of changes, with confirmation
    apply_edit: bool = False
    configuration: bool = False
    watched_files: bool = False
    formatting_by_document: bool = False  # may be told in which documents the server lays out text
    progress: bool = False
    pulls: bool = False  # asks for diagnostics itself, and again when it is told to
    refresh_lenses: bool = False
    refresh_hints: bool = False
    resolves_actions: bool = False
    symbol_trees: bool = False
    definition_links: bool = False
    markdown_hovers: bool = False
    markdown_completions: bool = False
    label_details: bool = False
    rows_have_width: bool = False  # of its lists, in which it draws a description smaller and cuts it first
    columns: bool = False  # in its lists, one for what stands beside a label
    link_tooltips: bool = False
    related: bool = False  # information in diagnostics, like the next three
    tags: bool = False
    code_links: bool = False
    diagnostic_data: bool = False
    same_machine: bool = False  # it can open files that only the server names
    picks: bool = False  # lets the author pick several works, by a command of its own
    reopens: bool = False  # opens the list at a placeholder again once a search has ended
    edits_of_their_own: bool = False  # have the items of a list, which replace different texts
    reads: bool = False  # shows the evidence for a manuscript's citations in a place of its own
    chooses: bool = False  # asks the author to choose, for as long as that takes
    shows_added: bool = False  # says where an entry was added, and takes it back with its citation
    cuts_at_space: bool = False  # writes only what stands before the first space of an edit, but snippets whole
    beside: tuple[str, ...] = ()  # other programs that it runs, as the setting of this name has them
    neovim: bool = False  # its own completion replaces nothing behind the cursor, and forgets the command of an
    # accepted item if a key is typed before that item is resolved


def read(capabilities: types.ClientCapabilities, info: types.ClientInfo | None = None) -> EditorClient:
    """Read what the editor can do from its capabilities, of which anything may be missing.

    No capability tells what Neovim's own completion lacks: that is known by the editor's name and version in `info`.
    Editors with a plugin for citelsp name the commands of it that they have (READ, CHOOSE …) as experimental.
    """
    workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
    window = capabilities.window or types.WindowClientCapabilities()
    text = capabilities.text_document or types.TextDocumentClientCapabilities()
    edits = workspace.workspace_edit or types.WorkspaceEditClientCapabilities()
    actions = text.code_action or types.CodeActionClientCapabilities()
    item = (text.completion and text.completion.completion_item) or types.ClientCompletionItemOptions()
    published = text.publish_diagnostics or types.PublishDiagnosticsClientCapabilities()
    watching = workspace.did_change_watched_files
    own_commands = _read_own_commands(capabilities.experimental)
    markdown = types.MarkupKind.Markdown
    neovim_version = _read_neovim_version(info)
    is_neovim = bool(neovim_version)
    return EditorClient(
        document_changes=bool(edits.document_changes),
        create_files=types.ResourceOperationKind.Create in (edits.resource_operations or ()),
        annotations=edits.change_annotation_support is not None,
        apply_edit=bool(workspace.apply_edit),
        configuration=bool(workspace.configuration),
        watched_files=bool(watching and watching.dynamic_registration),
        formatting_by_document=_registers_formatting(text),
        progress=bool(window.work_done_progress),
        # Neovim asks only for what a window shows, so never for a bibliography that got an entry.
        pulls=_pulls(text, workspace) and not is_neovim,
        refresh_lenses=bool(workspace.code_lens and workspace.code_lens.refresh_support),
        refresh_hints=bool(workspace.inlay_hint and workspace.inlay_hint.refresh_support),
        resolves_actions=_resolves_actions(actions),
        symbol_trees=bool(text.document_symbol and text.document_symbol.hierarchical_document_symbol_support),
        definition_links=bool(text.definition and text.definition.link_support),
        markdown_hovers=markdown in ((text.hover and text.hover.content_format) or ()),
        markdown_completions=markdown in (item.documentation_format or ()),
        label_details=bool(item.label_details_support),
        # Neovim announces such details only for plugins, which draw them as columns.
        rows_have_width=bool(item.label_details_support) and not is_neovim,
        columns=bool(item.label_details_support) or is_neovim,
        link_tooltips=bool(text.document_link and text.document_link.tooltip_support),
        related=bool(published.related_information),
        tags=published.tag_support is not None,
        code_links=bool(published.code_description_support),
        diagnostic_data=bool(published.data_support),
        # What a plugin of citelsp's adds to the editor.
        reopens=REOPEN in own_commands,
        # No capability tells this: of the editors with such a plugin, those that reopen lists take items of this kind.
        edits_of_their_own=is_neovim or REOPEN in own_commands,
        reads=READ in own_commands,
        chooses=CHOOSE in own_commands,
        shows_added=ADDED in own_commands,
        beside=_read_programs(capabilities.experimental),
        picks=PICK in own_commands,
        # No capability tells this of Neovim 0.11.
        cuts_at_space=neovim_version.startswith("0.11."),
        neovim=is_neovim,
    )


def _read_neovim_version(info: types.ClientInfo | None) -> str:
    """The version of Neovim, "0" if it says none; "" for any other editor."""
    return (info.version or "0") if info and info.name == "Neovim" else ""


def _registers_formatting(text: types.TextDocumentClientCapabilities) -> bool:
    whole, ranges = text.formatting, text.range_formatting
    return bool(whole and whole.dynamic_registration and ranges and ranges.dynamic_registration)


def _pulls(text: types.TextDocumentClientCapabilities, workspace: types.WorkspaceClientCapabilities) -> bool:
    """True if the editor asks for diagnostics itself, and again when it is told to.

    Not to be relied upon in Neovim: it asks only for what a window shows, and so never for a bibliography that an
    accepted work was added to.
    """
    return bool(text.diagnostic and workspace.diagnostics and workspace.diagnostics.refresh_support)


def _resolves_actions(actions: types.CodeActionClientCapabilities) -> bool:
    """True if the editor asks for an action's edit later, and keeps the data to ask with.

    eglot 1.9 announces actions and never resolves one: it must get the edit with the offer.
    """
    return bool(actions.data_support and actions.resolve_support and "edit" in actions.resolve_support.properties)


def _read_programs(experimental: object) -> tuple[str, ...]:
    """`{"beside": [names]}`: what the editor knows to run beside us."""
    match experimental:
        case {"beside": [*names]}:
            return tuple(it for it in get_args(settings.Program) if it in names and it != "none")
    return ()


def _read_own_commands(experimental: object) -> Sequence[object]:
    """Commands of the editor itself, `{"commands": {"commands": [names]}}`, as clients of rust-analyzer say it."""
    match experimental:
        case {"commands": {"commands": [*names]}}:
            return names
    return ()
