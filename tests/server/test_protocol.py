import asyncio
import gc

from lsprotocol import types

from citelsp.server.server import create


def tasks():
    gc.collect(1)
    return sum(isinstance(it, asyncio.Task) for it in gc.get_objects())


async def test_notifications_leave_nothing_behind():
    server, before = create(), tasks()
    document = types.TextDocumentIdentifier("file:///nowhere/main.tex")
    for _ in range(30):
        closed = types.DidCloseTextDocumentParams(document)
        server.protocol.handle_message(types.DidCloseTextDocumentNotification(closed))
        await asyncio.sleep(0)
    server.jobs.stop()
    await asyncio.sleep(0)
    assert tasks() < before + 10
