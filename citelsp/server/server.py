"""The language server: what it holds between messages, and how it starts and ends.

Whatever is not needed to answer `initialize` is imported when it is first used.
"""

import logging
import sys
from functools import cached_property
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import citelsp
from citelsp.server import client, from_lsp, methods, refusal, transport
from citelsp.server.jobs import Jobs
from citelsp.server.protocol import Protocol

if TYPE_CHECKING:
    from citelsp.bibliography.library.index import Libraries
    from citelsp.knowledge import Knowledge
    from citelsp.server.actions import Offered
    from citelsp.server.configuration import Configuration
    from citelsp.server.endpoints import Endpoints
    from citelsp.server.findings import Findings
    from citelsp.server.lines import Encoding
    from citelsp.server.online import Online
    from citelsp.server.projects import Projects
    from citelsp.server.suggestions import Corpora
    from citelsp.server.verifying import Asking

logger = logging.getLogger(__name__)


class Server(LanguageServer):
    """pygls' server with the projects, the running tasks and what has been learnt."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("citelsp", citelsp.__version__, protocol_cls=Protocol)
        self.client = client.Client()
        self.initial = types.InitializeParams(types.ClientCapabilities())
        self.jobs = Jobs()
        self.shown: set[str] = set()  # URIs of the documents whose findings were sent

    @cached_property
    def configuration(self) -> "Configuration":
        from citelsp.server.configuration import Configuration

        return Configuration()

    @cached_property
    def projects(self) -> "Projects":
        from citelsp.server.projects import Projects

        return Projects(self.protocol.documents)

    @cached_property
    def knowledge(self) -> "Knowledge":
        from citelsp.knowledge import Knowledge

        return Knowledge()

    @cached_property
    def libraries(self) -> "Libraries":
        from citelsp.bibliography.library.index import Libraries

        return Libraries()

    @cached_property
    def findings(self) -> "Findings":
        from citelsp.server.findings import Findings

        return Findings(self.jobs)

    @cached_property
    def corpora(self) -> "Corpora":
        from citelsp.server.suggestions import Corpora

        return Corpora()

    @cached_property
    def endpoints(self) -> "Endpoints":
        from citelsp.server.endpoints import Endpoints

        return Endpoints(self)

    @cached_property
    def offered(self) -> "Offered":
        from citelsp.server.actions import Offered

        return Offered()

    @cached_property
    def online(self) -> "Online":
        from citelsp.server.online import Online

        return Online()

    @cached_property
    def asking(self) -> "Asking":
        from citelsp.server.verifying import Asking

        return Asking()

    @property
    def encoding(self) -> "Encoding":
        return from_lsp.encoding(self.server_capabilities)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Errors go to the log; a request's own error is in its answer."""
        if not isinstance(error, refusal.Refusal):
            logger.error("%s: %s", getattr(source, "__name__", source), error)

    def text_changed(self) -> None:
        """The author writes: what can wait does so, the findings come after a pause."""
        from citelsp.server import diagnostics

        self.jobs.stir()
        diagnostics.schedule(self)

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


def create() -> Server:
    server = Server()
    server.feature(types.INITIALIZE)(_initialize)
    methods.register(server)
    refusal.keep_out_of_log()
    return server


def run(server: Server, address: tuple[str, int] | None = None) -> int:
    """Serve one editor over standard input and output, or over TCP, until it says exit or hangs up.

    The exit status is that of LSP 3.17: 0 after a shutdown request, else 1.
    """
    if address:
        transport.listen(server, *address)
    else:
        transport.serve(server, sys.stdin.buffer, sys.stdout.buffer)
    return 0 if server.protocol.was_shut_down else 1


def _initialize(ls: Server, params: types.InitializeParams) -> None:
    ls.client = client.read(params.capabilities)
    ls.initial = params
