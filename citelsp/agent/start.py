"""From settings to runs: limits, the policy, one suggestion, or several works for one claim."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from citelsp.agent import program
from citelsp.agent.chat import Chat
from citelsp.agent.conclusion import chosen_works, combine
from citelsp.agent.environment import Environment
from citelsp.agent.loop import Journal, Policy, run_through
from citelsp.agent.model import Model
from citelsp.agent.rules import Rules
from citelsp.agent.steps import Limits
from citelsp.base.settings import Settings
from citelsp.knowledge import Suggestion

MOST = 5  # works for one claim

Maker = Callable[[], Policy]  # a policy serves one run


def read_limits(settings: Settings) -> Limits:
    own = settings.agent
    return Limits(own.turns, own.tokens, own.usd, own.seconds, own.requests)


def open_chat(settings: Settings) -> Chat | None:
    """Open the user's model; None if none is set, or if nothing may be sent.  Bound to one event loop; `aclose` it."""
    endpoint = settings.model
    return Chat(endpoint) if endpoint.base_url and endpoint.name and not settings.offline else None


def choose_policy(settings: Settings, chat: Chat | None) -> Maker:
    """Makes the policy of each run: the model's if there is one, else the rules."""
    if chat is None:
        return Rules
    own = settings.agent
    tuned = program.read_program(own.program)
    return lambda: Model(chat, program=tuned, titles=own.titles, searches=own.model == "search")


async def suggest(
    environment: Environment,
    settings: Settings,
    chat: Chat | None = None,
    *,
    known: Suggestion | None = None,
    most: int = 1,
    journal: Journal | None = None,
) -> Suggestion:
    """Suggest works for a place, best first; if one fits, up to `most` to be cited together.

    `chat`: the user's model; without it rules choose.  `known`: what was suggested for the place before, to which other
    works are added; `journal` writes the search down.
    """
    make = choose_policy(settings, chat)
    most_spent = read_limits(settings)
    return await suggest_several(environment, make, most_spent, known=known, most=most, journal=journal)


async def suggest_several(
    environment: Environment,
    make: Maker,
    limits: Limits,
    *,
    known: Suggestion | None = None,
    most: int = MOST,
    journal: Journal | None = None,
) -> Suggestion:
    """Suggest several works for one claim, at most `most`, in one or several runs, each of which looks for works.

    `make` makes the policy of a run, a model or rules.  A model names all works in one run, so nothing more is run if
    it chose.  Rules choose one work in each run, and run again without those chosen until nothing fits any more; they
    also go on if the model could not choose.  `known`: what earlier calls suggested for the place, to which works are
    added; if it has `most` already, it comes back as it is.  `limits` of time and cost hold for all runs of one call
    together, that of turns for each run.  `journal` writes the runs down.
    """
    earlier = [known] if known else []
    works = list(known.candidates) if known else []  # that were found so far: a model is shown them, rules search anew
    chosen = chosen_works(earlier)
    suggestions: list[Suggestion] = []
    while len(chosen) < most:
        remaining = remaining_limits(limits, suggestions)
        if not remaining:
            break
        place = environment.beside([it.record for it in chosen], works, most=most - len(chosen))
        # `undecided` says why a model could not choose, so that rules did.
        model_gave_way = bool(suggestions) and bool(suggestions[-1].undecided)
        policy = Rules() if model_gave_way else make()
        suggestion, run = await run_through(place, policy, remaining, journal=journal)
        suggestions.append(suggestion)
        works = run.desk.found()
        if suggestion.chosen:  # a model chose, and named all works that belong there
            break
        if not chosen_works([suggestion]):  # neither model nor rules chose a work: nothing more fits
            break
        chosen = chosen_works([*earlier, *suggestions])
    return combine([*earlier, *suggestions])


def remaining_limits(limits: Limits, found: Sequence[Suggestion]) -> Limits | None:
    """Return what the runs so far left of the limits; None if one is used up.

    A limit of 0 is none.  The limit of turns holds for each run anew.  `found`: what each run came to, with what it
    used.
    """
    spent = {name: sum(it.usage.get(name, 0) for it in found) for name in ("usd", "seconds", "requests")}
    spent["tokens"] = sum(it.usage.get("tokens_in", 0) + it.usage.get("tokens_out", 0) for it in found)
    remaining: dict[str, Any] = {}
    for name, used in spent.items():
        limit = getattr(limits, name)
        if limit and limit <= used:
            return None
        if limit:
            # Tokens and requests stay whole numbers.  Nothing is cut to 0, which would be no limit: seconds and USD are
            # floats in the settings, and of the others only whole numbers are used.
            remaining[name] = type(limit)(limit - used)
    return replace(limits, **remaining)
