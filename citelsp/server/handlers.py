"""One function a method of the protocol: from the editor's words to a feature and back."""

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from citelsp.server.server import Server


async def did_open(ls: "Server", params: types.DidOpenTextDocumentParams) -> None:
    pass


def register(server: "Server") -> None:
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
