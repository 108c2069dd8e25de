import asyncio
import gc

from lsprotocol import types

from citelsp.server.server import create


async def test_notifications_leave_nothing_behind():
    server = create()
    document = types.TextDocumentIdentifier("file:///nowhere/main.tex")
    for _ in range(30):
        closed = types.DidCloseTextDocumentParams(document)
        server.protocol.handle_message(types.DidCloseTextDocumentNotification(closed))
        await asyncio.sleep(0)
    server.jobs.stop()
    await asyncio.sleep(0)
    gc.collect()
    assert sum(isinstance(it, asyncio.Task) for it in gc.get_objects()) < 10
