"""From an action that a policy proposes to an observation: carried out, troubles put into words."""

import re
from collections.abc import Mapping
from dataclasses import replace

from citelsp.agent import actions, certainty
from citelsp.agent.environment import Answer, Desk, Environment
from citelsp.agent.plain import plain
from citelsp.agent.steps import Action, Observation
from citelsp.corpus.words import title_key
from citelsp.knowledge import Candidate
from citelsp.sources.shape import number

_HANDLE = re.compile(r"w?\s*#?(\d{1,4})", re.IGNORECASE)
_LONGEST_QUERY, _WHY = 400, 200  # characters
ENDING = frozenset({"select", "give_up"})


async def perform(environment: Environment, desk: Desk, action: Action) -> Observation:
    """Carry out one action.  Never raises but when cancelled: what is wrong stands in the observation."""
    written = {name: it for name, it in action.arguments.items() if isinstance(it, str)}
    handle, query = written.get("id", ""), " ".join(written.get("query", "").split())[:_LONGEST_QUERY]
    if action.name == "give_up":
        return Observation(action, text=plain(written.get("reason", ""), 500) or "nothing fits")
    if action.name == "select":
        if handle in desk.works:
            return Observation(action, about=handle)
        return _looked_up(action, handle, await actions.look_up(environment, handle))
    if action.name == "search" and not _is_new(desk, query):
        return Observation(action, problem="this was asked before and brings nothing new", refused=True)
    if action.name in actions.BY_LIMIT:
        return _seen(action, await actions.BY_LIMIT[action.name](environment, **_limit(action)))
    if action.name in actions.BY_WORDS and query:
        return _seen(action, await actions.BY_WORDS[action.name](environment, query))
    if action.name == "find_in_text" and handle in desk.works and query:
        return _seen(action, await actions.find_in_text(environment, desk.works[handle], query), handle)
    if action.name in actions.LINKS and handle in desk.works:
        return _seen(action, await actions.LINKS[action.name](environment, desk.works[handle]), handle)
    return Observation(action, problem="this cannot be done", refused=True)


def _limit(action: Action) -> Mapping[str, int]:
    limit = number(action.arguments.get("limit"))
    return {"limit": limit} if limit else {}


def _is_new(desk: Desk, query: str) -> bool:
    """Whether a model did not search for these words before."""
    words = title_key(query)
    is_new = words not in desk.asked
    desk.asked.add(words)
    return is_new


def handle_in(written: str) -> str:
    """The handle that was meant by "W3", "w3", "3" or "[W3]"; "" if it is none."""
    match = _HANDLE.fullmatch(written.strip().strip("[]()<>\"'`. "))
    return f"W{int(match[1])}" if match else ""


def _looked_up(action: Action, title: str, answer: Answer) -> Observation:
    """The work that a title names; if there is none, what was found instead, which may not be chosen unseen."""
    named = [it for it in answer.works if actions.is_titled(it.record, title)]
    found = Observation(action, notes=answer.notes, requests=answer.requests)
    if named:
        return replace(found, works=(named[0],))
    return replace(found, works=answer.works, problem=f"no work is titled «{plain(title, 80)}»", refused=True)


def _seen(action: Action, answer: Answer, handle: str = "") -> Observation:
    problem = ""
    if action.name == "find_in_text" and not answer.passages:
        problem = "its text says nothing of these words" if answer.silent else "only its title is known"
    elif not answer.works and not answer.passages:
        problem = "no links of it are known" if handle else "nothing was found"
    return Observation(
        action, answer.works, (), handle, answer.passages, problem=problem, notes=answer.notes, requests=answer.requests
    )


def chosen(desk: Desk, observation: Observation) -> Candidate:
    """The work that a select meant, with the probability and the reason that were given for it."""
    work, inputs = desk.works[observation.about], observation.action.arguments
    probability = inputs.get("probability")
    odds = float(probability) if isinstance(probability, int | float) else certainty.chance(inputs.get("sure"))
    why = inputs.get("why")
    return Candidate(work.record, odds, work.origins, work.key, (), plain(why if isinstance(why, str) else "", _WHY))
