"""A server with everything that it announces and answers."""

import asyncio
from dataclasses import replace

from lsprotocol import types

from citelsp.server import methods
from citelsp.server.server import Server
from citelsp.server.wire import client, refusal


def create_server() -> Server:
    server = Server()
    server.feature(types.INITIALIZE)(_initialize)
    methods.register(server)
    refusal.keep_out_of_log()
    return server


def _initialize(ls: Server, params: types.InitializeParams) -> None:
    """Learn what the editor can do; read no settings yet, as it waits for the answer."""
    ls.client = replace(client.read(params.capabilities, params.client_info), same_machine=ls.same_machine)
    ls.initial = params
    if not ls.client.pulls:  # what is not announced is not asked for: all findings are sent
        ls.protocol.fm.features.pop(types.TEXT_DOCUMENT_DIAGNOSTIC, None)
    asyncio.get_running_loop().call_soon(methods.load)  # while the editor reads the answer
