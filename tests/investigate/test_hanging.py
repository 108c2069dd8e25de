"""Fifty questions that nobody answers: the event loop stays free, and cancelling ends them all at once."""

import asyncio
import math
import time

from citelsp.base.settings import SERVICES, Service
from citelsp.investigate import insert
from citelsp.sources.ask_services import Sources
from function_network import Web, local


async def test_fifty_hanging_questions(tmp_path):
    keyed = {name: Service(base_url=f"http://127.0.0.1/{name}", key="k") for name in SERVICES}
    reached = asyncio.Event()

    async def hang():
        reached.set()
        await asyncio.Event().wait()

    sources = Sources(local(services=keyed), directory=tmp_path, transport=Web(lambda _: hang()))
    questions = [asyncio.create_task(insert.find_all([f"A Title Number {it}"], sources)) for it in range(50)]
    await reached.wait()
    used = math.inf
    async with asyncio.timeout(60):  # for all of them to hang
        while used >= 0.016:
            began = time.thread_time()
            await asyncio.sleep(0.2)
            used = time.thread_time() - began
    began = time.process_time()
    for it in questions:
        it.cancel()
    await asyncio.wait(questions)
    assert time.process_time() - began < 0.1
    assert all(it.cancelled() for it in questions)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await sources.aclose()
