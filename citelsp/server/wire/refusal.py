"""Errors that are answers: what was asked cannot be done, and that is no fault of the server."""

import logging

from pygls.exceptions import JsonRpcException

from citelsp.base.text import break_links

# LSP 3.17, ErrorCodes: RequestFailed, which editors show as it is.
_REQUEST_FAILED = -32803


class Refusal(JsonRpcException):
    """Sent to the editor as it is; not an exception for the log."""


def make_refusal(reason: str) -> Refusal:
    """The author reads the reason."""
    return Refusal(break_links(reason), code=_REQUEST_FAILED)


def keep_out_of_log() -> None:
    """pygls logs every error that a handler raises."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)


def _is_fault(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], Refusal))
