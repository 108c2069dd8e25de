"""Policies that let rules search and read, and ask the model one thing: which of the works, if any, or their order."""

from dataclasses import replace
from pathlib import Path

from citelsp.agent import pick_by_number
from citelsp.agent.chat import Chat
from citelsp.agent.pick_by_number import Program
from citelsp.agent.rules import Rules
from citelsp.agent.run import Run
from citelsp.agent.steps import Action, Turn

_OFFERED = 10  # works
_NONE = "the model says that none of these works fits"


class Picking:
    """One run's policy.  If the model gives no usable answer, the rules decide, and the author is told."""

    name = "picking"

    def __init__(self, chat: Chat, program: Program | None = None) -> None:
        self._chat = chat
        self._program = program
        self._rules = Rules()

    async def propose(self, run: Run) -> Turn:
        turn = await self._rules.propose(run)
        handles = [str(it.arguments["id"]) for it in turn.actions if it.name == "select"][:_OFFERED]
        if not handles:
            return turn
        works = [run.desk.works[it] for it in handles]
        choice = await pick_by_number.pick(self._chat, run.environment, works, self._program)
        if choice.problem:
            return replace(turn, usage=choice.usage, notice=choice.problem)
        if choice.picked is None:
            give_up = Action("give_up", {"reason": choice.reasoning or _NONE})
            return Turn((*_unsure(handles), give_up), "the model picks none", usage=choice.usage)
        first = handles[next(at for at, it in enumerate(works) if it is choice.picked)]
        chosen = Action("select", {"id": first, "sure": choice.sure, "why": choice.reasoning})
        others = _unsure([it for it in handles if it != first])
        return Turn((chosen, *others), choice.reasoning, usage=choice.usage)


class Ordering:
    """One run's policy: the model orders what the rules found; that nothing fits, either of them may say."""

    name = "ordering"

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._rules = Rules()

    async def propose(self, run: Run) -> Turn:
        turn = await self._rules.propose(run)
        handles = [str(it.arguments["id"]) for it in turn.actions if it.name == "select"]
        if not handles:
            return turn
        works = [run.desk.works[it] for it in handles]
        found = await pick_by_number.rerank(self._chat, run.environment, works)
        if found.problem:
            return replace(turn, usage=found.usage, notice=found.problem)
        order = [handles[next(at for at, it in enumerate(works) if it is one)] for one in found.works]
        others = (it for it in turn.actions if it.name != "select")
        if not found.fits:
            give_up = Action("give_up", {"reason": _NONE})
            return Turn((*_unsure(order), give_up), "the model says that nothing fits", usage=found.usage)
        return Turn((*_unsure(order), *others), "the model orders what was found", usage=found.usage)


def _unsure(handles: list[str]) -> tuple[Action, ...]:
    """Selections without a probability: the model said none of these."""
    return tuple(Action("select", {"id": it}) for it in handles)


def program(path: str) -> Program | None:
    """The tuned program at a path; None if there is none, or it cannot be read."""
    try:
        return pick_by_number.load(Path(path).expanduser()) if path else None
    except (OSError, ValueError):
        return None
