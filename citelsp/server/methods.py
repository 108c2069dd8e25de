"""Which function answers which method.  What is not listed is not announced to the editor."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from citelsp.features.action_kinds import KINDS
from citelsp.server import answers

if TYPE_CHECKING:
    from citelsp.features.neighbours import Part
    from citelsp.server.server import Server

Handler = Callable[["Server", Any], Any]  # with the parameters of its method; most are coroutines
AtFirstUse = Callable[[], Handler]  # its module is imported when somebody asks for it


@dataclass(frozen=True, slots=True)
class Feature:
    """A method of the protocol that is announced, and what answers it."""

    method: str
    handler: AtFirstUse
    options: object = None
    part: "Part | None" = None  # shared with programs that the setting `beside` may name
    at_once: bool = False  # by no coroutine, as a task would be a tenth of a keystroke


# The space as well: VS Code ends a list at one, and a placeholder's words have several.
_TRIGGERS = ["{", ",", "@", "[", "<", ";", " "]

_FEATURES = (
    Feature(types.INITIALIZED, lambda: answers.lifecycle.initialized),
    Feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION, lambda: answers.settings_changes.configuration_changed),
    Feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, lambda: answers.settings_changes.folders_changed),
    Feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, lambda: answers.file_changes.files_changed),
    Feature(types.TEXT_DOCUMENT_DID_OPEN, lambda: answers.verify_entries.opened),
    Feature(types.TEXT_DOCUMENT_DID_CHANGE, lambda: answers.file_changes.text_changed, at_once=True),
    Feature(types.TEXT_DOCUMENT_DID_CLOSE, lambda: answers.file_changes.text_changed, at_once=True),
    Feature(
        types.TEXT_DOCUMENT_DID_SAVE,
        lambda: answers.verify_entries.saved,
        options=types.SaveOptions(include_text=False),
    ),
    Feature(types.NOTEBOOK_DOCUMENT_DID_SAVE, lambda: answers.verify_entries.notebook_saved),
    Feature(
        types.TEXT_DOCUMENT_COMPLETION,
        lambda: answers.completion_items.complete,
        options=types.CompletionOptions(trigger_characters=_TRIGGERS, resolve_provider=True),
    ),
    Feature(
        types.TEXT_DOCUMENT_INLINE_COMPLETION,
        lambda: answers.ghost_text.complete,
        options=types.InlineCompletionOptions(),
    ),
    Feature(types.COMPLETION_ITEM_RESOLVE, lambda: answers.completion_items.resolve),
    Feature(types.TEXT_DOCUMENT_HOVER, lambda: answers.feature_handlers.show_hover),
    Feature(types.TEXT_DOCUMENT_DEFINITION, lambda: answers.feature_handlers.go_to_definition, part="definition"),
    Feature(types.TEXT_DOCUMENT_REFERENCES, lambda: answers.feature_handlers.find_references, part="references"),
    Feature(
        types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, lambda: answers.feature_handlers.highlight_mentions, part="highlight"
    ),
    Feature(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, lambda: answers.feature_handlers.link_mentions),
    Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, lambda: answers.feature_handlers.prepare_rename, part="rename"),
    Feature(
        types.TEXT_DOCUMENT_RENAME,
        lambda: answers.feature_handlers.rename_key,
        options=types.RenameOptions(prepare_provider=True),
        part="rename",
    ),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lambda: answers.feature_handlers.outline, part="symbols"),
    Feature(types.WORKSPACE_SYMBOL, lambda: answers.feature_handlers.search_entries),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, lambda: answers.feature_handlers.link_documents, part="links"),
    Feature(types.TEXT_DOCUMENT_INLAY_HINT, lambda: answers.feature_handlers.hint),
    Feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        lambda: answers.code_action_requests.offer,
        options=types.CodeActionOptions(code_action_kinds=KINDS, resolve_provider=True),
    ),
    Feature(types.CODE_ACTION_RESOLVE, lambda: answers.code_action_requests.resolve),
    Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, lambda: answers.feature_handlers.fold_document, part="folding"),
    Feature(types.TEXT_DOCUMENT_FORMATTING, lambda: answers.feature_handlers.format_document, part="formatting"),
    Feature(types.TEXT_DOCUMENT_RANGE_FORMATTING, lambda: answers.feature_handlers.format_range, part="formatting"),
    Feature(types.TEXT_DOCUMENT_CODE_LENS, lambda: answers.feature_handlers.summarise),
    Feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        lambda: answers.diagnostics.pull,
        options=types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False, identifier="citelsp"
        ),
    ),
)
_COMMANDS: Mapping[str, AtFirstUse] = {
    "citelsp.insertEntry": lambda: answers.commands.insert,
    "citelsp.insert": lambda: answers.insert_works.command,
    "citelsp.check": lambda: answers.commands.check,
    "citelsp.suggest": lambda: answers.commands.suggest,
    "citelsp.searchOnline": lambda: answers.commands.search_online,
    "citelsp.searchFurther": lambda: answers.pick_candidates.search_further,
    "citelsp.works": lambda: answers.pick_candidates.works,
    "citelsp.cite": lambda: answers.pick_candidates.cite,
    "citelsp.findWorks": lambda: answers.citation_dialog.find,
    "citelsp.previewCitation": lambda: answers.citation_dialog.preview,
    "citelsp.writeCitation": lambda: answers.citation_dialog.write,
    "citelsp.addToZotero": lambda: answers.adding_to_zotero.command,
    "citelsp.explain": lambda: answers.pick_candidates.explain,
    "citelsp.sort": lambda: answers.commands.sort,
    "citelsp.evidence": lambda: answers.find_evidence.command,
    "citelsp.reading": lambda: answers.find_evidence.read,
    "citelsp.verify": lambda: answers.verify_entries.command,
    "citelsp.overview": lambda: answers.overview.command,
}


def register(server: "Server") -> None:
    """Announce everything.  What a method needs is imported when it is first asked."""
    for feature in _FEATURES:
        server.feature(feature.method, feature.options)(_make_handler(feature))
    for name, handler in _COMMANDS.items():
        server.command(name)(_make_coroutine(handler))


def load() -> None:
    """Import what no session can do without."""
    from citelsp.server.answers import completion_items, diagnostics, lifecycle, verify_entries  # noqa: F401


def _make_handler(feature: Feature) -> Handler:
    """What pygls calls for a method: our handler, imported at its first use."""
    if feature.at_once:
        return _make_function(feature.handler)
    if feature.part:
        return _wrap_unless_offered(feature.part, _make_coroutine(feature.handler))
    return _make_coroutine(feature.handler)


def _make_coroutine(handler: AtFirstUse) -> Callable[["Server", Any], Awaitable[Any]]:
    """A coroutine function that imports the handler and awaits its answer."""

    # pygls looks at the annotations of what it is given: those of the handler would have to be imported for that.
    async def call(ls: Any, params: Any) -> object:  # noqa: ANN401
        return await handler()(ls, params)

    return call


def _make_function(handler: AtFirstUse) -> Handler:
    """The same as a plain function, for a handler that is none of the coroutines."""

    def call(ls: Any, params: Any) -> object:  # noqa: ANN401
        return handler()(ls, params)

    return call


def _wrap_unless_offered(
    part: "Part", handler: Callable[["Server", Any], Awaitable[Any]]
) -> Callable[["Server", Any], Awaitable[Any]]:
    """Wrap a handler so that it answers None in documents in which another program offers the same part.

    `part`: such as "definition".  The programs are those of the setting `beside`.
    """

    async def call(ls: Any, params: Any) -> object:  # noqa: ANN401
        from citelsp.features import neighbours
        from citelsp.syntax import languages

        path = ls.documents.path_of(params.text_document.uri)
        if neighbours.offer(ls.configuration.settings_of(path), part, languages.language_of_path(path)):
            return None
        return await handler(ls, params)

    return call
