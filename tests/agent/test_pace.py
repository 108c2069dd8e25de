"""How many questions an endpoint gets at once, as its answers come and fail."""

import asyncio

import pytest

from citelsp.agent.pace import Pace


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
