"""Which function answers which method.  What is not listed is not announced to the editor."""

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from citelsp.features.action_kinds import KINDS

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from citelsp.features.neighbours import Part

_ALWAYS_USED = "lifecycle", "completion", "diagnostics", "verify_entries"
_PLAIN = ("lifecycle.text_changed",)  # no coroutine, as a task would be a tenth of a keystroke
# The space as well: VS Code ends a list at one, and a placeholder's words have several.
_TRIGGERS = ["{", ",", "@", "[", "<", ";", " "]

_FEATURES: tuple[tuple[str, str, object], ...] = (
    (types.INITIALIZED, "lifecycle.initialized", None),
    (types.WORKSPACE_DID_CHANGE_CONFIGURATION, "lifecycle.configuration_changed", None),
    (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "lifecycle.folders_changed", None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "lifecycle.files_changed", None),
    (types.TEXT_DOCUMENT_DID_OPEN, "verify_entries.opened", None),
    (types.TEXT_DOCUMENT_DID_CHANGE, "lifecycle.text_changed", None),
    (types.TEXT_DOCUMENT_DID_CLOSE, "lifecycle.text_changed", None),
    (types.TEXT_DOCUMENT_DID_SAVE, "verify_entries.saved", types.SaveOptions(include_text=False)),
    (types.NOTEBOOK_DOCUMENT_DID_SAVE, "verify_entries.notebook_saved", None),
    (
        types.TEXT_DOCUMENT_COMPLETION,
        "completion.complete",
        types.CompletionOptions(trigger_characters=_TRIGGERS, resolve_provider=True),
    ),
    (types.COMPLETION_ITEM_RESOLVE, "completion.resolve", None),
    (types.TEXT_DOCUMENT_HOVER, "handlers.show_hover", None),
    (types.TEXT_DOCUMENT_DEFINITION, "handlers.go_to_definition", None),
    (types.TEXT_DOCUMENT_REFERENCES, "handlers.find_references", None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "handlers.highlight_mentions", None),
    (types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, "handlers.link_mentions", None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, "handlers.prepare_rename", None),
    (types.TEXT_DOCUMENT_RENAME, "handlers.rename_key", types.RenameOptions(prepare_provider=True)),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "handlers.outline", None),
    (types.WORKSPACE_SYMBOL, "handlers.search_entries", None),
    (types.TEXT_DOCUMENT_DOCUMENT_LINK, "handlers.link_documents", None),
    (types.TEXT_DOCUMENT_INLAY_HINT, "handlers.hint", None),
    (
        types.TEXT_DOCUMENT_CODE_ACTION,
        "code_action_requests.offer",
        types.CodeActionOptions(code_action_kinds=KINDS, resolve_provider=True),
    ),
    (types.CODE_ACTION_RESOLVE, "code_action_requests.resolve", None),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, "handlers.fold_document", None),
    (types.TEXT_DOCUMENT_FORMATTING, "handlers.format_document", None),
    (types.TEXT_DOCUMENT_RANGE_FORMATTING, "handlers.format_range", None),
    (types.TEXT_DOCUMENT_CODE_LENS, "handlers.summarise", None),
    (
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        "diagnostics.pull",
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="citelsp"),
    ),
)
_SHARED: Mapping[str, "Part"] = {  # with programs that the setting `beside` may name
    types.TEXT_DOCUMENT_DEFINITION: "definition",
    types.TEXT_DOCUMENT_REFERENCES: "references",
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: "highlight",
    types.TEXT_DOCUMENT_PREPARE_RENAME: "rename",
    types.TEXT_DOCUMENT_RENAME: "rename",
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "symbols",
    types.TEXT_DOCUMENT_DOCUMENT_LINK: "links",
    types.TEXT_DOCUMENT_FOLDING_RANGE: "folding",
    types.TEXT_DOCUMENT_FORMATTING: "formatting",
    types.TEXT_DOCUMENT_RANGE_FORMATTING: "formatting",
}
_COMMANDS = {
    "citelsp.insertEntry": "commands.insert",
    "citelsp.insert": "insert_works.command",
    "citelsp.check": "commands.check",
    "citelsp.suggest": "commands.suggest",
    "citelsp.searchOnline": "commands.search_online",
    "citelsp.searchFurther": "pick_candidates.search_further",
    "citelsp.works": "pick_candidates.works",
    "citelsp.cite": "pick_candidates.cite",
    "citelsp.findWorks": "citation_dialog.find",
    "citelsp.previewCitation": "citation_dialog.preview",
    "citelsp.writeCitation": "citation_dialog.write",
    "citelsp.addToZotero": "adding_to_zotero.command",
    "citelsp.explain": "pick_candidates.explain",
    "citelsp.sort": "commands.sort",
    "citelsp.evidence": "find_evidence.command",
    "citelsp.reading": "find_evidence.read",
    "citelsp.verify": "verify_entries.command",
    "citelsp.overview": "overview.command",
}


def register(server: "LanguageServer") -> None:
    """Announce everything.  What a method needs is imported when it is first asked."""
    for method, function, options in _FEATURES:
        if function in _PLAIN:
            server.feature(method, options)(_plain(function))
        elif part := _SHARED.get(method):
            server.feature(method, options)(_unless_offered(part, _at_first_use(function)))
        else:
            server.feature(method, options)(_at_first_use(function))
    for name, function in _COMMANDS.items():
        server.command(name)(_at_first_use(function))


def load() -> None:
    """Import what no session can do without."""
    for name in _ALWAYS_USED:
        import_module(f"citelsp.server.answers.{name}")


def _at_first_use(function: str) -> Callable[..., Awaitable[Any]]:
    async def call(ls: "LanguageServer", params: object) -> object:
        return await _function(function)(ls, params)

    return call


def _plain(function: str) -> Callable[..., object]:
    def call(ls: "LanguageServer", params: object) -> object:
        return _function(function)(ls, params)

    return call


def _unless_offered(part: "Part", function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The function, which answers nothing where another program offers the same."""

    async def call(ls: Any, params: Any) -> object:  # noqa: ANN401  our server, which imports this; each method's own
        from citelsp.features import neighbours
        from citelsp.syntax import languages

        path = ls.documents.path_of(params.text_document.uri)
        if neighbours.offer(ls.configuration.of(path), part, languages.of_path(path)):
            return None
        return await function(ls, params)

    return call


def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(".")
    return cast("Callable[..., Any]", getattr(import_module(f"citelsp.server.answers.{module}"), function))
