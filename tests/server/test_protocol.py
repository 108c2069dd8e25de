import asyncio
import gc
import json

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from citelsp.server.create import create_server


def tasks():
    gc.collect()
    return sum(isinstance(it, asyncio.Task) for it in gc.get_objects())


async def test_notifications_leave_nothing_behind(young):
    server, before = create_server(), tasks()
    changed = types.DidChangeWatchedFilesNotification(types.DidChangeWatchedFilesParams([]))
    for _ in range(30):
        server.protocol.handle_message(changed)
        await asyncio.sleep(0)
    server.jobs.stop()
    await asyncio.sleep(0)
    assert tasks() < before + 10


def answered(answer):
    """What becomes of a request of the server's that the editor answers so."""
    protocol = create_server().protocol
    protocol.handle_message(types.InitializeRequest(1, types.InitializeParams(types.ClientCapabilities())))
    request = protocol.send_request_async("workspace/configuration", {"items": []}, 7)
    message = json.dumps({"jsonrpc": "2.0", "id": 7, **answer})
    protocol.handle_message(json.loads(message, object_hook=protocol.structure_message))
    return request


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ({"code": -32601, "message": "no such method"}, -32601, "no such method"),
        ({"code": "ENOENT", "message": "no such file"}, -32603, "no such file"),
        ({"code": -32601}, -32601, "the editor answered with an error: {'code': -32601}"),
        ("no", -32603, "the editor answered with an error: no"),
        ([], -32603, "the editor answered with an error: []"),
    ],
)
async def test_an_error_is_a_failure_whatever_its_shape(young, error, code, message):
    with pytest.raises(JsonRpcException) as failure:
        await answered({"error": error})
    assert (failure.value.code, failure.value.message) == (code, message)


async def test_a_result_beside_an_empty_error_is_a_result(young):
    [settings] = await answered({"result": [{"offline": True}], "error": None})
    assert settings == {"offline": True}
