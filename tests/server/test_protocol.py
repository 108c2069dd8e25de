import asyncio
import gc

from lsprotocol import types

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
