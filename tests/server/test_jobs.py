import asyncio
import gc
import weakref

from citelsp.server.jobs import Jobs, progress
from citelsp.server.state import garbage
from virtual_time import virtual_time


async def test_the_newest_job_of_a_name_runs_alone(young):
    done, jobs, finished = [], Jobs(), asyncio.Event()

    async def work(name):
        done.append(name)
        finished.set()

    for name in "abc":
        jobs.later("check", 0, lambda name=name: work(name))
    await finished.wait()
    gc.collect(1)  # work that never began must be closed, or its destructor complains
    assert done == ["c"]


async def test_stopping_leaves_nothing_behind(young):
    jobs = Jobs()
    jobs.later("check", 60, lambda: asyncio.Event().wait())
    jobs.stop()
    await asyncio.sleep(0)
    gc.collect(1)
    assert asyncio.all_tasks() == {asyncio.current_task()}


@virtual_time
async def test_jobs_wait_while_the_author_does_something():
    jobs, finished = Jobs(), asyncio.Event()

    async def work():
        finished.set()

    jobs.later("check", 0.2, work)
    for _ in range(6):
        await asyncio.sleep(0.05)
        jobs.stir()
        assert not finished.is_set()
    with jobs.awaited():
        await asyncio.sleep(0.25)
        assert not finished.is_set()
    await asyncio.wait_for(finished.wait(), 0.3)


class SilentEditor:
    async def create_async(self, _token):
        await asyncio.Event().wait()


@virtual_time
async def test_work_does_not_wait_for_an_editor_that_never_answers():
    async with asyncio.timeout(10), progress(SilentEditor(), "Checking", shown=True) as report:
        report("half of it", 0.5)


class Circle:
    def __init__(self):
        self.itself = self


def old_garbage():
    """What nobody needs from now on; young garbage is found while the author types."""
    circle = Circle()
    gc.collect()
    return weakref.ref(circle)


@virtual_time
async def test_garbage_waits_until_the_author_rests(young):
    jobs, seen = Jobs(), old_garbage()
    collecting = asyncio.ensure_future(garbage.collect(jobs, rhythm=180, rest=3))
    with jobs.awaited():
        await asyncio.sleep(700)
        assert seen() is not None
    await asyncio.sleep(2)
    jobs.stir()
    await asyncio.sleep(2)
    assert seen() is not None
    await asyncio.sleep(2)
    assert seen() is None
    collecting.cancel()


@virtual_time
async def test_garbage_of_an_author_who_never_rests_is_collected_all_the_same(young):
    jobs, seen = Jobs(), old_garbage()
    collecting = asyncio.ensure_future(garbage.collect(jobs, rhythm=180, rest=3))
    with jobs.awaited():
        await asyncio.sleep(180 + 900 + 3)
        assert seen() is None
    collecting.cancel()


@virtual_time
async def test_garbage_is_not_looked_for_where_nothing_was_done(young):
    jobs, seen = Jobs(), old_garbage()
    await asyncio.sleep(181)
    collecting = asyncio.ensure_future(garbage.collect(jobs, rhythm=180, rest=0))
    await asyncio.sleep(1000)
    assert seen() is not None
    collecting.cancel()
