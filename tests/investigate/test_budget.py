import asyncio

import pytest

from citelsp.agent.chat import Refused, Reply
from citelsp.agent.steps import Limits, Usage
from citelsp.investigate.budget import UNPRICED, Budget, Metered
from virtual_time import virtual_time


class Model:
    """Answers after a moment, for so many tokens and so much money."""

    def __init__(self, tokens=100, usd=0.01, delay=0.0):
        self.cost, self.delay = Usage(tokens, usd=usd, calls=1), delay
        self.now = self.most = 0

    async def ask(self, *_):
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(self.delay)
        self.now -= 1
        return Reply("yes", self.cost)


async def asked(count, budget, model, seconds=0.0):
    limits = Limits(seconds=seconds)
    return await asyncio.gather(*(Metered(model, limits, budget).ask([], None) for _ in range(count)))


def refusals(found):
    return [it.why for it in found if isinstance(it, Refused)]


@pytest.mark.parametrize(
    ("budget", "answered", "why"),
    [
        (Budget(), 9, ""),
        (Budget(tokens=900), 9, ""),
        (Budget(tokens=899), 8, "the limit of 899 tokens for all claims does not allow another"),
        (Budget(tokens=50), 1, "the limit of 50 tokens for all claims does not allow another"),
        (Budget(usd=0.055), 5, "the limit of 0.055 USD for all claims does not allow another"),
        (Budget(tokens=300, usd=0.055), 3, "the limit of 300 tokens for all claims does not allow another"),
    ],
)
async def test_all_claims_together_stay_below_the_limit_and_come_near_it(budget, answered, why):
    model = Model()
    found = await asked(9, budget, model)
    assert refusals(found) == [why] * (9 - answered)
    assert budget.spent.tokens_in == 100 * answered
    assert model.most == (9 if answered == 9 and not budget.tokens else min(max(1, answered - 1), 8))


async def test_money_that_nobody_counts_is_not_spent_on():
    assert refusals(await asked(3, Budget(usd=1), Model(usd=0))) == [UNPRICED] * 2


async def test_a_question_broken_off_makes_room():
    budget, slow = Budget(tokens=1000), Model(delay=60)
    task = asyncio.ensure_future(asked(1, budget, slow))
    await asyncio.sleep(0)
    task.cancel()
    assert not refusals(await asked(2, budget, Model()))


@virtual_time
async def test_waiting_for_others_is_no_time_of_ones_own():
    assert not refusals(await asked(2, Budget(tokens=1000), Model(delay=0.3), 0.5))
    assert refusals(await asked(1, Budget(), Model(delay=1), 0.05)) == ["the limit of 0.05 seconds was reached"]


async def test_a_claim_asks_no_further_once_its_own_limit_is_reached():
    metered = Metered(Model(), Limits(tokens=150, usd=0), Budget())
    replies = [await metered.ask([], None) for _ in range(3)]
    assert refusals(replies) == ["the limit of 150 tokens was reached"]
