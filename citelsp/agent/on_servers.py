"""Corpora on servers, as the actions ask them beside the embedded one: by the place, and by words for it."""

from collections.abc import Sequence
from dataclasses import replace

from citelsp.agent import service_queries
from citelsp.agent.environment import Answer, Environment, join_candidates
from citelsp.corpus.words import title_key
from citelsp.knowledge import Candidate

_MOST_LISTED = 10  # works of one server


async def search(environment: Environment, words: str = "", limit: int = _MOST_LISTED) -> Answer:
    """Ask all corpora on servers for works that fit the place; an empty answer if no servers are set.

    Each work is there once, those of the first server first.  `words`, if there are any, stand in for the author's
    hint; if a server is on another machine, only those that may leave this one are sent, to all servers.  Each server
    gives at most `limit` works.  The notes name the servers that did not answer; `requests` counts the requests to
    other machines.
    """
    servers = environment.servers
    question = environment.question
    if not servers.corpora:
        return Answer()
    if words:
        may_leave = service_queries.limit_query(environment, words) if servers.on_other_machines() else words
        question = replace(question, hint=may_leave)
    answers = await servers.answers(question, sorted(environment.exclude), limit, environment.helpers)
    candidates: list[Candidate] = []
    for answer in answers:
        candidates += [_name_server(candidate, answer.name) for candidate in answer.candidates]
    works = tuple(order_by_probability(candidates, ()))
    missing = tuple(f"the corpus {it.name} did not answer: {it.why}" for it in answers if it.why)
    return Answer(works, notes=missing, requests=len(servers.on_other_machines()))


def _name_server(work: Candidate, server: str) -> Candidate:
    """Note in the record from which corpus the candidate is, since an id names a work only within one corpus."""
    return replace(work, record=replace(work.record, source=server))


def order_by_probability(works: Sequence[Candidate], more: Sequence[Candidate]) -> list[Candidate]:
    """Join two lists, the most probable work first, each once; if there is no second one, the first keeps its order."""
    found: dict[str, Candidate] = {}
    for work in (*works, *more):
        key = title_key(work.record.title)
        found[key] = join_candidates(found[key], work) if key in found else work
    merged = list(found.values())
    return sorted(merged, key=lambda it: -(it.probability or 0.0)) if more else merged
