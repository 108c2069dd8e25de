"""What judging many claims may cost: each within its own limits, and all of them together."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from citelsp.agent.chat import Chat, Message, Refused, Reply, Shape
from citelsp.agent.steps import Limits, Usage

UNPRICED = (
    "the model's price is unknown, so USD cannot be limited: set model.price_in and model.price_out, or use --tokens"
)


@dataclass
class Budget:
    """Tokens, read and written, and USD for all claims together; 0 means no limit.

    A question is put only if there is room for all that are under way and one more, were each as dear as the
    dearest so far; until one has been answered they are put one by one.
    """

    tokens: int = 0
    usd: float = 0.0
    spent: Usage = field(default_factory=Usage)
    _dearest: tuple[int, float] = (0, 0.0)  # tokens and USD of a question
    _running: int = 0
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def put(self, question: Callable[[], Awaitable[Reply | Refused]]) -> Reply | Refused:
        """Put a question to the model once the budget has room for it, and return the answer.

        `question` is called to begin.  As long as others are under way, it waits for room: they may cost less than
        was reckoned.  Refused if there is no room and none is under way.
        """
        why_not = self._say_why_not()
        while why_not and self._running:
            await self._ended.wait()
            why_not = self._say_why_not()
        if why_not:
            return Refused(why_not)
        self._running += 1
        usage = Usage(calls=1)  # what is noted if the question is cancelled or fails
        try:
            reply = await question()
            usage = reply.usage
            return reply
        finally:
            self._running -= 1
            self._note_cost(usage)  # and let those that wait look again

    def _note_cost(self, usage: Usage) -> None:
        """Note what a question cost, and wake those that wait for one to end."""
        tokens, usd = self._dearest
        self.spent = self.spent.plus(usage)
        self._dearest = max(tokens, usage.tokens_in + usage.tokens_out), max(usd, usage.usd)
        self._ended.set()
        self._ended = asyncio.Event()

    def _say_why_not(self) -> str:
        """Say why no other question may be put now; "" if one may.

        Each question under way, and this one, is reckoned at the cost of the dearest so far.  Before any cost is known
        questions are put one at a time.
        """
        has_limits = bool(self.tokens or self.usd)
        if not has_limits:
            return ""
        tokens_of_dearest, usd_of_dearest = self._dearest
        if not tokens_of_dearest:
            return "the cost of a question is not known yet" if self._running else ""
        if self.usd and not usd_of_dearest:  # tokens were spent, yet no money: the price is not known
            return UNPRICED
        questions = self._running + 1
        tokens_needed = self.spent.tokens_in + self.spent.tokens_out + questions * tokens_of_dearest
        usd_needed = self.spent.usd + questions * usd_of_dearest
        limit = ""
        if 0 < self.tokens < tokens_needed:
            limit = f"{self.tokens:,} tokens"
        elif 0 < self.usd < usd_needed:
            limit = f"{self.usd:g} USD"
        return f"the limit of {limit} for all claims does not allow another" if limit else ""


class Metered:
    """The model as one claim may ask it: refuses once the claim's own limits are reached, or those of all claims."""

    def __init__(self, chat: Chat, limits: Limits, budget: Budget) -> None:
        """The claim's seconds begin now."""
        self._chat = chat
        self._limits = limits
        self._budget = budget
        self._spent = Usage()
        self._ends = time.monotonic() + limits.seconds

    async def ask(self, messages: Sequence[Message], shape: Shape) -> Reply | Refused:
        """Ask the model, as `Chat.ask` does; refused if a limit of this claim or of all claims is reached.

        The time that the question waits for those of other claims does not count against this claim.
        """
        asked_at = time.monotonic()

        async def ask_now() -> Reply | Refused:  # called when the waiting is over
            self._ends += time.monotonic() - asked_at  # this claim's time ends later by what it waited
            return await self._ask_in_time(messages, shape)

        # A claim has no turns, and so 0 of them; its seconds are looked at in `_ask_in_time`.
        limit_reached = self._limits.reached(0, self._spent)
        if limit_reached:
            return Refused(limit_reached)
        reply = await self._budget.put(ask_now)
        self._spent = self._spent.plus(reply.usage)
        return reply

    def usable(self, reply: Reply) -> None:
        self._chat.usable(reply)

    def lengthen(self, reply: Reply) -> None:
        self._chat.lengthen(reply)

    async def _ask_in_time(self, messages: Sequence[Message], shape: Shape) -> Reply | Refused:
        """The chat's answer; refused if it does not come before the claim's time is over, if that is limited."""
        seconds = self._limits.seconds
        left = self._ends - time.monotonic() if seconds else None
        try:
            async with asyncio.timeout(left):
                return await self._chat.ask(messages, shape)
        except TimeoutError:
            return Refused(f"the limit of {seconds:g} seconds was reached", usage=Usage(calls=1))
