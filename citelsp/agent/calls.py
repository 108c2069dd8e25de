"""From an action that a policy proposes to an observation: carried out, troubles put into words."""

import re
from collections.abc import Mapping
from dataclasses import replace

from citelsp.agent import actions, certainty
from citelsp.agent.environment import Answer, Desk, Environment
from citelsp.agent.harmless_text import make_plain
from citelsp.agent.steps import Action, Observation
from citelsp.corpus.words import title_key
from citelsp.knowledge import Candidate
from citelsp.sources.shape import number

_HANDLE = re.compile(r"w?\s*#?(\d{1,4})", re.IGNORECASE)  # of a work: W3
_LONGEST_QUERY = 400  # characters
_LONGEST_REASON = 500
_LONGEST_WHY = 200
ENDING = frozenset({"select", "give_up"})  # actions after which a run is over


async def perform(environment: Environment, desk: Desk, action: Action) -> Observation:
    """Carry out one action of a search for works, and return what came of it.

    Its arguments are words ("query"), the handle of a work that was found before ("id": "W3"), or a limit.  Refused are
    a "search" for words that it was made for before, an action that does not exist, and one that lacks an argument that
    it needs: the observation says so in `problem`.  `desk` holds the works found so far, by handle, and remembers the
    words searched for.  Raises nothing but cancellation.
    """
    name = action.name
    handle = _read_argument(action, "id")
    query = " ".join(_read_argument(action, "query").split())[:_LONGEST_QUERY]
    if name == "give_up":
        reason = make_plain(_read_argument(action, "reason"), _LONGEST_REASON)
        return Observation(action, text=reason or "nothing fits")
    if name == "select":
        return await _select(environment, desk, action, handle)  # "id" may be a title here
    # Only a model makes this action; rules, which search for fixed words, repeat none.
    if name == "search" and not _note_search(desk, query):
        return Observation(action, problem="this was asked before and brings nothing new", refused=True)
    if name == "match_place":
        return _observe(action, await actions.match_place(environment, **_read_limit(action)))
    if name == "recall":
        return _observe(action, await actions.recall(environment))
    if name in actions.BY_WORDS and query:
        search = actions.BY_WORDS[name]
        return _observe(action, await search(environment, query))
    if name == "find_in_text" and handle in desk.works and query:
        return _observe(action, await actions.find_in_text(environment, desk.works[handle], query), handle)
    if name in actions.LINKS and handle in desk.works:
        follow = actions.LINKS[name]
        return _observe(action, await follow(environment, desk.works[handle]), handle)
    return Observation(action, problem="this cannot be done", refused=True)


async def _select(environment: Environment, desk: Desk, action: Action, named: str) -> Observation:
    """Choose a work that is `named` by its handle, or else by its title, which is looked up."""
    if named in desk.works:
        return Observation(action, about=named)
    return _observe_lookup(action, named, await actions.look_up(environment, named))


def _read_argument(action: Action, name: str) -> str:
    """Return an argument that is text; "" if it is missing or anything else."""
    value = action.arguments.get(name)
    return value if isinstance(value, str) else ""


def _read_limit(action: Action) -> Mapping[str, int]:
    """Return the limit of an action as a keyword argument; empty if it has none, so that the default counts."""
    limit = number(action.arguments.get("limit"))
    return {"limit": limit} if limit else {}


def _note_search(desk: Desk, query: str) -> bool:
    """Remember that a model searches for these words; False if it did before."""
    words = title_key(query)
    if words in desk.asked:
        return False
    desk.asked.add(words)
    return True


def read_handle(written: str) -> str:
    """Return the handle that is meant by "W3", "w3", "3" or "[W3]"; "" if it is none."""
    match = _HANDLE.fullmatch(written.strip().strip("[]()<>\"'`. "))
    return f"W{int(match[1])}" if match else ""


def _observe_lookup(action: Action, title: str, answer: Answer) -> Observation:
    """Observe the work that a title names; if there is none, what was found instead, and that the choice is refused.

    Another work may not be chosen before its title was read.
    """
    titled = [it for it in answer.works if actions.is_titled(it.record, title)]
    observation = Observation(action, notes=answer.notes, requests=answer.requests)
    if titled:  # of several the first: `look_up` puts those with exactly this title before all others
        return replace(observation, works=(titled[0],))
    problem = f"no work is titled «{make_plain(title, 80)}»"
    return replace(observation, works=answer.works, problem=problem, refused=True)


def _observe(action: Action, answer: Answer, handle: str = "") -> Observation:
    """Make the observation of what an action found, with a problem if that is nothing.

    `handle`: of the work whose text is read or whose links are followed; "" for a search.  `answer.silent`: there is a
    text, and it says nothing of the words.
    """
    problem = ""
    if action.name == "find_in_text" and not answer.passages:
        problem = "its text says nothing of these words" if answer.silent else "only its title is known"
    elif not answer.works and not answer.passages:
        problem = "no links of it are known" if handle else "nothing was found"
    return Observation(
        action,
        works=answer.works,
        about=handle,
        passages=answer.passages,
        problem=problem,
        notes=answer.notes,
        requests=answer.requests,
    )


def read_choice(desk: Desk, observation: Observation) -> Candidate:
    """Return the work that a "select" chose, with the probability and the reason in its arguments.

    `observation.about` must be the handle of a work on the desk, which callers make sure of.  Rules give a
    "probability", a model a word ("sure"), which stands for one; without either it is None.  The work's passages are
    left out: that which is shown is chosen anew, from all that was read of it.
    """
    work = desk.works[observation.about]
    action = observation.action
    probability = action.arguments.get("probability")
    if isinstance(probability, int | float):
        chance: float | None = float(probability)
    else:
        chance = certainty.read_chance(action.arguments.get("sure"))
    why = make_plain(_read_argument(action, "why"), _LONGEST_WHY)
    return Candidate(work.record, chance, work.origins, work.key, why=why)
