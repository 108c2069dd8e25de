"""The beginning of a session: settings are read, and what runs in the background is started."""

from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.server.answers import file_changes, indexing, settings_changes
from citelsp.server.state import garbage
from citelsp.server.wire.documents import path_of
from citelsp.syntax import languages

if TYPE_CHECKING:
    from citelsp.server.server import Server


async def initialized(ls: "Server", _: types.InitializedParams) -> None:
    """Read the user's settings, warm up what reads keystrokes, and start the first jobs.

    Some of these tell or ask the editor something once, others run as long as the server does.  The editor sends this
    notice once, after it got the server's capabilities; `_` holds nothing.
    """
    initial = ls.initial  # what the editor said of itself in its first request
    # `beside`: other programs that the editor says it runs, such as another language server for the same files.
    ls.configuration.start(_list_folders(initial), initial.initialization_options, ls.client.beside)
    # The user's file alone first: the editor is asked in the job `settings`, and may take its time to answer.
    ls.configuration.read(())
    settings_changes.set_up(ls)
    ls.protocol.prepare()  # else the first keystroke would wait for what is set up at the first one
    ls.jobs.start("settings", settings_changes.load_settings(ls))
    ls.jobs.start("watch files", file_changes.watch_files(ls))
    ls.jobs.start("formatting", _register_formatting(ls))
    ls.jobs.start("watched papers", indexing.follow(ls))
    ls.jobs.start("garbage", garbage.collect(ls.jobs))


async def _register_formatting(ls: "Server") -> None:
    """Offer to lay out .bib files alone, if the editor can be told so.

    An editor that takes it for an offer to lay out manuscripts, too, wraps no paragraph by itself any more (Neovim's
    gq), or asks which of two programs shall format them (VS Code).
    """
    if not ls.client.formatting_by_document:
        return
    bibtex = languages.BIBTEX
    selector: list[types.DocumentFilter] = [
        types.TextDocumentFilterLanguage(language) for language in (*bibtex.endings, *bibtex.ids)
    ]
    selector.append(types.TextDocumentFilterPattern(f"**/*.{{{','.join(bibtex.endings)}}}"))
    options = types.DocumentFormattingRegistrationOptions(document_selector=selector)
    range_options = types.DocumentRangeFormattingRegistrationOptions(document_selector=selector)
    registrations = [
        types.Registration("formatting", types.TEXT_DOCUMENT_FORMATTING, options),
        types.Registration("range-formatting", types.TEXT_DOCUMENT_RANGE_FORMATTING, range_options),
    ]
    await ls.client_register_capability_async(types.RegistrationParams(registrations))


def _list_folders(params: types.InitializeParams) -> list[str]:
    """The workspace folders, or the one root that older editors send."""
    if params.workspace_folders:
        return [path_of(it.uri) for it in params.workspace_folders]
    if params.root_uri:
        return [path_of(params.root_uri)]
    return [params.root_path] if params.root_path else []
