"""The protocol's own part of the work: text synchronisation, and messages that the generated types do not accept.

pygls is made for its `lsp_…` methods to be overridden.  Beyond those, `Protocol` overrides members as they were read in
pygls 2.1.1, of which four are private; CONTRIBUTING says what pygls would need for each to go.
"""

import asyncio
import json
import logging
from collections.abc import Generator
from contextvars import copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams, JsonRpcServerNotInitialized
from pygls.protocol import JsonRPCResponseMessage, LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from pygls.protocol.json_rpc import MessageCallback, MessageHandler, RPCMessage

    from citelsp.server.wire.documents import OpenDocuments

logger = logging.getLogger(__name__)

Steps = Generator[Any, Any, None]  # pygls runs what is yielded, then goes on


@dataclass(frozen=True, slots=True)
class WrittenResult:
    """A result that is JSON already."""

    json: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A request whose parameters have not the shape that the specification gives them."""

    id: int | str
    method: str
    jsonrpc: str = "2.0"


# Overridden: read these in a new pygls before the bound in pyproject.toml is raised.
OVERRIDDEN = (
    "structure_message",
    "send_request_async",
    "handle_message",
    "_send_response",
    "_serialize_message",
    "_execute_handler",
)
# Called or read, and private as well.
USED = ("_shutdown", "_request_futures", "_handle_notification", "_server")


class Protocol(LanguageServerProtocol):
    """pygls' protocol with the server's `documents` in the place of its own copies of the texts."""

    _server: Any  # ours, which imports this
    _greeted = False  # by the editor, with `initialize`

    @property
    def was_shut_down(self) -> bool:
        return self._shutdown

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Announce what pygls does, less the formatting that is registered for bibliographies alone, afterwards."""
        result = yield from super().lsp_initialize(params)
        if self._server.client.formatting_by_document:
            result.capabilities.document_formatting_provider = None
            result.capabilities.document_range_formatting_provider = None
        return result

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Steps:
        from citelsp.server.wire.documents import open_document

        buffer = open_document(self._server.documents, params.text_document)
        self._server.projects.opened(buffer)
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Change the buffer, have the worker thread change its copy before its next answer, and run our handler.

        A document that is not open is left alone.
        """
        from citelsp.server.wire.documents import apply_changes

        documents: OpenDocuments = self._server.documents
        buffer = documents.get(documents.path_of(params.text_document.uri))
        if buffer is None:
            logger.warning("a change of %s, which is not open", params.text_document.uri)
            return
        for change in apply_changes(buffer, params, self._server.encoding):
            self._server.projects.changed(buffer, change)
        self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE](params)  # our handler, where pygls registered it

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Drop the buffer, if there is one, and run our handler in any case: it only has findings sent anew."""
        documents: OpenDocuments = self._server.documents
        path = documents.path_of(params.text_document.uri)
        if documents.get(path):
            documents.close(path)
            self._server.projects.closed(path)
        self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE](params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: types.DidOpenNotebookDocumentParams) -> Steps:
        """A notebook is its cells, each a document of its own."""
        for cell in params.cell_text_documents:
            yield from self.lsp_text_document__did_open(types.DidOpenTextDocumentParams(cell))

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, params: types.DidChangeNotebookDocumentParams) -> Steps:
        """Close the cells that went, open those that came, then change texts; without `cells` only outputs changed.

        It is a generator, as opening a document is one: pygls runs the steps that are yielded.
        """
        cells = params.change.cells
        if cells is None:
            return
        structure = cells.structure
        if structure:
            for closed in structure.did_close or ():
                self.lsp_text_document__did_close(types.DidCloseTextDocumentParams(closed))
            for opened in structure.did_open or ():
                yield from self.lsp_text_document__did_open(types.DidOpenTextDocumentParams(opened))
        for content in cells.text_content or ():
            changes = types.DidChangeTextDocumentParams(content.document, content.changes)
            self.lsp_text_document__did_change(changes)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, params: types.DidCloseNotebookDocumentParams) -> None:
        for cell in params.cell_text_documents:
            self.lsp_text_document__did_close(types.DidCloseTextDocumentParams(cell))

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pygls also runs coroutines
        self, params: types.ExecuteCommandParams
    ) -> object:
        """Commands get their arguments as they are, in one list."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command}")
        return await handler(params.arguments or [])

    def prepare(self) -> None:
        """Read a keystroke that never was: what reads one is written at the first, which would take as long again."""
        place = {"line": 0, "character": 0}
        changes = [{"range": {"start": place, "end": place}, "text": ""}]
        params = {"textDocument": {"uri": "", "version": 0}, "contentChanges": changes}
        self.structure_message({"jsonrpc": self.VERSION, "method": types.TEXT_DOCUMENT_DID_CHANGE, "params": params})

    def structure_message(self, data: dict[str, Any]) -> object:
        """Make an object of the protocol from a message in JSON, as pygls does, which fails if a member is malformed.

        Here a malformed request becomes `Malformed`, to be answered with an error.  Of a malformed response the result
        is kept as it came, and an error stays an error, of which is read what can be.  A notification still raises:
        nobody waits for an answer to it.

        This is called with each JSON object within a message, the innermost first; only the message has "jsonrpc".
        """
        if "jsonrpc" not in data:
            return data
        # Some clients write `"error": null` beside a result, which pygls would take for a failure and drop the result.
        if data.get("error", "none") is None:
            data = {name: member for name, member in data.items() if name != "error"}
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "id" not in data:
                raise
            if "method" in data:
                return Malformed(data["id"], str(data["method"]))
            if "error" in data:
                return types.ResponseErrorMessage(data["id"], _read_error(data["error"]), data["jsonrpc"])
            return JsonRPCResponseMessage(data["id"], data["jsonrpc"], data.get("result"))

    def _send_response(
        self, msg_id: int | str, result: object = None, error: types.ResponseError | None = None
    ) -> None:
        """Send as pygls does, but what is JSON already goes out as it is."""
        if isinstance(result, WrittenResult) and self.writer:
            body = f'{{"id": {json.dumps(msg_id)}, "jsonrpc": "{self.VERSION}", "result": {result.json}}}'.encode()
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        else:
            super()._send_response(msg_id, result, error)

    def _serialize_message(self, data: object) -> dict[str, Any]:
        """Serialise as pygls does, but mappings in answers and notifications are as JSON has them: none is walked."""
        result = getattr(data, "result", None)
        if isinstance(result, dict):
            return {"id": getattr(data, "id", None), "jsonrpc": self.VERSION, "result": result}
        params = getattr(data, "params", None)
        is_notification = not hasattr(data, "id")
        if isinstance(params, dict) and is_notification:
            return {"method": getattr(data, "method", ""), "jsonrpc": self.VERSION, "params": params}
        return super()._serialize_message(data)

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: "MessageHandler",
        callback: "MessageCallback",
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Execute a handler as pygls does, but forget its future once it is done, also that of a notification.

        pygls keeps the future of a notification, such as that a document was opened, for ever.  It is forgotten only in
        the next turn of the loop: when it shuts down, pygls goes through the futures and cancels them, and one that is
        removed meanwhile would break that.
        """
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future:
            forget = self._request_futures.pop
            loop = asyncio.get_running_loop()
            future.add_done_callback(lambda _: loop.call_soon(forget, msg_id, None))

    def send_request_async(
        self, method: str, params: object = None, msg_id: str | int | None = None
    ) -> "asyncio.Future[Any]":
        """A task that stops waiting leaves the request as it is: its answer will still come."""
        return asyncio.shield(super().send_request_async(method, params, msg_id))

    def handle_message(self, message: "RPCMessage | Malformed") -> None:
        """Handle a message as pygls does, with three differences.

        A malformed request is answered with an error.  A change of a document is recognised by its class: pygls
        compares members, which takes as long as the handling.  Before `initialize` requests are refused and
        notifications dropped, except `exit`, as nothing is known yet of the editor's paths and encoding.
        """
        if isinstance(message, Malformed):
            is_in_turn = self._greeted or message.method == types.INITIALIZE
            error = JsonRpcInvalidParams() if is_in_turn else JsonRpcServerNotInitialized()
            self._send_response(message.id, error=error.to_response_error())
            return
        method = getattr(message, "method", "")
        self._greeted = self._greeted or method == types.INITIALIZE  # from the first `initialize` on
        if not self._greeted and method != types.EXIT:
            number = getattr(message, "id", None)
            if number is not None and method:  # a request
                self._send_response(number, error=JsonRpcServerNotInitialized().to_response_error())
        elif isinstance(message, types.DidChangeTextDocumentNotification) and not self._shutdown:
            copy_context().run(self._handle_notification, message.method, message.params)  # as pygls runs it
        else:
            super().handle_message(message)


def _read_error(sent: object) -> types.ResponseError:
    """Read the code and the message of an editor's error; for one that is missing or malformed a general one stands."""
    members = sent if isinstance(sent, dict) else {}
    code = members.get("code")
    message = members.get("message")
    return types.ResponseError(
        code=code if isinstance(code, int) else JsonRpcInternalError.CODE,
        message=message if isinstance(message, str) else f"the editor answered with an error: {sent}",
    )
