"""The loop: a policy proposes, actions are carried out, limits hold, and what was found is ranked."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Protocol

from citelsp.agent import calls, quotes
from citelsp.agent.environment import Desk, Environment
from citelsp.agent.steps import Action, Limits, Observation, Step, Turn, Usage
from citelsp.knowledge import Candidate, Evidence, Suggestion

LISTED = 10  # candidates of a suggestion

Perform = Callable[[Environment, Desk, Action], Awaitable[Observation]]


@dataclass
class Run:
    """What a policy sees: the place, the desk, all steps so far."""

    environment: Environment
    limits: Limits
    desk: Desk = field(default_factory=Desk)
    steps: list[Step] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

    @property
    def turns_left(self) -> int:
        return self.limits.turns - len(self.steps) if self.limits.turns else 1000

    @property
    def ending(self) -> list[Observation]:
        """What the last step selected or gave up."""
        last = self.steps[-1].observations if self.steps else ()
        return [it for it in last if it.action.name in calls.ENDING and not it.problem]


class Policy(Protocol):
    name: str

    async def propose(self, run: Run) -> Turn: ...


class Journal(Protocol):
    """Who writes a run down while it happens."""

    def begin(self, run: Run, policy: str) -> None: ...
    def step(self, step: Step) -> None: ...
    def end(self, stopped: str, suggestion: Suggestion) -> None: ...


async def resolve(
    environment: Environment,
    policy: Policy,
    limits: Limits = Limits(),  # noqa: B008  a frozen value
    *,
    perform: Perform = calls.perform,
    journal: Journal | None = None,
) -> Suggestion:
    """Works for a place, best first, at most ten, each with a quote that stands in it.

    Ends when the policy selects or gives up, or at a limit: then with the best so far, abstained, the limit as reason.
    Raises nothing but cancellation, which may come at any moment.
    """
    run, began, stopped = Run(environment, limits), time.monotonic(), ""
    if journal:
        journal.begin(run, policy.name)
    try:
        async with asyncio.timeout(limits.seconds or None):
            while not run.ending and not stopped:
                stopped = limits.reached(len(run.steps), run.usage) or await _advance(run, policy, perform, journal)
    except TimeoutError:
        stopped = f"the limit of {limits.seconds:g} seconds was reached"
    suggestion = concluded(run, stopped)
    suggestion = replace(suggestion, usage={**suggestion.usage, "seconds": round(time.monotonic() - began, 3)})
    if journal:
        journal.end(stopped, suggestion)
    return suggestion


async def _advance(run: Run, policy: Policy, perform: Perform, journal: Journal | None) -> str:
    """One turn; why the policy cannot go on, or ""."""
    turn = await policy.propose(run)
    run.usage = run.usage.plus(turn.usage)
    found = await asyncio.gather(*(perform(run.environment, run.desk, it) for it in turn.actions))
    step = Step(turn, tuple(_laid(run.desk, it) for it in found))
    run.usage = run.usage.plus(Usage(requests=sum(it.requests for it in found)))
    run.steps.append(step)
    if journal:
        journal.step(step)
    return turn.failed


def _laid(desk: Desk, seen: Observation) -> Observation:
    """The observation with the handles of its works, once they and the passages lie on the desk."""
    if seen.about in desk.works:
        desk.read(seen.about, seen.passages)
    return seen.on_desk(desk.lay(seen.works))


def concluded(run: Run, stopped: str) -> Suggestion:
    """The suggestion of a run that ended: what was selected, in its order, then what else was found."""
    selected = [it for it in run.ending if it.about in run.desk.works] or _unquoted(run)
    first = {it.about: calls.chosen(run.desk, it) for it in selected}
    rest = [it for it in sorted(run.desk.works, key=lambda it: _worth(run.desk, it)) if it not in first]
    others = [run.desk.works[it] if not first else replace(run.desk.works[it], probability=None) for it in rest]
    listed = [*first.values(), *others][:LISTED]
    given_up = next((it.text for it in run.ending if it.action.name == "give_up"), "")
    notice = next((it.turn.notice for it in run.steps if it.turn.notice), "")
    usage = run.usage
    return Suggestion(
        candidates=tuple(_with_quote(run, it) for it in listed),
        abstained=bool(given_up) or not selected,
        reason="; ".join(filter(None, (given_up, stopped, notice))),
        usage={
            "turns": len(run.steps),
            "tokens_in": usage.tokens_in,
            "tokens_cached": usage.cached,
            "tokens_out": usage.tokens_out,
            "usd": round(usage.usd, 6),
            "requests": usage.requests,
            **({"estimated": 1} if usage.estimated else {}),
        },
    )


def combined(found: Sequence[Suggestion]) -> Suggestion:
    """One suggestion out of several for one claim, each made without what those before it chose.

    The chosen works come first, in the order of choice, `together` says how many; behind them what the first found.
    None is said to be more probable than one chosen before it: without that one each run shares out all anew.
    """
    chosen = _never_rising([it.candidates[0] for it in found if it.candidates and not it.abstained])
    if len(found) == 1 or not chosen:
        return found[0]
    names = {it.record.title for it in chosen}
    rest = (replace(it, probability=None) for it in found[0].candidates if it.record.title not in names)
    usage: dict[str, float] = {}
    for one in found:
        usage = {name: usage.get(name, 0) + it for name, it in one.usage.items()}
    return replace(found[0], candidates=tuple([*chosen, *rest][:LISTED]), usage=usage, together=len(chosen))


def _never_rising(chosen: Sequence[Candidate]) -> list[Candidate]:
    known = [it.probability for it in chosen if it.probability is not None]
    least = iter(accumulate(known, min))
    return [it if it.probability is None else replace(it, probability=next(least)) for it in chosen]


def _unquoted(run: Run) -> list[Observation]:
    """What was selected last with a quote that does not stand in it, where the run ended before it was mended."""
    tried = [seen for step in run.steps for seen in step.observations if seen.action.name == "select" and seen.about]
    return tried[-1:]


def _worth(desk: Desk, handle: str) -> tuple[float, float]:
    return -(desk.works[handle].probability or 0.0), -desk.seen.get(handle, 0.0)


def _with_quote(run: Run, candidate: Candidate) -> Candidate:
    """The candidate with one quote: its own, else the sentence of its text nearest to the place, or its title."""
    if candidate.evidence:
        return replace(candidate, evidence=candidate.evidence[:1])
    handle = run.desk.lay([candidate])[0]
    said = [it for it in run.desk.quotable(handle) if it.where != "title"]
    best = nearest_to_place(run.environment, said)
    title = Evidence(candidate.record.title, "title", candidate.record.source)
    return replace(candidate, evidence=(best[0] if best else title,))


def nearest_to_place(environment: Environment, said: Sequence[Evidence], count: int = 1) -> list[Evidence]:
    """The sentences that share most with the sentence around the place."""
    return quotes.nearest(environment.wanted, said, environment.rarity, count)
