"""The language server: what it holds between messages, and how it starts and ends."""

import logging
from typing import TYPE_CHECKING

from pygls.lsp.server import LanguageServer

import citelsp
from citelsp.server import from_lsp, handlers
from citelsp.server.jobs import Jobs
from citelsp.server.lines import Encoding
from citelsp.server.protocol import Protocol

if TYPE_CHECKING:
    from citelsp.server.buffers import OpenDocuments

logger = logging.getLogger(__name__)


class Server(LanguageServer):
    """pygls' server with the open documents, the running tasks and what has been learnt."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("citelsp", citelsp.__version__, protocol_cls=Protocol)
        self.jobs = Jobs()

    @property
    def documents(self) -> "OpenDocuments":
        return self.protocol.documents

    @property
    def encoding(self) -> Encoding:
        return from_lsp.encoding(self.server_capabilities)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Errors go to the log; a request's own error is in its answer."""
        logger.error("%s: %s", getattr(source, "__name__", source), error)


def create() -> Server:
    server = Server()
    handlers.register(server)
    return server


def run(server: Server, address: tuple[str, int] | None = None) -> int:
    """Serve one editor over standard input and output, or over TCP, until it says exit or hangs up.

    The exit status is that of LSP 3.17: 0 after a shutdown request, else 1.
    """
    if address:
        server.start_tcp(*address)
    else:
        server.start_io()
    return 0 if server.protocol.was_shut_down else 1
