"""From settings to runs: limits, the policy, one suggestion, or several works for one claim."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from citelsp.agent import trajectory
from citelsp.agent.chat import Chat
from citelsp.agent.environment import Environment
from citelsp.agent.loop import Journal, Policy, resolve
from citelsp.agent.model import Model
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Limits
from citelsp.knowledge import Candidate, Suggestion
from citelsp.settings import Settings

MOST = 5  # works for one claim

Maker = Callable[[], Policy]  # a policy serves one run


def limits(settings: Settings) -> Limits:
    said = settings.agent
    return Limits(said.turns, said.tokens, said.usd, said.seconds, said.requests)


def open_chat(settings: Settings) -> Chat | None:
    """The user's model; None where none is set, or where nothing may be sent.  Bound to one event loop; `aclose` it."""
    endpoint = settings.model
    return Chat(endpoint) if endpoint.base_url and endpoint.name and not settings.offline else None


def maker(settings: Settings, chat: Chat | None) -> Maker:
    """Makes the policy of each run: the model's where there is one, else the rules."""
    demonstration = settings.agent.demonstration
    return (lambda: Model(chat, demonstration=demonstration)) if chat else Rules


async def suggest(
    environment: Environment, settings: Settings, chat: Chat | None = None, *, folder: Path | None = None
) -> tuple[Suggestion, Path | None]:
    """Works for a place, and where the run was written down; `folder` is the user's state directory by default."""
    writer = trajectory.Writer(folder)
    policy = maker(settings, chat)()
    found = await resolve(environment, policy, limits(settings), journal=writer)
    return found, writer.path


async def several(
    environment: Environment,
    make: Maker,
    limits: Limits,
    *,
    most: int = MOST,
    journals: Callable[[], Journal | None] = lambda: None,
) -> Suggestion:
    """Several works for one claim: run again without those chosen until nothing fits any more, at most `most` times.

    The chosen works come first, in the order of choice; behind them what the first run found besides.
    """
    chosen: list[Candidate] = []
    usage: dict[str, float] = {}
    first: Suggestion | None = None
    reason = ""
    while len(chosen) < most:
        place = environment.without([it.record for it in chosen])
        found = await resolve(place, make(), limits, journal=journals())
        usage = {name: usage.get(name, 0) + it for name, it in found.usage.items()}
        first = first or found
        if found.abstained or not found.candidates:
            reason = found.reason
            break
        chosen.append(found.candidates[0])
    names = {it.record.title for it in chosen}
    others = [it for it in (first.candidates if first else ()) if it.record.title not in names]
    rest = (replace(it, probability=None) for it in others) if chosen else others
    return Suggestion((*chosen, *rest), not chosen, reason, usage=usage)
