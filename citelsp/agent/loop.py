"""The loop: a policy proposes, actions are carried out, and limits hold."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol

from citelsp.agent import calls, rules
from citelsp.agent.conclusion import conclude
from citelsp.agent.environment import Desk, Environment
from citelsp.agent.pace import CLOCK, Clock
from citelsp.agent.run import Run
from citelsp.agent.steps import Action, Limits, Observation, Step, Turn, Usage
from citelsp.knowledge import Suggestion

Perform = Callable[[Environment, Desk, Action], Awaitable[Observation]]


class Policy(Protocol):
    name: str

    async def propose(self, run: Run) -> Turn: ...


class Journal(Protocol):
    """Who writes a run down while it happens."""

    def begin(self, run: Run, policy: str) -> None: ...
    def step(self, step: Step) -> None: ...
    def end(self, stopped: str, suggestion: Suggestion) -> None: ...


async def find_works(
    environment: Environment,
    policy: Policy,
    limits: Limits = Limits(),  # noqa: B008  a frozen value
    *,
    perform: Perform = calls.perform,
    journal: Journal | None = None,
) -> Suggestion:
    """As `run_through`, without the run."""
    return (await run_through(environment, policy, limits, perform=perform, journal=journal))[0]


async def run_through(
    environment: Environment,
    policy: Policy,
    limits: Limits = Limits(),  # noqa: B008  a frozen value
    *,
    perform: Perform = calls.perform,
    journal: Journal | None = None,
) -> tuple[Suggestion, Run]:
    """Let a policy look for works to cite at a place; return them, best first, and the run, which is all that happened.

    The policy, a model or rules, proposes actions, `perform` carries them out, and `journal` (if any) writes them down,
    until the policy selects works or gives up.  If it cannot go on, or at a limit, rules decide on what was found, and
    the suggestion says why.  Each work comes with a quote: of its text if any of that was read, else its title.  Raises
    nothing but cancellation, which may come at any moment.
    """
    run = Run(environment, limits)
    began = time.monotonic()
    if journal:
        journal.begin(run, policy.name)
    stopped, waited = await _run_to_its_end(run, policy, limits, perform, journal)
    # A run that is replayed stops with the turn that ended it: then rules have decided already.
    if stopped and not run.ending:
        await _carry_out(run, replace(rules.decide(run), notice=stopped), perform, journal)
    suggestion = conclude(run, stopped)
    seconds = round(time.monotonic() - began - waited, 3)
    suggestion = replace(suggestion, usage={**suggestion.usage, "seconds": seconds})
    if journal:
        journal.end(stopped, suggestion)
    return suggestion, run


async def _run_to_its_end(
    run: Run, policy: Policy, limits: Limits, perform: Perform, journal: Journal | None
) -> tuple[str, float]:
    """Let the policy go on until it ends, cannot go on, or reaches a limit.

    Return why it did not end by itself, "" if it did; and the seconds that it waited for its turn at the model's
    endpoint.  They do not count to the limit of seconds: `Pace.place` finds the run's clock in CLOCK and stops it.
    """
    stopped = ""
    clock = None
    try:
        async with asyncio.timeout(limits.seconds or None) as limit:
            clock = Clock(limit)
            token = CLOCK.set(clock)
            try:
                while not run.ending and not stopped:
                    stopped = limits.reached(len(run.steps), run.usage)
                    if not stopped:
                        stopped = await _advance(run, policy, perform, journal)
            finally:
                CLOCK.reset(token)
    except TimeoutError:
        stopped = f"the limit of {limits.seconds:g} seconds was reached"
    return stopped, clock.waited if clock else 0.0


async def _advance(run: Run, policy: Policy, perform: Perform, journal: Journal | None) -> str:
    """Let the policy make one turn, and carry it out; return why it cannot go on, "" if it can."""
    turn = await policy.propose(run)
    await _carry_out(run, turn, perform, journal)
    return turn.failed


async def _carry_out(run: Run, turn: Turn, perform: Perform, journal: Journal | None) -> None:
    """Do what a turn says, all at once; its works get their names in the order of the actions."""
    run.usage = run.usage.plus(turn.usage)
    observations = await asyncio.gather(*(perform(run.environment, run.desk, it) for it in turn.actions))
    run.desk.name([it.works for it in observations])
    step = Step(turn, tuple(_lay_on_desk(run.desk, it) for it in observations))
    run.usage = run.usage.plus(Usage(requests=sum(it.requests for it in observations)))
    run.steps.append(step)
    if journal:
        journal.step(step)


def _lay_on_desk(desk: Desk, seen: Observation) -> Observation:
    """Lay the works and passages of an observation on the desk; return it with the handles of its works."""
    handles = desk.lay(seen.works)
    if seen.action.name == "select" and not (seen.about or seen.problem) and handles:
        seen = replace(seen, about=handles[0])  # a work that was named by its title, and found
    if seen.about in desk.works:
        desk.read(seen.about, seen.passages)
    return seen.on_desk(handles)
