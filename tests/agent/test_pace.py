"""How many questions an endpoint gets at once, as its answers come and fail."""

import asyncio
import time

import pytest

from citelsp.agent.pace import CLOCK, Clock, Pace
from virtual_time import virtual_time


async def places(pace, most=20):
    """How many of so many who come together have a place at once."""
    waiting = [pace.place() for _ in range(most)]
    asked = [asyncio.create_task(it.__aenter__()) for it in waiting]
    for _ in range(5):
        await asyncio.sleep(0)
    found = pace.asking
    for task in asked:
        task.cancel()
    for task, place in zip(asked, waiting, strict=True):
        if task.done() and not task.cancelled():
            await place.__aexit__(None, None, None)
    await asyncio.gather(*asked, return_exceptions=True)
    return found


def answers(pace, count, seconds):
    for _ in range(count):
        pace.answered(seconds)


async def test_a_new_endpoint_is_asked_by_one_at_a_time():
    assert await places(Pace()) == 1


async def test_as_answers_come_no_slower_more_ask_up_to_eight():
    pace, found = Pace(), []
    for width in (1, 2, 4, 8):
        answers(pace, width, 1.0)
        found.append(await places(pace))
    assert found == [2, 4, 8, 8]


async def test_where_more_at_once_bring_nothing_half_as_many_ask():
    pace = Pace()
    answers(pace, 1, 1.0)
    answers(pace, 2, 1.0)
    answers(pace, 4, 2.0)
    assert await places(pace) == 2


async def test_where_two_at_once_bring_nothing_one_asks():
    pace = Pace()
    answers(pace, 1, 1.0)
    answers(pace, 2, 9.0)
    assert await places(pace) == 1


@pytest.mark.parametrize(("seconds", "width"), [(1.4, 8), (1.6, 2)])
async def test_slower_is_half_as_long_again(seconds, width):
    pace = Pace()
    answers(pace, 3, 1.0)
    answers(pace, 4, seconds)
    assert await places(pace) == width


async def test_after_too_many_more_are_tried_only_when_eight_answers_came_for_each_place():
    pace = Pace()
    answers(pace, 3, 1.0)
    answers(pace, 4, 9.0)
    answers(pace, 15, 1.0)
    assert await places(pace) == 2
    answers(pace, 1, 1.0)
    assert await places(pace) == 4


async def test_an_endpoint_that_was_asked_too_much_is_asked_by_half_as_many_of_those_who_ask():
    pace = Pace()
    answers(pace, 7, 1.0)  # eight may ask
    for _ in range(3):
        await pace.place().__aenter__()
    pace.slower(0.0)
    assert pace.asking == 3
    pace._asking = 0  # all three have left
    assert await places(pace) == 2


@virtual_time
async def test_a_run_s_clock_stands_still_while_its_question_waits():
    async with asyncio.timeout(100) as limit:
        clock, due = Clock(limit), limit.when()
        for waited in (50, 100):
            with clock.stopped():
                assert limit.when() is None
                await asyncio.sleep(50)
            assert (clock.waited, limit.when()) == (pytest.approx(waited), pytest.approx(due + waited))
    async with asyncio.timeout(None) as limit:
        with Clock(limit).stopped():
            await asyncio.sleep(1)
        found = limit.when()
    assert found is None


@virtual_time
async def test_who_asks_waits_until_the_endpoint_may_be_asked_again_and_no_longer():
    pace, began = Pace(), time.monotonic()
    pace.slower(50)
    pace.slower(1)
    async with pace.place():
        assert time.monotonic() - began == pytest.approx(50)
        assert pace.asking == 1
    assert pace.asking == 0


@virtual_time
async def test_the_time_that_a_run_waits_for_its_turn_is_none_of_its_limit():
    pace = Pace()

    async def ask():
        async with asyncio.timeout(15) as limit:
            token = CLOCK.set(clock := Clock(limit))
            async with pace.place():
                await asyncio.sleep(10)
            CLOCK.reset(token)
        return round(clock.waited)

    assert await asyncio.gather(ask(), ask(), ask()) == [0, 10, 20]


@virtual_time
async def test_those_who_were_refused_together_make_it_slower_once():
    pace = Pace()
    answers(pace, 7, 1.0)  # eight may ask
    asking = [pace.place() for _ in range(8)]
    for it in asking:
        await it.__aenter__()
    for _ in range(3):
        pace.slower(5)
    for it in asking:
        await it.__aexit__(None, None, None)
    assert await places(pace) == 4
