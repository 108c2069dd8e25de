"""The language server: what it holds between messages.

Whatever is not needed to answer `initialize` is imported when it is first used.
"""

import logging
from functools import cached_property
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import citelsp
from citelsp.base.text import break_links
from citelsp.server.jobs import Jobs
from citelsp.server.protocol import Protocol
from citelsp.server.wire import client, refusal

if TYPE_CHECKING:
    from citelsp.base.parse_cache import ParseCache
    from citelsp.bibliography.completion_search.libraries import Libraries
    from citelsp.knowledge import Knowledge
    from citelsp.server.state.configuration import Configuration
    from citelsp.server.state.endpoints import Endpoints
    from citelsp.server.state.findings import Findings
    from citelsp.server.state.in_flight import Asking
    from citelsp.server.state.knowledge_limits import Learnt
    from citelsp.server.state.lists import Corpora, Listed
    from citelsp.server.state.offered_actions import Offered
    from citelsp.server.state.online import Online
    from citelsp.server.state.presence import Presence
    from citelsp.server.state.printed_references import PrintedReferences
    from citelsp.server.state.projects import Projects
    from citelsp.server.state.shown_works import ShownWorks
    from citelsp.server.wire.documents import OpenDocuments
    from citelsp.server.wire.text_positions import Encoding

logger = logging.getLogger(__name__)


class Server(LanguageServer):
    """pygls' server with the projects, the running tasks and what has been learnt."""

    protocol: Protocol

    def __init__(self) -> None:
        """Say which cells of notebooks the editor is to send, and make the server's state, still empty.

        Nothing is known of the editor before its first request, `initialize`, which fills `initial` and `client`.
        """
        # Markdown and raw text may cite; code may not.
        cells = [types.NotebookCellLanguage(language=it) for it in ("markdown", "raw")]
        notebooks = types.NotebookDocumentSyncOptions(
            [types.NotebookDocumentFilterWithCells(cells=cells, notebook="jupyter-notebook")], save=True
        )
        super().__init__("citelsp", citelsp.__version__, protocol_cls=Protocol, notebook_document_sync=notebooks)
        self.client = client.EditorClient()
        self.same_machine = True  # the editor runs on this machine; over a socket it may run on another
        self.initial = types.InitializeParams(types.ClientCapabilities())
        self.jobs = Jobs()
        # Bibliographies that another program may export anew, by path, with that to which new entries go instead: the
        # author was asked, and chose the same one or another.
        self.chosen_targets: dict[str, str] = {}
        self.shown: set[str] = set()  # URIs of the documents whose findings were sent
        # Weak references to the bibliographies whose titles a model on this machine has read last: only compared.
        self.near_of: tuple[object, ...] = ()
        self.prepared: set[str] = set()  # URIs of open documents for which all that completion needs was read ahead

    @cached_property
    def configuration(self) -> "Configuration":
        from citelsp.server.state.configuration import Configuration

        return Configuration()

    @cached_property
    def documents(self) -> "OpenDocuments":
        from citelsp.server.wire.documents import OpenDocuments

        return OpenDocuments()

    @cached_property
    def projects(self) -> "Projects":
        from citelsp.server.state.projects import Projects

        return Projects(self.documents, self.parse_cache)

    @cached_property
    def parse_cache(self) -> "ParseCache":
        """Of what was read of large bibliographies."""
        from citelsp.base.parse_cache import FOLDER, ParseCache
        from citelsp.base.user_places import cache_directory

        return ParseCache(cache_directory() / FOLDER)

    @cached_property
    def knowledge(self) -> "Knowledge":
        from citelsp.knowledge import Knowledge

        return Knowledge()

    @cached_property
    def learnt(self) -> "Learnt":
        from citelsp.server.state.knowledge_limits import Learnt

        return Learnt()

    @cached_property
    def libraries(self) -> "Libraries":
        from citelsp.bibliography.completion_search.libraries import Libraries

        return Libraries(self.parse_cache)

    @cached_property
    def lists(self) -> "Listed":
        from citelsp.server.state.lists import Listed

        return Listed()

    @cached_property
    def shown_works(self) -> "ShownWorks":
        from citelsp.server.state.shown_works import ShownWorks

        return ShownWorks()

    @cached_property
    def zotero(self) -> "Presence":
        from citelsp.server.state.presence import Presence

        return Presence()

    @cached_property
    def library(self) -> "Presence":
        """When Zotero's library was looked at last."""
        from citelsp.server.state.presence import Presence

        return Presence()

    @cached_property
    def remote(self) -> "Presence":
        """When bibliographies at addresses were asked for last."""
        from citelsp.server.state.presence import Presence

        return Presence()

    @cached_property
    def findings(self) -> "Findings":
        from citelsp.server.state.findings import Findings

        return Findings(self.jobs)

    @cached_property
    def corpora(self) -> "Corpora":
        from citelsp.server.state.lists import Corpora

        return Corpora()

    @cached_property
    def endpoints(self) -> "Endpoints":
        from citelsp.server.state.endpoints import Endpoints

        return Endpoints(self.warn)

    @cached_property
    def offered(self) -> "Offered":
        from citelsp.server.state.offered_actions import Offered

        return Offered()

    @cached_property
    def online(self) -> "Online":
        from citelsp.server.state.online import Online

        return Online(self.inform)

    @cached_property
    def printed(self) -> "PrintedReferences":
        from citelsp.server.state.printed_references import PrintedReferences

        return PrintedReferences(self.jobs)

    @cached_property
    def asking(self) -> "Asking":
        from citelsp.server.state.in_flight import Asking

        return Asking()

    @property
    def encoding(self) -> "Encoding":
        from citelsp.server.wire.documents import encoding

        return encoding(self.server_capabilities)

    def inform(self, text: str) -> None:
        """Show the author a message."""
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, break_links(text)))

    def warn(self, text: str) -> None:
        """Show the author a warning; the log says so too."""
        logger.warning("%s", text)
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, break_links(text)))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Errors go to the log; a request's own error is in its answer."""
        # A refusal is an answer, which the author has read by now.
        if not isinstance(error, refusal.Refusal):
            logger.error("%s: %s", getattr(source, "__name__", source), error)

    async def aclose(self) -> None:
        """End what the event loop holds, while it runs."""
        self.jobs.stop()
        await self.endpoints.keep(())
        await self.online.aclose()

    def shutdown(self) -> None:
        self.jobs.stop()
        self.findings.stop()
        self.projects.stop()
        super().shutdown()  # type: ignore[no-untyped-call]  # pygls has no annotation there
